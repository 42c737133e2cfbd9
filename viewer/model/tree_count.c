/*
 * The radial layout needs size and sum of levels of every subtree.  A new
 * task adds to all its ancestors: this is done once per frame of the log, and
 * level by level from the deepest, so that what many new tasks add to the
 * same ancestor is added once.  A chain of a million tasks costs one pass per
 * frame and not one per task.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/tree_inside.h"

/* How many counters ahead memory is asked for. */
#define PEND_FAR 16
#define PEND_MID 8

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
void
tree_count(struct model *m, uint32_t task, uint32_t size, uint64_t sumlevel,
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

/* Some of the list behind one of its entries; the first of the rest. */
static uint32_t
pend_skip(const struct model *m, uint32_t at, unsigned n)
{
	while (n-- > 0 && at != 0) {
		at = m->pend[at - 1].next;
		if (at != 0)
			tree_ahead_task(m, m->pend[at - 1].task);
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
					tree_ahead_task(m, up);
				mid = m->pend[mid - 1].next;
			}
			p = m->pend[at - 1];
			t = task_at(m, p.task);
			ADD(t->size, p.size);
			ADD(t->sumlevel, p.sumlevel);
			if (t->parent != TASK_NONE) {
				tree_count(m, t->parent, p.size, p.sumlevel,
				    p.deep);
				continue;
			}
			r = tree_root(m, p.task);
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
