/*
 * Writing what tree_store.h describes.
 *
 * A number that does not fit is first written where all of it has room, then
 * the flag that says so: a reader sees the one or the other.
 */
#include "model/keep/memory.h"
#include "model/tree/tree_inside.h"

#define LEVELS_BELOW 32768u /* that others of its piece may be above it */

/* Upper half of a number, if there is any. */
#define SET_UPPER(m, p, k, field, v)                                           \
	do {                                                                   \
		struct task_wide *w_ =                                         \
		    (v) != 0 ? task_wide_make(m, p) : wide_of(p);              \
		if (w_ != NULL)                                                \
			PUT(w_->field[k], (uint16_t)(v));                      \
	} while (0)

/* What is told of a piece's first task is a guess for the others. */
void
task_first_level(struct model *m, uint32_t i, uint32_t level)
{
	if (i % PIECE_TASKS == 0 && level > LEVELS_BELOW)
		piece_of(m, i)->level0 = level - LEVELS_BELOW;
	task_set_level(m, i, level);
}

void
task_set_level(struct model *m, uint32_t i, uint32_t level)
{
	struct task_piece *p = piece_of(m, i);
	uint32_t k = rank_in(p, i);

	level -= p->level0;
	SET_UPPER(m, p, k, level, level >> 16);
	PUT(p->level[k], (uint16_t)level);
}

void
task_set_name(struct model *m, uint32_t i, uint32_t name)
{
	struct task_piece *p = piece_of(m, i);
	uint32_t k = rank_in(p, i);

	SET_UPPER(m, p, k, name, name >> 16);
	PUT(p->warm[k].name, (uint16_t)name);
}

static uint32_t
place_number(struct model *m, uint32_t location, uint32_t pe)
{
	uint64_t key = (uint64_t)location << 20 | pe;
	unsigned at = (location * 31 + pe) % PLACE_CACHE;
	struct task_place *p;
	uint32_t n;

	if (store_of(m)->place_key[at] == key + 1)
		return (store_of(m)->place_value[at]);
	n = idmap_find(&store_of(m)->place_map, key);
	if (n == IDMAP_NONE) {
		n = store_of(m)->nplaces;
		p = chunk_make(&store_of(m)->places, n, &held_of(m)->bytes);
		if (p == NULL ||
		    idmap_add(&store_of(m)->place_map, key, n,
			&held_of(m)->retired, &held_of(m)->bytes) == -1) {
			held_of(m)->failed = ENOMEM;
			return (0);
		}
		*p = (struct task_place){ location, pe };
		store_of(m)->nplaces++;
	}
	store_of(m)->place_key[at] = key + 1;
	store_of(m)->place_value[at] = n;
	return (n);
}

void
task_set_place(struct model *m, uint32_t i, uint32_t location, uint32_t pe)
{
	struct task_piece *p = piece_of(m, i);
	uint32_t k = rank_in(p, i), n = place_number(m, location, pe);
	uint16_t *place = &p->warm[k].place;

	SET_UPPER(m, p, k, place, n >> PLACE_BITS);
	__atomic_store_n(place,
	    (uint16_t)((*place & ~PLACE_MASK) | (n & PLACE_MASK)),
	    __ATOMIC_RELEASE);
}

struct task_odd *
task_make_odd(struct model *m, uint32_t i)
{
	struct task_warm *w = warm_at(m, i);
	struct task_odd *odd = task_odd(m, i);
	uint32_t n = store_of(m)->odd_free;

	if (odd != NULL)
		return (odd);
	n = n != UINT32_MAX ? n : store_of(m)->nodds;
	odd = chunk_make(&store_of(m)->odds, n, &held_of(m)->bytes);
	if (odd == NULL)
		return (out_of_memory(m));
	if (n == store_of(m)->odd_free)
		store_of(m)->odd_free =
		    odd->suspensions; /* the next free one */
	else
		store_of(m)->nodds++;
	*odd = (struct task_odd){ INT64_MIN, INT64_MIN, INT64_MIN, 0, INT64_MIN,
		INT64_MIN, 0, UINT32_MAX, 0 };
	if (idmap_add(&store_of(m)->odd_map, i, n, &held_of(m)->retired,
		&held_of(m)->bytes) == -1)
		return (out_of_memory(m));
	__atomic_store_n(&w->place, w->place | PLACE_ODD, __ATOMIC_RELEASE);
	return (odd);
}

