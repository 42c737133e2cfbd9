/* How the time of the chosen range was spent: bars per node and process. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "meters.h"
#include "model/detail.h"
#include "speed.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/traffic/running.h"
#include "ui/views/view.h"

#define ACTIVITY_FRAMES 5   /* between two sums while the run goes on */
#define LANES_FRAME     512 /* added up in one */

/* What the threads of each node did in the chosen range. */
struct activity_sum {
	const struct model *model;
	int64_t t0, t1;
	uint64_t events; /* of the run, when it was added up */
	uint32_t lanes, nodes;
	struct share *by_node; /* nodes + 1 long; 0: of all */
};
struct activity {
	struct activity_sum shown, next;
	bool busy;    /* next is being made */
	uint32_t at;  /* its next lane */
	uint64_t due; /* frame from which it may be added up anew */
	struct speeds speeds;
	struct meters meters;
};

struct activity *
activity_new(void)
{
	return (calloc(1, sizeof(struct activity)));
}

void
activity_free(struct activity *a)
{
	if (a == NULL)
		return;
	free(a->shown.by_node);
	free(a->next.by_node);
	speeds_clear(&a->speeds);
	meters_clear(&a->meters);
	free(a);
}

void
activity_forget(struct activity *a)
{
	a->shown.model = a->next.model = NULL;
	meters_clear(&a->meters);
	speeds_clear(&a->speeds);
}

int64_t
share_talk_ns(const struct share *s)
{
	return (s->by_class[LANE_wait_message] + s->by_class[LANE_wait_rpc]);
}

int
share_percent(int64_t part, int64_t whole)
{
	double percent;

	if (whole <= 0)
		return (0);
	percent = ((double)part * 100 / (double)whole) + 0.5;
	return (percent < 0 ? 0 : percent < INT_MAX ? (int)percent : INT_MAX);
}

const char *
share_about(const struct share *s)
{
	return (s->rough ? "~" : "");
}

/* Some of its life is in the range; of one that told nothing: perhaps. */
static bool
was_there(const struct model *m, uint32_t lane, int64_t t0, int64_t t1)
{
	int64_t from, to;

	if (!model_lane_life(m, lane, &from, &to))
		return (true);
	return (from <= t1 && (!model_lane_ended(m, lane, &to) || to >= t0));
}

static void
add_lane(struct ui *ui, const struct lane *l, int64_t t0, int64_t t1,
    struct share *s)
{
	int64_t by_class[LANE_CLASSES] = { 0 }, busy = 0;
	uint64_t spans = 0;

	if (!model_lane_totals(ui->model, l->id, t0, t1, by_class, &spans)) {
		ui_rough(ui, SUMS_LANES, t0, t1);
		s->rough = true;
	}
	for (int i = 1; i < LANE_CLASSES; i++)
		busy = span_add(busy, by_class[i]);
	if (busy == 0 && spans == 0 && l->thread == 0)
		return; /* a word about a process, no thread of it */
	if (busy == 0 && !was_there(ui->model, l->id, t0, t1))
		return;
	for (int i = 0; i < LANE_CLASSES; i++)
		s->by_class[i] = span_add(s->by_class[i], by_class[i]);
	s->spans += spans;
	s->threads++;
	s->threads_ns =
	    span_add(s->threads_ns, running_life(ui->model, l->id, t0, t1));
}

static void
share_add(struct share *s, const struct share *other)
{
	for (int i = 0; i < LANE_CLASSES; i++)
		s->by_class[i] = span_add(s->by_class[i], other->by_class[i]);
	s->spans += other->spans;
	s->rough |= other->rough;
	s->threads += other->threads;
	s->threads_ns = span_add(s->threads_ns, other->threads_ns);
}

static bool
is_process(const struct lane *l)
{
	return (l->kind == LANE_PO && l->po != 0);
}

static int
by_node(const void *a, const void *b, void *arg)
{
	const struct model *m = arg;
	const struct lane *x = model_lane(m, *(const uint32_t *)a);
	const struct lane *y = model_lane(m, *(const uint32_t *)b);
	uint32_t p = model_node_rank(m, x->node);
	uint32_t q = model_node_rank(m, y->node);

	if (p == q) {
		p = x->po;
		q = y->po;
	}
	return ((p > q) - (p < q));
}

uint32_t *
activity_processes(const struct ui *ui, uint32_t *n)
{
	uint32_t lanes = model_lanes(ui->model);
	uint32_t *of = malloc(((size_t)lanes + 1) * sizeof(*of));

	*n = 0;
	for (uint32_t i = 0; of != NULL && i < lanes; i++)
		if (is_process(model_lane(ui->model, i)))
			of[(*n)++] = i;
	if (*n > 1)
		qsort_r(of, *n, sizeof(*of), by_node, ui->model);
	return (of);
}

void
activity_po(struct ui *ui, uint32_t node, uint32_t po, struct share *s)
{
	uint32_t n = model_lanes(ui->model);
	int64_t t0, t1;

	memset(s, 0, sizeof(*s));
	if (!figures_range(ui, &t0, &t1))
		return;
	for (uint32_t i = 0; i < n; i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (l->kind == LANE_THREAD && l->node == node && l->po == po)
			add_lane(ui, l, t0, t1, s);
	}
}

static bool
sum_same(const struct activity_sum *a, const struct activity_sum *b)
{
	return (a->by_node != NULL && a->model == b->model && a->t0 == b->t0 &&
		a->t1 == b->t1 && a->events == b->events &&
		a->lanes == b->lanes && a->nodes == b->nodes);
}

