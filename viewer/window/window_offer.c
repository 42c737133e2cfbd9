/*
 * What other programs can paste: text, as PRIMARY, which the middle button
 * takes, and as CLIPBOARD.  It is handed out when somebody asks for it, in one
 * piece.
 */
#include <stdlib.h>
#include <string.h>

#include <X11/Xatom.h>

#include "window/window_inside.h"

#define TEXT_MAX ((size_t)1 << 17) /* every server takes that in one piece */

void
window_offer_clear(struct window *w)
{
	for (int i = 0; i < 2; i++) {
		free(w->offered[i].text);
		w->offered[i].text = NULL;
	}
}

void
window_offer(struct window *w, const char *text, bool clipboard)
{
	Atom selection[2] = { XA_PRIMARY, w->atom[ATOM_CLIPBOARD] };

	for (int i = 0; i < (clipboard ? 2 : 1) && !window_lost(w); i++) {
		free(w->offered[i].text);
		w->offered[i].text = strndup(text, TEXT_MAX);
		w->offered[i].since = w->time;
		XSetSelectionOwner(w->display, selection[i], w->id, w->time);
	}
	XFlush(w->display);
}

/* False: we have no such form. */
static bool
give(struct window *w, Window to, Atom property, Atom target,
    const struct offered *o)
{
	Atom utf8 = w->atom[ATOM_UTF8], text = w->atom[ATOM_TEXT];
	Atom all[] = { w->atom[ATOM_TARGETS], w->atom[ATOM_TIMESTAMP], utf8,
		text, XA_STRING };
	long since = (long)o->since;
	const void *what = o->text;
	size_t n = o->text != NULL ? strlen(o->text) : 0;
	Atom type = target == text ? utf8 : target;
	int bits = 8;

	if (what == NULL)
		return (false);
	if (target == w->atom[ATOM_TARGETS]) {
		what = all;
		n = sizeof(all) / sizeof(all[0]);
		type = XA_ATOM;
		bits = 32;
	} else if (target == w->atom[ATOM_TIMESTAMP]) {
		what = &since;
		n = 1;
		type = XA_INTEGER;
		bits = 32;
	} else if (target != utf8 && target != text && target != XA_STRING) {
		return (false);
	}
	XChangeProperty(w->display, to, property, type, bits, PropModeReplace,
	    what, (int)n);
	return (true);
}

/* Answers with a property of whoever asks; None: we have no such form. */
void
window_asked(struct window *w, const XSelectionRequestEvent *e)
{
	Atom property = e->property != None ? e->property : e->target;
	XEvent answer = { .xselection = { .type = SelectionNotify,
			      .requestor = e->requestor,
			      .selection = e->selection,
			      .target = e->target,
			      .time = e->time } };

	if (give(w, e->requestor, property, e->target,
		&w->offered[e->selection != XA_PRIMARY]))
		answer.xselection.property = property;
	XSendEvent(w->display, e->requestor, False, 0, &answer);
	XFlush(w->display);
}

/* What the user's desktop says about its dots: 96 is one of ours. */
int
window_scale(struct window *w)
{
	const char *dpi = XGetDefault(w->display, "Xft", "dpi");
	double scale = dpi != NULL ? strtod(dpi, NULL) / 96 : 1;

	/* in quarters */
	return (scale > 1 && scale <= 8 ? (int)(scale * 4 + 0.5) * 4 : 16);
}
