/*
 * The states of one lane, numbered as they come: leaves refer to this list
 * instead of having one each.  It is never given back while the lane lives, so
 * it is short; a leaf with more than it has room for is told by one of its own.
 */
#include <string.h>

#include "model/keep/memory.h"
#include "model/keep/retired.h"
#include "model/lod/lodtree.h"

#define FIRST_CAP 4

/* A list while it is looked into, or added to. */
struct places {
	uint16_t *state;
	uint8_t *slot; /* twice as many: number in the list + 1; 0: none */
	unsigned n, cap, shift;
	struct lod_list *list; /* NULL: one of a leaf */
};

size_t
lod_list_bytes(const struct lod_list *list)
{
	return (list == NULL ? 0 : sizeof(*list) + list->cap * 4u);
}

static struct places
places_of(struct lod_list *list)
{
	return ((struct places){ .state = list->state,
	    .slot = (uint8_t *)(list->state + list->cap),
	    .n = atomic_load_explicit(&list->n, memory_order_relaxed),
	    .cap = list->cap,
	    .shift = 31 - (unsigned)__builtin_ctz(list->cap),
	    .list = list });
}

/* Where to look for it: there it is, or nothing. */
static inline uint8_t *
slot_of(const struct places *p, uint16_t state)
{
	unsigned h = (uint32_t)state * 0x9e3779b1u >> p->shift;

	while (p->slot[h] != 0 && p->state[p->slot[h] - 1] != state)
		h = (h + 1) & (p->cap * 2 - 1);
	return (&p->slot[h]);
}

/* There is room. */
static void
places_put(struct places *p, uint16_t state)
{
	uint8_t *slot = slot_of(p, state);

	p->state[p->n++] = state;
	*slot = (uint8_t)p->n;
	if (p->list != NULL)
		atomic_store_explicit(&p->list->n, (uint16_t)p->n,
		    memory_order_release);
}

/* One of twice the size, or the first; readers keep the one they have. */
static int
places_grow(struct lod *l, const struct lod_env *env, struct places *p)
{
	struct lod_list *old =
	    atomic_load_explicit(&l->list, memory_order_relaxed);
	unsigned cap = old == NULL ? FIRST_CAP : old->cap * 2u;
	struct lod_list *list = memory_zero(1, sizeof(*list) + cap * 4u);

	if (list == NULL)
		return (-1);
	list->cap = (uint16_t)cap;
	*p = places_of(list);
	for (unsigned i = 0; old != NULL && i < old->cap; i++)
		places_put(p, old->state[i]);
	atomic_fetch_add_explicit(env->bytes,
	    lod_list_bytes(list) - lod_list_bytes(old), memory_order_relaxed);
	atomic_store_explicit(&l->list, list, memory_order_release);
	retired_add(env->retired, old);
	return (0);
}

/* -1: no room, or ENOMEM. */
static int
places_add(struct lod *l, const struct lod_env *env, struct places *p,
    uint16_t state)
{
	if (p->n == p->cap &&
	    (p->cap == LOD_LIST || places_grow(l, env, p) == -1))
		return (-1);
	places_put(p, state);
	return (0);
}

/*
 * A lane's first.  If there is one that all others take turns with it lies
 * apart from them, so that they need no bit for it.
 */
static int
places_first(struct lod *l, const struct lod_env *env, struct places *p,
    const uint16_t *state, unsigned n)
{
	unsigned many[2] = { 0, 0 };

	memset(p, 0, sizeof(*p));
	for (unsigned i = 0; n > 1 && i < n; i++)
		for (unsigned k = 0; k < 2; k++)
			many[k] += state[i] == state[k];
	return (places_add(l, env, p, state[many[1] > many[0]]));
}

/* By this list, to which is added what it lacks.  False: that cannot be. */
static bool
digest(struct lod *l, const struct lod_env *env, struct places *p,
    const struct lod_raw *r, int64_t t1, struct lod_digest *d)
{
	const uint16_t *state = raw_states(r);
	unsigned n = d->n, k;
	uint32_t ns;

	memset(d->count, 0, sizeof(d->count));
	memset(d->ns, 0, sizeof(d->ns));
	memset(d->bits, 0, sizeof(d->bits));
	d->has[0] = d->has[1] = 0;
	for (unsigned i = 0; i < n; i++) {
		k = *slot_of(p, state[i]);
		if (k == 0) {
			if (places_add(l, env, p, state[i]) == -1)
				return (false);
			k = p->n;
		}
		d->place[i] = (uint8_t)--k;
		d->count[k]++;
		d->has[i & 1] |= 1ull << k;
		if (i + 1 == n) {
			d->ns[k] += (uint64_t)(t1 - r->t0_ns) - r->off[i];
			break;
		}
		ns = r->off[i + 1] - r->off[i];
		d->ns[k] += ns;
		d->bits[lod_bits_for(ns)]++;
	}
	d->state = p->state;
	return (true);
}

void
lod_leaf_digest(struct lod *l, const struct lod_env *env,
    const struct lod_raw *r, int64_t t1, struct lod_digest *d)
{
	struct lod_list *list =
	    atomic_load_explicit(&l->list, memory_order_relaxed);
	uint8_t slot[LOD_LIST * 2] = { 0 };
	struct places p;

	d->n = atomic_load_explicit(&r->n, memory_order_relaxed);
	if (list != NULL)
		p = places_of(list);
	if ((list != NULL ||
		places_first(l, env, &p, raw_states(r), d->n) == 0) &&
	    digest(l, env, &p, r, t1, d))
		return;
	p = (struct places){ .state = d->own,
		.slot = slot,
		.cap = LOD_LIST,
		.shift = 31 - (unsigned)__builtin_ctz(LOD_LIST) };
	digest(l, env, &p, r, t1, d);
}
