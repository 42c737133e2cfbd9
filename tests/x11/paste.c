/*
 * paste PRIMARY|CLIPBOARD [TARGET]: what another program offers, as UTF-8 or as
 * TARGET ("image/png", ...); of TARGETS the names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#define TRIES 500 /* of 10 ms */

static Display *d;
static Window w;
static Atom own;

/* The next event of this type; 0: it does not come. */
static int
next(int type, XEvent *e)
{
	int tries = TRIES;

	while (!XCheckTypedEvent(d, type, e)) {
		if (tries-- <= 0)
			return (0);
		usleep(10000);
		XFlush(d);
	}
	return (1);
}

/* Takes the property, -1: it cannot. */
static int
take(void)
{
	Atom type;
	unsigned char *p = NULL;
	unsigned long n, left;
	int format;

	if (XGetWindowProperty(d, w, own, 0, 1 << 24, True, AnyPropertyType,
		&type, &format, &n, &left, &p) != Success)
		return (-1);
	if (type == XA_ATOM)
		for (unsigned long i = 0; i < n; i++) {
			char *name = XGetAtomName(d, ((Atom *)(void *)p)[i]);

			puts(name);
			XFree(name);
		}
	else if (format == 8)
		fwrite(p, 1, n, stdout);
	XFree(p);
	return (0);
}

int
main(int argc, char **argv)
{
	XEvent e;

	d = XOpenDisplay(NULL);
	if (argc < 2 || argc > 3 || d == NULL)
		return (64);
	own = XInternAtom(d, "ORRERY_PASTE", False);
	w = XCreateSimpleWindow(d, DefaultRootWindow(d), 0, 0, 1, 1, 0, 0, 0);
	XConvertSelection(d, XInternAtom(d, argv[1], False),
	    XInternAtom(d, argc > 2 ? argv[2] : "UTF8_STRING", False), own, w,
	    CurrentTime);
	XFlush(d);
	if (!next(SelectionNotify, &e))
		return (1);
	if (e.xselection.property == None)
		return (2); /* nobody offers anything like that */
	if (take() == -1)
		return (3);
	XCloseDisplay(d);
	return (0);
}
