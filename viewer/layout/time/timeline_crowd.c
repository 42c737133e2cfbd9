/*
 * How bright one of many lines may be.  Where few are each is drawn in full;
 * where many lie over one another they must add up to a density through which
 * the rows can still be seen, not to one coloured area.
 *
 * The view is cut into cells.  A cell sums up how many px of line are in it; by
 * its own px that is how many lines lie over one another there on the average,
 * M.  Lines of alpha 1 - (1 - S)^(1/M), about -ln(1 - S) / M, hide the share S
 * of what is below.  A line is as faint as the band of its way asks for that is
 * most crowded.  In steps, so that a few more lines do not change all others
 * while a run grows; and the cells lie still in time and on the rows, so that
 * what comes into the view and leaves it changes nothing in between.
 */
#include <math.h>
#include <stdlib.h>

#include "layout/time/timeline_inside.h"

#define STRIP_PX 8
#define BAND_PX  24
#define HIDDEN   0.65 /* -ln(1 - S): half of what is below is seen */
#define FAINTEST 6    /* of 255 */
#define STEPS    12

void
timeline_crowd_init(struct timeline_crowd *c, const struct timeline_view *v)
{
	double span = (double)(v->t1_mon_ns - v->t0_mon_ns);
	double at = (double)(v->t0_mon_ns - v->origin_mon_ns);

	c->shift = span > 0 ? fmod(at * v->width / span, STRIP_PX) : 0;
	c->shift += c->shift < 0 ? STRIP_PX : 0;
	c->shift_y = v->scroll_y % BAND_PX;
	c->shift_y += c->shift_y < 0 ? BAND_PX : 0;
	c->n = v->width > 0 ? v->width / STRIP_PX + 2 : 1;
	c->bands = v->height > 0 ? v->height / BAND_PX + 2 : 1;
	c->px = calloc((size_t)c->bands * ((size_t)c->n + 1), sizeof(*c->px));
}

void
timeline_crowd_clear(struct timeline_crowd *c)
{
	free(c->px);
	c->px = NULL;
}

/* The cells of a number of px from a to b; 0: they are out of sight. */
static int
cells(double a, double b, int px, int32_t n, int32_t *from, int32_t *to)
{
	double lo = a < b ? a : b, hi = a < b ? b : a;

	if (hi < 0 || lo >= (double)n * px)
		return (0);
	*from = lo < 0 ? 0 : (int32_t)(lo / px);
	*to = hi >= (double)n * px ? n - 1 : (int32_t)(hi / px);
	return (1);
}

/* A line in px of the crowd, and the part of it that is in one band. */
struct line {
	double x0, y0, x1, y1;
	int32_t band, last; /* of the bands it has */
	int32_t from, to;   /* cells of the band */
	double height;      /* px within the band */
};

static int
line_begin(const struct timeline_crowd *c, struct line *l, double x0, double y0,
    double x1, double y1)
{
	*l = (struct line){ x0 + c->shift, y0 + c->shift_y, x1 + c->shift,
		y1 + c->shift_y, 0, -1, 0, 0, 0 };
	return (c->px != NULL &&
		cells(l->y0, l->y1, BAND_PX, c->bands, &l->band, &l->last));
}

/* Its next band in which it is in sight; 0: there is none. */
static int
line_band(const struct timeline_crowd *c, struct line *l)
{
	double lo, hi, lean, top = l->y0 < l->y1 ? l->y0 : l->y1;
	double foot = l->y0 < l->y1 ? l->y1 : l->y0, dy = l->y1 - l->y0;

	for (; l->band <= l->last; l->band++) {
		lo = (double)l->band * BAND_PX;
		hi = lo + BAND_PX;
		lo = lo > top ? lo : top;
		hi = hi < foot ? hi : foot;
		l->height = hi - lo;
		lean = dy == 0 ? 0 : (l->x1 - l->x0) / dy;
		if (cells(l->x0 + (lo - l->y0) * lean,
			dy == 0 ? l->x1 : l->x0 + (hi - l->y0) * lean, STRIP_PX,
			c->n, &l->from, &l->to)) {
			l->band++;
			return (1);
		}
	}
	return (0);
}

/* Of the band that line_band() has just found. */
static double *
band_of(const struct timeline_crowd *c, const struct line *l)
{
	return (c->px + (size_t)(l->band - 1) * ((size_t)c->n + 1));
}

void
timeline_crowd_add(struct timeline_crowd *c, double x0, double y0, double x1,
    double y1)
{
	struct line l;
	double each, *px;

	if (!line_begin(c, &l, x0, y0, x1, y1))
		return;
	while (line_band(c, &l)) {
		px = band_of(c, &l);
		each = l.height / (l.to - l.from + 1);
		/* a line that lies is as long as the cell is wide */
		each = l.to == l.from || each > STRIP_PX ? each : STRIP_PX;
		px[l.from] += each;
		px[l.to + 1] -= each;
	}
}

void
timeline_crowd_ready(struct timeline_crowd *c)
{
	for (int32_t band = 0; c->px != NULL && band < c->bands; band++) {
		double *px = c->px + (size_t)band * ((size_t)c->n + 1);
		double in = 0, before = 0;

		for (int32_t i = 0; i <= c->n; i++) {
			in += px[i];
			px[i] = before;
			before += in;
		}
	}
}

unsigned
timeline_crowd_fade(const struct timeline_crowd *c, double x0, double y0,
    double x1, double y1)
{
	/* 255 / sqrt(2)^step */
	static const uint8_t alpha[STEPS] = { 255, 180, 127, 90, 63, 45, 31, 22,
		15, 11, 7, FAINTEST };
	double m, most = 0;
	struct line l;
	const double *px;
	int step;

	if (!line_begin(c, &l, x0, y0, x1, y1))
		return (255);
	while (line_band(c, &l)) {
		px = band_of(c, &l);
		m = (px[l.to + 1] - px[l.from]) / (l.to - l.from + 1);
		most = m > most ? m : most;
	}
	most /= (double)STRIP_PX * BAND_PX * HIDDEN;
	if (most <= 1)
		return (255);
	frexp(most * most, &step); /* 2 log2(m), rounded down, and 1 */
	return (alpha[step <= STEPS ? step - 1 : STEPS - 1]);
}
