/*
 * The blocks of one task's children, or of the roots.  Children are appended,
 * so a child keeps its place until tasks are given up; then the blocks are
 * made anew.  A child is found by its number, since they come in the order of
 * their numbers; those that do not (their parent came to be known late) are in
 * a table, and the blocks say from which number on the others are theirs.
 */
#include "model/tree/tree_wide_inside.h"

#include <errno.h>
#include <string.h>

#include "model/keep/memory.h"

/* Room for one block more; the old ones stay until their readers have left. */
static int
level_reserve(struct model *m, struct tree_wide *w, unsigned level, uint32_t n)
{
	uint32_t was = w->cap[level], cap = was + was / 2 + 8;
	struct wide_block *old = atomic_load(&w->block[level]), *b;

	if (n <= was)
		return (0);
	b = memory_alloc(cap * sizeof(*b));
	if (b == NULL)
		goto fail;
	if (old != NULL)
		memcpy(b, old, was * sizeof(*b));
	memset(b + was, 0, (cap - was) * sizeof(*b));
	atomic_store_explicit(&w->block[level], b, memory_order_release);
	retired_add(&held_of(m)->retired, old);
	atomic_fetch_add(&held_of(m)->bytes, (cap - was) * sizeof(*b));
	w->cap[level] = cap;
	return (0);

fail:
	held_of(m)->failed = ENOMEM;
	return (-1);
}

/* As many as there are blocks. */
static int
before_make(struct model *m, struct tree_wide *w, uint32_t was, uint32_t cap,
    uint32_t n)
{
	const struct wide_block *b = atomic_load(&w->block[0]);
	uint32_t *old = atomic_load(&w->before), *k;

	k = memory_zero(cap, sizeof(*k));
	if (k == NULL) {
		held_of(m)->failed = ENOMEM;
		return (-1);
	}
	if (old != NULL)
		memcpy(k, old, was * sizeof(*k));
	for (uint32_t i = 1; old == NULL && i < n; i++)
		k[i] = b[i].first - 1;
	atomic_store_explicit(&w->before, k, memory_order_release);
	retired_add(&held_of(m)->retired, old);
	atomic_fetch_add(&held_of(m)->bytes,
	    (cap - (old == NULL ? 0 : was)) * sizeof(*k));
	return (0);
}

/* The same, where it was last or in front of that: tasks are counted from the
 * last one on. */
static uint32_t
place_told(struct model *m, struct tree_wide *w, uint32_t child)
{
	const struct wide_block *b =
	    atomic_load_explicit(&w->block[0], memory_order_relaxed);
	uint32_t kids = atomic_load_explicit(&w->kids, memory_order_relaxed);
	uint32_t n = (kids + WIDE_KIDS - 1) >> WIDE_BITS, g = w->guess;

	if (w->task == TASK_NONE || atomic_load(&w->before) != NULL)
		return (wide_place(m, w, child));
	if (g > 0 && g < n && child < b[g].first)
		g--;
	if (g >= n || child < b[g].first ||
	    (g + 1 < n && child >= b[g + 1].first))
		g = wide_place(m, w, child);
	w->guess = g;
	return (g);
}

/* A level that was not needed before begins with what is below it. */
static void
level_begin(struct tree_wide *w, unsigned level, uint32_t blocks)
{
	const struct wide_block *low = atomic_load(&w->block[level - 1]);
	struct wide_block *b = atomic_load(&w->block[level]);

	for (uint32_t i = 0; i < blocks; i++) {
		ADD(b[i >> WIDE_BITS].size, low[i].size);
		ADD(b[i >> WIDE_BITS].depths, low[i].depths);
	}
}

