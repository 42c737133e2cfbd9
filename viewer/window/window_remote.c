/*
 * Frames through a network: what the server shows already is known, so only
 * what differs from it is sent, as requests that paint it (delta.c).  What has
 * moved is moved by the server itself.
 *
 * The server has the picture in memory of its own: a window that was covered,
 * or not mapped, has lost nothing then, and what is moved is all there.  The
 * frame before stands for it.
 */
#include <stdlib.h>
#include <string.h>

#include "window/delta.h"
#include "window/window_inside.h"

#define MOVES_MAX 4
#define TILES_MAX 32 /* hatchings that the server keeps */

struct remote {
	struct window *w;
	Pixmap picture; /* None: there was no frame */
	int32_t width, height;
	GC gc;
	struct {
		struct delta_rect r;
		int32_t dx, dy;
	} move[MOVES_MAX];
	int nmoves;
	struct rect changed; /* since it was shown; x0 >= x1: nothing */
	struct {
		uint32_t tone[DELTA_HATCH];
		Pixmap pixmap;
	} tile[TILES_MAX];
	int ntiles;
};

struct remote *
remote_new(struct window *w)
{
	struct remote *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return (NULL);
	r->w = w;
	r->gc = XCreateGC(w->display, w->id, 0, NULL);
	XSetGraphicsExposures(w->display, r->gc, False);
	return (r);
}

void
remote_free(struct remote *r)
{
	if (r == NULL)
		return;
	if (!window_io_lost) {
		XFreeGC(r->w->display, r->gc);
		for (int i = 0; i < r->ntiles; i++)
			XFreePixmap(r->w->display, r->tile[i].pixmap);
		if (r->picture != None)
			XFreePixmap(r->w->display, r->picture);
	}
	free(r);
}

void
remote_moved(struct remote *r, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    int32_t dx, int32_t dy)
{
	if (r->nmoves == MOVES_MAX || x0 >= x1 || y0 >= y1)
		return;
	r->move[r->nmoves].r = (struct delta_rect){ (int16_t)x0, (int16_t)y0,
		(uint16_t)(x1 - x0), (uint16_t)(y1 - y0) };
	r->move[r->nmoves].dx = dx;
	r->move[r->nmoves++].dy = dy;
}

unsigned long
remote_picture(const struct remote *r)
{
	return (r->picture);
}

void
remote_changed(struct remote *r, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	struct rect *c = &r->changed;

	if (c->x0 >= c->x1) {
		*c = (struct rect){ x0, y0, x1, y1 };
		return;
	}
	c->x0 = x0 < c->x0 ? x0 : c->x0;
	c->y0 = y0 < c->y0 ? y0 : c->y0;
	c->x1 = x1 > c->x1 ? x1 : c->x1;
	c->y1 = y1 > c->y1 ? y1 : c->y1;
}

static void
changed(struct remote *r, const struct delta_rect *p)
{
	remote_changed(r, p->x, p->y, p->x + p->w, p->y + p->h);
}

void
remote_show(struct remote *r, int32_t x, int32_t y, int32_t width,
    int32_t height)
{
	if (r->picture != None)
		XCopyArea(r->w->display, r->picture, r->w->id, r->gc, x, y,
		    (unsigned)width, (unsigned)height, x, y);
}

static void
show_changed(struct remote *r)
{
	const struct rect *c = &r->changed;

	if (c->x0 < c->x1)
		remote_show(r, c->x0, c->y0, c->x1 - c->x0, c->y1 - c->y0);
	r->changed.x1 = r->changed.x0;
}

static bool
inside(const struct delta_rect *r, const struct canvas *c)
{
	return (r->x >= 0 && r->y >= 0 && r->x + r->w <= c->width &&
		r->y + r->h <= c->height);
}

static void
move_moved(struct remote *r, const struct canvas *now, struct canvas *before)
{
	for (int i = 0; i < r->nmoves; i++) {
		const struct delta_rect *m = &r->move[i].r;
		int32_t dx = r->move[i].dx, dy = r->move[i].dy;

		if (!inside(m, now) || !delta_move(before, now, m, dx, dy))
			continue;
		lines_moved(r->w,
		    &(struct rect){ m->x, m->y, m->x + m->w, m->y + m->h }, dx,
		    dy, before);
		XCopyArea(r->w->display, r->picture, r->picture, r->gc,
		    m->x + (dx < 0 ? -dx : 0), m->y + (dy < 0 ? -dy : 0),
		    (unsigned)(m->w - abs(dx)), (unsigned)(m->h - abs(dy)),
		    m->x + (dx > 0 ? dx : 0), m->y + (dy > 0 ? dy : 0));
		changed(r, m);
	}
	r->nmoves = 0;
}

static void
put_rects(void *arg, uint32_t rgb, const struct delta_rect *rect, size_t n)
{
	struct remote *r = arg;

	for (size_t i = 0; i < n; i++)
		changed(r, &rect[i]);
	XSetForeground(r->w->display, r->gc, rgb);
	XFillRectangles(r->w->display, r->picture, r->gc,
	    (XRectangle *)(void *)rect, (int)n);
}

