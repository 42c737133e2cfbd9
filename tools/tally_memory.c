/*
 * Figures of memory: what was given out where, and is it back?  Addresses are
 * those of a process; what one gives out again was free, told or not.
 */
#include "tally_inside.h"

struct piece {
	uint64_t bytes;
	uint32_t place; /* index */
	bool live;
};

static struct piece *
piece_of(struct tally *t, const struct event *e, int64_t po)
{
	struct intmap *m;
	bool fresh;

	m = tally_thing(t->inside, &t->inside->memory, (uint64_t)po + 1,
	    sizeof(*m), &fresh);
	return (m == NULL ? NULL
			  : tally_thing(t->inside, m, e->a,
				sizeof(struct piece), &fresh));
}

/* Of this address; place 0 is one, too. */
static struct tally_place *
place_of(struct tally *t, const struct event *e)
{
	uint32_t program = tally_this(t)->program;
	struct tally_place *place;
	bool fresh;

	place = tally_row(&t->inside->place, tally_key(program, e->c),
	    &t->places, &t->nplaces, sizeof(*place), &fresh);
	if (place != NULL) {
		place->name = e->c;
		place->program = program;
	}
	return (place);
}

static void
live_add(struct tally *t, int64_t po, uint64_t bytes)
{
	struct tally_po *p = &t->pos[po];

	p->live_bytes += bytes;
	if (p->live_bytes > p->peak_bytes)
		p->peak_bytes = p->live_bytes;
}

static void
live_remove(struct tally *t, int64_t po, struct piece *piece)
{
	t->pos[po].live_bytes -= piece->bytes;
	piece->live = false;
}

int
tally_mem_alloc(struct tally *t, const struct event *e)
{
	int64_t po = tally_po(t, e->location);
	struct tally_place *place;
	struct piece *piece;

	if (po == -1 || (place = place_of(t, e)) == NULL ||
	    (piece = piece_of(t, e, po)) == NULL)
		return (-1);
	if (piece->live) /* that it was freed was not told */
		live_remove(t, po, piece);
	*piece = (struct piece){ e->b, (uint32_t)(place - t->places), true };
	place->allocations++;
	place->bytes += e->b;
	t->pos[po].allocations++;
	t->memory.allocations++;
	t->memory.bytes += e->b;
	live_add(t, po, e->b);
	return (0);
}

int
tally_mem_free(struct tally *t, const struct event *e)
{
	int64_t po = tally_po(t, e->location);
	struct tally_place *place;
	struct piece *piece;

	if (e->a == 0)
		return (0);
	if (po == -1 || (piece = piece_of(t, e, po)) == NULL)
		return (-1);
	if (!piece->live) {
		t->memory.unknown_frees++;
		return (0);
	}
	place = &t->places[piece->place];
	place->frees++;
	place->freed_bytes += piece->bytes;
	t->pos[po].frees++;
	t->memory.frees++;
	t->memory.freed_bytes += piece->bytes;
	live_remove(t, po, piece);
	return (0);
}

void
tally_memory_free(struct tally *t)
{
	const struct intmap *m = &t->inside->memory;

	for (size_t i = 0; m->n > 0 && i <= m->mask; i++)
		if (m->slot[i].p != NULL)
			intmap_free(m->slot[i].p);
}
