/*
 * Growing.  A change goes into the open leaf; when that is full, or when four
 * seconds no longer fit its 32-bit offsets, the next change closes it: the
 * exact sums of its 64 pieces become a node, four nodes a node above, and so
 * on.  Publication goes upwards too: new leaf first, then the nodes, so that
 * a reader who sees a node finds the leaf behind it, where it ends.
 */
#include "model/lod.h"

#include <stdlib.h>
#include <string.h>

#include "model/lodtree.h"
#include "model/retired.h"

void
lod_init(struct lod *l)
{
	memset(l, 0, sizeof(*l));
	chunk_init(&l->leaves, sizeof(struct lod_leaf *), 2);
	l->last_ns = INT64_MIN;
}

void
lod_clear(struct lod *l)
{
	struct lod_level *v;
	struct lod_leaf *leaf;

	for (uint32_t i = 0; i < atomic_load(&l->nleaves); i++) {
		leaf = lod_leaf_at(l, i);
		free(atomic_load(&leaf->ids));
		free(leaf);
	}
	chunk_clear(&l->leaves);
	for (int k = 0; k < LOD_LEVELS; k++) {
		v = atomic_load(&l->level[k]);
		if (v == NULL)
			continue;
		chunk_clear(&v->nodes);
		chunk_clear(&v->sums);
		free(v);
	}
	lod_init(l);
}

int
lod_empty(const struct lod *l)
{
	return (atomic_load_explicit(&l->nleaves, memory_order_acquire) == 0);
}

static struct lod_level *
lod_level_make(struct lod *l, int k, const struct lod_env *env)
{
	struct lod_level *v;

	v = atomic_load_explicit(&l->level[k], memory_order_relaxed);
	if (v != NULL)
		return (v);
	v = calloc(1, sizeof(*v));
	if (v == NULL)
		return (NULL);
	chunk_init(&v->nodes, sizeof(struct lod_node), 2);
	chunk_init(&v->sums, sizeof(struct lod_sum), 1);
	atomic_fetch_add_explicit(env->bytes, sizeof(*v), memory_order_relaxed);
	atomic_store_explicit(&l->level[k], v, memory_order_release);
	return (v);
}

/* Rounds exact sums over dur ns to a node. */
static void
node_fill(struct lod_node *n, const struct lod_sum *s, int64_t t0, int64_t t1,
    uint16_t top, uint64_t top_ns)
{
	double dur = (double)(t1 - t0);

	n->t0_ns = t0;
	n->top = top;
	n->begun = s->begun > UINT32_MAX ? UINT32_MAX : (uint32_t)s->begun;
	if (t1 <= t0)
		return;
	for (int c = 0; c < LOD_CLASSES; c++)
		n->share[c] = (uint8_t)((double)s->ns[c] * 255.0 / dur + 0.5);
	n->top_share = (uint16_t)((double)top_ns * 65535.0 / dur + 0.5);
}

/* The name with most time among those of four nodes. */
static uint16_t
top_of(const struct lod_level *v, const struct lod_state *states, uint64_t *ns)
{
	uint32_t name[LOD_FAN];
	uint64_t sum, best = 0;
	uint16_t top = 0;

	for (uint32_t i = 0; i < v->kids; i++)
		name[i] = states[v->top[i]].name;
	for (uint32_t i = 0; i < v->kids; i++) {
		sum = 0;
		for (uint32_t j = 0; j < v->kids; j++)
			if (name[j] == name[i])
				sum += v->top_ns[j];
		if (name[i] != 0 && sum > best) {
			best = sum;
			top = v->top[i];
		}
	}
	*ns = best;
	return (top);
}

/* One node of level k - 1 (or a leaf) that ends at t1 goes into level k. */
static int
level_take(struct lod *l, int k, const struct lod_env *env,
    const struct lod_sum *s, int64_t t0, int64_t t1, uint16_t top,
    uint64_t top_ns)
{
	struct lod_level *v;
	struct lod_node *node;
	struct lod_sum *exact, sum;
	uint32_t n;
	uint64_t ns;
	uint16_t t;

	if (k >= LOD_LEVELS)
		return (0);
	v = lod_level_make(l, k, env);
	if (v == NULL)
		return (-1);
	if (v->kids == 0)
		v->t0_ns = t0;
	v->top[v->kids] = top;
	v->top_ns[v->kids++] = top_ns;
	for (int c = 0; c < LOD_CLASSES; c++)
		v->sum.ns[c] += s->ns[c];
	v->sum.begun += s->begun;
	if (v->kids < (k == 0 ? 1 : LOD_FAN))
		return (0);

	n = atomic_load_explicit(&v->n, memory_order_relaxed);
	node = chunk_make(&v->nodes, n, env->bytes);
	if (node == NULL)
		return (-1);
	t = top_of(v, env->states, &ns);
	node_fill(node, &v->sum, v->t0_ns, t1, t, ns);
	if (k >= LOD_EXACT) {
		exact = chunk_make(&v->sums, n, env->bytes);
		if (exact == NULL)
			return (-1);
		*exact = v->sum;
	}
	atomic_store_explicit(&v->n, n + 1, memory_order_release);
	sum = v->sum;
	memset(&v->sum, 0, sizeof(v->sum));
	v->kids = 0;
	return (level_take(l, k + 1, env, &sum, node->t0_ns, t1, t, ns));
}

