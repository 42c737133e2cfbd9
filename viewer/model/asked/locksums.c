/*
 * See locksums.h.  A wait is a piece that lies over a span in the row of that
 * one, so the piece before is where it was waited.  A lock's own row says who
 * held it when.
 */
#include "model/asked/locksums.h"

#include <stdlib.h>
#include <string.h>

#include "model/asked/spanrow.h"

#define WORK_PART 4096
#define WORK_LANE 16

/* So long one thread held a lock that others waited for. */
struct blame {
	uint32_t lock, holder;
	int64_t ns, most_ns, since_mon_ns;
};

struct lock_sums {
	struct span_source source;
	int64_t t0, t1, until; /* until: of the row that is read */
	uint32_t at, lanes;
	bool in_lane, in_row, done, failed, about;
	struct span_row row;
	uint32_t place; /* name of the span that the row is in */
	int64_t run_ns; /* of the wait, or hold, that goes on */
	uint32_t work;
	struct lock_sum *sum;
	size_t n, cap;
	uint32_t *slot, mask; /* sum + 1, by sort, lane and name */
	struct blame *blame;
	size_t nblame, blame_cap;
};

struct lock_sums *
lock_sums_new(void)
{
	struct lock_sums *k = calloc(1, sizeof(*k));

	if (k != NULL)
		k->done = true;
	return (k);
}

void
lock_sums_free(struct lock_sums *k)
{
	if (k == NULL)
		return;
	free(k->sum);
	free(k->slot);
	free(k->blame);
	free(k);
}

void
lock_sums_begin(struct lock_sums *k, const struct model *m, int64_t t0,
    int64_t t1)
{
	k->source = span_source(m, t0, t1);
	k->t0 = t0;
	k->t1 = t1;
	k->at = 0;
	k->lanes = model_lanes(m);
	k->in_lane = k->in_row = k->failed = k->about = false;
	k->n = k->nblame = 0;
	if (k->slot != NULL)
		memset(k->slot, 0, (k->mask + 1u) * sizeof(*k->slot));
	k->done = t1 <= t0;
}

/* --- rows --- */

static uint32_t
hash(const struct lock_sum *s)
{
	return ((uint32_t)idmap_mix(
	    ((uint64_t)s->lane << 32 | s->name) * 31 + s->sort));
}

static int
grow(struct lock_sums *k)
{
	size_t cap = k->cap == 0 ? 64 : k->cap * 2;
	struct lock_sum *v = realloc(k->sum, cap * sizeof(*v));
	uint32_t *slot = v == NULL ? NULL : calloc(cap * 2, sizeof(*slot)), i;

	if (v != NULL)
		k->sum = v;
	if (slot == NULL)
		return (-1);
	free(k->slot);
	k->slot = slot;
	k->mask = (uint32_t)cap * 2 - 1;
	k->cap = cap;
	for (size_t j = 0; j < k->n; j++) {
		for (i = hash(&v[j]); slot[i & k->mask] != 0; i++)
			continue;
		slot[i & k->mask] = (uint32_t)j + 1;
	}
	return (0);
}

/* NULL: memory is out. */
static struct lock_sum *
sum_of(struct lock_sums *k, enum lock_sort sort, uint32_t lane, uint32_t name)
{
	struct lock_sum key = { .sort = (uint8_t)sort,
		.lane = lane,
		.name = name,
		.holder = UINT32_MAX };
	struct lock_sum *s;
	uint32_t i;

	if (k->n == k->cap && grow(k) == -1) {
		k->failed = true;
		return (NULL);
	}
	for (i = hash(&key); k->slot[i & k->mask] != 0; i++) {
		s = &k->sum[k->slot[i & k->mask] - 1];
		if (s->sort == key.sort && s->lane == lane && s->name == name)
			return (s);
	}
	k->slot[i & k->mask] = (uint32_t)++k->n;
	k->sum[k->n - 1] = key;
	return (&k->sum[k->n - 1]);
}

/* --- who held it meanwhile --- */

