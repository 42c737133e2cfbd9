/*
 * What differs between two pictures, as few and small drawing requests.
 *
 * The picture is cut into tiles.  Each that differs is told in the way that
 * takes the fewest bytes: as runs of one colour (a run that the next row has,
 * too, becomes a rectangle; a single pixel is a point), as such runs over a
 * background that is filled first, or as pixels.  A run may also be one of
 * hatching, which comes out as colours in turns of seven.  Runs go on from
 * tile to tile, and so do rectangles.
 *
 * A colour costs, too: it has to be told once.  So in a first pass the runs of
 * each colour are counted.
 */
#include "window/delta.h"

#include <stdlib.h>
#include <string.h>

#include "window/delta_inside.h"

#define RECT_BYTES   8
#define POINT_BYTES  4
#define COLOUR_BYTES 32 /* told once, and the head of a request */
#define PIXELS_BYTES 24
#define PIXEL_BYTES  4

/* Lets runs that lie exactly below others go on. */
static void
continue_runs(struct run *above, int32_t nabove, struct run *row, int32_t n,
    int32_t y)
{
	int32_t k = 0;

	for (int32_t i = 0; i < n; i++) {
		while (k < nabove && above[k].x0 < row[i].x0)
			k++;
		if (k < nabove && above[k].x0 == row[i].x0 &&
		    above[k].x1 == row[i].x1 &&
		    above[k].paint == row[i].paint) {
			row[i].y0 = above[k].y0;
			above[k].x1 = above[k].x0; /* it is not over */
		} else {
			row[i].y0 = y;
		}
	}
}

static struct box
tile_box(const struct work *w, int32_t tx, int32_t ty)
{
	struct box b = { tx * TILE, ty * TILE, (tx + 1) * TILE,
		(ty + 1) * TILE };

	b.x1 = b.x1 < w->now->width ? b.x1 : w->now->width;
	b.y1 = b.y1 < w->now->height ? b.y1 : w->now->height;
	return (b);
}

/* What differs in a tile; false: nothing. */
static bool
find_difference(const struct work *w, struct tile *t, const struct box *b)
{
	int32_t x0 = b->x1, y0 = b->y1, x1 = b->x0, y1 = b->y0;
	size_t n = (size_t)(b->x1 - b->x0) * 4;

	for (int32_t y = b->y0; y < b->y1; y++) {
		const uint32_t *p = row_of(w->was, y), *q = row_of(w->now, y);
		int32_t a = b->x0, z = b->x1;

		if (memcmp(p + b->x0, q + b->x0, n) == 0)
			continue;
		while (p[a] == q[a])
			a++;
		while (p[z - 1] == q[z - 1])
			z--;
		x0 = a < x0 ? a : x0;
		x1 = z > x1 ? z : x1;
		y0 = y < y0 ? y : y0;
		y1 = y + 1;
	}
	t->way = SAME;
	if (x0 >= x1)
		return (false);
	t->x0 = (uint8_t)(x0 - b->x0);
	t->x1 = (uint8_t)(x1 - b->x0);
	t->y0 = (uint8_t)(y0 - b->y0);
	t->y1 = (uint8_t)(y1 - b->y0);
	return (true);
}

/*
 * The bytes of a tile's runs; background NULL: of what differs.  Before the
 * colours were counted (count) it counts them and its result means nothing.
 */
static double
cost_of_runs(struct work *w, const struct box *b, const uint32_t *background,
    bool count)
{
	struct run buf[2][TILE];
	struct scan s = { buf[0], 0 };
	const struct run *above = buf[1];
	int32_t nabove = 0;
	double cost = 0;

	for (int32_t y = b->y0; y < b->y1; y++) {
		s.n = 0;
		delta_scan(w, y, b->x0, b->x1, background, &s);
		for (int32_t i = 0, k = 0; i < s.n; i++) {
			const struct run *r = &s.run[i];

			while (k < nabove && above[k].x0 < r->x0)
				k++;
			if (k < nabove && above[k].x0 == r->x0 &&
			    above[k].x1 == r->x1 && above[k].paint == r->paint)
				continue;
			if (count)
				w->paint[r->paint].runs++;
			else
				cost += (r->x1 - r->x0 == 1 ? POINT_BYTES
							    : RECT_BYTES) +
					(double)COLOUR_BYTES /
					    (w->paint[r->paint].runs + 1);
		}
		above = s.run;
		nabove = s.n;
		s.run = s.run == buf[0] ? buf[1] : buf[0];
	}
	return (cost);
}

