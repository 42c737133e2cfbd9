/*
 * Frames, and how they get to the server.
 *
 * Two frames in shared memory are drawn and shown in turns; the server says
 * by an event when it has read one.  Whether shared memory really works is
 * not asked but tried: attach under an error trap, then put a pattern on the
 * server's side and read it back, since some forwarded connections claim the
 * extension and even attach a segment that is not ours.  Without it the same
 * frames go through XPutImage.  Only what has changed goes: bands of the
 * window, and without shared memory no more of them than from the first to
 * the last column that differs.  In shared memory the server copies faster
 * than we could look for those columns.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "ui/window_inside.h"

#define TILE_PX 32 /* height of the bands that are compared */

void
window_buffer_free(struct window *w, struct buffer *b)
{
	if (b->image == NULL)
		return;
	if (b->attached) {
		if (!window_io_lost)
			XShmDetach(w->display, &b->shm);
		shmdt(b->shm.shmaddr);
		b->image->data = NULL;
	}
	XDestroyImage(b->image);
	memset(b, 0, sizeof(*b));
}

static bool
buffer_shm(struct window *w, struct buffer *b, int32_t width, int32_t height)
{
	bool ok;

	b->image = XShmCreateImage(w->display, w->visual, (unsigned)w->depth,
	    ZPixmap, NULL, &b->shm, (unsigned)width, (unsigned)height);
	if (b->image == NULL)
		return (false);
	b->shm.shmid = shmget(IPC_PRIVATE,
	    (size_t)b->image->bytes_per_line * (size_t)height,
	    IPC_CREAT | 0600);
	if (b->shm.shmid == -1)
		goto fail;
	b->shm.shmaddr = shmat(b->shm.shmid, NULL, 0);
	if (b->shm.shmaddr == (void *)-1) {
		shmctl(b->shm.shmid, IPC_RMID, NULL);
		goto fail;
	}
	b->image->data = b->shm.shmaddr;
	b->shm.readOnly = False;
	window_trapped = false;
	XShmAttach(w->display, &b->shm);
	XSync(w->display, False);
	shmctl(b->shm.shmid, IPC_RMID, NULL);
	ok = !window_trapped && !window_io_lost;
	b->attached = true;
	if (ok)
		return (true);
	shmdt(b->shm.shmaddr);
	b->attached = false;
	b->image->data = NULL;
fail:
	XDestroyImage(b->image);
	memset(b, 0, sizeof(*b));
	return (false);
}

static bool
buffer_plain(struct window *w, struct buffer *b, int32_t width, int32_t height)
{
	b->image = XCreateImage(w->display, w->visual, (unsigned)w->depth,
	    ZPixmap, 0, NULL, (unsigned)width, (unsigned)height, 32, width * 4);
	if (b->image == NULL)
		return (false);
	b->image->data = calloc((size_t)width * (size_t)height, 4);
	if (b->image->data != NULL)
		return (true);
	XDestroyImage(b->image);
	b->image = NULL;
	return (false);
}

/* Puts a pattern into a pixmap through shared memory and reads it back. */
bool
window_shm_works(struct window *w)
{
	enum {
		N = 16
	};
	struct buffer b = { 0 };
	Pixmap pixmap;
	XImage *back;
	uint32_t pattern = 0x9e3779b9u;
	bool same = false;

	if (!XShmQueryExtension(w->display) || !buffer_shm(w, &b, N, 1))
		return (false);
	for (int i = 0; i < N; i++) {
		pattern = pattern * 1664525u + 1013904223u;
		((uint32_t *)(void *)b.image->data)[i] = pattern & 0xffffff;
	}
	pixmap = XCreatePixmap(w->display, w->id, N, 1, (unsigned)w->depth);
	window_trapped = false;
	XShmPutImage(w->display, pixmap, w->gc, b.image, 0, 0, 0, 0, N, 1,
	    False);
	back = XGetImage(w->display, pixmap, 0, 0, N, 1, AllPlanes, ZPixmap);
	if (back != NULL && !window_trapped) {
		same = true;
		for (int i = 0; i < N; i++)
			if ((XGetPixel(back, i, 0) & 0xffffff) !=
			    (XGetPixel(b.image, i, 0) & 0xffffff))
				same = false;
	}
	if (back != NULL)
		XDestroyImage(back);
	XFreePixmap(w->display, pixmap);
	window_buffer_free(w, &b);
	return (same);
}

bool
window_buffer_fit(struct window *w, struct buffer *b)
{
	if (b->image != NULL && b->image->width == w->width &&
	    b->image->height == w->height)
		return (true);
	window_buffer_free(w, b);
	if (w->shm && buffer_shm(w, b, w->width, w->height))
		return (true);
	w->shm = false; /* the segment limit, perhaps: go on without */
	return (buffer_plain(w, b, w->width, w->height));
}

void
window_buffer_done(struct window *w, const XShmCompletionEvent *e)
{
	for (int i = 0; i < 2; i++)
		if (w->buffer[i].attached &&
		    w->buffer[i].shm.shmseg == e->shmseg)
			w->buffer[i].busy = false;
}

static void
canvas_of(const struct buffer *b, struct canvas *c)
{
	canvas_init(c, (uint32_t *)(void *)b->image->data, b->image->width,
	    b->image->height, b->image->bytes_per_line / 4);
}

bool
window_begin(struct window *w, struct canvas *c)
{
	struct buffer *b = &w->buffer[w->draw];

	if (window_lost(w) || b->busy || !window_buffer_fit(w, b))
		return (false);
	canvas_of(b, c);
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

	canvas_of(now, &a);
	canvas_of(before, &b);
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

void
window_end(struct window *w, bool all)
{
	struct buffer *now = &w->buffer[w->draw];
	struct buffer *before = &w->buffer[1 - w->draw];

	if (window_lost(w))
		return;
	if (all || !w->shown || before->image == NULL ||
	    before->image->width != now->image->width ||
	    before->image->height != now->image->height)
		put(w, now, 0, 0, now->image->width, now->image->height, true);
	else
		put_changes(w, now, before);
	XFlush(w->display);
	w->shown = true;
	w->unsettled = true;
	w->draw = 1 - w->draw;
}

bool
window_settled(struct window *w)
{
	if (!w->unsettled)
		return (true);
	if (w->buffer[0].busy || w->buffer[1].busy)
		return (false);
	if (!w->shm && !window_lost(w))
		XSync(w->display, False);
	w->unsettled = false;
	return (true);
}

bool
window_last(struct window *w, struct canvas *c)
{
	const struct buffer *b = &w->buffer[1 - w->draw];

	if (!w->shown || b->image == NULL)
		return (false);
	canvas_of(b, c);
	return (true);
}
