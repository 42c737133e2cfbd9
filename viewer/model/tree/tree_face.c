/* What whoever draws a tree asks of each of its tasks, all of it at once. */
#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"

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
