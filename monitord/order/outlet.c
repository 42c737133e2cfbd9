/*
 * Second stage: causal repair has moved some events forward, so they are
 * sorted by corrected time.  Those that are not final yet are few and are
 * carried to the next round, in front of what it adds, so that equal times of
 * one stream stay in its order.
 */
#include "outlet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD 16 /* events that are asked for before they are copied */

void
outlet_clear(struct outlet *o)
{
	free(o->items);
	free(o->keys);
	free(o->tmp);
	o->items = NULL;
	o->keys = o->tmp = NULL;
	o->items_n = o->items_cap = o->keys_cap = o->looked_n = 0;
}

size_t
outlet_bytes(const struct outlet *o)
{
	return (sizeof(*o) + o->items_cap * sizeof(*o->items) +
		2 * o->keys_cap * sizeof(*o->keys));
}

int
outlet_reserve(struct outlet *o, size_t n)
{
	size_t cap = o->items_cap > 0 ? o->items_cap : 4096;
	struct sort_item *grown;

	if (o->items_n + n <= o->items_cap)
		return (0);
	while (cap < o->items_n + n)
		cap *= 2;
	grown = realloc(o->items, cap * sizeof(*grown));
	if (grown == NULL)
		return (-1);
	o->items = grown;
	o->items_cap = cap;
	return (0);
}

static int
outlet_keys(struct outlet *o, size_t n)
{
	if (n <= o->keys_cap)
		return (0);
	free(o->keys);
	free(o->tmp);
	o->keys = malloc(2 * n * sizeof(*o->keys));
	o->tmp = malloc(2 * n * sizeof(*o->tmp));
	o->keys_cap = o->keys != NULL && o->tmp != NULL ? 2 * n : 0;
	return (o->keys_cap == 0 ? -1 : 0);
}

static void
outlet_hand(struct outlet *o)
{
	if (o->batch_n > 0)
		o->emit(o->arg, o->batch, o->batch_n);
	o->batch_n = 0;
}

static inline void
outlet_one(struct outlet *o, uint32_t index)
{
	struct chunk *chunk = &o->pool->chunk[index / CHUNK_EVENTS];
	struct event *to = &o->batch[o->batch_n];

	*to = *eventpool_at(o->pool, index);
	if (to->t_mon_ns < o->passed_ns) {
		to->flags |= EVENT_LATE;
		o->late++;
	}
	o->out++;
	if (++chunk->out == CHUNK_EVENTS)
		o->emptied(o->owner, index / CHUNK_EVENTS);
	if (++o->batch_n == OUTLET_EVENTS)
		outlet_hand(o);
}

/*
 * Equal times are ordered by stream, so that the output does not depend on
 * which of them was processed first.  Within a stream they are in order.
 */
static void
outlet_tie(struct outlet *o, uint64_t *run, size_t n, uint64_t *tmp)
{
	uint32_t most = 0;
	uint64_t *sorted;

	for (size_t i = 0; i < n; i++) {
		uint32_t index = (uint32_t)run[i];
		uint32_t lane = o->pool->chunk[index / CHUNK_EVENTS].lane;

		run[i] = (uint64_t)lane << 32 | index;
		most = lane > most ? lane : most;
	}
	sorted = sort_packed(run, tmp, n, most);
	if (sorted != run)
		memcpy(run, sorted, n * sizeof(*run));
}

static void
outlet_ties(struct outlet *o, uint64_t *sorted, size_t n, uint64_t *tmp)
{
	for (size_t i = 0; i + 1 < n; i++) {
		size_t k = i + 1;

		if (sorted[k] >> 32 != sorted[i] >> 32)
			continue;
		while (k + 1 < n && sorted[k + 1] >> 32 == sorted[i] >> 32)
			k++;
		outlet_tie(o, sorted + i, k + 1 - i, tmp);
		i = k;
	}
}

static inline void
outlet_fetch(const struct outlet *o, uint32_t index)
{
	__builtin_prefetch(eventpool_at(o->pool, index));
	__builtin_prefetch(&o->pool->chunk[index / CHUNK_EVENTS].out, 1);
}

/* Times that lie within 2^32 ns of each other: nearly always. */
static void
outlet_packed(struct outlet *o, size_t n, int64_t first, int64_t last)
{
	uint64_t *sorted =
	    sort_packed(o->keys, o->tmp, n, (uint32_t)(last - first));

	outlet_ties(o, sorted, n, sorted == o->keys ? o->tmp : o->keys);
	for (size_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			outlet_fetch(o, (uint32_t)sorted[i + AHEAD]);
		outlet_one(o, (uint32_t)sorted[i]);
	}
}

/* Hours between events, at the end of a run, or one that was very late. */
static int
outlet_wide(struct outlet *o, int64_t before_ns)
{
	struct sort_item *ready = malloc(2 * o->items_n * sizeof(*ready));
	struct sort_item *sorted;
	size_t n = 0, kept = 0;

	if (ready == NULL)
		return (-1);
	for (size_t i = 0; i < o->items_n; i++) {
		if (o->items[i].t_mon_ns < before_ns)
			ready[n++] = o->items[i];
		else
			o->items[kept++] = o->items[i];
	}
	for (size_t i = 0; i < n; i++)
		ready[i].lane =
		    o->pool->chunk[ready[i].index / CHUNK_EVENTS].lane;
	sorted = sort_items(ready, ready + o->items_n, n);
	o->items_n = kept;
	for (size_t i = 0; i < n; i++)
		outlet_one(o, sorted[i].index);
	free(ready);
	return (0);
}

/*
 * Half a million events may have to wait, for a clock that is ahead or a node
 * that says nothing: not all of them are looked at again each time.
 */
static bool
nothing_ready(struct outlet *o, int64_t before_ns)
{
	if (o->looked_n == 0 || o->least_ns < before_ns)
		return (false);
	for (; o->looked_n < o->items_n; o->looked_n++) {
		int64_t t = o->items[o->looked_n].t_mon_ns;

		if (t < before_ns)
			return (false);
		o->least_ns = t < o->least_ns ? t : o->least_ns;
	}
	return (true);
}

int
outlet_emit(struct outlet *o, int64_t before_ns)
{
	int64_t first = INT64_MAX, last = INT64_MIN, least = INT64_MAX;
	size_t n = 0, kept = 0;

	if (before_ns < o->passed_ns)
		before_ns = o->passed_ns;
	if (nothing_ready(o, before_ns)) {
		o->passed_ns = before_ns;
		return (0);
	}
	for (size_t i = 0; i < o->items_n; i++) {
		int64_t t = o->items[i].t_mon_ns;

		if (t >= before_ns) {
			least = t < least ? t : least;
			continue;
		}
		first = t < first ? t : first;
		last = t > last ? t : last;
		n++;
	}
	if (outlet_keys(o, n) == -1)
		return (-1);
	if (n > 0 && (uint64_t)last - (uint64_t)first > UINT32_MAX) {
		if (outlet_wide(o, before_ns) == -1)
			return (-1);
	} else {
		n = 0;
		for (size_t i = 0; i < o->items_n; i++) {
			struct sort_item it = o->items[i];

			if (it.t_mon_ns < before_ns)
				o->keys[n++] = (uint64_t)(it.t_mon_ns - first)
						   << 32 |
					       it.index;
			else
				o->items[kept++] = it;
		}
		o->items_n = kept;
		if (n > 0)
			outlet_packed(o, n, first, last);
	}
	o->looked_n = o->items_n;
	o->least_ns = least;
	outlet_hand(o);
	o->passed_ns = before_ns;
	return (0);
}
