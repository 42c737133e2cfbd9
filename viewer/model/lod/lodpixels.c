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

#include "model/lod/lod.h"
#include "model/lod/lodpixel.h"

/* So many ns of a state belong to the pixel. */
static inline void
state_add(struct pixels *p, const struct lod_state *st, uint64_t ns)
{
	unsigned place = p->place[st->class];

	p->known += ns;
	p->acc[place] += ns * 255; /* of place 0 nobody asks */
	if (p->name != NULL && st->name != 0)
		top_add(p, st->name, ns);
}

/* A piece that may go on behind the pixel. */
static void
piece_over(struct pixels *p, int64_t a, int64_t b, const struct lod_state *st)
{
	unsigned next;
	int64_t to;

	for (; a < b; a = to) {
		if (a >= p->p1)
			pixels_move(p, a);
		to = b < p->p1 ? b : p->p1;
		state_add(p, st, (uint64_t)(to - a));
		if (p->steps == NULL || b <= p->p1)
			continue;
		next = p->at + 1;
		if (b == p->to) {
			pixels_full(p, st, next, p->until);
			return;
		}
		pixels_move(p, b);
		pixels_full(p, st, next, p->at);
		to = p->p0;
	}
}

/* One that grows, or of which a part is not asked for. */
static void
leaf_add(struct pixels *p, int64_t end)
{
	const struct lod_opened *o = &p->leaf;
	int64_t a, b;

	end = end < p->to ? end : p->to;
	if (p->steps != NULL) {
		pixels_opened(p, end);
		return;
	}
	for (uint32_t j = lod_entry_at(o, p->from); j < o->n; j++) {
		a = o->t0_ns + o->off[j];
		b = j + 1 < o->n ? o->t0_ns + o->off[j + 1] : end;
		piece_over(p, a > p->from ? a : p->from, b < end ? b : end,
		    &p->states[o->state[j]]);
	}
}

/*
 * What a leaf has of the pixel, by its own list of states, or by place when
 * its node's name is good enough.
 */
struct stretch {
	struct lod_reader r;
	unsigned i, last; /* change that comes next; the one without an end */
	uint64_t at;      /* when: ns from the first */
	uint64_t flushed; /* up to where it went to the pixels */
	const uint16_t *state;
	const struct lod_node *node; /* NULL: by state */
	uint64_t some;               /* bit by bit: which have */
	uint64_t ns[LOD_LEAF];
	uint8_t to[LOD_LEAF]; /* where in ns each state goes */
};

/* Pieces that end by `edge`, but for the last one. */
static void
pieces_inside(struct stretch *s, uint64_t edge)
{
	struct lod_reader *r = &s->r;
	unsigned i = s->i, last = s->last, k;
	uint64_t at = s->at, some = s->some;
	uint32_t d;

	for (; i < last; i++, at += d) {
		k = lod_reader_see(r, i, &d);
		if (at + d > edge)
			break;
		lod_reader_pass(r, i);
		k = s->to[k];
		s->ns[k] += d;
		some |= 1ull << k;
	}
	s->i = i;
	s->at = at;
	s->some = some;
}

/* The name of a node for so many ns of it. */
static inline void
node_name(struct pixels *p, const struct lod_node *node, uint64_t ns)
{
	if (p->name != NULL && node->top_share != 0 &&
	    p->states[node->top].name != 0)
		top_add(p, p->states[node->top].name,
		    ns * node->top_share / 65535);
}

/* What lies before `to` goes to the pixel. */
static void
stretch_flush(struct pixels *p, struct stretch *s, uint64_t to)
{
	for (; s->some != 0; s->some &= s->some - 1) {
		unsigned k = (unsigned)__builtin_ctzll(s->some);

		if (s->node == NULL)
			state_add(p, &p->states[s->state[k]], s->ns[k]);
		else
			p->acc[k] += s->ns[k] * 255;
		s->ns[k] = 0;
	}
	if (s->node != NULL) {
		p->known += to - s->flushed;
		node_name(p, s->node, to - s->flushed);
	}
	s->flushed = to;
}

