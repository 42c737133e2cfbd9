/*
 * Who has ordered a move.  Who gives an order, who obeys it and the departure
 * that follows are told by different threads; an order has its number in
 * common with who obeys, and the move is the next one of that object.
 */
#include <errno.h>

#include "events_inside.h"

static struct order_data *
order_of(struct model *m, uint64_t id, uint32_t *number)
{
	struct objects *all = objects_of(m);
	uint32_t i = idmap_find(&all->order_map, id);
	struct order_data *o;

	*number = i != IDMAP_NONE ? i : all->norders;
	if (i != IDMAP_NONE)
		return (chunk_known(&all->orders, i));
	o = chunk_make(&all->orders, all->norders, &held_of(m)->bytes);
	if (o == NULL || idmap_add(&all->order_map, id, all->norders,
			     &held_of(m)->retired, &held_of(m)->bytes) == -1) {
		held_of(m)->failed = ENOMEM;
		return (NULL);
	}
	o->id = id;
	all->norders++;
	return (o);
}

static uint64_t
move_key(uint64_t object, uint64_t hop)
{
	return (idmap_mix(object + idmap_mix(hop)));
}

void
object_ordered(struct model *m, const struct location *l, const struct event *e)
{
	uint32_t number;
	struct order_data *o = e->b == 0 ? NULL : order_of(m, e->b, &number);

	if (o == NULL)
		return;
	PUT(o->by, l->lane + 1);
	if (e->kind == EV_object_orders)
		PUT(o->object, e->a);
}

void
object_obeys(struct model *m, struct object *o, const struct event *e)
{
	uint32_t number;

	if (e->b != 0 && order_of(m, e->b, &number) != NULL)
		o->follows = number + 1;
}

void
object_moves(struct model *m, struct object *o, const struct event *e)
{
	uint64_t key = move_key(o->id, e->b);
	uint32_t number = o->follows;

	o->follows = 0;
	if (number == 0 ||
	    idmap_find(&objects_of(m)->move_map, key) != IDMAP_NONE)
		return;
	if (idmap_add(&objects_of(m)->move_map, key, number - 1,
		&held_of(m)->retired, &held_of(m)->bytes) == -1)
		held_of(m)->failed = ENOMEM;
}

static uint32_t
number_in(const struct model *m, const struct idmap *map, uint64_t key)
{
	struct retired *r = (struct retired *)&held_of(m)->retired;
	unsigned door = retired_enter(r);
	uint32_t i = idmap_find(map, key);

	retired_leave(r, door);
	return (i);
}

bool
model_object_ordered(const struct model *m, uint32_t lane, uint64_t hop,
    struct object_order *k)
{
	const struct order_data *o;
	uint32_t i;

	if (lane >= model_lanes(m) || model_lane(m, lane)->kind != LANE_OBJECT)
		return (false);
	i = number_in(m, &objects_of(m)->move_map,
	    move_key(model_lane(m, lane)->object, hop));
	if (i == IDMAP_NONE)
		return (false);
	o = chunk_known(&objects_of(m)->orders, i);
	*k = (struct object_order){ o->id, SEE(o->object), SEE(o->by) - 1 };
	return (true);
}

uint64_t
model_order_by(const struct model *m, uint64_t order)
{
	uint32_t i = number_in(m, &objects_of(m)->order_map, order);
	const struct order_data *o =
	    i == IDMAP_NONE ? NULL : chunk_known(&objects_of(m)->orders, i);

	return (o == NULL ? 0 : SEE(o->object));
}
