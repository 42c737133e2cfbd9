/*
 * What events say of tasks, one by one: changes of the tree, links between the
 * threads concerned, sums by procedure.  A task is made by its spawn (or by the
 * first word of it, when the spawn is lost or late).
 */
#include "events_inside.h"
#include "model/ids/ids.h"
#include "model/tree/grow.h"
#include "model/tree/tree_forget.h"

static void
task_link(struct model *m, const struct event *e, uint16_t kind0, int64_t t0,
    uint32_t lane0, uint32_t lane1)
{
	struct link l = { .t0_mon_ns = t0,
		.t1_mon_ns = e->t_mon_ns,
		.lane0 = lane0,
		.lane1 = lane1,
		.kind0 = kind0,
		.flags = e->flags,
		.id = e->a };

	if (lane0 == UINT32_MAX || lane0 == lane1 || t0 == INT64_MIN ||
	    t0 > e->t_mon_ns)
		return;
	link_add(m, &l);
}

/* The lane of the thread where a task was last heard of. */
static uint32_t
lane_of(struct model *m, uint32_t task)
{
	const struct task_odd *odd = task_odd(m, task);
	uint32_t location = task_place(m, task).location;
	const struct location *l = chunk_at(&defs_of(m)->locations, location);

	if (odd != NULL && odd->end_lane != UINT32_MAX)
		return (odd->end_lane);
	return (location == 0 || l == NULL ? UINT32_MAX : l->lane);
}

/* It is called so; if it is suspended, that is of this name, too. */
static void
task_named(struct model *m, uint32_t i, uint32_t name)
{
	const struct task_odd *odd = task_odd(m, i);
	uint32_t was = task_name(m, i);

	if (was == name)
		return;
	tree_name(m, i, name);
	if (odd == NULL || odd->since_ns == INT64_MIN)
		return;
	function_asleep(m, was, -1, odd->since_ns, 0);
	function_asleep(m, name, 1, odd->since_ns, 0);
}

static uint32_t
task_spawned(struct model *m, const struct location *l, const struct event *e)
{
	uint32_t parent = e->b == 0 ? TASK_NONE : tree_task(m, e->b), i;
	int64_t begin;

	i = ids_look_own(m, e->a);
	if (i == ID_GONE)
		return (TASK_NONE);
	if (i == TASK_NONE) {
		i = tree_new(m, e->a, parent);
		if (i == TASK_NONE)
			return (i);
	} else if (parent != TASK_NONE && hot_at(m, i)->parent == TASK_NONE) {
		tree_adopt(m, i, parent);
	}
	if (warm_at(m, i)->spawn != OFF_NONE)
		return (i); /* twice: the first one counts */
	task_set_spawn(m, i, e->t_mon_ns);
	if (e->c != 0)
		task_named(m, i, e->c);
	begin = task_begin_ns(m, i);
	if (begin != INT64_MIN) { /* late: its begin was here before */
		struct event late = { .t_mon_ns = begin,
			.a = e->a,
			.flags = e->flags };

		task_link(m, &late, EV_task_spawn, e->t_mon_ns, l->lane,
		    lane_of(m, i));
	} else if (task_place(m, i).pe == PLACE_NO_PE) {
		task_set_place(m, i, e->location, PLACE_NO_PE);
	}
	return (i);
}

static void
task_suspended(struct model *m, uint32_t i, const struct event *e)
{
	struct task_odd *odd = task_make_odd(m, i);
	uint16_t *place = &warm_at(m, i)->place;

	if (odd == NULL)
		return;
	if (odd->since_ns != INT64_MIN) /* once more */
		function_asleep(m, task_name(m, i), -1, odd->since_ns, 0);
	function_asleep(m, task_name(m, i), 1, e->t_mon_ns, 0);
	ADD(odd->suspensions, 1);
	PUT(odd->since_ns, e->t_mon_ns);
	__atomic_store_n(place, *place | PLACE_SUSPENDED, __ATOMIC_RELEASE);
}

