/*
 * Messages and calls of the panels' range by who sent them to whom: messages
 * that were taken in it, phases of calls that were over in it.  Of the whole
 * run the model keeps sums; those of a part are counted from the links
 * (talkcount.c), some pieces of time a frame, and what was counted last stays
 * in sight until the next is whole.  Where links were given up that is only
 * about right, until the log was asked (model/past/sums.h).  Of threads there
 * are links alone.
 */
#include <stdlib.h>
#include <string.h>

#include "model/detail.h"
#include "model/past/sums.h"
#include "talk.h"
#include "talkcount.h"
#include "ui/desk/desk.h"

#define ASKS_STILL 24 /* in a frame */
#define ASKS_BUSY  3  /* while the picture moves */
#define PAUSE      20 /* frames, while a run grows */

struct message_count {
	struct messages_of {
		const struct model *model;
		int64_t t0, t1;
		uint64_t events, rewritten, details;
		bool threads, known;
	} of;
	struct talk_count count;
};

enum talk_level
talk_level_of(const struct ui *ui)
{
	return ((enum talk_level)ui->chosen.talk.level);
}

static struct messages_of
wanted(const struct ui *ui)
{
	struct messages_of of;

	memset(&of, 0, sizeof(of));
	of.model = ui->model;
	figures_range(ui, &of.t0, &of.t1);
	of.rewritten = model_rewritten(ui->model);
	if (of.t1 >= model_last_ns(ui->model))
		of.events = model_events(ui->model);
	if (of.events != 0 || of.t1 == ui->play.head_mon_ns)
		of.t1++;
	of.threads = talk_level_of(ui) == TALK_BY_THREAD;
	of.known = !of.threads && model_links_gone(ui->model) &&
		   model_talks_in(ui->model, of.t0, of.t1, NULL);
	if (of.known)
		of.details = model_details(ui->model);
	return (of);
}

static bool
same(const struct messages_of *a, const struct messages_of *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->events == b->events && a->rewritten == b->rewritten &&
		a->details == b->details && a->threads == b->threads &&
		a->known == b->known);
}

/* Both go on to the end, and something has come in the meantime. */
static bool
is_older(const struct messages_of *a, const struct messages_of *b)
{
	return (a->model == b->model && a->threads == b->threads &&
		a->events != 0 && b->events != 0 && a->events != b->events);
}

/* The model has the sums. */
static bool
is_kept(const struct ui *ui, const struct messages_of *of)
{
	return (!of->threads && figures_whole(ui));
}

bool
messages_exact(const struct ui *ui)
{
	struct messages_of of = wanted(ui);

	return (!model_links_gone(ui->model) || is_kept(ui, &of) || of.known);
}

static bool
begin(struct ui *ui, const struct messages_of *of)
{
	struct message_count *k = ui->figures.messages.next;

	if (k == NULL)
		k = ui->figures.messages.next = calloc(1, sizeof(*k));
	if (k == NULL)
		return (false);
	k->of = *of;
	return (talk_count_begin(&k->count, ui->model, of->t0, of->t1,
	    of->threads));
}

static bool
step(struct message_count *k)
{
	if (k->of.t1 <= k->of.t0)
		return (true);
	if (k->of.known) { /* else it stays as it is: nothing */
		(void)model_talks_in(k->of.model, k->of.t0, k->of.t1,
		    &k->count.sums);
		return (true);
	}
	return (talk_count_step(&k->count));
}

static void
finish(struct ui *ui)
{
	struct messages *s = &ui->figures.messages;
	struct message_count *was = s->shown;

	s->shown = s->next;
	s->next = was;
	s->busy = false;
	s->due = ui->picture->frame + PAUSE;
}

/* There is time later, and what is shown will do until then. */
static bool
can_wait(const struct ui *ui, const struct messages_of *want)
{
	const struct messages *s = &ui->figures.messages;

	if (picture_hasty(ui->picture) && (s->shown != NULL || s->busy))
		return (true);
	return (!s->busy && s->shown != NULL && run_outruns(ui) &&
		is_older(&s->shown->of, want) && ui->picture->frame < s->due);
}

bool
messages_prepare(struct ui *ui)
{
	struct messages *s = &ui->figures.messages;
	struct messages_of want = wanted(ui);
	int asks = picture_answers(ui->picture) || run_grows(ui) ? ASKS_BUSY
								 : ASKS_STILL;

	if (!messages_exact(ui) && !want.threads && want.t1 > want.t0)
		ui_rough(ui, SUMS_MESSAGES, want.t0, want.t1);
	if (is_kept(ui, &want) ||
	    (s->shown != NULL && same(&s->shown->of, &want))) {
		s->busy = false;
		return (true);
	}
	if (can_wait(ui, &want)) {
		ui->picture->undone = true;
		return (true);
	}
	if (s->busy && !same(&s->next->of, &want) &&
	    !(run_outruns(ui) && is_older(&s->next->of, &want)))
		s->busy = false;
	if (!s->busy && !begin(ui, &want))
		return (true);
	s->busy = true;
	for (int i = 0; ui->picture->stop_cb == NULL || i < asks; i++) {
		if (step(s->next)) {
			finish(ui);
			return (true);
		}
		if (draw_stopped(ui))
			return (false);
		if (draw_late(ui))
			break;
	}
	ui->picture->undone = true;
	return (true);
}

void
talk_list_of(const struct ui *ui, struct talk_list *l)
{
	const struct message_count *k = ui->figures.messages.shown;
	struct messages_of of = wanted(ui);

	*l = (struct talk_list){ NULL, NULL, 0 };
	if (is_kept(ui, &of)) {
		l->model = ui->model;
		l->n = model_talks(ui->model);
	} else if (k != NULL && k->of.model == ui->model &&
		   k->of.threads == of.threads) {
		l->sums = &k->count.sums;
		l->n = k->count.sums.n;
	}
}

void
talk_list_at(const struct talk_list *l, uint32_t i, struct talk_pair *out)
{
	if (l->model != NULL)
		model_talk_at(l->model, i, out);
	else
		*out = l->sums->pair[i];
}

void
messages_clear(struct messages *s)
{
	struct message_count *k[2] = { s->shown, s->next };

	for (int i = 0; i < 2; i++) {
		if (k[i] != NULL)
			talk_count_clear(&k[i]->count);
		free(k[i]);
	}
	memset(s, 0, sizeof(*s));
}
