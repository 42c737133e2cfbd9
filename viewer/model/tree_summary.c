/*
 * Summaries of tasks that were given up.  The levels are kept from the
 * deepest up, so that one more above them is put at the end, and the smaller
 * of two that become one is added to the larger: a chain of a million tasks
 * is summed up in as many steps.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/memory.h"
#include "model/tree_forget.h"

/* Twice as large, by copying: a reader may be looking. */
static void *
larger(struct model *m, void *old, uint32_t *cap, size_t each)
{
	uint32_t n = *cap == 0 ? 4 : *cap * 2;
	void *p = memory_zero(n, each);

	if (p == NULL) {
		m->failed = ENOMEM;
		return (NULL);
	}
	if (old != NULL)
		memcpy(p, old, *cap * each);
	atomic_fetch_add(&m->bytes, (n - *cap) * each);
	*cap = n;
	return (p);
}

struct task_summary *
summary_new(struct model *m)
{
	struct task_summary *s = memory_zero(1, sizeof(*s));

	if (s == NULL) {
		m->failed = ENOMEM;
		return (NULL);
	}
	s->t0_ns = INT64_MAX;
	s->t1_ns = INT64_MIN;
	atomic_fetch_add(&m->bytes, sizeof(*s));
	return (s);
}

void
summary_free(struct model *m, struct task_summary *s)
{
	if (s == NULL)
		return;
	atomic_fetch_sub(&m->bytes, sizeof(*s) +
					s->level_cap * sizeof(*s->level) +
					s->name_cap * sizeof(*s->names));
	retired_add(&m->retired, s->level);
	retired_add(&m->retired, s->names);
	retired_add(&m->retired, s);
}

int
summary_raise(struct model *m, struct task_summary *s)
{
	uint32_t *level;

	if (s->nlevels == s->level_cap) {
		level = larger(m, s->level, &s->level_cap, sizeof(*level));
		if (level == NULL)
			return (-1);
		retired_add(&m->retired, s->level);
		s->level = level;
	}
	s->level[s->nlevels++] = 0;
	return (0);
}

static int
add_name(struct model *m, struct task_summary *s, uint32_t name, uint32_t tasks,
    int64_t busy_ns)
{
	struct summary_name *names;
	uint32_t i;

	for (i = 0; i < s->nnames && s->names[i].name != name; i++)
		;
	if (i == SUMMARY_NAMES)
		i--; /* the last one stands for all others */
	if (i == s->nnames) {
		if (s->nnames == s->name_cap) {
			names =
			    larger(m, s->names, &s->name_cap, sizeof(*names));
			if (names == NULL)
				return (-1);
			retired_add(&m->retired, s->names);
			s->names = names;
		}
		s->names[s->nnames++].name = i + 1 == SUMMARY_NAMES ? 0 : name;
	}
	s->names[i].tasks += tasks;
	s->names[i].busy_ns += busy_ns;
	return (0);
}

int
summary_add_task(struct model *m, struct task_summary *s, uint32_t task)
{
	int64_t t0 = task_begin_ns(m, task), t1 = task_end_ns(m, task);
	int64_t busy = task_busy_ns(m, task);

	if (s->nlevels == 0 && summary_raise(m, s) == -1)
		return (-1);
	s->level[s->nlevels - 1]++;
	s->tasks++;
	s->suspended += model_task_suspended(m, task);
	s->busy_ns += busy;
	if (t0 != INT64_MIN && t0 < s->t0_ns)
		s->t0_ns = t0;
	if (t1 > s->t1_ns)
		s->t1_ns = t1;
	return (add_name(m, s, task_name(m, task), 1, busy));
}

static void
swap_levels(struct task_summary *a, struct task_summary *b)
{
	uint32_t *level = a->level, n = a->nlevels, cap = a->level_cap;

	a->level = b->level;
	a->nlevels = b->nlevels;
	a->level_cap = b->level_cap;
	b->level = level;
	b->nlevels = n;
	b->level_cap = cap;
}

int
summary_merge(struct model *m, struct task_summary *a, struct task_summary *b)
{
	if (a->nlevels < b->nlevels)
		swap_levels(a, b);
	for (uint32_t i = 1; i <= b->nlevels; i++)
		a->level[a->nlevels - i] += b->level[b->nlevels - i];
	a->tasks += b->tasks;
	a->suspended += b->suspended;
	a->busy_ns += b->busy_ns;
	a->t0_ns = b->t0_ns < a->t0_ns ? b->t0_ns : a->t0_ns;
	a->t1_ns = b->t1_ns > a->t1_ns ? b->t1_ns : a->t1_ns;
	for (uint32_t i = 0; i < b->nnames; i++)
		if (add_name(m, a, b->names[i].name, b->names[i].tasks,
			b->names[i].busy_ns) == -1)
			return (-1);
	summary_free(m, b);
	return (0);
}

int
summary_put(struct model *m, uint32_t task, struct task_summary *s)
{
	uint32_t i = m->summary_free, *end = task_end_at(m, task);
	struct task_summary **at;

	if (i != UINT32_MAX)
		m->summary_free = *(uint32_t *)chunk_known(&m->summary_next, i);
	else
		i = m->nsummaries;
	at = chunk_make(&m->summaries, i, &m->bytes);
	if (at == NULL || end == NULL ||
	    chunk_make(&m->summary_next, i, &m->bytes) == NULL) {
		m->failed = ENOMEM;
		return (-1);
	}
	m->nsummaries += i == m->nsummaries;
	__atomic_store_n(at, s, __ATOMIC_RELEASE);
	PUT(warm_at(m, task)->id, i);
	PUT(warm_at(m, task)->place, 0);
	task_set_name(m, task, 0);
	__atomic_store_n(end, END_SUMMARY, __ATOMIC_RELEASE);
	return (0);
}

struct task_summary *
summary_take(struct model *m, uint32_t task)
{
	uint32_t i = warm_at(m, task)->id;
	struct task_summary **at = chunk_known(&m->summaries, i), *s = *at;

	__atomic_store_n(at, NULL, __ATOMIC_RELEASE);
	*(uint32_t *)chunk_known(&m->summary_next, i) = m->summary_free;
	m->summary_free = i;
	return (s);
}

void
summaries_clear(struct model *m)
{
	struct task_summary **at;

	for (uint32_t i = 0; i < m->nsummaries; i++) {
		at = chunk_known(&m->summaries, i);
		if (*at == NULL)
			continue;
		memory_free((*at)->level);
		memory_free((*at)->names);
		memory_free(*at);
	}
	chunk_clear(&m->summaries);
	chunk_clear(&m->summary_next);
}
