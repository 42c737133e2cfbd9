/*
 * Runs: a stretch of a row that is painted with one thing, a colour or a
 * hatching; and the table of the things that there are.
 */
#include <stdlib.h>
#include <string.h>

#include "window/delta_inside.h"

#define HATCH_MIN 10 /* px: shorter, it is told as single colours */
#define HATCH_BIT 0x80000000u

static uint32_t
hash(uint32_t v)
{
	v *= 0x9e3779b1u;
	return (v ^ v >> 15);
}

bool
delta_paint_room(struct work *w)
{
	uint32_t n = w->slots > 0 ? w->slots * 2 : 1024;
	uint32_t *slot = calloc(n, sizeof(*slot));
	struct paint *paint = realloc(w->paint, n / 2 * sizeof(*paint));

	if (paint != NULL)
		w->paint = paint;
	if (slot == NULL || paint == NULL) {
		free(slot);
		w->full = true;
		return (false);
	}
	for (uint32_t i = 0; i < w->npaint; i++) {
		uint32_t at = hash(w->paint[i].rgb) & (n - 1);

		while (slot[at] != 0)
			at = (at + 1) & (n - 1);
		slot[at] = i + 1;
	}
	free(w->slot);
	w->slot = slot;
	w->slots = n;
	w->paint_cap = n / 2;
	return (true);
}

static bool
same_hatch(const struct paint *p, const struct delta_hatch *h)
{
	return (h == NULL
		    ? !p->hatched
		    : p->hatched && p->hatch.phase == h->phase &&
			  memcmp(p->hatch.tone, h->tone, sizeof(h->tone)) == 0);
}

uint32_t
delta_paint(struct work *w, uint32_t rgb, const struct delta_hatch *h)
{
	uint32_t at;

	if (w->npaint > 0 && rgb == w->last_rgb &&
	    same_hatch(&w->paint[w->last], h))
		return (w->last);
	if (w->npaint >= w->paint_cap && !delta_paint_room(w))
		return (0);
	at = hash(rgb) & (w->slots - 1);
	while (
	    w->slot[at] != 0 && (w->paint[w->slot[at] - 1].rgb != rgb ||
				    !same_hatch(&w->paint[w->slot[at] - 1], h)))
		at = (at + 1) & (w->slots - 1);
	if (w->slot[at] == 0) {
		struct paint *p = &w->paint[w->npaint];

		memset(p, 0, sizeof(*p));
		p->rgb = rgb;
		p->hatched = h != NULL;
		if (h != NULL)
			p->hatch = *h;
		w->slot[at] = ++w->npaint;
	}
	w->last = w->slot[at] - 1;
	w->last_rgb = rgb;
	return (w->last);
}

/*
 * How far hatching reaches from x on, or 0.  Its colours change four times.
 */
static int32_t
hatch_end(const uint32_t *px, int32_t x, int32_t end)
{
	const int32_t n = DELTA_HATCH;
	int32_t to = x + n, changes = 0;

	if (x + HATCH_MIN > end || px[x + n] != px[x])
		return (0);
	for (int32_t i = x; i < x + n; i++)
		changes += px[i] != px[i + 1];
	if (changes != 4)
		return (0);
	while (to < end && px[to] == px[to - n])
		to++;
	return (to - x >= HATCH_MIN ? to : 0);
}

/* From the largest of its colours on, so that equal ones are found equal. */
static uint32_t
hatch_paint(struct work *w, const uint32_t *px, int32_t x, int32_t y)
{
	struct delta_hatch h;
	int32_t top = 0;

	for (int32_t i = 1; i < DELTA_HATCH; i++)
		if (px[x + i] > px[x + top])
			top = i;
	/* of several in a row the first one, also around the end */
	while (px[x + (top + DELTA_HATCH - 1) % DELTA_HATCH] == px[x + top])
		top = (top + DELTA_HATCH - 1) % DELTA_HATCH;
	for (int32_t i = 0; i < DELTA_HATCH; i++)
		h.tone[i] = px[x + (top + i) % DELTA_HATCH];
	h.phase =
	    (int)(((int64_t)DELTA_HATCH * 65536 - x - y - top) % DELTA_HATCH);
	return (delta_paint(w, HATCH_BIT | (h.tone[0] ^ h.tone[3] << 4), &h));
}

/* The run that begins at x; its end is at most `end`. */
static struct run
run_at(struct work *w, const uint32_t *px, int32_t x, int32_t y, int32_t end)
{
	struct run r = { .x0 = x, .y0 = y };

	r.x1 = hatch_end(px, x, w->now->width);
	if (r.x1 > 0) {
		r.x1 = r.x1 < end ? r.x1 : end;
		r.paint = hatch_paint(w, px, x, y);
		return (r);
	}
	r.x1 = x + 1;
	while (r.x1 < end && px[r.x1] == px[x])
		r.x1++;
	r.paint = delta_paint(w, px[x], NULL);
	return (r);
}

void
delta_scan(struct work *w, int32_t y, int32_t x0, int32_t x1,
    const uint32_t *background, struct scan *s)
{
	const uint32_t *now = row_of(w->now, y), *was = row_of(w->was, y);
	int32_t x = x0;

	while (x < x1) {
		struct run r;

		if (background != NULL ? now[x] == *background
				       : now[x] == was[x]) {
			x++;
			continue;
		}
		r = run_at(w, now, x, y, x1);
		x = r.x1;
		if (background == NULL)
			while (now[r.x1 - 1] == was[r.x1 - 1])
				r.x1--;
		if (s->n > 0 && s->run[s->n - 1].x1 == r.x0 &&
		    s->run[s->n - 1].paint == r.paint)
			s->run[s->n - 1].x1 = r.x1;
		else
			s->run[s->n++] = r;
	}
}
