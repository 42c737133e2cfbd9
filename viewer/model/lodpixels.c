/*
 * Shares of time, pixel by pixel, from left to right in one walk.
 *
 * A node that lies within a pixel is taken as it is; one that does not is
 * gone into, and its four children lie side by side, so that where each ends
 * is known from its neighbour.  What is left are the leaves that cross from
 * one pixel to the next: their pieces are added one by one, by far the most
 * of them to the pixel that is being collected already.
 */
#include <string.h>

#include "model/lod.h"
#include "model/lodpixel.h"

/* A piece that goes on behind the pixel. */
static void
piece_over(struct pixels *p, int64_t a, int64_t b, const struct lod_state *st)
{
	int64_t to;

	while (a < b) {
		if (a >= p->p1)
			pixels_move(p, a);
		to = b < p->p1 ? b : p->p1;
		p->acc[p->place[st->class]] += (uint64_t)(to - a) * 255;
		p->mask |= 1u << p->place[st->class];
		if (p->name != NULL && st->name != 0)
			top_add(p, st->name, (uint64_t)(to - a));
		a = to;
	}
}

/* Pieces from entry j on that end by `until`; returns the next one. */
static inline uint32_t
pieces_inside(struct pixels *p, uint32_t j, uint32_t from, uint32_t until,
    int named)
{
	const struct lod_opened *o = &p->leaf;
	const struct lod_state *st;
	uint32_t mask = 0, to;

	for (; j + 1 < o->n && (to = o->off[j + 1]) <= until; j++) {
		st = &p->states[o->state[j]];
		p->acc[p->place[st->class]] += (uint64_t)(to - from) * 255;
		mask |= 1u << p->place[st->class];
		if (named && st->name != 0)
			top_add(p, st->name, to - from);
		from = to;
	}
	p->mask |= mask;
	return (j);
}

static inline void
leaf_add(struct pixels *p, int64_t end, int named)
{
	const struct lod_opened *o = &p->leaf;
	uint32_t j = 0;
	int64_t base = o->t0_ns, a = base, b;

	if (a < p->from) {
		j = lod_entry_at(o, p->from);
		a = p->from;
	}
	end = end < p->t1 ? end : p->t1;
	for (; j < o->n && a < end; j++, a = b) {
		if (a < p->p1) { /* by far the most end in this pixel */
			b = p->p1 - base;
			j = pieces_inside(p, j, (uint32_t)(a - base),
			    b < UINT32_MAX ? (uint32_t)b : UINT32_MAX, named);
			b = base + o->off[j];
			a = b > a ? b : a;
		}
		b = j + 1 < o->n ? base + o->off[j + 1] : end;
		b = b < end ? b : end;
		piece_over(p, a, b, &p->states[o->state[j]]);
	}
}

/* False when it is gone. */
static bool
leaf_pixels(struct pixels *p, uint32_t i, int64_t end)
{
	if (!lod_leaf_open(p->l, i, false, &p->leaf))
		return (false);
	if (p->leaf.t0_ns >= p->t1 || end <= p->from)
		return (true);
	if (p->name != NULL)
		leaf_add(p, end, 1);
	else
		leaf_add(p, end, 0);
	return (true);
}

/* So many ns of a node belong to the pixel. */
static void
node_add(struct pixels *p, const struct lod_node *node, uint64_t ns)
{
	p->acc[0] += ns * lod_rest(node);
	for (int c = 1; c < LOD_PLACES; c++)
		p->acc[c] += ns * node->share[c - 1];
	p->mask = (1u << LOD_PLACES) - 1;
	if (p->name != NULL && node->top_share != 0 &&
	    p->states[node->top].name != 0)
		top_add(p, p->states[node->top].name,
		    ns * node->top_share / 65535);
}

/* True when the node lies within one pixel and was taken. */
static int
node_take(struct pixels *p, const struct lod_node *node, int64_t t1)
{
	if (node->t0_ns < p->from || t1 > p->t1)
		return (0);
	if (node->t0_ns >= p->p1)
		pixels_move(p, node->t0_ns);
	if (t1 > p->p1)
		return (0);
	node_add(p, node, (uint64_t)(t1 - node->t0_ns));
	return (1);
}

/*
 * Over the pixels in which it lies, as if it were the same all along: when it
 * is too short to matter, or when there is nothing left below it.
 */
