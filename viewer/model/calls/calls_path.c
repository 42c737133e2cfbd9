/* Paths, found by parent, name and kind. */
#include "model/calls/calls_inside.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
path_hash(uint32_t parent, uint32_t name, uint8_t kind)
{
	return (idmap_mix(((uint64_t)parent << 32 | name) * 31 + kind));
}

static int
slots_grow(struct calls *k)
{
	uint32_t size = k->slot == NULL ? 1024 : (k->mask + 1) * 2, at;
	uint32_t *slot = calloc(size, sizeof(*slot));
	const struct call *c;

	if (slot == NULL)
		return (-1);
	for (uint32_t i = 0; i < k->npaths; i++) {
		c = &k->path[i];
		at = (uint32_t)path_hash(c->parent, c->name, c->kind);
		while (slot[at & (size - 1)] != 0)
			at++;
		slot[at & (size - 1)] = i + 1;
	}
	free(k->slot);
	k->slot = slot;
	k->mask = size - 1;
	return (0);
}

static int
paths_reserve(struct calls *k)
{
	uint32_t cap = k->path_cap == 0 ? 512 : k->path_cap * 2;
	struct call *p;
	uint32_t *here;

	if (k->npaths == k->path_cap) {
		p = realloc(k->path, cap * sizeof(*p));
		if (p != NULL)
			k->path = p;
		here = realloc(k->thread.here, cap * sizeof(*here));
		if (here != NULL)
			k->thread.here = here;
		if (p == NULL || here == NULL)
			return (-1);
		memset(here + k->path_cap, 0,
		    (cap - k->path_cap) * sizeof(*here));
		k->path_cap = cap;
	}
	if (k->slot == NULL || k->npaths * 2 > k->mask)
		return (slots_grow(k));
	return (0);
}

static bool
is_of(const struct call *c, uint32_t name, uint8_t kind)
{
	return (c->name == name && c->kind == kind);
}

/* What follows from where it is. */
static void
path_hang(struct calls *k, struct call *c)
{
	uint32_t up = c->parent;

	c->other = up != CALL_NONE && is_of(&k->path[up], c->name, c->kind)
		       ? k->path[up].other
		       : up;
	while (up != CALL_NONE && !is_of(&k->path[up], c->name, c->kind))
		up = k->path[up].other;
	c->again = up != CALL_NONE;
	c->function = function_find(k->m, c->kind, c->name);
}

struct name_stats *
calls_task_row(struct calls *k, uint32_t name)
{
	uint32_t i = function_find(k->m, SPAN_task, name);

	return (i == 0 || i >= k->rows ? NULL : &k->row[i]);
}

uint32_t
calls_path_of(struct calls *k, uint32_t parent, uint32_t name, uint8_t kind)
{
	uint32_t i;
	struct call *c;

	if (paths_reserve(k) == -1) {
		k->failed = true;
		return (CALL_NONE);
	}
	for (i = (uint32_t)path_hash(parent, name, kind);
	     k->slot[i & k->mask] != 0; i++) {
		c = &k->path[k->slot[i & k->mask] - 1];
		if (c->parent == parent && is_of(c, name, kind))
			return (k->slot[i & k->mask] - 1);
	}
	k->slot[i & k->mask] = ++k->npaths;
	c = &k->path[k->npaths - 1];
	*c = (struct call){ .parent = parent,
		.name = name,
		.kind = kind,
		.lane = UINT32_MAX,
		.shortest_ns = INT64_MAX,
		.first_ns = INT64_MAX,
		.last_ns = INT64_MIN };
	path_hang(k, c);
	return (k->npaths - 1);
}
