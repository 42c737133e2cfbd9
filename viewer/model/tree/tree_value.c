/*
 * Single things that are known of a task, out of what tree_store.h describes.
 * Any thread.
 *
 * What whoever draws a tree asks of each of its tasks, all of it at once.
 */
#include <stddef.h>

#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"
#include "model/tree/tree_store.h"

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

/* The usual case of task_begin_ns() and task_spawn_ns(): it is beside a base.
 */
static inline int64_t
time_of(int32_t off, const int64_t *base, uint32_t i)
{
	return (SEE(base[i >> GROUP_BITS & (GROUPS - 1)]) + off);
}

void
model_task_face(const struct model *m, uint32_t task, struct task_face *out)
{
	const struct task_piece *p = piece_of(m, task);
	const struct task_warm *w = &p->warm[rank_in(p, task)];
	int32_t off = __atomic_load_n(&w->begin, __ATOMIC_ACQUIRE);
	bool plain = wide_of(p) == NULL;
	const struct task_place *at = NULL;

	out->at_mon_ns = off > OFF_ODD ? time_of(off, p->bases->begin, task)
				       : task_begin_ns(m, task);
	out->pe = UINT32_MAX;
	out->suspended = (SEE(w->place) & PLACE_SUSPENDED) != 0;
	out->name = plain ? SEE(w->name) : task_name(m, task);
	if (out->at_mon_ns == INT64_MIN) {
		out->at_mon_ns = task_spawn_ns(m, task);
		return;
	}
	if (plain)
		at = chunk_at(&store_of(m)->places, SEE(w->place) & PLACE_MASK);
	out->pe = at != NULL ? at->pe : task_place(m, task).pe;
	out->pe = out->pe == PLACE_NO_PE ? UINT32_MAX : out->pe;
}

unsigned
model_task_flags(const struct model *m, uint32_t task, int64_t *end_mon_ns)
{
	const struct task_odd *odd;
	struct task_sums sums;
	unsigned flags = 0;

	*end_mon_ns = INT64_MIN;
	if (task_is_gone(m, task))
		return (TASK_GONE_UP);
	if (model_task_sums(m, task, &sums)) {
		*end_mon_ns = sums.t1_mon_ns;
		return (TASK_BEGUN | TASK_ENDED | TASK_SUMMARY);
	}
	*end_mon_ns = task_end_ns(m, task);
	if (*end_mon_ns != INT64_MIN)
		flags |= TASK_ENDED;
	if (task_begin_ns(m, task) != INT64_MIN)
		flags |= TASK_BEGUN;
	odd = task_odd(m, task);
	if (odd != NULL && SEE(odd->since_ns) != INT64_MIN)
		flags |= TASK_SUSPENDED;
	return (flags);
}
