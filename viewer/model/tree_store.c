/*
 * Reading and writing what tree_store.h describes.
 *
 * A number that does not fit is first written where all of it has room, then
 * the flag that says so: a reader sees the one or the other.
 */
#include "model/tree_store.h"
#include "model/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *
end_at(const struct task_piece *p, uint32_t i)
{
	uint32_t *end = atomic_load_explicit(&p->end, memory_order_acquire);

	return (end == NULL ? NULL : &end[rank_in(p, i)]);
}

static struct task_wide *
wide_of(const struct task_piece *p)
{
	return (atomic_load_explicit(&p->wide, memory_order_acquire));
}

/* reading */

uint32_t
task_level(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);
	const struct task_wide *w = wide_of(p);
	uint32_t k = rank_in(p, i), level = SEE(p->level[k]);

	return (w == NULL ? level : level | (uint32_t)SEE(w->level[k]) << 16);
}

uint32_t
task_name(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);
	const struct task_wide *w = wide_of(p);
	uint32_t k = rank_in(p, i), name = SEE(p->warm[k].name);

	return (w == NULL ? name : name | (uint32_t)SEE(w->name[k]) << 16);
}

struct task_place
task_place(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);
	const struct task_wide *w = wide_of(p);
	uint32_t k = rank_in(p, i), n = SEE(p->warm[k].place) & PLACE_MASK;
	const struct task_place *at;

	if (w != NULL)
		n |= (uint32_t)SEE(w->place[k]) << PLACE_BITS;
	at = chunk_at(&m->places, n);
	return (at == NULL ? (struct task_place){ 0, PLACE_NO_PE } : *at);
}

struct task_odd *
task_odd(const struct model *m, uint32_t i)
{
	uint32_t n;

	if (!(__atomic_load_n(&warm_at(m, i)->place, __ATOMIC_ACQUIRE) &
		PLACE_ODD))
		return (NULL);
	n = idmap_find(&m->odd_map, i);
	return (n == IDMAP_NONE ? NULL : chunk_at(&m->odds, n));
}

static int64_t
odd_time(const struct model *m, uint32_t i, size_t field)
{
	const struct task_odd *odd = task_odd(m, i);

	if (odd == NULL)
		return (INT64_MIN);
	return (
	    __atomic_load_n((const int64_t *)(const void *)((const char *)odd +
							    field),
		__ATOMIC_RELAXED));
}

int64_t
task_spawn_ns(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);
	int32_t off =
	    __atomic_load_n(&p->warm[rank_in(p, i)].spawn, __ATOMIC_ACQUIRE);

	if (off > OFF_ODD)
		return (
		    SEE(p->bases->spawn[i >> GROUP_BITS & (GROUPS - 1)]) + off);
	return (off == OFF_NONE
		    ? INT64_MIN
		    : odd_time(m, i, offsetof(struct task_odd, spawn_ns)));
}

int64_t
task_begin_ns(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);
	int32_t off =
	    __atomic_load_n(&p->warm[rank_in(p, i)].begin, __ATOMIC_ACQUIRE);

	if (off > OFF_ODD)
		return (
		    SEE(p->bases->begin[i >> GROUP_BITS & (GROUPS - 1)]) + off);
	return (off == OFF_NONE
		    ? INT64_MIN
		    : odd_time(m, i, offsetof(struct task_odd, begin_ns)));
}

static uint32_t
task_end(const struct model *m, uint32_t i)
{
	const uint32_t *end = end_at(piece_of(m, i), i);

	return (end == NULL ? 0 : __atomic_load_n(end, __ATOMIC_ACQUIRE));
}

bool
task_has_ended(const struct model *m, uint32_t i)
{
	return (task_end(m, i) != 0);
}

int64_t
task_end_ns(const struct model *m, uint32_t i)
{
	uint32_t end = task_end(m, i);

	if (end == 0 || end == END_SUMMARY)
		return (INT64_MIN);
	if ((end & ~END_RAN) == END_ODD)
		return (odd_time(m, i, offsetof(struct task_odd, end_ns)));
	return (task_begin_ns(m, i) + (end & ~END_RAN) - 1);
}

int64_t
task_busy_ns(const struct model *m, uint32_t i)
{
	uint32_t end = task_end(m, i);
	int64_t busy = odd_time(m, i, offsetof(struct task_odd, busy_ns));

	if (busy != INT64_MIN)
		return (busy);
	return (end & END_RAN ? (end & ~END_RAN) - 1 : 0);
}

uint32_t
task_counts(const struct model *m, uint32_t i, uint64_t *sum)
{
	uint32_t v =
	    atomic_load_explicit(&hot_at(m, i)->count, memory_order_acquire);
	const struct task_big *b;

	if (!(v & COUNT_BIG)) {
		*sum = v & COUNT_SUM_MAX;
		return ((v >> COUNT_SUM_BITS) + 1);
	}
	b = chunk_at(&m->bigs, v & ~COUNT_BIG);
	if (b == NULL) {
		*sum = 0;
		return (0);
	}
	*sum = SEE(b->sum);
	return (SEE(b->size));
}

