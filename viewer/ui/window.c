/*
 * The window on X11.
 *
 * Two frames in shared memory are drawn and shown in turns; the server says
 * by an event when it has read one.  Whether shared memory really works is
 * not asked but tried: attach under an error trap, then put a pattern on the
 * screen's side and read it back, since some forwarded connections claim the
 * extension and even attach a segment that is not ours.  Without it the same
 * frames go through XPutImage, and only rectangles that have changed go.
 *
 * When the server dies, Xlib would end the program: both of its handlers are
 * set, window_lost() becomes true and what is called after that does nothing.
 */
#include "ui/window.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <X11/keysym.h>

#define TILE_PX 32 /* height of the bands that are compared */

struct buffer {
	XImage *image;
	XShmSegmentInfo shm;
	bool attached;
	bool busy; /* the server is reading it */
};

struct window {
	Display *display;
	Window id;
	GC gc;
	Visual *visual;
	int depth;
	int32_t width, height;
	struct buffer buffer[2];
	int draw;   /* the one to draw next */
	bool shown; /* the other one holds the last frame */
	bool shm;
	int shm_event;
	bool unsettled; /* put, not yet known to be on the screen */
	Atom wm_protocols, wm_delete, net_ping;
	bool lost;
};

/* Xlib's handlers have no argument: one display a process. */
static bool io_lost;
static bool trapped;

static int
on_error(Display *d, XErrorEvent *e)
{
	(void)d;
	(void)e;
	trapped = true;
	return (0);
}

static int
on_io_error(Display *d)
{
	(void)d;
	io_lost = true;
	return (0);
}

static void
on_io_exit(Display *d, void *arg)
{
	(void)d;
	(void)arg;
	io_lost = true;
}

bool
window_lost(const struct window *w)
{
	return (w->lost || io_lost);
}

/* shared memory */

