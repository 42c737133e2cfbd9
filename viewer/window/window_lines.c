/*
 * Lines that the server draws over a frame: through a network, thousands of
 * sloped lines that move along with a live run would have to be sent as the
 * pixels that they change, anti-aliased and lying over one another.  Sent as
 * lines they are 8 bytes each, and once only, since they are moved with what
 * lies below them.
 *
 * They are not the pixels that they stand for, and how a server draws a line
 * is its own affair.  So it is remembered where one may be, and as soon as the
 * lines belong to the frame again those places count as unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "window/delta.h"
#include "window/window_inside.h"

#define NEAR_PX 1      /* of where it should be, a server may draw it */
#define SLOTS   65536u /* a power of two, well over the lines there may be */
#define MAX     20000u

struct tone {
	uint32_t rgb;
	unsigned gap, phase;
};

struct lines {
	struct window *w;
	GC gc;
	struct window_line *want, *shown; /* MAX long */
	uint32_t nwant, nshown;
	uint32_t *slot; /* of shown, + 1, by hash; 0: free */
	bool wanted;    /* in the frame that comes: also none at all */
	struct rect clip;
	uint8_t *over; /* where one may be; width x height */
	int32_t width, height;
};

static void
lines_free(struct lines *l)
{
	if (l == NULL)
		return;
	if (!window_io_lost && l->gc != NULL)
		XFreeGC(l->w->display, l->gc);
	free(l->want);
	free(l->shown);
	free(l->slot);
	free(l->over);
	free(l);
}

void
lines_clear(struct window *w)
{
	lines_free(w->lines);
	w->lines = NULL;
}

static struct lines *
lines_new(struct window *w)
{
	struct lines *l = calloc(1, sizeof(*l));

	if (l == NULL)
		return (NULL);
	l->w = w;
	l->width = w->width;
	l->height = w->height;
	l->want = calloc(MAX, sizeof(*l->want));
	l->shown = calloc(MAX, sizeof(*l->shown));
	l->slot = calloc(SLOTS, sizeof(*l->slot));
	l->over = calloc((size_t)w->width, (size_t)w->height);
	if (l->want == NULL || l->shown == NULL || l->slot == NULL ||
	    l->over == NULL) {
		lines_free(l);
		return (NULL);
	}
	l->gc = XCreateGC(w->display, w->id, 0, NULL);
	XSetGraphicsExposures(w->display, l->gc, False);
	return (l);
}

void
window_lines(struct window *w, const struct rect *clip,
    const struct window_line *line, size_t n)
{
	struct lines *l;

	if (w->remote == NULL || window_lost(w))
		return;
	if (w->lines != NULL &&
	    (w->lines->width != w->width || w->lines->height != w->height))
		lines_clear(w);
	if (w->lines == NULL && (w->lines = lines_new(w)) == NULL)
		return;
	l = w->lines;
	l->wanted = true;
	l->clip = *clip;
	l->nwant = n < MAX ? (uint32_t)n : MAX;
	if (n > 0)
		memcpy(l->want, line, l->nwant * sizeof(*line));
}

static uint32_t
hash(const struct window_line *i)
{
	uint64_t h = (uint64_t)(uint16_t)i->x0 << 48 |
		     (uint64_t)(uint16_t)i->y0 << 32 |
		     (uint64_t)(uint16_t)i->x1 << 16 | (uint16_t)i->y1;

	h = (h ^ i->rgb) * 0x9e3779b97f4a7c15u;
	return ((uint32_t)(h >> 40) & (SLOTS - 1));
}

static bool
same(const struct window_line *a, const struct window_line *b)
{
	return (a->x0 == b->x0 && a->y0 == b->y0 && a->x1 == b->x1 &&
		a->y1 == b->y1 && a->rgb == b->rgb);
}

