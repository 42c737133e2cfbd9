/*
 * Single things that are known of a task, out of what tree_store.h describes.
 * Any thread.
 */
#include "model/tree/tree_store.h"

#include <stddef.h>

uint32_t
task_level(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);

	return (task_level_in(p, rank_in(p, i)));
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
	at = chunk_at(&store_of(m)->places, n);
	return (at == NULL ? (struct task_place){ 0, PLACE_NO_PE } : *at);
}

struct task_odd *
task_odd(const struct model *m, uint32_t i)
{
	uint32_t n;

	if (!(__atomic_load_n(&warm_at(m, i)->place, __ATOMIC_ACQUIRE) &
		PLACE_ODD))
		return (NULL);
	n = idmap_find(&store_of(m)->odd_map, i);
	return (n == IDMAP_NONE ? NULL : chunk_at(&store_of(m)->odds, n));
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
	b = chunk_at(&store_of(m)->bigs, v & ~COUNT_BIG);
	if (b == NULL) {
		*sum = 0;
		return (0);
	}
	*sum = SEE(b->sum);
	return (SEE(b->size));
}
