/*
 * Asking for memory a few events ahead.
 *
 * An event touches places that lie anywhere: the open end that it pairs with,
 * and, when there are thousands of threads, its thread, the thread's lane, its
 * sequence and what grows there.  Each of these leads to the next, so they are
 * asked for in steps.  Nothing is changed; what is guessed wrong costs nothing.
 */
#include "model/inside.h"
#include "model/lod/lodtree.h"
#include "model/tree/grow.h"

#define AHEAD_THREAD 28
#define AHEAD_LANE   20
#define AHEAD_LOD    13
#define AHEAD_OPEN   6
#define MANY_LANES   1024 /* fewer are in the cache */

static const struct location *
location_of(const struct model *m, const struct event *e)
{
	const struct location *l =
	    chunk_at(&defs_of(m)->locations, e->location);

	return (l != NULL && l->known && l->runs ? l : NULL);
}

static const struct lod *
lod_of(const struct model *m, const struct event *e)
{
	const struct location *l = location_of(m, e);

	return (l == NULL ? NULL
			  : atomic_load_explicit(&lane_at(m, l->lane)->lod,
				memory_order_relaxed));
}

static void
lanes_ahead(const struct model *m, const struct event *e)
{
	const struct location *l;
	const struct lod *lod;

	l = chunk_at(&defs_of(m)->locations, e[AHEAD_THREAD].location);
	if (l != NULL) {
		__builtin_prefetch(l);
		__builtin_prefetch(&l->stack);
	}
	l = location_of(m, &e[AHEAD_LANE]);
	if (l != NULL) {
		__builtin_prefetch(&lane_at(m, l->lane)->lod);
		__builtin_prefetch(l->stack);
	}
	lod = lod_of(m, &e[AHEAD_LOD]);
	if (lod != NULL) {
		__builtin_prefetch(&lod->open);
		__builtin_prefetch(&lod->nleaves);
	}
	lod = lod_of(m, &e[AHEAD_OPEN]);
	if (lod != NULL && lod->open != NULL) {
		__builtin_prefetch(lod->open);
		__builtin_prefetch(&lod->open->off[8]);
	}
}

void
ahead(struct model *m, const struct event *e, size_t left)
{
	tree_ahead(m, e, left);
	if (left <= AHEAD_THREAD)
		return;
	link_ahead(m, &e[AHEAD_LOD]);
	if (atomic_load_explicit(&lanes_of(m)->nlanes, memory_order_relaxed) >
	    MANY_LANES)
		lanes_ahead(m, e);
}
