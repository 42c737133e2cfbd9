/*
 * One row.  As long as there are fewer spans than half the pixels each is a
 * box; a name is written where it fits.  Beyond that every pixel shows what
 * shares its time had, the largest share of the row at the bottom, and runs of
 * equal pixels are one rectangle.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

#define LETTER_PX      6  /* of a name, about */
#define PIXELS_PER_BOX 3  /* denser lanes are drawn by the pixel */
#define NAMED_PX       15 /* a box as wide has its name, if that fits, */
#define CUT_PX         60 /* or what fits of it */
#define NAMED_HIGH_PX  10
#define WAIT_PIECE     4 /* of the bar of an object that waits */
#define WAIT_PERIOD    7
#define OF_NODES       6 /* of so many each has a class of its own */

static void
rect_px(struct scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb)
{
	scene_rect(s, x0 * SCENE_ONE, y0 * SCENE_ONE, x1 * SCENE_ONE,
	    y1 * SCENE_ONE, rgb);
}

static int
is_wait(unsigned class)
{
	return (lane_waits(class) || class == LANE_lost);
}

/* Names are hashed by their letters; few are seen. */
static uint32_t
name_colour(struct timeline_draw *d, uint32_t name)
{
	unsigned at = name % TIMELINE_NAMES;

	if (d->name[at] != name) {
		d->name[at] = name;
		d->name_rgb[at] = palette_of_name(d->m, name);
	}
	return (d->name_rgb[at]);
}

static uint32_t
colour_of(struct timeline_draw *d, unsigned class, uint32_t name)
{
	if (class >= LANE_OBJECT_NODE)
		return (name != 0 ? palette_of_node(d->m, name)
				  : palette_node(class - LANE_OBJECT_NODE + 1));
	if (class == LANE_running && name != 0 && !d->v->by_node &&
	    d->v->colour == TIMELINE_BY_NAME)
		return (name_colour(d, name));
	return (d->pal->state[class]);
}

static void
box(struct timeline_draw *d, const struct span *sp, int32_t x0, int32_t x1,
    int32_t y0, int32_t y1, uint32_t lane)
{
	uint32_t rgb = colour_of(d, sp->class, sp->name);
	const char *text;
	struct item *i;
	int32_t wide;

	/* a dark line between neighbours, where there is room for one */
	i = scene_add(d->s, is_wait(sp->class) ? ITEM_HATCH : ITEM_RECT, rgb);
	if (i == NULL)
		return;
	i->x0 = x0 * SCENE_ONE;
	i->x1 = (x1 - x0 > 3 ? x1 - 1 : x1) * SCENE_ONE;
	i->y0 = y0 * SCENE_ONE;
	i->y1 = y1 * SCENE_ONE;
	i->of = OF_SPAN;
	i->id = lane;
	d->spans_drawn++;
	if (sp->kind == SPAN_wait_rpc && y1 - y0 >= 6) /* the rest: links */
		rect_px(d->s, x0, y1 - (y1 - y0 >= 10 ? 5 : 3), x1, y1,
		    PALETTE_RPC_WORK);
	if (sp->kind == SPAN_block && y1 - y0 >= 6) {
		rect_px(d->s, x0, y0, x1, y0 + 2, PALETTE_BLOCK);
		rect_px(d->s, x0, y1 - 2, x1, y1, PALETTE_BLOCK);
	}
	text = model_name(d->m, sp->name);
	if (x0 < 0)
		x0 = 0;
	if (x1 - x0 < NAMED_PX || y1 - y0 < NAMED_HIGH_PX || text == NULL)
		return;
	wide =
	    (int32_t)(strlen(text) < 200 ? strlen(text) : 200) * LETTER_PX + 8;
	if (x1 - x0 < wide && x1 - x0 < CUT_PX)
		return;
	if (is_wait(sp->class)) /* on a plate: no letters among the strokes */
		rect_px(d->s, x0 + 2, y0 + 1,
		    x0 + wide < x1 - 2 ? x0 + wide : x1 - 2, y1 - 1, rgb);
	scene_text(d->s, (x0 + 4) * SCENE_ONE, ((y0 + y1) / 2 + 4) * SCENE_ONE,
	    (x1 - 3) * SCENE_ONE, 0, palette_text_on(rgb), text);
}

