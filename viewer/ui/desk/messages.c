/*
 * Messages between processes of the panels' range: those that were taken in
 * it.  Of the whole run the model keeps sums; those of a part are counted from
 * the links, some pieces of time a frame, and what was counted last stays in
 * sight until the next is whole.  Where links were given up that is only about
 * right, until the log was asked (model/past/sums.h).
 */
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "model/past/sums.h"
#include "ui/desk/desk.h"

#define ASKS_STILL 24 /* in a frame */
#define ASKS_BUSY  3  /* while the picture moves */
#define LINKS_ASK  2048
#define LINKS_MOST (1 << 20) /* at one and the same ns */
#define PAUSE      20        /* frames, while a run grows */

static int
by_place(const void *a, const void *b)
{
	const struct process *p = a, *q = b;

	if (p->node != q->node)
		return (p->node < q->node ? -1 : 1);
	return (p->po < q->po ? -1 : p->po > q->po);
}

uint32_t
processes(const struct ui *ui, struct process *out)
{
	struct process p;
	uint32_t n = 0;

	for (p.number = 0; n < MATRIX_MAX &&
			   model_po(ui->model, p.number, &p.node, &p.po) == 0;
	     p.number++)
		if (p.po != 0)
			out[n++] = p;
	if (n > 1)
		qsort(out, n, sizeof(*out), by_place);
	return (n);
}

uint32_t
processes_all(const struct ui *ui)
{
	uint32_t n = 0, node, po;

	for (uint32_t i = 0; model_po(ui->model, i, &node, &po) == 0; i++)
		n += po != 0;
	return (n);
}

struct message_count {
	struct messages_of {
		const struct model *model;
		int64_t t0, t1;
		uint64_t events, rewritten;
	} of;
	int64_t at_ns, step_ns;
	uint32_t lanes;
	int16_t *place; /* by lane, of its process; -1: none */
	uint64_t count[MATRIX_MAX][MATRIX_MAX], bytes[MATRIX_MAX][MATRIX_MAX];
};

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
	return (of);
}

static bool
same(const struct messages_of *a, const struct messages_of *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->events == b->events && a->rewritten == b->rewritten);
}

/* Known without counting. */
static bool
is_known(const struct ui *ui)
{
	struct messages_of of;
	uint64_t n, bytes;

	if (figures_whole(ui))
		return (true);
	if (!model_links_gone(ui->model))
		return (false);
	of = wanted(ui);
	return (model_messages_in(ui->model, of.t0, of.t1, 0, 0, &n, &bytes));
}

bool
messages_exact(const struct ui *ui)
{
	return (!model_links_gone(ui->model) || is_known(ui));
}

static bool
begin(struct ui *ui, const struct messages_of *of)
{
	struct message_count *k = ui->figures.messages.next;
	struct process po[MATRIX_MAX];
	uint32_t n;

	if (k == NULL)
		k = ui->figures.messages.next = calloc(1, sizeof(*k));
	if (k == NULL)
		return (false);
	free(k->place);
	memset(k, 0, sizeof(*k));
	k->of = *of;
	k->at_ns = of->t0;
	k->step_ns = (of->t1 - of->t0) / 64 + 1;
	k->lanes = model_lanes(ui->model);
	k->place = malloc((k->lanes + 1) * sizeof(*k->place));
	if (k->place == NULL)
		return (false);
	n = processes(ui, po);
	for (uint32_t i = 0; i < k->lanes; i++) {
		const struct lane *l = model_lane(ui->model, i);

		k->place[i] = -1;
		for (uint32_t p = 0; p < n && l->kind <= LANE_DEPTH; p++)
			if (po[p].node == l->node && po[p].po == l->po)
				k->place[i] = (int16_t)p;
	}
	return (true);
}

static void
count(struct message_count *k, const struct link *l, int64_t t1)
{
	int from, to;

	if (l->kind0 != EV_send || l->t1_mon_ns < k->at_ns ||
	    l->t1_mon_ns >= t1 || l->lane0 >= k->lanes || l->lane1 >= k->lanes)
		return;
	from = k->place[l->lane0];
	to = k->place[l->lane1];
	if (from < 0 || to < 0)
		return;
	k->count[from][to]++;
	k->bytes[from][to] += l->bytes;
}

