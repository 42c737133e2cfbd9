/*
 * Pictures that are kept and painted again where they changed.
 *
 * Two threads share out what takes long.
 */
#include "ui/draw/layer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/keep/both.h"
#include "model/keep/large.h"
#include "raster/scaled.h"
#include "ui/draw/cover.h"

#define PAINT_AT_ONCE 256 /* items: a quarter of a millisecond or so */

/* FNV-1a */
static uint64_t
hash(const void *p, size_t n, uint64_t h)
{
	const uint8_t *b = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * 0x100000001b3u;
	return (h);
}

/* Where a pixel is more than a dot, what begins between dots needs one more. */
static int32_t
layer_dots(int32_t px)
{
	int32_t dots = canvas_dots(px);

	return (dots == px ? px : dots + 1);
}

void
layer_canvas(const struct layer *l, uint32_t *px, struct canvas *c)
{
	int32_t across = layer_dots(l->width), down = layer_dots(l->height);

	canvas_init_dots(c, px, across, down, across);
	c->width = c->clip_x1 = l->width;
	c->height = c->clip_y1 = l->height;
}

/* Room for the next picture; false: no memory. */
static bool
layer_spare(struct layer *l)
{
	if (l->back == NULL)
		l->back = large_alloc((size_t)layer_dots(l->width) *
				      (size_t)layer_dots(l->height) * 4);
	return (l->back != NULL);
}

bool
layer_begin(struct layer *l, int32_t width, int32_t height, const void *key,
    size_t n, struct canvas *c)
{
	uint64_t h = hash(key, n, 0xcbf29ce484222325u);

	if (width <= 0 || height <= 0)
		return (false);
	if (l->width != width || l->height != height)
		layer_free(l);
	if (l->px != NULL && l->key == h)
		return (false);
	l->width = width;
	l->height = height;
	if (!layer_spare(l))
		return (false);
	l->next = h;
	layer_canvas(l, l->back, c);
	return (true);
}

void
layer_end(struct layer *l)
{
	uint32_t *px = l->px;

	l->px = l->back;
	l->back = px;
	l->key = l->next;
	l->whole = false;
}

void
layer_drop(struct layer *l)
{
	l->key = ~l->next; /* also when it is dropped twice */
	l->whole = true;
}

static bool
stopped(const struct stop *s)
{
	return (s->cb != NULL && s->cb(s->arg));
}

/* Bands of a picture, which two threads share out. */
struct painting {
	const struct stop *stop;
	const struct canvas *canvas;
	const struct scene *scene;
	uint32_t background;
	struct cover *cover;
	/* items from i on, of one band; -1: memory is out */
	int (*piece)(struct painting *, int band, size_t i, struct canvas *);
	_Atomic int band, stopped, failed;
};

static int
paint_piece(struct painting *p, int band, size_t i, struct canvas *c)
{
	(void)band;
	paint_items(c, p->scene, i, i + PAINT_AT_ONCE);
	return (0);
}

static int
keep_piece(struct painting *p, int band, size_t i, struct canvas *c)
{
	return (cover_take(p->cover, band, p->scene, i, i + PAINT_AT_ONCE, c));
}

/* The next one, empty: it is filled by who paints it, into whose cache it
 * comes.  False: there are no more. */
static bool
next_band(struct painting *p, int *band, struct canvas *c)
{
	*band = atomic_fetch_add(&p->band, 1);
	if (*band >= COVER_BANDS)
		return (false);
	*c = cover_band(p->canvas, *band);
	canvas_fill(c, 0, 0, c->width, c->height, p->background);
	return (true);
}

/* Piece by piece, so that a key need not wait for all of it. */
static void
pieces_job(void *arg, int who)
{
	struct painting *p = arg;
	struct canvas c;
	int band;

	while (next_band(p, &band, &c))
		for (size_t i = 0; i < p->scene->n; i += PAINT_AT_ONCE) {
			/* the first knows the window */
			if (who == 0 && stopped(p->stop))
				p->stopped = 1;
			if (p->stopped || p->failed)
				return;
			if (p->piece(p, band, i, &c) == -1)
				p->failed = 1;
		}
}

