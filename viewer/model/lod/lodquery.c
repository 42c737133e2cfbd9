/*
 * Asking.  The whole sequence is, from left to right: the complete nodes of
 * the highest level, then the ones of each lower level that are not yet in a
 * higher one, then the leaves that have no node.  A question walks down from
 * there, stops at nodes that lie wholly in the range and skips what lies
 * outside, so it visits a few nodes per level.  Questions by the pixel are in
 * lodpixels.c.
 */
#include <string.h>

#include "model/lod/lod.h"
#include "model/lod/lodtree.h"

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

/* Exact sums, and what they are of. */
struct totals {
	const struct lod *l;
	const struct lod_state *states;
	int64_t t0, t1, end; /* end: how long the last state holds */
	uint32_t nleaves;
	bool rough; /* some of it is by shares */
	struct lod_sum sum;
	struct lod_opened leaf;
};

static int64_t
start_of(const struct totals *t, uint64_t leaf)
{
	return (leaf < t->nleaves ? lod_leaf_t0(t->l, (uint32_t)leaf) : t->end);
}

/* A packed leaf that lies in the range: by the states that it has. */
static void
totals_whole(struct totals *t, const struct lod_leaf *leaf, uint64_t dur)
{
	struct lod_reader r;
	uint64_t ns[LOD_LEAF];
	uint32_t count[LOD_LEAF], d;
	const struct lod_state *st;
	unsigned k, n;
	const uint16_t *state = lod_leaf_states(t->l, leaf, &n);

	lod_reader_init(&r, leaf);
	memset(ns, 0, n * sizeof(ns[0]));
	memset(count, 0, n * sizeof(count[0]));
	for (unsigned i = 0; i + 1u < leaf->n; i++) {
		k = lod_reader_next(&r, i, &d);
		ns[k] += d;
		count[k]++;
		dur -= d;
	}
	k = lod_reader_see(&r, leaf->n - 1u, &d);
	ns[k] += dur;
	count[k]++;
	for (k = 0; k < n; k++) {
		if (count[k] == 0)
			continue;
		st = &t->states[state[k]];
		t->sum.ns[lod_place(t->l->kind, st->class)] += ns[k];
		t->sum.begun += st->fresh ? count[k] : 0;
	}
}

/* Leaf i, which is [start, end).  False when it is gone. */
static bool
totals_leaf(struct totals *t, uint32_t i, int64_t start, int64_t end)
{
	const struct lod_leaf *leaf = lod_leaf_at(t->l, i);
	const struct lod_opened *o = &t->leaf;
	const struct lod_state *st;
	int64_t a, b;

	/* at its very end there may be some that take no time */
	if (start >= t->t1 || end < t->t0)
		return (true);
	/* the end of the newest one may not have been told yet */
	if (leaf != NULL && leaf->packed && i + 1 < t->nleaves &&
	    start >= t->t0 && end < t->t1) {
		totals_whole(t, leaf, (uint64_t)(end - start));
		return (true);
	}
	if (!lod_leaf_open(t->l, i, false, &t->leaf))
		return (false);
	for (uint32_t j = lod_entry_at(o, t->t0 - 1); j < o->n; j++) {
		st = &t->states[o->state[j]];
		a = o->t0_ns + o->off[j];
		if (a >= t->t1)
			break;
		b = j + 1 < o->n ? o->t0_ns + o->off[j + 1] : end;
		t->sum.begun += st->fresh && a >= t->t0;
		a = a < t->t0 ? t->t0 : a;
		b = b > t->t1 ? t->t1 : b;
		if (b > a)
			t->sum.ns[lod_place(t->l->kind, st->class)] +=
			    (uint64_t)(b - a);
	}
	return (true);
}

/* Only its shares are left: so much of [a, b) lies in the range. */
static void
totals_shares(struct totals *t, const struct lod_node *node, int64_t b)
{
	int64_t a = node->t0_ns > t->t0 ? node->t0_ns : t->t0, end = b;
	double part;
	uint64_t ns, left;

	b = b > t->t1 ? t->t1 : b;
	t->rough = true;
	if (b <= a)
		return;
	left = (uint64_t)(b - a);
	for (int p = 1; p < LOD_PLACES; p++) {
		ns = (uint64_t)((double)(b - a) * node->share[p - 1] / 255.0);
		ns = ns > left ? left : ns;
		t->sum.ns[p] += ns;
		left -= ns;
	}
	t->sum.ns[0] += left;
	part = (double)(b - a) / (double)(end - node->t0_ns);
	t->sum.begun += (uint64_t)(node->begun * part + 0.5);
}

