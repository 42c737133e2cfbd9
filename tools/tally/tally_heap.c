/*
 * Figures of memory that are no single pieces: sums as threads tell them, of
 * which the last ones count, and pieces that were picked by chance.  One of
 * these stands for as many as it takes for one to be picked.
 */
#include <math.h>

#include "tally_inside.h"

#define MEAN_BYTES 524288.0 /* of mem_sample; see events.def */

struct sample {
	double pieces, bytes; /* it stands for so many */
	uint32_t row;         /* index */
	bool live;
};

static struct tally_heap *
heap_of(struct tally *t, const struct event *e)
{
	struct tally_heap *heap;
	bool fresh;

	heap = tally_row(&t->inside->heap, (uint64_t)e->location + 1, &t->heaps,
	    &t->nheaps, sizeof(*heap), &fresh);
	if (heap != NULL)
		heap->location = e->location;
	return (heap);
}

/* So many bytes more or fewer are in use. */
static int
heap_change(struct tally *t, const struct event *e, int64_t bytes)
{
	int64_t po = tally_po(t, e->location);
	struct tally_po *p;

	if (po == -1)
		return (-1);
	p = &t->pos[po];
	p->heap_bytes += bytes;
	if (p->heap_bytes > p->heap_peak_bytes)
		p->heap_peak_bytes = p->heap_bytes;
	return (0);
}

int
tally_heap_made(struct tally *t, const struct event *e)
{
	struct tally_heap *heap = heap_of(t, e);
	uint64_t before;

	if (heap == NULL)
		return (-1);
	before = heap->given_bytes;
	heap->pieces = e->a;
	heap->given_bytes = e->b;
	return (heap_change(t, e, (int64_t)(e->b - before)));
}

int
tally_heap_asked(struct tally *t, const struct event *e)
{
	struct tally_heap *heap = heap_of(t, e);

	if (heap == NULL)
		return (-1);
	heap->asked_bytes = e->a;
	return (0);
}

int
tally_heap_freed(struct tally *t, const struct event *e)
{
	struct tally_heap *heap = heap_of(t, e);
	uint64_t before;

	if (heap == NULL)
		return (-1);
	before = heap->freed_bytes;
	heap->freed = e->a;
	heap->freed_bytes = e->b;
	heap->null_frees = e->c;
	return (heap_change(t, e, (int64_t)(before - e->b)));
}

int
tally_heap_mapped(struct tally *t, const struct event *e)
{
	struct tally_heap *heap = heap_of(t, e);

	if (heap == NULL)
		return (-1);
	heap->mapped_bytes = e->a;
	heap->unmapped_bytes = e->b;
	return (0);
}

static struct sample *
sample_of(struct tally *t, const struct event *e, int64_t po)
{
	struct intmap *m;
	bool fresh;

	m = tally_thing(t->inside, &t->inside->samples, (uint64_t)po + 1,
	    sizeof(*m), &fresh);
	return (m == NULL ? NULL
			  : tally_thing(t->inside, m, e->a,
				sizeof(struct sample), &fresh));
}

static struct tally_picked *
picked_of(struct tally *t, const struct event *e)
{
	uint32_t program = tally_this(t)->program;
	struct tally_picked *picked;
	bool fresh;

	picked = tally_row(&t->inside->picked, tally_key(program, e->c),
	    &t->picked, &t->npicked, sizeof(*picked), &fresh);
	if (picked != NULL) {
		picked->name = e->c;
		picked->program = program;
	}
	return (picked);
}

int
tally_mem_sample(struct tally *t, const struct event *e)
{
	int64_t po = tally_po(t, e->location);
	double chance = 1 - exp(-(double)e->b / MEAN_BYTES);
	struct tally_picked *picked;
	struct sample *s;

	if (po == -1 || (picked = picked_of(t, e)) == NULL ||
	    (s = sample_of(t, e, po)) == NULL)
		return (-1);
	if (s->live) /* that it was freed was not told */
		t->picked[s->row].live_bytes -= s->bytes;
	s->pieces = chance > 0 ? 1 / chance : 0;
	s->bytes = (double)e->b * s->pieces;
	s->row = (uint32_t)(picked - t->picked);
	s->live = true;
	picked->picked++;
	picked->pieces += s->pieces;
	picked->bytes += s->bytes;
	picked->live_bytes += s->bytes;
	return (0);
}

int
tally_picked_free(struct tally *t, const struct event *e, int64_t po)
{
	struct tally_picked *picked;
	struct sample *s;

	if (t->npicked == 0)
		return (0);
	if ((s = sample_of(t, e, po)) == NULL)
		return (-1);
	if (!s->live)
		return (0);
	picked = &t->picked[s->row];
	picked->freed++;
	picked->live_bytes -= s->bytes;
	s->live = false;
	return (1);
}
