/*
 * Asking.  The whole sequence is, from left to right: the complete nodes of
 * the highest level, then the ones of each lower level that are not yet in a
 * higher one, then the leaves that have no node.  A question walks down from
 * there, stops at nodes that lie wholly in the range and skips what lies
 * outside, so it visits a few nodes per level.  Questions by the pixel are in
 * lodpixels.c.
 */
#include <string.h>

#include "model/lod.h"
#include "model/lodtree.h"

/* What the walk calls; returns 1 to take a node as it is, 0 to go down. */
struct lod_visit {
	int (*node)(void *, const struct lod_node *, const struct lod_sum *,
	    int64_t t1);
	void (*piece)(void *, int64_t t0, int64_t t1, uint16_t state);
	void *arg;
	int64_t from, to, end; /* end: how long the last state holds */
};

static int64_t
leaf_end(const struct lod *l, uint32_t i, uint32_t nleaves, int64_t end)
{
	return (i + 1 < nleaves ? lod_leaf_at(l, i + 1)->t0_ns : end);
}

static void
visit_leaf(const struct lod *l, uint32_t i, uint32_t nleaves,
    const struct lod_visit *v)
{
	const struct lod_leaf *leaf = lod_leaf_at(l, i);
	const uint16_t *state = leaf_states(leaf);
	int64_t t0, t1, end;
	uint32_t n, j = 0, hi, mid;

	if (leaf->t0_ns >= v->to)
		return;
	end = leaf_end(l, i, nleaves, v->end);
	if (end <= v->from)
		return;
	n = leaf_n(leaf);
	if (v->from > leaf->t0_ns) { /* last entry at or before from */
		for (hi = n; hi - j > 1;) {
			mid = (j + hi) / 2;
			if (leaf->t0_ns + leaf->off[mid] <= v->from)
				j = mid;
			else
				hi = mid;
		}
	}
	for (; j < n; j++) {
		t0 = leaf->t0_ns + leaf->off[j];
		if (t0 >= v->to)
			return;
		t1 = j + 1 < n ? leaf->t0_ns + leaf->off[j + 1] : end;
		if (t1 < t0)
			t1 = t0;
		v->piece(v->arg, t0, t1, state[j]);
	}
}

static void
visit_node(const struct lod *l, int k, uint32_t i, uint32_t nleaves,
    const struct lod_visit *v)
{
	const struct lod_level *lv;
	const struct lod_node *node;
	const struct lod_sum *sum;
	uint64_t next;
	int64_t t1;

	lv = atomic_load_explicit(&l->level[k], memory_order_acquire);
	node = chunk_at(&lv->nodes, i);
	if (node->t0_ns >= v->to)
		return;
	next = ((uint64_t)i + 1) << (2 * k);
	t1 = next < nleaves ? lod_leaf_at(l, (uint32_t)next)->t0_ns : v->end;
	if (t1 <= v->from && t1 > node->t0_ns)
		return;
	sum = k >= LOD_EXACT ? chunk_at(&lv->sums, i) : NULL;
	if (v->node(v->arg, node, sum, t1))
		return;
	if (k == 0) {
		visit_leaf(l, i, nleaves, v);
		return;
	}
	for (uint32_t j = 0; j < LOD_FAN; j++)
		visit_node(l, k - 1, i * LOD_FAN + j, nleaves, v);
}

void
lod_tops(const struct lod *l, struct lod_tops *t)
{
	const struct lod_level *lv;
	uint32_t done = 0;

	/* nodes before leaves: each node seen has its next leaf */
	t->top = -1;
	for (int k = 0; k < LOD_LEVELS; k++) {
		lv = atomic_load_explicit(&l->level[k], memory_order_acquire);
		if (lv == NULL)
			break;
		t->to[k] = atomic_load_explicit(&lv->n, memory_order_acquire);
		t->top = k;
	}
	t->nleaves = atomic_load_explicit(&l->nleaves, memory_order_acquire);
	for (int k = t->top; k >= 0; k--) {
		t->from[k] = done;
		if (t->to[k] > done)
			done = t->to[k];
		if (k > 0)
			done *= LOD_FAN;
	}
	t->leaf = done;
}

