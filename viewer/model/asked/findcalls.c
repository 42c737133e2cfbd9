/*
 * See findcalls.h.  A call begins in the row of its depth with a piece that
 * says so.  The longest are kept in a heap, the shortest of them on top, which
 * goes when a longer one comes.
 */
#include "model/asked/findcalls.h"

#include <stdlib.h>
#include <string.h>

#include "model/asked/spanrow.h"

#define WORK_PART   4096
#define WORK_LANE   16
#define PIECES_MOST (1u << 20) /* of one call */

struct find_calls {
	const struct model *m, *of; /* of: who knows the lanes there */
	struct find_ask ask;
	uint8_t *name, *lane;
	/* where we are: thread, and the row in it */
	uint32_t at, lanes;
	bool in_thread, in_row, done, failed, about;
	struct span_row row;
	uint32_t work;
	/* what there is */
	uint64_t n;
	int64_t sum_ns;
	struct durations all;
	_Atomic uint64_t bytes;
	struct found_call *heap;
	size_t nheap;
};

struct find_calls *
find_new(void)
{
	struct find_calls *f = calloc(1, sizeof(*f));

	if (f != NULL &&
	    (f->heap = malloc(FOUND_MOST * sizeof(*f->heap))) == NULL) {
		free(f);
		return (NULL);
	}
	if (f != NULL)
		f->done = true;
	return (f);
}

void
find_free(struct find_calls *f)
{
	if (f == NULL)
		return;
	durations_clear(&f->all);
	free(f->heap);
	free(f->name);
	free(f->lane);
	free(f);
}

static uint8_t *
copy(const uint8_t *from, uint32_t n)
{
	uint8_t *to = malloc(n + 1u);

	if (to != NULL && n > 0)
		memcpy(to, from, n);
	return (to);
}

int
find_begin(struct find_calls *f, const struct model *m,
    const struct find_ask *ask)
{
	free(f->name);
	free(f->lane);
	f->m = m;
	f->ask = *ask;
	f->name = copy(ask->name, ask->nnames);
	f->lane = ask->lane == NULL ? NULL : copy(ask->lane, ask->nlanes);
	f->of = detail_for(m, ask->t0, ask->t1);
	f->at = 0;
	f->lanes = model_lanes(m);
	f->in_thread = f->in_row = f->about = false;
	f->n = 0;
	f->sum_ns = 0;
	f->nheap = 0;
	durations_zero(&f->all);
	f->failed = f->name == NULL || (ask->lane != NULL && f->lane == NULL);
	f->done = f->failed || ask->t1 <= ask->t0;
	return (f->failed ? -1 : 0);
}

/* --- the longest --- */

/* Is a to be left out rather than b? */
static int
is_less(const struct found_call *a, const struct found_call *b)
{
	if (a->ns != b->ns)
		return (a->ns < b->ns);
	if (a->t0_mon_ns != b->t0_mon_ns)
		return (a->t0_mon_ns > b->t0_mon_ns);
	return (a->row > b->row);
}

static void
swap(struct found_call *a, struct found_call *b)
{
	struct found_call c = *a;

	*a = *b;
	*b = c;
}

static void
sink(struct found_call *v, size_t n, size_t i)
{
	for (size_t k; (k = 2 * i + 1) < n; i = k) {
		if (k + 1 < n && is_less(&v[k + 1], &v[k]))
			k++;
		if (!is_less(&v[k], &v[i]))
			return;
		swap(&v[k], &v[i]);
	}
}

