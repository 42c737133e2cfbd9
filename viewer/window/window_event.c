/* What the server tells, as the events of window.h. */
#include <stdio.h>
#include <string.h>

#include <X11/keysym.h>

#include "window/window_inside.h"

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
		{ XK_F1, "F1" }, { XK_F2, "F2" }, { XK_F3, "F3" },
		{ XK_F4, "F4" }, { XK_F5, "F5" }, { XK_F6, "F6" },
		{ XK_F7, "F7" }, { XK_F8, "F8" }, { XK_F9, "F9" },
		{ XK_F10, "F10" }, { XK_F11, "F11" }, { XK_F12, "F12" },
		{ XK_space, "space" } };
	const char *alt = e->state & Mod1Mask ? "alt+" : "";
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
		snprintf(out->key, sizeof(out->key), "%s%s%s%s", alt,
		    e->state & ControlMask ? "ctrl+" : "",
		    e->state & ShiftMask && sym != XK_space ? "shift+" : "",
		    names[i].name);
		return (true);
	}
	if (sym > 0x20 && sym < 0x7f) {
		snprintf(out->key, sizeof(out->key), "%s%s%c", alt,
		    e->state & ControlMask ? "ctrl+" : "", (char)sym);
		if (e->state & (ControlMask | Mod1Mask))
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
	if (e->message_type != w->atom[ATOM_PROTOCOLS])
		return (false);
	if ((Atom)e->data.l[0] == w->atom[ATOM_DELETE]) {
		out->type = WINDOW_CLOSE;
		return (true);
	}
	if ((Atom)e->data.l[0] == w->atom[ATOM_PING]) {
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

/*
 * Parts that the window has lost: with the last of them all are shown, if it
 * has not got a whole frame since.  A server far away has a copy of them.
 */
static bool
expose_event(struct window *w, const XExposeEvent *e, struct window_event *out)
{
	if (e->serial < w->whole_serial)
		return (false);
	if (w->remote != NULL && w->shown)
		remote_show(w->remote, e->x, e->y, e->width, e->height);
	out->type = WINDOW_EXPOSE;
	return (e->count == 0);
}

/* Whether anybody can see it may have changed: was it hidden before? */
static bool
sight_event(struct window *w, bool was_hidden, struct window_event *out)
{
	out->type = WINDOW_SEEN;
	return (was_hidden && !window_hidden(w));
}

/*
 * What a hand does at keyboard and mouse.  Any client of the server may send
 * such an event, and type `export FILE` with it; what the server makes, for
 * XTEST too, is not marked as sent.
 */
static bool
is_by_hand(int type)
{
	return (type >= KeyPress && type <= LeaveNotify);
}

static bool
event_by_hand(struct window *w, XEvent *e, struct window_event *out)
{
	switch (e->type) {
	case KeyPress:
		w->time = e->xkey.time;
		out->type = WINDOW_KEY;
		out->t_ms = (int64_t)e->xkey.time;
		out->code = e->xkey.keycode;
		return (key_event(&e->xkey, out));
	case KeyRelease:
		out->type = WINDOW_KEY_UP;
		out->code = e->xkey.keycode;
		return (true);
	case ButtonPress:
		w->time = e->xbutton.time;
		return (button_event(&e->xbutton, true, out));
	case ButtonRelease:
		w->time = e->xbutton.time;
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
	}
	return (false);
}

/* What the server, or the window manager, tells of the window. */
static bool
event_of_window(struct window *w, XEvent *e, struct window_event *out)
{
	bool hidden = window_hidden(w);

	switch (e->type) {
	case SelectionRequest:
		window_asked(w, &e->xselectionrequest);
		return (false);
	case FocusOut: /* its end will be told to somebody else */
		out->type = WINDOW_KEY_UP;
		return (true);
	case Expose:
		return (expose_event(w, &e->xexpose, out));
	case UnmapNotify:
		w->unmapped = true;
		return (false);
	case MapNotify:
		w->unmapped = false;
		return (sight_event(w, hidden, out));
	case VisibilityNotify:
		w->visibility = e->xvisibility.state;
		return (sight_event(w, hidden, out));
	case PropertyNotify:
		if (e->xproperty.atom == w->atom[ATOM_FRAME])
			window_put_arrived(w);
		return (false);
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
translate(struct window *w, XEvent *e, struct window_event *out)
{
	memset(out, 0, sizeof(*out));
	if (w->shm_event != 0 && e->type == w->shm_event) {
		window_put_shm_done(w, (XShmCompletionEvent *)e);
		return (false);
	}
	if (!is_by_hand(e->type))
		return (event_of_window(w, e, out));
	return (!e->xany.send_event && event_by_hand(w, e, out));
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
	memset(out, 0, sizeof(*out));
	out->type = WINDOW_EXPOSE;
	return (!window_lost(w) && window_leave_remote(w));
}
