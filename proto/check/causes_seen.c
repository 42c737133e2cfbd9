/*
 * The causes of one kind that effects may still come for; and effects that
 * their cause may still come for.
 *
 * Two hashes, a young and an old one.  What is new goes into the young one;
 * when that holds VALIDATE_KEYS_MAX keys, the old one is dropped and the young
 * one takes its place.  So memory is bounded, and a key lives until at least
 * VALIDATE_KEYS_MAX newer ones have come, however long that takes.  Linear
 * probing with removal by moving back what follows: no graves.
 */
#include "causes_seen.h"

#include <stdlib.h>
#include <string.h>

#include "validate.h"

static size_t
home(const struct causes_generation *g, uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15u;

	return ((h ^ h >> 32) & g->mask);
}

static struct cause *
find(const struct causes_generation *g, uint64_t a, uint64_t b)
{
	if (g->slot == NULL)
		return (NULL);
	for (size_t i = home(g, a, b);; i = (i + 1) & g->mask) {
		struct cause *c = &g->slot[i];

		if (c->causes == 0)
			return (NULL);
		if (c->a == a && c->b == b)
			return (c);
	}
}

/* Puts a key that is not there; there is room. */
static struct cause *
put(struct causes_generation *g, const struct cause *c)
{
	size_t i = home(g, c->a, c->b);

	while (g->slot[i].causes != 0)
		i = (i + 1) & g->mask;
	g->slot[i] = *c;
	g->n++;
	return (&g->slot[i]);
}

static int
grow(struct causes_generation *g)
{
	struct causes_generation bigger = { 0 };

	bigger.mask = g->slot == NULL ? 63 : g->mask * 2 + 1;
	bigger.slot = calloc(bigger.mask + 1, sizeof(*bigger.slot));
	if (bigger.slot == NULL)
		return (-1);
	for (size_t i = 0; g->slot != NULL && i <= g->mask; i++) {
		if (g->slot[i].causes != 0)
			put(&bigger, &g->slot[i]);
	}
	free(g->slot);
	*g = bigger;
	return (0);
}

void
seen_clear(struct causes_seen *s)
{
	free(s->young.slot);
	free(s->old.slot);
	memset(s, 0, sizeof(*s));
}

struct cause *
seen_find(struct causes_seen *s, uint64_t a, uint64_t b)
{
	struct cause *c = find(&s->young, a, b);

	return (c != NULL ? c : find(&s->old, a, b));
}

struct cause *
seen_take(struct causes_seen *s, uint64_t a, uint64_t b)
{
	struct cause *c = seen_find(s, a, b);

	if (c != NULL)
		return (c);
	if (s->young.n == VALIDATE_KEYS_MAX) {
		s->forgotten |= s->old.n > 0;
		free(s->old.slot);
		s->old = s->young;
		memset(&s->young, 0, sizeof(s->young));
	}
	if ((s->young.slot == NULL || s->young.n * 2 > s->young.mask) &&
	    grow(&s->young) == -1)
		return (NULL);
	/* put() needs a count to find it again; the caller sets its own */
	c = put(&s->young, &(struct cause){ .a = a, .b = b, .causes = 1 });
	c->causes = 0;
	return (c);
}

void
seen_remove(struct causes_seen *s, struct cause *c)
{
	struct causes_generation *g = &s->young;
	size_t hole, i;

	if (g->slot == NULL || c < g->slot || c > g->slot + g->mask)
		g = &s->old;
	hole = i = (size_t)(c - g->slot);
	for (;;) {
		size_t h;

		i = (i + 1) & g->mask;
		if (g->slot[i].causes == 0)
			break;
		/* it may move back only to between its home and here */
		h = home(g, g->slot[i].a, g->slot[i].b);
		if (((i - h) & g->mask) < ((i - hole) & g->mask))
			continue;
		g->slot[hole] = g->slot[i];
		hole = i;
	}
	memset(&g->slot[hole], 0, sizeof(g->slot[hole]));
	g->n--;
}