static void
node_spread(struct pixels *p, const struct lod_node *node, int64_t t1)
{
	int64_t a = node->t0_ns > p->from ? node->t0_ns : p->from, to;
	int64_t b = t1 < p->t1 ? t1 : p->t1;

	for (; a < b; a = to) {
		if (a >= p->p1)
			pixels_move(p, a);
		to = b < p->p1 ? b : p->p1;
		node_add(p, node, (uint64_t)(to - a));
	}
}

/*
 * Most of the time would go into waiting for leaves to come from memory: those
 * of four that will be read, as they cross from pixel to pixel, are asked for
 * together.
 */
static void
leaves_fetch(const struct pixels *p, uint32_t i, const struct lod_node *kid,
    int64_t t1)
{
	const char *leaf;
	int64_t end;

	for (uint32_t j = 0; j < LOD_FAN; j++) {
		end = j + 1 < LOD_FAN ? kid[j + 1].t0_ns : t1;
		if ((int64_t)((double)(kid[j].t0_ns - p->t0) * p->scale) ==
		    (int64_t)((double)(end - p->t0) * p->scale))
			continue;
		leaf = (const char *)lod_leaf_at(p->l, i + j);
		for (size_t at = 0; leaf != NULL && at < LOD_LEAF * 4; at += 64)
			__builtin_prefetch(leaf + at);
	}
}

/* Node i of level k, which ends at t1. */
static void
node_pixels(struct pixels *p, int k, uint32_t i, const struct lod_node *node,
    int64_t t1)
{
	const struct lod_node *kid;

	if (node->t0_ns >= p->t1 || t1 <= p->from || t1 <= node->t0_ns ||
	    node_take(p, node, t1))
		return;
	if ((uint64_t)(t1 - node->t0_ns) <= p->small) {
		node_spread(p, node, t1);
		return;
	}
	if (k == 0) {
		if (!leaf_pixels(p, i, t1))
			node_spread(p, node, t1);
		return;
	}
	/* four lie together */
	kid = chunk_at(&lod_level_at(p->l, k - 1)->nodes, i * LOD_FAN);
	if (kid == NULL) {
		node_spread(p, node, t1);
		return;
	}
	if (k == 1)
		leaves_fetch(p, i * LOD_FAN, kid, t1);
	for (uint32_t j = 0; j < LOD_FAN; j++)
		node_pixels(p, k - 1, i * LOD_FAN + j, &kid[j],
		    j + 1 < LOD_FAN ? kid[j + 1].t0_ns : t1);
}

static int64_t
start_of(const struct pixels *p, uint64_t leaf)
{
	return (leaf < p->nleaves ? lod_leaf_t0(p->l, (uint32_t)leaf) : p->end);
}

static void
walk(struct pixels *p)
{
	struct lod_tops tops;

	lod_tops(p->l, &tops);
	p->nleaves = tops.nleaves;
	for (int k = tops.top; k >= 0; k--)
		for (uint32_t i = tops.from[k]; i < tops.to[k]; i++)
			node_pixels(p, k, i,
			    chunk_known(&lod_level_at(p->l, k)->nodes, i),
			    start_of(p, ((uint64_t)i + 1) << (2 * k)));
	for (uint32_t i = tops.leaf; i < tops.nleaves; i++)
		leaf_pixels(p, i, start_of(p, i + 1ull));
}

static void
collect(struct pixels *p, unsigned first)
{
	if (first >= p->n || p->t1 <= p->t0)
		return;
	pixels_start(p, first);
	walk(p);
	pixel_flush(p);
}

void
lod_pixels(const struct lod *l, const struct lod_state *states, int64_t t0,
    int64_t t1, unsigned n, unsigned first, int64_t end_ns, uint32_t *sum,
    uint32_t *name, uint32_t *weight)
{
	struct pixels p = { .l = l,
		.states = states,
		.t0 = t0,
		.t1 = t1,
		.n = n,
		.end = end_ns,
		.sum = sum,
		.name = name,
		.weight = weight };

	collect(&p, first);
}

void
lod_shares(const struct lod *l, const struct lod_state *states, int64_t t0,
    int64_t t1, unsigned n, unsigned first, int64_t end_ns, uint8_t *share,
    uint32_t *name)
{
	struct pixels p = { .l = l,
		.states = states,
		.t0 = t0,
		.t1 = t1,
		.n = n,
		.end = end_ns,
		.share = share,
		.name = name };

	if (first >= n)
		return;
	memset(share + (size_t)first * LOD_CLASSES, 0,
	    (size_t)(n - first) * LOD_CLASSES);
	for (size_t i = first; i < n; i++)
		share[i * LOD_CLASSES] = 255;
	collect(&p, first);
}