static bool
is_shown(const struct lines *l, const struct window_line *i)
{
	for (uint32_t k = hash(i); l->slot[k] != 0; k = (k + 1) & (SLOTS - 1))
		if (same(&l->shown[l->slot[k] - 1], i))
			return (true);
	return (false);
}

static void
index_shown(struct lines *l)
{
	memset(l->slot, 0, SLOTS * sizeof(*l->slot));
	for (uint32_t i = 0; i < l->nshown; i++) {
		uint32_t k = hash(&l->shown[i]);

		while (l->slot[k] != 0)
			k = (k + 1) & (SLOTS - 1);
		l->slot[k] = i + 1;
	}
}

/* Where a line may be nobody knows what is seen. */
static void
forget(struct lines *l, struct canvas *before, int32_t x0, int32_t y0,
    int32_t x1, int32_t y1)
{
	for (int32_t y = y0; y < y1 && x0 < x1; y++) {
		uint8_t *over = l->over + (size_t)y * (size_t)l->width;
		uint32_t *px = before->px + (size_t)y * (size_t)before->stride;

		for (int32_t x = x0; x < x1; x++)
			if (over[x] != 0)
				px[x] = DELTA_UNKNOWN;
		memset(over + x0, 0, (size_t)(x1 - x0));
	}
}

static void
move_over(struct lines *l, const struct rect *r, int32_t dx, int32_t dy)
{
	for (int32_t i = 0; i < r->y1 - r->y0 - abs(dy); i++) {
		int32_t y = dy > 0 ? r->y1 - 1 - i : r->y0 + i;
		uint8_t *row = l->over + (size_t)y * (size_t)l->width;
		const uint8_t *from = row - (ptrdiff_t)dy * l->width;

		memmove(row + r->x0 + (dx > 0 ? dx : 0),
		    from + r->x0 + (dx < 0 ? -dx : 0),
		    (size_t)(r->x1 - r->x0 - abs(dx)));
	}
}

/* With what is below them, and out of the view. */
void
lines_moved(struct window *w, const struct rect *r, int32_t dx, int32_t dy,
    struct canvas *before)
{
	struct lines *l = w->lines;
	uint32_t n = 0;

	if (l == NULL || before->width != l->width ||
	    before->height != l->height)
		return;
	for (uint32_t i = 0; i < l->nshown; i++) {
		struct window_line s = l->shown[i];

		s.x0 = (int16_t)(s.x0 + dx);
		s.x1 = (int16_t)(s.x1 + dx);
		s.y0 = (int16_t)(s.y0 + dy);
		s.y1 = (int16_t)(s.y1 + dy);
		if ((s.x0 < l->clip.x0 && s.x1 < l->clip.x0) ||
		    (s.x0 >= l->clip.x1 && s.x1 >= l->clip.x1))
			continue;
		l->shown[n++] = s;
	}
	l->nshown = n;
	index_shown(l);
	move_over(l, r, dx, dy);
	/* where something comes in, they are still as they were before */
	forget(l, before, dx > 0 ? r->x0 : r->x1 + dx, r->y0,
	    dx > 0 ? r->x0 + dx : r->x1, r->y1);
	forget(l, before, r->x0, dy > 0 ? r->y0 : r->y1 + dy, r->x1,
	    dy > 0 ? r->y0 + dy : r->y1);
}

/* What was over them is unknown as well, or will be sent again. */
void
lines_lost(struct window *w)
{
	if (w->lines == NULL)
		return;
	w->lines->nshown = 0;
	index_shown(w->lines);
}

/* How many of those that were shown are not to be seen any more. */
static uint32_t
gone(const struct lines *l)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->nwant; i++)
		kept += is_shown(l, &l->want[i]);
	return (l->nshown > kept ? l->nshown - kept : 0);
}

/*
 * A few that are gone stay until they have moved out; of many, and at the end,
 * all places where one may be are unknown.
 */
