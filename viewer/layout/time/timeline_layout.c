/*
 * The picture, from back to front: grid, selection, lanes, links, marks,
 * alerts.  Only rows in sight are asked for, so the cost is rows in sight
 * times width, whatever the length of the run.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

static void
draw_grid(struct timeline_draw *d)
{
	int64_t t[32], step;
	size_t n;
	int32_t x;

	if (!d->v->grid)
		return;
	n = timeline_ticks(d->v, d->v->origin_mon_ns, t,
	    d->v->width / 80 + 1 > 32 ? 32 : (size_t)(d->v->width / 80 + 1),
	    &step);
	for (size_t i = 0; i < n; i++) {
		x = timeline_x(d->v, t[i]) * SCENE_ONE;
		scene_rect(d->s, x, 0, x + SCENE_ONE, d->v->height * SCENE_ONE,
		    d->pal->grid);
	}
}

static void
draw_selection(struct timeline_draw *d, int behind)
{
	int32_t x0 = timeline_x(d->v, d->v->sel0_mon_ns) * SCENE_ONE;
	int32_t x1 = timeline_x(d->v, d->v->sel1_mon_ns) * SCENE_ONE;
	struct item *i;

	if (d->v->sel0_mon_ns >= d->v->sel1_mon_ns)
		return;
	if (x1 <= x0)
		x1 = x0 + SCENE_ONE;
	i = scene_add(d->s, ITEM_RECT,
	    behind ? d->pal->selection : d->pal->accent);
	if (i == NULL)
		return;
	i->x0 = x0 < -SCENE_ONE ? -SCENE_ONE : x0;
	i->x1 = x1 > (d->v->width + 1) * SCENE_ONE
		    ? (d->v->width + 1) * SCENE_ONE
		    : x1;
	i->y1 = d->v->height * SCENE_ONE;
	i->alpha = behind ? 150 : 26;
}

/* The selected span, however short: a frame about it, in its row. */
static void
draw_chosen(struct timeline_draw *d)
{
	const struct timeline_view *v = d->v;
	const struct timeline_row *r;
	int32_t x0, x1, y0, y1, one = SCENE_ONE;
	uint32_t row, rgb = d->pal->text;

	if (v->chosen.t1_mon_ns <= v->chosen.t0_mon_ns ||
	    v->chosen.lane >= d->l->nlanes ||
	    (row = d->l->lane_row[v->chosen.lane]) >= d->l->nrows ||
	    v->chosen.t1_mon_ns < v->t0_mon_ns ||
	    v->chosen.t0_mon_ns > v->t1_mon_ns)
		return;
	r = &d->l->rows[row];
	if (!row_visible(v, r) || r->height < 6)
		return;
	x0 = timeline_x(v, v->chosen.t0_mon_ns) - 1;
	x1 = timeline_x(v, v->chosen.t1_mon_ns);
	x0 = (x0 < -2 ? -2 : x0) * one;
	x1 = (x1 > v->width + 1 ? v->width + 1 : x1) * one;
	x1 = x1 < x0 + 3 * one ? x0 + 3 * one : x1;
	y0 = (r->y + row_pad(r) - 2) * one;
	y1 = (r->y + r->height + 1 - row_pad(r)) * one;
	y0 = y0 < r->top * one ? r->top * one : y0;
	scene_rect(d->s, x0, y0, x1, y0 + one, rgb);
	scene_rect(d->s, x0, y1 - one, x1, y1, rgb);
	scene_rect(d->s, x0, y0, x0 + one, y1, rgb);
	scene_rect(d->s, x1 - one, y0, x1, y1, rgb);
}

void
timeline_layout(const struct model *m, const struct palette *pal,
    const struct timeline_view *v, struct timeline_layout *l, struct scene *s)
{
	struct timeline_draw d = { .m = m, .pal = pal, .v = v, .l = l, .s = s };

	scene_clear(s);
	scene_clear(&l->links);
	l->spans_drawn = l->pixels_drawn = l->links_drawn = 0;
	l->links_total = l->links_free = l->marks = 0;
	l->stopped = false;
	if (timeline_rows(m, v, l) == -1 || v->width <= 0 ||
	    v->t1_mon_ns <= v->t0_mon_ns)
		return;
	/* first what it is, then how far it goes: more may come meanwhile */
	d.version = v->grows ? model_rewritten(m) * 2 + 1
			     : (model_events(m) + model_rewritten(m)) * 2;
	if (v->hand.of != NULL) /* who is in a group */
		d.version += v->hand.of->members << 48;
	d.final_mon_ns = v->grows ? model_last_ns(m) : INT64_MAX;
	draw_grid(&d);
	draw_selection(&d, 1);
	timeline_draw_rows(&d);
	if (l->stopped)
		return;
	timeline_sketch_edge(&d);
	draw_selection(&d, 0);
	if (!v->apart)
		scene_append(s, &l->links, 0, l->links.n, 0, 0);
	draw_chosen(&d);
	timeline_marks(&d);
	timeline_alerts(&d);
}
