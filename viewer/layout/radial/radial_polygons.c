/*
 * VISTA's drawing: a task with several children is a polygon over itself and
 * them, one with a single child a line, one without a point.
 */
#include <math.h>

#include "layout/radial/radial_inside.h"

#define GROUP_PX 6.5 /* of tasks that have nothing but their name in common */

/* Twice the area of a polygon over its longest reach: how thick it is. */
static double
thickness(const struct radial_node *n, const struct radial_node *k, size_t nk)
{
	double area = 0, far = 1, x0, y0, x1, y1, d;

	for (size_t i = 0; i < nk; i++) {
		x0 = k[i].x - n->x;
		y0 = k[i].y - n->y;
		d = x0 * x0 + y0 * y0;
		if (d > far)
			far = d;
		if (i + 1 == nk)
			break;
		x1 = k[i + 1].x - n->x;
		y1 = k[i + 1].y - n->y;
		area += x0 * y1 - x1 * y0;
	}
	return (fabs(area) / sqrt(far));
}

static void
edge(struct radial_drawing *r, const struct radial_node *a,
    const struct radial_node *b, uint32_t rgb, int32_t w)
{
	size_t n = r->s->n;

	scene_line(r->s, a->x, a->y, b->x, b->y, w, rgb);
	if (r->s->n > n) {
		r->s->items[n].of = OF_TASK;
		r->s->items[n].id = a->task;
	}
}

static void
polygon(struct radial_drawing *r, const struct radial_node *n,
    const struct radial_node *k, size_t nk, uint32_t rgb)
{
	struct scene *s = r->s;
	size_t first = s->npoints;
	struct item *it;

	if (scene_point(s, n->x, n->y) == -1)
		return;
	for (size_t i = 0; i < nk; i++)
		if (scene_point(s, k[i].x, k[i].y) == -1)
			return;
	it = scene_poly(s, first, rgb);
	if (it == NULL)
		return;
	it->of = OF_TASK;
	it->id = n->task;
	/* thin ones would fade away between the pixels */
	if (thickness(n, k, nk) < 1.5 * SCENE_ONE) {
		edge(r, n, &k[0], rgb, SCENE_ONE);
		edge(r, n, &k[nk - 1], rgb, SCENE_ONE);
	}
}

static void
shapes(struct radial_drawing *r)
{
	struct radial_layout *l = r->l;
	int32_t w = r->d > 12 ? 2 * SCENE_ONE : SCENE_ONE * 5 / 4;
	const struct radial_node *n;
	uint32_t rgb = 0, dot;
	size_t nk;

	for (size_t i = 0; i < l->nnodes; i++) {
		n = &l->nodes[i];
		nk = n[1].kids - n->kids;
		if (n->task == TASK_NONE || n->summary || n->group)
			continue; /* the centre above the roots is no task */
		if (nk > 0)
			rgb = radial_colour_of(r, n->task, &dot);
		if (nk >= 2) {
			polygon(r, n, &l->nodes[n->kids], nk, rgb);
			l->as.polygons++;
		} else if (nk == 1) {
			edge(r, n, &l->nodes[n->kids], rgb, w);
			l->as.lines++;
		} else {
			l->as.points++;
		}
	}
}

/* A fifth of the ring distance, but no wider than its sector. */
static int32_t
vertex_radius(const struct radial_drawing *r, const struct radial_node *n)
{
	double radius = r->d * 0.2, room;

	if (n->group)
		return ((int32_t)(GROUP_PX * SCENE_ONE));

	room = (double)n->arc_rad * n->ring * r->d * 0.45;
	if (n->ring > 0 && radius > room)
		radius = room;
	radius = radius < 0.8 ? 0.8 : radius > 5 ? 5 : radius;
	return ((int32_t)(radius * SCENE_ONE));
}

static void
vertices(struct radial_drawing *r)
{
	struct radial_layout *l = r->l;
	const struct radial_node *n;
	bool all = radial_all_dots(r->v, r->d);
	struct item *it;
	uint32_t dot;

	for (size_t i = 0; i < l->nnodes; i++) {
		n = &l->nodes[i];
		if (n->task == TASK_NONE || n->summary ||
		    (n[1].kids > n->kids && !all))
			continue;
		radial_node_colour(r, n, &dot);
		it = scene_mark(r->s, ITEM_DOT, n->x, n->y, vertex_radius(r, n),
		    dot);
		if (it == NULL)
			return;
		it->of = OF_TASK;
		it->id = n->task;
	}
}

void
radial_polygons(struct radial_drawing *r)
{
	shapes(r);
	vertices(r);
}