void
lines_prepare(struct window *w, struct canvas *before)
{
	struct lines *l = w->lines;
	bool keep;

	if (l == NULL)
		return;
	if (before->width != l->width || before->height != l->height) {
		lines_clear(w);
		return;
	}
	keep = l->wanted && gone(l) <= l->nshown / 4;
	if (keep || l->nshown == 0)
		return;
	forget(l, before, 0, 0, l->width, l->height);
	l->nshown = 0;
	index_shown(l);
	if (!l->wanted)
		lines_clear(w);
}

static void
mark(struct lines *l, const struct window_line *i)
{
	int32_t dx = i->x1 - i->x0, dy = i->y1 - i->y0;
	int32_t n = abs(dx) > abs(dy) ? abs(dx) : abs(dy);

	for (int32_t k = -1; k <= n + 1; k++) {
		int32_t x = i->x0 + (n > 0 ? dx * k / n : 0);
		int32_t y = i->y0 + (n > 0 ? dy * k / n : 0);

		for (int32_t v = y - NEAR_PX; v <= y + NEAR_PX; v++)
			for (int32_t u = x - NEAR_PX; u <= x + NEAR_PX; u++)
				if (u >= l->clip.x0 && u < l->clip.x1 &&
				    v >= l->clip.y0 && v < l->clip.y1)
					l->over[(size_t)v * (size_t)l->width +
						(size_t)u] = 1;
	}
}

static void
draw(struct lines *l, const struct tone *tone, XSegment *s, int n)
{
	char dash[2] = { 1, (char)tone->gap };

	if (n == 0)
		return;
	XSetForeground(l->w->display, l->gc, tone->rgb);
	XSetLineAttributes(l->w->display, l->gc, 0,
	    tone->gap > 0 ? LineOnOffDash : LineSolid, CapButt, JoinMiter);
	if (tone->gap > 0)
		XSetDashes(l->w->display, l->gc,
		    (int)(tone->phase * (tone->gap + 1) / WINDOW_LINE_PHASES),
		    dash, 2);
	XDrawSegments(l->w->display, remote_picture(l->w->remote), l->gc, s, n);
}

/* Of the lines that are not done, those of one tone. */
static void
draw_tone(struct lines *l, const struct tone *tone, uint8_t *done)
{
	XSegment s[256];
	int n = 0;

	for (uint32_t i = 0; i < l->nwant; i++) {
		const struct window_line *k = &l->want[i];

		if (done[i] || k->rgb != tone->rgb || k->gap != tone->gap ||
		    k->phase != tone->phase)
			continue;
		done[i] = 1;
		s[n++] = (XSegment){ k->x0, k->y0, k->x1, k->y1 };
		mark(l, k);
		if (n == 256) {
			draw(l, tone, s, n);
			n = 0;
		}
	}
	draw(l, tone, s, n);
}

void
lines_put(struct window *w)
{
	struct lines *l = w->lines;
	uint8_t *done;
	XRectangle clip;

	if (l == NULL || !l->wanted)
		return;
	l->wanted = false;
	done = calloc(l->nwant + 1, 1);
	if (done == NULL)
		return;
	clip = (XRectangle){ (short)l->clip.x0, (short)l->clip.y0,
		(unsigned short)(l->clip.x1 - l->clip.x0),
		(unsigned short)(l->clip.y1 - l->clip.y0) };
	XSetClipRectangles(w->display, l->gc, 0, 0, &clip, 1, YXBanded);
	for (uint32_t i = 0; i < l->nwant; i++)
		done[i] = is_shown(l, &l->want[i]);
	for (uint32_t i = 0; i < l->nwant; i++)
		if (!done[i])
			draw_tone(l,
			    &(struct tone){ l->want[i].rgb, l->want[i].gap,
				l->want[i].phase },
			    done);
	free(done);
	remote_changed(w->remote, l->clip.x0, l->clip.y0, l->clip.x1,
	    l->clip.y1);
	memcpy(l->shown, l->want, l->nwant * sizeof(*l->want));
	l->nshown = l->nwant;
	index_shown(l);
}
