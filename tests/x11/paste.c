/* paste PRIMARY|CLIPBOARD: what another program offers, as UTF-8. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#define TRIES 500 /* of 10 ms */

int
main(int argc, char **argv)
{
	Display *d = XOpenDisplay(NULL);
	unsigned char *text = NULL;
	unsigned long n, left;
	Window w;
	Atom type, utf8, own;
	XEvent e;
	int format, tries = TRIES;

	if (argc != 2 || d == NULL)
		return (64);
	utf8 = XInternAtom(d, "UTF8_STRING", False);
	own = XInternAtom(d, "ORRERY_PASTE", False);
	w = XCreateSimpleWindow(d, DefaultRootWindow(d), 0, 0, 1, 1, 0, 0, 0);
	XConvertSelection(d, XInternAtom(d, argv[1], False), utf8, own, w,
	    CurrentTime);
	XFlush(d);
	while (XPending(d) == 0 && tries-- > 0)
		usleep(10000);
	if (tries <= 0)
		return (1);
	XNextEvent(d, &e);
	if (e.type != SelectionNotify || e.xselection.property == None)
		return (2); /* nobody offers anything */
	if (XGetWindowProperty(d, w, own, 0, 65536, True, AnyPropertyType,
		&type, &format, &n, &left, &text) != Success ||
	    format != 8)
		return (3);
	fwrite(text, 1, n, stdout);
	XFree(text);
	XCloseDisplay(d);
	return (0);
}
