/*
 * Adds up how many threads run at once.
 *
 * A piece of time after the other: where each thread begins and ceases to run
 * in it, sorted, is walked through once.  A piece is as long as the one before
 * says that a millisecond's work is; one with too many states is cut.
 */
#include "running.h"

#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "message.h"
#include "model/detail.h"
#include "talkcount.h"

#ifdef ORRERY_SMALL /* as in proto/log/block.h */
#define SPANS 256
#define EDGES 256
#else
#define SPANS 8192 /* of a thread in a piece, at most */
#define EDGES 4096 /* in a piece, about, besides those of its ends */
#endif

struct edge {
	int64_t t_ns;
	uint32_t lane;
	int32_t by; /* 1 or -1 */
};

struct edges {
	struct edge *of;
	size_t n, cap;
};

static struct time_columns
columns_of(const struct running *r, struct running_line *l)
{
	return ((struct time_columns){ r->t0, r->t1, RUNNING_COLUMNS, l->v,
	    l->change });
}

/* How many threads there were, for how much of each column. */
static void
add_lives(struct running *r)
{
	struct time_columns lived = columns_of(r, &r->lived);
	int64_t t0, t1;

	for (uint32_t i = 0; i < r->lanes; i++) {
		const struct lane *l = model_lane(r->model, i);

		if (l->kind != LANE_THREAD || l->thread == 0 ||
		    r->place[i] == UINT32_MAX ||
		    !model_lane_life(r->model, i, &t0, &t1))
			continue;
		if (!model_lane_ended(r->model, i, &t1))
			t1 = INT64_MAX;
		columns_add(&lived, t0, t1, 1);
	}
	columns_end(&lived);
}

bool
running_begin(struct running *r, const struct model *m, int64_t t0, int64_t t1)
{
	running_clear(r);
	r->model = m;
	r->events = model_events(m);
	r->details = model_details(m);
	r->t0 = r->at_ns = t0;
	r->t1 = t1;
	r->step_ns = (t1 - t0) / 4096 + 1;
	r->lanes = model_lanes(m);
	r->pos = model_pos(m);
	r->nodes = model_nodes(m);
	for (uint32_t i = 0; i < r->lanes; i++)
		r->threads += model_lane(m, i)->kind == LANE_THREAD;
	r->place = malloc((r->lanes + 1) * sizeof(*r->place));
	r->by_k = calloc(r->threads + 1, sizeof(*r->by_k));
	r->of_po = calloc(r->pos + 1, sizeof(*r->of_po));
	r->of_node = calloc(r->nodes + 1, sizeof(*r->of_node));
	r->now_po = calloc(r->pos + 1, sizeof(*r->now_po));
	r->now_node = calloc(r->nodes + 1, sizeof(*r->now_node));
	r->failed = r->place == NULL || r->by_k == NULL || r->of_po == NULL ||
		    r->of_node == NULL || r->now_po == NULL ||
		    r->now_node == NULL ||
		    !talk_places(m, r->lanes, false, r->place);
	r->gone = t1 > t0 && !model_known(m, t0, t1);
	if (t1 > t0 && !r->failed)
		add_lives(r);
	return (!r->failed);
}

void
running_clear(struct running *r)
{
	free(r->place);
	free(r->by_k);
	free(r->of_po);
	free(r->of_node);
	free(r->now_po);
	free(r->now_node);
	memset(r, 0, sizeof(*r));
}

bool
running_known(const struct running *r)
{
	return (r->model != NULL && r->t1 > r->t0 && !r->gone && !r->failed);
}

static bool
edge_add(struct edges *e, int64_t t, uint32_t lane, int32_t by)
{
	struct edge *more;

	if (e->n == e->cap) {
		e->cap = e->cap == 0 ? 1024 : e->cap * 2;
		more = realloc(e->of, e->cap * sizeof(*more));
		if (more == NULL)
			return (false);
		e->of = more;
	}
	e->of[e->n++] = (struct edge){ t, lane, by };
	return (true);
}

static int
by_time(const void *a, const void *b)
{
	const struct edge *p = a, *q = b;

	return (p->t_ns < q->t_ns ? -1 : p->t_ns > q->t_ns);
}

/* Of one thread; false: it has too many states for one piece. */
static bool
take_thread(struct running *r, uint32_t lane, int64_t until, struct span *spans,
    struct edges *e)
{
	size_t n =
	    model_lane_spans(r->model, lane, r->at_ns, until, spans, SPANS);
	int64_t end;

	if (n > SPANS && r->step_ns > 1)
		return (false);
	/* what was read again may not know that its process is over */
	if (!model_lane_ended(r->model, lane, &end))
		end = INT64_MAX;
	if (n > SPANS) { /* not so many in a ns: they are not there */
		r->gone = true;
		return (true);
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		int64_t t0 = spans[i].t0_mon_ns, t1 = spans[i].t1_mon_ns;

		t0 = t0 < r->at_ns ? r->at_ns : t0;
		t1 = t1 > until ? until : t1;
		t1 = t1 > end ? end : t1;
		if (spans[i].class == LANE_running && t0 < t1)
			r->failed = !edge_add(e, t0, lane, 1) ||
				    !edge_add(e, t1, lane, -1);
	}
	return (true);
}

