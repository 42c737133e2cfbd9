/*
 * Leaves.  A raw one is what the writer fills: offsets and states as they
 * come.  A full one is packed: of 64 changes the time to the next one takes as
 * many bytes as the longest, a state one or a half, a number (of a task) as
 * many as their spread.  Bytes, because they are read in every frame: bits
 * would save half a byte a change and take five times as long.
 */
#include <string.h>

#include "model/lodstore.h"
#include "model/lodtree.h"

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

/* What is behind the list of states. */
static void
leaf_write(struct lod_leaf *leaf, const struct lod_raw *r, const uint32_t *ids,
    uint32_t id0, const struct lod_digest *d)
{
	uint8_t *p = (uint8_t *)(leaf->state + leaf->nstates);
	unsigned n = d->n;

	for (unsigned i = 0; i + 1 < n; i++)
		p = bytes_put(p, leaf->delta_bytes, r->off[i + 1] - r->off[i]);
	for (unsigned i = 0; leaf->halves && i < n; i += 2)
		*p++ = (uint8_t)(d->place[i] |
				 (i + 1 < n ? d->place[i + 1] << 4 : 0));
	if (!leaf->halves) {
		memcpy(p, d->place, n);
		p += n;
	}
	if (leaf->id_bytes > 0)
		p = ids_write(leaf, p, ids, id0);
	memset(p, 0, SPARE);
}

size_t
lod_leaf_bytes(const struct lod_leaf *l)
{
	size_t ids = 0;

	if (l->few_ids > 0)
		ids = l->few_ids * (l->id_bytes + 1u) + sizeof(uint32_t);
	else if (l->id_bytes > 0)
		ids = (size_t)l->n * l->id_bytes + sizeof(uint32_t);
	return (sizeof(*l) + l->nstates * sizeof(l->state[0]) +
		(l->n - 1u) * l->delta_bytes +
		(l->halves ? (l->n + 1u) / 2 : l->n) + SPARE + ids);
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
	struct ids own = ids_of(ids, d->n);

	head.delta_bytes = (uint8_t)bytes_for(d->most | 1);
	head.halves = d->nstates <= 16;
	if (own.n > 0) { /* 0 stays 0 */
		head.id_bytes = (uint8_t)bytes_for(own.hi - own.lo + 1);
		if (own.n * (head.id_bytes + 1u) < d->n * head.id_bytes)
			head.few_ids = (uint8_t)own.n;
	}
	leaf =
	    lod_store_take(env->store, lod_leaf_bytes(&head), t1, env->bytes);
	if (leaf == NULL)
		return (NULL);
	*leaf = head;
	memcpy(leaf->state, d->state, d->nstates * sizeof(leaf->state[0]));
	leaf_write(leaf, r, ids, own.lo - 1, d);
	return (leaf);
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
unpack(const struct lod_leaf *leaf, bool ids, struct lod_opened *o)
{
	struct lod_reader r = lod_reader(leaf);
	uint32_t off = 0, n = leaf->n;

	o->own_off[0] = 0;
	for (uint32_t i = 1; i < n; i++)
		o->own_off[i] = off += lod_reader_delta(&r, i - 1);
	for (uint32_t i = 0; i < n; i++)
		o->own_state[i] = leaf->state[lod_reader_place(&r, i)];
	o->n = n;
	o->off = o->own_off;
	o->state = o->own_state;
	o->ids = NULL;
	if (!ids || leaf->id_bytes == 0)
		return;
	unpack_ids(leaf, lod_reader_ids(&r, n), o);
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
