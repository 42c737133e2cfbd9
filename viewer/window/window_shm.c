/*
 * Memory for frames, which the server has, too, where that is possible.
 *
 * Whether shared memory really works is not asked but tried: attach under an
 * error trap, then put a pattern on the server's side and read it back, since
 * some forwarded connections claim the extension and even attach a segment
 * that is not ours.  The first frame does without: making the memory takes
 * longer than sending it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "model/keep/large.h"
#include "window/window_inside.h"

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

/* All pages at once: faster than one by one when they are drawn. */
static void
populate(void *p, size_t n)
{
	const uintptr_t page = 4096;
	uintptr_t from = ((uintptr_t)p + page - 1) & ~(page - 1);
	uintptr_t to = ((uintptr_t)p + n) & ~(page - 1);

	if (from < to)
		madvise((void *)from, to - from, MADV_POPULATE_WRITE);
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
	/* Linux lets the server in all the same, and it goes when we are killed */
	shmctl(b->shm.shmid, IPC_RMID, NULL);
	if (b->shm.shmaddr == (void *)-1)
		goto fail;
	b->image->data = b->shm.shmaddr;
	populate(b->shm.shmaddr,
	    (size_t)b->image->bytes_per_line * (size_t)height);
	b->shm.readOnly = False;
	window_trapped = false;
	XShmAttach(w->display, &b->shm);
	XSync(w->display, False);
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
	b->image->data = large_alloc((size_t)width * (size_t)height * 4);
	if (b->image->data != NULL) {
		populate(b->image->data, (size_t)width * (size_t)height * 4);
		return (true);
	}
	XDestroyImage(b->image);
	b->image = NULL;
	return (false);
}

/* Puts a pattern into a pixmap through shared memory and reads it back. */
static bool
shm_works(struct window *w)
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
	w->shm_event = XShmGetEventBase(w->display) + ShmCompletion;
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
	/* the very first one is plain, to be quick; it does not stay so */
	bool good = b->attached || w->path != WINDOW_SHM || !w->any;

	if (b->image != NULL && good && b->image->width == w->width &&
	    b->image->height == w->height)
		return (true);
	window_buffer_free(w, b);
	if (w->path == WINDOW_SHM && !w->any)
		return (buffer_plain(w, b, w->width, w->height));
	if (w->path == WINDOW_SHM && !w->shm_tried && !shm_works(w))
		w->path = WINDOW_PLAIN;
	w->shm_tried = true;
	if (w->path == WINDOW_SHM && buffer_shm(w, b, w->width, w->height))
		return (true);
	if (w->path == WINDOW_SHM) /* a limit, perhaps: go on without */
		w->path = WINDOW_PLAIN;
	return (buffer_plain(w, b, w->width, w->height));
}

void
window_buffer_canvas(const struct buffer *b, struct canvas *c)
{
	canvas_init(c, (uint32_t *)(void *)b->image->data, b->image->width,
	    b->image->height, b->image->bytes_per_line / 4);
}
