/*
 * Packing.  A full leaf's changes are told bit by bit.  The time to the next
 * one takes one of two numbers of bits, which are chosen for the leaf: calls
 * are short and the pauses between them long, or the other way round, and one
 * number for both would be that of the longest.  A state takes as many bits as
 * its place in a list, as a rule the lane's, so that leaves need none of their
 * own.  A number (of a task) takes as many bytes as their spread.
 */
#include <string.h>

#include "model/lod/lodstore.h"
#include "model/lod/lodtree.h"

/* Bytes that are needed for numbers up to v. */
static unsigned
bytes_for(uint32_t v)
{
	return (v == 0 ? 0 : (39u - (unsigned)__builtin_clz(v)) / 8);
}

/* Writes four bytes, of which so many stay; returns what is behind them. */
static inline uint8_t *
bytes_put(uint8_t *p, unsigned bytes, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
	p[2] = (uint8_t)(v >> 16);
	p[3] = (uint8_t)(v >> 24);
	return (p + bytes);
}

/* Numbers of a leaf that are not 0: how many, and their bounds. */
struct ids {
	unsigned n;
	uint32_t lo, hi;
};

static struct ids
ids_of(const uint32_t *id, unsigned n)
{
	struct ids s = { 0, UINT32_MAX, 0 };

	for (unsigned i = 0; id != NULL && i < n; i++) {
		if (id[i] == 0)
			continue;
		s.n++;
		s.lo = id[i] < s.lo ? id[i] : s.lo;
		s.hi = id[i] > s.hi ? id[i] : s.hi;
	}
	return (s);
}

#define SPARE 3 /* bytes that a read or a write of four goes too far */

static uint8_t *
ids_write(const struct lod_leaf *leaf, uint8_t *p, const uint32_t *id,
    uint32_t id0)
{
	p = bytes_put(p, sizeof(id0), id0);
	for (unsigned i = 0; i < leaf->n; i++) {
		if (leaf->few_ids > 0 && id[i] == 0)
			continue;
		if (leaf->few_ids > 0)
			*p++ = (uint8_t)i;
		p = bytes_put(p, leaf->id_bytes, id[i] == 0 ? 0 : id[i] - id0);
	}
	return (p);
}

/* The two numbers of bits with which the times take least. */
static void
choose_deltas(struct lod_leaf *leaf, const struct lod_digest *d)
{
	unsigned most = 32, few = 0, least, n = d->n - 1, bits;

	while (most > 0 && d->bits[most] == 0)
		most--;
	leaf->delta_bits[0] = leaf->delta_bits[1] = (uint8_t)most;
	leaf->nlong = 0;
	least = n * most;
	for (unsigned w = 0; w < most; w++) {
		if (d->bits[w] == 0)
			continue;
		few += d->bits[w];
		bits = few * w + (n - few) * most;
		if (bits >= least)
			continue;
		least = bits;
		leaf->delta_bits[0] = (uint8_t)w;
		leaf->nlong = (uint8_t)(n - few);
	}
}

/* How many bits a place takes, on each side. */
static void
choose_places(struct lod_leaf *leaf, const struct lod_digest *d)
{
	unsigned lo, hi;

	for (unsigned odd = 0; odd < 2; odd++) {
		if (d->has[odd] == 0) /* a leaf of one change has no odd one */
			continue;
		lo = (unsigned)__builtin_ctzll(d->has[odd]);
		hi = 63 - (unsigned)__builtin_clzll(d->has[odd]);
		leaf->place0[odd] = (uint8_t)lo;
		leaf->place_bits[odd] = (uint8_t)lod_bits_for(hi - lo);
	}
}

/*
 * By the lane's list, or by one of its own if that takes less: then that is
 * state[], and at[] the place in it of each change.
 */
static void
choose_list(struct lod_leaf *leaf, const struct lod_digest *d,
    uint8_t at[LOD_LEAF], uint16_t state[LOD_LIST])
{
	uint64_t has = d->has[0] | d->has[1];
	unsigned n = (unsigned)__builtin_popcountll(has), bits;
	uint8_t place[LOD_LIST];

	choose_places(leaf, d);
	bits = leaf->place_bits[0] + leaf->place_bits[1];
	if (d->state != d->own &&
	    d->n * bits / 2 <= 16 * n + d->n * lod_bits_for(n - 1))
		return;
	leaf->nstates = (uint8_t)n;
	leaf->place0[0] = leaf->place0[1] = 0;
	leaf->place_bits[0] = leaf->place_bits[1] =
	    (uint8_t)lod_bits_for(n - 1);
	for (n = 0; has != 0; has &= has - 1) {
		unsigned k = (unsigned)__builtin_ctzll(has);

		place[k] = (uint8_t)n;
		state[n++] = d->state[k];
	}
	for (unsigned i = 0; i < d->n; i++)
		at[i] = place[d->place[i]];
}

/* Writes eight bytes. */
static inline void
word_put(uint8_t *p, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* What is behind the list of states; place: in the list, of each change. */
static void
leaf_write(struct lod_leaf *leaf, const struct lod_raw *r, const uint8_t *place)
{
	const uint32_t *off = r->off;
	uint8_t *p = (uint8_t *)(leaf->state + leaf->nstates);
	uint64_t many = 1ull << leaf->delta_bits[0], word = 0, longs = 0, v;
	unsigned last = leaf->n - 1u, have = 0;

	for (unsigned i = 0; i <= last; i++) {
		unsigned odd = i & 1, bits = leaf->place_bits[odd];
		uint64_t ns = i < last ? off[i + 1] - off[i] : 0;
		bool is_long = ns >= many;

		longs |= (uint64_t)is_long << i;
		v = ns << bits | (uint64_t)(place[i] - leaf->place0[odd]);
		word |= v << have;
		have += bits + leaf->delta_bits[is_long];
		word_put(p, word);
		p += have >> 3;
		word >>= have & ~7u;
		have &= 7;
	}
	/* of the last one there is only the place */
	word_put((uint8_t *)(uintptr_t)lod_leaf_longs(leaf), longs);
}

struct lod_leaf *
lod_leaf_pack(const struct lod_raw *r, const struct lod_digest *d, int64_t t1,
    const struct lod_env *env)
{
	const uint32_t *id = atomic_load(&r->ids);
	struct lod_leaf head = { .packed = 1, .n = (uint8_t)d->n }, *leaf;
	struct ids ids = ids_of(id, d->n);
	uint8_t place[LOD_LEAF] = { 0 }, *p;
	uint16_t state[LOD_LIST];

	choose_deltas(&head, d);
	choose_list(&head, d, place, state);
	if (ids.n > 0) { /* 0 stays 0 */
		head.id_bytes = (uint8_t)bytes_for(ids.hi - ids.lo + 1);
		if (ids.n * (head.id_bytes + 1u) < d->n * head.id_bytes)
			head.few_ids = (uint8_t)ids.n;
	}
	leaf =
	    lod_store_take(env->store, lod_leaf_bytes(&head), t1, env->bytes);
	if (leaf == NULL)
		return (NULL);
	*leaf = head;
	memcpy(leaf->state, state, head.nstates * sizeof(leaf->state[0]));
	leaf_write(leaf, r, head.nstates > 0 ? place : d->place);
	if (head.id_bytes > 0) {
		p = (uint8_t *)(uintptr_t)lod_leaf_longs(leaf) + LOD_LEAF / 8;
		memset(ids_write(leaf, p, id, ids.lo - 1), 0, SPARE);
	}
	return (leaf);
}
