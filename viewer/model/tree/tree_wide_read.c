/*
 * What readers find out about tasks with very many children: which have
 * blocks, what those add up to, in which one a child is.  The blocks are
 * published with the number of children that they count.
 */
#include "model/tree/tree_wide_inside.h"

struct tree_wide *
wide_of_task(const struct model *m, uint32_t task)
{
	const struct task_big *b;
	uint32_t kids;

	if (task == TASK_NONE)
		return (SEE(wides_of(m)->nwides) > 0 ? wide_at(m, 0) : NULL);
	b = big_of(m, hot_at(m, task));
	kids = b == NULL ? 0 : __atomic_load_n(&b->kids, __ATOMIC_ACQUIRE);
	return (kids & KIDS_WIDE ? wide_at(m, kids & ~KIDS_WIDE) : NULL);
}

bool
model_task_wide(const struct model *m, uint32_t task, struct wide_view *out)
{
	const struct tree_wide *w = wide_of_task(m, task);

	if (w == NULL)
		return (false);
	/* what is counted is there */
	out->kids = atomic_load_explicit(&w->kids, memory_order_acquire);
	if (out->kids == 0)
		return (false);
	out->in_order = atomic_load(&w->before) == NULL;
	for (out->levels = 0; out->levels < WIDE_LEVELS; out->levels++) {
		out->block[out->levels] =
		    atomic_load_explicit(&w->block[out->levels],
			memory_order_acquire);
		if (wide_blocks(out, out->levels) <= WIDE_KIDS) {
			out->levels++;
			break;
		}
	}
	return (true);
}

uint32_t
wide_total(const struct wide_view *w, uint64_t *depths)
{
	const struct wide_block *b = w->block[w->levels - 1];
	uint32_t n = wide_blocks(w, w->levels - 1), size = 0;

	*depths = 0;
	for (uint32_t i = 0; i < n; i++) {
		size += WIDE_SEE(b[i].size);
		*depths += WIDE_SEE(b[i].depths);
	}
	return (size);
}

/* The last of n blocks whose number is not above the child's. */
static uint32_t
bisect(const uint32_t *number, size_t stride, uint32_t n, uint32_t child)
{
	uint32_t lo = 0, mid;

	if (SEE(number[(size_t)(n - 1) * stride]) <= child)
		return (n - 1); /* most often */
	while (n - lo > 1) {
		mid = lo + (n - lo) / 2;
		if (SEE(number[(size_t)mid * stride]) <= child)
			lo = mid;
		else
			n = mid;
	}
	return (lo);
}

uint32_t
wide_place(const struct model *m, const struct tree_wide *w, uint32_t child)
{
	const uint32_t *before =
	    atomic_load_explicit(&w->before, memory_order_acquire);
	const struct wide_block *block =
	    atomic_load_explicit(&w->block[0], memory_order_acquire);
	uint32_t kids = atomic_load_explicit(&w->kids, memory_order_acquire);
	uint32_t n = (kids + WIDE_KIDS - 1) >> WIDE_BITS, odd;

	if (w->task == TASK_NONE)
		return (idmap_find(&shape_of(m)->root_map, child) >> WIDE_BITS);
	if (n == 0 || child == 0)
		return (0);
	if (before == NULL)
		return (bisect(&block->first,
		    sizeof(*block) / sizeof(block->first), n, child));
	odd = idmap_find(&wides_of(m)->wide_odd, child);
	return (odd != IDMAP_NONE ? odd : bisect(before, 1, n, child - 1));
}

uint32_t
model_wide_find(const struct model *m, uint32_t task, uint32_t child)
{
	return (wide_place(m, wide_of_task(m, task), child));
}