static void
blame_add(struct lock_sums *k, uint32_t lock, uint32_t holder, int64_t ns,
    int64_t since)
{
	struct blame *b;
	size_t i = 0, cap;

	while (i < k->nblame &&
	       !(k->blame[i].lock == lock && k->blame[i].holder == holder))
		i++;
	if (i == k->blame_cap) {
		cap = k->blame_cap == 0 ? 64 : k->blame_cap * 2;
		b = realloc(k->blame, cap * sizeof(*b));
		if (b == NULL) {
			k->failed = true;
			return;
		}
		k->blame = b;
		k->blame_cap = cap;
	}
	b = &k->blame[i];
	if (i == k->nblame) {
		*b = (struct blame){ .lock = lock, .holder = holder };
		k->nblame++;
	}
	b->ns += ns;
	if (ns > b->most_ns) {
		b->most_ns = ns;
		b->since_mon_ns = since;
	}
}

/* A lock was waited for from a to b. */
static void
holders(struct lock_sums *k, uint32_t lock, int64_t a, int64_t b)
{
	const struct lod *l = span_row_lod(k->source.of, lock);
	struct lod_cursor c;
	struct lod_piece p;
	int64_t x, y;

	if (l == NULL || lod_seek(l, a, &c) == 0)
		return;
	while (lod_next(l, &c, &p) && p.t0_ns < b) {
		k->work++;
		x = p.t0_ns > a ? p.t0_ns : a;
		y = p.t1_ns < b ? p.t1_ns : b;
		if (p.id != 0 && y > x)
			blame_add(k, lock, p.id - 1, y - x, p.t0_ns);
	}
}

/* --- reading --- */

static void
add_wait(struct lock_sum *s, bool begins, int64_t ns, int64_t run_ns)
{
	if (s == NULL)
		return;
	s->waited += begins;
	s->wait_ns += ns;
	s->wait_max_ns = run_ns > s->wait_max_ns ? run_ns : s->wait_max_ns;
}

static enum lock_sort
sort_of(const struct lod_state *st, uint32_t id)
{
	if (st->class == LANE_idle)
		return (LOCK_IDLE);
	if (st->kind == SPAN_wait_sync)
		return (LOCK_TOGETHER);
	return (id != 0 ? LOCK_LOCK : LOCK_SIGNAL);
}

/* A piece of a thread's row, as far as it is in the range. */
static void
thread_piece(struct lock_sums *k, const struct lod_state *st, int64_t a,
    int64_t b)
{
	const struct lod_piece *p = &k->row.piece;
	bool begins = st->fresh == 1 && p->t0_ns >= k->t0;
	enum lock_sort sort;
	uint32_t lane;

	if (!span_row_over(st) && st->class != LANE_idle)
		k->place = st->kind == SPAN_none ? 0 : st->name;
	else if (st->kind == SPAN_none)
		k->place = 0;
	if ((st->kind != SPAN_wait_lock && st->kind != SPAN_wait_sync) ||
	    b < a || (b == a && !begins))
		return;
	sort = sort_of(st, p->id);
	lane = sort == LOCK_LOCK ? p->id - 1 : UINT32_MAX;
	k->run_ns = st->fresh != 0 ? b - a : k->run_ns + b - a;
	add_wait(sum_of(k, sort, lane, sort == LOCK_LOCK ? 0 : st->name),
	    begins, b - a, k->run_ns);
	if (sort == LOCK_IDLE)
		return;
	add_wait(sum_of(k, LOCK_PLACE, UINT32_MAX, k->place), begins, b - a,
	    k->run_ns);
	if (sort == LOCK_LOCK)
		holders(k, lane, a, b);
}

/* One of a lock's own: it is held. */
static void
lock_piece(struct lock_sums *k, const struct lod_state *st, int64_t a,
    int64_t b)
{
	struct lock_sum *s;
	bool begins = st->fresh == 1 && k->row.piece.t0_ns >= k->t0;

	if (k->row.piece.id == 0 || (b <= a && !begins) ||
	    (s = sum_of(k, LOCK_LOCK, k->at, 0)) == NULL)
		return;
	s->taken += begins;
	s->held_ns += b - a;
	s->held_max_ns = b - a > s->held_max_ns ? b - a : s->held_max_ns;
}

