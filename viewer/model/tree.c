/*
 * The reduction tree while it grows.  A task is made by its spawn (or by the
 * first word of it, when the spawn is lost or late) and hangs behind its
 * elder siblings, so positions never change places.
 *
 * The radial layout needs size and sum of levels of every subtree.  A new
 * task adds to all its ancestors: this is done once per frame of the log, and
 * level by level from the deepest, so that what many new tasks add to the
 * same ancestor is added once.  A chain of a million tasks costs one pass per
 * frame and not one per task.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/inside.h"

/* How many events, or counters, ahead memory is asked for. */
#define AHEAD_SLOT  30
#define AHEAD_TASK  20
#define AHEAD_ELDER 10
#define PEND_FAR    16
#define PEND_MID    8

/*
 * Task numbers by id: open addressing.  Beside each slot is a byte of the id's
 * hash, so that the many that are passed by need not be looked up.
 */
struct task_map {
	uint32_t mask;
	_Atomic uint8_t *tag;    /* 0: free; told after the slot */
	_Atomic uint32_t slot[]; /* task number */
};

static struct task *
task_at(const struct model *m, uint32_t i)
{
	return (chunk_known(&m->tasks, i));
}

static struct task_side *
side_at(const struct model *m, uint32_t i)
{
	return (chunk_known(&m->task_side, i));
}

/* task by id */

static uint8_t
tag_of(uint64_t hash)
{
	return ((uint8_t)(hash >> 56 != 0 ? hash >> 56 : 1));
}

static uint32_t
map_find(const struct model *m, uint64_t id)
{
	const struct task_map *map = atomic_load(&m->task_map);
	uint64_t hash = idmap_mix(id);
	uint32_t i, v;
	uint8_t tag;

	if (map == NULL)
		return (TASK_NONE);
	for (i = (uint32_t)hash & map->mask;; i = (i + 1) & map->mask) {
		tag = atomic_load_explicit(&map->tag[i], memory_order_acquire);
		if (tag == 0)
			return (TASK_NONE);
		if (tag != tag_of(hash))
			continue;
		v = atomic_load_explicit(&map->slot[i], memory_order_relaxed);
		if (task_at(m, v)->id == id)
			return (v);
	}
}

uint32_t
model_task_by_id(const struct model *m, uint64_t id)
{
	struct retired *r = (struct retired *)&m->retired;
	uint32_t found;
	unsigned door;

	door = retired_enter(r);
	found = map_find(m, id);
	retired_leave(r, door);
	return (found);
}

static void
map_put(struct model *m, struct task_map *map, uint32_t task)
{
	uint64_t hash = idmap_mix(task_at(m, task)->id);
	uint32_t i = (uint32_t)hash & map->mask;

	while (atomic_load_explicit(&map->tag[i], memory_order_relaxed) != 0)
		i = (i + 1) & map->mask;
	atomic_store_explicit(&map->slot[i], task, memory_order_relaxed);
	atomic_store_explicit(&map->tag[i], tag_of(hash), memory_order_release);
}

/* Asks for the first of an id's slots. */
static void
ahead_slot(const struct task_map *map, uint64_t id)
{
	uint32_t i = (uint32_t)idmap_mix(id) & map->mask;

	__builtin_prefetch(&map->tag[i]);
	__builtin_prefetch(&map->slot[i]);
}

static int
map_reserve(struct model *m)
{
	struct task_map *old = atomic_load(&m->task_map), *new;
	uint32_t n = m->ntasks, size;
	size_t each = sizeof(new->slot[0]) + sizeof(new->tag[0]);

	if (old != NULL && (uint64_t)n * 3 < ((uint64_t)old->mask + 1) * 2)
		return (0);
	size = old == NULL ? 1024 : (old->mask + 1) * 2;
	new = size == 0 ? NULL : calloc(1, sizeof(*new) + size * each);
	if (new == NULL)
		return (-1);
	new->mask = size - 1;
	new->tag = (_Atomic uint8_t *)(new->slot + size);
	for (uint32_t i = 0; i < n; i++) {
		if (i + AHEAD_SLOT < n)
			ahead_slot(new, task_at(m, i + AHEAD_SLOT)->id);
		map_put(m, new, i);
	}
	atomic_store(&m->task_map, new);
	atomic_fetch_add(&m->bytes, size * each / 2);
	retired_add(&m->retired, old);
	return (0);
}

/*
 * A spawn touches five places that lie anywhere in memory: the slots of its
 * id and its parent's, the parent, the parent's counters, the elder sibling.
 * Each leads to the next, so they are asked for in steps, a few events ahead.
 */
