/*
 * VISTA's node allocation.  Tasks are taken ring by ring, so that the list of
 * what is drawn is its own queue: a task that is taken divides its sector
 * among its children (radial_divide.c), which are appended.
 */
#include <math.h>
#include <stdlib.h>

#include "layout/radial/radial_inside.h"

#define TOGETHER  16 /* nodes whose children are asked for at once */
#define FAR_AHEAD 16 /* or the first child, */
#define AHEAD     8  /* then the second one */

#define LOCATE_LEVELS 4096

double
radial_angle(const struct radial_view *v, const struct radial_node *n)
{
	return (n->from_rad + n->arc_rad / 2 + TOP + v->rotate_rad);
}

void
radial_point(struct radial_drawing *r, double radius_px, double angle)
{
	scene_point(r->s,
	    (int32_t)lrint((r->cx + radius_px * cos(angle)) * SCENE_ONE),
	    (int32_t)lrint((r->cy + radius_px * sin(angle)) * SCENE_ONE));
}

double
radial_px_per_rad(const struct radial_drawing *r, uint32_t ring)
{
	if (r->v->form == RADIAL_ICICLE)
		return (r->v->width * r->v->zoom / TURN);
	return (r->d * (ring + (r->v->form == RADIAL_SUNBURST)));
}

static void
node_position(const struct radial_drawing *r, struct radial_node *n)
{
	double angle = radial_angle(r->v, n), radius = r->d * n->ring, x, y;

	if (r->v->form == RADIAL_ICICLE) {
		x = r->cx + (n->from_rad + n->arc_rad / 2 - TURN / 2) *
				radial_px_per_rad(r, n->ring);
		y = r->cy + r->d * (n->ring + 0.5);
	} else {
		if (r->v->form == RADIAL_SUNBURST && n->ring > 0)
			radius += r->d / 2;
		x = r->cx + radius * cos(angle);
		y = r->cy + radius * sin(angle);
	}
	n->x = (int32_t)lrint(x * SCENE_ONE);
	n->y = (int32_t)lrint(y * SCENE_ONE);
}

static int
nodes_reserve(struct radial_layout *l)
{
	size_t cap = l->cap == 0 ? 1024 : l->cap * 2;
	struct radial_node *n;

	if (l->nnodes + 1 < l->cap)
		return (0);
	n = realloc(l->nodes, cap * sizeof(*n));
	if (n == NULL)
		return (-1);
	l->nodes = n;
	l->cap = cap;
	return (0);
}

struct radial_node *
radial_node_add(struct radial_drawing *r, uint32_t task, uint32_t ring,
    double from, double arc)
{
	struct radial_node *n;

	if (nodes_reserve(r->l) == -1)
		return (NULL);
	if (task != TASK_NONE)
		model_task_ahead_drawn(r->tree.m, task);
	n = &r->l->nodes[r->l->nnodes++];
	*n = (struct radial_node){ .task = task,
		.ring = ring,
		.from_rad = (float)from,
		.arc_rad = (float)arc,
		.kept = KEPT_NONE };
	node_position(r, n);
	return (n);
}

/* Asks the memory for what the nodes from i on will need. */
static void
look_ahead(const struct radial_drawing *r, size_t i)
{
	uint32_t task[TOGETHER];
	unsigned n = 0;

	for (size_t end = i + TOGETHER; i < end && i < r->l->nnodes; i++) {
		const struct radial_node *k = &r->l->nodes[i];

		if (k->task != TASK_NONE &&
		    radial_px_per_rad(r, k->ring + 1) * k->arc_rad >= 1)
			task[n++] = k->task;
	}
	model_task_ahead(r->tree.m, task, n);
}

/* The same of a condensed tree. */
static void
look_ahead_kept(const struct radial_drawing *r, size_t i)
{
	const struct kept_task *kept = r->tree.cache->levels.kept;
	const struct radial_layout *l = r->l;
	uint32_t at;

	if (i + FAR_AHEAD >= l->nnodes)
		return;
	at = l->nodes[i + FAR_AHEAD].kept;
	if (at != KEPT_NONE && (at = kept[at].first) != KEPT_NONE)
		__builtin_prefetch(&kept[at]);
	at = l->nodes[i + AHEAD].kept;
	if (at != KEPT_NONE && (at = kept[at].first) != KEPT_NONE &&
	    (at = kept[at].next) != KEPT_NONE)
		__builtin_prefetch(&kept[at]);
}

static int
root_add(struct radial_drawing *r)
{
	const struct radial_tree *t = &r->tree;
	struct radial_node *n = radial_node_add(r, t->root, 0, 0, TURN);

	if (n == NULL)
		return (-1);
	n->kept = radial_kept(t, t->root);
	n->condensed = radial_absorbed(t, t->root);
	return (0);
}

int
radial_place(struct radial_drawing *r)
{
	struct radial_layout *l = r->l;
	uint32_t ring = UINT32_MAX, *first;

	first = realloc(l->ring_first,
	    (r->tree.condense.rings + 2) * sizeof(*first));
	if (first == NULL)
		return (-1);
	l->ring_first = first;
	l->rings = 0;
	l->nnodes = 0;
	if (root_add(r) == -1)
		return (-1);
	for (size_t i = 0; i < l->nnodes; i++) {
		if (i % TOGETHER == 0 && r->tree.cache == NULL)
			look_ahead(r, i);
		if (r->tree.cache != NULL)
			look_ahead_kept(r, i);
		if (l->nodes[i].ring != ring) {
			ring = l->nodes[i].ring;
			first[l->rings++] = (uint32_t)i;
			if (l->rings > r->tree.condense.rings)
				return (-1);
		}
		l->nodes[i].kids = (uint32_t)l->nnodes;
		if (radial_divide(r, i) == -1)
			return (-1);
	}
	l->nodes[l->nnodes].kids = (uint32_t)l->nnodes;
	for (; l->rings <= r->tree.condense.rings; l->rings++)
		first[l->rings] = (uint32_t)l->nnodes;
	l->rings = r->tree.condense.rings;
	return (0);
}

bool
radial_locate(struct radial_drawing *r, uint32_t task, struct radial_node *out)
{
	uint32_t path[LOCATE_LEVELS], n = 0, t = task, root = r->tree.root;

	if (radial_is_summed(&r->tree, t)) {
		path[n++] = t;
		t = TASK_NONE;
	}
	for (; t != TASK_NONE && t != root && n < LOCATE_LEVELS;
	     t = model_task_parent(r->tree.m, t))
		if (r->tree.cache == NULL ||
		    condense_keeps(&r->tree.condense,
			model_task_level(r->tree.m, t) + r->tree.above -
			    r->tree.level0))
			path[n++] = t;
	if (t != root)
		return (false);
	*out = (struct radial_node){ .task = root, .arc_rad = (float)TURN };
	while (n > 0)
		if (!radial_sector_of(r, out, path[--n]))
			return (false);
	node_position(r, out);
	return (true);
}
