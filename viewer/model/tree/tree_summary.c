/*
 * Summaries of tasks that were given up.  The levels are kept from the
 * deepest up, so that one more above them is put at the end, and the smaller
 * of two that become one is added to the larger: a chain of a million tasks
 * is summed up in as many steps.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/keep/memory.h"
#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"

/* An array knows its own length: the count that a reader has seen may be that
 * of another one. */
#define HEAD 16

static uint32_t
length_of(const void *array)
{
	uint32_t n = 0;

	if (array != NULL)
		memcpy(&n, (const char *)array - HEAD, sizeof(n));
	return (n);
}

static void
array_retire(struct model *m, void *array)
{
	if (array != NULL)
		retired_add(&held_of(m)->retired, (char *)array - HEAD);
}

static void
array_free(void *array)
{
	if (array != NULL)
		memory_free((char *)array - HEAD);
}

/* Twice as large, by copying: a reader may be looking. */
static void *
larger(struct model *m, void *old, size_t each)
{
	uint32_t was = length_of(old), n = was == 0 ? 4 : was * 2;
	char *p = memory_zero(1, HEAD + n * each);

	if (p == NULL) {
		held_of(m)->failed = ENOMEM;
		return (NULL);
	}
	memcpy(p, &n, sizeof(n));
	p += HEAD;
	if (old != NULL)
		memcpy(p, old, was * each);
	array_retire(m, old);
	atomic_fetch_add(&held_of(m)->bytes, (n - was) * each);
	return (p);
}

void
summary_read(const struct task_summary *s, struct task_sums *out)
{
	uint32_t n;

	*out = (struct task_sums){ .tasks = SEE(s->tasks),
		.suspended = SEE(s->suspended),
		.t0_mon_ns = SEE(s->t0_ns),
		.t1_mon_ns = SEE(s->t1_ns),
		.busy_ns = SEE(s->busy_ns),
		.levels = SEE(s->nlevels),
		.level = __atomic_load_n(&s->level, __ATOMIC_ACQUIRE),
		.names = __atomic_load_n(&s->names, __ATOMIC_ACQUIRE),
		.nnames = SEE(s->nnames) };
	n = length_of(out->level);
	out->levels = out->levels < n ? out->levels : n;
	n = length_of(out->names);
	out->nnames = out->nnames < n ? out->nnames : n;
}

struct summary_name
model_task_sums_name(const struct task_sums *s, uint32_t i)
{
	return ((struct summary_name){ SEE(s->names[i].name),
	    SEE(s->names[i].tasks), SEE(s->names[i].busy_ns) });
}

struct task_summary *
summary_new(struct model *m)
{
	struct task_summary *s = memory_zero(1, sizeof(*s));

	if (s == NULL) {
		held_of(m)->failed = ENOMEM;
		return (NULL);
	}
	s->t0_ns = INT64_MAX;
	s->t1_ns = INT64_MIN;
	atomic_fetch_add(&held_of(m)->bytes, sizeof(*s));
	return (s);
}

static void
summary_free(struct model *m, struct task_summary *s)
{
	if (s == NULL)
		return;
	atomic_fetch_sub(&held_of(m)->bytes,
	    sizeof(*s) + length_of(s->level) * sizeof(*s->level) +
		length_of(s->names) * sizeof(*s->names));
	array_retire(m, s->level);
	array_retire(m, s->names);
	retired_add(&held_of(m)->retired, s);
}

int
summary_raise(struct model *m, struct task_summary *s)
{
	uint32_t *level;

	if (s->nlevels == length_of(s->level)) {
		level = larger(m, s->level, sizeof(*level));
		if (level == NULL)
			return (-1);
		__atomic_store_n(&s->level, level, __ATOMIC_RELEASE);
	}
	PUT(s->level[s->nlevels], 0);
	PUT(s->nlevels, s->nlevels + 1);
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
		if (s->nnames == length_of(s->names)) {
			names = larger(m, s->names, sizeof(*names));
			if (names == NULL)
				return (-1);
			__atomic_store_n(&s->names, names, __ATOMIC_RELEASE);
		}
		PUT(s->names[i].name, i + 1 == SUMMARY_NAMES ? 0 : name);
		PUT(s->nnames, i + 1);
	}
	ADD(s->names[i].tasks, tasks);
	ADD(s->names[i].busy_ns, busy_ns);
	return (0);
}