static bool
sum_begin(struct activity *a, const struct activity_sum *want)
{
	struct share *by =
	    realloc(a->next.by_node, ((size_t)want->nodes + 1) * sizeof(*by));

	a->busy = by != NULL;
	a->at = 0;
	if (by == NULL)
		return (false);
	memset(by, 0, ((size_t)want->nodes + 1) * sizeof(*by));
	a->next = *want;
	a->next.by_node = by;
	return (true);
}

/* The next so many lanes; true: those were the last. */
static bool
sum_step(struct ui *ui, struct activity *a, uint32_t n)
{
	struct activity_sum *s = &a->next;

	for (; a->at < s->lanes && n > 0; a->at++, n--) {
		const struct lane *l = model_lane(ui->model, a->at);

		if (s->t1 > s->t0 && l->kind == LANE_THREAD && l->node != 0 &&
		    l->node <= s->nodes)
			add_lane(ui, l, s->t0, s->t1, &s->by_node[l->node]);
	}
	return (a->at == s->lanes);
}

static void
sum_finish(struct ui *ui, struct activity *a)
{
	struct activity_sum was = a->shown;

	for (uint32_t i = 1; i <= a->next.nodes; i++)
		share_add(&a->next.by_node[0], &a->next.by_node[i]);
	a->shown = a->next;
	a->next = was;
	a->busy = false;
	a->due = ui->picture->frame + ACTIVITY_FRAMES;
}

/*
 * Of all nodes in one walk over the threads, of very many in several frames;
 * kept until the range or the run has changed; while the run goes on, for a
 * few frames: figures that change faster cannot be read.  A user who waits
 * sees them a frame later; words are always of now.
 */
bool
activity_prepare(struct ui *ui)
{
	struct activity *a = ui->figures.activity;
	struct activity_sum want = { .model = ui->model,
		.events = model_events(ui->model) + model_details(ui->model),
		.lanes = model_lanes(ui->model),
		.nodes = model_nodes(ui->model) };
	bool known;

	if (!figures_range(ui, &want.t0, &want.t1))
		want.t1 = want.t0;
	known = a->shown.by_node != NULL && a->shown.model == ui->model;
	if (sum_same(&a->shown, &want))
		return (true);
	if (known &&
	    (picture_hasty(ui->picture) ||
		(run_outruns(ui) && !a->busy && ui->picture->frame < a->due))) {
		ui->picture->undone = true;
		return (true);
	}
	if (draw_stopped(ui))
		return (false);
	/* of a run that grows what was begun is ended first */
	if (!(a->busy && a->next.model == ui->model &&
		(run_outruns(ui) || sum_same(&a->next, &want))) &&
	    !sum_begin(a, &want))
		return (true);
	if (sum_step(ui, a,
		ui->picture->stop_cb == NULL ? UINT32_MAX : LANES_FRAME))
		sum_finish(ui, a);
	else
		ui->picture->undone = true;
	return (true);
}

void
activity_of(struct ui *ui, uint32_t node, struct share *s)
{
	const struct activity_sum *shown = &ui->figures.activity->shown;

	if (shown->by_node != NULL && node <= shown->nodes)
		*s = shown->by_node[node];
	else
		memset(s, 0, sizeof(*s));
}

bool
activity_exact(const struct ui *ui)
{
	const struct activity_sum *shown = &ui->figures.activity->shown;

	return (shown->by_node == NULL || !shown->by_node[0].rough);
}

struct meters *
activity_meters(struct ui *ui)
{
	return (&ui->figures.activity->meters);
}

struct speeds *
activity_speeds(struct ui *ui)
{
	return (&ui->figures.activity->speeds);
}

/* The parts of a bar under the pointer, in words. */
static void
hint_share(struct ui *ui, const struct share *s)
{
	size_t at;

	snprintf(ui->spots.hint, sizeof(ui->spots.hint), "%" PRIu32 " thread%s",
	    s->threads, s->threads == 1 ? "" : "s");
	for (unsigned i = LANE_running; i < LANE_OBJECT_NODE; i++) {
		at = strlen(ui->spots.hint);
		if (s->by_class[i] > 0)
			snprintf(ui->spots.hint + at,
			    sizeof(ui->spots.hint) - at, "\n%d %% %s",
			    share_percent(s->by_class[i], s->threads_ns),
			    label_class(i));
	}
}

void
activity_bar(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t w,
    int32_t h, const struct share *s)
{
	static const uint8_t order[] = { LANE_running, LANE_overhead,
		LANE_wait_message, LANE_wait_lock, LANE_wait_sync,
		LANE_wait_cond, LANE_wait_rpc, LANE_transit, LANE_lost };
	struct axis a = { 0, (double)s->threads_ns, x, x + w, AXIS_LINEAR,
		AXIS_NS };
	struct part part[sizeof(order)];
	struct scene bar = { 0 };

	canvas_fill(c, x, y, x + w, y + h, ui->palette->line);
	if (s->threads_ns <= 0 || w <= 0)
		return;
	if (hint_wanted(ui, x, y, x + w, y + h))
		hint_share(ui, s);
	for (size_t i = 0; i < sizeof(order); i++)
		part[i] = (struct part){ (double)s->by_class[order[i]],
			ui->palette->state[order[i]], lane_waits(order[i]) };
	bar_scene(&a, y, y + h, part, sizeof(order), &bar);
	paint_items(c, &bar, 0, bar.n);
	scene_free(&bar);
}
