/*
 * See selfsums.h.  A thread's own row has the innermost span only, in pieces:
 * those that run are added up by their state, then put down by lane.
 */
#include "model/asked/selfsums.h"

#include <stdlib.h>
#include <string.h>

#include "model/asked/spanrow.h"

#define WORK_PART 4096
#define WORK_LANE 16
#define STATES    65536 /* that there can be: lod.h */

struct self_sums {
	struct span_source source;
	int64_t t0, t1;
	uint32_t at, lanes, work;
	bool in_row, done, failed, about;
	struct lod_cursor cursor;
	int64_t *ns;     /* of the lane, by number of its state */
	uint16_t *state; /* those that it had */
	uint32_t nstates;
	struct self_sum *sum;
	size_t n, cap;
};

struct self_sums *
self_sums_new(void)
{
	struct self_sums *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return (NULL);
	k->done = true;
	k->ns = calloc(STATES, sizeof(*k->ns));
	k->state = calloc(STATES, sizeof(*k->state));
	if (k->ns != NULL && k->state != NULL)
		return (k);
	self_sums_free(k);
	return (NULL);
}

void
self_sums_free(struct self_sums *k)
{
	if (k == NULL)
		return;
	free(k->ns);
	free(k->state);
	free(k->sum);
	free(k);
}

void
self_sums_begin(struct self_sums *k, const struct model *m, int64_t t0,
    int64_t t1)
{
	k->source = span_source(m, t0, t1);
	k->t0 = t0;
	k->t1 = t1;
	k->at = k->nstates = 0;
	k->lanes = model_lanes(m);
	k->in_row = k->failed = k->about = false;
	k->n = 0;
	memset(k->ns, 0, STATES * sizeof(*k->ns));
	k->done = t1 <= t0;
}

/* By function, which may have several states. */
static int
by_function(const void *a, const void *b, void *arg)
{
	const struct lod_state *states = arg;
	const struct lod_state *x = &states[*(const uint16_t *)a];
	const struct lod_state *y = &states[*(const uint16_t *)b];

	if (x->name != y->name)
		return (x->name < y->name ? -1 : 1);
	return (x->kind - y->kind);
}

static void
put_down(struct self_sums *k, const struct lod_state *st, int64_t ns)
{
	size_t cap = k->cap == 0 ? 256 : k->cap * 2;
	struct self_sum *v;

	if (k->n == k->cap) {
		v = realloc(k->sum, cap * sizeof(*v));
		if (v == NULL) {
			k->failed = true;
			return;
		}
		k->sum = v;
		k->cap = cap;
	}
	k->sum[k->n++] = (struct self_sum){ k->at, st->name, st->kind, ns };
}

static void
lane_over(struct self_sums *k)
{
	const struct lod_state *states = lanes_of(k->source.of)->states, *st;
	size_t first = k->n;

	if (k->nstates > 1)
		qsort_r(k->state, k->nstates, sizeof(*k->state), by_function,
		    (void *)states);
	for (uint32_t i = 0; i < k->nstates; i++) {
		st = &states[k->state[i]];
		if (k->n > first && k->sum[k->n - 1].name == st->name &&
		    k->sum[k->n - 1].kind == st->kind)
			k->sum[k->n - 1].ns += k->ns[k->state[i]];
		else if (!k->failed)
			put_down(k, st, k->ns[k->state[i]]);
		k->ns[k->state[i]] = 0;
	}
	k->nstates = 0;
	k->in_row = false;
	k->at++;
}

static void
row_on(struct self_sums *k, const struct lod *l)
{
	const struct lod_state *states = lanes_of(k->source.of)->states;
	int64_t until = lane_until(k->source.m, k->at), a, b;
	struct lod_piece p;

	until = until < k->t1 ? until : k->t1;
	while (k->work < WORK_PART) {
		if (!lod_next(l, &k->cursor, &p)) {
			k->about = k->about || span_row_gone(&k->cursor);
			lane_over(k);
			return;
		}
		if (p.t0_ns >= k->t1) {
			lane_over(k);
			return;
		}
		k->work++;
		a = p.t0_ns > k->t0 ? p.t0_ns : k->t0;
		b = p.t1_ns < until ? p.t1_ns : until;
		if (b <= a || states[p.state].class != LANE_running ||
		    states[p.state].name == 0)
			continue;
		if (k->ns[p.state] == 0)
			k->state[k->nstates++] = p.state;
		k->ns[p.state] += b - a;
	}
}

static void
lane_on(struct self_sums *k)
{
	const struct lod *l;
	int found;

	k->work += WORK_LANE;
	if (k->at >= model_lanes(k->source.of) ||
	    model_lane(k->source.m, k->at)->kind != LANE_THREAD) {
		k->at++;
		return;
	}
	l = span_row_lod(k->source.of, k->at);
	if (!k->in_row) {
		found = l == NULL ? 0 : lod_seek(l, k->t0, &k->cursor);
		k->about = k->about || found == -1;
		if (found == 0) {
			k->at++;
			return;
		}
		k->in_row = true;
	}
	row_on(k, l);
}

bool
self_sums_step(struct self_sums *k)
{
	struct span_door door;

	if (k->done)
		return (true);
	if (!span_source_enter(&k->source, k->t0, k->t1, &door))
		return (k->failed = k->done = true);
	span_row_again(&k->cursor);
	for (k->work = 0;
	     k->work < WORK_PART && k->at < k->lanes && !k->failed;)
		lane_on(k);
	span_source_leave(&k->source, &door);
	k->done = k->failed || k->at == k->lanes;
	return (k->done);
}

bool
self_sums_exact(const struct self_sums *k)
{
	return (!k->about && !k->failed);
}

size_t
self_sums_list(const struct self_sums *k, const struct self_sum **out)
{
	*out = k->sum;
	return (k->done && !k->failed ? k->n : 0);
}
