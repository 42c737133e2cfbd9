/*
 * Growing.  A change goes into the open leaf; when that is full, or when four
 * seconds no longer fit its 32-bit offsets, the next change closes it: the
 * exact sums of its 64 pieces become a node, four nodes a node above, and so
 * on, and the leaf is packed.  Publication goes upwards too: new leaf first,
 * then the nodes, so that a reader who sees a node finds the leaf behind it,
 * where it ends; who sees a packed leaf finds its node, where it begins.
 */
#include "model/lod/lod.h"

#include <stdlib.h>
#include <string.h>

#include "model/keep/memory.h"
#include "model/keep/retired.h"
#include "model/lod/lodtree.h"

#define LEAF_PIECE 8 /* 256 leaves, 2 KB */
#define NODE_PIECE 6 /* 64 nodes, 1.5 KB */

void
lod_init(struct lod *l, enum lod_kind kind)
{
	memset(l, 0, sizeof(*l));
	chunk_init_pieces(&l->leaves, sizeof(struct lod_leaf *), 2, LEAF_PIECE);
	l->kind = (uint8_t)kind;
	l->last_ns = INT64_MIN;
}

/* Sums that did not fit, of the nodes that are left. */
static void
full_sums(struct lod *l, void (*cb)(struct retired *, void *),
    struct retired *r)
{
	struct lod_level *v;
	struct lod_packed_sum *s;

	for (int k = LOD_EXACT; k < LOD_LEVELS; k++) {
		v = atomic_load(&l->level[k]);
		for (uint32_t i = v == NULL ? 0 : v->sums.dropped;
		     v != NULL && i < atomic_load(&v->n); i++) {
			s = chunk_at(&v->sums, i);
			if (s != NULL &&
			    __builtin_popcount(s->mask) > LOD_SUM_PLACES)
				cb(r, s->of.full);
		}
	}
}

static void
free_cb(struct retired *r, void *p)
{
	(void)r;
	memory_free(p);
}

void
lod_clear(struct lod *l)
{
	struct lod_level *v;

	full_sums(l, free_cb, NULL);
	memory_free(atomic_load(&l->before));
	memory_free(atomic_load(&l->list));
	if (l->open != NULL)
		memory_free(atomic_load(&l->open->ids));
	memory_free(l->open);
	chunk_clear(&l->leaves);
	for (int k = 0; k < LOD_LEVELS; k++) {
		v = atomic_load(&l->level[k]);
		if (v == NULL)
			continue;
		chunk_clear(&v->nodes);
		chunk_clear(&v->sums);
		memory_free(v);
	}
	lod_init(l, l->kind);
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
	v = memory_zero(1, sizeof(*v));
	if (v == NULL)
		return (NULL);
	chunk_init_pieces(&v->nodes, sizeof(struct lod_node), 2, NODE_PIECE);
	chunk_init_pieces(&v->sums, sizeof(struct lod_packed_sum), 1,
	    NODE_PIECE);
	atomic_fetch_add_explicit(env->bytes, sizeof(*v), memory_order_relaxed);
	atomic_store_explicit(&l->level[k], v, memory_order_release);
	return (v);
}

/*
 * Rounds exact sums over dur ns to a node: down, and what is missing goes to
 * those that have lost most, so that the rest, place 0, is right by 1/255 too.
 */
