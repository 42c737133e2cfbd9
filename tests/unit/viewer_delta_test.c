/*
 * What differs between two pictures: carried out, it makes one into the other,
 * whatever they are, and takes few requests for what is simple.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "window/delta.h"

#define W 203
#define H 117

static uint32_t px[3][W * H];

/* Carries out what it is told, and counts it. */
struct painter {
	struct canvas to;
	const struct canvas *now;
	size_t rects, hatched, points, pixels;
	int64_t steps; /* px from point to point */
};

static void
paint_rects(void *arg, uint32_t rgb, const struct delta_rect *r, size_t n)
{
	struct painter *p = arg;

	for (size_t i = 0; i < n; i++) {
		assert_in_range(r[i].x + r[i].w, 1, W);
		assert_in_range(r[i].y + r[i].h, 1, H);
		canvas_fill(&p->to, r[i].x, r[i].y, r[i].x + r[i].w,
		    r[i].y + r[i].h, rgb);
	}
	p->rects += n;
}

static void
paint_hatch(void *arg, const struct delta_hatch *h, const struct delta_rect *r,
    size_t n)
{
	struct painter *p = arg;

	for (size_t i = 0; i < n; i++)
		for (int y = r[i].y; y < r[i].y + r[i].h; y++)
			for (int x = r[i].x; x < r[i].x + r[i].w; x++)
				p->to.px[y * W + x] =
				    h->tone[(x + y + h->phase) % DELTA_HATCH];
	p->hatched += n;
}

static void
paint_points(void *arg, uint32_t rgb, const struct delta_point *q, size_t n)
{
	struct painter *p = arg;

	for (size_t i = 0; i < n; i++) {
		p->to.px[q[i].y * W + q[i].x] = rgb;
		if (i > 0)
			p->steps +=
			    abs(q[i].x - q[i - 1].x) + abs(q[i].y - q[i - 1].y);
	}
	p->points += n;
}

static void
paint_pixels(void *arg, const struct delta_rect *r)
{
	struct painter *p = arg;

	for (int y = r->y; y < r->y + r->h; y++)
		memcpy(p->to.px + y * W + r->x, p->now->px + y * W + r->x,
		    r->w * sizeof(uint32_t));
	p->pixels++;
}

static const struct delta_sink sink = { paint_rects, paint_hatch, paint_points,
	paint_pixels };

/* was and now in px[0] and px[1]; how it was done. */
static struct painter
carry_out(void)
{
	struct painter p = { 0 };
	struct canvas was, now;

	canvas_init(&was, px[0], W, H, W);
	canvas_init(&now, px[1], W, H, W);
	memcpy(px[2], px[0], sizeof(px[0]));
	canvas_init(&p.to, px[2], W, H, W);
	p.now = &now;
	assert_int_equal(delta(&was, &now, &sink, &p), 0);
	assert_memory_equal(px[2], px[1], sizeof(px[1]));
	return (p);
}

static struct canvas
blank(int i, uint32_t rgb)
{
	struct canvas c;

	canvas_init(&c, px[i], W, H, W);
	canvas_fill(&c, 0, 0, W, H, rgb);
	return (c);
}

static uint32_t
chance(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return ((*seed >> 8) % n);
}

/* Boxes, hatching, lines and text, as the viewer has them. */
static void
scribble(struct canvas *c, uint32_t *seed, int n)
{
	for (int i = 0; i < n; i++) {
		int32_t x = (int32_t)chance(seed, W),
			y = (int32_t)chance(seed, H);
		int32_t w = (int32_t)chance(seed, 90),
			h = (int32_t)chance(seed, 40);
		uint32_t rgb =
		    chance(seed, 3) * 0x7f00 + chance(seed, 3) * 0x7f;

		switch (chance(seed, 5)) {
		case 0:
			canvas_fill(c, x, y, x + w, y + h, rgb);
			break;
		case 1:
			canvas_hatch(c, x, y, x + w, y + h, rgb | 0xd08040,
			    rgb | 0x402000);
			break;
		case 2:
			canvas_line_aa(c, x * 16, y * 16, (x + w) * 16,
			    (y - h) * 16, 20, rgb, 200);
			break;
		case 3:
			canvas_text(c, FONT_NORMAL, x, y, rgb, "differs", 7);
			break;
		case 4: /* noise */
			for (int k = 0; k < 100; k++)
				canvas_fill(c, x + k % 10, y + k / 10,
				    x + k % 10 + 1, y + k / 10 + 1,
				    chance(seed, 0x1000000));
			break;
		}
	}
}