static void
keep(struct find_calls *f, const struct found_call *c)
{
	struct found_call *v = f->heap;
	size_t i = f->nheap;

	if (i == FOUND_MOST) {
		if (is_less(&v[0], c)) {
			v[0] = *c;
			sink(v, i, 0);
		}
		return;
	}
	v[f->nheap++] = *c;
	for (; i > 0 && is_less(&v[i], &v[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&v[i], &v[(i - 1) / 2]);
}

static int
by_length(const void *a, const void *b)
{
	return (is_less(a, b) - is_less(b, a));
}

/* --- looking --- */

/* One that was suspended is so long as it ran. */
static void
task_length(const struct find_calls *f, uint32_t number, struct found_call *c)
{
	struct task t;

	if (number == 0 || model_task_gone(f->m, number - 1))
		return;
	model_task_get(f->m, number - 1, &t);
	if (t.suspensions == 0 || t.end_mon_ns == INT64_MIN ||
	    t.end_mon_ns > f->ask.head_ns)
		return;
	c->t1_mon_ns = t.end_mon_ns;
	c->ns = t.busy_ns;
}

/* The piece begins one that is meant. */
static void
take(struct find_calls *f, const struct lod_state *st)
{
	const struct lod_piece *p = &f->row.piece;
	struct span s = { p->t0_ns, INT64_MAX, st->name, st->class, st->kind, 0,
		0 };
	struct span_row row = f->row;
	uint32_t left = PIECES_MOST;
	int64_t end = span_row_end(f->of, f->at, &row, &s, &left);
	int64_t until = lane_until(f->m, f->at);
	struct found_call c = { .t0_mon_ns = p->t0_ns,
		.lane = f->at,
		.row = f->row.lane,
		.name = st->name,
		.kind = st->kind,
		.class = st->class,
		.id = span_id(f->m, st->kind, p->id) };

	until = until < f->ask.head_ns ? until : f->ask.head_ns;
	until = until < p->t0_ns ? p->t0_ns : until;
	c.open = end > until;
	c.t1_mon_ns = c.open ? until : end;
	c.ns = c.t1_mon_ns - c.t0_mon_ns;
	f->work += PIECES_MOST - left;
	f->about = f->about || left == 0;
	if (st->kind == SPAN_task)
		task_length(f, p->id, &c);
	if (c.ns < f->ask.least_ns || c.ns > f->ask.most_ns)
		return;
	f->n++;
	f->sum_ns += c.ns;
	f->failed = durations_add(&f->all, c.ns, &f->bytes) == -1;
	keep(f, &c);
}

static bool
is_meant(const struct find_calls *f, const struct lod_state *st)
{
	return (st->fresh == 1 && st->name < f->ask.nnames &&
		f->name[st->name] != 0 && (f->ask.kinds >> st->kind & 1) != 0);
}

/* On in the row; false: there is nothing more in it. */
static bool
row_on(struct find_calls *f, const struct lod *l)
{
	const struct lod_state *st;

	while (f->work < WORK_PART && !f->failed) {
		if (!lod_next(l, &f->row.cursor, &f->row.piece) ||
		    f->row.piece.t0_ns >= f->ask.t1)
			return (false);
		f->work++;
		st = span_row_state(f->of, &f->row);
		if (f->row.piece.t0_ns >= f->ask.t0 && is_meant(f, st))
			take(f, st);
	}
	return (true);
}

/* The row of the next depth; false: the thread has no more. */
static bool
row_next(struct find_calls *f)
{
	uint32_t next;

	if (!f->in_thread) {
		f->in_thread = true;
		next = model_lane_first_child(f->of, f->at);
		f->row.before = UINT32_MAX;
		f->row.lane = next == UINT32_MAX ? f->at : next;
		return (true);
	}
	next = f->row.lane == f->at
		   ? UINT32_MAX
		   : model_lane_next_sibling(f->of, f->row.lane);
	f->row.before = f->row.lane;
	f->row.lane = next;
	return (next != UINT32_MAX);
}

static bool
thread_is_meant(const struct find_calls *f)
{
	return (model_lane(f->m, f->at)->kind == LANE_THREAD &&
		f->at < model_lanes(f->of) &&
		(f->lane == NULL ||
		    (f->at < f->ask.nlanes && f->lane[f->at] != 0)));
}

static void
thread_on(struct find_calls *f)
{
	const struct lod *l;
	int found;

	f->work += WORK_LANE;
	if (!thread_is_meant(f) || (!f->in_row && !row_next(f))) {
		f->at++;
		f->in_thread = f->in_row = false;
		return;
	}
	l = span_row_lod(f->of, f->row.lane);
	if (!f->in_row) {
		found =
		    l == NULL ? 0 : lod_seek(l, f->ask.t0 - 1, &f->row.cursor);
		if (found == 0)
			return;
		f->about = f->about ||
			   (found == -1 && f->row.cursor.now.t0_ns > f->ask.t0);
		f->in_row = true;
	}
	f->in_row = row_on(f, l);
}

bool
find_step(struct find_calls *f)
{
	struct retired *r;
	unsigned door, inner;

	if (f->done)
		return (true);
	if (detail_for(f->m, f->ask.t0, f->ask.t1) != f->of) /* another one */
		return (f->failed = f->done = true);
	door = model_enter(f->m);
	r = (struct retired *)&held_of(f->of)->retired;
	inner = retired_enter(r);
	for (f->work = 0; f->work < WORK_PART && f->at < f->lanes;)
		if (f->failed)
			break;
		else
			thread_on(f);
	retired_leave(r, inner);
	model_leave(f->m, door);
	f->done = f->failed || f->at == f->lanes;
	if (f->done)
		qsort(f->heap, f->nheap, sizeof(*f->heap), by_length);
	return (f->done);
}

double
find_done(const struct find_calls *f)
{
	return (f->done || f->lanes == 0 ? 1 : (double)f->at / f->lanes);
}

bool
find_exact(const struct find_calls *f)
{
	return (!f->about && !f->failed);
}

uint64_t
find_count(const struct find_calls *f)
{
	return (f->n);
}

int64_t
find_sum_ns(const struct find_calls *f)
{
	return (f->sum_ns);
}

const struct durations *
find_durations(const struct find_calls *f)
{
	return (&f->all);
}

int64_t
find_quantile(const struct find_calls *f, unsigned mille)
{
	uint64_t rank = (f->n * mille + 999) / 1000;
	int64_t ns;

	if (rank == 0)
		return (0);
	if (f->n <= FOUND_MOST)
		return (f->heap[f->n - rank].ns);
	ns = durations_quantile(&f->all, mille);
	return (ns < f->heap[0].ns ? ns : f->heap[0].ns);
}

size_t
find_list(const struct find_calls *f, const struct found_call **out)
{
	*out = f->heap;
	return (f->nheap);
}