static void
node_fill(struct lod_node *n, const struct lod_sum *s, int64_t t0, int64_t t1,
    uint16_t top, uint64_t top_ns)
{
	double scale = 255.0 / (double)(t1 - t0), x, lost[LOD_PLACES];
	unsigned left = 255, most;

	n->t0_ns = t0;
	n->top = top;
	n->begun = s->begun > UINT32_MAX ? UINT32_MAX : (uint32_t)s->begun;
	if (t1 <= t0)
		return;
	n->top_share =
	    (uint16_t)((double)top_ns * 65535.0 / (double)(t1 - t0) + 0.5);
	for (int p = LOD_PLACES - 1; p >= 0; p--) {
		unsigned floor;

		x = (double)s->ns[p] * scale;
		floor = x >= left ? left : (unsigned)x;
		lost[p] = x - floor;
		left -= floor;
		if (p > 0)
			n->share[p - 1] = (uint8_t)floor;
	}
	while (left-- > 0) {
		most = 0;
		for (unsigned p = 1; p < LOD_PLACES; p++)
			if (lost[p] > lost[most])
				most = p;
		lost[most]--;
		if (most > 0)
			n->share[most - 1]++;
	}
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

static int
sum_pack(struct lod_packed_sum *to, const struct lod_sum *s,
    _Atomic uint64_t *bytes)
{
	int n = 0;

	to->begun = s->begun > UINT32_MAX ? UINT32_MAX : (uint32_t)s->begun;
	to->mask = 0;
	for (int p = 1; p < LOD_PLACES; p++) {
		if (s->ns[p] == 0)
			continue;
		to->mask |= (uint16_t)(1u << p);
		if (n < LOD_SUM_PLACES)
			to->of.ns[n] = s->ns[p];
		n++;
	}
	if (n <= LOD_SUM_PLACES)
		return (0);
	to->of.full = memory_alloc(sizeof(*s));
	if (to->of.full == NULL) {
		to->mask = 0;
		return (-1);
	}
	*to->of.full = *s;
	atomic_fetch_add_explicit(bytes, sizeof(*s), memory_order_relaxed);
	return (0);
}

/* One node of level k - 1 (or a leaf) that ends at t1 goes into level k. */
static int
level_take(struct lod *l, int k, const struct lod_env *env,
    const struct lod_sum *s, int64_t t0, int64_t t1, uint16_t top,
    uint64_t top_ns)
{
	struct lod_level *v;
	struct lod_node *node;
	struct lod_packed_sum *exact;
	struct lod_sum sum;
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
	for (int p = 0; p < LOD_PLACES; p++)
		v->sum.ns[p] += s->ns[p];
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
		if (exact == NULL || sum_pack(exact, &v->sum, env->bytes) == -1)
			return (-1);
	}
	atomic_store_explicit(&v->n, n + 1, memory_order_release);
	sum = v->sum;
	memset(&v->sum, 0, sizeof(v->sum));
	v->kids = 0;
	return (level_take(l, k + 1, env, &sum, node->t0_ns, t1, t, ns));
}

/* The name with most time in a leaf: a state with it, and its ns. */
static uint16_t
leaf_top(const struct lod_digest *d, const struct lod_state *states,
    uint64_t *ns)
{
	uint32_t name[LOD_LEAF], v;
	uint64_t sum[LOD_LEAF];
	unsigned n = 0, k;
	uint16_t top = 0;

	*ns = 0;
	for (uint64_t m = d->has[0] | d->has[1]; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);

		v = states[d->state[i]].name;
		if (v == 0)
			continue;
		for (k = 0; k < n && name[k] != v; k++)
			continue;
		if (k == n) {
			name[n] = v;
			sum[n++] = 0;
		}
		sum[k] += d->ns[i];
		if (sum[k] > *ns) {
			*ns = sum[k];
			top = d->state[i];
		}
	}
	return (top);
}

/* Its sums go up. */
static int
leaf_sum(struct lod *l, const struct lod_env *env, const struct lod_digest *d,
    int64_t t0, int64_t t1)
{
	struct lod_sum s = { .begun = 0 };
	const struct lod_state *st;
	uint64_t best;
	uint16_t top;

	for (uint64_t m = d->has[0] | d->has[1]; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);

		st = &env->states[d->state[i]];
		s.ns[lod_place(l->kind, st->class)] += d->ns[i];
		s.begun += st->fresh != 0 ? d->count[i] : 0;
	}
	top = leaf_top(d, env->states, &best);
	return (level_take(l, 0, env, &s, t0, t1, top, best));
}

static size_t
raw_bytes(uint16_t cap)
{
	return (sizeof(struct lod_raw) +
		cap * (sizeof(uint32_t) + sizeof(uint16_t)));
}

void
lod_raw_retire(struct lod *l, const struct lod_env *env, uint32_t i,
    uint32_t until)
{
	struct lod_leaf *leaf;
	struct lod_raw *r;
	uint32_t *ids;
	size_t was;

	for (; i < until; i++) {
		leaf = lod_leaf_at(l, i);
		if (leaf == NULL || leaf->packed)
			continue;
		r = (struct lod_raw *)(void *)leaf;
		if (r == l->open)
			continue;
		ids = atomic_load(&r->ids);
		was = raw_bytes(r->cap) +
		      (ids == NULL ? 0 : r->cap * sizeof(*ids));
		atomic_fetch_sub_explicit(env->bytes, was,
		    memory_order_relaxed);
		retired_add(env->retired, ids);
		retired_add(env->retired, r);
	}
}

/* Leaf i is full and ends at t1. */
static int
leaf_close(struct lod *l, const struct lod_env *env, uint32_t i,
    struct lod_raw *r, int64_t t1)
{
	_Atomic(struct lod_leaf *) *at = chunk_known(&l->leaves, i);
	uint32_t *ids = atomic_load_explicit(&r->ids, memory_order_relaxed);
	struct lod_leaf *leaf;
	struct lod_digest d;
	size_t was = raw_bytes(r->cap);