/* Edges of a usual piece: who runs all along has two in any. */
static size_t
usual(const struct running *r)
{
	return (EDGES + 4 * (size_t)r->threads);
}

/* Of all; false: the piece is to be shorter. */
static bool
take_all(struct running *r, int64_t until, struct edges *e)
{
	struct span *spans = malloc((SPANS + 1) * sizeof(*spans));
	bool taken = true;

	r->failed |= spans == NULL;
	for (uint32_t i = 0; i < r->lanes && taken && !r->failed; i++)
		if (model_lane(r->model, i)->kind == LANE_THREAD &&
		    r->place[i] != UINT32_MAX)
			taken = take_thread(r, i, until, spans, e) &&
				(e->n <= 4 * usual(r) || r->step_ns <= 1);
	free(spans);
	return (taken);
}

/* One more that runs, or one less; from 0 and back it is a stretch. */
static void
change(uint32_t *now, int64_t *sum, int64_t t, int32_t by)
{
	if (*now == 0 && by > 0)
		*sum = span_add(*sum, -t);
	*now += (uint32_t)by;
	if (*now == 0)
		*sum = span_add(*sum, t);
}

static void
walk(struct running *r, const struct edges *e, int64_t until)
{
	struct time_columns ran = columns_of(r, &r->ran);
	uint32_t k = 0;
	int64_t t = r->at_ns;

	for (size_t i = 0; i < e->n; i++) {
		const struct edge *x = &e->of[i];
		uint32_t po = r->place[x->lane];
		uint32_t node = model_lane(r->model, x->lane)->node;

		r->by_k[k] += x->t_ns - t;
		if (k > 0)
			columns_add(&ran, t, x->t_ns, k);
		t = x->t_ns;
		k += (uint32_t)x->by;
		change(&r->now_po[po], &r->of_po[po], t, x->by);
		if (node <= r->nodes)
			change(&r->now_node[node], &r->of_node[node], t, x->by);
	}
	r->by_k[k] += until - t;
}

/* Those that cease come before those that begin: never more than there are. */
static void
settle(struct edges *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n; i = n) {
		struct edge x;
		size_t down = i;

		for (n = i; n < e->n && e->of[n].t_ns == e->of[i].t_ns; n++)
			if (e->of[n].by < 0) {
				x = e->of[down];
				e->of[down++] = e->of[n];
				e->of[n] = x;
			}
	}
}

bool
running_step(struct running *r)
{
	struct edges e = { 0 };
	int64_t until;

	if (r->gone || r->failed || r->at_ns >= r->t1)
		return (true);
	until = r->t1 - r->at_ns < r->step_ns ? r->t1 : r->at_ns + r->step_ns;
	r->gone = !model_known(r->model, r->at_ns, until);
	if (r->gone)
		return (true);
	if (take_all(r, until, &e) && !r->failed) {
		if (e.n > 0)
			qsort(e.of, e.n, sizeof(*e.of), by_time);
		settle(&e);
		walk(r, &e, until);
		r->at_ns = until;
		if (e.n < usual(r) / 2 && r->step_ns < INT64_MAX / 8)
			r->step_ns *= e.n < usual(r) / 8 ? 8 : 2;
		else if (e.n > usual(r))
			r->step_ns -= r->step_ns / 4;
	} else {
		r->step_ns = r->step_ns / 4 + (r->step_ns < 4);
	}
	free(e.of);
	if (r->at_ns >= r->t1) {
		struct time_columns ran = columns_of(r, &r->ran);

		columns_end(&ran);
	}
	return (r->gone || r->failed || r->at_ns >= r->t1);
}

static bool
life(const struct model *m, uint32_t lane, int64_t *t0, int64_t *t1)
{
	int64_t from, to;
	bool any = false;

	if (model_lane(m, lane)->kind == LANE_THREAD) {
		if (!model_lane_life(m, lane, &from, &to))
			return (false);
		if (!model_lane_ended(m, lane, &to))
			to = INT64_MAX;
		*t0 = from < *t0 ? from : *t0;
		*t1 = to > *t1 ? to : *t1;
		return (true);
	}
	for (lane = model_lane_first_child(m, lane); lane != UINT32_MAX;
	     lane = model_lane_next_sibling(m, lane))
		any |= life(m, lane, t0, t1);
	return (any);
}

int64_t
running_life(const struct model *m, uint32_t lane, int64_t t0, int64_t t1)
{
	int64_t from = INT64_MAX, to = INT64_MIN;

	if (!life(m, lane, &from, &to))
		return (0);
	from = from < t0 ? t0 : from;
	to = to > t1 ? t1 : to;
	return (to > from ? to - from : 0);
}
