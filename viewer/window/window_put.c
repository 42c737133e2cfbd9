/*
 * Frames, and how they get to the server.
 *
 * Two frames are drawn and shown in turns.  In shared memory the server says
 * by an event when it has read one.  Otherwise a property of our own window is
 * changed after each frame: the server tells of that when it has come so far,
 * so nobody waits for an answer, and no more than a few frames are on their
 * way.
 *
 * Only what has changed goes: bands of the window, and without shared memory
 * no more of them than from the first to the last column that differs; of a
 * whole frame, of rows that are the same, one.  In shared memory the server
 * copies faster than we could look for those columns.
 * Through a network (window_remote.c) it is looked at pixel by pixel.
 */
#include <string.h>

#include <X11/Xatom.h>

#include "window/window_inside.h"

#define TILE_PX     32 /* height of the bands that are compared */
#define ON_WAY_MOST 3  /* 60 frames a second at 50 ms there and back */

#define SAME_ROWS_LEAST 4 /* worth a tile */

void
window_put_shm_done(struct window *w, const XShmCompletionEvent *e)
{
	for (int i = 0; i < 2; i++)
		if (w->buffer[i].attached &&
		    w->buffer[i].shm.shmseg == e->shmseg)
			w->buffer[i].busy = false;
}

void
window_put_arrived(struct window *w)
{
	if (w->on_way > 0)
		w->on_way--;
}

/* The server will tell of it when it has drawn all that was sent before. */
static void
ask_arrival(struct window *w)
{
	XChangeProperty(w->display, w->id, w->atom[ATOM_FRAME], XA_CARDINAL, 8,
	    PropModeReplace, (const unsigned char *)"", 0);
	w->on_way++;
}

/* Before shared memory is made, the first frame is to be on the screen. */
static bool
first_on_way(const struct window *w)
{
	return (w->path == WINDOW_SHM && !w->shm_tried && w->on_way > 0);
}

bool
window_ready(const struct window *w)
{
	return (!w->buffer[w->draw].busy && w->on_way < ON_WAY_MOST &&
		!first_on_way(w));
}

bool
window_leave_remote(struct window *w)
{
	if (w->remote == NULL || !window_no_room)
		return (false);
	lines_clear(w);
	remote_free(w->remote);
	w->remote = NULL;
	w->path = WINDOW_PLAIN;
	w->shown = false;
	return (true);
}

bool
window_begin(struct window *w, struct canvas *c)
{
	struct buffer *b = &w->buffer[w->draw];

	if (window_lost(w) || !window_ready(w) || !window_buffer_fit(w, b))
		return (false);
	window_buffer_canvas(b, c);
	return (true);
}

static void
put(struct window *w, struct buffer *b, int32_t x, int32_t y, int32_t width,
    int32_t height, bool last)
{
	if (b->attached) {
		XShmPutImage(w->display, w->id, w->gc, b->image, x, y, x, y,
		    (unsigned)width, (unsigned)height, last);
		b->busy |= last;
	} else {
		XPutImage(w->display, w->id, w->gc, b->image, x, y, x, y,
		    (unsigned)width, (unsigned)height);
	}
}

/* How many rows from y on, at the least one, are the same. */
static int32_t
rows_same(const struct canvas *c, int32_t y)
{
	const uint32_t *row = c->px + (size_t)y * (size_t)c->stride;
	int32_t end = y + 1;

	while (end < c->height &&
	       memcmp(row, c->px + (size_t)end * (size_t)c->stride,
		   (size_t)c->width * sizeof(*row)) == 0)
		end++;
	return (end - y);
}

/*
 * A whole frame without shared memory.  Many rows, of the first frame nearly
 * all, are as the one above: those are filled with one, as a tile.
 */
static void
put_rows(struct window *w, struct buffer *b)
{
	struct canvas c;
	Pixmap tile;
	int32_t y = 0, put_to = 0, n;
	unsigned width;

	window_buffer_canvas(b, &c);
	width = (unsigned)c.width;
	tile = XCreatePixmap(w->display, w->id, width, 1, (unsigned)w->depth);
	XSetTile(w->display, w->gc, tile);
	for (; y < c.height; y += n) {
		n = rows_same(&c, y);
		if (n < SAME_ROWS_LEAST)
			continue;
		if (put_to < y)
			put(w, b, 0, put_to, c.width, y - put_to, false);
		put_to = y + n;
		XPutImage(w->display, tile, w->gc, b->image, 0, y, 0, 0, width,
		    1);
		XSetFillStyle(w->display, w->gc, FillTiled);
		XFillRectangle(w->display, w->id, w->gc, 0, y, width,
		    (unsigned)n);
		XSetFillStyle(w->display, w->gc, FillSolid);
	}
	if (put_to < y)
		put(w, b, 0, put_to, c.width, y - put_to, false);
	XFreePixmap(w->display, tile);
}