	lod_leaf_digest(l, env, r, t1, &d);
	if (leaf_sum(l, env, &d, r->t0_ns, t1) == -1)
		return (-1);
	if (env->store == NULL) {
		lod_drop_told(l, env);
		return (0);
	}
	leaf = lod_leaf_pack(r, &d, t1, env);
	if (leaf == NULL)
		return (-1);
	atomic_store_explicit(at, leaf, memory_order_release);
	was += ids == NULL ? 0 : r->cap * sizeof(*ids);
	atomic_fetch_sub_explicit(env->bytes, was, memory_order_relaxed);
	retired_add(env->retired, ids);
	retired_add(env->retired, r);
	return (0);
}

static uint32_t *
ids_make(struct lod_raw *r, const struct lod_env *env)
{
	uint32_t *ids = memory_zero(r->cap, sizeof(*ids));

	if (ids == NULL)
		return (NULL);
	atomic_store_explicit(&r->ids, ids, memory_order_release);
	atomic_fetch_add_explicit(env->bytes, r->cap * sizeof(*ids),
	    memory_order_relaxed);
	return (ids);
}

static int
leaf_new(struct lod *l, const struct lod_env *env, int64_t t, uint16_t state,
    uint32_t id)
{
	struct lod_raw *r, *old = l->open;
	_Atomic(struct lod_leaf *) *p;
	uint32_t i = atomic_load_explicit(&l->nleaves, memory_order_relaxed);
	uint32_t *ids;
	uint16_t cap = LOD_LEAF;

	/* lanes that hardly ever change must not pay for 64 */
	if (old == NULL || atomic_load(&old->n) <= 4)
		cap = 8;
	p = chunk_make(&l->leaves, i, env->bytes);
	r = p == NULL ? NULL : memory_alloc(raw_bytes(cap));
	if (r == NULL)
		return (-1);
	memset(r, 0, sizeof(*r));
	r->t0_ns = t;
	r->cap = cap;
	r->off[0] = 0;
	raw_states(r)[0] = state;
	if (id != 0) {
		ids = ids_make(r, env);
		if (ids == NULL) {
			memory_free(r);
			return (-1);
		}
		ids[0] = id;
	}
	atomic_init(&r->n, 1);
	atomic_store_explicit(p, (struct lod_leaf *)(void *)r,
	    memory_order_release);
	atomic_fetch_add_explicit(env->bytes, raw_bytes(cap),
	    memory_order_relaxed);
	l->open = r;
	atomic_store_explicit(&l->nleaves, i + 1, memory_order_release);
	return (old == NULL ? 0 : leaf_close(l, env, i - 1, old, t));
}

int
lod_append(struct lod *l, const struct lod_env *env, int64_t t, uint16_t state,
    uint32_t id)
{
	struct lod_raw *r = l->open;
	uint32_t n, *ids;

	if (t < l->last_ns)
		t = l->last_ns;
	l->last_nth = t == l->last_ns ? l->last_nth + 1 : 1;
	l->last_ns = t;
	l->last_state = state;
	l->last_id = id;
	if (r == NULL)
		return (leaf_new(l, env, t, state, id));
	n = atomic_load_explicit(&r->n, memory_order_relaxed);
	if (n == r->cap || (uint64_t)t - (uint64_t)r->t0_ns > UINT32_MAX)
		return (leaf_new(l, env, t, state, id));
	r->off[n] = (uint32_t)(t - r->t0_ns);
	raw_states(r)[n] = state;
	if (id != 0) {
		ids = atomic_load_explicit(&r->ids, memory_order_relaxed);
		if (ids == NULL)
			ids = ids_make(r, env);
		if (ids == NULL)
			return (-1);
		ids[n] = id;
	}
	atomic_store_explicit(&r->n, (uint16_t)(n + 1), memory_order_release);
	return (0);
}

static void
retire_cb(struct retired *r, void *p)
{
	retired_add(r, p);
}

void
lod_retire(struct lod *l, const struct lod_env *env)
{
	struct lod_level *v;

	full_sums(l, retire_cb, env->retired);
	retired_add(env->retired, atomic_load(&l->before));
	atomic_fetch_sub(env->bytes, lod_list_bytes(atomic_load(&l->list)));
	retired_add(env->retired, atomic_load(&l->list));
	lod_raw_retire(l, env, atomic_load(&l->gone), atomic_load(&l->nleaves));
	if (l->open != NULL) { /* packed ones go with their block */
		retired_add(env->retired, atomic_load(&l->open->ids));
		retired_add(env->retired, l->open);
		atomic_fetch_sub(env->bytes, raw_bytes(l->open->cap));
	}
	chunk_retire(&l->leaves, env->retired, env->bytes);
	for (int k = 0; k < LOD_LEVELS; k++) {
		v = atomic_load(&l->level[k]);
		if (v == NULL)
			continue;
		chunk_retire(&v->nodes, env->retired, env->bytes);
		chunk_retire(&v->sums, env->retired, env->bytes);
		retired_add(env->retired, v);
		atomic_fetch_sub(env->bytes, sizeof(*v));
	}
	retired_add(env->retired, l);
}
