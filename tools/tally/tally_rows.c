/*
 * Where the figures are kept: tables that grow, found by a key, and things
 * that are found by their id and given back all at once.
 */
#include <stdlib.h>
#include <string.h>

#include "tally_inside.h"

void *
tally_space(struct tally_inside *in, size_t bytes)
{
	struct chunk *c = in->chunks;
	void *p;

	bytes = (bytes + 15) & ~(size_t)15;
	if (c == NULL || sizeof(c->bytes) - c->used < bytes) {
		if ((c = calloc(1, sizeof(*c))) == NULL)
			return (NULL);
		c->next = in->chunks;
		in->chunks = c;
	}
	p = c->bytes + c->used;
	c->used += bytes;
	return (p);
}

void *
tally_thing(struct tally_inside *in, struct intmap *m, uint64_t id,
    size_t bytes, bool *fresh)
{
	void *p = intmap_find(m, id);

	*fresh = p == NULL;
	if (p != NULL)
		return (p);
	if (intmap_reserve(m) == -1 || (p = tally_space(in, bytes)) == NULL)
		return (NULL);
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
		*po = (struct tally_po){ .node = d->node, .po = d->po };
	return (po - t->pos);
}

/* Programs of one name are one, whichever processes run them. */
int64_t
tally_program(struct tally *t, uint32_t location)
{
	const struct def_thread *d = defs_thread(t->inside->defs, location);
	const struct def_po *po;
	const char *text, **row;
	uint64_t key = 14695981039346656037u; /* FNV-1a */
	bool fresh;

	po = d == NULL ? NULL : defs_po(t->inside->defs, d->node, d->po);
	text = po == NULL || po->program == NULL ? "" : po->program;
	for (const char *s = text; *s != '\0'; s++)
		key = (key ^ (unsigned char)*s) * 1099511628211u;
	for (;; key++) {
		row = tally_row(&t->inside->program, key, &t->programs,
		    &t->nprograms, sizeof(*row), &fresh);
		if (row == NULL)
			return (-1);
		if (fresh)
			*row = text;
		if (strcmp(*row, text) == 0)
			return (row - t->programs);
	}
}

uint32_t
tally_node(const struct tally *t, uint32_t location)
{
	const struct def_thread *d = defs_thread(t->inside->defs, location);

	return (d == NULL ? 0 : d->node);
}

uint64_t
tally_span_ns(int64_t from_mon_ns, int64_t to_mon_ns)
{
	return (to_mon_ns <= from_mon_ns
		    ? 0
		    : (uint64_t)to_mon_ns - (uint64_t)from_mon_ns);
}

int
tally_times_add(struct tally_times *times, int64_t ns)
{
	int64_t *more;

	if ((times->n & (times->n - 1)) == 0) { /* grows at powers of two */
		more = realloc(times->each_ns,
		    (times->n == 0 ? 1 : times->n * 2) * sizeof(*more));
		if (more == NULL)
			return (-1);
		times->each_ns = more;
	}
	times->each_ns[times->n++] = ns;
	times->total_ns += (uint64_t)ns;
	return (0);
}

static int
shorter(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return ((x > y) - (x < y));
}

void
tally_times_sort(struct tally_times *times)
{
	if (times->n > 1)
		qsort(times->each_ns, times->n, sizeof(*times->each_ns),
		    shorter);
}

int64_t
tally_percentile(const struct tally_times *times, unsigned percent)
{
	size_t rank =
	    times->n / 100 * percent + (times->n % 100 * percent + 99) / 100;

	return (times->n == 0 ? 0 : times->each_ns[rank == 0 ? 0 : rank - 1]);
}
