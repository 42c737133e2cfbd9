/* Looks for calls, part by part, and keeps which is chosen of them. */
#include "ui/views/found/found.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "ui/things/thing.h"
#include "ui/views/view.h"

#define PARTS_FRAME 16 /* of 4096 pieces: about 2 ms */
#define PARTS_HURRY 20000
#define PAUSE       20 /* frames, while a run grows */
#define FAR_NS      (INT64_MAX / 4)

struct found_calls *
found_get(const struct ui *ui)
{
	return (ui->figures.found);
}

static struct found_calls *
get(struct ui *ui)
{
	if (ui->figures.found == NULL)
		ui->figures.found = calloc(1, sizeof(struct found_calls));
	return (ui->figures.found);
}

void
found_forget(struct ui *ui)
{
	struct found_calls *f = ui->figures.found;

	if (f == NULL)
		return;
	f->of.model = f->next_of.model = NULL;
	f->t0 = f->t1 = 0; /* of the other run */
	f->busy = f->stepping = false;
	f->at = UINT32_MAX;
	f->nparts = 0;
}

void
found_free(struct ui *ui)
{
	struct found_calls *f = ui->figures.found;

	if (f == NULL)
		return;
	find_free(f->shown);
	find_free(f->next);
	free(f);
	ui->figures.found = NULL;
}

int
found_ask(struct ui *ui, const char *text, uint32_t slowest)
{
	struct found_ask a;
	struct found_calls *f = get(ui);

	if (f == NULL || found_parse(ui, text, &a) == -1)
		return (f == NULL ? desk_fail(ui, "out of memory") : -1);
	f->ask = a;
	f->ask.slowest = slowest;
	f->asked = f->stepping = true;
	f->asks++;
	f->at = UINT32_MAX;
	f->lo_ns = 0;
	f->hi_ns = INT64_MAX;
	if (!time_selected(ui, &f->t0, &f->t1))
		f->t0 = f->t1 = 0;
	return (0);
}

/* What is asked for now. */
static struct found_of
wanted(const struct ui *ui, const struct found_calls *f)
{
	struct found_of of;
	int64_t last = model_last_ns(ui->model);

	memset(&of, 0, sizeof(of));
	of.model = ui->model;
	of.asked = f->asks;
	of.rewritten = model_rewritten(ui->model);
	of.t0 = f->t0 < f->t1 ? f->t0 : -FAR_NS;
	of.t1 = f->t0 < f->t1 ? f->t1 : FAR_NS;
	of.head_ns = ui->play.head_mon_ns < last ? ui->play.head_mon_ns : last;
	if (of.t1 >= of.head_ns)
		of.t1 = of.head_ns + 1; /* what begins then belongs to it */
	if (ui->play.head_mon_ns > last)
		of.events = model_events(ui->model);
	of.source = calls_source(ui->model, of.t0, of.t1);
	return (of);
}

static bool
same(const struct found_of *a, const struct found_of *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->head_ns == b->head_ns && a->source == b->source &&
		a->events == b->events && a->rewritten == b->rewritten &&
		a->asked == b->asked);
}

/* Waits are meant when a name is given. */
static unsigned
kinds_of(const struct found_ask *a)
{
	unsigned calls = 1u << SPAN_task | 1u << SPAN_call | 1u << SPAN_block |
			 1u << SPAN_serve | 1u << SPAN_phase;

	return (a->name[0] == '\0'
		    ? calls
		    : calls | 1u << SPAN_wait_message | 1u << SPAN_wait_lock |
			  1u << SPAN_wait_sync | 1u << SPAN_wait_rpc);
}

