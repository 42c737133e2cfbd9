/* Curves, levels, and what surrounds them. */
#include "layout/chart/curve.h"

#include <string.h>

#define TICKS_MAX   32
#define X_APART     70 /* px: a label and some room */
#define Y_APART     24
#define LABEL_BELOW 13
#define LABEL_LEFT  6
#define LETTER_PX   7 /* of a label, at most */

/* Up and down in one pixel column, from point i on; returns its last point. */
static size_t
column(const struct axis *x, const struct axis *y, const double *vx,
    const double *vy, size_t n, size_t i, int32_t *low, int32_t *high)
{
	int32_t qx = axis_at_q(x, vx[i]), q = axis_at_q(y, vy[i]);

	*low = *high = q;
	while (i + 1 < n &&
	       axis_at_q(x, vx[i + 1]) / SCENE_ONE == qx / SCENE_ONE) {
		q = axis_at_q(y, vy[++i]);
		*low = q > *low ? q : *low;
		*high = q < *high ? q : *high;
	}
	return (i);
}

void
curve_scene(const struct axis *x, const struct axis *y, const double *vx,
    const double *vy, size_t n, int32_t width_q, uint32_t rgb, struct scene *s)
{
	int32_t from_x = 0, from_y = 0, low, high;
	size_t last;

	for (size_t i = 0; i < n; i = last + 1) {
		int32_t qx = axis_at_q(x, vx[i]);

		last = column(x, y, vx, vy, n, i, &low, &high);
		if (i > 0)
			scene_line(s, from_x, from_y, qx, axis_at_q(y, vy[i]),
			    width_q, rgb);
		if (low > high)
			scene_line(s, qx, high, qx, low, width_q, rgb);
		from_x = qx;
		from_y = axis_at_q(y, vy[last]);
	}
}

static void
label(struct scene *s, enum item_type type, int32_t x, int32_t y, uint32_t rgb,
    const char *text)
{
	size_t n = s->n;

	scene_text(s, x * SCENE_ONE, y * SCENE_ONE, 0, 0, rgb, text);
	if (s->n > n)
		s->items[n].type = (uint8_t)type;
}

/*
 * Behind its line; the last one, where it would reach beyond the axis, up to
 * its end, if the one before leaves room for it.  Fonts are not known here: so
 * wide a label is at most.  Returns where it ends, or *from.
 */
static int32_t
label_below(struct scene *s, const struct axis *x, int32_t at, int32_t y,
    uint32_t rgb, const char *text, int32_t from)
{
	int32_t w = (int32_t)strlen(text) * LETTER_PX, end = x->hi_px + 4;

	if (at + 4 + w <= end) {
		label(s, ITEM_TEXT, at + 4, y, rgb, text);
		return (at + 4 + w);
	}
	if (end - w >= from)
		label(s, ITEM_TEXT_RIGHT, end, y, rgb, text);
	return (end);
}

void
axis_below_scene(const struct axis *x, int32_t y0, int32_t y1,
    const struct palette *p, struct scene *s)
{
	struct tick t[TICKS_MAX];
	size_t n = axis_ticks(x, X_APART, t, TICKS_MAX);
	int32_t q = SCENE_ONE, at, from = x->lo_px;

	for (size_t i = 0; i < n; i++) {
		at = (t[i].at_q + q / 2) / q;
		scene_rect(s, at * q, y0 * q, (at + 1) * q, (y1 + 4) * q,
		    p->grid);
		from = label_below(s, x, at, y1 + LABEL_BELOW, p->dim,
		    t[i].label, from);
	}
}

void
axes_scene(const struct axis *x, const struct axis *y, const struct palette *p,
    struct scene *s)
{
	struct tick t[TICKS_MAX];
	size_t n = axis_ticks(y, Y_APART, t, TICKS_MAX);
	int32_t q = SCENE_ONE, at;

	for (size_t i = 0; i < n; i++) {
		at = (t[i].at_q + q / 2) / q;
		scene_rect(s, x->lo_px * q, at * q, x->hi_px * q, (at + 1) * q,
		    i == 0 ? p->line : p->grid);
		label(s, ITEM_TEXT_RIGHT, x->lo_px - LABEL_LEFT, at + 4, p->dim,
		    t[i].label);
	}
	axis_below_scene(x, y->hi_px, y->lo_px, p, s);
}
