/*
 * Glyphs from outlines.
 *
 * The contours of a glyph are drawn as one polygon: from the end of each a
 * line goes to the start of the next and in the end back, twice along the same
 * way, so that it covers nothing.  Curves become short lines.  A glyph is made
 * when it is first drawn, and kept as shares of dots.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "raster/outline.h"

#include "raster/polygon.h"

#define STEPS 6 /* lines to a curve */
#define ROOM  2 /* dots around it */

static const struct {
	int face, px;
} sizes[FONTS] = { { 0, 10 }, { 0, 12 }, { 1, 12 } };

static struct {
	int32_t scale_q; /* 0: nothing was made */
	_Atomic(struct dots *) dots[FONTS][FONT_GLYPHS]; /* when it is drawn */
} made;

struct path {
	int32_t *v; /* 1/256 dot */
	size_t n, max;
	int32_t per_unit; /* 1/65536 dot */
	int steps;
};

static void
add(struct path *p, int64_t x, int64_t y)
{
	if (p->n == p->max)
		return;
	p->v[2 * p->n] = (int32_t)x;
	p->v[2 * p->n + 1] = (int32_t)y;
	p->n++;
}

/* Of units to 1/256 dot; y grows downwards there. */
static int64_t
dot_x(const struct path *p, int32_t units_twice)
{
	return ((int64_t)units_twice * p->per_unit / (2 * 256));
}

/* A curve from the last point; coordinates in half units. */
static void
curve(struct path *p, const int32_t a[2], const int32_t c[2],
    const int32_t b[2])
{
	for (int64_t i = 1; i <= p->steps; i++) {
		int64_t k = p->steps - i, v[2];

		for (int d = 0; d < 2; d++)
			v[d] = (k * k * dot_x(p, a[d]) +
				   2 * k * i * dot_x(p, c[d]) +
				   i * i * dot_x(p, b[d])) /
			       ((int64_t)p->steps * p->steps);
		add(p, v[0], -v[1]);
	}
}

static void
half(const struct outline_point *a, const struct outline_point *b,
    int32_t out[2])
{
	out[0] = a->x + b->x;
	out[1] = a->y + b->y;
}

/* One contour: q[0] to q[n - 1], from and back to its first point. */
static void
contour(struct path *p, const struct outline_point *q, int n)
{
	int32_t first[2], at[2], to[2], c[2];

	half(&q[0], &q[0], first);
	if (!(q[0].what & OUTLINE_ON))
		half(&q[n - 1], q[n - 1].what & OUTLINE_ON ? &q[n - 1] : &q[0],
		    first);
	memcpy(at, first, sizeof(at));
	add(p, dot_x(p, at[0]), -dot_x(p, at[1]));
	for (int i = q[0].what & OUTLINE_ON ? 1 : 0; i < n; i++) {
		const struct outline_point *next = &q[(i + 1) % n];

		if (q[i].what & OUTLINE_ON) {
			half(&q[i], &q[i], at);
			add(p, dot_x(p, at[0]), -dot_x(p, at[1]));
			continue;
		}
		half(&q[i], &q[i], c);
		if (i + 1 == n)
			memcpy(to, first, sizeof(to));
		else
			half(next->what & OUTLINE_ON ? next : &q[i], next, to);
		curve(p, at, c, to);
		memcpy(at, to, sizeof(at));
		i += i + 1 < n && (next->what & OUTLINE_ON);
	}
	add(p, dot_x(p, first[0]), -dot_x(p, first[1]));
}

static void
glyph_path(struct path *p, const struct outline_face *f, int glyph)
{
	const struct outline_point *q = f->points + f->first[glyph];
	int n = f->first[glyph + 1] - f->first[glyph], from = 0;
	size_t start[64];
	int contours = 0;

	p->n = 0;
	for (int i = 0; i < n; i++) {
		if (!(q[i].what & OUTLINE_LAST) || contours == 64)
			continue;
		start[contours++] = p->n;
		contour(p, q + from, i + 1 - from);
		from = i + 1;
	}
	while (--contours > 0) /* back the way it came */
		add(p, p->v[2 * start[contours - 1]],
		    p->v[2 * start[contours - 1] + 1]);
}

