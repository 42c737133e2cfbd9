/*
 * Keeps what each item of a display list covers.
 *
 * An item is painted in white on black, alone, and what it leaves there is
 * kept: for shapes that touch no dot twice that is exactly the share that any
 * colour has of it.  All others, and those that are large, are painted as
 * they are when their turn comes.
 *
 * In a band's words: number of the item, its rows (0: as it is), the rows.
 */
#include "ui/draw/cover.h"

#include <math.h>
#include <string.h>

#include "ui/draw/layer.h"

#define LOOK_MOST 16384 /* dots that are looked at for an item */
#define BESIDE    3     /* dots that it may reach beyond its geometry */

struct box {
	int32_t x0, y0, x1, y1; /* dots */
};

bool
cover_is(const struct cover *v, const struct scene *s, const struct canvas *c)
{
	return (!v->failed && v->made != 0 && v->made == s->made &&
		v->width == c->dots_x && v->height == c->dots_y);
}

void
cover_begin(struct cover *v, const struct scene *s, const struct canvas *c)
{
	v->made = s->made;
	v->failed = false;
	v->width = c->dots_x;
	v->height = c->dots_y;
	for (int i = 0; i < COVER_BANDS; i++)
		v->band[i].n = 0;
}

struct canvas
cover_band(const struct canvas *c, int band)
{
	struct canvas part = *c;
	int32_t h = c->height;

	canvas_clip(&part, 0, h * band / COVER_BANDS, c->width,
	    h * (band + 1) / COVER_BANDS);
	return (part);
}

/* From 1/16 px. */
static int32_t
dots(const struct canvas *c, int64_t q)
{
	int64_t d = q * c->scale_q >> 8;

	return ((int32_t)(d < INT32_MIN / 2   ? INT32_MIN / 2
			  : d > INT32_MAX / 2 ? INT32_MAX / 2
					      : d));
}

static struct box
box_of(const struct canvas *c, const struct scene *s, const struct item *i)
{
	int64_t x0 = i->x0, x1 = i->x0, y0 = i->y0, y1 = i->y0, w = i->w;
	const int32_t *p = NULL;

	if (i->type == ITEM_POLY) /* or there may be no points at all */
		p = s->points + 2 * (size_t)i->first;
	if (i->type == ITEM_LINE) {
		x1 = i->x1;
		y1 = i->y1;
	}
	for (uint32_t k = 0; i->type == ITEM_POLY && k < i->n; k++) {
		x0 = k == 0 || p[2 * k] < x0 ? p[2 * k] : x0;
		x1 = k == 0 || p[2 * k] > x1 ? p[2 * k] : x1;
		y0 = k == 0 || p[2 * k + 1] < y0 ? p[2 * k + 1] : y0;
		y1 = k == 0 || p[2 * k + 1] > y1 ? p[2 * k + 1] : y1;
	}
	return ((struct box){ dots(c, (x0 < x1 ? x0 : x1) - w) - BESIDE,
	    dots(c, (y0 < y1 ? y0 : y1) - w) - BESIDE,
	    dots(c, (x0 < x1 ? x1 : x0) + w) + BESIDE + 1,
	    dots(c, (y0 < y1 ? y1 : y0) + w) + BESIDE + 1 });
}

/* Row by row, since most of its box is empty. */
static int
take_circle(struct shares *s, const struct canvas *black, const struct item *i,
    const struct box *b)
{
	int32_t x = dots(black, i->x0), y = dots(black, i->y0);
	int32_t from = dots(black, (int64_t)black->clip_y0 * SCENE_ONE) - 1;
	int32_t to = dots(black, (int64_t)black->clip_y1 * SCENE_ONE) + 2;
	double in = dots(black, i->w) - 2.0 * BESIDE, dy;
	int rows = 0, left, right;

	from = from > b->y0 ? from : b->y0;
	to = to < b->y1 ? to : b->y1;
	for (int32_t k = from; k < to; k++) {
		int32_t half;

		dy = k > y ? k - y : y - k;
		half = dy < in ? (int32_t)sqrt(in * in - dy * dy) : 0;
		left = shares_take(s, black, b->x0, k, x - half, k + 1);
		right = shares_take(s, black, x + half, k, b->x1, k + 1);
		if (left == -1 || right == -1)
			return (-1);
		rows += left + right;
	}
	return (rows);
}

static bool
is_one_touch(const struct item *i)
{
	return (i->type == ITEM_POLY || i->type == ITEM_LINE ||
		i->type == ITEM_DOT || i->type == ITEM_CIRCLE);
}

static int
take(struct shares *s, const struct scene *scene, size_t at,
    const struct canvas *black)
{
	struct item white = scene->items[at];
	struct scene one = { .items = &white,
		.n = 1,
		.points = scene->points,
		.text = scene->text };
	struct canvas c = *black;
	struct box b = box_of(black, scene, &white);
	size_t head = s->n;
	int64_t look = (int64_t)(b.x1 - b.x0) * (b.y1 - b.y0);
	int rows;

	if (shares_reserve(s, 2) == -1)
		return (-1);
	s->word[s->n++] = (uint32_t)at;
	s->word[s->n++] = 0;
	if (!is_one_touch(&white) ||
	    (look > LOOK_MOST && white.type != ITEM_CIRCLE))
		return (0);
	white.rgb = 0xffffff;
	paint_items(&c, &one, 0, 1);
	rows = white.type == ITEM_CIRCLE
		   ? take_circle(s, black, &white, &b)
		   : shares_take(s, black, b.x0, b.y0, b.x1, b.y1);
	if (rows == 0)
		s->n = head; /* it lies in other bands */
	else if (rows > 0)
		s->word[head + 1] = (uint32_t)rows;
	return (rows);
}

int
cover_take(struct cover *v, int band, const struct scene *scene, size_t from,
    size_t to, const struct canvas *black)
{
	size_t most = (size_t)v->width * (size_t)v->height / COVER_BANDS * 2;
	struct shares *s = &v->band[band];

	for (size_t i = from; i < to && i < scene->n; i++)
		if (take(s, scene, i, black) == -1 || s->n > most + 65536)
			return (-1);
	return (0);
}

void
cover_paint(const struct cover *v, int band, const struct scene *scene,
    const struct canvas *c)
{
	struct canvas part = cover_band(c, band);
	const struct shares *s = &v->band[band];
	size_t at = 0;

	while (at < s->n) {
		uint32_t i = s->word[at], rows = s->word[at + 1];

		at += 2;
		if (rows == 0)
			paint_items(&part, scene, i, i + 1);
		else
			at = shares_paint(s, at, rows, c->px,
			    scene->items[i].rgb);
	}
}

void
cover_free(struct cover *v)
{
	for (int i = 0; i < COVER_BANDS; i++)
		shares_free(&v->band[i]);
	memset(v, 0, sizeof(*v));
}
