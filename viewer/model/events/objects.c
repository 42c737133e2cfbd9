/*
 * Lanes of objects: where one is, and when it is on its way.  Their events come
 * from any thread, so a late one may belong before others: then the object's
 * lane is made anew from its marks, at the end of the frame.
 */
#include <errno.h>
#include <stdlib.h>

#include "events_inside.h"
#include "model/keep/memory.h"

uint32_t
group_lane(struct model *m, uint32_t *lane, uint32_t which)
{
	struct lane pub = { .parent = UINT32_MAX,
		.kind = LANE_GROUP,
		.thread = which };

	if (*lane == UINT32_MAX)
		*lane = lane_add(m, &pub, 0);
	return (*lane);
}

static struct object *
object_of(struct model *m, uint64_t id, uint32_t name)
{
	struct lane pub = { .kind = LANE_OBJECT, .object = id, .name = name };
	struct name_data *nd;
	struct object *o;
	uint32_t i = idmap_find(&objects_of(m)->object_map, id);

	if (i != IDMAP_NONE)
		return (chunk_at(&objects_of(m)->objects, i));
	nd = name == 0 ? NULL : chunk_at(&defs_of(m)->names, name);
	pub.thread = nd == NULL ? objects_of(m)->nobjects : nd->objects++;
	pub.parent = group_lane(m, &objects_of(m)->objects_lane, 0);
	o = chunk_make(&objects_of(m)->objects, objects_of(m)->nobjects,
	    &held_of(m)->bytes);
	if (o == NULL || pub.parent == UINT32_MAX)
		return (NULL);
	o->id = id;
	o->lane = lane_add(m, &pub, 1);
	o->last_ns = INT64_MIN;
	o->maker = UINT32_MAX;
	if (o->lane == UINT32_MAX ||
	    idmap_add(&objects_of(m)->object_map, id, objects_of(m)->nobjects,
		&held_of(m)->retired, &held_of(m)->bytes) == -1) {
		held_of(m)->failed = ENOMEM;
		return (NULL);
	}
	objects_of(m)->nobjects++;
	return (o);
}

uint32_t
object_lane(struct model *m, uint64_t id)
{
	uint32_t i = idmap_find(&objects_of(m)->object_map, id);

	if (i == IDMAP_NONE)
		return (UINT32_MAX);
	return (((struct object *)chunk_at(&objects_of(m)->objects, i))->lane);
}

/* Books of the objects that a thread made and that have never moved. */
static void
resident_count(struct model *m, uint32_t thread, uint32_t lane, uint64_t by)
{
	_Atomic uint64_t *r = &lane_at(m, thread)->resident;
	uint64_t v = atomic_load_explicit(r, memory_order_relaxed);

	atomic_store_explicit(r, (v + (by << 32)) ^ lane, memory_order_relaxed);
}

static void
object_lives(struct model *m, struct object *o, const struct location *l,
    unsigned kind)
{
	if (kind == EV_object_create && l->runs && o->maker == UINT32_MAX) {
		o->maker = l->lane;
		resident_count(m, o->maker, o->lane, 1);
	} else if (kind == EV_object_depart && o->maker < UINT32_MAX - 1) {
		resident_count(m, o->maker, o->lane, UINT32_MAX);
		o->maker = UINT32_MAX - 1;
	}
}

uint32_t
model_lane_resident(const struct model *m, uint32_t lane)
{
	uint64_t r;

	if (lane >= model_lanes(m))
		return (UINT32_MAX);
	r = atomic_load_explicit(&lane_at(m, lane)->resident,
	    memory_order_relaxed);
	return (r >> 32 == 1 ? (uint32_t)r : UINT32_MAX);
}

/* It waits where it is, or goes on there: the same state, and another kind. */
static void
object_waits(struct model *m, struct lod *lod, int64_t t, bool waits)
{
	struct lod_env env = lane_env(m);
	struct lod_state was;
	uint32_t hop;

	if (lod_empty(lod))
		return;
	was = env.states[lod_last(lod, &hop)];
	if (was.class < LANE_OBJECT_NODE || (was.kind != 0) == waits)
		return;
	if (lod_append(lod, &env, t,
		lane_state(m, was.class, waits ? SPAN_wait_sync : 0, was.name,
		    1),
		hop) == -1)
		held_of(m)->failed = ENOMEM;
}

/* One moment of an object's life, in order. */
static void
object_step(struct model *m, uint8_t *turn, struct lod *lod, unsigned kind,
    int64_t t, uint32_t node, uint32_t hop)
{
	struct lod_env env = lane_env(m);
	uint32_t nodes = atomic_load_explicit(&defs_of(whole_of(m))->nnodes,
	    memory_order_relaxed);
	uint8_t class;
	uint16_t s;

	switch (kind) {
	case EV_object_create:
	case EV_object_arrive:
		if (kind == EV_object_arrive)
			*turn ^= 1;
		else
			hop = 0; /* its word b is a request */
		class = nodes <= OBJECT_COLOURS + 1
			    ? (uint8_t)((node - 1u) % OBJECT_COLOURS)
			    : *turn;
		s = lane_state(m, (uint8_t)(LANE_OBJECT_NODE + class), 0, node,
		    1);
		break;
	case EV_object_depart:
		s = lane_state(m, LANE_transit, 0, node, 1);
		break;
	case EV_object_dispose:
		s = lane_state(m, LANE_idle, 0, 0, 0);
		hop = 0;
		break;
	case EV_object_wait:
	case EV_object_go:
		object_waits(m, lod, t, kind == EV_object_wait);
		return;
	default:
		return;
	}
	if (lod_append(lod, &env, t, s, hop) == -1)
		held_of(m)->failed = ENOMEM;
}

