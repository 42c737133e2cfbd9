/*
 * The radial layout needs size and sum of depths of every subtree.  A new
 * task adds to all its ancestors: this is done once per frame of the log, and
 * level by level from the deepest, so that what many new tasks add to the
 * same ancestor is added once.  A chain of a million tasks costs one pass per
 * frame and not one per task.
 *
 * As soon as all that is left goes the same way up, it is carried there
 * without any lists.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/tree_inside.h"

struct task_pend {
	uint32_t task, size, next, deep; /* next: of its level, + 1; 0: none */
	uint64_t sum;
};

static uint32_t
hash_of(const struct task_count *c, uint32_t task)
{
	return ((task * 0x9e3779b1u) >> c->shift);
}

/* Where the place of a task's entry, + 1, is or goes. */
static uint32_t *
pend_slot(const struct task_count *c, uint32_t task)
{
	uint32_t i = hash_of(c, task);

	while (c->slot[i] != 0 && c->pend[c->slot[i] - 1].task != task)
		i = (i + 1) & (c->slots - 1);
	return (&c->slot[i]);
}

/* Twice as many slots, or the first ones. */
static int
slots_grow(struct model *m)
{
	struct task_count *c = &m->count;
	uint32_t n = c->slots == 0 ? 4096 : c->slots * 2;
	uint32_t *slot = calloc(n, sizeof(*slot));

	if (slot == NULL)
		return (-1);
	free(c->slot);
	c->slot = slot;
	c->slots = n;
	c->shift = 32 - (unsigned)__builtin_ctz(n);
	for (uint32_t i = 0; i < c->n; i++)
		*pend_slot(c, c->pend[i].task) = i + 1;
	return (0);
}

static int
pend_reserve(struct model *m, uint32_t level)
{
	struct task_count *c = &m->count;
	struct task_pend *p;
	uint32_t *v, cap;

	if (c->n == c->cap) {
		cap = c->cap == 0 ? 1024 : c->cap * 2;
		p = realloc(c->pend, cap * sizeof(*p));
		if (p == NULL)
			return (-1);
		c->pend = p;
		c->cap = cap;
	}
	if (level >= c->levels) {
		cap = level + 256 + level / 2;
		v = realloc(c->level, cap * sizeof(*v));
		if (v == NULL)
			return (-1);
		memset(v + c->levels, 0, (cap - c->levels) * sizeof(*v));
		c->level = v;
		c->levels = cap;
	}
	return (c->n * 2 >= c->slots ? slots_grow(m) : 0);
}

void
tree_count(struct model *m, uint32_t task, uint32_t level, uint32_t size,
    uint64_t sum, uint32_t deep)
{
	struct task_count *c = &m->count;
	uint32_t *slot;
	struct task_pend *p;

	if (pend_reserve(m, level) == -1) {
		m->failed = ENOMEM;
		return;
	}
	slot = pend_slot(c, task);
	if (*slot != 0) {
		p = &c->pend[*slot - 1];
		p->size += size;
		p->sum += sum;
		if (deep > p->deep)
			p->deep = deep;
		return;
	}
	__builtin_prefetch(hot_at(m, task));
	c->pend[c->n] =
	    (struct task_pend){ task, size, c->level[level], deep, sum };
	*slot = c->level[level] = ++c->n;
	c->left++;
	if (level > c->deepest)
		c->deepest = level;
}

static void
root_deepen(struct model *m, uint32_t root, uint32_t deep)
{
	struct task_root *r = tree_root(m, root);

	if (r != NULL && deep + 1 > r->levels)
		atomic_store(&r->levels, deep + 1);
}

/* The only one that is left goes up to the root. */
static void
carry_up(struct model *m, const struct task_pend *p)
{
	uint32_t task = p->task, up;
	uint64_t sum = p->sum;
	struct task_hot *t;

	for (;; task = up, sum += p->size) {
		t = hot_at(m, task);
		up = t->parent;
		task_add_counts(m, t, p->size, sum);
		if (up == TASK_NONE)
			break;
	}
	root_deepen(m, task, p->deep);
}

static void
settle_one(struct model *m, const struct task_pend *p, uint32_t level)
{
	struct task_hot *t = hot_at(m, p->task);

	task_add_counts(m, t, p->size, p->sum);
	if (t->parent == TASK_NONE)
		root_deepen(m, p->task, p->deep);
	else
		tree_count(m, t->parent, level - 1, p->size, p->sum + p->size,
		    p->deep);
}

/* Large tables are not cleared for a few. */
static void
slots_clear(struct task_count *c)
{
	uint32_t at;

	if (c->n > c->slots / 16) {
		memset(c->slot, 0, c->slots * sizeof(*c->slot));
		return;
	}
	for (uint32_t i = 0; i < c->n; i++) {
		at = hash_of(c, c->pend[i].task);
		for (; c->slot[at] != 0; at = (at + 1) & (c->slots - 1))
			c->slot[at] = 0;
	}
}

static void
settle(struct model *m)
{
	struct task_count *c = &m->count;
	struct task_pend p;
	uint32_t at;

	for (uint32_t l = c->deepest + 1; l-- > 0 && c->left > 0;) {
		at = c->level[l];
		c->level[l] = 0;
		for (; at != 0; at = p.next) {
			p = c->pend[at - 1];
			if (--c->left == 0)
				carry_up(m, &p);
			else
				settle_one(m, &p, l);
		}
	}
	slots_clear(c);
	c->n = c->left = c->deepest = 0;
}

void
tree_settle(struct model *m)
{
	if (m->count.n > 0)
		settle(m);
	if (m->tree_changed)
		atomic_fetch_add_explicit(&m->tree_version, 1,
		    memory_order_release);
	m->tree_changed = 0;
}

void
tree_count_clear(struct model *m)
{
	free(m->count.pend);
	free(m->count.level);
	free(m->count.slot);
}