static void
carried_out_it_is_the_new_picture(void **state)
{
	uint32_t seed = 11;

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct canvas a = blank(0, 0x101418), b;

		scribble(&a, &seed, 30);
		if (i % 3 == 0) /* a part of it is not known */
			canvas_fill(&a, 20, 10, (int32_t)chance(&seed, W), 90,
			    DELTA_UNKNOWN);
		memcpy(px[1], px[0], sizeof(px[0]));
		canvas_init(&b, px[1], W, H, W);
		if (i % 3 == 0)
			blank(1, 0x101418);
		scribble(&b, &seed, i % 20);
		carry_out();
	}
}

static void
what_is_simple_takes_little(void **state)
{
	struct canvas c;
	struct painter p;

	(void)state;
	blank(0, 0x101418);
	blank(1, 0x101418);
	p = carry_out();
	assert_int_equal(p.rects + p.points + p.pixels + p.hatched, 0);

	blank(0, DELTA_UNKNOWN);
	p = carry_out();
	assert_int_equal(p.rects, 1);

	c = blank(0, 0x101418);
	canvas_init(&c, px[1], W, H, W);
	canvas_fill(&c, 13, 5, 150, 99, 0x9e73);
	p = carry_out();
	assert_true(p.rects <= 5 && p.points + p.pixels + p.hatched == 0);

	c = blank(1, 0x101418);
	canvas_hatch(&c, 10, 20, 190, 60, 0xd55e00, 0x7c3600);
	p = carry_out();
	assert_int_equal(p.hatched, 1);
	assert_true(p.rects + p.points + p.pixels <= 12);
}

/* Both sides of a circle lie in each row, but points go along it. */
static void
points_go_in_small_steps(void **state)
{
	struct canvas c;
	struct painter p;

	(void)state;
	blank(0, 0x101418);
	c = blank(1, 0x101418);
	for (int32_t r = 10; r < 58; r += 8)
		canvas_circle(&c, 100 * 16, 58 * 16, r * 16, 16, 0x232a31, 255);
	p = carry_out();
	assert_true(p.points > 1000);
	assert_true(p.steps < 10 * (int64_t)p.points);
}

static void
what_has_moved_is_moved(void **state)
{
	static const int32_t by[][2] = { { -7, 0 }, { 7, 0 }, { 0, -9 },
		{ 0, 9 }, { 5, -3 }, { -400, 0 } };
	const struct delta_rect r = { 30, 20, 120, 80 };
	uint32_t seed = 5;

	(void)state;
	for (size_t i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		struct canvas a = blank(0, 0), b;
		int32_t dx = by[i][0], dy = by[i][1];
		bool moved;

		scribble(&a, &seed, 60);
		memcpy(px[1], px[0], sizeof(px[0]));
		memcpy(px[2], px[0], sizeof(px[0]));
		canvas_init(&b, px[1], W, H, W);
		for (int y = 20; y < 100; y++)
			for (int x = 30; x < 150; x++)
				if (x - dx >= 30 && x - dx < 150 &&
				    y - dy >= 20 && y - dy < 100)
					px[1][y * W + x] =
					    px[2][(y - dy) * W + x - dx];
		moved = delta_move(&a, &b, &r, dx, dy);
		assert_int_equal(moved, i != 5);
		/* what came in was left as it was, in both */
		assert_memory_equal(px[0], px[1], sizeof(px[0]));
		/* nothing is won by moving it again */
		assert_false(delta_move(&a, &b, &r, dx, dy));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(carried_out_it_is_the_new_picture),
		cmocka_unit_test(what_is_simple_takes_little),
		cmocka_unit_test(points_go_in_small_steps),
		cmocka_unit_test(what_has_moved_is_moved),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
