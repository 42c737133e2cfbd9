/*
 * A table of calls that are under way.
 *
 * Open addressing; those behind one that goes move up.
 */
#include "underway.h"

#include <stdlib.h>

#include "model/keep/idmap.h"

#define LEAST 64u

static uint32_t
slot_of(const struct underway *u, uint64_t id)
{
	uint32_t i = (uint32_t)idmap_mix(id) & u->mask;

	while (u->call[i].used && u->call[i].id != id)
		i = (i + 1) & u->mask;
	return (i);
}

struct underway_call *
underway_find(struct underway *u, uint64_t id)
{
	struct underway_call *c = u->n == 0 ? NULL : &u->call[slot_of(u, id)];

	return (c == NULL || !c->used ? NULL : c);
}

static int
grow(struct underway *u)
{
	struct underway more = { NULL, u->n, 0 };
	uint32_t size = u->call == NULL ? LEAST : (u->mask + 1) * 2;

	more.call = calloc(size, sizeof(*more.call));
	if (more.call == NULL)
		return (-1);
	more.mask = size - 1;
	for (uint32_t i = 0; u->call != NULL && i <= u->mask; i++)
		if (u->call[i].used)
			more.call[slot_of(&more, u->call[i].id)] = u->call[i];
	free(u->call);
	*u = more;
	return (0);
}

int
underway_add(struct underway *u, const struct underway_call *c)
{
	struct underway_call *to;

	if ((u->call == NULL || u->n * 2 > u->mask) && grow(u) == -1)
		return (-1);
	to = &u->call[slot_of(u, c->id)];
	u->n += !to->used;
	*to = *c;
	to->used = true;
	return (0);
}

void
underway_drop(struct underway *u, struct underway_call *c)
{
	uint32_t hole = (uint32_t)(c - u->call), home;

	for (uint32_t i = (hole + 1) & u->mask; u->call[i].used;
	     i = (i + 1) & u->mask) {
		home = (uint32_t)idmap_mix(u->call[i].id);
		if (((i - home) & u->mask) < ((i - hole) & u->mask))
			continue;
		u->call[hole] = u->call[i];
		hole = i;
	}
	u->call[hole].used = false;
	u->n--;
}

void
underway_clear(struct underway *u)
{
	free(u->call);
	*u = (struct underway){ 0 };
}
