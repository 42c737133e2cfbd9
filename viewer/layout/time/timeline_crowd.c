/*
 * How bright one of many lines may be.  Where few are each is drawn in full;
 * where many lie over one another they must add up to a density through which
 * the rows can still be seen, not to one coloured area.
 *
 * The view is cut into upright strips.  A strip sums up how many px of line
 * are in it; by its own px that is how many lines lie over one another there on
 * the average, M.  Lines of alpha 1 - (1 - S)^(1/M), about -ln(1 - S) / M, hide
 * the share S of what is below.  In steps, so that a few more lines do not
 * change all others while a run grows; and the strips lie still in time, so
 * that what comes into the view and leaves it changes nothing in between.
 */
#include <math.h>
#include <stdlib.h>

#include "layout/time/timeline_inside.h"

#define STRIP_PX 8
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
	c->n = v->width > 0 ? v->width / STRIP_PX + 2 : 1;
	c->height = v->height > 0 ? v->height : 1;
	c->px = calloc((size_t)c->n + 1, sizeof(*c->px));
}

void
timeline_crowd_clear(struct timeline_crowd *c)
{
	free(c->px);
	c->px = NULL;
}

/* The strips that a line touches; 0: it is out of sight. */
static int
strips(const struct timeline_crowd *c, double x0, double x1, int32_t *from,
    int32_t *to)
{
	double a = (x0 < x1 ? x0 : x1) + c->shift;
	double b = (x0 < x1 ? x1 : x0) + c->shift;

	if (c->px == NULL || b < 0 || a >= (double)c->n * STRIP_PX)
		return (0);
	*from = a < 0 ? 0 : (int32_t)(a / STRIP_PX);
	*to = b >= (double)c->n * STRIP_PX ? c->n - 1 : (int32_t)(b / STRIP_PX);
	return (1);
}

void
timeline_crowd_add(struct timeline_crowd *c, double x0, double y0, double x1,
    double y1)
{
	double dy = fabs(y1 - y0), each;
	int32_t from, to;

	if (!strips(c, x0, x1, &from, &to))
		return;
	dy = dy < c->height ? dy : c->height;
	each = to == from ? dy : dy * STRIP_PX / fabs(x1 - x0);
	/* a line that lies is as long as the strip is wide */
	each = to == from || each > STRIP_PX ? each : STRIP_PX;
	c->px[from] += each;
	c->px[to + 1] -= each;
}

void
timeline_crowd_ready(struct timeline_crowd *c)
{
	double in = 0, before = 0;

	for (int32_t i = 0; c->px != NULL && i <= c->n; i++) {
		in += c->px[i];
		c->px[i] = before;
		before += in;
	}
}

unsigned
timeline_crowd_fade(const struct timeline_crowd *c, double x0, double x1)
{
	/* 255 / sqrt(2)^step */
	static const uint8_t alpha[STEPS] = { 255, 180, 127, 90, 63, 45, 31, 22,
		15, 11, 7, FAINTEST };
	double m;
	int32_t from, to;
	int step;

	if (!strips(c, x0, x1, &from, &to))
		return (255);
	m = (c->px[to + 1] - c->px[from]) / (to - from + 1) /
	    ((double)STRIP_PX * c->height * HIDDEN);
	if (m <= 1)
		return (255);
	frexp(m * m, &step); /* 2 log2(m), rounded down, and 1 */
	return (alpha[step <= STEPS ? step - 1 : STEPS - 1]);
}
