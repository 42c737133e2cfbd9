/*
 * What differs between two display lists, as tiles of the picture.
 *
 * While a run grows and the view stands still most of a picture is as it was.
 * Items are compared by what they are, not by where they are in the list: one
 * that only one of the two lists has damages the tiles under it, and those
 * are painted anew with all that lies in them.  Clipped painting gives the
 * pixels of the whole picture, so the result is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/draw/layer.h"

#define TILE_PX  32
#define TILES    128 /* each way: 4,096 px */
#define EDGE_PX  2   /* what anti-aliasing may add */
#define ARROW_PX 8

struct damage {
	int32_t across, down;
	uint8_t tile[TILES][TILES];
	unsigned n;
	struct rect *box; /* of the items of the new list */
	uint64_t *hash;   /* of the old items */
	uint32_t *table;  /* old item + 1 by hash */
	uint8_t *same;    /* of the old items: the new list has it too */
};

static uint64_t
mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return (h ^ h >> 29);
}

static uint64_t
item_hash(const struct scene *s, const struct item *i)
{
	uint64_t h =
	    mix(i->type, (uint64_t)i->rgb << 16 | i->alpha << 8 | i->font);

	h = mix(h, (uint64_t)(uint32_t)i->x0 << 32 | (uint32_t)i->y0);
	h = mix(h, (uint64_t)(uint32_t)i->x1 << 32 | (uint32_t)i->y1);
	h = mix(h, (uint32_t)i->w);
	if (i->type == ITEM_TEXT || i->type == ITEM_TEXT_RIGHT)
		for (uint32_t k = 0; k < i->n; k++)
			h = mix(h, (uint8_t)s->text[i->first + k]);
	return (h);
}

/* All that painting an item may touch, in px. */
static struct rect
item_box(const struct scene *s, const struct item *i)
{
	struct rect r = { i->x0 < i->x1 ? i->x0 : i->x1,
		i->y0 < i->y1 ? i->y0 : i->y1, i->x0 < i->x1 ? i->x1 : i->x0,
		i->y0 < i->y1 ? i->y1 : i->y0 };
	int32_t edge = EDGE_PX + i->w / SCENE_ONE, wide;

	r = (struct rect){ r.x0 / SCENE_ONE, r.y0 / SCENE_ONE, r.x1 / SCENE_ONE,
		r.y1 / SCENE_ONE };
	if (i->type == ITEM_ARROW)
		edge += ARROW_PX;
	if (i->type == ITEM_TEXT || i->type == ITEM_TEXT_RIGHT) {
		enum font font =
		    i->font <= FONT_BOLD ? (enum font)i->font : FONT_SMALL;

		wide = text_width(font, s->text + i->first, i->n);
		r.x0 = i->x0 / SCENE_ONE;
		if (i->type == ITEM_TEXT_RIGHT)
			r.x0 -= wide;
		r.x1 = r.x0 + wide;
		r.y0 = i->y0 / SCENE_ONE;
		r.y1 = r.y0 + font_height(font);
		r.y0 -= font_height(font);
	}
	return ((
	    struct rect){ r.x0 - edge, r.y0 - edge, r.x1 + edge, r.y1 + edge });
}

static int32_t
tile_of(int32_t px, int32_t most)
{
	px = px < 0 ? 0 : px / TILE_PX;
	return (px < most ? px : most - 1);
}

static void
damage_add(struct damage *d, const struct rect *r)
{
	int32_t x1 = tile_of(r->x1, d->across), y1 = tile_of(r->y1, d->down);

	if (r->x1 < 0 || r->y1 < 0 || r->x0 >= d->across * TILE_PX ||
	    r->y0 >= d->down * TILE_PX)
		return;
	for (int32_t y = tile_of(r->y0, d->down); y <= y1; y++)
		for (int32_t x = tile_of(r->x0, d->across); x <= x1; x++) {
			d->n += !d->tile[y][x];
			d->tile[y][x] = 1;
		}
}

/* A long line lies in few of the tiles of its box. */
static void
damage_item(struct damage *d, const struct item *i, const struct rect *box)
{
	double x0 = i->x0 / (double)SCENE_ONE, y0 = i->y0 / (double)SCENE_ONE;
	double dx = i->x1 / (double)SCENE_ONE - x0;
	double dy = i->y1 / (double)SCENE_ONE - y0, a, b;
	int32_t edge = EDGE_PX + ARROW_PX + i->w / SCENE_ONE;

	if ((i->type != ITEM_LINE && i->type != ITEM_ARROW) ||
	    box->y1 - box->y0 <= TILE_PX) {
		damage_add(d, box);
		return;
	}
	for (int32_t y = tile_of(box->y0, d->down) * TILE_PX;
	     y <= box->y1 && y < d->down * TILE_PX; y += TILE_PX) {
		struct rect r = *box;

		a = x0 + dx * (y - edge - y0) / dy;
		b = x0 + dx * (y + TILE_PX + edge - y0) / dy;
		if (a > b) {
			double t = a;

			a = b;
			b = t;
		}
		if (a - edge > r.x0)
			r.x0 = a < r.x1 ? (int32_t)a - edge : r.x1;
		if (b + edge < r.x1)
			r.x1 = b > r.x0 ? (int32_t)b + edge : r.x0;
		r.y0 = y;
		r.y1 = y + TILE_PX - 1;
		damage_add(d, &r);
	}
}

