/*
 * A run as a whole, for readers: from when to when, how much, how much memory,
 * and from when on it is known change by change.
 */
#include "model/inside.h"

int64_t
model_first_ns(const struct model *m)
{
	return (atomic_load_explicit(&m->first_ns, memory_order_relaxed));
}

int64_t
model_last_ns(const struct model *m)
{
	return (atomic_load_explicit(&m->last_ns, memory_order_acquire));
}

uint64_t
model_rewritten(const struct model *m)
{
	return (atomic_load_explicit(&m->rewritten, memory_order_acquire));
}

uint64_t
model_events(const struct model *m)
{
	return (atomic_load_explicit(&m->events, memory_order_acquire));
}

uint64_t
model_lost(const struct model *m)
{
	return (atomic_load_explicit(&m->lost, memory_order_relaxed));
}

uint64_t
model_bytes(const struct model *m)
{
	return (atomic_load_explicit(&m->bytes, memory_order_relaxed) +
		atomic_load_explicit(&m->detail_bytes, memory_order_relaxed));
}

bool
model_finished(const struct model *m)
{
	return (atomic_load(&m->finished) != 0);
}

void
model_set_memory(struct model *m, uint64_t bytes)
{
	atomic_store_explicit(&m->memory, bytes, memory_order_relaxed);
}

void
model_set_no_leaves(struct model *m)
{
	m->no_leaves = 1;
}

uint64_t
model_memory(const struct model *m)
{
	return (atomic_load_explicit(&m->memory, memory_order_relaxed));
}

int64_t
model_detail_ns(const struct model *m)
{
	return (atomic_load_explicit(&m->detail_ns, memory_order_acquire));
}