static void
totals_exact(struct totals *t, const struct lod_packed_sum *s, int64_t dur)
{
	uint64_t rest = (uint64_t)dur;
	int n = 0;

	t->sum.begun += s->begun;
	if (__builtin_popcount(s->mask) > LOD_SUM_PLACES) {
		for (int p = 0; p < LOD_PLACES; p++)
			t->sum.ns[p] += s->of.full->ns[p];
		return;
	}
	for (unsigned m = s->mask; m != 0; m &= m - 1) {
		t->sum.ns[__builtin_ctz(m)] += s->of.ns[n];
		rest -= s->of.ns[n++];
	}
	t->sum.ns[0] += rest;
}

/* Node i of level k, which ends at t1. */
static void
totals_node(struct totals *t, int k, uint32_t i, const struct lod_node *node,
    int64_t t1)
{
	const struct lod_packed_sum *sum;
	const struct lod_node *kid;

	if (node->t0_ns >= t->t1 || t1 < t->t0)
		return;
	if (k >= LOD_EXACT && node->t0_ns >= t->t0 && t1 < t->t1 &&
	    t1 > node->t0_ns) {
		/* sums lie in pieces of their own: they may go before it */
		sum = chunk_at(&lod_level_at(t->l, k)->sums, i);
		if (sum != NULL) {
			totals_exact(t, sum, t1 - node->t0_ns);
			return;
		}
	}
	if (k == 0) {
		if (!totals_leaf(t, i, node->t0_ns, t1))
			totals_shares(t, node, t1);
		return;
	}
	/* four lie together */
	kid = chunk_at(&lod_level_at(t->l, k - 1)->nodes, i * LOD_FAN);
	if (kid == NULL) {
		totals_shares(t, node, t1);
		return;
	}
	for (uint32_t j = 0; j < LOD_FAN; j++)
		totals_node(t, k - 1, i * LOD_FAN + j, &kid[j],
		    j + 1 < LOD_FAN ? kid[j + 1].t0_ns : t1);
}

/*
 * All nodes that are in no higher one.  Each ends where the next begins, which
 * is at hand when that is looked at; to ask for it would be a way down of its
 * own.
 */
static void
totals_tops(struct totals *t, const struct lod_tops *tops)
{
	const struct lod_node *held = NULL, *node;
	const struct lod_level *v;
	uint32_t held_i = 0;
	int held_k = 0;

	for (int k = tops->top; k >= 0; k--) {
		v = lod_level_at(t->l, k);
		for (uint32_t i = tops->from[k]; i < tops->to[k]; i++) {
			node = chunk_known(&v->nodes, i);
			if (held != NULL)
				totals_node(t, held_k, held_i, held,
				    node->t0_ns);
			held = node;
			held_k = k;
			held_i = i;
		}
	}
	if (held != NULL)
		totals_node(t, held_k, held_i, held, start_of(t, tops->leaf));
}

bool
lod_totals_sum(const struct lod *l, const struct lod_state *states, int64_t t0,
    int64_t t1, int64_t end_ns, struct lod_sum *sum)
{
	const struct lod_before *before = atomic_load(&l->before);
	struct totals t;
	struct lod_tops tops;

	memset(sum, 0, sizeof(*sum));
	if (t1 <= t0)
		return (true);
	t.l = l; /* what is opened stays as it is: it is large */
	t.states = states;
	t.t0 = t0 > INT64_MIN ? t0 : t0 + 1;
	t.t1 = t1;
	t.end = end_ns;
	t.rough = before != NULL && t0 < before->until_ns;
	memset(&t.sum, 0, sizeof(t.sum));
	lod_tops(l, &tops);
	t.nleaves = tops.nleaves;
	totals_tops(&t, &tops);
	for (uint32_t i = tops.leaf; i < tops.nleaves; i++)
		totals_leaf(&t, i, start_of(&t, i), start_of(&t, i + 1ull));
	*sum = t.sum;
	return (!t.rough);
}

