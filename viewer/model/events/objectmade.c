/*
 * Where an object was made, and for whom: who asks for it tells that from
 * another thread, often on another node, and what it tells may come first or
 * last.  A request and the object that is made for it have its number in
 * common.
 */
#include <errno.h>

#include "events_inside.h"

static struct object_request *
request_of(struct model *m, uint64_t id)
{
	struct objects *all = objects_of(m);
	uint32_t i = idmap_find(&all->request_map, id);
	struct object_request *r;

	if (i != IDMAP_NONE)
		return (chunk_known(&all->requests, i));
	r = chunk_make(&all->requests, all->nrequests, &held_of(m)->bytes);
	if (r == NULL || idmap_add(&all->request_map, id, all->nrequests,
			     &held_of(m)->retired, &held_of(m)->bytes) == -1) {
		held_of(m)->failed = ENOMEM;
		return (NULL);
	}
	all->nrequests++;
	return (r);
}

static void
request_join(struct model *m, const struct object_request *r)
{
	struct object *o;

	if (r == NULL || r->by == 0 || r->object == 0)
		return;
	o = chunk_known(&objects_of(m)->objects, r->object - 1);
	PUT(o->creator, r->creator);
	PUT(o->by, r->by);
}

void
object_asked(struct model *m, const struct location *l, const struct event *e)
{
	struct object_request *r = e->b == 0 ? NULL : request_of(m, e->b);

	if (r == NULL)
		return;
	r->creator = e->a;
	r->by = l->lane + 1;
	request_join(m, r);
}

void
object_made(struct model *m, uint32_t number, const struct location *l,
    const struct event *e)
{
	struct object_request *r = e->b == 0 ? NULL : request_of(m, e->b);
	struct object *o = chunk_known(&objects_of(m)->objects, number);

	PUT(o->home, l->node);
	if (o->by == 0 && l->runs)
		PUT(o->by, l->lane + 1);
	if (r == NULL)
		return;
	r->object = number + 1;
	request_join(m, r);
}

/* Its number; IDMAP_NONE: there is none.  Any thread. */
static uint32_t
number_of(const struct model *m, uint64_t id)
{
	struct retired *r = (struct retired *)&held_of(m)->retired;
	unsigned door = retired_enter(r);
	uint32_t i = idmap_find(&objects_of(m)->object_map, id);

	retired_leave(r, door);
	return (i);
}

bool
model_object_made(const struct model *m, uint32_t lane, struct object_made *k)
{
	const struct lane *l =
	    lane < model_lanes(m) ? model_lane(m, lane) : NULL;
	const struct object *o;
	uint32_t i;

	if (l == NULL || l->kind != LANE_OBJECT ||
	    (i = number_of(m, l->object)) == IDMAP_NONE)
		return (false);
	o = chunk_known(&objects_of(m)->objects, i);
	*k = (struct object_made){ l->object, SEE(o->creator), SEE(o->by) - 1,
		SEE(o->home),
		atomic_load_explicit(&lane_at(m, lane)->renamed,
		    memory_order_acquire) };
	return (true);
}

uint32_t
model_object_lane(const struct model *m, uint64_t id)
{
	uint32_t i = number_of(m, id);
	const struct object *o =
	    i == IDMAP_NONE ? NULL : chunk_at(&objects_of(m)->objects, i);

	return (o == NULL ? UINT32_MAX : o->lane);
}
