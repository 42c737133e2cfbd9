/*
 * The table of pairs of nodes that talk.
 *
 * Cost and memory are bounded: a node starts at most 16 pairs (others may start
 * more with it, as with the centre of a star); when it has that many, the
 * vaguest makes room for another now and then.
 */
#include <stdlib.h>
#include <string.h>

#include "tighten_inside.h"

#define QUIET_MAX    200 /* windows */
#define CHANGE_EVERY 40  /* solves, until the vaguest pair has to go */

static size_t
slot_of(const struct tighten *t, uint32_t a, uint32_t b)
{
	uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(h >> 40) & (t->nslots - 1);

	while (t->slots[at] != 0 && (t->pairs[t->slots[at] - 1].a != a ||
					t->pairs[t->slots[at] - 1].b != b))
		at = (at + 1) & (t->nslots - 1);
	return (at);
}

static void
slots_fill(struct tighten *t)
{
	memset(t->slots, 0, t->nslots * sizeof(*t->slots));
	for (size_t i = 0; i < t->npairs; i++)
		t->slots[slot_of(t, t->pairs[i].a, t->pairs[i].b)] =
		    (uint32_t)i + 1;
}

static int
pairs_grow(struct tighten *t)
{
	size_t cap = t->pairs_cap == 0 ? 64 : t->pairs_cap * 2;
	struct tighten_pair *pairs = realloc(t->pairs, cap * sizeof(*pairs));
	uint32_t *slots;

	if (pairs == NULL)
		return (-1);
	t->pairs = pairs;
	slots = realloc(t->slots, cap * 4 * sizeof(*slots));
	if (slots == NULL)
		return (-1);
	t->slots = slots;
	t->nslots = cap * 4;
	t->pairs_cap = cap;
	slots_fill(t);
	return (0);
}

/* Who pays for a new pair; NULL: nobody has room. */
static struct tighten_clock *
owner_of(struct tighten *t, uint32_t a, uint32_t b, uint32_t *owner)
{
	*owner = t->clocks[a].owned <= t->clocks[b].owned ? a : b;
	if (t->clocks[*owner].owned >= TIGHTEN_NEIGHBOURS ||
	    t->npairs >= TIGHTEN_PAIRS_MAX)
		return (NULL);
	return (&t->clocks[*owner]);
}

/* NULL: no room. */
struct tighten_pair *
tighten_pair_find(struct tighten *t, uint32_t a, uint32_t b)
{
	struct tighten_clock *payer;
	struct tighten_pair *p;
	uint32_t owner;
	size_t at;

	if (t->nslots == 0 && pairs_grow(t) == -1)
		return (NULL);
	at = slot_of(t, a, b);
	if (t->slots[at] != 0)
		return (&t->pairs[t->slots[at] - 1]);
	payer = owner_of(t, a, b, &owner);
	if (payer == NULL)
		return (NULL);
	if (t->npairs == t->pairs_cap) {
		if (pairs_grow(t) == -1)
			return (NULL);
		at = slot_of(t, a, b);
	}
	p = &t->pairs[t->npairs++];
	memset(p, 0, sizeof(*p));
	p->a = a;
	p->b = b;
	p->owner = owner;
	payer->owned++;
	t->slots[at] = (uint32_t)t->npairs;
	return (p);
}

void
tighten_pair_forget(struct tighten_pair *p)
{
	memset(p->ways, 0, sizeof(p->ways));
}

/* Each full clock gives up the vaguest of the pairs it pays for. */
static void
mark_vaguest(struct tighten *t)
{
	uint32_t *worst = calloc(t->nclocks + 1, sizeof(*worst));

	if (worst == NULL)
		return;
	for (size_t i = 0; i < t->npairs; i++) {
		const struct tighten_pair *p = &t->pairs[i], *q;
		uint32_t o = p->owner;

		if (t->clocks[o].owned < TIGHTEN_NEIGHBOURS)
			continue;
		q = worst[o] == 0 ? NULL : &t->pairs[worst[o] - 1];
		if (q == NULL ||
		    (q->both &&
			(!p->both || p->high - p->low > q->high - q->low)))
			worst[o] = (uint32_t)i + 1;
	}
	for (size_t o = 0; o < t->nclocks; o++)
		if (worst[o] != 0)
			t->pairs[worst[o] - 1].quiet = QUIET_MAX + 1;
	free(worst);
}

void
tighten_pairs_drop(struct tighten *t)
{
	size_t n = 0;

	if (++t->solves % CHANGE_EVERY == 0)
		mark_vaguest(t);
	for (size_t i = 0; i < t->npairs; i++) {
		if (t->pairs[i].quiet > QUIET_MAX) {
			t->clocks[t->pairs[i].owner].owned--;
			continue;
		}
		if (n != i)
			t->pairs[n] = t->pairs[i];
		n++;
	}
	if (n == t->npairs)
		return;
	t->npairs = n;
	slots_fill(t);
}
