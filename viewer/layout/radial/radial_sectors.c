/*
 * The sunburst and the icicle: the same sectors, each drawn as itself.  In
 * the sunburst ring l lies between the circles l and l + 1; in the icicle it
 * is a row, and sectors are boxes.  A hairline of background is left between
 * neighbours where they are wide enough.
 */
#include <math.h>

#include "layout/radial/radial_inside.h"

#define CHORD_PX 7.0 /* an arc is drawn as straight pieces of this length */
#define PIECES   500
#define THIN_PX  0.75 /* narrower ones are lines, in a quarter of the time */
#define LEAST_PX 0.5  /* as far as two that are drawn are apart */

/* As wide as the sector is outside, so that neighbours leave no gap; where
 * others were pruned it stands for them. */
static void
sliver(struct radial_drawing *r, const struct radial_node *n, uint32_t rgb)
{
	double in = r->d * n->ring + 0.5, out = r->d * (n->ring + 1) - 0.5;
	double angle = radial_angle(r->v, n), x = cos(angle), y = sin(angle);
	double wide = n->arc_rad * out;
	size_t at = r->s->n;

	scene_line(r->s, (int32_t)lrint((r->cx + in * x) * SCENE_ONE),
	    (int32_t)lrint((r->cy + in * y) * SCENE_ONE),
	    (int32_t)lrint((r->cx + out * x) * SCENE_ONE),
	    (int32_t)lrint((r->cy + out * y) * SCENE_ONE),
	    (int32_t)lrint((wide < LEAST_PX ? LEAST_PX : wide) * SCENE_ONE),
	    rgb);
	if (r->s->n > at) {
		r->s->items[at].of = OF_TASK;
		r->s->items[at].id = n->task;
	}
}

/* Between two circles, from the inner arc out and back on the outer one. */
static void
sector(struct radial_drawing *r, const struct radial_node *n, uint32_t rgb)
{
	double in = r->d * n->ring, out = r->d * (n->ring + 1) - 0.5;
	double from = n->from_rad + TOP + r->v->rotate_rad, arc = n->arc_rad;
	double gap = arc * in > 4 ? 0.5 / in : 0;
	int pieces = (int)(arc * out / CHORD_PX) + 1;
	size_t first = r->s->npoints;
	struct item *it;

	if (n->ring == 0) {
		it = scene_mark(r->s, ITEM_DOT, n->x, n->y,
		    (int32_t)lrint(out * SCENE_ONE), rgb);
		if (it != NULL) {
			it->of = OF_TASK;
			it->id = n->task;
		}
		return;
	}
	if (arc * out < THIN_PX) {
		sliver(r, n, rgb);
		return;
	}
	pieces = pieces > PIECES ? PIECES : pieces;
	from += gap;
	arc -= 2 * gap;
	for (int i = 0; i <= pieces; i++)
		radial_point(r, in + 0.5, from + arc * i / pieces);
	for (int i = pieces; i >= 0; i--)
		radial_point(r, out, from + arc * i / pieces);
	it = scene_poly(r->s, first, rgb);
	if (it == NULL)
		return;
	it->of = OF_TASK;
	it->id = n->task;
}

static void
box(struct radial_drawing *r, const struct radial_node *n, uint32_t rgb)
{
	double wide = r->v->width * r->v->zoom / TURN;
	double x0 = r->cx + (n->from_rad - TURN / 2) * wide;
	double x1 = x0 + n->arc_rad * wide;
	double y0 = r->cy + r->d * n->ring, y1 = y0 + r->d;
	size_t at = r->s->n;

	if (x1 - x0 > 4)
		x1 -= 1;
	if (r->d > 4)
		y1 -= 1;
	if (x1 < 0 || x0 > r->v->width || y1 < 0 || y0 > r->v->height)
		return;
	x0 = x0 < -8 ? -8 : x0;
	x1 = x1 > r->v->width + 8 ? r->v->width + 8 : x1;
	scene_rect(r->s, (int32_t)lrint(x0 * SCENE_ONE),
	    (int32_t)lrint(y0 * SCENE_ONE), (int32_t)lrint(x1 * SCENE_ONE),
	    (int32_t)lrint(y1 * SCENE_ONE), rgb);
	if (r->s->n > at) {
		r->s->items[at].of = OF_TASK;
		r->s->items[at].id = n->task;
	}
}

void
radial_sectors(struct radial_drawing *r)
{
	struct radial_layout *l = r->l;
	bool icicle = r->v->form == RADIAL_ICICLE;
	const struct radial_node *n;
	uint32_t rgb, dot;

	for (size_t i = 0; i < l->nnodes; i++) {
		n = &l->nodes[i];
		if (n->task == TASK_NONE)
			continue;
		rgb =
		    n->summary ? r->pal->line : radial_node_colour(r, n, &dot);
		if (icicle)
			box(r, n, rgb);
		else
			sector(r, n, rgb);
		if (n->summary || n->group)
			continue;
		if (n[1].kids > n->kids + 1)
			l->as.polygons++;
		else if (n[1].kids > n->kids)
			l->as.lines++;
		else
			l->as.points++;
	}
}
