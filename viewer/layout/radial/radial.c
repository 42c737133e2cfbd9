/*
 * The radial view as a whole: how large a ring is, what of the tree may be
 * seen, then sectors, colours and shapes, and the numbers that are shown.
 */
#include "layout/radial/radial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "layout/radial/radial_inside.h"

#define TRIES     20
#define MARGIN_PX 12 /* a vertex may reach over the edge of the window */

const char *const radial_form_name[RADIAL_FORMS] = { "polygons", "sunburst",
	"icicle" };
const char *const radial_order_name[RADIAL_ORDERS] = { "time", "path" };

static void
count(struct radial_drawing *r)
{
	struct radial_layout *l = r->l;
	const struct condense *c = &r->tree.condense;

	l->ring_px = r->d;
	l->lc.above = r->tree.above;
	l->lc.t = c->t;
	l->tasks = r->tree.tasks + r->tree.forest->tasks;
	l->singles.trees = r->tree.forest->tasks;
	l->levels = r->tree.levels - r->tree.above;
	l->deepest = l->levels - 1;
	l->lc.levels[0] = c->t > l->levels ? l->levels : c->t;
	l->lc.ratio[0] = c->ratio;
	l->lc.levels[1] = l->levels - l->lc.levels[0];
	l->lc.ratio[1] = l->lc.levels[1] > 0 ? c->ratio + 1 : 0;
	l->drawn = (uint32_t)l->nnodes - r->tree.above - l->summaries -
		   l->singles.groups;
	for (size_t i = 0; i < l->nnodes; i++)
		l->pruned += l->nodes[i].pruned;
	l->condensed = r->tree.tasks - radial_size(&r->tree, r->tree.root);
}

static void
radial_empty(struct radial_layout *l)
{
	struct radial_layout kept = { .nodes = l->nodes,
		.cap = l->cap,
		.ring_first = l->ring_first,
		.cache = l->cache };

	*l = kept;
}

/* The sectors in which the window lies, seen from the centre. */
static void
look(struct radial_drawing *r)
{
	double x0 = -MARGIN_PX - r->cx, x1 = r->v->width + MARGIN_PX - r->cx;
	double y0 = -MARGIN_PX - r->cy, y1 = r->v->height + MARGIN_PX - r->cy;
	double wide = r->v->width * r->v->zoom / TURN, to_middle, lo = 0,
	       hi = 0, a;

	r->seen_from = 0;
	r->seen_arc = TURN;
	if (r->v->form == RADIAL_ICICLE) {
		lo = x0 / wide + TURN / 2;
		hi = x1 / wide + TURN / 2;
		r->seen_from = lo < 0 ? 0 : lo;
		r->seen_arc = (hi > TURN ? TURN : hi) - r->seen_from;
		r->seen_arc = r->seen_arc < 0 ? 0 : r->seen_arc;
		return;
	}
	if (x0 <= 0 && x1 >= 0 && y0 <= 0 && y1 >= 0)
		return;
	to_middle = atan2((y0 + y1) / 2, (x0 + x1) / 2);
	for (int i = 0; i < 4; i++) {
		a = atan2(i & 1 ? y1 : y0, i & 2 ? x1 : x0) - to_middle;
		a = a > TURN / 2 ? a - TURN : a < -TURN / 2 ? a + TURN : a;
		lo = a < lo ? a : lo;
		hi = a > hi ? a : hi;
	}
	a = fmod(to_middle + lo - TOP - r->v->rotate_rad, TURN);
	r->seen_from = a < 0 ? a + TURN : a;
	r->seen_arc = hi - lo;
}

/* Where the centre is, how far rings are apart, which is the last in sight. */
void
radial_measure(struct radial_drawing *r)
{
	const struct radial_view *v = r->v;
	double w = v->width, h = v->height, zoom = v->zoom > 0 ? v->zoom : 1;
	double least = radial_least_px(v), fit, dx, dy;

	r->cx = w / 2 + v->centre_x;
	r->cy = h / 2 + v->centre_y;
	if (v->form == RADIAL_ICICLE) {
		fit = h / r->tree.condense.rings;
		fit = fit > 26 ? 26 : fit;
		r->d = zoom * (fit > least ? fit : least);
		r->cy -= r->d * r->tree.condense.rings / 2;
		r->reach = h - r->cy;
		look(r);
		return;
	}
	fit = (w < h ? w : h) / 2 / r->fit_rings;
	r->d = zoom * (fit > least ? fit : least);
	dx = w / 2 + fabs(v->centre_x);
	dy = h / 2 + fabs(v->centre_y);
	r->reach = sqrt(dx * dx + dy * dy) + 2 * r->d;
	look(r);
}

static void
shapes(struct radial_drawing *r)
{
	count(r);
	radial_survey(r);
	radial_rings(r);
	radial_hidden(r);
	if (r->v->form == RADIAL_POLYGONS)
		radial_polygons(r);
	else
		radial_sectors(r);
	radial_edges(r);
	radial_selected(r);
}

static void
lay_out(const struct model *m, const struct palette *pal,
    const struct radial_view *v, struct radial_layout *l, struct scene *s,
    uint32_t epoch)
{
	uint64_t version = model_tree_version(m); /* at least this is seen */
	struct radial_drawing r = { .v = v, .pal = pal, .l = l, .s = s };
	struct radial_view all = *v;

	if (v->root < model_tasks(m) && model_task_gone(m, v->root)) {
		all.root = TASK_NONE; /* it was given up */
		all.subtree = false;
		r.v = &all;
	}
	r.tree.m = m;
	if (radial_is_same(&r, version, epoch)) {
		radial_recolour(&r);
		return;
	}
	scene_clear(s);
	radial_glide_note(&r);
	radial_empty(l);
	if (radial_tree_open(&r.tree, m, r.v, l) == 0) {
		if (radial_place_fitting(&r) == 0) {
			radial_glide(&r);
			shapes(&r);
			radial_note_shapes(&r, version, epoch);
		} else {
			radial_empty(l);
		}
	}
}

/* Tasks may be given up at the same time: then once more, a few times. */
void
radial_layout(const struct model *m, const struct palette *pal,
    const struct radial_view *v, struct radial_layout *l, struct scene *s)
{
	const struct timespec while_busy = { 0, 500000 };
	uint32_t epoch;
	unsigned door;

	for (int i = 0; i < TRIES; i++) {
		epoch = model_tree_epoch(m);
		if (epoch % 2 == 1 && i + 1 < TRIES) {
			nanosleep(&while_busy, NULL);
			continue;
		}
		door = model_enter(m);
		lay_out(m, pal, v, l, s, epoch);
		model_leave(m, door);
		if (model_tree_epoch(m) == epoch)
			return;
	}
}

void
radial_layout_free(struct radial_layout *l)
{
	free(l->nodes);
	free(l->ring_first);
	radial_cache_free(l->cache);
	memset(l, 0, sizeof(*l));
}