/* writing */

static void *
out_of_memory(struct model *m)
{
	m->failed = ENOMEM;
	return (NULL);
}

static struct task_piece *
piece_make(struct model *m)
{
	size_t bytes = sizeof(struct task_piece) + sizeof(struct task_bases) +
		       PIECE_TASKS * sizeof(uint16_t);
	struct task_piece *p = memory_zero(1, bytes);
	void *hot = slab_take(&m->task_slab, &m->bytes);
	void *warm = slab_take(&m->task_slab, &m->bytes);

	_Static_assert(sizeof(p->hot[0]) * PIECE_TASKS == SLAB_BLOCK, "hot");
	_Static_assert(sizeof(p->warm[0]) * PIECE_TASKS == SLAB_BLOCK, "warm");
	if (p == NULL || hot == NULL || warm == NULL) {
		memory_free(p); /* the blocks stay with the slab */
		return (out_of_memory(m));
	}
	p->bases = (struct task_bases *)(p + 1);
	p->level = (uint16_t *)(p->bases + 1);
	p->hot = hot;
	p->warm = warm;
	for (unsigned g = 0; g < GROUPS; g++)
		p->bases->spawn[g] = p->bases->begin[g] = INT64_MIN;
	atomic_fetch_add(&m->bytes, bytes);
	return (p);
}

/* Elements of its arrays. */
static size_t
piece_tasks(const struct task_piece *p)
{
	return (p->rank == NULL ? PIECE_TASKS : p->rank->n + 1u);
}

/* How many tasks there are up to its last one. */
static uint32_t
piece_end(const struct task_piece *p)
{
	return (atomic_load(&p->first) +
		(p->rank == NULL ? PIECE_TASKS : p->rank->n));
}

void
task_pieces_number(struct model *m)
{
	uint32_t n = m->ntasks, first = 0;
	struct task_piece *p;

	for (uint32_t i = 0; i < n; i += PIECE_TASKS) {
		p = piece_of(m, i);
		atomic_store(&p->first, first);
		first = piece_end(p);
		if (n - i <= PIECE_TASKS)
			break;
	}
}

static size_t
wide_bytes(const struct task_piece *p)
{
	return (
	    sizeof(struct task_wide) + 3 * piece_tasks(p) * sizeof(uint16_t));
}

size_t
task_piece_bytes(const struct task_piece *p)
{
	size_t n = piece_tasks(p), bytes;

	bytes = sizeof(*p) + sizeof(*p->bases) + n * sizeof(*p->level);
	if (p->rank != NULL)
		bytes +=
		    sizeof(*p->rank) + n * (sizeof(*p->hot) + sizeof(*p->warm));
	if (atomic_load(&p->end) != NULL)
		bytes += n * sizeof(uint32_t);
	if (wide_of(p) != NULL)
		bytes += wide_bytes(p);
	return (bytes);
}

/* The piece of a task that is to be made. */
static struct task_piece *
piece_reserve(struct model *m, uint32_t i)
{
	_Atomic(struct task_piece *) **at =
	    &m->task_dir[i >> (PIECE_BITS + DIR_BITS)];
	size_t bytes = sizeof(**at) << DIR_BITS;
	struct task_piece *p;

	if (*at == NULL) {
		*at = memory_zero(1, bytes);
		if (*at == NULL)
			return (out_of_memory(m));
		atomic_fetch_add(&m->bytes, bytes);
	}
	p = piece_of(m, i);
	if (p == NULL) {
		p = piece_make(m);
		if (p != NULL && i >= PIECE_TASKS)
			atomic_init(&p->first,
			    piece_end(piece_of(m, i - PIECE_TASKS)));
		atomic_store(&(*at)[i >> PIECE_BITS & ((1u << DIR_BITS) - 1)],
		    p);
	}
	return (p);
}

struct task_wide *
task_wide_make(struct model *m, struct task_piece *p)
{
	struct task_wide *w = wide_of(p);
	size_t n = piece_tasks(p), bytes = wide_bytes(p);

	if (w != NULL)
		return (w);
	w = memory_zero(1, bytes);
	if (w == NULL)
		return (out_of_memory(m));
	w->level = (uint16_t *)(w + 1);
	w->name = w->level + n;
	w->place = w->name + n;
	atomic_fetch_add(&m->bytes, bytes);
	atomic_store_explicit(&p->wide, w, memory_order_release);
	return (w);
}

/* Upper half of a number, if there is any. */
#define SET_UPPER(m, p, k, field, v)                                           \
	do {                                                                   \
		struct task_wide *w_ =                                         \
		    (v) != 0 ? task_wide_make(m, p) : wide_of(p);              \
		if (w_ != NULL)                                                \
			PUT(w_->field[k], (uint16_t)(v));                      \
	} while (0)

