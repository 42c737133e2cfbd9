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

static void
bits_put(uint32_t *word, uint32_t at, unsigned bits, uint32_t v)
{
	uint64_t x = (uint64_t)v << (at & 31);

	if (bits == 0)
		return;
	word[at >> 5] |= (uint32_t)x;
	if ((at & 31) + bits > 32)
		word[(at >> 5) + 1] |= (uint32_t)(x >> 32);
}

/* Reads one word more than there may be bits in; there always is one. */
static inline uint32_t
bits_get(const uint32_t *word, uint32_t at, uint64_t mask)
{
	uint64_t x =
	    (uint64_t)word[(at >> 5) + 1] << 32 | (uint64_t)word[at >> 5];

	return ((uint32_t)(x >> (at & 31) & mask));
}

/* Numbers the states of a leaf in order of their coming; how many. */
static unsigned
states_number(const uint16_t *state, unsigned n, uint16_t *list, uint8_t *at)
{
	unsigned k, found = 0;

	for (unsigned i = 0; i < n; i++) {
		for (k = 0; k < found && list[k] != state[i]; k++)
			continue;
		if (k == found)
			list[found++] = state[i];
		at[i] = (uint8_t)k;
	}
	return (found);
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

struct lod_leaf *
lod_leaf_pack(const struct lod_raw *r, int64_t t1, const struct lod_env *env)
{
	const uint32_t *ids = atomic_load(&r->ids);
	unsigned n = atomic_load_explicit(&r->n, memory_order_relaxed);
	struct lod_leaf head = { .packed = 1, .n = (uint8_t)n }, *leaf;
	uint16_t list[LOD_LEAF];
	uint8_t place[LOD_LEAF];
	uint32_t most = 0, bits, at, hi, first;

	head.nstates = (uint8_t)states_number(raw_states(r), n, list, place);
	for (unsigned i = 1; i < n; i++)
		if (r->off[i] - r->off[i - 1] > most)
			most = r->off[i] - r->off[i - 1];
	head.delta_bits = (uint8_t)bits_for(most);
	head.state_bits = (uint8_t)bits_for(head.nstates - 1u);
	if (ids_bounds(ids, n, &head.id0, &hi)) {
		head.id0--; /* 0 stays 0 */
		head.id_bits = (uint8_t)bits_for(hi - head.id0);
	} else {
		head.id0 = 0;
	}
	first = (head.nstates + 1u) / 2;
	bits = n * (head.delta_bits + head.state_bits + head.id_bits);
	head.words = (uint16_t)(first + (bits + 31) / 32 + 1);
	leaf = lod_store_take(env->store,
	    sizeof(*leaf) + head.words * sizeof(leaf->word[0]), t1, env->bytes);
	if (leaf == NULL)
		return (NULL);
	*leaf = head;
	memset(leaf->word, 0, head.words * sizeof(leaf->word[0]));
	memcpy(leaf->word, list, head.nstates * sizeof(list[0]));
	at = 0;
	for (unsigned i = 0; i < n; i++, at += head.delta_bits)
		bits_put(leaf->word + first, at, head.delta_bits,
		    i == 0 ? 0 : r->off[i] - r->off[i - 1]);
	for (unsigned i = 0; i < n; i++, at += head.state_bits)
		bits_put(leaf->word + first, at, head.state_bits, place[i]);
	for (unsigned i = 0; head.id_bits > 0 && i < n; i++, at += head.id_bits)
		bits_put(leaf->word + first, at, head.id_bits,
		    ids[i] == 0 ? 0 : ids[i] - head.id0);
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