/* Most likely the task of this id; TASK_NONE: not that simple. */
static uint32_t
map_guess(const struct model *m, uint64_t id)
{
	const struct task_map *map =
	    atomic_load_explicit(&m->task_map, memory_order_relaxed);
	uint64_t hash = idmap_mix(id);
	uint32_t i;

	if (map == NULL)
		return (TASK_NONE);
	i = (uint32_t)hash & map->mask;
	for (int k = 0; k < 8; k++, i = (i + 1) & map->mask)
		if (atomic_load_explicit(&map->tag[i], memory_order_relaxed) ==
		    tag_of(hash))
			return (atomic_load_explicit(&map->slot[i],
			    memory_order_relaxed));
	return (TASK_NONE);
}

/* The task that an event is about, or its parent. */
static uint64_t
known_id(const struct event *e)
{
	return (e->kind == EV_task_spawn ? e->b : e->a);
}

static void
ahead_task(const struct model *m, uint32_t i)
{
	const char *t = (const char *)task_at(m, i);

	__builtin_prefetch(t);
	__builtin_prefetch(t + 63);
	__builtin_prefetch(side_at(m, i));
}

void
tree_ahead(const struct model *m, const struct event *e, size_t left)
{
	const struct task_map *map =
	    atomic_load_explicit(&m->task_map, memory_order_relaxed);
	uint32_t i;

	if (left <= AHEAD_SLOT || map == NULL)
		return;
	if (e[AHEAD_SLOT].kind < EVENT_KINDS &&
	    m->kinds[e[AHEAD_SLOT].kind].class == CLASS_task) {
		ahead_slot(map, e[AHEAD_SLOT].a);
		if (e[AHEAD_SLOT].kind == EV_task_spawn)
			ahead_slot(map, e[AHEAD_SLOT].b);
	}
	if (e[AHEAD_TASK].kind < EVENT_KINDS &&
	    m->kinds[e[AHEAD_TASK].kind].class == CLASS_task) {
		i = map_guess(m, known_id(&e[AHEAD_TASK]));
		if (i != TASK_NONE)
			ahead_task(m, i);
	}
	if (e[AHEAD_ELDER].kind == EV_task_spawn) {
		i = map_guess(m, e[AHEAD_ELDER].b);
		if (i != TASK_NONE)
			i = task_at(m, i)->last_child;
		if (i != TASK_NONE)
			__builtin_prefetch(task_at(m, i));
	}
}

/* counters of the ancestors */

static int
pend_level_reserve(struct model *m, uint32_t level)
{
	uint32_t *v, n = m->pend_levels;

	if (level < n)
		return (0);
	n = level + 256 + level / 2;
	v = realloc(m->pend_level, n * sizeof(*v));
	if (v == NULL)
		return (-1);
	memset(v + m->pend_levels, 0, (n - m->pend_levels) * sizeof(*v));
	m->pend_level = v;
	m->pend_levels = n;
	return (0);
}

/* So much is to be added to the counters of a task and of all above it. */
static void
pend_add(struct model *m, uint32_t task, uint32_t size, uint64_t sumlevel,
    uint32_t deep)
{
	struct task_side *side = side_at(m, task);
	uint32_t level = task_at(m, task)->level, cap;
	struct task_pend *p;

	if (side->slot < m->npend && m->pend[side->slot].task == task) {
		p = &m->pend[side->slot];
		p->size += size;
		p->sumlevel += sumlevel;
		if (deep > p->deep)
			p->deep = deep;
		return;
	}
	if (m->npend == m->pend_cap) {
		cap = m->pend_cap == 0 ? 1024 : m->pend_cap * 2;
		p = realloc(m->pend, cap * sizeof(*p));
		if (p == NULL) {
			m->failed = ENOMEM;
			return;
		}
		m->pend = p;
		m->pend_cap = cap;
	}
	if (pend_level_reserve(m, level) == -1) {
		m->failed = ENOMEM;
		return;
	}
	side->slot = m->npend;
	m->pend[m->npend] = (struct task_pend){ task, size,
		m->pend_level[level], deep, sumlevel };
	m->pend_level[level] = ++m->npend;
	if (level > m->pend_deepest)
		m->pend_deepest = level;
}

static struct task_root *
root_of(struct model *m, uint32_t task)
{
	uint32_t i = idmap_find(&m->root_map, task);

	return (i == IDMAP_NONE ? NULL : chunk_known(&m->roots, i));
}

/* Some of the list behind one of its entries; the first of the rest. */
static uint32_t
pend_skip(const struct model *m, uint32_t at, unsigned n)
{
	while (n-- > 0 && at != 0) {
		at = m->pend[at - 1].next;
		if (at != 0)
			ahead_task(m, m->pend[at - 1].task);
	}
	return (at);
}

