/*
 * How the registry grows, and finds a thing by what it is called.
 *
 * An index is a hash of places in one of the tables; what they are called is
 * looked up there, so that it is kept once.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "registry_inside.h"

uint64_t
registry_hash_bytes(const void *p, size_t n)
{
	const uint8_t *b = p;
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * 0x100000001b3u;
	return (h ^ (h >> 29));
}

uint64_t
registry_hash_thread(uint32_t node, uint32_t po, uint32_t thread)
{
	uint64_t h = ((uint64_t)node << 32 | po) * 0x9e3779b97f4a7c15u;

	h = (h ^ (h >> 29) ^ thread) * 0xbf58476d1ce4e5b9u;
	return (h ^ (h >> 32));
}

/* Makes room for one more element of an array. */
int
registry_array_grow(void **array, size_t n, size_t *cap, size_t size)
{
	size_t want;
	void *p;

	if (n < *cap)
		return (0);
	want = *cap == 0 ? 16 : *cap * 2;
	p = realloc(*array, want * size);
	if (p == NULL)
		return (-1);
	memset((char *)p + *cap * size, 0, (want - *cap) * size);
	*array = p;
	*cap = want;
	return (0);
}

char *
registry_copy(const void *p, size_t n)
{
	char *s = malloc(n + 1);

	if (s == NULL)
		return (NULL);
	if (n > 0)
		memcpy(s, p, n);
	s[n] = '\0';
	return (s);
}

char *
registry_key(const struct msg_name *m, size_t *bytes)
{
	const struct bytes parts[] = { m->text, { "", 1 }, m->file, { "", 1 },
		m->program, { "", 1 }, { &m->line, sizeof(m->line) } };
	size_t n = m->file.n == 0 ? 1 : sizeof(parts) / sizeof(parts[0]);
	char *key, *to;

	*bytes = 0;
	for (size_t i = 0; i < n; i++)
		*bytes += parts[i].n;
	key = to = malloc(*bytes + 1);
	for (size_t i = 0; key != NULL && i < n; i++) {
		if (parts[i].n > 0)
			memcpy(to, parts[i].p, parts[i].n);
		to += parts[i].n;
	}
	return (key);
}

static uint64_t
hash_of(const struct registry *r, const struct index *ix, uint32_t i)
{
	const struct location *l;

	if (ix == &r->by_key) {
		assert(r->names[i].key != NULL); /* all in the index have one */
		return (registry_hash_bytes(r->names[i].key,
		    r->names[i].key_bytes));
	}
	l = &r->locations[i];
	return (registry_hash_thread(l->node, l->po, l->thread));
}

void
registry_index_put(struct index *ix, uint64_t hash, uint32_t i)
{
	size_t at = hash & (ix->cap - 1);

	while (ix->slots[at] != 0)
		at = (at + 1) & (ix->cap - 1);
	ix->slots[at] = i + 1;
	ix->n++;
}

/* Makes room for one more; the hash is at most half full. */
int
registry_index_grow(const struct registry *r, struct index *ix)
{
	struct index bigger = { .cap = ix->cap == 0 ? 64 : ix->cap * 2 };

	if (ix->n * 2 < ix->cap)
		return (0);
	bigger.slots = calloc(bigger.cap, sizeof(*bigger.slots));
	if (bigger.slots == NULL)
		return (-1);
	for (size_t k = 0; k < ix->cap; k++)
		if (ix->slots[k] != 0)
			registry_index_put(&bigger,
			    hash_of(r, ix, ix->slots[k] - 1), ix->slots[k] - 1);
	free(ix->slots);
	*ix = bigger;
	return (0);
}
