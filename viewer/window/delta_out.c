/* What was found to be painted, handed out: one request for each colour. */
#include <stdlib.h>

#include "window/delta_inside.h"

#define POINTS_MOST 3

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

/* A few pixels in a row compress better as points, which are steps. */
static int
kind_of(const struct work *w, const struct stroke *s, bool background)
{
	if (background)
		return (0);
	return ((s->r.w == 1 || s->r.h == 1) &&
			s->r.w * s->r.h <= POINTS_MOST &&
			!w->paint[s->paint].hatched
		    ? 2
		    : 1);
}

static uint32_t
pieces(const struct stroke *s, int kind)
{
	return (kind == 2 ? (uint32_t)s->r.w * s->r.h : 1);
}

bool
delta_hand_out(struct work *w, const struct strokes *l, bool background,
    const struct delta_sink *to, void *arg)
{
	struct delta_rect *rect = malloc((l->n + 1) * sizeof(*rect));
	struct delta_point *point = NULL, *spare = NULL;
	uint32_t at[3] = { 0 };

	for (size_t i = 0; i < l->n; i++) {
		int k = kind_of(w, &l->p[i], background);

		w->paint[l->p[i].paint].n[k] += pieces(&l->p[i], k);
		at[k] += pieces(&l->p[i], k);
	}
	point = malloc((at[2] + 1) * sizeof(*point));
	spare = malloc((at[2] + 1) * sizeof(*spare));
	if (rect == NULL || point == NULL || spare == NULL) {
		free(rect);
		free(point);
		free(spare);
		return (false);
	}
	at[0] = at[1] = at[2] = 0;
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
		uint32_t n = p->first[k] + p->n[k];

		p->n[k] += pieces(s, k);
		if (k < 2)
			rect[n] = s->r;
		for (uint32_t j = 0; k == 2 && j < pieces(s, k); j++)
			point[n + j] = (struct delta_point){
				(int16_t)(s->r.x + (s->r.w > 1 ? j : 0)),
				(int16_t)(s->r.y + (s->r.h > 1 ? j : 0))
			};
	}
	for (uint32_t i = 0; i < w->npaint; i++) {
		const struct paint *p = &w->paint[i];
		int k = background ? 0 : 1;

		if (p->n[k] > 0 && p->hatched)
			to->hatch(arg, &p->hatch, rect + p->first[k], p->n[k]);
		else if (p->n[k] > 0)
			to->rects(arg, p->rgb, rect + p->first[k], p->n[k]);
		delta_chain(w, point + p->first[2], p->n[2], spare);
		if (!background && p->n[2] > 0)
			to->points(arg, p->rgb, point + p->first[2], p->n[2]);
	}
	free(rect);
	free(point);
	free(spare);
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