/* Adds up what new tasks are to those above them, level by level. */
static void
pend_settle(struct model *m)
{
	struct task_pend p;
	struct task_root *r;
	struct task *t;
	uint32_t at, far, mid, up;

	for (uint32_t l = m->pend_deepest + 1; l-- > 0;) {
		at = m->pend_level[l];
		m->pend_level[l] = 0;
		far = pend_skip(m, at, PEND_FAR);
		mid = at;
		for (unsigned n = 0; n < PEND_MID && mid != 0; n++)
			mid = m->pend[mid - 1].next;
		for (; at != 0; at = p.next) {
			/* those further on, then what is above the nearer */
			far = pend_skip(m, far, 1);
			if (mid != 0) {
				up = task_at(m, m->pend[mid - 1].task)->parent;
				if (up != TASK_NONE)
					ahead_task(m, up);
				mid = m->pend[mid - 1].next;
			}
			p = m->pend[at - 1];
			t = task_at(m, p.task);
			ADD(t->size, p.size);
			ADD(t->sumlevel, p.sumlevel);
			if (t->parent != TASK_NONE) {
				pend_add(m, t->parent, p.size, p.sumlevel,
				    p.deep);
				continue;
			}
			r = root_of(m, p.task);
			if (r != NULL && p.deep + 1 > r->levels)
				atomic_store(&r->levels, p.deep + 1);
		}
	}
	m->npend = 0;
	m->pend_deepest = 0;
}

void
tree_settle(struct model *m)
{
	if (m->npend > 0)
		pend_settle(m);
	if (m->tree_changed)
		atomic_fetch_add_explicit(&m->tree_version, 1,
		    memory_order_release);
	m->tree_changed = 0;
}

/* making and hanging */

static void
root_add(struct model *m, uint32_t task)
{
	uint32_t n = m->nroots;
	struct task_root *r = chunk_make(&m->roots, n, &m->bytes);

	if (r == NULL ||
	    idmap_add(&m->root_map, task, n, &m->retired, &m->bytes) == -1) {
		m->failed = ENOMEM;
		return;
	}
	atomic_init(&r->task, task);
	atomic_init(&r->levels, 1);
	atomic_store_explicit(&m->nroots, n + 1, memory_order_release);
}

static void
task_hang(struct model *m, uint32_t task, uint32_t parent)
{
	struct task *p = task_at(m, parent);
	uint32_t elder = p->last_child;

	PUT(p->last_child, task);
	if (elder == TASK_NONE)
		__atomic_store_n(&p->first_child, task, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&task_at(m, elder)->next_sibling, task,
		    __ATOMIC_RELEASE);
}

static uint32_t
task_new(struct model *m, uint64_t id, uint32_t parent)
{
	uint32_t n = m->ntasks;
	struct task_side *side;
	struct task *t;

	if (n >= TASK_NONE - 1)
		return (TASK_NONE);
	t = chunk_make(&m->tasks, n, &m->bytes);
	side = chunk_make(&m->task_side, n, &m->bytes);
	if (t == NULL || side == NULL || map_reserve(m) == -1) {
		m->failed = ENOMEM;
		return (TASK_NONE);
	}
	memset(t, 0, sizeof(*t));
	t->id = id;
	t->parent = parent;
	t->first_child = t->next_sibling = t->last_child = TASK_NONE;
	t->level = parent == TASK_NONE ? 0 : task_at(m, parent)->level + 1;
	t->size = 1;
	t->sumlevel = t->level;
	t->spawn_mon_ns = t->begin_mon_ns = t->end_mon_ns = INT64_MIN;
	side->lane = UINT32_MAX;
	side->slot = UINT32_MAX;
	/* whoever sees that it is there must find it by its id */
	map_put(m, atomic_load(&m->task_map), n);
	atomic_store_explicit(&m->ntasks, n + 1, memory_order_release);
	if (parent == TASK_NONE) {
		root_add(m, n);
	} else {
		task_hang(m, n, parent);
		pend_add(m, parent, 1, t->level, t->level);
	}
	return (n);
}

static uint32_t
task_of(struct model *m, uint64_t id)
{
	uint32_t t = map_find(m, id);

	return (t != TASK_NONE ? t : task_new(m, id, TASK_NONE));
}

/* Next task of a subtree, depth first. */
static uint32_t
task_next(const struct model *m, uint32_t t, uint32_t root)
{
	if (task_at(m, t)->first_child != TASK_NONE)
		return (task_at(m, t)->first_child);
	while (t != root && task_at(m, t)->next_sibling == TASK_NONE)
		t = task_at(m, t)->parent;
	return (t == root ? TASK_NONE : task_at(m, t)->next_sibling);
}

/*
 * A task that was taken for a root gets its parent, because its spawn came
 * late.  A cycle, which only nonsense can make, is refused.
 */
