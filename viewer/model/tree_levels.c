/*
 * Sums over all subtrees at once, for trees of which some levels are not
 * shown: from the last number to the first, each adds what it has to its
 * parent.  A parent that came late comes before its children here, so it is
 * told to all above it.
 */
#include <string.h>

#include "model/tree_forget.h"

struct sums {
	const struct model *m;
	const uint32_t *value;
	uint32_t nvalues, *count;
	uint64_t *sum;
};

static void
add_level(const struct sums *s, uint32_t level, uint32_t tasks, uint32_t *count,
    uint64_t *sum)
{
	uint32_t v = level < s->nvalues ? s->value[level] : UINT32_MAX;

	if (v == UINT32_MAX)
		return;
	*count += tasks;
	*sum += (uint64_t)v * tasks;
}

static void
add_summary(const struct sums *s, uint32_t task, uint32_t level,
    uint32_t *count, uint64_t *sum)
{
	const struct task_summary *x = summary_of(s->m, task);

	for (uint32_t d = 0; x != NULL && d < x->nlevels; d++)
		add_level(s, level + d, x->level[x->nlevels - 1 - d], count,
		    sum);
}

static void
add_above(const struct sums *s, uint32_t up, uint32_t count, uint64_t sum)
{
	uint32_t at;

	for (; up != TASK_NONE; up = model_task_parent(s->m, up)) {
		at = model_task_place(s->m, up);
		s->count[at] += count;
		s->sum[at] += sum;
	}
}

static void
add_task(const struct sums *s, const struct task_piece *p, uint32_t i,
    uint32_t k, const uint32_t *end)
{
	uint32_t at = p->first + k, up = SEE(p->hot[k].parent);
	uint32_t count = s->count[at], level = task_level(s->m, i);
	uint64_t sum = s->sum[at];

	if (end != NULL && SEE(end[k]) == END_SUMMARY)
		add_summary(s, i, level, &count, &sum);
	else
		add_level(s, level, 1, &count, &sum);
	s->count[at] = count;
	s->sum[at] = sum;
	if (up == TASK_NONE || count == 0)
		return;
	if (up > i) {
		add_above(s, up, count, sum);
		return;
	}
	at = model_task_place(s->m, up);
	s->count[at] += count;
	s->sum[at] += sum;
}

void
model_task_sum_levels(const struct model *m, uint32_t n, const uint32_t *value,
    uint32_t nvalues, uint32_t *count, uint64_t *sum)
{
	const struct sums s = { m, value, nvalues, count, sum };
	const struct task_piece *p = NULL;
	const uint32_t *end = NULL;
	uint32_t k;

	if (n == 0)
		return;
	k = model_task_place(m, n - 1) + 1;
	memset(count, 0, k * sizeof(*count));
	memset(sum, 0, k * sizeof(*sum));
	for (uint32_t i = n; i-- > 0;) {
		if (p == NULL || (i + 1) % PIECE_TASKS == 0) {
			p = piece_of(m, i);
			end = atomic_load(&p->end);
		}
		k = rank_in(p, i);
		if (p->rank != NULL && k == p->rank->n)
			continue;
		add_task(&s, p, i, k, end);
	}
}