/* The part of a band in which two frames differ; false: there is none. */
static bool
band_differs(const struct canvas *a, const struct canvas *b, int32_t y0,
    int32_t y1, bool columns, int32_t *x0, int32_t *x1)
{
	*x0 = a->width;
	*x1 = 0;
	for (int32_t y = y0; y < y1; y++) {
		const uint32_t *p = a->px + (size_t)y * (size_t)a->stride;
		const uint32_t *q = b->px + (size_t)y * (size_t)b->stride;
		int32_t from = 0, to = a->width;

		if (memcmp(p, q, (size_t)a->width * 4) == 0)
			continue;
		if (!columns) {
			*x0 = 0;
			*x1 = a->width;
			return (true);
		}
		while (from < *x0 && p[from] == q[from])
			from++;
		while (to > *x1 && p[to - 1] == q[to - 1])
			to--;
		*x0 = from < *x0 ? from : *x0;
		*x1 = to > *x1 ? to : *x1;
	}
	return (*x0 < *x1);
}

/* Bands that differ, neighbours as one; the last tells of its completion. */
static void
put_changes(struct window *w, struct buffer *now, struct buffer *before)
{
	struct canvas a, b;
	int32_t x0, x1, held_y = -1, held_h = 0, held_x0 = 0, held_x1 = 0;

	window_buffer_canvas(now, &a);
	window_buffer_canvas(before, &b);
	for (int32_t y = 0; y < a.height; y += TILE_PX) {
		int32_t end = y + TILE_PX < a.height ? y + TILE_PX : a.height;

		if (!band_differs(&a, &b, y, end, !now->attached, &x0, &x1))
			continue;
		if (held_y >= 0 && held_y + held_h == y && held_x0 == x0 &&
		    held_x1 == x1) {
			held_h += end - y;
			continue;
		}
		if (held_y >= 0)
			put(w, now, held_x0, held_y, held_x1 - held_x0, held_h,
			    false);
		held_y = y;
		held_h = end - y;
		held_x0 = x0;
		held_x1 = x1;
	}
	if (held_y >= 0)
		put(w, now, held_x0, held_y, held_x1 - held_x0, held_h, true);
}

static bool
same_size(const struct buffer *a, const struct buffer *b)
{
	return (b->image != NULL && a->image->width == b->image->width &&
		a->image->height == b->image->height);
}

void
window_moved(struct window *w, const struct rect *r, int32_t dx, int32_t dy)
{
	if (w->remote != NULL)
		remote_moved(w->remote, r->x0, r->y0, r->x1, r->y1, dx, dy);
}

static void
send(struct window *w, bool all)
{
	struct buffer *now = &w->buffer[w->draw];
	struct buffer *before = &w->buffer[1 - w->draw];
	bool known = w->shown && same_size(now, before);
	struct canvas a, b;

	if (!known)
		w->whole_serial = NextRequest(w->display);
	if (w->path == WINDOW_REMOTE) {
		window_buffer_canvas(now, &a);
		if (known)
			window_buffer_canvas(before, &b);
		remote_put(w->remote, &a, known ? &b : NULL);
	} else if (all || !known) {
		if (now->attached)
			put(w, now, 0, 0, now->image->width, now->image->height,
			    true);
		else
			put_rows(w, now);
	} else {
		put_changes(w, now, before);
	}
	if (!now->attached)
		ask_arrival(w);
	XFlush(w->display);
}

void
window_end(struct window *w, bool all)
{
	if (window_lost(w))
		return;
	if (setjmp(window_jump) == 0) {
		window_jump_set = true;
		send(w, all);
	}
	window_jump_set = false;
	w->shown = w->any = true;
	w->draw = 1 - w->draw;
}

unsigned
window_on_way(const struct window *w)
{
	if (window_lost(w))
		return (0);
	return (w->on_way + w->buffer[0].busy + w->buffer[1].busy);
}

bool
window_last(struct window *w, struct canvas *c)
{
	const struct buffer *b = &w->buffer[1 - w->draw];

	if (!w->shown || b->image == NULL)
		return (false);
	window_buffer_canvas(b, c);
	return (true);
}
