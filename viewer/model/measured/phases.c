/*
 * Each phase as it was when it ended: few, and never given up, so that how fast
 * the work went is exact in any range.
 */
#include "model/measured/phases.h"

#include <errno.h>

#include "model/measured/part.h"

void
phases_init(struct model *m)
{
	chunk_init(&phases_of(m)->found, sizeof(struct phase), 4);
}

void
phases_clear(struct model *m)
{
	chunk_clear(&phases_of(m)->found);
}

void
phase_add(struct model *m, const struct location *l, const struct slot *s,
    int64_t t_ns, uint64_t units)
{
	struct phases *all = phases_of(m);
	uint32_t i = atomic_load(&all->n);
	struct phase *p;

	if (fetched_of(m)->whole != NULL)
		return; /* it has been told */
	if (i == PHASES_MAX) {
		atomic_fetch_add(&all->left, 1);
		return;
	}
	p = chunk_make(&all->found, i, &held_of(m)->bytes);
	if (p == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	*p = (struct phase){ s->began_ns, t_ns, units, l->lane, s->name };
	atomic_store_explicit(&all->n, i + 1, memory_order_release);
}

uint32_t
model_phases(const struct model *m)
{
	return (atomic_load_explicit(&phases_of(m)->n, memory_order_acquire));
}

const struct phase *
model_phase(const struct model *m, uint32_t i)
{
	return (i < model_phases(m) ? chunk_at(&phases_of(m)->found, i) : NULL);
}

uint64_t
model_phases_left(const struct model *m)
{
	return (
	    atomic_load_explicit(&phases_of(m)->left, memory_order_relaxed));
}
