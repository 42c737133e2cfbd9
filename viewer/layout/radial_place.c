/*
 * VISTA's node allocation.  Tasks are taken ring by ring, so that the list of
 * what is drawn is its own queue: a task that is taken divides its sector
 * among its children in proportion to their weights and appends them.  Where
 * the ring of the children is shorter than a pixel it does not, and counts
 * what is missing; nor where the sector lies beside the window.  So the work
 * is bounded by the pixels of the view.
 */
#include <math.h>
#include <stdlib.h>

#include "layout/radial_inside.h"

#define TOGETHER 16 /* nodes whose children are asked for at once */

#define LOCATE_LEVELS 4096

double
radial_angle(const struct radial_view *v, const struct radial_node *n)
{
	return (n->from_rad + n->arc_rad / 2 + TOP + v->rotate_rad);
}

/* Pixels that an angle of one is wide, where ring is widest. */
static double
px_per_rad(const struct radial_drawing *r, uint32_t ring)
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
				px_per_rad(r, n->ring);
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

/* Returns NULL when memory is out. */
static struct radial_node *
node_add(struct radial_drawing *r, uint32_t task, uint32_t ring, double from,
    double arc)
{
	struct radial_node *n;

	if (nodes_reserve(r->l) == -1)
		return (NULL);
	n = &r->l->nodes[r->l->nnodes++];
	*n = (struct radial_node){ .task = task,
		.ring = ring,
		.from_rad = (float)from,
		.arc_rad = (float)arc,
		.condensed = radial_absorbed(&r->tree, task) };
	node_position(r, n);
	return (n);
}

static bool
too_late(const struct radial_drawing *r, uint32_t task)
{
	int64_t at;

	if (r->v->until_mon_ns == INT64_MAX)
		return (false);
	at = model_task_spawn(r->tree.m, task);
	if (at == INT64_MIN)
		at = model_task_begin(r->tree.m, task);
	return (at != INT64_MIN && at > r->v->until_mon_ns);
}

/* Does a sector lie beside the window? */
static bool
is_outside(const struct radial_drawing *r, double from, double arc)
{
	double d;

	if (r->seen_arc >= TURN)
		return (false);
	d = fmod(from - r->seen_from, TURN);
	d = d < 0 ? d + TURN : d;
	return (d > r->seen_arc && d + arc < TURN);
}

/* A child with its sector; *seen: px along the ring of the last one drawn. */
static int
node_child(struct radial_drawing *r, size_t i, uint32_t c, double from,
    double arc, double mid, double *seen, struct radial_node **last)
{
	uint32_t ring = r->l->nodes[i].ring + 1;
	struct task_sums sums;

	if (too_late(r, c))
		return (0);
	if (is_outside(r, from, arc)) {
		r->l->outside += radial_size(&r->tree, c);
		return (0);
	}
	if (*last != NULL && mid - *seen < 0.5 &&
	    px_per_rad(r, ring + 1) * arc < 1) {
		(*last)->pruned += radial_size(&r->tree, c);
		return (0);
	}
	*last = node_add(r, c, ring, from, arc);
	if (*last == NULL)
		return (-1);
	*seen = mid;
	if (r->tree.summaries && model_task_sums(r->tree.m, c, &sums)) {
		(*last)->summary = true;
		(*last)->pruned = radial_size(&r->tree, c);
		r->l->summaries++;
	}
	return (0);
}

/*
 * Gives node i's children their sectors.  Children closer than half a pixel
 * to the one before are counted with it.  Returns -1 when memory is out.
 */
static int
node_divide(struct radial_drawing *r, size_t i, double from, double arc)
{
	uint32_t task = r->l->nodes[i].task, ring = r->l->nodes[i].ring, c;
	double wide = px_per_rad(r, ring + 1), end = from + arc, start = from;
	double total, w, seen = -1, a;
	const struct radial_kids *kids;
	struct radial_node *last = NULL;

	if (r->l->nodes[i].summary)
		return (0);
	total = radial_weight_below(&r->tree, task, ring);
	if (wide * arc < 1 || total <= 0 || r->d * (ring + 1) > r->reach) {
		r->l->nodes[i].pruned +=
		    radial_size(&r->tree, task) - (task != TASK_NONE);
		return (0);
	}
	kids = radial_kids(&r->tree, task);
	if (kids == NULL)
		return (-1);
	for (uint32_t k = 0; k < kids->n; k++, from += a) {
		c = kids->task[k];
		w = radial_weight(&r->tree, c);
		a = w / total * arc;
		/* a child that is counted a frame later than it is hung */
		if (from + a > end)
			a = end - from;
		if (w <= 0 || a < 0) {
			a = 0;
			continue;
		}
		if (node_child(r, i, c, from, a, (from + a / 2 - start) * wide,
			&seen, &last) == -1)
			return (-1);
	}
	return (0);
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
		    px_per_rad(r, k->ring + 1) * k->arc_rad >= 1)
			task[n++] = k->task;
	}
	model_task_ahead(r->tree.m, task, n);
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
	if (node_add(r, r->tree.root, 0, 0, TURN) == NULL)
		return (-1);
	for (size_t i = 0; i < l->nnodes; i++) {
		if (i % TOGETHER == 0 && r->tree.cache == NULL)
			look_ahead(r, i);
		if (l->nodes[i].ring != ring) {
			ring = l->nodes[i].ring;
			first[l->rings++] = (uint32_t)i;
			if (l->rings > r->tree.condense.rings)
				return (-1);
		}
		l->nodes[i].kids = (uint32_t)l->nnodes;
		if (node_divide(r, i, l->nodes[i].from_rad,
			l->nodes[i].arc_rad) == -1)
			return (-1);
	}
	l->nodes[l->nnodes].kids = (uint32_t)l->nnodes;
	for (; l->rings <= r->tree.condense.rings; l->rings++)
		first[l->rings] = (uint32_t)l->nnodes;
	l->rings = r->tree.condense.rings;
	return (0);
}

/* Divides the sector of n as node_divide() does, up to child c; false: no. */
static bool
sector_of(struct radial_drawing *r, struct radial_node *n, uint32_t c)
{
	double total = radial_weight_below(&r->tree, n->task, n->ring);
	double from = n->from_rad, arc = n->arc_rad, w;
	uint32_t k = TASK_NONE, at = 0;

	if (total <= 0)
		return (false);
	while ((k = radial_child(&r->tree, n->task, k, &at)) != TASK_NONE) {
		w = radial_weight(&r->tree, k);
		w = w > 0 ? w / total * arc : 0;
		if (k == c) {
			n->from_rad = (float)from;
			n->arc_rad = (float)w;
			n->task = c;
			n->ring++;
			return (true);
		}
		from += w;
	}
	return (false);
}

bool
radial_locate(struct radial_drawing *r, uint32_t task, struct radial_node *out)
{
	uint32_t path[LOCATE_LEVELS], n = 0, t = task, root = r->tree.root;

	for (; t != TASK_NONE && t != root && n < LOCATE_LEVELS;
	     t = model_task_parent(r->tree.m, t))
		if (r->tree.cache == NULL ||
		    condense_keeps(&r->tree.condense,
			model_task_level(r->tree.m, t) + r->tree.above))
			path[n++] = t;
	if (t != root)
		return (false);
	*out = (struct radial_node){ .task = root, .arc_rad = (float)TURN };
	while (n > 0)
		if (!sector_of(r, out, path[--n]))
			return (false);
	node_position(r, out);
	return (true);
}
