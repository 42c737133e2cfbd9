/*
 * Asking for memory before it is needed.
 *
 * A question by the pixel goes, for each edge between two pixels, down from
 * node to node to the leaf that the edge cuts, and every step waits for the
 * one before to come from memory.  Here the same way is gone for many edges
 * side by side, level by level: then they wait together.  Nothing is computed;
 * the walk that follows finds what it touches in the cache.  And where many
 * short lanes are walked one after another, each would wait for its own way
 * from array to array; a few of them go it together.
 */
#include "model/lod/lodpixel.h"

#define EDGES      128
#define LEAF_BYTES 192 /* most are shorter */
#define FEW        2.0 /* leaves a pixel: all of them will be read */

struct edges {
	const struct lod *l;
	unsigned n;
	int64_t t[EDGES];
	uint32_t at[EDGES]; /* node of the level that holds it */
};

/* One level down from k; those of which nothing is left stay behind. */
static void
edges_down(struct edges *e, int k)
{
	const struct lod_level *v = lod_level_at(e->l, k - 1);
	const struct lod_node *kid;
	unsigned n = 0;

	for (unsigned i = 0; i < e->n; i++) {
		kid = chunk_at(&v->nodes, e->at[i] * LOD_FAN);
		if (kid == NULL)
			continue;
		__builtin_prefetch(kid);
		e->t[n] = e->t[i];
		e->at[n++] = e->at[i] * LOD_FAN + (kid[1].t0_ns <= e->t[i]) +
			     (kid[2].t0_ns <= e->t[i]) +
			     (kid[3].t0_ns <= e->t[i]);
	}
	e->n = n;
}

static void
leaf_fetch(const struct lod *l, uint32_t i)
{
	const char *leaf = (const char *)lod_leaf_at(l, i);

	for (size_t at = 0; leaf != NULL && at < LEAF_BYTES; at += 64)
		__builtin_prefetch(leaf + at);
}

static void
leaves_fetch(struct edges *e)
{
	unsigned n = 0;

	for (unsigned i = 0; i < e->n; i++) {
		if (n > 0 && e->at[i] == e->at[n - 1])
			continue;
		__builtin_prefetch(chunk_at(&e->l->leaves, e->at[i]));
		e->at[n++] = e->at[i];
	}
	for (unsigned i = 0; i < n; i++)
		leaf_fetch(e->l, e->at[i]);
}

/* Those of edges from x on that lie in [t0, t1) below node i of level k. */
static unsigned
edges_fetch(const struct pixels *p, int k, uint32_t i, int64_t t0, int64_t t1,
    uint64_t x)
{
	struct edges e = { .l = p->l };
	double each = 1.0 / p->scale;
	unsigned n;

	for (; e.n < EDGES; x++) {
		e.t[e.n] = p->t0 + (int64_t)((double)x * each);
		if (e.t[e.n] >= t1)
			break;
		if (e.t[e.n] < t0)
			e.t[e.n] = t0;
		e.at[e.n++] = i;
	}
	n = e.n;
	for (int j = k; j > 0; j--)
		edges_down(&e, j);
	leaves_fetch(&e);
	return (n);
}

/* All from where t0 is to where t1 is. */
static void
range_fetch(const struct pixels *p, int k, uint32_t i, int64_t t0, int64_t t1)
{
	struct edges e = { .l = p->l, .n = 2, .t = { t0, t1 }, .at = { i, i } };

	for (int j = k; j > 0 && e.n == 2; j--)
		edges_down(&e, j);
	for (i = e.at[0]; e.n == 2 && i <= e.at[1]; i++)
		leaf_fetch(e.l, i);
}

void
lod_fetch(const struct pixels *p, int k, uint32_t i, int64_t t0, int64_t t1)
{
	double leaves = (double)(1ull << 2 * k) / (double)(t1 - t0);
	uint64_t x;
	unsigned n;

	t0 = t0 > p->from ? t0 : p->from;
	t1 = t1 < p->to ? t1 : p->to;
	if (t0 >= t1)
		return;
	if (leaves < FEW * p->scale) {
		range_fetch(p, k, i, t0, t1);
		return;
	}
	x = (uint64_t)((double)(t0 - p->t0) * p->scale);
	while ((n = edges_fetch(p, k, i, t0, t1, x)) == EDGES)
		x += n;
}

#define LINE        64
#define MANY_LEAVES 32 /* a lane of more is walked long enough by itself */

static void
bytes_fetch(const void *p, size_t n)
{
	for (size_t at = 0; p != NULL && at < n; at += LINE)
		__builtin_prefetch((const char *)p + at);
}

/* The first so many elements of an array, as they lie in its chunks. */
static void
chunks_fetch(const struct chunk *c, uint32_t n)
{
	uint64_t first = 0, size = 1ull << c->base;

	for (int k = 0; first < n && c->base + k <= c->most; k++) {
		bytes_fetch(atomic_load_explicit(&c->dir[k],
				memory_order_acquire),
		    (n - first < size ? n - first : size) * c->elem_bytes);
		first += size;
		size *= 2;
	}
}

static uint32_t
few_leaves(const struct lod *l)
{
	uint32_t n = atomic_load_explicit(&l->nleaves, memory_order_acquire);

	return (n > MANY_LEAVES ? 0 : n);
}

void
lod_fetch_many(const struct lod *const *l, unsigned n, bool leaves)
{
	const struct lod_level *v;
	uint32_t many;

	for (unsigned i = 0; i < n; i++)
		bytes_fetch(l[i], sizeof(*l[i]));
	for (unsigned i = 0; i < n; i++) {
		bytes_fetch(lod_level_at(l[i], 0), sizeof(*v));
		bytes_fetch(lod_level_at(l[i], 1), sizeof(*v));
		chunks_fetch(&l[i]->leaves, few_leaves(l[i]));
	}
	for (unsigned i = 0; i < n; i++) {
		many = few_leaves(l[i]);
		v = lod_level_at(l[i], 0);
		if (v != NULL)
			chunks_fetch(&v->nodes, many);
		for (uint32_t j = 0; leaves && j < many; j++)
			leaf_fetch(l[i], j);
	}
}
