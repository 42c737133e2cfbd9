/*
 * Leaves.  A raw one is what the writer fills: offsets and states as they
 * come.  A full one is packed: of 64 changes the time since the one before
 * takes as many bits as the longest, a state as many as it takes to tell the
 * states of this leaf apart, a number (of a task) as many as their spread.
 * Who wants to look at a packed leaf unpacks it, in 0.1 us.
 */
#include <string.h>

#include "model/lodstore.h"
#include "model/lodtree.h"

/* Bits that are needed for numbers up to v. */
static unsigned
bits_for(uint32_t v)
{
	return (v == 0 ? 0 : 32u - (unsigned)__builtin_clz(v));
}

/* Bits one behind the other. */
struct bits {
	uint32_t *word; /* the next one to be written */
	uint64_t acc;
	unsigned n; /* that acc has, less than 32 */
};

static inline void
bits_put(struct bits *b, unsigned bits, uint32_t v)
{
	b->acc |= (uint64_t)v << b->n;
	b->n += bits;
	if (b->n < 32)
		return;
	*b->word++ = (uint32_t)b->acc;
	b->acc >>= 32;
	b->n -= 32;
}

/* Reads one word more than there may be bits in; there always is one. */
static inline uint32_t
bits_get(const uint32_t *word, uint32_t at, uint64_t mask)
{
	uint64_t x =
	    (uint64_t)word[(at >> 5) + 1] << 32 | (uint64_t)word[at >> 5];

	return ((uint32_t)(x >> (at & 31) & mask));
}

#define STATE_HASH 128 /* 1 << 7, as the shift below has it */

/* Its place in the list, to which it is added if it is new. */
static inline unsigned
state_place(struct lod_digest *d, uint8_t *slot, uint16_t state)
{
	unsigned h = (uint32_t)state * 0x9e3779b1u >> 25, k;

	for (; slot[h] != 0; h = (h + 1) % STATE_HASH)
		if (d->state[slot[h] - 1] == state)
			return (slot[h] - 1u);
	k = d->nstates++;
	d->state[k] = state;
	d->count[k] = 0;
	d->ns[k] = 0;
	slot[h] = (uint8_t)(k + 1);
	return (k);
}

void
lod_leaf_digest(const struct lod_raw *r, int64_t t1, struct lod_digest *d)
{
	const uint16_t *state = raw_states(r);
	unsigned n = atomic_load_explicit(&r->n, memory_order_relaxed), k;
	uint8_t slot[STATE_HASH] = { 0 };
	uint32_t ns;

	d->n = n;
	d->nstates = 0;
	d->most = 0;
	for (unsigned i = 0; i < n; i++) {
		d->place[i] = (uint8_t)(k = state_place(d, slot, state[i]));
		d->count[k]++;
		if (i + 1 == n) {
			d->ns[k] += (uint64_t)(t1 - r->t0_ns) - r->off[i];
			break;
		}
		ns = r->off[i + 1] - r->off[i];
		d->ns[k] += ns;
		d->most = ns > d->most ? ns : d->most;
	}
}

/* Least and greatest of the numbers that are not 0; false: there are none. */
static bool
ids_bounds(const uint32_t *ids, unsigned n, uint32_t *lo, uint32_t *hi)
{
	*lo = UINT32_MAX;
	*hi = 0;
	for (unsigned i = 0; ids != NULL && i < n; i++) {
		if (ids[i] == 0)
			continue;
		*lo = ids[i] < *lo ? ids[i] : *lo;
		*hi = ids[i] > *hi ? ids[i] : *hi;
	}
	return (*hi != 0);
}

/* All the deltas, all the states, all the ids, and a word to spare. */
static void
leaf_write(struct lod_leaf *leaf, const struct lod_raw *r, const uint32_t *ids,
    const struct lod_digest *d)
{
	unsigned first = (d->nstates + 1u) / 2;
	struct bits b = { .word = leaf->word + first };

	leaf->word[first - 1] = 0; /* of an odd number the last half */
	memcpy(leaf->word, d->state, d->nstates * sizeof(d->state[0]));
	bits_put(&b, leaf->delta_bits, 0);
	for (unsigned i = 1; i < d->n; i++)
		bits_put(&b, leaf->delta_bits, r->off[i] - r->off[i - 1]);
	for (unsigned i = 0; leaf->state_bits > 0 && i < d->n; i++)
		bits_put(&b, leaf->state_bits, d->place[i]);
	for (unsigned i = 0; leaf->id_bits > 0 && i < d->n; i++)
		bits_put(&b, leaf->id_bits,
		    ids[i] == 0 ? 0 : ids[i] - leaf->id0);
	while (b.word < leaf->word + leaf->words) {
		*b.word++ = (uint32_t)b.acc;
		b.acc = 0;
	}
}

