/*
 * Asking.  The whole sequence is, from left to right: the complete nodes of
 * the highest level, then the ones of each lower level that are not yet in a
 * higher one, then the leaves that have no node.  A question walks down from
 * there, stops at nodes that lie within one pixel (or wholly in the range)
 * and skips what lies outside, so it visits a few nodes per level and pixel.
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

static void
lod_walk(const struct lod *l, const struct lod_visit *v)
{
	const struct lod_level *lv;
	uint32_t n[LOD_LEVELS], nleaves, done = 0;
	int top = -1;

	/* nodes before leaves: each node seen has its next leaf */
	for (int k = 0; k < LOD_LEVELS; k++) {
		lv = atomic_load_explicit(&l->level[k], memory_order_acquire);
		if (lv == NULL)
			break;
		n[k] = atomic_load_explicit(&lv->n, memory_order_acquire);
		top = k;
	}
	nleaves = atomic_load_explicit(&l->nleaves, memory_order_acquire);
	for (int k = top; k >= 0; k--) {
		for (uint32_t i = done; i < n[k]; i++)
			visit_node(l, k, i, nleaves, v);
		if (n[k] > done)
			done = n[k];
		if (k > 0)
			done *= LOD_FAN;
	}
	for (uint32_t i = done; i < nleaves; i++)
		visit_leaf(l, i, nleaves, v);
}

/* pixels */

#define TOPS 8

struct pixels {
	const struct lod_state *states;
	int64_t t0, t1;
	unsigned n, at;      /* the pixel being collected */
	uint64_t each, rest; /* t1 - t0 divided by n */
	double scale;
	int64_t p0, p1;            /* its bounds */
	uint64_t acc[LOD_CLASSES]; /* ns * 255 */
	uint32_t *sum, *name, *weight;
	struct {
		uint32_t name;
		uint64_t ns;
	} tops[TOPS];
	unsigned ntops;
	int dirty;
};

/* t0 + (t1 - t0) * i / n without overflow */
static int64_t
pixel_start(const struct pixels *p, unsigned i)
{
	return (p->t0 + (int64_t)(p->each * i + p->rest * i / p->n));
}

static void
pixels_flush(struct pixels *p)
{
	uint64_t dur = (uint64_t)(p->p1 - p->p0), best = 0;
	uint32_t name = 0, w;

	double scale;

	if (!p->dirty || dur == 0)
		return;
	scale = 256.0 / (double)dur;
	for (int c = 0; c < LOD_CLASSES; c++) {
		if (p->acc[c] != 0)
			p->sum[p->at * LOD_CLASSES + c] +=
			    (uint32_t)((double)p->acc[c] * scale + 0.5);
		p->acc[c] = 0;
	}
	for (unsigned i = 0; i < p->ntops; i++)
		if (p->tops[i].ns > best) {
			best = p->tops[i].ns;
			name = p->tops[i].name;
		}
	if (p->name != NULL && best > 0) {
		w = (uint32_t)((double)best * 65535.0 / (double)dur + 1);
		if (w > p->weight[p->at]) {
			p->weight[p->at] = w;
			p->name[p->at] = name;
		}
	}
	p->ntops = 0;
	p->dirty = 0;
}

static void
pixels_move(struct pixels *p, int64_t t)
{
	unsigned i;

	pixels_flush(p);
	i = (unsigned)((double)(t - p->t0) * p->scale);
	if (i >= p->n)
		i = p->n - 1;
	while (i > 0 && pixel_start(p, i) > t)
		i--;
	while (i + 1 < p->n && pixel_start(p, i + 1) <= t)
		i++;
	p->at = i;
	p->p0 = pixel_start(p, i);
	p->p1 = pixel_start(p, i + 1);
}

static void
pixels_top(struct pixels *p, uint32_t name, uint64_t ns)
{
	unsigned i, least = 0;

	if (p->name == NULL || name == 0)
		return;
	for (i = 0; i < p->ntops; i++) {
		if (p->tops[i].name == name) {
			p->tops[i].ns += ns;
			return;
		}
		if (p->tops[i].ns < p->tops[least].ns)
			least = i;
	}
	if (p->ntops < TOPS)
		least = p->ntops++;
	else if (p->tops[least].ns >= ns)
		return;
	p->tops[least].name = name;
	p->tops[least].ns = ns;
}

static void
pixels_piece(void *arg, int64_t a, int64_t b, uint16_t state)
{
	struct pixels *p = arg;
	const struct lod_state *st = &p->states[state];
	int64_t to;

	if (a >= p->p0 && b <= p->p1) { /* all of it: by far the most */
		p->acc[st->class] += (uint64_t)(b - a) * 255;
		pixels_top(p, st->name, (uint64_t)(b - a));
		p->dirty = 1;
		return;
	}
	if (a < p->t0)
		a = p->t0;
	if (b > p->t1)
		b = p->t1;
	while (a < b) {
		if (a >= p->p1)
			pixels_move(p, a);
		to = b < p->p1 ? b : p->p1;
		p->acc[st->class] += (uint64_t)(to - a) * 255;
		pixels_top(p, st->name, (uint64_t)(to - a));
		p->dirty = 1;
		a = to;
	}
}

static int
pixels_node(void *arg, const struct lod_node *node, const struct lod_sum *sum,
    int64_t t1)
{
	struct pixels *p = arg;
	uint64_t dur;

	(void)sum;
	if (node->t0_ns < p->t0 || t1 > p->t1)
		return (0);
	if (t1 <= node->t0_ns)
		return (1);
	if (node->t0_ns >= p->p1)
		pixels_move(p, node->t0_ns);
	if (t1 > p->p1)
		return (0);
	dur = (uint64_t)(t1 - node->t0_ns);
	for (int c = 0; c < LOD_CLASSES; c++)
		p->acc[c] += dur * node->share[c];
	if (p->name != NULL && node->top_share != 0)
		pixels_top(p, p->states[node->top].name,
		    dur * node->top_share / 65535);
	p->dirty = 1;
	return (1);
}

void
lod_pixels(const struct lod *l, const struct lod_state *states, int64_t t0,
    int64_t t1, unsigned n, int64_t end_ns, uint32_t *sum, uint32_t *name,
    uint32_t *weight)
{
	struct pixels p = { .states = states,
		.t0 = t0,
		.t1 = t1,
		.n = n,
		.sum = sum,
		.name = name,
		.weight = weight };
	struct lod_visit v = { pixels_node, pixels_piece, &p, t0, t1, end_ns };

	if (n == 0 || t1 <= t0)
		return;
	p.each = (uint64_t)(t1 - t0) / n;
	p.rest = (uint64_t)(t1 - t0) % n;
	p.scale = (double)n / (double)(t1 - t0);
	p.p0 = pixel_start(&p, 0);
	p.p1 = pixel_start(&p, 1);
	lod_walk(l, &v);
	pixels_flush(&p);
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
