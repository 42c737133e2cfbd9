/*
 * How far apart rings are.  Of a tree of a million tasks those of the outer
 * levels are too small to be drawn, and rings for all levels would leave most
 * of the window empty.  So as many rings fill it as have something: tasks that
 * are drawn, or the wedge of those that are not.
 *
 * Wider rings show more tasks, and so need more rings; the third try is never
 * too large.  Of a tree that grows the last answer is kept as long as it is
 * nearly right, so that the picture does not breathe.
 */
#include <math.h>

#include "layout/radial/radial_inside.h"

#define TRIES     3
#define SLACK     1.06 /* room for what grows */
#define TOO_LARGE 0.75 /* of what there was room for */
#define PARTS     256
#define FEW       40  /* one of so many wedges may be cut */
#define BEYOND    0.7 /* rings that the wedge of a leaf's children takes */

/*
 * Rings from the centre on that have a task which is drawn, or all but few of
 * the wedges; and one more.
 */
static double
extent(const struct radial_drawing *r)
{
	const struct radial_layout *l = r->l;
	const struct radial_node *n;
	uint32_t wedges[PARTS] = { 0 }, all = 0, beyond = 0, part;
	double most = l->nodes[l->nnodes - 1].ring, rings, far;

	rings = r->tree.condense.rings;
	for (size_t i = 0; i < l->nnodes; i++) {
		n = &l->nodes[i];
		if (n->pruned == 0 || r->v->form != RADIAL_POLYGONS)
			continue;
		far = radial_mean_ring(&r->tree, n->task);
		far = far < n->ring + BEYOND ? n->ring + BEYOND : far;
		part = (uint32_t)(far / rings * PARTS);
		wedges[part < PARTS ? part : PARTS - 1]++;
		all++;
	}
	for (part = PARTS; part > 0 && beyond * FEW < all; part--)
		beyond += wedges[part - 1];
	far = all == 0 ? 0 : (part + 1) * rings / PARTS;
	return ((far > most ? far : most) + 1);
}

/* Is what was kept of the same picture? */
static bool
is_kept(const struct radial_fit *f, const struct radial_drawing *r)
{
	const struct radial_view *v = r->v;

	return (f->rings > 0 && f->model == r->tree.m && f->root == v->root &&
		f->subtree == v->subtree && f->form == v->form);
}

/* And of nothing newer, so that the same would come out again. */
static bool
is_right(const struct radial_fit *f, const struct radial_drawing *r)
{
	const struct radial_view *v = r->v;

	return (is_kept(f, r) && f->exact && f->width == v->width &&
		f->height == v->height && f->until_mon_ns == v->until_mon_ns &&
		f->version == model_tree_version(r->tree.m));
}

static void
keep(struct radial_fit *f, const struct radial_drawing *r, double rings)
{
	*f = (struct radial_fit){ .rings = rings,
		.model = r->tree.m,
		.root = r->v->root,
		.subtree = r->v->subtree,
		.form = r->v->form,
		.exact = !r->v->growing,
		.width = r->v->width,
		.height = r->v->height,
		.until_mon_ns = r->v->until_mon_ns,
		.version = model_tree_version(r->tree.m) };
}

static double
not_more(double rings, const struct radial_drawing *r)
{
	double most = r->tree.condense.rings;

	return (rings < most ? rings : most);
}

/* With so many rings from the centre to the edge; -1: no memory. */
static int
try(struct radial_drawing *r, double rings)
{
	struct radial_layout *l = r->l;

	r->fit_rings = rings;
	l->outside = l->summaries = l->singles.groups = l->singles.tasks = 0;
	radial_measure(r);
	return (radial_place(r));
}

int
radial_place_fitting(struct radial_drawing *r)
{
	struct radial_fit *f = &r->l->cache->fit;
	double rings = r->tree.condense.rings, got;

	if (!r->v->fit || r->v->form == RADIAL_ICICLE)
		return (try(r, rings));
	if (r->v->zoom > 1 || r->v->zoom < 1)
		return (try(r, is_kept(f, r) ? not_more(f->rings, r) : rings));
	if (r->v->growing && is_kept(f, r)) {
		rings = not_more(f->rings, r);
		if (try(r, rings) == -1)
			return (-1);
		got = extent(r);
		if (got <= rings && got >= rings * TOO_LARGE)
			return (0);
		keep(f, r, not_more(got * SLACK, r));
		return (try(r, f->rings));
	}
	if (is_right(f, r))
		return (try(r, f->rings));
	for (int i = 0; i < TRIES; i++) {
		if (try(r, rings) == -1)
			return (-1);
		got = not_more(extent(r), r);
		if (i + 1 == TRIES || (i == 0 && got > rings * 0.9))
			break;
		rings = got;
	}
	keep(f, r, rings);
	return (0);
}
