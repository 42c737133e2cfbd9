/*
 * See locksums.h.  A wait is a piece that lies over a span in the row of that
 * one, so the piece before is where it was waited.  A lock's own row says who
 * held it when, that of a condition and the like how many waited.
 *
 * What is put together only at the end is summed by rows of sorts of their own,
 * which are not told.
 */
#include "model/asked/locksums.h"

#include <stdlib.h>
#include <string.h>

#include "model/asked/locksums_inside.h"
#include "model/asked/spanrow.h"
#include "model/measured/eventlist.h"

#define WORK_PART 4096
#define WORK_LANE 16

enum {
	PART_HELD =
	    LOCK_SORTS, /* name: who held the lock that long meanwhile */
	PART_AT,        /* name: in which function it was waited */
	PART_MOST,      /* most of them waited at once */
};

struct lock_sums {
	struct span_source source;
	int64_t t0, t1, until; /* until: of the row that is read */
	uint32_t at, lanes;
	uint32_t count, counts; /* of those in the list of counts */
	bool in_lane, in_row, done, about;
	struct span_row row;
	uint32_t place; /* name of the span that the row is in */
	int64_t run_ns; /* of the wait, or hold, that goes on */
	uint32_t work;
	struct lock_rows rows;
	uint64_t vain;
	bool vain_exact;
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
	lock_rows_free(&k->rows);
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
	k->count = 0;
	k->counts = event_list_n(lock_counts_of(m));
	k->in_lane = k->in_row = k->about = false;
	k->vain = 0;
	lock_rows_empty(&k->rows);
	k->done = t1 <= t0;
}

static struct lock_sum *
sum_find(const struct lock_sums *k, unsigned sort, uint32_t lane, uint32_t name)
{
	struct lock_sum key = lock_rows_key(sort, lane, name);

	return (lock_rows_find(&k->rows, &key));
}

/* Made when it is new.  NULL: memory is out. */
static struct lock_sum *
sum_of(struct lock_sums *k, unsigned sort, uint32_t lane, uint32_t name)
{
	struct lock_sum key = lock_rows_key(sort, lane, name);

	return (lock_rows_of(&k->rows, &key));
}

/* --- who held it meanwhile --- */

/* So much more of the time in which others waited it was this. */
static void
part_add(struct lock_sums *k, unsigned part, uint32_t lane, uint32_t name,
    int64_t ns, int64_t since)
{
	struct lock_sum *s = sum_of(k, part, lane, name);

	if (s == NULL)
		return;
	s->wait_ns += ns;
	if (ns > s->wait_max_ns) {
		s->wait_max_ns = ns;
		s->hold_mon_ns = since;
	}
}

/* Its own lane, or that of one of several holders. */
static void
holder(struct lock_sums *k, uint32_t lock, uint32_t row, int64_t a, int64_t b)
{
	const struct lod *l = span_row_lod(k->source.of, row);
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
			part_add(k, PART_HELD, lock, p.id - 1, y - x, p.t0_ns);
	}
}

/* What lane holds of who holds a lock besides; UINT32_MAX: nobody. */
static uint32_t
next_holder(const struct lock_sums *k, uint32_t lock, uint32_t lane)
{
	return (lane == lock ? model_lane_first_child(k->source.of, lock)
			     : model_lane_next_sibling(k->source.of, lane));
}

/* A lock was waited for from a to b. */
static void
holders(struct lock_sums *k, uint32_t lock, int64_t a, int64_t b)
{
	for (uint32_t i = lock; i != UINT32_MAX && i < k->lanes;
	     i = next_holder(k, lock, i))
		holder(k, lock, i, a, b);
}

/* How much of [a, b) is in no hold of the lock's lanes from row to before. */
static int64_t
left_over(struct lock_sums *k, uint32_t lock, uint32_t row, uint32_t before,
    int64_t a, int64_t b)
{
	const struct lod *l;
	struct lod_cursor c;
	struct lod_piece p;
	int64_t ns = 0;
	uint32_t next;

	if (row == before || row == UINT32_MAX || b <= a)
		return (b > a ? b - a : 0);
	next = next_holder(k, lock, row);
	l = span_row_lod(k->source.of, row);
	if (l == NULL || lod_seek(l, a, &c) == 0)
		return (left_over(k, lock, next, before, a, b));
	while (a < b && lod_next(l, &c, &p) && p.t0_ns < b) {
		k->work++;
		if (p.id == 0 || p.t1_ns <= a)
			continue;
		ns += left_over(k, lock, next, before, a, p.t0_ns);
		a = p.t1_ns;
	}
	return (ns + left_over(k, lock, next, before, a, b));
}

/* --- reading --- */

static void
add_use(struct lock_sum *s, int64_t a, int64_t b)
{
	s->first_mon_ns = a < s->first_mon_ns ? a : s->first_mon_ns;
	s->last_mon_ns = b > s->last_mon_ns ? b : s->last_mon_ns;
}