/* Finds equal pairs; what is left over is damage. */
static void
compare(struct damage *d, const struct scene *was, const struct scene *now,
    size_t mask)
{
	struct rect r;

	for (size_t i = 0; i < was->n; i++) {
		size_t at =
		    (d->hash[i] = item_hash(was, &was->items[i])) & mask;

		while (d->table[at] != 0)
			at = (at + 1) & mask;
		d->table[at] = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < now->n; i++) {
		uint64_t h = item_hash(now, &now->items[i]);
		size_t at = h & mask;

		d->box[i] = item_box(now, &now->items[i]);
		for (; d->table[at] != 0; at = (at + 1) & mask)
			if (d->hash[d->table[at] - 1] == h &&
			    !d->same[d->table[at] - 1])
				break;
		if (d->table[at] != 0)
			d->same[d->table[at] - 1] = 1;
		else
			damage_item(d, &now->items[i], &d->box[i]);
	}
	for (size_t i = 0; i < was->n; i++) {
		if (d->same[i])
			continue;
		r = item_box(was, &was->items[i]);
		damage_item(d, &was->items[i], &r);
	}
}

static void
repaint(const struct damage *d, struct canvas *c, const struct scene *s,
    const struct rect *r, uint32_t background)
{
	struct canvas part = *c;

	canvas_clip(&part, r->x0, r->y0, r->x1, r->y1);
	canvas_fill(&part, r->x0, r->y0, r->x1, r->y1, background);
	for (size_t i = 0; i < s->n; i++) {
		const struct rect *b = &d->box[i];

		if (b->x0 < r->x1 && b->x1 >= r->x0 && b->y0 < r->y1 &&
		    b->y1 >= r->y0)
			paint_items(&part, s, i, i + 1);
	}
}

/* Rows of tiles; a run that the next rows have too is one rectangle. */
static void
repaint_all(struct damage *d, struct canvas *c, const struct scene *s,
    uint32_t background)
{
	for (int32_t y = 0; y < d->down; y++)
		for (int32_t x = 0; x < d->across; x++) {
			int32_t x1 = x, y1 = y;

			if (!d->tile[y][x])
				continue;
			while (x1 < d->across && d->tile[y][x1])
				x1++;
			for (; y1 < d->down; y1++) {
				uint8_t *row = d->tile[y1] + x;

				if (memchr(row, 0, (size_t)(x1 - x)) != NULL)
					break;
				memset(row, 0, (size_t)(x1 - x));
			}
			repaint(d, c, s,
			    &(struct rect){ x * TILE_PX, y * TILE_PX,
				x1 * TILE_PX, y1 * TILE_PX },
			    background);
			x = x1 - 1;
		}
}

static bool
comparable(const struct scene *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].type == ITEM_POLY)
			return (false);
	return (true);
}

bool
damage_paint(struct canvas *c, const struct scene *was, const struct scene *now,
    uint32_t background)
{
	struct damage *d = calloc(1, sizeof(*d));
	size_t size = 1024;
	bool done = false;

	if (d == NULL)
		return (false);
	d->across = (c->width + TILE_PX - 1) / TILE_PX;
	d->down = (c->height + TILE_PX - 1) / TILE_PX;
	while (size < 2 * was->n)
		size *= 2;
	d->box = malloc((now->n + 1) * sizeof(*d->box));
	d->hash = malloc((was->n + 1) * sizeof(*d->hash));
	d->table = calloc(size, sizeof(*d->table));
	d->same = calloc(was->n + 1, 1);
	if (d->box != NULL && d->hash != NULL && d->table != NULL &&
	    d->same != NULL && d->across <= TILES && d->down <= TILES &&
	    comparable(was) && comparable(now)) {
		compare(d, was, now, size - 1);
		done = d->n * 2 <= (unsigned)(d->across * d->down);
		if (done)
			repaint_all(d, c, now, background);
	}
	free(d->box);
	free(d->hash);
	free(d->table);
	free(d->same);
	free(d);
	return (done);
}
