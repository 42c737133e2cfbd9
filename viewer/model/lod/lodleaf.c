/*
 * Leaves.  A raw one is what the writer fills: offsets and states as they
 * come.  A full one is packed (lodpack.c) and unpacked here when a part of it
 * is asked for.
 */
#include <string.h>

#include "model/lod/lodtree.h"

#define SPARE 3 /* bytes that a read of four numbers' bytes goes too far */

size_t
lod_leaf_bytes(const struct lod_leaf *l)
{
	size_t ids = 0;

	if (l->few_ids > 0)
		ids = l->few_ids * (l->id_bytes + 1u);
	else if (l->id_bytes > 0)
		ids = (size_t)l->n * l->id_bytes;
	if (ids > 0)
		ids += sizeof(uint32_t) + SPARE;
	return (sizeof(*l) + l->nstates * sizeof(l->state[0]) +
		(lod_leaf_bits(l) + 7) / 8 + LOD_LEAF / 8 + ids);
}

static void
unpack_ids(const struct lod_leaf *leaf, const uint8_t *p, struct lod_opened *o)
{
	uint32_t mask = UINT32_MAX >> (32 - 8 * leaf->id_bytes);
	uint32_t id0 = lod_bytes(p, UINT32_MAX), v, i;

	p += sizeof(id0);
	if (leaf->few_ids > 0)
		memset(o->own_id, 0, leaf->n * sizeof(o->own_id[0]));
	for (i = 0; i < (leaf->few_ids > 0 ? leaf->few_ids : leaf->n); i++) {
		unsigned at = leaf->few_ids > 0 ? *p++ : i;

		v = lod_bytes(p, mask);
		o->own_id[at] = v == 0 ? 0 : v + id0;
		p += leaf->id_bytes;
	}
}

static void
unpack(const struct lod *l, const struct lod_leaf *leaf, bool ids,
    struct lod_opened *o)
{
	struct lod_reader r;
	uint32_t off = 0, ns;
	unsigned n;
	const uint16_t *state = lod_leaf_states(l, leaf, &n);

	lod_reader_init(&r, leaf);
	for (unsigned i = 0; i < leaf->n; i++, off += ns) {
		o->own_off[i] = off;
		o->own_state[i] = state[lod_reader_next(&r, i, &ns)];
	}
	o->n = leaf->n;
	o->off = o->own_off;
	o->state = o->own_state;
	o->ids = NULL;
	if (!ids || leaf->id_bytes == 0)
		return;
	unpack_ids(leaf, lod_leaf_longs(leaf) + LOD_LEAF / 8, o);
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
		unpack(l, leaf, ids, o);
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