static void
draw_boxes(struct timeline_draw *d, const struct timeline_row *r, size_t n,
    int32_t y0, int32_t y1)
{
	const struct span *sp;
	int32_t x0, x1, last = INT32_MIN;

	for (size_t i = 0; i < n; i++) {
		sp = &d->spans[i];
		if (sp->class == LANE_idle) /* its words say for what */
			continue;
		x0 = timeline_x(d->v, sp->t0_mon_ns);
		x1 = timeline_x(d->v, sp->t1_mon_ns == INT64_MAX
					  ? model_last_ns(d->m)
					  : sp->t1_mon_ns);
		/* at least a pixel each, but nobody is pushed aside: the time
		 * of a pixel is what it is */
		if (x1 <= x0)
			x1 = x0 + 1;
		if (x0 < last)
			x0 = last;
		if (x1 <= x0)
			continue;
		last = x1;
		if (x0 < -1)
			x0 = -1;
		if (x1 > d->v->width + 1)
			x1 = d->v->width + 1;
		if (x1 > x0)
			box(d, sp, x0, x1, y0, y1, r->lane);
	}
}

/* One pixel's bands, bottom first: class and where it ends above y0. */
struct column {
	uint8_t n;
	uint8_t of[LANE_CLASSES]; /* class of each band */
	uint8_t top[LANE_CLASSES];
	uint32_t name;
};

static bool
column_same(const struct column *a, const struct column *b)
{
	return (a->n == b->n && a->name == b->name &&
		memcmp(a->of, b->of, a->n) == 0 &&
		memcmp(a->top, b->top, a->n) == 0);
}

/* order: the n classes that the row has, but for idle, largest first. */
static void
column_make(struct column *c, const uint8_t *share, const uint8_t *order, int n,
    int32_t h, uint32_t name)
{
	unsigned sum = 0, top, last = 0;

	c->n = 0;
	c->name =
	    share[LANE_running] != 0 || share[LANE_transit] != 0 ? name : 0;
	for (int i = 0; i < n; i++) {
		unsigned k = order[i];

		if (share[k] == 0)
			continue;
		sum += share[k];
		top = (sum * (unsigned)h + 127) / 255;
		if (top > (unsigned)h)
			top = (unsigned)h;
		if (top <= last)
			continue;
		c->of[c->n] = (uint8_t)k;
		c->top[c->n++] = (uint8_t)top;
		last = top;
	}
}

/* Too low for bands: one colour, mixed with the background to its share. */
static void
column_flat(struct column *c, const uint8_t *share, int32_t h, uint32_t name)
{
	unsigned best = 0;

	for (unsigned k = 1; k < LANE_CLASSES; k++)
		if (share[k] > share[best] || best == 0)
			best = k;
	c->n = share[best] > 0;
	c->of[0] = (uint8_t)best;
	c->top[0] = (uint8_t)h;
	c->name = name;
}

/* Waits are hatched here too: neighbours make up the pattern. */
static void
band(struct timeline_draw *d, unsigned class, uint32_t name, int32_t x0,
    int32_t y0, int32_t x1, int32_t y1)
{
	struct item *i = scene_add(d->s,
	    is_wait(class) && y1 - y0 >= 4 ? ITEM_HATCH : ITEM_RECT,
	    colour_of(d, class, name));

	if (i == NULL)
		return;
	i->x0 = x0 * SCENE_ONE;
	i->y0 = y0 * SCENE_ONE;
	i->x1 = x1 * SCENE_ONE;
	i->y1 = y1 * SCENE_ONE;
}

static void
column_draw(struct timeline_draw *d, const struct column *c, int32_t x0,
    int32_t x1, int32_t y1)
{
	int32_t below = y1;

	for (int i = 0; i < c->n; i++) {
		band(d, c->of[i], c->name, x0, y1 - c->top[i], x1, below);
		below = y1 - c->top[i];
	}
}

/* Classes that have something, but for idle, largest first; how many. */
static int
class_order(const struct timeline_columns *c, uint8_t *order)
{
	uint32_t sum[LANE_CLASSES] = { 0 }; /* 255 a pixel: it is enough */
	int n = 0, j;

	for (int32_t x = 0; x < c->n; x++)
		for (int k = 0; k < LANE_CLASSES; k++)
			sum[k] += c->share[x * LANE_CLASSES + k];
	for (int i = LANE_idle + 1; i < LANE_CLASSES; i++) {
		if (sum[i] == 0)
			continue;
		for (j = n++; j > 0 && sum[order[j - 1]] < sum[i]; j--)
			order[j] = order[j - 1];
		order[j] = (uint8_t)i;
	}
	return (n);
}

