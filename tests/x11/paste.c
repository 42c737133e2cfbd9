/*
 * paste PRIMARY|CLIPBOARD [TARGET]: what another program offers, as UTF-8 or as
 * TARGET ("image/png", ...); of TARGETS the names.  Says on stderr in how many
 * pieces it came when it was too large for one.
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

/* Takes the property; its bytes, or -1. */
static long
take(Atom *type)
{
	unsigned char *p = NULL;
	unsigned long n, left;
	int format;

	if (XGetWindowProperty(d, w, own, 0, 1 << 24, True, AnyPropertyType,
		type, &format, &n, &left, &p) != Success)
		return (-1);
	if (*type == XA_ATOM)
		for (unsigned long i = 0; i < n; i++) {
			char *name = XGetAtomName(d, ((Atom *)(void *)p)[i]);

			puts(name);
			XFree(name);
		}
	else if (format == 8)
		fwrite(p, 1, n, stdout);
	XFree(p);
	return ((long)n);
}

int
main(int argc, char **argv)
{
	Atom type, incr;
	XEvent e;
	long n;
	int pieces = 0;

	d = XOpenDisplay(NULL);
	if (argc < 2 || argc > 3 || d == NULL)
		return (64);
	incr = XInternAtom(d, "INCR", False);
	own = XInternAtom(d, "ORRERY_PASTE", False);
	w = XCreateSimpleWindow(d, DefaultRootWindow(d), 0, 0, 1, 1, 0, 0, 0);
	XSelectInput(d, w, PropertyChangeMask);
	XConvertSelection(d, XInternAtom(d, argv[1], False),
	    XInternAtom(d, argc > 2 ? argv[2] : "UTF8_STRING", False), own, w,
	    CurrentTime);
	XFlush(d);
	if (!next(SelectionNotify, &e))
		return (1);
	if (e.xselection.property == None)
		return (2); /* nobody offers anything like that */
	while (XCheckTypedEvent(d, PropertyNotify, &e))
		continue; /* the head of it */
	if (take(&type) == -1)
		return (3);
	for (n = 1; type == incr && n > 0; pieces++) {
		do
			if (!next(PropertyNotify, &e))
				return (4);
		while (e.xproperty.state != PropertyNewValue ||
		       e.xproperty.atom != own);
		n = take(&(Atom){ 0 });
	}
	if (pieces > 0)
		fprintf(stderr, "%d pieces\n", pieces - 1);
	XCloseDisplay(d);
	return (0);
}