static void
add_wait(struct lock_sum *s, bool begins, int64_t a, int64_t b, int64_t run_ns)
{
	int64_t ns = b - a;

	if (s == NULL)
		return;
	add_use(s, a, b);
	s->waited += begins;
	s->wait_ns += ns;
	s->wait_max_ns = run_ns > s->wait_max_ns ? run_ns : s->wait_max_ns;
}

/* Of what is waited for; *lane: it has that one, else UINT32_MAX. */
static enum lock_sort
sort_of(const struct lock_sums *k, const struct lod_state *st, uint32_t id,
    uint32_t *lane)
{
	const struct lane *of;

	*lane = id != 0 && id <= model_lanes(k->source.m) ? id - 1 : UINT32_MAX;
	of = *lane == UINT32_MAX ? NULL : model_lane(k->source.m, *lane);
	if (st->class == LANE_idle)
		return (LOCK_IDLE);
	if (of != NULL && of->kind == LANE_SYNC)
		return ((enum lock_sort)(LOCK_CONDITION + of->depth));
	if (of != NULL)
		return (LOCK_LOCK);
	if (st->kind == SPAN_wait_sync)
		return (LOCK_TOGETHER);
	return (st->class == LANE_wait_cond ? LOCK_CONDITION : LOCK_SEMAPHORE);
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

	if (!state_is_over(st) && st->class != LANE_idle)
		k->place = st->kind == SPAN_none ? 0 : st->name;
	else if (st->kind == SPAN_none)
		k->place = 0;
	if ((st->kind != SPAN_wait_lock && st->kind != SPAN_wait_sync) ||
	    b < a || (b == a && !begins))
		return;
	sort = sort_of(k, st, p->id, &lane);
	k->run_ns = st->fresh != 0 ? b - a : k->run_ns + b - a;
	add_wait(sum_of(k, sort, lane, lane != UINT32_MAX ? 0 : st->name),
	    begins, a, b, k->run_ns);
	if (sort == LOCK_IDLE)
		return;
	add_wait(sum_of(k, LOCK_PLACE, UINT32_MAX, k->place), begins, a, b,
	    k->run_ns);
	if (sort == LOCK_LOCK)
		holders(k, lane, a, b);
	else if (lane != UINT32_MAX)
		part_add(k, PART_AT, lane, k->place, b - a, a);
}

/* How many wait, in the row of what has no holder. */
static void
sync_piece(struct lock_sums *k, int64_t a, int64_t b)
{
	struct lock_sum *s;

	if (k->row.piece.id == 0 || b <= a ||
	    (s = sum_of(k, PART_MOST, k->at, 0)) == NULL)
		return;
	s->most = k->row.piece.id > s->most ? k->row.piece.id : s->most;
}

/* One of a lock's own, or of a further holder's: it is held. */
static void
lock_piece(struct lock_sums *k, const struct lod_state *st, int64_t a,
    int64_t b)
{
	struct lock_sum *s;
	bool begins = st->fresh == 1 && k->row.piece.t0_ns >= k->t0;
	const struct lane *of = model_lane(k->source.m, k->at);
	uint32_t lock = of->depth > 0 ? of->parent : k->at;

	if (k->row.piece.id == 0 || (b <= a && !begins) ||
	    (s = sum_of(k, LOCK_LOCK, lock, 0)) == NULL)
		return;
	add_use(s, a, b);
	s->taken += begins;
	s->held_ns += b - a;
	s->used_ns += left_over(k, lock, lock, k->at, a, b);
	s->held_max_ns = b - a > s->held_max_ns ? b - a : s->held_max_ns;
}

