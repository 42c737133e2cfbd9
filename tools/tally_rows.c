/*
 * Where the figures are kept: tables that grow, found by a key, and things
 * that are found by their id and given back all at once.
 */
#include <stdlib.h>
#include <string.h>

#include "tally_inside.h"

void *
tally_thing(struct tally_inside *in, struct intmap *m, uint64_t id,
    size_t bytes, bool *fresh)
{
	struct chunk *c = in->chunks;
	void *p = intmap_find(m, id);

	*fresh = p == NULL;
	if (p != NULL)
		return (p);
	if (intmap_reserve(m) == -1)
		return (NULL);
	bytes = (bytes + 15) & ~(size_t)15;
	if (c == NULL || sizeof(c->bytes) - c->used < bytes) {
		if ((c = calloc(1, sizeof(*c))) == NULL)
			return (NULL);
		c->next = in->chunks;
		in->chunks = c;
	}
	p = c->bytes + c->used;
	c->used += bytes;
	intmap_put(m, id, p);
	return (p);
}

void *
tally_row(struct intmap *m, uint64_t key, void *rows, size_t *n, size_t bytes,
    bool *fresh)
{
	char **table = rows, *more;
	uintptr_t i = (uintptr_t)intmap_find(m, key);

	*fresh = i == 0;
	if (i != 0)
		return (*table + (i - 1) * bytes);
	if (intmap_reserve(m) == -1)
		return (NULL);
	if ((*n & (*n - 1)) == 0) { /* grows at powers of two */
		more = realloc(*table, (*n == 0 ? 1 : *n * 2) * bytes);
		if (more == NULL)
			return (NULL);
		*table = more;
	}
	more = *table + *n * bytes;
	memset(more, 0, bytes);
	*n += 1;
	i = *n;                        /* an index, not a place */
	intmap_put(m, key, (void *)i); /* NOLINT(performance-no-int-to-ptr) */
	return (more);
}

uint64_t
tally_key(uint32_t high, uint32_t low)
{
	return ((uint64_t)high << 32 | low);
}

int64_t
tally_po(struct tally *t, uint32_t location)
{
	const struct def_thread *d = defs_thread(t->inside->defs, location);
	struct tally_po *po;
	bool fresh;

	po =
	    tally_row(&t->inside->po, d == NULL ? 0 : tally_key(d->node, d->po),
		&t->pos, &t->npos, sizeof(*po), &fresh);
	if (po == NULL)
		return (-1);
	if (fresh && d != NULL)
		*po = (struct tally_po){ d->node, d->po };
	return (po - t->pos);
}

uint32_t
tally_node(const struct tally *t, uint32_t location)
{
	const struct def_thread *d = defs_thread(t->inside->defs, location);

	return (d == NULL ? 0 : d->node);
}
