/*
 * The reduction tree while it grows, event by event.  A task is made by its
 * spawn (or by the first word of it, when the spawn is lost or late).
 */
#include <errno.h>
#include <stdlib.h>

#include "model/tree_inside.h"

static void
task_link(struct model *m, const struct event *e, uint16_t kind0, int64_t t0,
    uint32_t lane0, uint32_t lane1)
{
	struct link l = { t0, e->t_mon_ns, lane0, lane1, kind0, e->flags, e->a,
		0 };

	if (lane0 == UINT32_MAX || lane0 == lane1 || t0 == INT64_MIN ||
	    t0 > e->t_mon_ns)
		return;
	link_add(m, &l);
}

static uint32_t
task_spawned(struct model *m, const struct location *l, const struct event *e)
{
	uint32_t parent = e->b == 0 ? TASK_NONE : tree_task(m, e->b), i;
	struct task *t;

	i = tree_find(m, e->a);
	if (i == TASK_NONE) {
		i = tree_new(m, e->a, parent);
		if (i == TASK_NONE)
			return (i);
	} else if (parent != TASK_NONE && task_at(m, i)->parent == TASK_NONE) {
		tree_adopt(m, i, parent);
	}
	t = task_at(m, i);
	if (t->spawn_mon_ns != INT64_MIN)
		return (i); /* twice: the first one counts */
	PUT(t->spawn_mon_ns, e->t_mon_ns);
	if (e->c != 0)
		PUT(t->name, e->c);
	if (t->flags & TASK_BEGUN) { /* late: its begin was here before */
		struct event begin = { .t_mon_ns = t->begin_mon_ns,
			.a = e->a,
			.flags = e->flags };
		const struct location *where =
		    chunk_at(&m->locations, t->location);

		task_link(m, &begin, EV_task_spawn, e->t_mon_ns, l->lane,
		    where->lane);
	}
	if (!(t->flags & TASK_ENDED))
		side_at(m, i)->lane = l->lane;
	return (i);
}

static int64_t *
since_of(struct model *m, uint32_t task)
{
	uint32_t i = idmap_find(&m->suspended, task);

	if (i != IDMAP_NONE)
		return (chunk_known(&m->since, i));
	i = m->nsince;
	if (chunk_make(&m->since, i, &m->bytes) == NULL ||
	    idmap_add(&m->suspended, task, i, &m->retired, &m->bytes) == -1) {
		m->failed = ENOMEM;
		return (NULL);
	}
	m->nsince++;
	return (chunk_known(&m->since, i));
}

static void
task_suspended(struct model *m, struct task *t, uint32_t i,
    const struct event *e)
{
	struct name_stats *st = stats_of(m, t->name);
	int64_t *since = since_of(m, i);

	PUT(t->flags, (uint16_t)(t->flags | TASK_SUSPENDED));
	ADD(t->suspensions, 1);
	if (st != NULL)
		ADD(st->suspensions, 1);
	if (since != NULL)
		*since = e->t_mon_ns;
}

static void
task_awake(struct model *m, struct task *t, uint32_t i, const struct event *e)
{
	struct name_stats *st = stats_of(m, t->name);
	int64_t *since, ns;

	if (!(t->flags & TASK_SUSPENDED))
		return;
	since = since_of(m, i);
	PUT(t->flags, (uint16_t)(t->flags & ~TASK_SUSPENDED));
	ns = since == NULL ? 0 : e->t_mon_ns - *since;
	if (ns <= 0)
		return;
	ADD(t->suspended_ns, ns);
	if (st != NULL)
		ADD(st->blocked_ns, ns);
}

static void
task_on(struct model *m, const struct location *l, struct task *t,
    const struct event *e)
{
	uint32_t pe = e->b > UINT16_MAX ? UINT16_MAX : (uint32_t)e->b;

	PUT(t->pe, (uint16_t)pe);
	PUT(t->location, e->location);
	if (pe + 1 > atomic_load_explicit(&m->npes, memory_order_relaxed))
		atomic_store_explicit(&m->npes, pe + 1, memory_order_relaxed);
	(void)l;
}

static void
task_begun(struct model *m, const struct location *l, struct task *t,
    uint32_t i, const struct event *e)
{
	struct name_stats *st;

	if (e->c != 0 && t->name == 0)
		PUT(t->name, e->c);
	task_link(m, e, EV_task_spawn, t->spawn_mon_ns, side_at(m, i)->lane,
	    l->lane);
	task_on(m, l, t, e);
	if (t->flags & TASK_BEGUN)
		return;
	PUT(t->begin_mon_ns, e->t_mon_ns);
	PUT(t->flags, (uint16_t)(t->flags | TASK_BEGUN));
	st = stats_of(m, t->name);
	if (st != NULL)
		ADD(st->calls, 1);
}

static void
task_ended(struct model *m, const struct location *l, struct task *t,
    uint32_t i, const struct event *e)
{
	task_awake(m, t, i, e);
	PUT(t->end_mon_ns, e->t_mon_ns);
	PUT(t->flags, (uint16_t)(t->flags | TASK_ENDED));
	side_at(m, i)->lane = l->lane;
}

/* Returns the number of the task. */
uint32_t
tree_event(struct model *m, struct location *l, const struct event *e)
{
	uint32_t i;
	struct task *t;

	if (e->kind != EV_task_join)
		m->tree_changed = 1;
	if (e->kind == EV_task_spawn)
		return (task_spawned(m, l, e));
	if (e->kind == EV_task_join) {
		i = tree_find(m, e->a);
		if (i != TASK_NONE && task_at(m, i)->flags & TASK_ENDED)
			task_link(m, e, EV_task_end, task_at(m, i)->end_mon_ns,
			    side_at(m, i)->lane, l->lane);
		return (i);
	}
	i = tree_task(m, e->a);
	if (i == TASK_NONE)
		return (i);
	t = task_at(m, i);
	switch (e->kind) {
	case EV_task_begin:
		task_begun(m, l, t, i, e);
		break;
	case EV_task_suspend:
		task_suspended(m, t, i, e);
		break;
	case EV_task_resume:
		task_awake(m, t, i, e);
		task_on(m, l, t, e);
		break;
	case EV_task_end:
		task_ended(m, l, t, i, e);
		break;
	}
	return (i);
}

/* A stretch of ns in which the task was running is over. */
void
tree_ran(struct model *m, uint32_t task, int64_t ns)
{
	struct task *t = task_at(m, task);
	struct name_stats *st = stats_of(m, t->name);
	uint32_t pe = t->pe < 15 ? t->pe : 15;

	ADD(t->busy_ns, ns);
	if (st == NULL)
		return;
	ADD(st->total_ns, ns);
	if (t->busy_ns > st->max_ns)
		PUT(st->max_ns, t->busy_ns);
	ADD(st->by_pe[pe], (uint64_t)ns);
}

void
tree_clear(struct model *m)
{
	free(atomic_load(&m->task_map));
	free(m->pend);
	free(m->pend_level);
	idmap_clear(&m->suspended);
	idmap_clear(&m->root_map);
	chunk_clear(&m->since);
	chunk_clear(&m->tasks);
	chunk_clear(&m->task_side);
	chunk_clear(&m->roots);
}