static bool
begin(struct ui *ui, struct found_calls *f, const struct found_of *want)
{
	struct find_ask ask = { .kinds = kinds_of(&f->ask),
		.least_ns = f->ask.least_ns,
		.most_ns = f->ask.most_ns,
		.t0 = want->t0,
		.t1 = want->t1,
		.head_ns = want->head_ns,
		.slowest = f->ask.slowest,
		.now = f->t0 == f->t1 &&
		       ui->play.head_mon_ns > model_last_ns(ui->model) };
	uint8_t *name = found_names(ui, &f->ask, &ask.nnames);
	uint8_t *lane = found_lanes(ui, &f->ask, &ask.nlanes);
	bool begun = false;

	if (f->next == NULL)
		f->next = find_new();
	ask.name = name;
	ask.lane = lane;
	if (f->next != NULL && name != NULL && lane != NULL)
		begun = find_begin(f->next, ui->model, &ask) == 0;
	free(name);
	free(lane);
	f->next_of = *want;
	f->busy = begun;
	return (begun);
}

static void
finish(struct ui *ui, struct found_calls *f)
{
	struct find_calls *was = f->shown;

	f->shown = f->next;
	f->next = was;
	f->of = f->next_of;
	f->busy = false;
	f->nparts = 0;
	f->due = ui->picture->frame + PAUSE;
}

/* Some parts more; true: what is wanted is there. */
static bool
go_on(struct ui *ui, struct found_calls *f, int parts)
{
	struct found_of want = wanted(ui, f);
	bool known = f->shown != NULL && f->of.model == ui->model &&
		     f->of.asked == f->asks;

	if (known && same(&f->of, &want))
		return (true);
	if (known && run_grows(ui) && !f->busy && parts == PARTS_FRAME &&
	    f->of.t0 == want.t0 && ui->picture->frame < f->due)
		return (false);
	/* of a run that grows what was begun is ended first */
	if (!(f->busy && f->next_of.model == ui->model &&
		f->next_of.asked == f->asks &&
		f->next_of.source == want.source &&
		(run_grows(ui) || same(&f->next_of, &want))) &&
	    !begin(ui, f, &want))
		return (true);
	for (int i = 0; i < parts; i++)
		if (find_step(f->next)) {
			finish(ui, f);
			return (true);
		}
	return (false);
}

bool
found_answered(const struct ui *ui)
{
	const struct found_calls *f = found_get(ui);

	return (f != NULL && f->shown != NULL && f->of.model == ui->model &&
		f->of.asked == f->asks);
}

/*
 * Of the slowest what their time went to, once for each answer; what was given
 * up may be back by the next frame.
 */
static void
prepare_parts(struct ui *ui, struct found_calls *f)
{
	const struct found_call *c;
	size_t n;

	if (f->ask.slowest == 0 || !found_answered(ui))
		return;
	n = find_list(f->shown, &c);
	n = n < SLOWEST_MOST ? n : SLOWEST_MOST;
	for (size_t i = 0; i < n; i++)
		if (i >= f->nparts || f->parts[i].n == 0)
			found_parts(ui, &c[i], &f->parts[i]);
	f->nparts = n;
}

const struct found_parts *
found_parts_at(const struct ui *ui, size_t i)
{
	const struct found_calls *f = found_get(ui);
	const struct found_call *all, *some;
	uint64_t n;

	if (f == NULL || f->nparts == 0 || !found_answered(ui))
		return (NULL);
	find_list(f->shown, &all);
	found_list(ui, &some, &n); /* of these some may be chosen */
	i += (size_t)(some - all);
	return (i < f->nparts ? &f->parts[i] : NULL);
}

bool
found_prepare(struct ui *ui)
{
	struct found_calls *f = found_get(ui);

	if (f == NULL || !f->asked)
		return (true);
	if (ui->picture->stop_cb == NULL) {
		while (!go_on(ui, f, PARTS_HURRY))
			continue;
		prepare_parts(ui, f);
		return (true);
	}
	if (!go_on(ui, f, PARTS_FRAME))
		ui->picture->undone = true;
	f->nso_far = f->busy && !found_answered(ui)
			 ? find_so_far(f->next, f->so_far, FOUND_FIRST)
			 : 0;
	prepare_parts(ui, f);
	return (true);
}

/* All at once, if it is not much: for who goes there. */
static void
found_hurry(struct ui *ui)
{
	struct found_calls *f = found_get(ui);

	if (f != NULL && f->asked)
		go_on(ui, f, PARTS_HURRY);
}