static void
draw_pixels(struct timeline_draw *d, const struct timeline_row *r, int32_t y0,
    int32_t y1, bool keep)
{
	bool named = (d->v->colour == TIMELINE_BY_NAME && !d->v->by_node) ||
		     model_lane(d->m, r->shows)->kind == LANE_OBJECT ||
		     (r->shows >= HAND_LANE && model_nodes(d->m) > OF_NODES);
	const struct timeline_columns *c =
	    timeline_columns(d, r->shows, named, keep);
	uint8_t order[LANE_CLASSES] = { 0 };
	struct column now = { 0 }, next = { 0 };
	int32_t w = d->v->width, from = 0, h = y1 - y0;
	uint32_t name;
	int n;

	if (c == NULL)
		return;
	n = class_order(c, order);
	for (int32_t x = 0; x < w; x++) {
		const uint8_t *share = c->share + x * LANE_CLASSES;

		name = named ? c->name[x] : 0;
		if (h >= 6)
			column_make(&next, share, order, n, h, name);
		else
			column_flat(&next, share, h, name);
		d->pixels_drawn += next.n > 0;
		if (column_same(&now, &next))
			continue;
		column_draw(d, &now, from, x, y1);
		now = next;
		from = x;
	}
	column_draw(d, &now, from, w, y1);
}

/*
 * Where it waits its bar is in pieces, from where that begins, so that they
 * stay in their places when the view moves on.
 */
static void
draw_waiting(struct timeline_draw *d, int32_t from, int32_t x0, int32_t x1,
    int32_t y, uint32_t rgb)
{
	int32_t x = x0 - (x0 - from) % WAIT_PERIOD, end;

	for (; x < x1; x += WAIT_PERIOD) {
		end = x + WAIT_PIECE < x1 ? x + WAIT_PIECE : x1;
		if (end > x0)
			rect_px(d->s, x > x0 ? x : x0, y - 2, end, y + 2, rgb);
	}
}

/*
 * An object: a bar in the colour of its node, in pieces where it waits; a thin
 * dashed line where it travels.
 */
static void
draw_object(struct timeline_draw *d, const struct timeline_row *r, size_t n)
{
	int32_t y = row_middle(r), x0, x1, from;
	const struct span *sp;
	struct item *it;

	for (size_t i = 0; i < n; i++) {
		sp = &d->spans[i];
		x0 = timeline_x(d->v, sp->t0_mon_ns);
		x1 = timeline_x(d->v, sp->t1_mon_ns == INT64_MAX
					  ? model_last_ns(d->m)
					  : sp->t1_mon_ns);
		if (x0 < -1)
			x0 = -1;
		if (x1 > d->v->width + 1)
			x1 = d->v->width + 1;
		if (x1 <= x0)
			x1 = x0 + 1;
		from = timeline_x(d->v, sp->t0_mon_ns);
		if (sp->class != LANE_transit && sp->kind != 0) {
			draw_waiting(d, from, x0, x1, y,
			    colour_of(d, sp->class, sp->name));
		} else if (sp->class != LANE_transit) {
			rect_px(d->s, x0, y - 2, x1, y + 2,
			    colour_of(d, sp->class, sp->name));
		} else {
			it = scene_add(d->s, ITEM_DASH,
			    d->pal->state[LANE_transit]);
			if (it == NULL)
				return;
			it->x0 = x0 * SCENE_ONE;
			it->x1 = x1 * SCENE_ONE;
			it->y0 = it->y1 = y * SCENE_ONE;
			it->w = SCENE_ONE;
		}
		d->spans_drawn++;
	}
}

void
timeline_lane(struct timeline_draw *d, const struct timeline_row *r, bool keep)
{
	int32_t pad = row_pad(r);
	int object = model_lane(d->m, r->shows)->kind == LANE_OBJECT;
	size_t n, most = (size_t)d->v->width / PIXELS_PER_BOX;

	most = most < d->spans_max ? most : d->spans_max;
	/* of dense lanes nobody needs to know more */
	n = model_lane_spans(d->m, r->shows, d->v->t0_mon_ns, d->v->t1_mon_ns,
	    NULL, most);
	if (n <= most)
		n = model_lane_spans(d->m, r->shows, d->v->t0_mon_ns,
		    d->v->t1_mon_ns, d->spans, most);
	if (n > most) /* shares say more */
		draw_pixels(d, r, object ? row_middle(r) - 3 : r->y + pad,
		    object ? row_middle(r) + 3 : r->y + r->height - 1 - pad,
		    keep);
	else if (object)
		draw_object(d, r, n);
	else
		draw_boxes(d, r, n, r->y + pad, r->y + r->height - 1 - pad);
}