struct lod_leaf *
lod_leaf_pack(const struct lod_raw *r, const struct lod_digest *d, int64_t t1,
    const struct lod_env *env)
{
	const uint32_t *ids = atomic_load(&r->ids);
	struct lod_leaf head = { .packed = 1,
		.n = (uint8_t)d->n,
		.nstates = (uint8_t)d->nstates },
			*leaf;
	uint32_t bits, hi;

	head.delta_bits = (uint8_t)bits_for(d->most);
	head.state_bits = (uint8_t)bits_for(d->nstates - 1u);
	if (ids_bounds(ids, d->n, &head.id0, &hi)) {
		head.id0--; /* 0 stays 0 */
		head.id_bits = (uint8_t)bits_for(hi - head.id0);
	} else {
		head.id0 = 0;
	}
	bits = d->n * (head.delta_bits + head.state_bits + head.id_bits);
	head.words = (uint16_t)((d->nstates + 1u) / 2 + (bits + 31) / 32 + 1);
	leaf = lod_store_take(env->store,
	    sizeof(*leaf) + head.words * sizeof(leaf->word[0]), t1, env->bytes);
	if (leaf == NULL)
		return (NULL);
	*leaf = head;
	leaf_write(leaf, r, ids, d);
	return (leaf);
}

static void
unpack(const struct lod_leaf *leaf, bool ids, struct lod_opened *o)
{
	const uint32_t *word = leaf->word + (leaf->nstates + 1u) / 2;
	const uint16_t *list = (const uint16_t *)(const void *)leaf->word;
	uint32_t at = 0, off = 0, v, n = leaf->n;
	uint64_t mask = (1ull << leaf->delta_bits) - 1;

	for (uint32_t i = 0; i < n; i++, at += leaf->delta_bits)
		o->own_off[i] = off += bits_get(word, at, mask);
	mask = (1ull << leaf->state_bits) - 1;
	for (uint32_t i = 0; i < n; i++, at += leaf->state_bits)
		o->own_state[i] = list[bits_get(word, at, mask)];
	o->n = n;
	o->off = o->own_off;
	o->state = o->own_state;
	o->ids = NULL;
	if (!ids || leaf->id_bits == 0)
		return;
	mask = (1ull << leaf->id_bits) - 1;
	for (uint32_t i = 0; i < n; i++, at += leaf->id_bits) {
		v = bits_get(word, at, mask);
		o->own_id[i] = v == 0 ? 0 : v + leaf->id0;
	}
	o->ids = o->own_id;
}

bool
lod_leaf_open(const struct lod *l, uint32_t i, bool ids, struct lod_opened *o)
{
	const struct lod_leaf *leaf = lod_leaf_at(l, i);
	const struct lod_raw *r;

	if (leaf == NULL)
		return (false);
	if (leaf->packed) {
		o->t0_ns = lod_leaf_t0(l, i);
		unpack(leaf, ids, o);
		return (true);
	}
	r = (const struct lod_raw *)(const void *)leaf;
	o->t0_ns = r->t0_ns;
	o->n = atomic_load_explicit(&r->n, memory_order_acquire);
	o->off = r->off;
	o->state = raw_states(r);
	o->ids = atomic_load_explicit(&r->ids, memory_order_acquire);
	return (true);
}

/* Its node has it; if there is none yet it is raw. */
int64_t
lod_leaf_t0(const struct lod *l, uint32_t i)
{
	const struct lod_level *v;
	const struct lod_node *node;
	const struct lod_leaf *leaf;

	for (;;) {
		for (int k = 0; k < LOD_LEVELS; k++) {
			if (i & ((1u << 2 * k) - 1) ||
			    i >> 2 * k >= lod_level_n(l, k))
				break;
			v = lod_level_at(l, k);
			node = chunk_at(&v->nodes, i >> 2 * k);
			if (node != NULL)
				return (node->t0_ns);
		}
		leaf = lod_leaf_at(l, i);
		if (leaf == NULL)
			return (INT64_MIN); /* as the caller must not */
		if (!leaf->packed)
			return (((const struct lod_raw *)(const void *)leaf)
				    ->t0_ns);
	}
}