static inline void
stretch_add(struct stretch *s, unsigned k, uint64_t ns)
{
	s->ns[s->to[k]] += ns;
	s->some |= 1ull << s->to[k];
}

#define LONG  6 /* pixels: most changes are in other ones than the last */
#define SHORT 8 /* one that is at most so much of a pixel has one name */

static inline void
stretch_begin(struct stretch *s, const struct pixels *p,
    const struct lod_leaf *leaf, const struct lod_node *node, uint64_t all)
{
	unsigned n;

	lod_reader_init(&s->r, leaf);
	s->i = 0;
	s->last = leaf->n - 1u;
	s->at = s->flushed = s->some = 0;
	s->state = lod_leaf_states(p->l, leaf, &n);
	s->node = all * SHORT < p->each ? node : NULL;
	for (unsigned k = 0; k < n; k++) {
		s->ns[k] = 0;
		s->to[k] = (uint8_t)k;
	}
	if (s->node == NULL)
		return;
	memset(s->ns, 0, LOD_PLACES * sizeof(s->ns[0]));
	for (unsigned k = 0; k < n; k++)
		s->to[k] = p->place[p->states[s->state[k]].class];
}

/* The piece that goes on behind the pixel, at `edge`; returns the new edge. */
static uint64_t
stretch_over(struct pixels *p, struct stretch *s, int64_t t0, uint64_t edge,
    uint64_t next, unsigned k)
{
	uint64_t from = s->at > edge ? s->at : edge;

	if (s->at < edge)
		stretch_add(s, k, edge - s->at);
	stretch_flush(p, s, edge);
	if (next - edge <= p->each) { /* it ends in the next pixel */
		pixels_move(p, t0 + (int64_t)edge);
		stretch_add(s, k, next - from);
	} else {
		piece_over(p, t0 + (int64_t)from, t0 + (int64_t)next,
		    &p->states[s->state[k]]);
		s->flushed = next;
	}
	s->i++;
	s->at = next;
	return ((uint64_t)(p->p1 - t0));
}

/*
 * A packed leaf of which all is asked for: unpacked as it is added up.  It
 * begins at t0; its node has it too.
 */
static void
leaf_stream(struct pixels *p, const struct lod_leaf *leaf,
    const struct lod_node *node, int64_t t0, int64_t end)
{
	uint64_t all = (uint64_t)(end - t0), edge, next;
	struct stretch s;
	uint32_t d;
	unsigned k;

	stretch_begin(&s, p, leaf, node, all);
	if (t0 >= p->p1)
		pixels_move(p, t0);
	edge = (uint64_t)(p->p1 - t0);
	while (s.i <= s.last) {
		pieces_inside(&s, edge);
		k = lod_reader_see(&s.r, s.i, &d);
		next = s.i < s.last ? s.at + d : all;
		if (next > edge) {
			lod_reader_pass(&s.r, s.i);
			edge = stretch_over(p, &s, t0, edge, next, k);
			continue;
		}
		/* the last one */
		stretch_add(&s, k, next - s.at);
		s.i++;
	}
	stretch_flush(p, &s, all);
}

/*
 * Leaf i, which begins at t0 and ends at t1; node: NULL if there is none yet.
 * False when it is gone.
 */
static bool
leaf_pixels(struct pixels *p, uint32_t i, const struct lod_node *node,
    int64_t t0, int64_t t1)
{
	const struct lod_leaf *leaf = lod_leaf_at(p->l, i);

	/* the end of the newest one may not have been told yet */
	if (leaf != NULL && leaf->packed && i + 1 < p->nleaves &&
	    t0 >= p->from && t1 <= p->to) {
		if (p->steps != NULL && (uint64_t)(t1 - t0) > LONG * p->each)
			pixels_packed(p, leaf, t0, t1);
		else
			leaf_stream(p, leaf, node, t0, t1);
		return (true);
	}
	if (!lod_leaf_open(p->l, i, false, &p->leaf))
		return (false);
	if (p->leaf.t0_ns < p->to && t1 > p->from)
		leaf_add(p, t1);
	return (true);
}

