/* See talksums.h: an array, and a table of places in it. */
#include "model/run/talksums.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/keep/idmap.h"
#include "model/keep/memory.h"
#include "varint.h"

#define PAIRS_LEAST 16
#define WORDS       5 /* of a pair */
#define PAIR_BYTES  (WORDS * VARINT_BYTES_MAX)

static uint32_t
pair_hash(uint32_t from, uint32_t to, uint32_t what)
{
	uint64_t key = ((uint64_t)from << 32 | to) * TALKS + what;

	return ((uint32_t)idmap_mix(key));
}

/* The place of a pair, or a free one. */
static uint32_t *
slot_of(const struct talk_sums *s, uint32_t from, uint32_t to, uint32_t what)
{
	const struct talk_pair *p;
	uint32_t i = pair_hash(from, to, what);

	for (;; i++) {
		if (s->slot[i & s->mask] == 0)
			return (&s->slot[i & s->mask]);
		p = &s->pair[s->slot[i & s->mask] - 1];
		if (p->from == from && p->to == to && p->what == what)
			return (&s->slot[i & s->mask]);
	}
}

static void
give_back(const struct talk_sums *s, void *p)
{
	if (s->heap)
		free(p);
	else
		memory_free(p);
}

static int
sums_grow(struct talk_sums *s)
{
	uint32_t cap = s->cap == 0 ? PAIRS_LEAST : s->cap * 2;
	size_t bytes = cap * sizeof(struct talk_pair);
	struct talk_pair *p =
	    s->heap ? realloc(s->pair, bytes) : memory_grow(s->pair, bytes);
	uint32_t *slot;

	if (p == NULL)
		return (-1);
	s->pair = p;
	slot = s->heap ? calloc(cap * 2, sizeof(*slot))
		       : memory_zero(cap * 2, sizeof(*slot));
	if (slot == NULL)
		return (-1);
	give_back(s, s->slot);
	s->slot = slot;
	s->mask = cap * 2 - 1;
	s->cap = cap;
	for (uint32_t i = 0; i < s->n; i++)
		*slot_of(s, s->pair[i].from, s->pair[i].to, s->pair[i].what) =
		    i + 1;
	return (0);
}

int
talk_sums_add(struct talk_sums *s, const struct talk_pair *add)
{
	uint32_t *at;

	if (s->n == s->cap && sums_grow(s) == -1)
		return (-1);
	at = slot_of(s, add->from, add->to, add->what);
	if (*at == 0) {
		s->pair[s->n++] = *add;
		*at = s->n;
		return (0);
	}
	s->pair[*at - 1].count += add->count;
	s->pair[*at - 1].bytes += add->bytes;
	s->pair[*at - 1].ns = span_add(s->pair[*at - 1].ns, add->ns);
	return (0);
}

const struct talk_pair *
talk_sums_find(const struct talk_sums *s, uint32_t from, uint32_t to,
    enum talk what)
{
	const uint32_t *at = s->n == 0 ? NULL : slot_of(s, from, to, what);

	return (at == NULL || *at == 0 ? NULL : &s->pair[*at - 1]);
}

void
talk_sums_empty(struct talk_sums *s)
{
	if (s->slot != NULL)
		memset(s->slot, 0, (s->mask + 1) * sizeof(*s->slot));
	s->n = 0;
}

void
talk_sums_clear(struct talk_sums *s)
{
	give_back(s, s->pair);
	give_back(s, s->slot);
	*s = (struct talk_sums){ .heap = s->heap };
}

size_t
talk_sums_bytes(const struct talk_sums *s)
{
	return (s->cap * (sizeof(*s->pair) + 2 * sizeof(*s->slot)));
}

uint8_t *
talk_sums_pack(const struct talk_sums *s, size_t *n)
{
	uint8_t *out = memory_alloc(s->n * PAIR_BYTES + 1), *p = out, *less;

	if (out == NULL)
		return (NULL);
	for (uint32_t i = 0; i < s->n; i++) {
		p = varint_write(p,
		    s->pair[i].from * (uint64_t)TALKS + s->pair[i].what);
		p = varint_write(p, s->pair[i].to);
		p = varint_write(p, s->pair[i].count);
		p = varint_write(p, s->pair[i].bytes);
		p = varint_write(p, (uint64_t)s->pair[i].ns);
	}
	*n = (size_t)(p - out);
	less = memory_grow(out, *n + 1);
	return (less == NULL ? out : less);
}

int
talk_sums_unpack(struct talk_sums *s, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;
	struct talk_pair pair;
	uint64_t v[WORDS] = { 0 };

	while (p < end) {
		for (int i = 0; i < WORDS && p != NULL; i++)
			p = varint_get(p, end, &v[i]);
		if (p == NULL)
			break; /* it was packed by us: it is whole */
		pair = (struct talk_pair){ (uint32_t)(v[0] / TALKS),
			(uint32_t)v[1], (uint32_t)(v[0] % TALKS), v[2], v[3],
			(int64_t)v[4] };
		if (talk_sums_add(s, &pair) == -1)
			return (-1);
	}
	return (0);
}