static void
buffer_free(struct window *w, struct buffer *b)
{
	if (b->image == NULL)
		return;
	if (b->attached) {
		if (!io_lost)
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
	trapped = false;
	XShmAttach(w->display, &b->shm);
	XSync(w->display, False);
	shmctl(b->shm.shmid, IPC_RMID, NULL);
	ok = !trapped && !io_lost;
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
	char *data = calloc((size_t)width * (size_t)height, 4);

	if (data == NULL)
		return (false);
	b->image = XCreateImage(w->display, w->visual, (unsigned)w->depth,
	    ZPixmap, 0, data, (unsigned)width, (unsigned)height, 32, width * 4);
	if (b->image == NULL)
		free(data);
	return (b->image != NULL);
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
	for (int i = 0; i < N; i++) {
		pattern = pattern * 1664525u + 1013904223u;
		((uint32_t *)(void *)b.image->data)[i] = pattern & 0xffffff;
	}
	pixmap = XCreatePixmap(w->display, w->id, N, 1, (unsigned)w->depth);
	trapped = false;
	XShmPutImage(w->display, pixmap, w->gc, b.image, 0, 0, 0, 0, N, 1,
	    False);
	back = XGetImage(w->display, pixmap, 0, 0, N, 1, AllPlanes, ZPixmap);
	if (back != NULL && !trapped) {
		same = true;
		for (int i = 0; i < N; i++)
			if ((XGetPixel(back, i, 0) & 0xffffff) !=
			    (XGetPixel(b.image, i, 0) & 0xffffff))
				same = false;
	}
	if (back != NULL)
		XDestroyImage(back);
	XFreePixmap(w->display, pixmap);
	buffer_free(w, &b);
	return (same);
}

static bool
buffer_fit(struct window *w, struct buffer *b)
{
	if (b->image != NULL && b->image->width == w->width &&
	    b->image->height == w->height)
		return (true);
	buffer_free(w, b);
	if (w->shm && buffer_shm(w, b, w->width, w->height))
		return (true);
	w->shm = false; /* the segment limit, perhaps: go on without */
	return (buffer_plain(w, b, w->width, w->height));
}

/* opening */

static void
set_title(struct window *w, const char *title)
{
	Atom name = XInternAtom(w->display, "_NET_WM_NAME", False);
	Atom utf8 = XInternAtom(w->display, "UTF8_STRING", False);

	XStoreName(w->display, w->id, title);
	XChangeProperty(w->display, w->id, name, utf8, 8, PropModeReplace,
	    (const unsigned char *)title, (int)strlen(title));
}

static void
set_hints(struct window *w)
{
	XSizeHints size = { .flags = PMinSize,
		.min_width = 480,
		.min_height = 320 };
	XWMHints hints = { .flags = InputHint | StateHint,
		.input = True,
		.initial_state = NormalState };
	char name[] = "viewer", class[] = "Orrery", host[256];
	XClassHint class_hint = { name, class };
	XTextProperty machine;
	char *hosts[1] = { host };
	long pid = getpid();

	w->wm_protocols = XInternAtom(w->display, "WM_PROTOCOLS", False);
	w->wm_delete = XInternAtom(w->display, "WM_DELETE_WINDOW", False);
	w->net_ping = XInternAtom(w->display, "_NET_WM_PING", False);
	XSetWMProtocols(w->display, w->id,
	    (Atom[]){ w->wm_delete, w->net_ping }, 2);
	XSetWMNormalHints(w->display, w->id, &size);
	XSetWMHints(w->display, w->id, &hints);
	XSetClassHint(w->display, w->id, &class_hint);
	XChangeProperty(w->display, w->id,
	    XInternAtom(w->display, "_NET_WM_PID", False), XA_CARDINAL, 32,
	    PropModeReplace, (const unsigned char *)&pid, 1);
	if (gethostname(host, sizeof(host)) == 0 &&
	    XStringListToTextProperty(hosts, 1, &machine) != 0) {
		XSetWMClientMachine(w->display, w->id, &machine);
		XFree(machine.value);
	}
}

/* 8 bits a colour, 4 bytes a pixel: what the frames are made of. */
static bool
pick_visual(struct window *w)
{
	XVisualInfo want = { .class = TrueColor,
		.screen = DefaultScreen(w->display),
		.depth = 24 },
		    *found;
	int n = 0;
	bool ok = false;

	found = XGetVisualInfo(w->display,
	    VisualClassMask | VisualScreenMask | VisualDepthMask, &want, &n);
	for (int i = 0; i < n && !ok; i++) {
		if (found[i].red_mask != 0xff0000 ||
		    found[i].green_mask != 0xff00 || found[i].blue_mask != 0xff)
			continue;
		w->visual = found[i].visual;
		w->depth = found[i].depth;
		ok = true;
	}
	if (found != NULL)
		XFree(found);
	return (
	    ok && ImageByteOrder(w->display) ==
		      (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? LSBFirst
								 : MSBFirst));
}

struct window *
window_open(const char *display, int32_t width, int32_t height,
    const char *title, bool shm, char *why, size_t why_bytes)
{
	struct window *w = calloc(1, sizeof(*w));
	XSetWindowAttributes attr = { .event_mask =
					  KeyPressMask | ButtonPressMask |
					  ButtonReleaseMask |
					  PointerMotionMask | LeaveWindowMask |
					  ExposureMask | StructureNotifyMask,
		.bit_gravity = NorthWestGravity };
	Window root;

	snprintf(why, why_bytes, "out of memory");
	if (w == NULL)
		return (NULL);
	w->display = XOpenDisplay(display);
	if (w->display == NULL) {
		snprintf(why, why_bytes,
		    "cannot open display \"%s\"; set "
		    "DISPLAY, or use --snapshot for a picture without one",
		    XDisplayName(display));
		free(w);
		return (NULL);
	}
	XSetErrorHandler(on_error);
	XSetIOErrorHandler(on_io_error);
	XSetIOErrorExitHandler(w->display, on_io_exit, NULL);
	if (!pick_visual(w)) {
		snprintf(why, why_bytes, "the display has no 24-bit visual");
		XCloseDisplay(w->display);
		free(w);
		return (NULL);
	}
	root = DefaultRootWindow(w->display);
	attr.colormap = XCreateColormap(w->display, root, w->visual, AllocNone);
	attr.border_pixel = 0;
	attr.background_pixmap = None; /* no flash when it grows */
	w->width = width;
	w->height = height;
	w->id = XCreateWindow(w->display, root, 0, 0, (unsigned)width,
	    (unsigned)height, 0, w->depth, InputOutput, w->visual,
	    CWEventMask | CWBitGravity | CWColormap | CWBorderPixel |
		CWBackPixmap,
	    &attr);
	w->gc = XCreateGC(w->display, w->id, 0, NULL);
	XSetGraphicsExposures(w->display, w->gc, False);
	set_title(w, title);
	set_hints(w);
	XkbSetDetectableAutoRepeat(w->display, True, NULL);
	w->shm = shm && shm_works(w);
	w->shm_event = XShmGetEventBase(w->display) + ShmCompletion;
	XMapWindow(w->display, w->id);
	XFlush(w->display);
	return (w);
}

void
window_close(struct window *w)
{
	if (w == NULL)
		return;
	for (int i = 0; i < 2; i++)
		buffer_free(w, &w->buffer[i]);
	if (!io_lost) {
		XFreeGC(w->display, w->gc);
		XDestroyWindow(w->display, w->id);
		XCloseDisplay(w->display);
	}
	free(w);
}

int
window_fd(const struct window *w)
{
	return (ConnectionNumber(w->display));
}

bool
window_uses_shm(const struct window *w)
{
	return (w->shm);
}

unsigned long
window_id(const struct window *w)
{
	return (w->id);
}

/* events */

static unsigned
mods_of(unsigned state)
{
	return ((state & ShiftMask ? 1u : 0) | (state & ControlMask ? 2u : 0));
}

/* "w", "ctrl+q", "Left", "shift+Tab": the names of keys.c. */
static bool
key_event(XKeyEvent *e, struct window_event *out)
{
	static const struct {
		KeySym sym;
		const char *name;
	} names[] = { { XK_Left, "Left" }, { XK_Right, "Right" },
		{ XK_Up, "Up" }, { XK_Down, "Down" }, { XK_Page_Up, "Page_Up" },
		{ XK_Page_Down, "Page_Down" }, { XK_Home, "Home" },
		{ XK_End, "End" }, { XK_Tab, "Tab" },
		{ XK_ISO_Left_Tab, "Tab" }, { XK_Return, "Return" },
		{ XK_KP_Enter, "Return" }, { XK_Escape, "Escape" },
		{ XK_BackSpace, "BackSpace" }, { XK_Delete, "Delete" },
		{ XK_F1, "F1" }, { XK_space, "space" } };
	KeySym sym = NoSymbol;
	int n;

	n = XLookupString(e, out->text, (int)sizeof(out->text) - 1, &sym, NULL);
	out->text[n > 0 ? n : 0] = '\0';
	if (n == 1 &&
	    ((unsigned char)out->text[0] < ' ' || out->text[0] == 127))
		out->text[0] = '\0';
	if (n == 1 && (unsigned char)out->text[0] >= 0xa0) { /* to UTF-8 */
		unsigned char c = (unsigned char)out->text[0];

		out->text[0] = (char)(0xc0 | c >> 6);
		out->text[1] = (char)(0x80 | (c & 0x3f));
		out->text[2] = '\0';
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].sym != sym)
			continue;
		snprintf(out->key, sizeof(out->key), "%s%s%s",
		    e->state & ControlMask ? "ctrl+" : "",
		    e->state & ShiftMask && sym != XK_space ? "shift+" : "",
		    names[i].name);
		return (true);
	}
	if (sym > 0x20 && sym < 0x7f) {
		snprintf(out->key, sizeof(out->key), "%s%c",
		    e->state & ControlMask ? "ctrl+" : "", (char)sym);
		if (e->state & ControlMask)
			out->text[0] = '\0';
		return (true);
	}
	out->key[0] = '\0';
	return (out->text[0] != '\0');
}

