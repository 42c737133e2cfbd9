/*
 * Text for other programs: PRIMARY, which the middle button pastes, and
 * CLIPBOARD.  The text is handed out when somebody asks for it, in one piece:
 * it is far below the size from which that would need many.
 */
#include <stdlib.h>
#include <string.h>

#include <X11/Xatom.h>

#include "ui/window_inside.h"

void
window_offer(struct window *w, const char *text, bool clipboard)
{
	Atom selection[2] = { XA_PRIMARY, w->atom[ATOM_CLIPBOARD] };
	char *own;

	for (int i = 0; i < (clipboard ? 2 : 1) && !window_lost(w); i++) {
		own = strdup(text);
		if (own == NULL)
			return;
		free(w->offered[i]);
		w->offered[i] = own;
		XSetSelectionOwner(w->display, selection[i], w->id, w->time);
	}
	XFlush(w->display);
}

/* Answers with a property of whoever asks; None: we have no such form. */
void
window_asked(struct window *w, const XSelectionRequestEvent *e)
{
	Atom utf8 = w->atom[ATOM_UTF8], targets = w->atom[ATOM_TARGETS];
	Atom text = w->atom[ATOM_TEXT];
	Atom all[4] = { targets, utf8, text, XA_STRING };
	Atom property = e->property != None ? e->property : e->target;
	const char *own = w->offered[e->selection != XA_PRIMARY];
	XEvent answer = { .xselection = { .type = SelectionNotify,
			      .requestor = e->requestor,
			      .selection = e->selection,
			      .target = e->target,
			      .time = e->time } };

	if (e->target == targets) {
		XChangeProperty(w->display, e->requestor, property, XA_ATOM, 32,
		    PropModeReplace, (const unsigned char *)all, 4);
		answer.xselection.property = property;
	} else if (own != NULL && (e->target == utf8 || e->target == text ||
				      e->target == XA_STRING)) {
		XChangeProperty(w->display, e->requestor, property,
		    e->target == text ? utf8 : e->target, 8, PropModeReplace,
		    (const unsigned char *)own, (int)strlen(own));
		answer.xselection.property = property;
	}
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