/* All of a tile is one colour. */
static bool
is_uniform(const struct work *w, const struct box *b)
{
	uint32_t rgb = row_of(w->now, b->y0)[b->x0];

	for (int32_t y = b->y0; y < b->y1; y++) {
		const uint32_t *px = row_of(w->now, y);

		for (int32_t x = b->x0; x < b->x1; x++)
			if (px[x] != rgb)
				return (false);
	}
	return (true);
}

/* The colour that most runs of a tile's rows begin and end with, about. */
static uint32_t
background_of(const struct work *w, const struct box *b)
{
	uint32_t best = row_of(w->now, b->y0)[b->x0];
	int32_t most = 0;

	for (int32_t k = 0; k < 4; k++) { /* at a few places */
		uint32_t rgb =
		    row_of(w->now, b->y0 + (b->y1 - b->y0 - 1) * k / 3)[b->x0];
		int32_t n = 0;

		for (int32_t y = b->y0; y < b->y1; y += 4) {
			const uint32_t *px = row_of(w->now, y);

			for (int32_t x = b->x0; x < b->x1; x++)
				n += px[x] == rgb;
		}
		if (n > most) {
			most = n;
			best = rgb;
		}
	}
	return (best);
}

static void
choose_way(struct work *w, struct tile *t, const struct box *b)
{
	uint32_t rgb = background_of(w, b);
	double runs = cost_of_runs(w, b, NULL, false);
	double over = cost_of_runs(w, b, &rgb, false) + RECT_BYTES;
	double pixels = PIXELS_BYTES +
			PIXEL_BYTES * (double)(t->x1 - t->x0) * (t->y1 - t->y0);

	t->way = RUNS;
	if (over < runs) {
		t->way = OVER;
		t->background = delta_paint(w, rgb, NULL);
		runs = over;
	}
	if (pixels < runs)
		t->way = PIXELS;
}

/* What has come to an end above row y. */
static void
end_runs(struct work *w, int32_t y)
{
	for (int32_t i = 0; i < w->nabove; i++) {
		const struct run *r = &w->above[i];

		if (r->x0 < r->x1)
			delta_add(w, &w->rect, r->paint,
			    &(struct box){ r->x0, r->y0, r->x1, y });
	}
}

/* Tiles with runs, as rectangles. */
static void
collect_runs(struct work *w)
{
	for (int32_t y = 0; y < w->now->height; y++) {
		const struct tile *t = w->tile + y / TILE * w->across;
		struct scan s = { w->row, 0 };
		struct run *swap = w->above;

		for (int32_t tx = 0; tx < w->across; tx++) {
			struct box b = tile_box(w, tx, y / TILE);

			if (t[tx].way == RUNS)
				delta_scan(w, y, b.x0, b.x1, NULL, &s);
			else if (t[tx].way == OVER)
				delta_scan(w, y, b.x0, b.x1,
				    &w->paint[t[tx].background].rgb, &s);
		}
		if (w->full)
			return;
		continue_runs(w->above, w->nabove, s.run, s.n, y);
		end_runs(w, y);
		w->above = w->row;
		w->nabove = s.n;
		w->row = swap;
	}
	end_runs(w, w->now->height);
}

static bool
has_background(const struct tile *t)
{
	return (t->way == OVER || t->way == FILLED);
}

static bool
same_background(const struct tile *a, const struct tile *b)
{
	return (has_background(a) && has_background(b) &&
		a->background == b->background);
}

/* Backgrounds of tiles side by side as one, and of equal rows of them. */
static void
collect_backgrounds(struct work *w)
{
	for (int32_t ty = 0; ty < w->down; ty++) {
		struct tile *t = w->tile + ty * w->across;

		for (int32_t tx = 0; tx < w->across; tx++) {
			struct box b = tile_box(w, tx, ty);
			int32_t to = tx;

			if (!has_background(&t[tx]))
				continue;
			while (to + 1 < w->across &&
			       same_background(&t[tx], &t[to + 1]))
				to++;
			b.x1 = tile_box(w, to, ty).x1;
			if (w->back.n > 0) {
				struct stroke *l = &w->back.p[w->back.n - 1];

				if (l->paint == t[tx].background &&
				    l->r.x == b.x0 && l->r.w == b.x1 - b.x0 &&
				    l->r.y + l->r.h == b.y0) {
					l->r.h += (uint16_t)(b.y1 - b.y0);
					tx = to;
					continue;
				}
			}
			delta_add(w, &w->back, t[tx].background, &b);
			tx = to;
		}
	}
}