#define LEAF_HASH 128 /* 1 << 7, as the shift below has it */

/* Sums of a leaf that ends at t1. */
static int
leaf_close(struct lod *l, const struct lod_env *env, struct lod_leaf *leaf,
    int64_t t1)
{
	struct lod_sum s = { .begun = 0 };
	const uint16_t *state = leaf_states(leaf);
	uint32_t n = leaf_n(leaf), off, next, name[LEAF_HASH] = { 0 }, h;
	uint64_t ns[LEAF_HASH], best = 0;
	uint16_t top = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct lod_state *st = &env->states[state[i]];
		uint64_t d;

		off = leaf->off[i];
		if (i + 1 < n) {
			next = leaf->off[i + 1];
			d = next - off;
		} else {
			d = (uint64_t)(t1 - leaf->t0_ns) - off;
		}
		s.ns[st->class] += d;
		s.begun += st->fresh;
		if (st->name == 0)
			continue;
		h = st->name * 0x9e3779b1u >> 25;
		while (name[h] != 0 && name[h] != st->name)
			h = (h + 1) % LEAF_HASH;
		if (name[h] == 0) {
			name[h] = st->name;
			ns[h] = 0;
		}
		ns[h] += d;
		if (ns[h] > best) {
			best = ns[h];
			top = state[i];
		}
	}
	return (level_take(l, 0, env, &s, leaf->t0_ns, t1, top, best));
}

static int
leaf_new(struct lod *l, const struct lod_env *env, int64_t t, uint16_t state,
    uint32_t id)
{
	struct lod_leaf *leaf, *old = l->open, **p;
	uint32_t i = atomic_load_explicit(&l->nleaves, memory_order_relaxed);
	uint32_t *ids;
	uint16_t cap = LOD_LEAF;
	size_t size;

	/* lanes that hardly ever change must not pay for 64 */
	if (old == NULL || leaf_n(old) <= 4)
		cap = 8;
	size = sizeof(*leaf) + cap * (sizeof(uint32_t) + sizeof(uint16_t));
	p = chunk_make(&l->leaves, i, env->bytes);
	leaf = p == NULL ? NULL : malloc(size);
	if (leaf == NULL)
		return (-1);
	memset(leaf, 0, sizeof(*leaf));
	leaf->t0_ns = t;
	leaf->cap = cap;
	leaf->off[0] = 0;
	leaf_states(leaf)[0] = state;
	if (id != 0) {
		ids = calloc(cap, sizeof(*ids));
		if (ids == NULL) {
			free(leaf);
			return (-1);
		}
		ids[0] = id;
		atomic_init(&leaf->ids, ids);
		size += cap * sizeof(*ids);
	}
	atomic_init(&leaf->n, 1);
	*p = leaf;
	atomic_fetch_add_explicit(env->bytes, size, memory_order_relaxed);
	l->open = leaf;
	atomic_store_explicit(&l->nleaves, i + 1, memory_order_release);
	return (old == NULL ? 0 : leaf_close(l, env, old, t));
}

int
lod_append(struct lod *l, const struct lod_env *env, int64_t t, uint16_t state,
    uint32_t id)
{
	struct lod_leaf *leaf = l->open;
	uint32_t n, *ids;

	if (t < l->last_ns)
		t = l->last_ns;
	l->last_ns = t;
	l->last_state = state;
	if (leaf == NULL)
		return (leaf_new(l, env, t, state, id));
	n = atomic_load_explicit(&leaf->n, memory_order_relaxed);
	if (n == leaf->cap || (uint64_t)t - (uint64_t)leaf->t0_ns > UINT32_MAX)
		return (leaf_new(l, env, t, state, id));
	leaf->off[n] = (uint32_t)(t - leaf->t0_ns);
	leaf_states(leaf)[n] = state;
	if (id != 0) {
		ids = atomic_load_explicit(&leaf->ids, memory_order_relaxed);
		if (ids == NULL) {
			ids = calloc(leaf->cap, sizeof(*ids));
			if (ids == NULL)
				return (-1);
			atomic_store_explicit(&leaf->ids, ids,
			    memory_order_release);
			atomic_fetch_add_explicit(env->bytes,
			    leaf->cap * sizeof(*ids), memory_order_relaxed);
		}
		ids[n] = id;
	}
	atomic_store_explicit(&leaf->n, (uint16_t)(n + 1),
	    memory_order_release);
	return (0);
}

void
lod_retire(struct lod *l, struct retired *r)
{
	struct lod_level *v;
	struct lod_leaf *leaf;

	for (uint32_t i = 0; i < atomic_load(&l->nleaves); i++) {
		leaf = lod_leaf_at(l, i);
		retired_add(r, atomic_load(&leaf->ids));
		retired_add(r, leaf);
	}
	for (int i = 0; i < CHUNK_DIRS; i++)
		retired_add(r, atomic_load(&l->leaves.dir[i]));
	for (int k = 0; k < LOD_LEVELS; k++) {
		v = atomic_load(&l->level[k]);
		for (int i = 0; v != NULL && i < CHUNK_DIRS; i++) {
			retired_add(r, atomic_load(&v->nodes.dir[i]));
			retired_add(r, atomic_load(&v->sums.dir[i]));
		}
		retired_add(r, v);
	}
	retired_add(r, l);
}