static bool
button_event(const XButtonEvent *e, bool down, struct window_event *out)
{
	out->x = e->x;
	out->y = e->y;
	out->mods = mods_of(e->state);
	out->t_ms = (int64_t)e->time;
	if (e->button >= 4 && e->button <= 7) {
		if (!down)
			return (false);
		out->type = WINDOW_WHEEL;
		out->dy = e->button == 4 || e->button == 6 ? -1 : 1;
		if (e->button >= 6)
			out->mods |= 1; /* sideways: time */
		return (true);
	}
	if (e->button > 3)
		return (false);
	out->type = down ? WINDOW_DOWN : WINDOW_UP;
	out->button = (int)e->button;
	return (true);
}

static bool
message_event(struct window *w, XClientMessageEvent *e,
    struct window_event *out)
{
	if (e->message_type != w->wm_protocols)
		return (false);
	if ((Atom)e->data.l[0] == w->wm_delete) {
		out->type = WINDOW_CLOSE;
		return (true);
	}
	if ((Atom)e->data.l[0] == w->net_ping) {
		XEvent back = { .xclient = *e };

		back.xclient.window = DefaultRootWindow(w->display);
		XSendEvent(w->display, back.xclient.window, False,
		    SubstructureRedirectMask | SubstructureNotifyMask, &back);
	}
	return (false);
}

