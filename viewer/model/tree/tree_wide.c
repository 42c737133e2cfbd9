/*
 * See tree_wide.h: which tasks have blocks of their children, and when.  A
 * task becomes wide when all that is below it has been counted: until then
 * only the number of its children is kept.  tree_wide_blocks.c keeps them.
 *
 * What readers find out about tasks with very many children: which have
 * blocks, what those add up to, in which one a child is.  The blocks are
 * published with the number of children that they count.
 */
#include "model/tree/tree_wide_inside.h"

#include <errno.h>

#include "model/keep/memory.h"
#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"

void
tree_wide_told(struct model *m, uint32_t parent, uint32_t child, uint32_t size,
    uint64_t depths)
{
	struct tree_wide *w = wide_of_task(m, parent);

	if (w != NULL && atomic_load(&w->kids) > 0)
		wide_told(m, w, child, size, depths);
}

/* With what is told of them. */
static void
wide_fill(struct model *m, struct tree_wide *w)
{
	uint32_t size, n = 0;
	uint64_t depths;

	for (uint32_t c = model_task_first(m, w->task); c != TASK_NONE;
	     c = model_task_next(m, c), n++) {
		size = task_counts(m, c, &depths);
		if (wide_append(m, w, c) == -1) {
			wide_empty(m, w);
			return;
		}
		wide_add(w, n >> WIDE_BITS, size, depths);
	}
}

/* Those that have found a parent, were given up or stand alone are not
 * counted. */
static void
wide_fill_roots(struct model *m, struct tree_wide *w)
{
	uint32_t task, size;
	uint64_t depths;

	for (uint32_t i = 0; i < shape_of(m)->nroots; i++) {
		task = tree_root_at(m, i);
		if (wide_append(m, w, task) == -1) {
			wide_empty(m, w);
			return;
		}
		if (task == TASK_NONE)
			continue;
		if (tree_is_single(m, task))
			continue;
		size = task_counts(m, task, &depths);
		wide_add(w, i >> WIDE_BITS, size, depths);
	}
}

/* Returns its number; UINT32_MAX: ENOMEM. */
static uint32_t
wide_new(struct model *m, uint32_t task)
{
	uint32_t n = wides_of(m)->wide_free != UINT32_MAX
			 ? wides_of(m)->wide_free
			 : wides_of(m)->nwides;
	struct tree_wide *w =
	    chunk_make(&wides_of(m)->wides, n, &held_of(m)->bytes);

	if (w == NULL) {
		held_of(m)->failed = ENOMEM;
		return (UINT32_MAX);
	}
	if (n == wides_of(m)->wide_free)
		wides_of(m)->wide_free = w->task;
	else
		PUT(wides_of(m)->nwides, n + 1);
	w->task = task;
	return (n);
}

static void
wide_make(struct model *m, uint32_t task)
{
	struct task_big *b = big_of(m, hot_at(m, task));
	uint32_t n;

	if (b == NULL || b->kids & KIDS_WIDE)
		return;
	n = wide_new(m, task);
	if (n == UINT32_MAX)
		return;
	wide_fill(m, wide_at(m, n));
	tree_wide_note(m, task);
	__atomic_store_n(&b->kids, KIDS_WIDE | n, __ATOMIC_RELEASE);
}

static void
tree_wide_due(struct model *m, uint32_t task)
{
	struct task_count *c = &shape_of(m)->count;
	uint32_t cap = c->due_cap == 0 ? 64 : c->due_cap * 2, *due;

	if (c->ndue == c->due_cap) {
		due = memory_grow(c->due, cap * sizeof(*due));
		if (due == NULL) {
			held_of(m)->failed = ENOMEM;
			return;
		}
		c->due = due;
		c->due_cap = cap;
	}
	c->due[c->ndue++] = task;
}

void
tree_wide_settle(struct model *m)
{
	bool roots = shape_of(m)->nroots >= WIDE_LEAST &&
		     (wides_of(m)->nwides == 0 ||
			 atomic_load(&wide_at(m, 0)->kids) == 0);

	if (shape_of(m)->count.ndue == 0 && !roots)
		return;
	if (wides_of(m)->nwides == 0 && wide_new(m, TASK_NONE) == UINT32_MAX)
		return;
	if (roots)
		wide_fill_roots(m, wide_at(m, 0));
	for (uint32_t i = 0; i < shape_of(m)->count.ndue; i++)
		wide_make(m, shape_of(m)->count.due[i]);
	shape_of(m)->count.ndue = 0;
}

uint32_t
tree_wide_kids(struct model *m, const struct task_hot *t)
{
	uint32_t n = 0, c = t->last;

	if (c == TASK_NONE)
		return (0);
	do {
		c = hot_at(m, c)->next;
		n++;
	} while (c != t->last);
	if (n >= WIDE_LEAST)
		tree_wide_due(m, hot_at(m, c)->parent);
	return (n);
}

void
tree_wide_hung(struct model *m, uint32_t parent, uint32_t child)
{
	struct task_big *b = big_of(m, hot_at(m, parent));

	if (b->kids & KIDS_WIDE)
		wide_append(m, wide_at(m, b->kids & ~KIDS_WIDE), child);
	else if (++b->kids == WIDE_LEAST)
		tree_wide_due(m, parent);
}

void
tree_wide_root(struct model *m, uint32_t task)
{
	struct tree_wide *w = wides_of(m)->nwides > 0 ? wide_at(m, 0) : NULL;

	if (w != NULL && atomic_load(&w->kids) > 0)
		wide_append(m, w, task);
}

void
tree_wide_again(struct model *m, uint32_t task)
{
	struct tree_wide *w = wide_of_task(m, task);

	if (w == NULL || atomic_load(&w->kids) == 0)
		return;
	wide_empty(m, w);
	if (task == TASK_NONE)
		wide_fill_roots(m, w);
	else
		wide_fill(m, w);
}

void
tree_wide_free(struct model *m, uint32_t n)
{
	struct tree_wide *w = wide_at(m, n);

	wide_empty(m, w);
	w->task = wides_of(m)->wide_free;
	wides_of(m)->wide_free = n;
}

void
tree_wide_init(struct model *m)
{
	chunk_init(&wides_of(m)->wides, sizeof(struct tree_wide), 2);
	wides_of(m)->wide_free = UINT32_MAX;
}

void
tree_wide_clear(struct model *m)
{
	struct tree_wide *w;

	for (uint32_t i = 0; i < wides_of(m)->nwides; i++) {
		w = wide_at(m, i);
		for (unsigned l = 0; l < WIDE_LEVELS; l++)
			memory_free(atomic_load(&w->block[l]));
		memory_free(atomic_load(&w->before));
	}
	memory_free(shape_of(m)->count.due);
	chunk_clear(&wides_of(m)->wides);
	idmap_clear(&wides_of(m)->wide_odd);
}

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