/* Each from the one before: small numbers, which compress well. */
static void
put_points(void *arg, uint32_t rgb, const struct delta_point *point, size_t n)
{
	struct remote *r = arg;
	XPoint p[1024];

	XSetForeground(r->w->display, r->gc, rgb);
	for (size_t from = 0; from < n;) {
		size_t k = 0;

		for (; k < 1024 && from < n; k++, from++) {
			p[k].x = point[from].x;
			p[k].y = point[from].y;
			remote_changed(r, p[k].x, p[k].y, p[k].x + 1,
			    p[k].y + 1);
			if (k == 0)
				continue;
			p[k].x = (short)(p[k].x - point[from - 1].x);
			p[k].y = (short)(p[k].y - point[from - 1].y);
		}
		XDrawPoints(r->w->display, r->picture, r->gc, p, (int)k,
		    CoordModePrevious);
	}
}

/* The server's copy of a hatching; all are forgotten when there are many. */
static Pixmap
tile_of(struct remote *r, const struct delta_hatch *h)
{
	Display *d = r->w->display;
	uint32_t px[DELTA_HATCH * DELTA_HATCH];
	XImage *image;
	int i;

	for (i = 0; i < r->ntiles; i++)
		if (memcmp(r->tile[i].tone, h->tone, sizeof(h->tone)) == 0)
			return (r->tile[i].pixmap);
	if (r->ntiles == TILES_MAX)
		while (r->ntiles > 0)
			XFreePixmap(d, r->tile[--r->ntiles].pixmap);
	for (i = 0; i < DELTA_HATCH * DELTA_HATCH; i++)
		px[i] =
		    h->tone[(i % DELTA_HATCH + i / DELTA_HATCH) % DELTA_HATCH];
	image = XCreateImage(d, r->w->visual, (unsigned)r->w->depth, ZPixmap, 0,
	    (char *)px, DELTA_HATCH, DELTA_HATCH, 32, 0);
	if (image == NULL)
		return (None);
	i = r->ntiles++;
	memcpy(r->tile[i].tone, h->tone, sizeof(h->tone));
	r->tile[i].pixmap = XCreatePixmap(d, r->w->id, DELTA_HATCH, DELTA_HATCH,
	    (unsigned)r->w->depth);
	XPutImage(d, r->tile[i].pixmap, r->gc, image, 0, 0, 0, 0, DELTA_HATCH,
	    DELTA_HATCH);
	image->data = NULL; /* it is ours */
	XDestroyImage(image);
	return (r->tile[i].pixmap);
}

static void
put_hatch(void *arg, const struct delta_hatch *h, const struct delta_rect *rect,
    size_t n)
{
	struct remote *r = arg;
	Pixmap tile = tile_of(r, h);

	if (tile == None)
		return;
	for (size_t i = 0; i < n; i++)
		changed(r, &rect[i]);
	XSetTile(r->w->display, r->gc, tile);
	/* where the tile has its first tone, from the left */
	XSetTSOrigin(r->w->display, r->gc,
	    (DELTA_HATCH - h->phase) % DELTA_HATCH, 0);
	XSetFillStyle(r->w->display, r->gc, FillTiled);
	XFillRectangles(r->w->display, r->picture, r->gc,
	    (XRectangle *)(void *)rect, (int)n);
	XSetFillStyle(r->w->display, r->gc, FillSolid);
}

static void
put_pixels(void *arg, const struct delta_rect *p)
{
	struct remote *r = arg;

	changed(r, p);
	XPutImage(r->w->display, r->picture, r->gc,
	    r->w->buffer[r->w->draw].image, p->x, p->y, p->x, p->y, p->w, p->h);
}

static const struct delta_sink sink = { put_rects, put_hatch, put_points,
	put_pixels };

static void
put_all(struct remote *r, const struct canvas *now)
{
	put_pixels(r, &(struct delta_rect){ 0, 0, (uint16_t)now->width,
			  (uint16_t)now->height });
}

/* Of the frame's size; what was in it is lost then. */
static void
fit_picture(struct remote *r, int32_t width, int32_t height)
{
	if (r->picture != None && r->width == width && r->height == height)
		return;
	if (r->picture != None)
		XFreePixmap(r->w->display, r->picture);
	r->picture = XCreatePixmap(r->w->display, r->w->id, (unsigned)width,
	    (unsigned)height, (unsigned)r->w->depth);
	r->width = width;
	r->height = height;
}

void
remote_put(struct remote *r, const struct canvas *now, struct canvas *before)
{
	struct canvas none;
	uint32_t *px = NULL;

	fit_picture(r, now->width, now->height);
	if (before == NULL) {
		px = malloc((size_t)now->width * (size_t)now->height * 4);
		if (px == NULL) {
			put_all(r, now);
			show_changed(r);
			return;
		}
		before = &none;
		canvas_init(before, px, now->width, now->height, now->width);
		canvas_fill(before, 0, 0, now->width, now->height,
		    DELTA_UNKNOWN);
		r->nmoves = 0;
		lines_lost(r->w);
	}
	move_moved(r, now, before);
	lines_prepare(r->w, before);
	if (delta(before, now, &sink, r) == -1)
		put_all(r, now);
	lines_put(r->w);
	show_changed(r);
	free(px);
}
