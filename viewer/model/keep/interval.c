/*
 * Bounds of groups of intervals, as they are added and asked for.
 *
 * Bounds only ever widen, so a reader may miss nothing.
 */
#include "model/keep/interval.h"

#include <stdbool.h>

void
interval_init(struct interval *v, size_t item_bytes)
{
	chunk_init(&v->items, item_bytes, 6);
	for (int k = 0; k < INTERVAL_LEVELS; k++)
		chunk_init(&v->levels[k], sizeof(struct interval_group), 3);
	atomic_init(&v->n, 0);
	atomic_init(&v->gone, 0);
}

void
interval_clear(struct interval *v)
{
	chunk_clear(&v->items);
	for (int k = 0; k < INTERVAL_LEVELS; k++)
		chunk_clear(&v->levels[k]);
	atomic_store(&v->n, 0);
	atomic_store(&v->gone, 0);
}

/* Is item i the first of a group of level k? */
static bool
is_first(uint32_t i, int k)
{
	unsigned bits = 4u * ((unsigned)k + 1); /* of INTERVAL_FAN */

	return ((i & ((1ull << bits) - 1)) == 0);
}

void *
interval_next(struct interval *v, _Atomic uint64_t *bytes)
{
	uint32_t i = atomic_load_explicit(&v->n, memory_order_relaxed);
	uint32_t j = i;

	if (i >= UINT32_MAX - 1)
		return (NULL);
	for (int k = 0; k < INTERVAL_LEVELS && is_first(i, k); k++) {
		j /= INTERVAL_FAN;
		v->last[k] = chunk_make(&v->levels[k], j, bytes);
		if (v->last[k] == NULL)
			return (NULL);
	}
	return (chunk_make(&v->items, i, bytes));
}

/* Widens the groups above item i, which is the newest. */
static void
interval_widen(struct interval *v, uint32_t i, int64_t t0, int64_t t1)
{
	struct interval_group *g;

	for (int k = 0; k < INTERVAL_LEVELS; k++) {
		bool fresh = is_first(i, k);

		g = v->last[k];
		if (fresh ||
		    t0 < atomic_load_explicit(&g->t0_ns, memory_order_relaxed))
			atomic_store_explicit(&g->t0_ns, t0,
			    memory_order_relaxed);
		if (fresh ||
		    t1 > atomic_load_explicit(&g->t1_ns, memory_order_relaxed))
			atomic_store_explicit(&g->t1_ns, t1,
			    memory_order_relaxed);
	}
}

void
interval_publish(struct interval *v, int64_t t0, int64_t t1)
{
	uint32_t i = atomic_load_explicit(&v->n, memory_order_relaxed);

	interval_widen(v, i, t0, t1);
	atomic_store_explicit(&v->n, i + 1, memory_order_release);
}

void
interval_extend(struct interval *v, uint32_t i, int64_t t1)
{
	struct interval_group *g;
	uint32_t j = i;

	for (int k = 0; k < INTERVAL_LEVELS; k++) {
		j /= INTERVAL_FAN;
		g = chunk_at(&v->levels[k], j);
		if (g == NULL)
			return; /* gone */
		if (t1 <= atomic_load_explicit(&g->t1_ns, memory_order_relaxed))
			return; /* so do those above */
		atomic_store_explicit(&g->t1_ns, t1, memory_order_relaxed);
	}
}

uint32_t
interval_find(const struct interval *v, uint32_t from, int64_t t0, int64_t t1)
{
	const struct interval_group *g;
	uint32_t n = interval_count(v), i = from, span;
	uint32_t gone = atomic_load_explicit(&v->gone, memory_order_acquire);
	int k;

	if (i < gone)
		i = gone;
	while (i < n) {
		/* climb while i starts a larger group that has nothing */
		if (i % INTERVAL_FAN != 0)
			return (i);
		span = 0;
		for (k = 0; k < INTERVAL_LEVELS; k++) {
			uint32_t s = 1u << (4 * (k + 1));

			if (i % s != 0)
				break;
			g = chunk_at(&v->levels[k], i / s);
			if (g != NULL &&
			    atomic_load_explicit(&g->t0_ns,
				memory_order_relaxed) < t1 &&
			    atomic_load_explicit(&g->t1_ns,
				memory_order_relaxed) >= t0)
				break;
			span = s;
		}
		if (span == 0)
			return (i);
		if (i > UINT32_MAX - span)
			break;
		i += span;
	}
	return (UINT32_MAX);
}

uint32_t
interval_forget(struct interval *v, uint64_t bytes, struct retired *r,
    _Atomic uint64_t *total)
{
	uint32_t n = atomic_load_explicit(&v->n, memory_order_relaxed);
	uint32_t until = v->items.dropped;
	uint64_t want = bytes / (v->items.elem_bytes + 1) + until;

	/* the last one is still being looked at by who adds */
	until = want < n ? (uint32_t)want : n > 0 ? n - 1 : 0;
	until = chunk_droppable(&v->items, until);
	atomic_store_explicit(&v->gone, until, memory_order_release);
	chunk_drop(&v->items, until, r, total);
	for (int k = 0; k < INTERVAL_LEVELS; k++) {
		until /= INTERVAL_FAN;
		chunk_drop(&v->levels[k], until, r, total);
	}
	return (v->items.dropped);
}

uint64_t
interval_bytes(const struct interval *v)
{
	uint32_t n = atomic_load_explicit(&v->n, memory_order_relaxed);

	return ((uint64_t)(n - v->items.dropped) * (v->items.elem_bytes + 1));
}
