/* Counts stays of threads in states of the scheduler, some in each frame. */
#include "ui/views/activity/stays.h"

#include <stdio.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/views/view.h"

#define KEPT        256 /* threads; more than there are rows in sight */
#define PARTS_FRAME 4

struct stays_own {
	uint8_t shown; /* enum sched_state; SCHED_NONE: the first */
	uint64_t frame, rewritten;
	const struct model *model;
	int parts; /* that were counted in this frame */
	uint64_t uses;
	struct kept {
		uint32_t sched;
		uint64_t used; /* 0: free */
		bool have, busy;
		struct sched_stays shown, next;
		int64_t shown_t1, next_t1;
	} kept[KEPT];
};

/* NULL: no memory. */
static struct stays_own *
own_of(struct ui *ui)
{
	struct stays_own *o = view_own(ui, VIEW_STATES, sizeof(*o));

	if (o == NULL)
		return (NULL);
	if (o->model != ui->model ||
	    o->rewritten != model_rewritten(ui->model)) {
		memset(o->kept, 0, sizeof(o->kept));
		o->model = ui->model;
		o->rewritten = model_rewritten(ui->model);
	}
	if (o->frame != ui->picture->frame) {
		o->frame = ui->picture->frame;
		o->parts = 0;
	}
	return (o);
}

/* What is kept of it, in the place of what was not asked for longest. */
static struct kept *
kept_of(struct stays_own *o, uint32_t sched)
{
	struct kept *k = o->kept;

	for (size_t i = 0; i < KEPT; i++) {
		if (o->kept[i].used != 0 && o->kept[i].sched == sched) {
			k = &o->kept[i];
			break;
		}
		k = o->kept[i].used < k->used ? &o->kept[i] : k;
	}
	if (k->used == 0 || k->sched != sched)
		*k = (struct kept){ .sched = sched };
	k->used = ++o->uses;
	return (k);
}

/* One more part of what is being counted, or of what is wanted now. */
static void
go_on(const struct ui *ui, struct kept *k, int64_t t0, int64_t t1)
{
	if (!k->busy) {
		k->busy = true;
		k->next_t1 = t1;
		if (!k->have || k->shown.t0_mon_ns != t0 || k->shown_t1 > t1)
			k->next = (struct sched_stays){ .t0_mon_ns = t0,
				.at_mon_ns = t0 };
		else
			k->next = k->shown; /* and what came behind */
	}
	if (!model_sched_stays(ui->model, k->sched, k->next_t1, &k->next))
		return;
	k->shown = k->next;
	k->shown_t1 = k->next_t1;
	k->have = true;
	k->busy = false;
}

static bool
is_of(const struct kept *k, int64_t t0, int64_t t1)
{
	return (k->have && k->shown.t0_mon_ns == t0 && k->shown_t1 == t1);
}

bool
stays_of(struct ui *ui, uint32_t sched, int64_t t0, int64_t t1,
    struct sched_stays *out)
{
	struct stays_own *o = own_of(ui);
	struct kept *k;

	*out = (struct sched_stays){ .t0_mon_ns = t0, .at_mon_ns = t0 };
	if (o == NULL || sched >= model_scheds(ui->model))
		return (true);
	k = kept_of(o, sched);
	while (!is_of(k, t0, t1)) {
		if (ui->picture->stop_cb != NULL &&
		    picture_drawn(ui->picture) && o->parts++ >= PARTS_FRAME) {
			ui->picture->undone = true;
			break;
		}
		go_on(ui, k, t0, t1);
	}
	*out = k->shown;
	return (k->have);
}

char *
stays_words(struct ui *ui, uint32_t sched, int64_t t0, int64_t t1,
    enum sched_state state, char *buf, size_t n)
{
	struct sched_stays s;
	struct sched_stay k;
	char num[32], min[32], max[32];

	buf[0] = '\0';
	if (!stays_of(ui, sched, t0, t1, &s))
		snprintf(buf, n, "...");
	else if ((k = sched_stays_in(&s, state)).n > 0)
		snprintf(buf, n, "%s times, %s to %s",
		    format_count(num, sizeof(num), k.n),
		    format_span(min, sizeof(min), k.min_ns),
		    format_span(max, sizeof(max), k.max_ns));
	return (buf);
}

/* --- of which state --- */

const char *
stays_state(const struct ui *ui, unsigned i)
{
	(void)ui;
	i += SCHED_RUNNING;
	return (i < SCHED_STATES ? label_sched(i) : NULL);
}

enum sched_state
stays_shown(struct ui *ui)
{
	const struct stays_own *o = own_of(ui);

	return (o == NULL || o->shown == SCHED_NONE ? SCHED_RUNNING : o->shown);
}

int
stays_show(struct ui *ui, const char *word)
{
	struct stays_own *o = own_of(ui);

	for (uint8_t s = SCHED_RUNNING; o != NULL && s < SCHED_STATES; s++)
		if (strcmp(word, label_sched(s)) == 0) {
			o->shown = s;
			return (0);
		}
	return (-1);
}
