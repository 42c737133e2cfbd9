/*
 * send: what any client of the server may send to a window as if somebody had
 * pressed keys there, and the right button in its middle.
 *
 *	send WINDOW KEYSYM...
 */
#include <stdlib.h>

#include <X11/Xlib.h>

#define MIDDLE 400

int
main(int argc, char **argv)
{
	Display *d = XOpenDisplay(NULL);
	Window w;
	XEvent e = { 0 };

	if (d == NULL || argc < 3)
		return (2);
	w = (Window)strtoul(argv[1], NULL, 0);
	e.xkey = (XKeyEvent){ .display = d,
		.window = w,
		.root = DefaultRootWindow(d),
		.x = MIDDLE,
		.y = MIDDLE,
		.same_screen = True };
	for (int i = 2; i < argc; i++) {
		e.type = KeyPress;
		e.xkey.keycode = XKeysymToKeycode(d, XStringToKeysym(argv[i]));
		XSendEvent(d, w, True, KeyPressMask, &e);
		e.type = KeyRelease;
		XSendEvent(d, w, True, KeyReleaseMask, &e);
	}
	e.xbutton.type = ButtonPress;
	e.xbutton.button = 3;
	XSendEvent(d, w, True, ButtonPressMask, &e);
	XSync(d, False);
	return (XCloseDisplay(d));
}
