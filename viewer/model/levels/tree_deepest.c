/*
 * How deep a subtree is, without looking at all of it: the deepest task of all
 * that lies below its root is the answer, and of a large subtree that is one of
 * the first few.  Levels are 2 bytes a task in a row, so the deepest are soon
 * found; each is followed upwards until it is below the root or past it.
 *
 * Not for trees whose parents came late, or of which tasks were given up.
 */
#include "model/levels/tree_levels.h"

#include <stdlib.h>
#include <string.h>

#include "model/tree/tree_store.h"

#define HOPS      20000  /* upwards, before the others are looked at */
#define HOPS_MOST 200000 /* where levels are many: those lie close together */
#define HOPS_SCAN 10     /* that a look at a piece's levels counts for */

typedef uint16_t levels_8 __attribute__((vector_size(16)));

struct search {
	const struct model *m;
	uint32_t root, from, to;
	uint32_t first, pieces; /* of those tasks */
	uint32_t *top;          /* deepest level of each piece */
	uint32_t hops;          /* left */
};

enum found {
	NOT_FOUND,
	FOUND,
	TOO_MANY
};

/* The tasks of a piece that are looked at, from the first on. */
static uint32_t
tasks_of(const struct search *s, uint32_t piece, uint32_t *from)
{
	uint32_t base = piece << PIECE_BITS, end = base + PIECE_TASKS;

	*from = base < s->from ? s->from : base;
	return ((end > s->to ? s->to : end) - *from);
}

/*
 * Eight at a time, which is four times as fast.  Those of tasks that are there
 * do not change in such a tree.
 */
static uint32_t
top_of(const uint16_t *level, uint32_t n)
{
	levels_8 top = { 0 }, v, more;
	uint32_t i = 0, best = 0;

	for (; i + 8 <= n; i += 8) {
		memcpy(&v, level + i, sizeof(v));
		more = (levels_8)(v > top);
		top = (v & more) | (top & ~more);
	}
	for (int k = 0; k < 8; k++)
		best = top[k] > best ? top[k] : best;
	for (; i < n; i++)
		best = level[i] > best ? level[i] : best;
	return (best);
}

/* Of all pieces; false: some have levels that are not that simple. */
static bool
tops_find(struct search *s, uint32_t *deepest)
{
	uint32_t from, n;

	*deepest = 0;
	for (uint32_t i = 0; i < s->pieces; i++) {
		const struct task_piece *p =
		    piece_of(s->m, (s->first + i) << PIECE_BITS);

		if (p->rank != NULL || wide_of(p) != NULL || p->level0 != 0)
			return (false);
		n = tasks_of(s, s->first + i, &from);
		s->top[i] = top_of(p->level + from % PIECE_TASKS, n);
		*deepest = s->top[i] > *deepest ? s->top[i] : *deepest;
	}
	return (true);
}

/* Parents have lower numbers than their children. */
static enum found
is_below(struct search *s, uint32_t t)
{
	while (t != TASK_NONE && t > s->root) {
		if (s->hops == 0)
			return (TOO_MANY);
		s->hops--;
		t = SEE(hot_at(s->m, t)->parent);
	}
	return (t == s->root ? FOUND : NOT_FOUND);
}

static enum found
look_in(struct search *s, uint32_t piece, uint32_t level, bool all)
{
	const uint16_t *v = piece_of(s->m, piece << PIECE_BITS)->level;
	uint32_t from, n = tasks_of(s, piece, &from);
	enum found r;

	if (s->hops < HOPS_SCAN)
		return (TOO_MANY);
	s->hops -= HOPS_SCAN;
	for (uint32_t t = from; t < from + n; t++) {
		if (SEE(v[t % PIECE_TASKS]) != level)
			continue;
		r = is_below(s, t);
		if (r != NOT_FOUND || !all)
			return (r);
	}
	return (NOT_FOUND);
}

/*
 * Is one of this level below the root?  Neighbours are often of one subtree,
 * so first one of each piece is asked, and pieces here and there.
 */
static enum found
look_at(struct search *s, uint32_t level)
{
	uint32_t mask = 1, k;
	enum found r;

	while (mask < s->pieces)
		mask *= 2;
	mask--;
	for (int all = 0; all < 2; all++)
		for (uint32_t i = 0; i <= mask; i++) {
			k = i * 0x9e3779b1u & mask;
			if (k >= s->pieces || s->top[k] < level)
				continue;
			r = look_in(s, s->first + k, level, all != 0);
			if (r != NOT_FOUND)
				return (r);
		}
	return (NOT_FOUND);
}

bool
model_subtree_deepest(const struct model *m, uint32_t root, uint32_t from,
    uint32_t to, uint32_t *deepest)
{
	struct search s = { .m = m,
		.root = root,
		.from = from,
		.to = to,
		.first = from >> PIECE_BITS };
	enum found r = NOT_FOUND;
	uint32_t level;
	bool known;

	if (from >= to)
		return (true);
	s.pieces = ((to - 1) >> PIECE_BITS) - s.first + 1;
	s.top = malloc(s.pieces * sizeof(*s.top));
	known = s.top != NULL && tops_find(&s, &level);
	if (known)
		s.hops = HOPS + (level < HOPS_MOST / 4 ? level * 4 : HOPS_MOST);
	while (known && r == NOT_FOUND && level > *deepest) {
		r = look_at(&s, level);
		if (r == FOUND)
			*deepest = level;
		level--;
	}
	free(s.top);
	return (known && r != TOO_MANY);
}