/* An offset from a base, which the first one sets; OFF_ODD: too far. */
static int32_t
offset_from(int64_t *base, int64_t t_ns)
{
	int64_t off;

	if (*base == INT64_MIN)
		PUT(*base, t_ns);
	if (__builtin_sub_overflow(t_ns, *base, &off) || off <= OFF_ODD ||
	    off > INT32_MAX)
		return (OFF_ODD);
	return ((int32_t)off);
}

/* Are tasks still told of in the order of their times?  See tree_task(). */
static void
note_order(struct model *m, int64_t t_ns)
{
	if (t_ns < shape_of(m)->spawn_ns)
		atomic_store(&shape_of(m)->unordered, 1);
	else
		shape_of(m)->spawn_ns = t_ns;
}

void
task_set_spawn(struct model *m, uint32_t i, int64_t t_ns)
{
	struct task_piece *p = piece_of(m, i);
	struct task_odd *odd;
	int32_t off =
	    offset_from(&p->bases->spawn[i >> GROUP_BITS & (GROUPS - 1)], t_ns);

	if (off == OFF_ODD) {
		odd = task_make_odd(m, i);
		if (odd == NULL)
			return;
		PUT(odd->spawn_ns, t_ns);
	}
	note_order(m, t_ns);
	__atomic_store_n(&warm_at(m, i)->spawn, off, __ATOMIC_RELEASE);
}

void
task_set_begin(struct model *m, uint32_t i, int64_t t_ns)
{
	struct task_piece *p = piece_of(m, i);
	struct task_odd *odd;
	int32_t off =
	    offset_from(&p->bases->begin[i >> GROUP_BITS & (GROUPS - 1)], t_ns);

	if (off == OFF_ODD) {
		odd = task_make_odd(m, i);
		if (odd == NULL)
			return;
		PUT(odd->begin_ns, t_ns);
	}
	__atomic_store_n(&warm_at(m, i)->begin, off, __ATOMIC_RELEASE);
}

void
task_set_end(struct model *m, uint32_t i, int64_t t_ns)
{
	int64_t begin = task_begin_ns(m, i), ns;
	uint32_t *end = task_end_at(m, i), ran;
	struct task_odd *odd;

	if (end == NULL)
		return;
	ran = *end & END_RAN;
	if (ran || begin == INT64_MIN || begin > t_ns ||
	    __builtin_sub_overflow(t_ns, begin, &ns) || ns > END_MAX - 1) {
		odd = task_make_odd(m, i);
		if (odd == NULL)
			return;
		if (ran) /* it has ended before */
			PUT(odd->busy_ns, task_busy_ns(m, i));
		PUT(odd->end_ns, t_ns);
		__atomic_store_n(end, END_ODD, __ATOMIC_RELEASE);
		return;
	}
	__atomic_store_n(end, (uint32_t)ns + 1, __ATOMIC_RELEASE);
}

void
task_add_busy(struct model *m, uint32_t i, int64_t ns)
{
	uint32_t *end = end_at(piece_of(m, i), i);
	struct task_odd *odd = task_odd(m, i);
	int64_t busy;

	if (odd == NULL && end != NULL && *end != 0 && *end < END_ODD &&
	    ns == *end - 1) {
		PUT(*end, *end | END_RAN);
		return;
	}
	busy = task_busy_ns(m, i);
	odd = task_make_odd(m, i);
	if (odd != NULL)
		PUT(odd->busy_ns, busy + ns);
}

/* counters */