void
found_choose(struct ui *ui, int64_t lo_ns, int64_t hi_ns)
{
	struct found_calls *f = found_get(ui);
	bool all = lo_ns > hi_ns;

	if (f == NULL)
		return;
	f->lo_ns = all ? 0 : lo_ns;
	f->hi_ns = all ? INT64_MAX : hi_ns;
	f->at = UINT32_MAX;
}

size_t
found_list(const struct ui *ui, const struct found_call **list, uint64_t *n)
{
	const struct found_calls *f = found_get(ui);
	size_t known, from = 0, to;

	*n = 0;
	*list = NULL;
	if (f != NULL && f->busy && !found_answered(ui)) {
		*list = f->so_far;
		*n = find_count(f->next);
		return (f->nso_far);
	}
	if (f == NULL || f->shown == NULL || f->of.model != ui->model)
		return (0);
	known = find_list(f->shown, list);
	*n = find_count(f->shown);
	while (from < known && (*list)[from].ns > f->hi_ns)
		from++;
	for (to = from; to < known && (*list)[to].ns >= f->lo_ns;)
		to++;
	*list += from;
	*n -= f->lo_ns > 0 || f->hi_ns < INT64_MAX ? *n - (to - from) : 0;
	return (to - from);
}

/* --- going there --- */

uint32_t
found_row(const struct ui *ui, uint32_t lane)
{
	const struct timeline_layout *l = &ui->timepane.rows;
	const struct lane *d = model_lane(ui->model, lane);
	uint32_t row = lane < l->nlanes ? l->lane_row[lane] : UINT32_MAX;

	return (d->kind != LANE_DEPTH ||
			(row < l->nrows && l->rows[row].lane == lane)
		    ? lane
		    : d->parent);
}

int
found_go(struct ui *ui, uint32_t i)
{
	struct found_calls *f = found_get(ui);
	const struct found_call *c;
	struct thing k = { .kind = THING_SPAN };
	int64_t span;
	uint64_t n;
	size_t known;

	if (f == NULL || !f->asked)
		return (
		    desk_fail(ui, "nothing was asked for: find NAME > 5ms"));
	found_hurry(ui);
	known = found_list(ui, &c, &n);
	if (known == 0)
		return (
		    desk_fail(ui, f->busy ? "still looking" : "no such call"));
	if (i >= known)
		return (desk_fail(ui, "there are %zu", known));
	c += i;
	k.lane = found_row(ui, c->row);
	k.of = c->row;
	k.span = (struct span){ c->t0_mon_ns,
		c->open ? INT64_MAX : c->t1_mon_ns, c->name, c->class, c->kind,
		model_lane(ui->model, c->row)->depth, c->id, c->nth };
	history_add(ui, 0);
	ui->play.follow = false;
	thing_show(ui, &k);
	span = c->t1_mon_ns - c->t0_mon_ns;
	span = span < 1000 ? 1000 : span;
	time_range(ui, c->t0_mon_ns - span / 2, c->t1_mon_ns + span / 2);
	if (c->kind == SPAN_task)
		select_task(ui, model_task_by_id(ui->model, c->id));
	/* who waited for whom then, who held what */
	ui->chosen.cursor_mon_ns =
	    c->t0_mon_ns + (c->t1_mon_ns - c->t0_mon_ns) / 2;
	f->at = i;
	f->stepping = true;
	return (0);
}

bool
found_stepping(const struct ui *ui)
{
	const struct found_calls *f = found_get(ui);

	return (f != NULL && f->asked && f->stepping);
}

void
found_leave(struct ui *ui)
{
	if (found_get(ui) != NULL)
		found_get(ui)->stepping = false;
}

int
found_step(struct ui *ui, int way)
{
	struct found_calls *f = found_get(ui);
	const struct found_call *c;
	uint64_t n;
	uint32_t known;

	found_hurry(ui);
	known = (uint32_t)found_list(ui, &c, &n);
	if (known == 0)
		return (found_go(ui, 0));
	if (f->at == UINT32_MAX)
		return (found_go(ui, way > 0 ? 0 : known - 1));
	return (found_go(ui, (f->at + (way > 0 ? 1 : known - 1)) % known));
}