static void
lod_walk(const struct lod *l, const struct lod_visit *v)
{
	struct lod_tops t;

	lod_tops(l, &t);
	for (int k = t.top; k >= 0; k--)
		for (uint32_t i = t.from[k]; i < t.to[k]; i++)
			visit_node(l, k, i, t.nleaves, v);
	for (uint32_t i = t.leaf; i < t.nleaves; i++)
		visit_leaf(l, i, t.nleaves, v);
}

/* totals */

struct totals {
	const struct lod_state *states;
	int64_t t0, t1;
	int64_t *by_class;
	uint64_t spans;
};

static void
totals_piece(void *arg, int64_t a, int64_t b, uint16_t state)
{
	struct totals *t = arg;
	const struct lod_state *st = &t->states[state];

	if (st->fresh && a >= t->t0 && a < t->t1)
		t->spans++;
	if (a < t->t0)
		a = t->t0;
	if (b > t->t1)
		b = t->t1;
	if (b > a)
		t->by_class[st->class] += b - a;
}

static int
totals_node(void *arg, const struct lod_node *node, const struct lod_sum *sum,
    int64_t t1)
{
	struct totals *t = arg;

	if (sum == NULL || node->t0_ns < t->t0 || t1 > t->t1 ||
	    t1 <= node->t0_ns)
		return (0);
	for (int c = 0; c < LOD_CLASSES; c++)
		t->by_class[c] += (int64_t)sum->ns[c];
	t->spans += sum->begun;
	return (1);
}

void
lod_totals(const struct lod *l, const struct lod_state *states, int64_t t0,
    int64_t t1, int64_t end_ns, int64_t by_class[LOD_CLASSES], uint64_t *spans)
{
	struct totals t = { states, t0, t1, by_class, 0 };
	struct lod_visit v = { totals_node, totals_piece, &t, t0, t1, end_ns };

	if (t1 <= t0)
		return;
	lod_walk(l, &v);
	if (spans != NULL)
		*spans += t.spans;
}

/* one piece after the other */

int
lod_seek(const struct lod *l, int64_t t, struct lod_cursor *c)
{
	const struct lod_leaf *leaf;
	uint32_t lo = 0, hi, mid, n;

	hi = atomic_load_explicit(&l->nleaves, memory_order_acquire);
	if (hi == 0)
		return (0);
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (lod_leaf_at(l, mid)->t0_ns <= t)
			lo = mid;
		else
			hi = mid;
	}
	leaf = lod_leaf_at(l, lo);
	n = leaf_n(leaf);
	c->leaf = lo;
	for (lo = 0, hi = n; hi - lo > 1;) {
		mid = (lo + hi) / 2;
		if (leaf->t0_ns + leaf->off[mid] <= t)
			lo = mid;
		else
			hi = mid;
	}
	c->entry = lo;
	return (1);
}

int
lod_next(const struct lod *l, struct lod_cursor *c, struct lod_piece *p)
{
	const struct lod_leaf *leaf;
	const uint32_t *ids;
	uint32_t nleaves, n;

	nleaves = atomic_load_explicit(&l->nleaves, memory_order_acquire);
	if (c->leaf >= nleaves)
		return (0);
	leaf = lod_leaf_at(l, c->leaf);
	n = leaf_n(leaf);
	if (c->entry >= n)
		return (0);
	p->t0_ns = leaf->t0_ns + leaf->off[c->entry];
	p->state = leaf_states(leaf)[c->entry];
	ids = atomic_load_explicit(&leaf->ids, memory_order_acquire);
	p->id = ids == NULL ? 0 : ids[c->entry];
	c->entry++;
	if (c->entry < n) {
		p->t1_ns = leaf->t0_ns + leaf->off[c->entry];
	} else if (c->leaf + 1 < nleaves) {
		c->leaf++;
		c->entry = 0;
		p->t1_ns = lod_leaf_at(l, c->leaf)->t0_ns;
	} else {
		p->t1_ns = INT64_MAX;
	}
	return (1);
}