static bool
row_on(struct lock_sums *k, const struct lod *l)
{
	unsigned kind = model_lane(k->source.m, k->at)->kind;
	const struct lod_state *st;
	int64_t a, b;

	while (k->work < WORK_PART && !k->rows.failed) {
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
		if (kind == LANE_LOCK)
			lock_piece(k, st, a, b);
		else if (kind == LANE_SYNC)
			sync_piece(k, a, b);
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
		/* below a lock are lanes of their own */
		next = model_lane(k->source.m, k->at)->kind == LANE_LOCK
			   ? UINT32_MAX
			   : model_lane_first_child(k->source.of, k->at);
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
	if ((of->kind != LANE_THREAD && of->kind != LANE_LOCK &&
		of->kind != LANE_SYNC) ||
	    k->at >= model_lanes(k->source.of) ||
	    (!k->in_row && !row_next(k))) {
		k->at++;
		k->in_lane = k->in_row = false;
		return;
	}
	l = span_row_lod(k->source.of, k->row.lane);
	if (!k->in_row) {
		k->place = span_row_call(k->source.of, k->row.lane, k->t0 - 1);
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

/* --- what was counted --- */

/* Whose row: of what has a lane that one's, else by its id. */
static struct lock_sum *
counted(struct lock_sums *k, const struct listed_event *e)
{
	const struct objects *o = objects_of(k->source.m);
	const struct idmap *map = &o->lock_map;
	struct lock_sum key = lock_rows_key(LOCK_LOCK, UINT32_MAX, 0);

	if (e->kind == EV_sem_passed || e->kind == EV_sem_posted)
		key.sort = LOCK_SEMAPHORE;
	else if (e->kind == EV_cond_signalled)
		key.sort = LOCK_CONDITION;
	if (key.sort != LOCK_LOCK)
		map = &o->sync_map[key.sort - LOCK_CONDITION];
	key.lane = e->a == 0 ? UINT32_MAX : idmap_find(map, e->a);
	if (key.lane == IDMAP_NONE || key.lane >= k->lanes) {
		key.lane = UINT32_MAX;
		key.id = e->a;
		key.name = e->c;
	}
	return (lock_rows_of(&k->rows, &key));
}

static void
count_on(struct lock_sums *k)
{
	const struct listed_event *e =
	    event_list_at(lock_counts_of(k->source.m), k->count++);
	struct lock_sum *s;

	k->work++;
	if (e == NULL || e->t_mon_ns < k->t0 || e->t_mon_ns >= k->t1 ||
	    (s = counted(k, e)) == NULL)
		return;
	add_use(s, e->t_mon_ns, e->t_mon_ns);
	if (e->kind == EV_lock_taken || e->kind == EV_sem_passed)
		s->taken += e->b;
	else
		s->unheard += e->b;
	if (e->kind == EV_cond_signalled)
		k->vain += e->b;
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
	if (x->taken != y->taken)
		return (x->taken < y->taken ? 1 : -1);
	if (x->lane != y->lane)
		return (x->lane < y->lane ? -1 : 1);
	if (x->id != y->id)
		return (x->id < y->id ? -1 : 1);
	return ((x->name > y->name) - (x->name < y->name));
}

/* One of those that are not told, into the rows that are. */
static void
part_tell(struct lock_sums *k, const struct lock_sum *part)
{
	const struct lane *of = model_lane(k->source.m, part->lane);
	unsigned sort = LOCK_LOCK;
	struct lock_sum *s;

	if (part->sort != PART_HELD)
		sort = (unsigned)LOCK_CONDITION + of->depth;
	for (unsigned i = 0; i < 2; i++, sort = LOCK_IDLE) {
		s = sum_find(k, sort, part->lane, 0);
		if (s == NULL)
			continue;
		if (part->sort == PART_MOST) {
			s->most = part->most;
		} else if (part->sort == PART_AT && sort != LOCK_IDLE &&
			   part->wait_ns > s->place_ns) {
			s->place = part->name;
			s->place_ns = part->wait_ns;
		} else if (part->sort == PART_HELD &&
			   part->wait_ns > s->holder_ns) {
			s->holder = part->name;
			s->holder_ns = part->wait_ns;
			s->hold_mon_ns = part->hold_mon_ns;
		}
	}
}

static void
finish(struct lock_sums *k)
{
	struct lock_sum *s;

	for (size_t i = 0; i < k->rows.n; i++)
		if (k->rows.sum[i].sort >= LOCK_SORTS)
			part_tell(k, &k->rows.sum[i]);
	for (size_t i = 0; i < k->rows.n; i++) {
		s = &k->rows.sum[i];
		if (s->sort < LOCK_SORTS && s->lane != UINT32_MAX)
			s->name = model_lane(k->source.m, s->lane)->name;
	}
	if (k->rows.n > 0)
		qsort(k->rows.sum, k->rows.n, sizeof(*k->rows.sum), by_wait);
	while (k->rows.n > 0 && k->rows.sum[k->rows.n - 1].sort >= LOCK_SORTS)
		k->rows.n--;
	k->vain += model_marks_count(k->source.m, EV_cond_signal, k->t0, k->t1);
	k->vain_exact =
	    k->t0 >= atomic_load(&facts_of(k->source.m)->marks_ns) ||
	    k->source.of != k->source.m;
}

bool
lock_sums_step(struct lock_sums *k)
{
	struct span_door door;

	if (k->done)
		return (true);
	if (!span_source_enter(&k->source, k->t0, k->t1, &door))
		return (k->rows.failed = k->done = true);
	span_row_again(&k->row.cursor);
	for (k->work = 0;
	     k->work < WORK_PART && k->at < k->lanes && !k->rows.failed;)
		lane_on(k);
	span_source_leave(&k->source, &door);
	while (k->work < WORK_PART && k->at == k->lanes &&
	       k->count < k->counts && !k->rows.failed)
		count_on(k);
	k->done =
	    k->rows.failed || (k->at == k->lanes && k->count == k->counts);
	if (k->done)
		finish(k);
	return (k->done);
}

uint64_t
lock_sums_vain(const struct lock_sums *k, bool *exact)
{
	*exact = k->vain_exact;
	return (k->done ? k->vain : 0);
}

bool
lock_sums_exact(const struct lock_sums *k)
{
	return (!k->about && !k->rows.failed &&
		!event_list_cut(lock_counts_of(k->source.m)));
}

size_t
lock_sums_list(const struct lock_sums *k, const struct lock_sum **out)
{
	*out = k->rows.sum;
	return (k->done ? k->rows.n : 0);
}
