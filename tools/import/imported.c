/*
 * Places, names and tuples have dense numbers, found by hashing; their arrays
 * grow by doubling.
 */
#include "tools/import/imported.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct imported *
imported_new(void)
{
	return (calloc(1, sizeof(struct imported)));
}

void
imported_free(struct imported *m)
{
	if (m == NULL)
		return;
	for (uint32_t i = 0; i < m->nnames; i++)
		free(m->names[i]);
	for (uint32_t i = 0; i < m->nplaces; i++)
		for (int k = 0; k < EVENT_SPANS; k++)
			free(m->places[i].open[k].at);
	free(m->events);
	free(m->places);
	free(m->names);
	free(m->tuples);
	free(m->by_place.slot);
	free(m->by_name.slot);
	free(m->by_tuple.slot);
	free(m);
}

static uint64_t
mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return (h ^ h >> 29);
}

static uint64_t
hash_text(const char *text, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)text[i]) * 0x100000001b3u;
	return (mix(h, 0));
}

static uint64_t
hash_tuple(uint32_t space, const int64_t value[3])
{
	uint64_t h = space;

	for (int i = 0; i < 3; i++)
		h = mix(h, (uint64_t)value[i]);
	return (h);
}

/* Room for one more number; hashes are worked out again. */
static int
reserve(struct imported_index *x, uint64_t (*hash)(const void *, uint32_t),
    const void *of)
{
	size_t mask = x->slot == NULL ? 63 : x->mask * 2 + 1;
	uint32_t *slot;

	if (x->slot != NULL && x->n * 2 <= x->mask)
		return (0);
	if ((slot = calloc(mask + 1, sizeof(*slot))) == NULL)
		return (-1);
	for (uint32_t i = 0; i < x->n; i++) {
		size_t at = hash(of, i) & mask;

		while (slot[at] != 0)
			at = (at + 1) & mask;
		slot[at] = i + 1;
	}
	free(x->slot);
	x->slot = slot;
	x->mask = mask;
	return (0);
}

/* An array of n has room for one more. */
static int
grow(void *array, uint32_t n, uint32_t *cap, size_t bytes)
{
	uint32_t more = *cap == 0 ? 16 : *cap * 2;
	void *old, *p;

	if (n < *cap)
		return (0);
	if (more <= n) {
		errno = ENOMEM;
		return (-1);
	}
	memcpy(&old, array, sizeof(old));
	if ((p = reallocarray(old, more, bytes)) == NULL)
		return (-1);
	memcpy(array, &p, sizeof(p));
	*cap = more;
	return (0);
}

static uint64_t
place_hash(const void *of, uint32_t i)
{
	return (
	    mix(1, (uint64_t)((const struct imported *)of)->places[i].number));
}

int64_t
imported_place(struct imported *m, int64_t number)
{
	struct imported_index *x = &m->by_place;
	size_t at;

	if (reserve(x, place_hash, m) == -1)
		return (-1);
	for (at = mix(1, (uint64_t)number) & x->mask; x->slot[at] != 0;
	     at = (at + 1) & x->mask)
		if (m->places[x->slot[at] - 1].number == number)
			return (x->slot[at] - 1);
	if (m->nplaces == IMPORTED_PLACES_MAX) {
		errno = EOVERFLOW;
		return (-1);
	}
	if (grow(&m->places, m->nplaces, &m->places_cap, sizeof(*m->places)) ==
	    -1)
		return (-1);
	m->places[m->nplaces] =
	    (struct imported_place){ .number = number, .last_ns = INT64_MIN };
	x->slot[at] = ++m->nplaces;
	x->n++;
	return (m->nplaces - 1);
}

static uint64_t
name_hash(const void *of, uint32_t i)
{
	const char *text = ((const struct imported *)of)->names[i];

	return (hash_text(text, strlen(text)));
}

int64_t
imported_name(struct imported *m, const char *text, size_t n)
{
	struct imported_index *x = &m->by_name;
	size_t at;
	char *copy;

	if (n == 0)
		return (0);
	if (reserve(x, name_hash, m) == -1)
		return (-1);
	for (at = hash_text(text, n) & x->mask; x->slot[at] != 0;
	     at = (at + 1) & x->mask) {
		const char *there = m->names[x->slot[at] - 1];

		if (strncmp(there, text, n) == 0 && there[n] == '\0')
			return (x->slot[at]);
	}
	if (grow(&m->names, m->nnames, &m->names_cap, sizeof(*m->names)) ==
		-1 ||
	    (copy = strndup(text, n)) == NULL)
		return (-1);
	m->names[m->nnames] = copy;
	x->slot[at] = ++m->nnames;
	x->n++;
	return (m->nnames);
}

static uint64_t
tuple_hash(const void *of, uint32_t i)
{
	const struct imported_tuple *t =
	    &((const struct imported *)of)->tuples[i];

	return (hash_tuple(t->space, t->value));
}

int64_t
imported_tuple(struct imported *m, uint32_t space, const int64_t value[3])
{
	struct imported_index *x = &m->by_tuple;
	struct imported_tuple *t;
	size_t at;

	if (reserve(x, tuple_hash, m) == -1)
		return (-1);
	for (at = hash_tuple(space, value) & x->mask; x->slot[at] != 0;
	     at = (at + 1) & x->mask) {
		t = &m->tuples[x->slot[at] - 1];
		if (t->space == space &&
		    memcmp(t->value, value, sizeof(t->value)) == 0)
			return (x->slot[at] - 1);
	}
	if (grow(&m->tuples, m->ntuples, &m->tuples_cap, sizeof(*m->tuples)) ==
	    -1)
		return (-1);
	t = &m->tuples[m->ntuples];
	*t = (struct imported_tuple){ .space = space };
	memcpy(t->value, value, sizeof(t->value));
	x->slot[at] = ++m->ntuples;
	x->n++;
	return (m->ntuples - 1);
}

int
imported_add(struct imported *m, const struct event *e)
{
	if (m->n == m->cap) {
		size_t cap = m->cap == 0 ? 1024 : m->cap * 2;
		struct event *p = reallocarray(m->events, cap, sizeof(*p));

		if (p == NULL)
			return (-1);
		m->events = p;
		m->cap = cap;
	}
	m->events[m->n] = *e;
	m->events[m->n].seq = m->n; /* the order of those of one time */
	m->n++;
	return (0);
}