int
summary_add_task(struct model *m, struct task_summary *s, uint32_t task)
{
	int64_t t0 = task_begin_ns(m, task), t1 = task_end_ns(m, task);
	int64_t busy = task_busy_ns(m, task);

	if (s->nlevels == 0 && summary_raise(m, s) == -1)
		return (-1);
	ADD(s->level[s->nlevels - 1], 1);
	ADD(s->tasks, 1);
	ADD(s->suspended, model_task_suspended(m, task));
	ADD(s->busy_ns, busy);
	if (t0 != INT64_MIN && t0 < s->t0_ns)
		PUT(s->t0_ns, t0);
	if (t1 > s->t1_ns)
		PUT(s->t1_ns, t1);
	return (add_name(m, s, task_name(m, task), 1, busy));
}

static void
swap_levels(struct task_summary *a, struct task_summary *b)
{
	uint32_t *level = a->level, n = a->nlevels;

	__atomic_store_n(&a->level, b->level, __ATOMIC_RELEASE);
	PUT(a->nlevels, b->nlevels);
	__atomic_store_n(&b->level, level, __ATOMIC_RELEASE);
	PUT(b->nlevels, n);
}

int
summary_merge(struct model *m, struct task_summary *a, struct task_summary *b)
{
	if (a->nlevels < b->nlevels)
		swap_levels(a, b);
	for (uint32_t i = 1; i <= b->nlevels; i++)
		ADD(a->level[a->nlevels - i], b->level[b->nlevels - i]);
	ADD(a->tasks, b->tasks);
	ADD(a->suspended, b->suspended);
	ADD(a->busy_ns, b->busy_ns);
	PUT(a->t0_ns, b->t0_ns < a->t0_ns ? b->t0_ns : a->t0_ns);
	PUT(a->t1_ns, b->t1_ns > a->t1_ns ? b->t1_ns : a->t1_ns);
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
	uint32_t i = gone_of(m)->summary_free, *end = task_end_at(m, task);
	struct task_summary **at;

	if (i != UINT32_MAX)
		gone_of(m)->summary_free =
		    *(uint32_t *)chunk_known(&gone_of(m)->summary_next, i);
	else
		i = gone_of(m)->nsummaries;
	at = chunk_make(&gone_of(m)->summaries, i, &held_of(m)->bytes);
	if (at == NULL || end == NULL ||
	    chunk_make(&gone_of(m)->summary_next, i, &held_of(m)->bytes) ==
		NULL) {
		held_of(m)->failed = ENOMEM;
		return (-1);
	}
	gone_of(m)->nsummaries += i == gone_of(m)->nsummaries;
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
	struct task_summary **at = chunk_known(&gone_of(m)->summaries, i),
			    *s = *at;

	__atomic_store_n(at, NULL, __ATOMIC_RELEASE);
	*(uint32_t *)chunk_known(&gone_of(m)->summary_next, i) =
	    gone_of(m)->summary_free;
	gone_of(m)->summary_free = i;
	return (s);
}

void
summaries_clear(struct model *m)
{
	struct task_summary **at;

	for (uint32_t i = 0; i < gone_of(m)->nsummaries; i++) {
		at = chunk_known(&gone_of(m)->summaries, i);
		if (*at == NULL)
			continue;
		array_free((*at)->level);
		array_free((*at)->names);
		memory_free(*at);
	}
	chunk_clear(&gone_of(m)->summaries);
	chunk_clear(&gone_of(m)->summary_next);
}