/* The next piece of time; a piece with too many links is cut.  True: done. */
static bool
step(struct message_count *k)
{
	size_t most = LINKS_ASK, n;
	struct link *links = malloc((most + 1) * sizeof(*links)), *more;
	int64_t t1;

	for (; links != NULL; k->step_ns = k->step_ns / 2 + (k->step_ns == 1)) {
		t1 = k->of.t1 - k->at_ns < k->step_ns ? k->of.t1
						      : k->at_ns + k->step_ns;
		n = model_links(k->of.model, k->at_ns, t1, links, most);
		if (n <= most)
			break;
		if (k->step_ns > 1)
			continue;
		most *= 4;
		more = most > LINKS_MOST
			   ? NULL
			   : realloc(links, (most + 1) * sizeof(*links));
		if (more == NULL) { /* too many at once: what is there */
			n = most / 4;
			break;
		}
		links = more;
	}
	for (size_t i = 0; links != NULL && i < n; i++)
		count(k, &links[i], t1);
	if (links == NULL)
		return (true);
	free(links);
	k->at_ns = t1;
	if (n * 4 < LINKS_ASK && k->step_ns < INT64_MAX / 4)
		k->step_ns *= 2;
	return (t1 >= k->of.t1);
}

bool
messages_prepare(struct ui *ui)
{
	struct messages *s = &ui->figures.messages;
	struct messages_of want = wanted(ui);
	int asks = picture_answers(ui->picture) || run_grows(ui) ? ASKS_BUSY
								 : ASKS_STILL;
	struct message_count *was;

	if (!messages_exact(ui) && want.t1 > want.t0)
		ui_rough(ui, SUMS_MESSAGES, want.t0, want.t1);
	if (is_known(ui) || (s->shown != NULL && same(&s->shown->of, &want))) {
		s->busy = false;
		return (true);
	}
	if (picture_hasty(ui->picture) &&
	    (s->shown != NULL || s->busy)) { /* the next frame */
		ui->picture->undone = true;
		return (true);
	}
	if (s->busy && !same(&s->next->of, &want) &&
	    !(run_grows(ui) && s->next->of.model == want.model &&
		s->next->of.events != want.events))
		s->busy = false;
	if (!s->busy && s->shown != NULL && run_grows(ui) &&
	    s->shown->of.model == want.model &&
	    s->shown->of.events != want.events && ui->picture->frame < s->due) {
		ui->picture->undone = true;
		return (true);
	}
	if (!s->busy && !begin(ui, &want))
		return (true);
	s->busy = true;
	for (int i = 0; ui->picture->stop_cb == NULL || i < asks; i++) {
		if (s->next->of.t1 <= s->next->of.t0 || step(s->next)) {
			was = s->shown;
			s->shown = s->next;
			s->next = was;
			s->busy = false;
			s->due = ui->picture->frame + PAUSE;
			return (true);
		}
		if (draw_stopped(ui))
			return (false);
	}
	ui->picture->undone = true;
	return (true);
}

uint64_t
messages_of(const struct ui *ui, const struct process *po, uint32_t from,
    uint32_t to, uint64_t *bytes)
{
	const struct message_count *k = ui->figures.messages.shown;
	struct messages_of of;
	uint64_t n;

	if (figures_whole(ui))
		return (model_messages(ui->model, po[from].number,
		    po[to].number, bytes));
	of = wanted(ui);
	if (model_links_gone(ui->model) &&
	    model_messages_in(ui->model, of.t0, of.t1, po[from].number,
		po[to].number, &n, bytes))
		return (n);
	*bytes = 0;
	if (k == NULL || k->of.model != ui->model)
		return (0);
	*bytes = k->bytes[from][to];
	return (k->count[from][to]);
}

void
messages_clear(struct messages *s)
{
	struct message_count *k[2] = { s->shown, s->next };

	for (int i = 0; i < 2; i++) {
		if (k[i] != NULL)
			free(k[i]->place);
		free(k[i]);
	}
	memset(s, 0, sizeof(*s));
}
