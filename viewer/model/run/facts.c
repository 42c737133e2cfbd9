/*
 * A run as a whole, for readers: from when to when, how much, how much memory,
 * and from when on it is known change by change.
 */
#include "model/run/inside.h"

int64_t
model_first_ns(const struct model *m)
{
	return (
	    atomic_load_explicit(&facts_of(m)->first_ns, memory_order_relaxed));
}

int64_t
model_last_ns(const struct model *m)
{
	return (
	    atomic_load_explicit(&facts_of(m)->last_ns, memory_order_acquire));
}

uint64_t
model_rewritten(const struct model *m)
{
	return (atomic_load_explicit(&facts_of(m)->rewritten,
	    memory_order_acquire));
}

uint64_t
model_events(const struct model *m)
{
	return (
	    atomic_load_explicit(&facts_of(m)->events, memory_order_acquire));
}

uint64_t
model_lost(const struct model *m)
{
	return (atomic_load_explicit(&facts_of(m)->lost, memory_order_relaxed));
}

uint64_t
model_bytes(const struct model *m)
{
	return (atomic_load_explicit(&held_of(m)->bytes, memory_order_relaxed) +
		atomic_load_explicit(&fetched_of(m)->detail_bytes,
		    memory_order_relaxed));
}

bool
model_finished(const struct model *m)
{
	return (atomic_load(&facts_of(m)->finished) != 0);
}

void
model_set_memory(struct model *m, uint64_t bytes)
{
	atomic_store_explicit(&facts_of(m)->memory, bytes,
	    memory_order_relaxed);
}

void
model_set_no_leaves(struct model *m)
{
	facts_of(m)->no_leaves = 1;
}

uint64_t
model_memory(const struct model *m)
{
	return (
	    atomic_load_explicit(&facts_of(m)->memory, memory_order_relaxed));
}

int64_t
model_detail_ns(const struct model *m)
{
	return (atomic_load_explicit(&facts_of(m)->detail_ns,
	    memory_order_acquire));
}
