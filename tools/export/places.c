#include "tools/export/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "intmap.h"

int
places_init(struct places *p, const struct export_of *of)
{
	uint32_t n = defs_locations(of->defs);
	struct intmap known = { 0 };

	*p = (struct places){ .defs = of->defs,
		.locations = n,
		.number = calloc((size_t)n + 1, sizeof(*p->number)),
		.first = calloc((size_t)n + 2, sizeof(*p->first)),
		.processes = 1 };
	if (p->number == NULL || p->first == NULL)
		return (-1);
	for (uint32_t i = 1; i <= n; i++) {
		const struct def_thread *t = defs_thread(of->defs, i);
		uint64_t key;
		uintptr_t at;

		if (t == NULL || t->node == 0 ||
		    (of->wanted != NULL && !of->wanted[i]))
			continue;
		key = (uint64_t)t->node << 32 | t->po;
		at = (uintptr_t)intmap_find(&known, key);
		if (at == 0) {
			if (intmap_reserve(&known) == -1)
				break;
			at = p->processes++;
			p->first[at] = i;
			intmap_put(&known, key, (void *)at);
		}
		p->number[i] = (uint32_t)at;
	}
	intmap_free(&known);
	return (0);
}

void
places_clear(struct places *p)
{
	free(p->number);
	free(p->first);
}

void
places_process_name(const struct places *p, uint32_t process,
    char name[PLACE_BYTES])
{
	const struct def_thread *t = defs_thread(p->defs, p->first[process]);
	const struct def_node *n;
	const struct def_po *po;

	if (process == 0 || t == NULL) {
		snprintf(name, PLACE_BYTES, "monitord");
		return;
	}
	n = defs_node(p->defs, t->node);
	po = defs_po(p->defs, t->node, t->po);
	snprintf(name, PLACE_BYTES, "%.400s/%" PRIu32 "%s%.400s",
	    n != NULL ? n->name : "?", t->po,
	    po != NULL && po->program[0] != '\0' ? " " : "",
	    po != NULL ? po->program : "");
}

void
places_thread_name(const struct places *p, uint32_t location,
    char name[PLACE_BYTES])
{
	const struct def_thread *t = defs_thread(p->defs, location);

	if (t == NULL)
		snprintf(name, PLACE_BYTES, location == 0 ? "monitord" : "?%u",
		    (unsigned)location);
	else
		snprintf(name, PLACE_BYTES, "%" PRIu32 "%s%.900s", t->thread,
		    t->name[0] != '\0' ? " " : "", t->name);
}
