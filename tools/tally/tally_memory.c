/*
 * Figures of memory: what was given out where and to whom, is it back, and by
 * whom?  Addresses are those of a process; what one gives out again was free,
 * told or not.
 */
#include "tally_inside.h"

#include <stdlib.h>

struct piece {
	uint64_t bytes, given;
	uint32_t place; /* index */
	uint32_t owner; /* location */
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

static struct tally_left *
left_of(struct tally *t, const struct piece *piece)
{
	struct tally_left *left;
	bool fresh;

	left =
	    tally_row(&t->inside->left, tally_key(piece->owner, piece->place),
		&t->left, &t->nleft, sizeof(*left), &fresh);
	if (left != NULL) {
		left->location = piece->owner;
		left->place = piece->place;
	}
	return (left);
}

static int
live_remove(struct tally *t, int64_t po, struct piece *piece)
{
	struct tally_left *left = left_of(t, piece);

	t->pos[po].live_bytes -= piece->bytes;
	piece->live = false;
	if (left == NULL)
		return (-1);
	left->pieces--;
	left->bytes -= piece->bytes;
	left->given_bytes -= piece->given;
	return (0);
}

int
tally_mem_alloc(struct tally *t, const struct event *e)
{
	int64_t po = tally_po(t, e->location);
	struct tally_place *place;
	struct tally_left *left;
	struct piece *piece;

	if (po == -1 || (place = place_of(t, e)) == NULL ||
	    (piece = piece_of(t, e, po)) == NULL)
		return (-1);
	/* that it was freed was not told */
	if (piece->live && live_remove(t, po, piece) == -1)
		return (-1);
	*piece = (struct piece){ e->b, e->b, (uint32_t)(place - t->places),
		e->location, true };
	if ((left = left_of(t, piece)) == NULL)
		return (-1);
	left->pieces++;
	left->bytes += e->b;
	left->given_bytes += e->b;
	t->memory.given_bytes += e->b;
	place->allocations++;
	place->bytes += e->b;
	t->pos[po].allocations++;
	t->memory.allocations++;
	t->memory.bytes += e->b;
	live_add(t, po, e->b);
	return (0);
}

/* It is larger than was asked for. */
int
tally_mem_given(struct tally *t, const struct event *e)
{
	int64_t po = tally_po(t, e->location);
	struct tally_left *left;
	struct piece *piece;

	if (po == -1 || (piece = piece_of(t, e, po)) == NULL)
		return (-1);
	if (!piece->live)
		return (0);
	if ((left = left_of(t, piece)) == NULL)
		return (-1);
	left->given_bytes += e->b - piece->given;
	t->memory.given_bytes += e->b - piece->given;
	piece->given = e->b;
	return (0);
}

static int
free_null(struct tally *t, const struct event *e)
{
	struct tally_null *null;
	bool fresh;

	t->memory.null_frees++;
	null = tally_row(&t->inside->null, tally_key(e->location, e->c),
	    &t->nulls, &t->nnulls, sizeof(*null), &fresh);
	if (null == NULL)
		return (-1);
	null->location = e->location;
	null->name = e->c;
	null->frees++;
	return (0);
}

/* By another thread than the one that it was given to. */
static int
free_handed(struct tally *t, const struct event *e, const struct piece *piece)
{
	struct tally_handed *handed;
	bool fresh;

	t->memory.freed_elsewhere++;
	handed =
	    tally_row(&t->inside->handed, tally_key(piece->owner, e->location),
		&t->handed, &t->nhanded, sizeof(*handed), &fresh);
	if (handed == NULL)
		return (-1);
	handed->from = piece->owner;
	handed->to = e->location;
	handed->pieces++;
	handed->bytes += piece->bytes;
	return (0);
}

int
tally_mem_free(struct tally *t, const struct event *e)
{
	int64_t po = tally_po(t, e->location);
	struct tally_place *place;
	struct piece *piece;
	int picked;

	if (e->a == 0)
		return (free_null(t, e));
	if (po == -1 || (piece = piece_of(t, e, po)) == NULL)
		return (-1);
	if (!piece->live) {
		picked = tally_picked_free(t, e, po);
		t->memory.unknown_frees += picked == 0;
		return (picked == -1 ? -1 : 0);
	}
	place = &t->places[piece->place];
	place->frees++;
	place->freed_bytes += piece->bytes;
	t->pos[po].frees++;
	t->memory.frees++;
	t->memory.freed_bytes += piece->bytes;
	if (piece->owner != e->location && free_handed(t, e, piece) == -1)
		return (-1);
	return (live_remove(t, po, piece));
}

static int
more_bytes(const void *a, const void *b)
{
	const struct tally_place *x = a, *y = b;

	return ((x->bytes < y->bytes) - (x->bytes > y->bytes));
}

static int
more_left(const void *a, const void *b)
{
	const struct tally_left *x = a, *y = b;
	int c = (x->bytes < y->bytes) - (x->bytes > y->bytes);

	if ((x->pieces == 0) != (y->pieces == 0))
		return (x->pieces == 0 ? 1 : -1); /* nothing is left there */

	return (
	    c != 0 ? c
		   : (x->location > y->location) - (x->location < y->location));
}

/* What is left names places by index, until these are sorted; then by name. */
void
tally_memory_sort(struct tally *t)
{
	if (t->nleft > 1)
		qsort(t->left, t->nleft, sizeof(*t->left), more_left);
	for (size_t i = 0; i < t->nleft; i++) {
		const struct tally_place *place = &t->places[t->left[i].place];

		t->left[i].program = place->program;
		t->left[i].place = place->name;
	}
	if (t->nplaces > 1)
		qsort(t->places, t->nplaces, sizeof(*t->places), more_bytes);
}

static void
maps_free(const struct intmap *m)
{
	for (size_t i = 0; m->n > 0 && i <= m->mask; i++)
		if (m->slot[i].p != NULL)
			intmap_free(m->slot[i].p);
}

void
tally_memory_free(struct tally *t)
{
	maps_free(&t->inside->memory);
	maps_free(&t->inside->samples);
	free(t->left);
	free(t->nulls);
	free(t->handed);
	free(t->heaps);
	free(t->picked);
}
