/*
 * Lanes and the numbers of their states.  A lane is published when it is
 * whole; it is hooked to its parent at the end of the list of children, so
 * that their order never changes.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/keep/memory.h"
#include "model/run/inside.h"

const char *const lane_class_name[LANE_CLASSES] = { "idle", "running",
	"overhead", "wait message", "wait lock", "wait sync", "wait rpc",
	"wait condition", "lost", "transit", "place 1", "place 2", "place 3",
	"place 4", "place 5", "place 6" };

const char *const sync_sort_name[SYNC_SORTS] = { "condition", "semaphore",
	"barrier", "collective" };

struct lane_data *
lane_at(const struct model *m, uint32_t id)
{
	return (chunk_known(&lanes_of(m)->lanes, id));
}

uint32_t
lane_add(struct model *m, const struct lane *pub, int with_lod)
{
	struct lane_data *l, *parent;
	struct lod *lod = NULL;
	uint32_t id =
	    atomic_load_explicit(&lanes_of(m)->nlanes, memory_order_relaxed);
	uint32_t threads = atomic_load_explicit(&lanes_of(m)->nthreads,
		     memory_order_relaxed),
		 *thread;

	l = chunk_make(&lanes_of(m)->lanes, id, &held_of(m)->bytes);
	thread = chunk_make(&lanes_of(m)->threads, threads, &held_of(m)->bytes);
	if (with_lod)
		lod = memory_alloc(sizeof(*lod));
	if (l == NULL || thread == NULL || (with_lod && lod == NULL)) {
		memory_free(lod);
		held_of(m)->failed = ENOMEM;
		return (UINT32_MAX);
	}
	if (lod != NULL) {
		lod_init(lod,
		    pub->kind == LANE_OBJECT ? LOD_OF_OBJECT : LOD_OF_THREAD);
		atomic_fetch_add_explicit(&held_of(m)->bytes, sizeof(*lod),
		    memory_order_relaxed);
	}
	l->pub = *pub;
	l->pub.id = id;
	atomic_init(&l->lod, lod);
	atomic_init(&l->first_child, UINT32_MAX);
	atomic_init(&l->next_sibling, UINT32_MAX);
	l->last_child = UINT32_MAX;
	atomic_init(&l->end_ns, INT64_MAX);
	atomic_init(&l->below, 0);
	atomic_store_explicit(&lanes_of(m)->nlanes, id + 1,
	    memory_order_release);
	if (pub->kind == LANE_THREAD) {
		*thread = id;
		atomic_store_explicit(&lanes_of(m)->nthreads, threads + 1,
		    memory_order_release);
	}
	if (pub->parent == UINT32_MAX)
		return (id);
	parent = lane_at(m, pub->parent);
	if (parent->last_child == UINT32_MAX)
		atomic_store_explicit(&parent->first_child, id,
		    memory_order_release);
	else
		atomic_store_explicit(&lane_at(m, parent->last_child)
					   ->next_sibling,
		    id, memory_order_release);
	parent->last_child = id;
	return (id);
}

/* The first time that something of this name runs. */
static void
called_add(struct model *m, uint32_t name)
{
	struct name_data *d =
	    name == 0 ? NULL : chunk_at(&defs_of(m)->names, name);
	uint32_t n =
	    atomic_load_explicit(&defs_of(m)->ncalled, memory_order_relaxed);
	uint32_t *at;

	if (d == NULL || d->called)
		return;
	at = chunk_make(&defs_of(m)->called, n, &held_of(m)->bytes);
	if (at == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	*at = name;
	d->called = 1;
	atomic_store_explicit(&defs_of(m)->ncalled, n + 1,
	    memory_order_release);
}

uint32_t
model_called(const struct model *m)
{
	return (
	    atomic_load_explicit(&defs_of(m)->ncalled, memory_order_acquire));
}

uint32_t
model_called_name(const struct model *m, uint32_t i)
{
	const uint32_t *at = chunk_at(&defs_of(m)->called, i);

	return (at == NULL ? 0 : *at);
}

/* A new state; when there are too many, those without a name serve. */
static uint32_t
state_new(struct model *m, uint64_t key, const struct lod_state *want)
{
	if (lanes_of(m)->nstates == STATES_MAX)
		return (IDMAP_NONE);
	if (idmap_add(&lanes_of(m)->state_map, key, lanes_of(m)->nstates,
		&held_of(m)->retired, &held_of(m)->bytes) == -1) {
		held_of(m)->failed = ENOMEM;
		return (IDMAP_NONE);
	}
	lanes_of(m)->states[lanes_of(m)->nstates] = *want;
	if (want->class == LANE_running && want->kind != SPAN_none)
		called_add(m, want->name);
	ADD(lanes_of(m)->nstates, 1);
	return (lanes_of(m)->nstates - 1);
}

uint16_t
lane_state(struct model *m, uint8_t class, uint8_t kind, uint32_t name,
    int fresh)
{
	struct lod_state want = { name, class, kind, (uint8_t)fresh, 0 };
	uint64_t key = 1ull << 63 | (uint64_t)name << 24 |
		       (uint64_t)kind << 16 | (uint64_t) class << 8 |
		       (uint8_t)fresh;
	uint32_t i = (uint32_t)(idmap_mix(key) >> 56), s;

	m = whole_of(m);
	if (lanes_of(m)->state_key[i] == key)
		return (lanes_of(m)->state_value[i]);
	s = idmap_find(&lanes_of(m)->state_map, key);
	if (s == IDMAP_NONE)
		s = state_new(m, key, &want);
	if (s == IDMAP_NONE)
		/* made by model_new() for each class, kind 0, name 0 */
		return ((uint16_t)(class * 2 + (fresh != 0)));
	lanes_of(m)->state_key[i] = key;
	lanes_of(m)->state_value[i] = (uint16_t)s;
	return ((uint16_t)s);
}

void
lane_change(struct model *m, uint32_t lane, int64_t t, uint16_t state,
    uint32_t id)
{
	struct lod_env env = lane_env(m);
	struct lod *lod;

	if (lane == UINT32_MAX)
		return;
	lod =
	    atomic_load_explicit(&lane_at(m, lane)->lod, memory_order_relaxed);
	if (lod_append(lod, &env, t, state, id) == -1)
		held_of(m)->failed = ENOMEM;
}

struct node_data *
node_defined(const struct model *m, uint32_t node)
{
	struct node_data *n;

	if (node >=
	    atomic_load_explicit(&defs_of(m)->nnodes, memory_order_acquire))
		return (NULL);
	n = chunk_at(&defs_of(m)->nodes, node);
	return (n == NULL || atomic_load_explicit(&n->lane,
				 memory_order_acquire) == 0
		    ? NULL
		    : n);
}

uint32_t
lane_of_node(struct model *m, uint32_t node)
{
	struct node_data *n;
	struct lane pub = { .parent = UINT32_MAX,
		.kind = LANE_NODE,
		.node = node };
	uint32_t lane;

	if (node > NODES_MAX)
		return (UINT32_MAX);
	n = chunk_make(&defs_of(m)->nodes, node, &held_of(m)->bytes);
	if (n == NULL) {
		held_of(m)->failed = ENOMEM;
		return (UINT32_MAX);
	}
	lane = atomic_load_explicit(&n->lane, memory_order_relaxed);
	if (lane == 0) {
		health_init(n);
		lane = lane_add(m, &pub, 0) + 1;
		if (lane == 0)
			return (UINT32_MAX);
		atomic_store_explicit(&n->lane, lane, memory_order_release);
		if (node >= atomic_load_explicit(&defs_of(m)->nnodes,
				memory_order_relaxed))
			atomic_store_explicit(&defs_of(m)->nnodes, node + 1,
			    memory_order_release);
	}
	return (lane - 1);
}