static void
count_become_big(struct model *m, struct task_hot *t, uint32_t size,
    uint64_t sum)
{
	uint32_t n = store_of(m)->big_free != UINT32_MAX ? store_of(m)->big_free
							 : store_of(m)->nbigs;
	struct task_big *b =
	    chunk_make(&store_of(m)->bigs, n, &held_of(m)->bytes);

	if (b == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	if (n == store_of(m)->big_free)
		store_of(m)->big_free = b->kids;
	else
		store_of(m)->nbigs++;
	*b = (struct task_big){ sum, size, tree_wide_kids(m, t) };
	atomic_store_explicit(&t->count, COUNT_BIG | n, memory_order_release);
}

void
task_add_counts(struct model *m, struct task_hot *t, uint32_t size,
    uint64_t sum)
{
	uint32_t v = atomic_load_explicit(&t->count, memory_order_relaxed);
	struct task_big *b;

	if (v & COUNT_BIG) {
		b = chunk_known(&store_of(m)->bigs, v & ~COUNT_BIG);
		ADD(b->size, size);
		ADD(b->sum, sum);
		return;
	}
	size += (v >> COUNT_SUM_BITS) + 1;
	sum += v & COUNT_SUM_MAX;
	if (size > COUNT_SIZE_MAX || sum > COUNT_SUM_MAX) {
		count_become_big(m, t, size, sum);
		return;
	}
	atomic_store_explicit(&t->count,
	    (size - 1) << COUNT_SUM_BITS | (uint32_t)sum, memory_order_release);
}

void
task_free_odd(struct model *m, uint32_t i)
{
	struct task_warm *w = warm_at(m, i);
	struct task_odd *odd = task_odd(m, i);

	if (odd == NULL)
		return;
	PUT(w->place, (uint16_t)(w->place & PLACE_MASK));
	odd->suspensions = store_of(m)->odd_free;
	store_of(m)->odd_free = idmap_find(&store_of(m)->odd_map, i);
	store_of(m)->odds_gone++;
}

void
task_free_big(struct model *m, uint32_t i)
{
	uint32_t v = atomic_load(&hot_at(m, i)->count);
	struct task_big *b;

	if (!(v & COUNT_BIG))
		return;
	b = chunk_known(&store_of(m)->bigs, v & ~COUNT_BIG);
	if (b->kids & KIDS_WIDE)
		tree_wide_free(m, b->kids & ~KIDS_WIDE);
	b->kids = store_of(m)->big_free;
	store_of(m)->big_free = v & ~COUNT_BIG;
}

/* Everything of it at once, before anybody can see it. */
int
task_make(struct model *m, uint32_t i, uint32_t parent, uint32_t id)
{
	struct task_piece *p = task_piece_reserve(m, i);
	uint32_t k = i & (PIECE_TASKS - 1);

	if (p == NULL)
		return (-1);
	p->hot[k].parent = parent;
	p->hot[k].last = TASK_NONE;
	p->hot[k].next = i;
	atomic_init(&p->hot[k].count, 0);
	p->warm[k] = (struct task_warm){ OFF_NONE, OFF_NONE, id, 0, 0 };
	return (0);
}

void
task_store_init(struct model *m)
{
	chunk_init(&store_of(m)->places, sizeof(struct task_place), 4);
	chunk_init(&store_of(m)->odds, sizeof(struct task_odd), 4);
	chunk_init(&store_of(m)->bigs, sizeof(struct task_big), 4);
	place_number(m, 0, PLACE_NO_PE); /* number 0 */
	store_of(m)->odd_free = store_of(m)->big_free =
	    gone_of(m)->summary_free = UINT32_MAX;
}

void
task_store_clear(struct model *m)
{
	for (unsigned d = 0; d < TASK_DIRS; d++) {
		for (unsigned k = 0;
		     store_of(m)->task_dir[d] != NULL && k < 1u << DIR_BITS;
		     k++)
			task_piece_free(
			    atomic_load(&store_of(m)->task_dir[d][k]));
		memory_free(store_of(m)->task_dir[d]);
	}
	slab_clear(&held_of(m)->slab);
	chunk_clear(&store_of(m)->places);
	chunk_clear(&store_of(m)->odds);
	chunk_clear(&store_of(m)->bigs);
	idmap_clear(&store_of(m)->place_map);
	idmap_clear(&store_of(m)->odd_map);
}