/* For so many children, one of which is new. */
static int
blocks_reserve(struct model *m, struct tree_wide *w, uint32_t kids)
{
	uint32_t was, last = (kids - 1) >> WIDE_BITS;

	for (unsigned l = 0; l < WIDE_LEVELS; l++) {
		was = w->cap[l];
		if (level_reserve(m, w, l, last + 1) == -1)
			return (-1);
		if (l == 0 && atomic_load(&w->before) != NULL &&
		    w->cap[0] > was &&
		    before_make(m, w, was, w->cap[0], last) == -1)
			return (-1);
		if (l > 0 && was == 0)
			level_begin(w, l, last << WIDE_BITS);
		if (last < WIDE_KIDS)
			break;
		last >>= WIDE_BITS;
	}
	return (0);
}

/* One whose number is not above those of its elder siblings. */
static int
note_odd(struct model *m, struct tree_wide *w, uint32_t child, uint32_t block)
{
	if (atomic_load(&w->before) == NULL &&
	    before_make(m, w, 0, w->cap[0], block + 1) == -1)
		return (-1);
	if (idmap_find(&wides_of(m)->wide_odd, child) != IDMAP_NONE)
		idmap_set(&wides_of(m)->wide_odd, child, block);
	else if (idmap_add(&wides_of(m)->wide_odd, child, block,
		     &held_of(m)->retired, &held_of(m)->bytes) == -1)
		held_of(m)->failed = ENOMEM;
	return (held_of(m)->failed == 0 ? 0 : -1);
}

int
wide_append(struct model *m, struct tree_wide *w, uint32_t child)
{
	uint32_t n = atomic_load_explicit(&w->kids, memory_order_relaxed);
	uint32_t block = n >> WIDE_BITS, *before;
	struct wide_block *b;
	bool odd = n > 0 && child <= w->after;

	if (n % WIDE_KIDS == 0 && blocks_reserve(m, w, n + 1) == -1)
		return (-1);
	b = atomic_load_explicit(&w->block[0], memory_order_relaxed);
	if (n % WIDE_KIDS == 0)
		PUT(b[block].first, child);
	odd |= wides_of(m)->wide_odd.n > 0 &&
	       idmap_find(&wides_of(m)->wide_odd, child) != IDMAP_NONE;
	if (odd && w->task != TASK_NONE && note_odd(m, w, child, block) == -1)
		return (-1);
	before = atomic_load_explicit(&w->before, memory_order_relaxed);
	if (before != NULL && n % WIDE_KIDS == 0)
		PUT(before[block], w->after);
	w->after = n == 0 || child > w->after ? child : w->after;
	atomic_store_explicit(&w->kids, n + 1, memory_order_release);
	return (0);
}

void
wide_add(struct tree_wide *w, uint32_t block, uint32_t size, uint64_t depths)
{
	uint32_t kids = atomic_load_explicit(&w->kids, memory_order_relaxed);
	struct wide_block *b;

	for (unsigned l = 0; l < WIDE_LEVELS; l++) {
		b = atomic_load_explicit(&w->block[l], memory_order_relaxed);
		ADD(b[block].size, size);
		ADD(b[block].depths, depths);
		if ((kids - 1) >> WIDE_BITS * (l + 2) == 0)
			break;
		block >>= WIDE_BITS;
	}
}

void
wide_told(struct model *m, struct tree_wide *w, uint32_t child, uint32_t size,
    uint64_t depths)
{
	wide_add(w, place_told(m, w, child), size, depths);
}

void
wide_empty(struct model *m, struct tree_wide *w)
{
	size_t bytes = 0;

	atomic_store(&w->kids, 0);
	for (unsigned l = 0; l < WIDE_LEVELS; l++) {
		retired_add(&held_of(m)->retired, atomic_load(&w->block[l]));
		atomic_store(&w->block[l], NULL);
		bytes += w->cap[l] * sizeof(struct wide_block);
	}
	if (atomic_load(&w->before) != NULL)
		bytes += w->cap[0] * sizeof(uint32_t);
	memset(w->cap, 0, sizeof(w->cap));
	retired_add(&held_of(m)->retired, atomic_load(&w->before));
	atomic_store(&w->before, NULL);
	atomic_fetch_sub(&held_of(m)->bytes, bytes);
}