static void
task_awake(struct model *m, uint32_t i, const struct event *e)
{
	struct task_odd *odd = task_odd(m, i);
	int64_t ns;

	if (odd == NULL || odd->since_ns == INT64_MIN)
		return;
	ns = e->t_mon_ns - odd->since_ns;
	function_asleep(m, task_name(m, i), -1, odd->since_ns, ns);
	PUT(odd->since_ns, INT64_MIN);
	if (ns > 0)
		ADD(odd->suspended_ns, ns);
}

static void
task_on(struct model *m, uint32_t i, const struct event *e)
{
	uint32_t pe = e->b > UINT16_MAX ? UINT16_MAX : (uint32_t)e->b;

	task_set_place(m, i, e->location, pe);
	if (pe + 1 >
	    atomic_load_explicit(&shape_of(m)->npes, memory_order_relaxed))
		atomic_store_explicit(&shape_of(m)->npes, pe + 1,
		    memory_order_relaxed);
}

static void
task_begun(struct model *m, const struct location *l, uint32_t i,
    const struct event *e)
{
	bool again = warm_at(m, i)->begin != OFF_NONE;
	uint32_t name = task_name(m, i);

	if (e->c != 0 && name == 0)
		task_named(m, i, e->c);
	if (!again)
		task_link(m, e, EV_task_spawn, task_spawn_ns(m, i),
		    lane_of(m, i), l->lane);
	task_on(m, i, e);
	if (!again)
		task_set_begin(m, i, e->t_mon_ns);
}

static void
task_ended(struct model *m, const struct location *l, uint32_t i,
    const struct event *e)
{
	struct task_odd *odd;

	task_awake(m, i, e);
	gone_of(m)->tasks_ended++;
	task_set_end(m, i, e->t_mon_ns);
	if (lane_of(m, i) == l->lane)
		return;
	odd = task_make_odd(m, i);
	if (odd != NULL)
		odd->end_lane = l->lane;
}

/* Returns the number of the task. */
uint32_t
task_event(struct model *m, struct location *l, const struct event *e)
{
	uint32_t i;

	if (e->kind != EV_task_join)
		shape_of(m)->tree_changed = 1;
	if (e->kind == EV_task_spawn)
		return (task_spawned(m, l, e));
	if (e->kind == EV_task_join) {
		i = tree_find(m, e->a);
		if (i != TASK_NONE && task_end_ns(m, i) != INT64_MIN)
			task_link(m, e, EV_task_end, task_end_ns(m, i),
			    lane_of(m, i), l->lane);
		return (i);
	}
	/* nobody has told of a task whose end or pause comes first */
	if (e->kind == EV_task_end || e->kind == EV_task_suspend)
		i = ids_look_own(m, e->a);
	else
		i = tree_task(m, e->a);
	if (i == TASK_NONE || i == ID_GONE)
		return (TASK_NONE);
	switch (e->kind) {
	case EV_task_begin:
		task_begun(m, l, i, e);
		break;
	case EV_task_suspend:
		task_suspended(m, i, e);
		break;
	case EV_task_resume:
		if (e->c != 0 && task_name(m, i) == 0) /* its spawn is lost */
			task_named(m, i, e->c);
		task_awake(m, i, e);
		task_on(m, i, e);
		break;
	case EV_task_end:
		task_ended(m, l, i, e);
		break;
	}
	return (i);
}

void
task_put_aside(struct model *m, uint32_t task, int64_t ran_ns)
{
	struct task_odd *odd = task_make_odd(m, task);

	if (odd != NULL)
		PUT(odd->ran_ns, ran_ns);
}

int64_t
task_take_back(struct model *m, uint32_t task)
{
	struct task_odd *odd = task_odd(m, task);
	int64_t ran_ns = odd == NULL ? 0 : odd->ran_ns;

	if (odd != NULL)
		PUT(odd->ran_ns, 0);
	return (ran_ns);
}

int64_t
task_ran(struct model *m, uint32_t task, int64_t ns, uint32_t *pe)
{
	*pe = task_place(m, task).pe;
	*pe = *pe == PLACE_NO_PE ? 0 : *pe;
	if (task_is_gone(m, task) || is_summary(m, task))
		return (0); /* it had ended, so it was given up */
	task_add_busy(m, task, ns);
	return (task_busy_ns(m, task));
}
