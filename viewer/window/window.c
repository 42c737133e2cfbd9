/*
 * The window on X11: opening and closing.
 *
 * When the server dies, Xlib would end the program: both of its handlers are
 * set, and window_lost() becomes true.  In the middle of a frame its buffer may
 * be full then, which it does not survive: the frame is left by a jump
 * (window_put.c), and from then on Xlib is not called any more.
 */
#include "window/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xproto.h>

#include "window/window_inside.h"

bool window_io_lost;
bool window_trapped;
bool window_no_room;
bool window_jump_set;
jmp_buf window_jump;

static int
on_error(Display *d, XErrorEvent *e)
{
	(void)d;
	window_trapped = true;
	window_no_room |=
	    e->error_code == BadAlloc && e->request_code == X_CreatePixmap;
	return (0);
}

static int
on_io_error(Display *d)
{
	(void)d;
	window_io_lost = true;
	return (0);
}

static void
on_io_exit(Display *d, void *arg)
{
	(void)d;
	(void)arg;
	window_io_lost = true;
	if (window_jump_set)
		longjmp(window_jump, 1);
}

bool
window_lost(const struct window *w)
{
	return (w->lost || window_io_lost);
}

/* All in one round trip. */
static void
intern(struct window *w)
{
	static const char *const names[ATOMS] = {
		[ATOM_PROTOCOLS] = "WM_PROTOCOLS",
		[ATOM_DELETE] = "WM_DELETE_WINDOW",
		[ATOM_PING] = "_NET_WM_PING",
		[ATOM_NAME] = "_NET_WM_NAME",
		[ATOM_PID] = "_NET_WM_PID",
		[ATOM_UTF8] = "UTF8_STRING",
		[ATOM_TEXT] = "TEXT",
		[ATOM_TARGETS] = "TARGETS",
		[ATOM_CLIPBOARD] = "CLIPBOARD",
		[ATOM_TIMESTAMP] = "TIMESTAMP",
		[ATOM_STATE] = "_NET_WM_STATE",
		[ATOM_FULLSCREEN] = "_NET_WM_STATE_FULLSCREEN",
		[ATOM_FRAME] = "_ORRERY_FRAME",
	};

	XInternAtoms(w->display, (char **)names, ATOMS, False, w->atom);
}

static void
set_title(struct window *w, const char *title)
{
	XStoreName(w->display, w->id, title);
	XChangeProperty(w->display, w->id, w->atom[ATOM_NAME],
	    w->atom[ATOM_UTF8], 8, PropModeReplace,
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

	XSetWMProtocols(w->display, w->id,
	    (Atom[]){ w->atom[ATOM_DELETE], w->atom[ATOM_PING] }, 2);
	XSetWMNormalHints(w->display, w->id, &size);
	XSetWMHints(w->display, w->id, &hints);
	XSetClassHint(w->display, w->id, &class_hint);
	XChangeProperty(w->display, w->id, w->atom[ATOM_PID], XA_CARDINAL, 32,
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

/* Through a socket of this machine? */
static bool
is_local(const struct window *w)
{
	struct sockaddr_storage a = { 0 };
	socklen_t n = sizeof(a);

	return (
	    getpeername(ConnectionNumber(w->display), (void *)&a, &n) == 0 &&
	    a.ss_family == AF_UNIX);
}

static void
make_window(struct window *w, const char *title)
{
	XSetWindowAttributes attr = {
		.event_mask = KeyPressMask | KeyReleaseMask | FocusChangeMask |
			      ButtonPressMask | ButtonReleaseMask |
			      PointerMotionMask | LeaveWindowMask |
			      ExposureMask | StructureNotifyMask |
			      VisibilityChangeMask | PropertyChangeMask,
		.bit_gravity = NorthWestGravity
	};
	Window root = DefaultRootWindow(w->display);

	attr.colormap = XCreateColormap(w->display, root, w->visual, AllocNone);
	attr.border_pixel = 0;
	attr.background_pixmap = None; /* no flash when it grows */
	w->id = XCreateWindow(w->display, root, 0, 0, (unsigned)w->width,
	    (unsigned)w->height, 0, w->depth, InputOutput, w->visual,
	    CWEventMask | CWBitGravity | CWColormap | CWBorderPixel |
		CWBackPixmap,
	    &attr);
	w->gc = XCreateGC(w->display, w->id, 0, NULL);
	XSetGraphicsExposures(w->display, w->gc, False);
	intern(w);
	set_title(w, title);
	set_hints(w);
}

/* Opens the display and looks whether it is one for us. */
static bool
open_display(struct window *w, const char *display, char *why, size_t why_bytes)
{
	w->display = XOpenDisplay(display);
	if (w->display == NULL) {
		snprintf(why, why_bytes,
		    "cannot open display \"%s\"; set "
		    "DISPLAY, or use --snapshot for a picture without one",
		    XDisplayName(display));
		return (false);
	}
	XSetErrorHandler(on_error);
	XSetIOErrorHandler(on_io_error);
	XSetIOErrorExitHandler(w->display, on_io_exit, NULL);
	if (pick_visual(w))
		return (true);
	snprintf(why, why_bytes, "the display has no 24-bit visual");
	XCloseDisplay(w->display);
	return (false);
}

struct window *
window_open(const char *display, int32_t width, int32_t height,
    const char *title, enum window_path path, char *why, size_t why_bytes)
{
	struct window *w = calloc(1, sizeof(*w));

	snprintf(why, why_bytes, "out of memory");
	if (w == NULL)
		return (NULL);
	if (!open_display(w, display, why, why_bytes)) {
		free(w);
		return (NULL);
	}
	w->width = width;
	w->height = height;
	w->path = is_local(w) ? path : WINDOW_REMOTE;
	make_window(w, title);
	if (w->path == WINDOW_REMOTE && (w->remote = remote_new(w)) == NULL)
		w->path = WINDOW_PLAIN;
	/* else each repetition comes with an end of its own */
	XkbSetDetectableAutoRepeat(w->display, True, NULL);
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
		window_buffer_free(w, &w->buffer[i]);
	lines_clear(w);
	remote_free(w->remote);
	window_offer_clear(w);
	if (!window_io_lost) {
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

enum window_path
window_path(const struct window *w)
{
	return (w->path);
}

void
window_full_screen(struct window *w, bool on)
{
	XEvent e = { .xclient = { .type = ClientMessage,
			 .window = w->id,
			 .message_type = w->atom[ATOM_STATE],
			 .format = 32 } };

	if (window_lost(w))
		return;
	e.xclient.data.l[0] = on;
	e.xclient.data.l[1] = (long)w->atom[ATOM_FULLSCREEN];
	e.xclient.data.l[3] = 1; /* a program asks, not a pager */
	XSendEvent(w->display, DefaultRootWindow(w->display), False,
	    SubstructureRedirectMask | SubstructureNotifyMask, &e);
	XFlush(w->display);
}

bool
window_hidden(const struct window *w)
{
	return (w->unmapped || w->visibility == VisibilityFullyObscured);
}