static void
task_adopt(struct model *m, uint32_t task, uint32_t parent)
{
	struct task *t = task_at(m, task), *x;
	uint32_t up, deep = 0, by;

	for (up = parent; up != TASK_NONE; up = task_at(m, up)->parent)
		if (up == task)
			return;
	tree_settle(m);
	by = task_at(m, parent)->level + 1;
	for (up = task; up != TASK_NONE; up = task_next(m, up, task)) {
		x = task_at(m, up);
		PUT(x->level, x->level + by);
		PUT(x->sumlevel, x->sumlevel + (uint64_t)by * x->size);
		if (x->level > deep)
			deep = x->level;
	}
	__atomic_store_n(&t->parent, parent, __ATOMIC_RELEASE);
	task_hang(m, task, parent);
	pend_add(m, parent, t->size, t->sumlevel, deep);
	tree_settle(m);
	atomic_fetch_add(&m->generation, 1);
}

/* events */

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
	uint32_t parent = e->b == 0 ? TASK_NONE : task_of(m, e->b), i;
	struct task *t;

	i = map_find(m, e->a);
	if (i == TASK_NONE) {
		i = task_new(m, e->a, parent);
		if (i == TASK_NONE)
			return (i);
	} else if (parent != TASK_NONE && task_at(m, i)->parent == TASK_NONE) {
		task_adopt(m, i, parent);
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
		i = map_find(m, e->a);
		if (i != TASK_NONE && task_at(m, i)->flags & TASK_ENDED)
			task_link(m, e, EV_task_end, task_at(m, i)->end_mon_ns,
			    side_at(m, i)->lane, l->lane);
		return (i);
	}
	i = task_of(m, e->a);
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

/* readers */

uint32_t
model_tasks(const struct model *m)
{
	return (atomic_load_explicit(&m->ntasks, memory_order_acquire));
}

const struct task *
model_task(const struct model *m, uint32_t task)
{
	return (task_at(m, task));
}

void
model_task_get(const struct model *m, uint32_t task, struct task *out)
{
	const struct task *t = task_at(m, task);

	out->id = t->id;
	out->parent = __atomic_load_n(&t->parent, __ATOMIC_ACQUIRE);
	out->first_child = __atomic_load_n(&t->first_child, __ATOMIC_ACQUIRE);
	out->next_sibling = __atomic_load_n(&t->next_sibling, __ATOMIC_ACQUIRE);
	out->last_child = SEE(t->last_child);
	out->level = SEE(t->level);
	out->size = SEE(t->size);
	out->sumlevel = SEE(t->sumlevel);
	out->name = SEE(t->name);
	out->location = SEE(t->location);
	out->pe = SEE(t->pe);
	out->flags = SEE(t->flags);
	out->suspensions = SEE(t->suspensions);
	out->spawn_mon_ns = SEE(t->spawn_mon_ns);
	out->begin_mon_ns = SEE(t->begin_mon_ns);
	out->end_mon_ns = SEE(t->end_mon_ns);
	out->suspended_ns = SEE(t->suspended_ns);
	out->busy_ns = SEE(t->busy_ns);
}

uint32_t
model_task_roots(const struct model *m, uint32_t *out, uint32_t max)
{
	uint32_t n = 0, task, all;
	const struct task_root *r;

	all = atomic_load_explicit(&m->nroots, memory_order_acquire);
	for (uint32_t i = 0; i < all; i++) {
		r = chunk_known(&m->roots, i);
		task = atomic_load_explicit(&r->task, memory_order_relaxed);
		if (__atomic_load_n(&task_at(m, task)->parent,
			__ATOMIC_ACQUIRE) != TASK_NONE)
			continue; /* has found its parent */
		if (n < max)
			out[n] = task;
		n++;
	}
	return (n);
}

uint32_t
model_task_levels(const struct model *m, uint32_t root)
{
	const struct task_root *r;
	uint32_t i, levels = 0;
	struct retired *ret = (struct retired *)&m->retired;
	unsigned door;

	door = retired_enter(ret);
	i = idmap_find(&m->root_map, root);
	if (i != IDMAP_NONE) {
		r = chunk_known(&m->roots, i);
		levels = atomic_load_explicit(&r->levels, memory_order_relaxed);
	}
	retired_leave(ret, door);
	return (levels);
}

uint32_t
model_pes(const struct model *m)
{
	return (atomic_load_explicit(&m->npes, memory_order_relaxed));
}

uint64_t
model_tree_version(const struct model *m)
{
	return (atomic_load_explicit(&m->tree_version, memory_order_acquire));
}

uint32_t
model_tree_generation(const struct model *m)
{
	return (atomic_load(&m->generation));
}