static int32_t
floor_dot(int32_t v)
{
	return (v >> 8);
}

/* Draws it in white on black: what is white there is its share. */
static int
make_dots(const struct path *p, struct dots *out)
{
	int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
	struct canvas c;
	uint32_t *px;
	uint8_t *share;
	int32_t *v = malloc((2 * p->n + 1) * sizeof(*v));

	for (size_t i = 0; i < p->n; i++) {
		int32_t x = floor_dot(p->v[2 * i]),
			y = floor_dot(p->v[2 * i + 1]);

		x0 = i == 0 || x < x0 ? x : x0;
		y0 = i == 0 || y < y0 ? y : y0;
		x1 = i == 0 || x > x1 ? x : x1;
		y1 = i == 0 || y > y1 ? y : y1;
	}
	out->left = x0 - ROOM;
	out->top = -(y0 - ROOM);
	out->w = x1 - x0 + 2 * ROOM;
	out->h = y1 - y0 + 2 * ROOM;
	px = calloc((size_t)out->w * (size_t)out->h, sizeof(*px));
	share = calloc((size_t)out->w * (size_t)out->h, 1);
	if (v == NULL || px == NULL || share == NULL) {
		free(v);
		free(px);
		free(share);
		return (-1);
	}
	for (size_t i = 0; i < p->n; i++) {
		v[2 * i] = p->v[2 * i] - out->left * 256;
		v[2 * i + 1] = p->v[2 * i + 1] + out->top * 256;
	}
	canvas_init(&c, px, out->w, out->h, out->w);
	polygon_fill(&c, v, 1, p->n, 0xffffff, 255);
	for (int32_t i = 0; i < out->w * out->h; i++)
		share[i] = (uint8_t)px[i];
	out->share = share;
	free(v);
	free(px);
	return (0);
}

/* Of a unit of the outlines, 1/65536 dot. */
static int32_t
units(int font, int32_t scale_q)
{
	return (sizes[font].px * scale_q * 65536 / 16 / OUTLINE_EM);
}

size_t
outline_points(int font, int glyph, int32_t scale_q, int steps, int32_t *v,
    size_t max)
{
	struct path p = { v, 0, max, units(font, scale_q), steps };

	glyph_path(&p, &outline_faces[sizes[font].face], glyph);
	return (p.n);
}

/* NULL: out of memory. */
static struct dots *
dots_new(int font, int glyph)
{
	struct dots *d = calloc(1, sizeof(*d));
	struct path p = { NULL, 0, OUTLINE_POINTS, units(font, made.scale_q),
		STEPS };

	p.v = malloc(sizeof(*p.v) * 2 * OUTLINE_POINTS);
	if (d != NULL && p.v != NULL) {
		glyph_path(&p, &outline_faces[sizes[font].face], glyph);
		if (make_dots(&p, d) == 0) {
			free(p.v);
			return (d);
		}
	}
	free(p.v);
	free(d);
	return (NULL);
}

static void
dots_free(struct dots *d)
{
	if (d == NULL)
		return;
	free((void *)d->share);
	free(d);
}

void
outline_scale(int32_t scale_q)
{
	if (made.scale_q == scale_q)
		return;
	for (int f = 0; f < FONTS; f++)
		for (int g = 0; g < FONT_GLYPHS; g++) {
			dots_free(atomic_load(&made.dots[f][g]));
			atomic_store(&made.dots[f][g], NULL);
		}
	made.scale_q = scale_q;
}

/* Two threads may make one at the same time: the first one's stays. */
const struct dots *
outline_dots(int font, int glyph, int32_t scale_q)
{
	_Atomic(struct dots *) *at = &made.dots[font][glyph];
	struct dots *d = atomic_load(at), *before = NULL;

	if (made.scale_q != scale_q)
		return (NULL);
	if (d != NULL)
		return (d);
	d = dots_new(font, glyph);
	if (d == NULL || atomic_compare_exchange_strong(at, &before, d))
		return (d);
	dots_free(d);
	return (before);
}