static bool
row_on(struct lock_sums *k, const struct lod *l)
{
	bool lock = model_lane(k->source.m, k->at)->kind == LANE_LOCK;
	const struct lod_state *st;
	int64_t a, b;

	while (k->work < WORK_PART && !k->failed) {
		if (!lod_next(l, &k->row.cursor, &k->row.piece)) {
			k->about = k->about || span_row_gone(&k->row.cursor);
			return (false);
		}
		if (k->row.piece.t0_ns >= k->t1)
			return (false);
		k->work++;
		st = span_row_state(k->source.of, &k->row);
		a = k->row.piece.t0_ns > k->t0 ? k->row.piece.t0_ns : k->t0;
		b = k->row.piece.t1_ns < k->until ? k->row.piece.t1_ns
						  : k->until;
		if (lock)
			lock_piece(k, st, a, b);
		else
			thread_piece(k, st, a, b);
	}
	return (true);
}

/* The next row of what is at hand; false: there is none. */
static bool
row_next(struct lock_sums *k)
{
	uint32_t next;

	if (!k->in_lane) {
		k->in_lane = true;
		next = model_lane_first_child(k->source.of, k->at);
		k->row.lane = next == UINT32_MAX ? k->at : next;
		return (true);
	}
	if (k->row.lane == k->at)
		return (false);
	k->row.lane = model_lane_next_sibling(k->source.of, k->row.lane);
	return (k->row.lane != UINT32_MAX);
}

static void
lane_on(struct lock_sums *k)
{
	const struct lane *of = model_lane(k->source.m, k->at);
	const struct lod *l;
	int found;

	k->work += WORK_LANE;
	if ((of->kind != LANE_THREAD && of->kind != LANE_LOCK) ||
	    k->at >= model_lanes(k->source.of) ||
	    (!k->in_row && !row_next(k))) {
		k->at++;
		k->in_lane = k->in_row = false;
		return;
	}
	l = span_row_lod(k->source.of, k->row.lane);
	if (!k->in_row) {
		k->place = span_row_call(k->source.of, l, k->t0 - 1);
		k->run_ns = 0;
		k->until = lane_until(k->source.m, k->at);
		k->until = k->until < k->t1 ? k->until : k->t1;
		found = l == NULL ? 0 : lod_seek(l, k->t0 - 1, &k->row.cursor);
		if (found == 0)
			return;
		k->about = k->about ||
			   (found == -1 && k->row.cursor.now.t0_ns > k->t0);
		k->in_row = true;
	}
	k->in_row = row_on(k, l);
}

/* --- the end --- */

static int
by_wait(const void *a, const void *b)
{
	const struct lock_sum *x = a, *y = b;

	if (x->sort != y->sort)
		return (x->sort < y->sort ? -1 : 1);
	if (x->wait_ns != y->wait_ns)
		return (x->wait_ns < y->wait_ns ? 1 : -1);
	if (x->held_ns != y->held_ns)
		return (x->held_ns < y->held_ns ? 1 : -1);
	if (x->lane != y->lane)
		return (x->lane < y->lane ? -1 : 1);
	return ((x->name > y->name) - (x->name < y->name));
}

static void
finish(struct lock_sums *k)
{
	struct lock_sum *s;

	for (size_t i = 0; i < k->nblame && !k->failed; i++) {
		const struct blame *b = &k->blame[i];

		s = sum_of(k, LOCK_LOCK, b->lock, 0);
		if (s == NULL || b->ns <= s->holder_ns)
			continue;
		s->holder = b->holder;
		s->holder_ns = b->ns;
		s->hold_mon_ns = b->since_mon_ns;
	}
	for (size_t i = 0; i < k->n; i++)
		if (k->sum[i].sort == LOCK_LOCK)
			k->sum[i].name =
			    model_lane(k->source.m, k->sum[i].lane)->name;
	if (k->n > 0)
		qsort(k->sum, k->n, sizeof(*k->sum), by_wait);
}

bool
lock_sums_step(struct lock_sums *k)
{
	struct span_door door;

	if (k->done)
		return (true);
	if (!span_source_enter(&k->source, k->t0, k->t1, &door))
		return (k->failed = k->done = true);
	span_row_again(&k->row.cursor);
	for (k->work = 0;
	     k->work < WORK_PART && k->at < k->lanes && !k->failed;)
		lane_on(k);
	span_source_leave(&k->source, &door);
	k->done = k->failed || k->at == k->lanes;
	if (k->done)
		finish(k);
	return (k->done);
}

bool
lock_sums_exact(const struct lock_sums *k)
{
	return (!k->about && !k->failed);
}

size_t
lock_sums_list(const struct lock_sums *k, const struct lock_sum **out)
{
	*out = k->sum;
	return (k->done ? k->n : 0);
}
