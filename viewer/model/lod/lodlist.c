/*
 * Spans of a lane by their number, in the order in which they begin: nodes
 * know how many begin in them, so the k-th is found on one way down, however
 * many there are.  And pieces by their number at an instant.
 */
#include "model/lod/lod.h"
#include "model/lod/lodtree.h"

/* So many begin in this leaf. */
static uint32_t
leaf_begun(const struct lod *l, const struct lod_state *states, uint32_t i,
    struct lod_opened *o)
{
	uint32_t n = 0;

	if (!lod_leaf_open(l, i, false, o))
		return (0);
	for (uint32_t j = 0; j < o->n; j++)
		n += states[o->state[j]].fresh != 0;
	return (n);
}

uint64_t
lod_begun(const struct lod *l, const struct lod_state *states)
{
	const struct lod_node *node;
	struct lod_opened o;
	struct lod_tops t;
	uint64_t n = 0;

	lod_tops(l, &t);
	for (int k = t.top; k >= 0; k--)
		for (uint32_t i = t.from[k]; i < t.to[k]; i++) {
			node = chunk_known(&lod_level_at(l, k)->nodes, i);
			n += node->begun;
		}
	for (uint32_t i = t.leaf; i < t.nleaves; i++)
		n += leaf_begun(l, states, i, &o);
	return (n);
}

/* The k-th that begins in leaf i. */
static int
seek_leaf(const struct lod *l, const struct lod_state *states, uint32_t i,
    uint64_t k, struct lod_cursor *c)
{
	if (!lod_leaf_open(l, i, true, &c->now))
		return (-1);
	c->leaf = c->opened = i;
	for (c->entry = 0; c->entry < c->now.n; c->entry++)
		if (states[c->now.state[c->entry]].fresh != 0 && k-- == 0)
			return (1);
	return (0);
}

/* The same below node i of a level. */
static int
seek_node(const struct lod *l, const struct lod_state *states, int level,
    uint32_t i, uint64_t k, struct lod_cursor *c)
{
	const struct lod_node *kid;

	for (; level > 0; level--) {
		i *= LOD_FAN;
		kid = chunk_at(&lod_level_at(l, level - 1)->nodes, i);
		if (kid == NULL)
			return (-1);
		for (int j = 0; j < LOD_FAN - 1 && k >= kid->begun;
		     j++, kid++, i++)
			k -= kid->begun;
	}
	return (seek_leaf(l, states, i, k, c));
}

int
lod_seek_begun(const struct lod *l, const struct lod_state *states, uint64_t k,
    struct lod_cursor *c)
{
	const struct lod_node *node;
	struct lod_tops t;
	uint32_t n;

	lod_tops(l, &t);
	c->nleaves = t.nleaves;
	c->opened = UINT32_MAX;
	for (int level = t.top; level >= 0; level--)
		for (uint32_t i = t.from[level]; i < t.to[level]; i++) {
			node = chunk_known(&lod_level_at(l, level)->nodes, i);
			if (k < node->begun)
				return (seek_node(l, states, level, i, k, c));
			k -= node->begun;
		}
	for (uint32_t i = t.leaf; i < t.nleaves; i++) {
		n = leaf_begun(l, states, i, &c->now);
		if (k < n)
			return (seek_leaf(l, states, i, k, c));
		k -= n;
	}
	return (0);
}

uint32_t
lod_nth(const struct lod *l, const struct lod_cursor *behind,
    const struct lod_piece *piece)
{
	struct lod_cursor c;
	struct lod_piece p;
	uint32_t n = 0;

	if (lod_seek(l, piece->t0_ns - 1, &c) == 0)
		return (0);
	while (lod_next(l, &c, &p) && p.t0_ns <= piece->t0_ns) {
		n += p.t0_ns == piece->t0_ns;
		if (c.leaf == behind->leaf && c.entry == behind->entry)
			return (n);
	}
	return (0);
}

int
lod_seek_nth(const struct lod *l, int64_t t_ns, uint32_t nth,
    struct lod_cursor *c, struct lod_piece *p)
{
	if (nth == 0 || lod_seek(l, t_ns - 1, c) == 0)
		return (0);
	while (lod_next(l, c, p) && p->t0_ns <= t_ns)
		if (p->t0_ns == t_ns && --nth == 0)
			return (1);
	return (0);
}
