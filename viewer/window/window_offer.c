/*
 * What other programs can paste: text as PRIMARY, which the middle button
 * takes; text and a picture as CLIPBOARD.  It is handed out when somebody asks
 * for it: in one piece, or, when it is more than a request may carry, piece by
 * piece, each when the one before was taken (INCR of the ICCCM).
 */
#include <stdlib.h>
#include <string.h>

#include <X11/Xatom.h>

#include "window/window_inside.h"

#define PIECE_BYTES   ((size_t)1 << 16)
#define HANDOVERS_MAX 8 /* at the same time; more are refused */

/* A selection: PRIMARY, CLIPBOARD. */
struct offered {
	char *text;
	uint8_t *png;
	size_t png_bytes;
	Time since;
};

/* One that goes piece by piece. */
struct handover {
	Window to;
	Atom property, type;
	uint8_t *bytes; /* NULL: free */
	size_t n, at;
};

struct offers {
	struct offered of[2];
	struct handover handover[HANDOVERS_MAX];
};

static void
offered_clear(struct offered *o)
{
	free(o->text);
	free(o->png);
	memset(o, 0, sizeof(*o));
}

void
window_offer_clear(struct window *w)
{
	if (w->offers == NULL)
		return;
	for (int i = 0; i < 2; i++)
		offered_clear(&w->offers->of[i]);
	for (int i = 0; i < HANDOVERS_MAX; i++)
		free(w->offers->handover[i].bytes);
	free(w->offers);
	w->offers = NULL;
}

static bool
keep(struct offered *o, const struct window_copy *c, bool picture)
{
	offered_clear(o);
	o->text = strdup(c->text);
	if (o->text == NULL)
		return (false);
	if (!picture || c->png == NULL ||
	    (o->png = malloc(c->png_bytes)) == NULL)
		return (true);
	memcpy(o->png, c->png, c->png_bytes);
	o->png_bytes = c->png_bytes;
	return (true);
}

void
window_offer(struct window *w, const struct window_copy *c)
{
	Atom selection[2] = { XA_PRIMARY, w->atom[ATOM_CLIPBOARD] };

	if (w->offers == NULL)
		w->offers = calloc(1, sizeof(*w->offers));
	for (int i = 0;
	     w->offers != NULL && i < (c->clipboard ? 2 : 1) && !window_lost(w);
	     i++) {
		if (!keep(&w->offers->of[i], c, i == 1))
			return;
		w->offers->of[i].since = w->time;
		XSetSelectionOwner(w->display, selection[i], w->id, w->time);
	}
	XFlush(w->display);
}

/* Begins to hand it out in pieces; false: too many do. */
static bool
begin_handover(struct window *w, Window to, Atom property, Atom type,
    const void *bytes, size_t n)
{
	struct handover *h = w->offers->handover;
	long size = (long)n;

	for (int i = 0; i < HANDOVERS_MAX && h->bytes != NULL; i++)
		h++;
	if (h == w->offers->handover + HANDOVERS_MAX ||
	    (h->bytes = malloc(n)) == NULL)
		return (false);
	memcpy(h->bytes, bytes, n);
	h->to = to;
	h->property = property;
	h->type = type;
	h->n = n;
	h->at = 0;
	/* it is told when the piece before is taken, or when it is gone */
	XSelectInput(w->display, to, PropertyChangeMask | StructureNotifyMask);
	XChangeProperty(w->display, to, property, w->atom[ATOM_INCR], 32,
	    PropModeReplace, (const unsigned char *)&size, 1);
	return (true);
}

static void
end_handover(struct window *w, struct handover *h)
{
	free(h->bytes);
	h->bytes = NULL;
	for (int i = 0; i < HANDOVERS_MAX; i++)
		if (w->offers->handover[i].bytes != NULL &&
		    w->offers->handover[i].to == h->to)
			return;
	XSelectInput(w->display, h->to, NoEventMask);
}

void
window_offer_taken(struct window *w, Window by, Atom property)
{
	for (int i = 0; w->offers != NULL && i < HANDOVERS_MAX; i++) {
		struct handover *h = &w->offers->handover[i];
		size_t n = h->n - h->at;

		if (h->bytes == NULL || h->to != by || h->property != property)
			continue;
		n = n > PIECE_BYTES ? PIECE_BYTES : n;
		/* the last piece has nothing in it */
		XChangeProperty(w->display, by, property, h->type, 8,
		    PropModeReplace, h->bytes + h->at, (int)n);
		h->at += n;
		if (n == 0)
			end_handover(w, h);
		XFlush(w->display);
		return;
	}
}

void
window_offer_gone(struct window *w, Window by)
{
	for (int i = 0; w->offers != NULL && i < HANDOVERS_MAX; i++) {
		struct handover *h = &w->offers->handover[i];

		if (h->bytes == NULL || h->to != by)
			continue;
		free(h->bytes);
		h->bytes = NULL;
	}
}

static bool
give(struct window *w, Window to, Atom property, Atom type, const void *bytes,
    size_t n)
{
	if (n > PIECE_BYTES)
		return (begin_handover(w, to, property, type, bytes, n));
	XChangeProperty(w->display, to, property, type, 8, PropModeReplace,
	    bytes, (int)n);
	return (true);
}

/* In which forms it is there. */
static void
give_targets(struct window *w, Window to, Atom property,
    const struct offered *o)
{
	Atom all[6] = { w->atom[ATOM_TARGETS], w->atom[ATOM_TIMESTAMP],
		w->atom[ATOM_UTF8], w->atom[ATOM_TEXT], XA_STRING,
		w->atom[ATOM_PNG] };

	XChangeProperty(w->display, to, property, XA_ATOM, 32, PropModeReplace,
	    (const unsigned char *)all, o->png != NULL ? 6 : 5);
}

/* False: we have no such form. */
static bool
give_form(struct window *w, Window to, Atom property, Atom target,
    const struct offered *o)
{
	Atom utf8 = w->atom[ATOM_UTF8], text = w->atom[ATOM_TEXT];
	long since = (long)o->since;

	if (o->text == NULL)
		return (false);
	if (target == w->atom[ATOM_TARGETS]) {
		give_targets(w, to, property, o);
		return (true);
	}
	if (target == w->atom[ATOM_TIMESTAMP]) {
		XChangeProperty(w->display, to, property, XA_INTEGER, 32,
		    PropModeReplace, (const unsigned char *)&since, 1);
		return (true);
	}
	if (target == utf8 || target == text || target == XA_STRING)
		return (give(w, to, property, target == text ? utf8 : target,
		    o->text, strlen(o->text)));
	return (target == w->atom[ATOM_PNG] && o->png != NULL &&
		give(w, to, property, target, o->png, o->png_bytes));
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

	if (w->offers != NULL &&
	    give_form(w, e->requestor, property, e->target,
		&w->offers->of[e->selection != XA_PRIMARY]))
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