/* In a detail: the whole model knows the object. */
static void
object_again(struct model *m, const struct location *l, const struct event *e)
{
	uint32_t lane = object_lane(fetched_of(m)->whole, e->a);
	struct lane_data *d;

	if (lane == UINT32_MAX || lane >= model_lanes(m) ||
	    e->kind == EV_object_request || e->kind == EV_object_order ||
	    e->kind == EV_object_obey || e->kind == EV_object_nickname ||
	    e->kind == EV_object_orders)
		return;
	d = lane_at(m, lane);
	mark_add(m, lane, e);
	object_step(m, &d->turn, atomic_load(&d->lod), e->kind, e->t_mon_ns,
	    l->node, (uint32_t)e->b);
}

/* What changes nothing on its lane; false: it is something else. */
static bool
object_has_said(struct model *m, struct object *o, const struct event *e)
{
	switch (e->kind) {
	case EV_object_obey:
		object_obeys(m, o, e);
		return (true);
	case EV_object_nickname:
		atomic_store_explicit(&lane_at(m, o->lane)->renamed, e->c,
		    memory_order_release);
		return (true);
	case EV_object_depart:
		object_moves(m, o, e);
		return (false);
	default:
		return (false);
	}
}

void
object_event(struct model *m, struct location *l, const struct event *e)
{
	struct object *o;

	if (fetched_of(m)->whole != NULL) {
		object_again(m, l, e);
		return;
	}
	if (e->kind == EV_object_request)
		object_asked(m, l, e);
	if (e->kind == EV_object_order || e->kind == EV_object_orders)
		object_ordered(m, l, e);
	if (e->kind == EV_object_request || e->kind == EV_object_order ||
	    e->kind == EV_object_orders)
		return; /* not yet there, or told by another */
	o = object_of(m, e->a, e->kind == EV_object_create ? e->c : 0);
	if (o == NULL || object_has_said(m, o, e))
		return;
	mark_add(m, o->lane, e);
	if (e->kind == EV_object_create)
		object_made(m, idmap_find(&objects_of(m)->object_map, e->a), l,
		    e);
	object_lives(m, o, l, e->kind);
	if (e->t_mon_ns < o->last_ns) {
		objects_of(m)->dirty_objects += !o->dirty;
		o->dirty = 1;
	}
	if (o->dirty)
		return;
	o->last_ns = e->t_mon_ns;
	object_step(m, &o->turn, atomic_load(&lane_at(m, o->lane)->lod),
	    e->kind, e->t_mon_ns, l->node, (uint32_t)e->b);
}

struct moment {
	struct object *object;
	int64_t t_ns;
	uint32_t node, order, hop;
	uint16_t kind;
};

static int
moment_compare(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->object != y->object)
		return (x->object < y->object ? -1 : 1);
	if (x->t_ns != y->t_ns)
		return (x->t_ns < y->t_ns ? -1 : 1);
	return (x->order < y->order ? -1 : x->order > y->order);
}

/* The marks of the objects that must be made anew. */
static size_t
moments_gather(struct model *m, struct moment **out)
{
	struct moment *v = NULL, *p;
	size_t n = 0, cap = 0;
	const struct mark *k;
	struct object *o;
	uint32_t i, at;

	for (i = marks_of(m)->marks.items.dropped;
	     i < interval_count(&marks_of(m)->marks); i++) {
		k = interval_at(&marks_of(m)->marks, i);
		if (k == NULL || k->lane == UINT32_MAX ||
		    lane_at(m, k->lane)->pub.kind != LANE_OBJECT)
			continue;
		at = idmap_find(&objects_of(m)->object_map, k->a);
		o = at == IDMAP_NONE ? NULL
				     : chunk_at(&objects_of(m)->objects, at);
		if (o == NULL || !o->dirty)
			continue;
		if (n == cap) {
			cap = cap == 0 ? 256 : cap * 2;
			p = realloc(v, cap * sizeof(*v));
			if (p == NULL) {
				held_of(m)->failed = ENOMEM;
				break;
			}
			v = p;
		}
		v[n++] = (struct moment){ o, k->t_mon_ns, k->node, i,
			(uint32_t)k->b, k->kind };
	}
	*out = v;
	return (n);
}

void
objects_rebuild(struct model *m)
{
	struct moment *v;
	struct lod *lod = NULL, *old;
	struct lod_env env = lane_env(m);
	size_t n;

	if (objects_of(m)->dirty_objects == 0)
		return;
	n = moments_gather(m, &v);
	if (n > 0)
		qsort(v, n, sizeof(*v), moment_compare);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || v[i].object != v[i - 1].object) {
			lod = memory_alloc(sizeof(*lod));
			if (lod == NULL) {
				held_of(m)->failed = ENOMEM;
				break;
			}
			lod_init(lod, LOD_OF_OBJECT);
			v[i].object->turn = 0;
		}
		object_step(m, &v[i].object->turn, lod, v[i].kind, v[i].t_ns,
		    v[i].node, v[i].hop);
		if (i + 1 < n && v[i + 1].object == v[i].object)
			continue;
		v[i].object->dirty = 0;
		v[i].object->last_ns = v[i].t_ns;
		old = atomic_exchange(&lane_at(m, v[i].object->lane)->lod, lod);
		lod_retire(old, &env);
		lane_at(m, v[i].object->lane)->remade =
		    facts_of(m)->ncheckpoints + 1;
		atomic_fetch_add(&facts_of(m)->remade, 1);
	}
	free(v);
	objects_of(m)->dirty_objects = 0;
}