void
task_set_level(struct model *m, uint32_t i, uint32_t level)
{
	struct task_piece *p = piece_of(m, i);
	uint32_t k = rank_in(p, i);

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

	if (m->place_key[at] == key + 1)
		return (m->place_value[at]);
	n = idmap_find(&m->place_map, key);
	if (n == IDMAP_NONE) {
		n = m->nplaces;
		p = chunk_make(&m->places, n, &m->bytes);
		if (p == NULL || idmap_add(&m->place_map, key, n, &m->retired,
				     &m->bytes) == -1) {
			m->failed = ENOMEM;
			return (0);
		}
		*p = (struct task_place){ location, pe };
		m->nplaces++;
	}
	m->place_key[at] = key + 1;
	m->place_value[at] = n;
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
	uint32_t n = m->odd_free;

	if (odd != NULL)
		return (odd);
	n = n != UINT32_MAX ? n : m->nodds;
	odd = chunk_make(&m->odds, n, &m->bytes);
	if (odd == NULL)
		return (out_of_memory(m));
	if (n == m->odd_free)
		m->odd_free = odd->suspensions; /* the next free one */
	else
		m->nodds++;
	*odd = (struct task_odd){ INT64_MIN, INT64_MIN, INT64_MIN, 0, INT64_MIN,
		INT64_MIN, 0, UINT32_MAX };
	if (idmap_add(&m->odd_map, i, n, &m->retired, &m->bytes) == -1)
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

uint32_t *
task_end_make(struct model *m, struct task_piece *p)
{
	size_t bytes = piece_tasks(p) * sizeof(uint32_t);
	uint32_t *end = atomic_load_explicit(&p->end, memory_order_relaxed);

	if (end != NULL)
		return (end);
	end = memory_zero(1, bytes);
	if (end == NULL)
		return (out_of_memory(m));
	atomic_fetch_add(&m->bytes, bytes);
	atomic_store_explicit(&p->end, end, memory_order_release);
	return (end);
}

uint32_t *
task_end_at(struct model *m, uint32_t i)
{
	struct task_piece *p = piece_of(m, i);

	return (task_end_make(m, p) == NULL ? NULL : end_at(p, i));
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
	uint32_t n = m->big_free != UINT32_MAX ? m->big_free : m->nbigs;
	struct task_big *b = chunk_make(&m->bigs, n, &m->bytes);

	if (b == NULL) {
		m->failed = ENOMEM;
		return;
	}
	if (n == m->big_free)
		m->big_free = b->next;
	else
		m->nbigs++;
	*b = (struct task_big){ sum, size, 0 };
	atomic_store_explicit(&t->count, COUNT_BIG | n, memory_order_release);
}

void
task_add_counts(struct model *m, struct task_hot *t, uint32_t size,
    uint64_t sum)
{
	uint32_t v = atomic_load_explicit(&t->count, memory_order_relaxed);
	struct task_big *b;

	if (v & COUNT_BIG) {
		b = chunk_known(&m->bigs, v & ~COUNT_BIG);
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
	odd->suspensions = m->odd_free;
	m->odd_free = idmap_find(&m->odd_map, i);
	m->odds_gone++;
}

void
task_free_big(struct model *m, uint32_t i)
{
	uint32_t v = atomic_load(&hot_at(m, i)->count);
	struct task_big *b;

	if (!(v & COUNT_BIG))
		return;
	b = chunk_known(&m->bigs, v & ~COUNT_BIG);
	b->next = m->big_free;
	m->big_free = v & ~COUNT_BIG;
}

/* Everything of it at once, before anybody can see it. */
int
task_make(struct model *m, uint32_t i, uint32_t parent, uint32_t id)
{
	struct task_piece *p = piece_reserve(m, i);
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
	chunk_init(&m->places, sizeof(struct task_place), 4);
	chunk_init(&m->odds, sizeof(struct task_odd), 4);
	chunk_init(&m->bigs, sizeof(struct task_big), 4);
	place_number(m, 0, PLACE_NO_PE); /* number 0 */
	m->odd_free = m->big_free = m->summary_free = UINT32_MAX;
}

void
task_piece_free(struct task_piece *p)
{
	if (p == NULL)
		return;
	memory_free(atomic_load(&p->end));
	memory_free(atomic_load(&p->wide));
	memory_free(p);
}

void
task_store_clear(struct model *m)
{
	for (unsigned d = 0; d < TASK_DIRS; d++) {
		for (unsigned k = 0;
		     m->task_dir[d] != NULL && k < 1u << DIR_BITS; k++)
			task_piece_free(atomic_load(&m->task_dir[d][k]));
		memory_free(m->task_dir[d]);
	}
	slab_clear(&m->task_slab);
	chunk_clear(&m->places);
	chunk_clear(&m->odds);
	chunk_clear(&m->bigs);
	idmap_clear(&m->place_map);
	idmap_clear(&m->odd_map);
}