unsigned
lod_sum_class(uint8_t kind, unsigned place)
{
	return (lod_class(kind, place));
}

/* Spans that begin below node i of level k, which ends at end, as below. */
static uint64_t
begun_below(const struct lod *l, int k, uint32_t i, const struct lod_node *node,
    int64_t end, int64_t t0, int64_t t1, uint64_t most)
{
	const struct lod_node *kid;
	uint64_t n = 0;

	if (node->t0_ns >= t0 && end < t1)
		return (node->begun);
	if (node->t0_ns >= t1 || end <= t0 || k == 0)
		return (0);
	kid = chunk_at(&lod_level_at(l, k - 1)->nodes, i * LOD_FAN);
	for (uint32_t j = 0; kid != NULL && j < LOD_FAN && n <= most; j++)
		n += begun_below(l, k - 1, i * LOD_FAN + j, &kid[j],
		    j + 1 < LOD_FAN ? kid[j + 1].t0_ns : end, t0, t1, most);
	return (n);
}

bool
lod_many_begin(const struct lod *l, int64_t t0, int64_t t1, uint64_t most)
{
	const struct lod_node *node;
	struct lod_tops t;
	uint64_t n = 0, next;
	int64_t end;

	lod_tops(l, &t);
	for (int k = t.top; k >= 0; k--)
		for (uint32_t i = t.from[k]; i < t.to[k] && n <= most; i++) {
			node = chunk_known(&lod_level_at(l, k)->nodes, i);
			next = ((uint64_t)i + 1) << 2 * k;
			end =
			    next < t.nleaves ? lod_leaf_t0(l, next) : INT64_MAX;
			n += begun_below(l, k, i, node, end, t0, t1, most);
		}
	return (n > most);
}

/* one piece after the other */

int
lod_seek(const struct lod *l, int64_t t, struct lod_cursor *c)
{
	uint32_t lo, hi, mid, gone, nleaves;

	hi = nleaves = atomic_load_explicit(&l->nleaves, memory_order_acquire);
	gone = atomic_load_explicit(&l->gone, memory_order_acquire);
	if (hi <= gone)
		return (0);
	for (lo = gone; hi - lo > 1;) {
		mid = lo + (hi - lo) / 2;
		if (lod_leaf_t0(l, mid) <= t)
			lo = mid;
		else
			hi = mid;
	}
	c->leaf = lo;
	c->nleaves = nleaves;
	c->opened = UINT32_MAX;
	c->entry = 0;
	if (!lod_leaf_open(l, lo, true, &c->now))
		return (-1); /* just now */
	c->opened = lo;
	c->entry = lod_entry_at(&c->now, t);
	return (gone > 0 && lo == gone && c->now.t0_ns > t ? -1 : 1);
}

int
lod_next(const struct lod *l, struct lod_cursor *c, struct lod_piece *p)
{
	const struct lod_opened *o = &c->now;

	if (c->leaf >= c->nleaves)
		return (0);
	if (c->opened != c->leaf) {
		if (!lod_leaf_open(l, c->leaf, true, &c->now))
			return (0);
		c->opened = c->leaf;
	}
	if (c->entry >= o->n)
		return (0);
	p->t0_ns = o->t0_ns + o->off[c->entry];
	p->state = o->state[c->entry];
	p->id = o->ids == NULL ? 0 : o->ids[c->entry];
	c->entry++;
	if (c->entry < o->n) {
		p->t1_ns = o->t0_ns + o->off[c->entry];
	} else if (c->leaf + 1 < c->nleaves) {
		c->leaf++;
		c->entry = 0;
		p->t1_ns = lod_leaf_t0(l, c->leaf);
	} else {
		p->t1_ns = INT64_MAX;
	}
	return (1);
}

int
lod_piece_at(const struct lod *l, int64_t t_ns, struct lod_piece *p)
{
	struct lod_cursor c;

	if (lod_seek(l, t_ns, &c) != 1 || !lod_next(l, &c, p) ||
	    p->t0_ns > t_ns)
		return (0);
	while (p->t1_ns <= t_ns && lod_next(l, &c, p))
		continue;
	return (1);
}
