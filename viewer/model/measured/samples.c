/*
 * Samples as they came, and the stacks that they name.  A stack has an index of
 * its own even if its number was another one's before, so that what was found
 * there stays where it was.
 */
#include "model/measured/samples.h"

#include <errno.h>

#include "model/measured/part.h"

void
samples_init(struct model *m)
{
	chunk_init(&samples_of(m)->found, sizeof(struct sample), 6);
	chunk_init(&samples_of(m)->stacks, sizeof(struct sample_stack), 4);
}

void
samples_clear(struct model *m)
{
	chunk_clear(&samples_of(m)->found);
	chunk_clear(&samples_of(m)->stacks);
	idmap_clear(&samples_of(m)->map);
}

static uint64_t
key_of(const struct location *l, uint64_t number)
{
	return ((uint64_t)l->po_number << 32 | (uint32_t)number);
}

/* Index + 1 of a stack; 0: it has not been told. */
static uint32_t
stack_of(const struct model *m, const struct location *l, uint64_t number)
{
	uint32_t i = number == 0
			 ? IDMAP_NONE
			 : idmap_find(&samples_of(m)->map, key_of(l, number));

	return (i == IDMAP_NONE ? 0 : i + 1);
}

static int
take_stack(struct model *m, const struct location *l, const struct event *e)
{
	struct samples *all = samples_of(m);
	uint32_t i = atomic_load(&all->nstacks), caller = stack_of(m, l, e->b);
	struct sample_stack *s;

	s = chunk_make(&all->stacks, i, &held_of(m)->bytes);
	if (s == NULL)
		return (-1);
	*s = (struct sample_stack){ caller, e->c, l->po_number };
	if (stack_of(m, l, e->a) != 0)
		idmap_set(&all->map, key_of(l, e->a), i);
	else if (idmap_add(&all->map, key_of(l, e->a), i, &held_of(m)->retired,
		     &held_of(m)->bytes) == -1)
		return (-1);
	atomic_store_explicit(&all->nstacks, i + 1, memory_order_release);
	return (0);
}

static int
take_sample(struct model *m, const struct location *l, const struct event *e)
{
	struct samples *all = samples_of(m);
	uint32_t i = atomic_load(&all->n);
	struct sample *s = chunk_make(&all->found, i, &held_of(m)->bytes);

	if (s == NULL)
		return (-1);
	*s = (struct sample){ .t_mon_ns = e->t_mon_ns,
		.cpu_ns = (uint64_t)word_ns(e->b),
		.stack = stack_of(m, l, e->c),
		.tid = (uint32_t)e->a,
		.po_number = l->po_number };
	atomic_store_explicit(&all->n, i + 1, memory_order_release);
	return (0);
}

void
sample_event(struct model *m, const struct location *l, const struct event *e)
{
	int r = 0;

	if (fetched_of(m)->whole != NULL)
		return; /* it has been told */
	if (e->kind == EV_sample_stack)
		r = take_stack(m, l, e);
	else if (e->kind == EV_sample_found)
		r = take_sample(m, l, e);
	if (r == -1)
		held_of(m)->failed = ENOMEM;
}

uint32_t
model_samples(const struct model *m)
{
	return (atomic_load_explicit(&samples_of(m)->n, memory_order_acquire));
}

const struct sample *
model_sample(const struct model *m, uint32_t i)
{
	return (chunk_at(&samples_of(m)->found, i));
}

uint32_t
model_sample_stacks(const struct model *m)
{
	return (atomic_load_explicit(&samples_of(m)->nstacks,
	    memory_order_acquire));
}

const struct sample_stack *
model_sample_stack(const struct model *m, uint32_t i)
{
	return (chunk_at(&samples_of(m)->stacks, i));
}

uint32_t
model_sample_po(const struct model *m, uint32_t po_number)
{
	const struct po_data *po = chunk_at(&defs_of(m)->pos, po_number);

	return (po == NULL ? UINT32_MAX : po->lane);
}

uint32_t
model_sample_lane(const struct model *m, const struct sample *s)
{
	return (idmap_find(&scheds_of(m)->tid_map,
	    (uint64_t)s->po_number << 32 | s->tid)); /* or IDMAP_NONE */
}
