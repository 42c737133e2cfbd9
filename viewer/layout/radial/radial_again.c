/*
 * The same shapes in other colours.  Choosing another colouring moves nothing,
 * so the display list stays as it is and its tasks get their colours: a
 * tenth of the time, and who paints can keep what each shape covers.
 */
#include "layout/radial/radial_inside.h"

#define AHEAD 24 /* items whose tasks memory is asked for before */

bool
radial_all_dots(const struct radial_view *v, double ring_px)
{
	return (v->colour == RADIAL_PE_TIME || ring_px >= 14);
}

static bool
same_place(const struct radial_view *a, const struct radial_view *b)
{
	return (a->width == b->width && a->height == b->height &&
		a->zoom == b->zoom && a->centre_x == b->centre_x &&
		a->centre_y == b->centre_y && a->rotate_rad == b->rotate_rad &&
		a->form == b->form && a->order == b->order &&
		a->ring_px_min == b->ring_px_min &&
		a->all_rings == b->all_rings && a->fit == b->fit &&
		a->growing == b->growing && !(a->glide > 0) && !(b->glide > 0));
}

static bool
same_tree(const struct radial_view *a, const struct radial_view *b)
{
	return (a->root == b->root && a->subtree == b->subtree &&
		a->sum_singles == b->sum_singles &&
		a->until_mon_ns == b->until_mon_ns &&
		a->selected_task == b->selected_task);
}

/* What others keep, and could have changed in its place. */
static bool
is_simple(const struct radial_view *v)
{
	return (v->weights == NULL && v->tints == NULL && !v->edges);
}

bool
radial_is_same(const struct radial_drawing *r, uint64_t version, uint32_t epoch)
{
	const struct radial_shapes *was = &r->l->shapes;

	return (was->model == r->tree.m && was->palette == r->pal &&
		was->made == r->s->made && was->version == version &&
		was->epoch == epoch && is_simple(r->v) &&
		is_simple(&was->view) && same_place(r->v, &was->view) &&
		same_tree(r->v, &was->view) &&
		(r->v->form != RADIAL_POLYGONS ||
		    radial_all_dots(r->v, r->l->ring_px) ==
			radial_all_dots(&was->view, r->l->ring_px)) &&
		(r->v->form == RADIAL_POLYGONS || r->l->summaries == 0) &&
		r->l->singles.groups == 0);
}

void
radial_recolour(struct radial_drawing *r)
{
	bool polygons = r->v->form == RADIAL_POLYGONS;
	struct item *it = r->s->items, *end = it + r->s->n;
	uint32_t rgb = 0, dot = 0;
	uint64_t task = UINT64_MAX;

	radial_span(r);
	for (; it < end; it++) {
		if (end - it > AHEAD && it[AHEAD].of == OF_TASK &&
		    it[AHEAD].id != TASK_NONE)
			model_task_ahead_drawn(r->tree.m,
			    (uint32_t)it[AHEAD].id);
		/* the circle around the one that is selected stays */
		if (it->of != OF_TASK || it->type == ITEM_CIRCLE)
			continue;
		if (it->id != task) {
			task = it->id;
			rgb = radial_colour_of(r, (uint32_t)task, &dot);
		}
		it->rgb = polygons && it->type == ITEM_DOT ? dot : rgb;
		if (it->alpha == HIDDEN_ALPHA && it->type == ITEM_POLY)
			it->rgb = radial_mean_colour(r, (uint32_t)task);
	}
	r->l->shapes.view = *r->v;
}

void
radial_note_shapes(struct radial_drawing *r, uint64_t version, uint32_t epoch)
{
	r->l->shapes = (struct radial_shapes){ .model = r->tree.m,
		.palette = r->pal,
		.view = *r->v,
		.made = r->s->made,
		.version = version,
		.epoch = epoch };
}
