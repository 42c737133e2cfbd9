/*
 * A program is found at the same places again and again: whoever reads samples
 * looks its chain up, and all that is made of a chain is made once.
 *
 * Open addressing.  A chain does not move, so others may hold it; when there
 * are too many, of programs that are long gone or of code that is made anew all
 * the time, all are given up at once.
 */
#include "chains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN  1024u
#define CHAINS_MAX (1u << 16) /* 25 MB if all are of full length */

struct chains {
	struct chain **slots;
	size_t n, mask;
};

struct chains *
chains_new(void)
{
	struct chains *cs = calloc(1, sizeof(*cs));

	if (cs == NULL)
		return (NULL);
	cs->slots = calloc(SLOTS_MIN, sizeof(struct chain *));
	if (cs->slots == NULL) {
		free(cs);
		return (NULL);
	}
	cs->mask = SLOTS_MIN - 1;
	return (cs);
}

void
chains_clear(struct chains *cs)
{
	for (size_t i = 0; i <= cs->mask; i++) {
		free(cs->slots[i]);
		cs->slots[i] = NULL;
	}
	cs->n = 0;
}

void
chains_free(struct chains *cs)
{
	if (cs == NULL)
		return;
	chains_clear(cs);
	free(cs->slots);
	free(cs);
}

bool
chains_full(const struct chains *cs)
{
	return (cs->n >= CHAINS_MAX);
}

static uint64_t
hash_of(uint32_t pid, const uint64_t *at, size_t n)
{
	uint64_t h = pid;

	for (size_t i = 0; i < n; i++)
		h = (h ^ at[i] ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15);
	return (h ^ h >> 32);
}

static struct chain **
slot_of(const struct chains *cs, uint64_t hash, uint32_t pid,
    const uint64_t *at, size_t n)
{
	for (uint64_t i = hash;; i++) {
		struct chain **slot = &cs->slots[i & cs->mask];
		const struct chain *c = *slot;

		if (c == NULL ||
		    (c->hash == hash && c->pid == pid && c->n == n &&
			memcmp(c->at, at, n * sizeof(*at)) == 0))
			return (slot);
	}
}

/* Twice as many slots.  -1: ENOMEM. */
static int
grow(struct chains *cs)
{
	struct chains more = { .mask = cs->mask * 2 + 1, .n = cs->n };

	more.slots = calloc(more.mask + 1, sizeof(struct chain *));
	if (more.slots == NULL)
		return (-1);
	for (size_t i = 0; i <= cs->mask; i++) {
		struct chain *c = cs->slots[i];

		if (c != NULL)
			*slot_of(&more, c->hash, c->pid, c->at, c->n) = c;
	}
	free(cs->slots);
	*cs = more;
	return (0);
}

struct chain *
chains_find(struct chains *cs, uint32_t pid, const uint64_t *at, size_t n)
{
	struct chain **slot, *c;
	uint64_t hash;

	if (n > CHAIN_MAX)
		n = CHAIN_MAX;
	hash = hash_of(pid, at, n);
	slot = slot_of(cs, hash, pid, at, n);
	if (*slot != NULL)
		return (*slot);
	if (chains_full(cs))
		return (NULL);
	if (cs->n * 2 > cs->mask) {
		if (grow(cs) == -1)
			return (NULL);
		slot = slot_of(cs, hash, pid, at, n);
	}
	c = calloc(1, sizeof(*c) + n * sizeof(*at));
	if (c == NULL)
		return (NULL);
	c->pid = pid;
	c->n = (uint32_t)n;
	c->hash = hash;
	memcpy(c->at, at, n * sizeof(*at));
	*slot = c;
	cs->n++;
	return (c);
}
