/*
 * From one picture of a tree that grows to the next.  When more levels are
 * condensed, another tree stands beside it or rings get closer, everything
 * has another place at once, and the eye loses what it was looking at.  So
 * tasks go there from where they were; one that was not drawn comes from where
 * the nearest above it was.
 *
 * The places of the last picture are kept while the tree grows: 12 bytes a
 * node.  A table of them is made only when it is needed.
 */
#include <stdlib.h>

#include "layout/radial/radial_inside.h"

struct glide_at {
	uint32_t task;
	int32_t x, y;
};

/* What must be the same for tasks to go rather than to jump. */
static bool
is_same_view(const struct radial_view *a, const struct radial_view *b)
{
	return (
	    a->width == b->width && a->height == b->height &&
	    a->root == b->root && a->subtree == b->subtree &&
	    a->form == b->form && a->order == b->order &&
	    !(a->zoom < b->zoom || a->zoom > b->zoom) &&
	    !(a->centre_x < b->centre_x || a->centre_x > b->centre_x) &&
	    !(a->centre_y < b->centre_y || a->centre_y > b->centre_y) &&
	    !(a->rotate_rad < b->rotate_rad || a->rotate_rad > b->rotate_rad));
}

void
radial_glide_note(struct radial_drawing *r)
{
	const struct radial_layout *l = r->l;
	struct radial_glide *g;
	struct glide_at *at;

	if (l->cache == NULL || !r->v->glides || !r->v->growing)
		return;
	g = &l->cache->glide;
	if (g->cap < l->nnodes) {
		at = realloc(g->was, l->nnodes * 2 * sizeof(*at));
		if (at == NULL)
			return;
		g->was = at;
		g->cap = (uint32_t)l->nnodes * 2;
	}
	g->n = (uint32_t)l->nnodes;
	for (uint32_t i = 0; i < g->n; i++)
		g->was[i] = (struct glide_at){ l->nodes[i].task, l->nodes[i].x,
			l->nodes[i].y };
}

static uint32_t
slot_of(const struct radial_glide *g, uint32_t task)
{
	return ((task * 0x9e3779b1u) & g->mask);
}

/* Where they were becomes where they come from. */
static int
begin(struct radial_glide *g)
{
	uint32_t size = 64, k;
	struct glide_at *from;

	while (size < g->n * 2)
		size *= 2;
	from = malloc(size * sizeof(*from));
	if (from == NULL)
		return (-1);
	free(g->from);
	g->from = from;
	g->mask = size - 1;
	for (uint32_t i = 0; i < size; i++)
		from[i].task = TASK_NONE;
	for (uint32_t i = 0; i < g->n; i++) {
		if (g->was[i].task == TASK_NONE)
			continue;
		for (k = slot_of(g, g->was[i].task); from[k].task != TASK_NONE;)
			k = (k + 1) & g->mask;
		from[k] = g->was[i];
	}
	return (0);
}

/* NULL: it was not drawn. */
static const struct glide_at *
find(const struct radial_glide *g, uint32_t task)
{
	for (uint32_t k = slot_of(g, task); g->from[k].task != TASK_NONE;
	     k = (k + 1) & g->mask)
		if (g->from[k].task == task)
			return (&g->from[k]);
	return (NULL);
}

static int32_t
between(int32_t a, int32_t b, double t)
{
	return (a + (int32_t)((b - a) * t));
}

/* Parents come first, so theirs is known where a task comes from. */
static int
move(struct radial_glide *g, struct radial_layout *l, double t)
{
	struct glide_at *from = malloc(l->nnodes * sizeof(*from));
	const struct glide_at *was;
	struct radial_node *n;

	if (from == NULL)
		return (-1);
	from[0] = (struct glide_at){ TASK_NONE, l->nodes[0].x, l->nodes[0].y };
	for (size_t i = 0; i < l->nnodes; i++) {
		n = &l->nodes[i];
		was = n->task == TASK_NONE ? NULL : find(g, n->task);
		if (was != NULL)
			from[i] = *was;
		for (uint32_t k = n->kids; k < n[1].kids; k++)
			from[k] = from[i];
		n->x = between(from[i].x, n->x, t);
		n->y = between(from[i].y, n->y, t);
	}
	free(from);
	return (0);
}

void
radial_glide(struct radial_drawing *r)
{
	struct radial_glide *g = &r->l->cache->glide;
	const struct condense *c = &r->tree.condense;
	bool jump = r->v->glides && r->v->growing &&
		    r->v->form == RADIAL_POLYGONS && g->n > 1 && g->rings > 0 &&
		    is_same_view(r->v, &g->view) &&
		    (c->levels != g->levels || r->tree.above != g->above ||
			r->fit_rings > g->rings || r->fit_rings < g->rings);
	double t = 1 - r->v->glide;

	g->view = *r->v;
	g->levels = c->levels;
	g->above = r->tree.above;
	g->rings = r->fit_rings;
	if (jump && begin(g) == 0) {
		g->moving = true;
		r->l->jumped = true;
		t = 0;
	}
	if (!r->v->growing || !(t < 1))
		g->moving = false;
	if (g->moving && r->l->nnodes > 0)
		move(g, r->l, t * t * (3 - 2 * t));
}

void
radial_glide_free(struct radial_glide *g)
{
	free(g->was);
	free(g->from);
}