/* So many ns of a node belong to the pixel. */
static void
node_add(struct pixels *p, const struct lod_node *node, uint64_t ns)
{
	p->known += ns;
	if (ns <= UINT32_MAX) /* a multiplication of halves is fast */
		for (int c = 1; c < LOD_PLACES; c++)
			p->acc[c] +=
			    (uint64_t)(uint32_t)ns * node->share[c - 1];
	else
		for (int c = 1; c < LOD_PLACES; c++)
			p->acc[c] += ns * node->share[c - 1];
	node_name(p, node, ns);
}

/* True when the node lies within one pixel and was taken. */
static int
node_take(struct pixels *p, const struct lod_node *node, int64_t t1)
{
	if (node->t0_ns < p->from || t1 > p->to)
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
	int64_t b = t1 < p->to ? t1 : p->to;

	for (; a < b; a = to) {
		if (a >= p->p1)
			pixels_move(p, a);
		to = b < p->p1 ? b : p->p1;
		node_add(p, node, (uint64_t)(to - a));
	}
}

/* Node i of level k, which ends at t1. */
static void
node_pixels(struct pixels *p, int k, uint32_t i, const struct lod_node *node,
    int64_t t1)
{
	const struct lod_node *kid;

	if (node->t0_ns >= p->to || t1 <= p->from || t1 <= node->t0_ns ||
	    node_take(p, node, t1))
		return;
	if ((uint64_t)(t1 - node->t0_ns) <= p->small) {
		node_spread(p, node, t1);
		return;
	}
	if (k == 0) {
		if (!leaf_pixels(p, i, node, node->t0_ns, t1))
			node_spread(p, node, t1);
		return;
	}
	/* four lie together */
	kid = chunk_at(&lod_level_at(p->l, k - 1)->nodes, i * LOD_FAN);
	if (kid == NULL) {
		node_spread(p, node, t1);
		return;
	}
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
	const struct lod_node *node;
	struct lod_tops tops;
	int64_t end;

	lod_tops(p->l, &tops);
	p->nleaves = tops.nleaves;
	for (int k = tops.top; k >= 0; k--)
		for (uint32_t i = tops.from[k]; i < tops.to[k]; i++) {
			node = chunk_known(&lod_level_at(p->l, k)->nodes, i);
			end = start_of(p, ((uint64_t)i + 1) << (2 * k));
			if (k > 0)
				lod_fetch(p, k, i, node->t0_ns, end);
			node_pixels(p, k, i, node, end);
		}
	for (uint32_t i = tops.leaf; i < tops.nleaves; i++)
		leaf_pixels(p, i, NULL, start_of(p, i), start_of(p, i + 1ull));
}

static void
collect(struct pixels *p, unsigned first, unsigned until)
{
	if (first >= until || p->t1 <= p->t0)
		return;
	pixels_start(p, first, until);
	walk(p);
	pixel_flush(p);
}

void
lod_pixels(const struct lod *l, const struct lod_state *states, int64_t t0,
    int64_t t1, unsigned n, unsigned first, unsigned until, int64_t end_ns,
    uint64_t *sum, struct lod_steps *steps, uint32_t *name, uint64_t *weight)
{
	struct pixels p = { .l = l,
		.states = states,
		.t0 = t0,
		.t1 = t1,
		.n = n,
		.end = end_ns,
		.many.sum = sum,
		.steps = steps,
		.name = name,
		.many.weight = weight };

	collect(&p, first, until);
}

void
lod_shares(const struct lod *l, const struct lod_state *states, int64_t t0,
    int64_t t1, unsigned n, unsigned first, unsigned until, int64_t end_ns,
    uint8_t *share, uint32_t *name)
{
	struct pixels p = { .l = l,
		.states = states,
		.t0 = t0,
		.t1 = t1,
		.n = n,
		.end = end_ns,
		.share = share,
		.name = name };

	if (first >= until)
		return;
	memset(share + (size_t)first * LOD_CLASSES, 0,
	    (size_t)(until - first) * LOD_CLASSES);
	for (size_t i = first; i < until; i++)
		share[i * LOD_CLASSES] = 255;
	collect(&p, first, until);
}