/* The same of one whose cover is there: half a millisecond or so. */
static void
cover_job(void *arg, int who)
{
	struct painting *p = arg;
	struct canvas c;
	int band;

	(void)who;
	while (next_band(p, &band, &c))
		cover_paint(p->cover, band, p->scene, p->canvas);
}

bool
layer_is_kept(const struct layer *l, const struct scene *scene)
{
	return (l->cover != NULL && l->cover->made == scene->made);
}

bool
layer_keep(struct layer *l, const struct scene *scene, const struct stop *stop)
{
	struct canvas black;
	struct painting p = { .stop = stop, .canvas = &black, .scene = scene };

	if (l->cover == NULL)
		l->cover = calloc(1, sizeof(*l->cover));
	if (l->cover == NULL || !layer_spare(l))
		return (true);
	layer_canvas(l, l->back, &black);
	cover_begin(l->cover, scene, &black);
	p.cover = l->cover;
	p.piece = keep_piece;
	both(pieces_job, &p);
	l->cover->failed = p.failed;
	if (p.stopped)
		l->cover->made = 0;
	return (!p.stopped);
}

bool
layer_paint(struct layer *l, struct canvas *c, const struct scene *scene,
    uint32_t background, const struct stop *stop)
{
	struct painting p = { .stop = stop,
		.canvas = c,
		.scene = scene,
		.background = background };

	if (stopped(stop))
		return (false);
	p.cover = l->cover;
	p.piece = paint_piece;
	both(p.cover != NULL && cover_is(p.cover, scene, c) ? cover_job
							    : pieces_job,
	    &p);
	if (p.stopped)
		return (false);
	layer_end(l);
	return (true);
}

void
draw_around(struct canvas *c, const struct rect *pane, const struct layer *l,
    int32_t x, int32_t y, uint32_t rgb)
{
	int32_t x1 = x + l->width, y1 = y + l->height;

	if (l->px == NULL) {
		canvas_fill(c, pane->x0, pane->y0, pane->x1, pane->y1, rgb);
		return;
	}
	canvas_fill(c, pane->x0, pane->y0, pane->x1, y, rgb);
	canvas_fill(c, pane->x0, y, x, y1, rgb);
	canvas_fill(c, x1, y, pane->x1, y1, rgb);
	canvas_fill(c, pane->x0, y1, pane->x1, pane->y1, rgb);
}

/* Rows of a kept picture, which two threads share out. */
struct showing {
	const struct layer *layer;
	struct canvas to;
	int32_t x0, y0; /* where the layer begins */
	_Atomic int32_t row;
};

#define SHOW_AT_ONCE 64 /* rows */

static void
show_job(void *arg, int who)
{
	struct showing *s = arg;
	const struct canvas *to = &s->to;
	size_t stride = (size_t)layer_dots(s->layer->width);
	int32_t i, end;

	(void)who;
	while ((i = atomic_fetch_add(&s->row, SHOW_AT_ONCE)) < to->clip_y1) {
		end = i + SHOW_AT_ONCE;
		for (end = end < to->clip_y1 ? end : to->clip_y1; i < end; i++)
			memcpy(to->px + (size_t)i * (size_t)to->stride +
				   to->clip_x0,
			    s->layer->px + (size_t)(i - s->y0) * stride +
				(to->clip_x0 - s->x0),
			    (size_t)(to->clip_x1 - to->clip_x0) * 4);
	}
}

void
layer_show(const struct layer *l, struct canvas *c, int32_t x, int32_t y)
{
	struct canvas part = *c;
	struct showing s = { .layer = l,
		.x0 = canvas_dots(x),
		.y0 = canvas_dots(y) };

	canvas_clip(&part, x, y, x + l->width, y + l->height);
	s.to = canvas_in_dots(&part);
	if (l->px == NULL || s.to.clip_x1 <= s.to.clip_x0)
		return;
	s.row = s.to.clip_y0;
	if (s.to.clip_y1 - s.to.clip_y0 > 2 * SHOW_AT_ONCE)
		both(show_job, &s);
	else
		show_job(&s, 0);
}

void
layer_free(struct layer *l)
{
	if (l->cover != NULL)
		cover_free(l->cover);
	free(l->cover);
	free(l->px);
	free(l->back);
	memset(l, 0, sizeof(*l));
}