static bool
work_init(struct work *w, const struct canvas *was, const struct canvas *now)
{
	memset(w, 0, sizeof(*w));
	w->was = was;
	w->now = now;
	w->across = (now->width + TILE - 1) / TILE;
	w->down = (now->height + TILE - 1) / TILE;
	w->tile =
	    calloc((size_t)w->across * (size_t)w->down + 1, sizeof(*w->tile));
	w->above = malloc(((size_t)now->width + 1) * sizeof(*w->above));
	w->row = malloc(((size_t)now->width + 1) * sizeof(*w->row));
	return (w->tile != NULL && w->above != NULL && w->row != NULL &&
		delta_paint_room(w));
}

static void
work_clear(struct work *w)
{
	free(w->tile);
	free(w->above);
	free(w->row);
	free(w->paint);
	free(w->slot);
	free(w->back.p);
	free(w->rect.p);
	free(w->chain);
}

static bool
is_whole(const struct tile *t, const struct box *b)
{
	return (t->x0 == 0 && t->y0 == 0 && t->x1 == b->x1 - b->x0 &&
		t->y1 == b->y1 - b->y0);
}

/* First the colours are counted, then it is chosen. */
static bool
choose_ways(struct work *w)
{
	bool any = false;

	for (int pass = 0; pass < 2 && (pass == 0 || any); pass++)
		for (int32_t i = 0; i < w->across * w->down; i++) {
			struct box b =
			    tile_box(w, i % w->across, i / w->across);

			if (w->full)
				return (false);
			if (pass == 1 && w->tile[i].way == RUNS) {
				choose_way(w, &w->tile[i], &b);
			} else if (pass == 0 &&
				   find_difference(w, &w->tile[i], &b)) {
				any = true;
				w->tile[i].way = RUNS;
				if (is_whole(&w->tile[i], &b) &&
				    is_uniform(w, &b)) {
					w->tile[i].way = FILLED;
					w->tile[i].background = delta_paint(w,
					    row_of(w->now, b.y0)[b.x0], NULL);
				} else {
					cost_of_runs(w, &b, NULL, true);
				}
			}
		}
	return (any);
}

int
delta(const struct canvas *was, const struct canvas *now,
    const struct delta_sink *to, void *arg)
{
	struct work w;
	bool ok = work_init(&w, was, now);

	if (ok && choose_ways(&w)) {
		delta_hand_out_pixels(&w, to, arg);
		collect_backgrounds(&w);
		collect_runs(&w);
		ok = delta_hand_out(&w, &w.back, true, to, arg) &&
		     delta_hand_out(&w, &w.rect, false, to, arg);
	}
	ok = ok && !w.full;
	work_clear(&w);
	return (ok ? 0 : -1);
}

static size_t
differences(const struct canvas *a, const struct canvas *b, int32_t x0,
    int32_t y0, int32_t x1, int32_t y1, int32_t dx, int32_t dy)
{
	size_t n = 0;

	for (int32_t y = y0; y < y1; y++) {
		const uint32_t *p = row_of(a, y - dy) - dx, *q = row_of(b, y);

		for (int32_t x = x0; x < x1; x++)
			n += p[x] != q[x];
	}
	return (n);
}

bool
delta_move(struct canvas *c, const struct canvas *now,
    const struct delta_rect *r, int32_t dx, int32_t dy)
{
	int32_t x0 = r->x + (dx > 0 ? dx : 0), y0 = r->y + (dy > 0 ? dy : 0);
	int32_t x1 = r->x + r->w + (dx < 0 ? dx : 0);
	int32_t y1 = r->y + r->h + (dy < 0 ? dy : 0);

	if (x0 >= x1 || y0 >= y1 || (dx == 0 && dy == 0) ||
	    differences(c, now, x0, y0, x1, y1, dx, dy) >=
		differences(c, now, x0, y0, x1, y1, 0, 0))
		return (false);
	for (int32_t i = 0; i < y1 - y0; i++) {
		int32_t y = dy > 0 ? y1 - 1 - i : y0 + i;
		uint32_t *row = c->px + (size_t)y * (size_t)c->stride;

		memmove(row + x0, row_of(c, y - dy) + x0 - dx,
		    (size_t)(x1 - x0) * sizeof(*row));
	}
	return (true);
}
