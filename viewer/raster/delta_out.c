/* What was found to be painted, handed out: one request for each colour. */
#include <stdlib.h>

#include "raster/delta_inside.h"

void
delta_add(struct work *w, struct strokes *l, uint32_t paint,
    const struct box *b)
{
	struct stroke *p;

	if (l->n == l->cap) {
		size_t cap = l->cap > 0 ? l->cap * 2 : 1024;

		p = realloc(l->p, cap * sizeof(*p));
		if (p == NULL) {
			w->full = true;
			return;
		}
		l->p = p;
		l->cap = cap;
	}
	l->p[l->n++] = (struct stroke){ paint,
		{ (int16_t)b->x0, (int16_t)b->y0, (uint16_t)(b->x1 - b->x0),
		    (uint16_t)(b->y1 - b->y0) } };
}

static int
kind_of(const struct work *w, const struct stroke *s, bool background)
{
	if (background)
		return (0);
	return (
	    s->r.w == 1 && s->r.h == 1 && !w->paint[s->paint].hatched ? 2 : 1);
}

bool
delta_hand_out(struct work *w, const struct strokes *l, bool background,
    const struct delta_sink *to, void *arg)
{
	struct delta_rect *rect = malloc((l->n + 1) * sizeof(*rect));
	struct delta_point *point = malloc((l->n + 1) * sizeof(*point));
	uint32_t at[3] = { 0 };

	if (rect == NULL || point == NULL) {
		free(rect);
		free(point);
		return (false);
	}
	for (size_t i = 0; i < l->n; i++)
		w->paint[l->p[i].paint].n[kind_of(w, &l->p[i], background)]++;
	for (uint32_t i = 0; i < w->npaint; i++)
		for (int k = 0; k < 3; k++) {
			if (background != (k == 0))
				continue;
			w->paint[i].first[k] = at[k];
			at[k] += w->paint[i].n[k];
			w->paint[i].n[k] = 0;
		}
	for (size_t i = 0; i < l->n; i++) {
		const struct stroke *s = &l->p[i];
		int k = kind_of(w, s, background);
		struct paint *p = &w->paint[s->paint];
		uint32_t n = p->first[k] + p->n[k]++;

		if (k == 2)
			point[n] = (struct delta_point){ s->r.x, s->r.y };
		else
			rect[n] = s->r;
	}
	for (uint32_t i = 0; i < w->npaint; i++) {
		const struct paint *p = &w->paint[i];
		int k = background ? 0 : 1;

		if (p->n[k] > 0 && p->hatched)
			to->hatch(arg, &p->hatch, rect + p->first[k], p->n[k]);
		else if (p->n[k] > 0)
			to->rects(arg, p->rgb, rect + p->first[k], p->n[k]);
		if (!background && p->n[2] > 0)
			to->points(arg, p->rgb, point + p->first[2], p->n[2]);
	}
	free(rect);
	free(point);
	return (true);
}

void
delta_hand_out_pixels(struct work *w, const struct delta_sink *to, void *arg)
{
	for (int32_t ty = 0; ty < w->down; ty++) {
		const struct tile *t = w->tile + ty * w->across;

		for (int32_t tx = 0; tx < w->across; tx++) {
			struct delta_rect r;
			int32_t y0 = t[tx].y0, y1 = t[tx].y1, from = tx;

			if (t[tx].way != PIXELS)
				continue;
			while (tx + 1 < w->across && t[tx].x1 == TILE &&
			       t[tx + 1].way == PIXELS && t[tx + 1].x0 == 0) {
				tx++;
				y0 = t[tx].y0 < y0 ? t[tx].y0 : y0;
				y1 = t[tx].y1 > y1 ? t[tx].y1 : y1;
			}
			r.x = (int16_t)(from * TILE + t[from].x0);
			r.y = (int16_t)(ty * TILE + y0);
			r.w = (uint16_t)(tx * TILE + t[tx].x1 - r.x);
			r.h = (uint16_t)(y1 - y0);
			to->pixels(arg, &r);
		}
	}
}