static bool
configure_event(struct window *w, const XConfigureEvent *e,
    struct window_event *out)
{
	if (e->width == w->width && e->height == w->height)
		return (false);
	w->width = e->width > 0 ? e->width : 1;
	w->height = e->height > 0 ? e->height : 1;
	w->shown = false;
	out->type = WINDOW_RESIZE;
	out->x = w->width;
	out->y = w->height;
	return (true);
}

static void
completed(struct window *w, const XShmCompletionEvent *e)
{
	for (int i = 0; i < 2; i++)
		if (w->buffer[i].attached &&
		    w->buffer[i].shm.shmseg == e->shmseg)
			w->buffer[i].busy = false;
}

static bool
translate(struct window *w, XEvent *e, struct window_event *out)
{
	memset(out, 0, sizeof(*out));
	if (e->type == w->shm_event && w->shm) {
		completed(w, (XShmCompletionEvent *)e);
		return (false);
	}
	switch (e->type) {
	case KeyPress:
		out->type = WINDOW_KEY;
		out->t_ms = (int64_t)e->xkey.time;
		return (key_event(&e->xkey, out));
	case ButtonPress:
		return (button_event(&e->xbutton, true, out));
	case ButtonRelease:
		return (button_event(&e->xbutton, false, out));
	case MotionNotify:
		out->type = WINDOW_MOVE;
		out->x = e->xmotion.x;
		out->y = e->xmotion.y;
		return (true);
	case LeaveNotify:
		out->type = WINDOW_LEAVE;
		/* a grab by a held button is no leaving */
		return (e->xcrossing.mode == NotifyNormal &&
			(e->xcrossing.state &
			    (Button1Mask | Button2Mask | Button3Mask)) == 0);
	case Expose:
		out->type = WINDOW_EXPOSE;
		return (e->xexpose.count == 0);
	case ConfigureNotify:
		return (configure_event(w, &e->xconfigure, out));
	case ClientMessage:
		return (message_event(w, &e->xclient, out));
	case MappingNotify:
		XRefreshKeyboardMapping(&e->xmapping);
		return (false);
	}
	return (false);
}

static bool
next_is_motion(struct window *w)
{
	XEvent e;

	if (XEventsQueued(w->display, QueuedAlready) == 0)
		return (false);
	XPeekEvent(w->display, &e);
	return (e.type == MotionNotify);
}

bool
window_next(struct window *w, struct window_event *out)
{
	XEvent e;

	while (!window_lost(w) && XPending(w->display) > 0 && !window_lost(w)) {
		XNextEvent(w->display, &e);
		while (e.type == MotionNotify && next_is_motion(w))
			XNextEvent(w->display, &e); /* the last of a row */
		if (translate(w, &e, out))
			return (true);
	}
	return (false);
}

/* frames */

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

	if (window_lost(w) || b->busy || !buffer_fit(w, b))
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

/* First and last column in which two bands differ; false: they do not. */
static bool
band_differs(const struct canvas *a, const struct canvas *b, int32_t y0,
    int32_t y1, int32_t *x0, int32_t *x1)
{
	*x0 = a->width;
	*x1 = 0;
	for (int32_t y = y0; y < y1; y++) {
		const uint32_t *p = a->px + (size_t)y * (size_t)a->stride;
		const uint32_t *q = b->px + (size_t)y * (size_t)b->stride;
		int32_t from = 0, to = a->width;

		if (memcmp(p, q, (size_t)a->width * 4) == 0)
			continue;
		while (from < *x0 && p[from] == q[from])
			from++;
		while (to > *x1 && p[to - 1] == q[to - 1])
			to--;
		*x0 = from < *x0 ? from : *x0;
		*x1 = to > *x1 ? to : *x1;
	}
	return (*x0 < *x1);
}

/* Bands that differ, one rectangle each; the last tells of its completion. */
static void
put_changes(struct window *w, struct buffer *now, struct buffer *before)
{
	struct canvas a, b;
	int32_t x0, x1, held_y = -1, held_h = 0, held_x0 = 0, held_x1 = 0;

	canvas_of(now, &a);
	canvas_of(before, &b);
	for (int32_t y = 0; y < a.height; y += TILE_PX) {
		int32_t end = y + TILE_PX < a.height ? y + TILE_PX : a.height;

		if (!band_differs(&a, &b, y, end, &x0, &x1))
			continue;
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
