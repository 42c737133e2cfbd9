/*
 * Other colours without another picture: the shapes that stay and what was
 * kept of them make the same list and the same pixels as a new one does.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "layout/radial/radial.h"
#include "model/model.h"
#include "ui/desk/ui.h"
#include "ui/draw/cover.h"
#include "ui/draw/layer.h"

#define TASKS 3000

static uint64_t seed;

static uint32_t
below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

static void
tell(struct model *m, uint16_t kind, uint64_t a, uint64_t b, uint64_t c)
{
	static int64_t now;
	struct event e = { .t_mon_ns = now += 10,
		.a = a,
		.b = b,
		.c = c,
		.kind = kind,
		.location = 1 };

	model_add_events(m, &e, 1);
}

/* Some spawned, begun and ended. */
static struct model *
tree(void)
{
	struct model *m = model_new();

	assert_non_null(m);
	for (uint32_t i = 1; i <= TASKS; i++) {
		tell(m, EV_task_spawn, i,
		    i == 1 ? 0 : i - 1 - below(i < 60 ? i - 1 : 60), 1 + i % 5);
		if (below(4) > 0)
			tell(m, EV_task_begin, i, below(6), 0);
		if (below(3) == 0)
			tell(m, EV_task_end, i, 0, 0);
	}
	return (m);
}

static struct canvas
canvas(int32_t w, int32_t h)
{
	struct canvas c;
	int32_t across = canvas_dots(w), down = canvas_dots(h);
	uint32_t *px = calloc((size_t)across * (size_t)down, sizeof(*px));

	assert_non_null(px);
	canvas_init_dots(&c, px, across, down, across);
	return (c);
}

static void
keep(struct cover *v, const struct scene *s, const struct canvas *black)
{
	cover_begin(v, s, black);
	for (int b = 0; b < COVER_BANDS; b++) {
		struct canvas part = cover_band(black, b);

		assert_int_equal(cover_take(v, b, s, 0, s->n, &part), 0);
	}
	/* nothing is left of it */
	for (int32_t i = 0; i < black->stride * black->dots_y; i++)
		assert_int_equal(black->px[i], 0);
}

/* The list painted as it is, and from what was kept of it. */
static void
paints_the_same(const struct cover *v, const struct scene *s, int32_t w,
    int32_t h)
{
	struct canvas a = canvas(w, h), b = canvas(w, h);

	canvas_fill(&a, 0, 0, w, h, 0x123456);
	canvas_fill(&b, 0, 0, w, h, 0x123456);
	assert_true(cover_is(v, s, &b));
	paint_items(&a, s, 0, s->n);
	for (int i = 0; i < COVER_BANDS; i++)
		cover_paint(v, i, s, &b);
	assert_memory_equal(a.px, b.px,
	    (size_t)a.stride * (size_t)a.dots_y * sizeof(*a.px));
	free(a.px);
	free(b.px);
}

static char *
text_of(const struct scene *s, size_t *n)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, n);

	assert_non_null(f);
	scene_print(s, f);
	fclose(f);
	return (text);
}

static void
says_the_same(const struct scene *a, const struct scene *b)
{
	size_t na, nb;
	char *ta = text_of(a, &na), *tb = text_of(b, &nb);

	assert_string_equal(ta, tb);
	free(ta);
	free(tb);
}

/* Each colouring after the first: from what stays, and made anew. */
static void
colours_of(const struct model *m, struct radial_view v)
{
	struct radial_layout kept = { .nnodes = 0 }, anew = { .nnodes = 0 };
	struct scene s = { .n = 0 }, other = { .n = 0 };
	struct canvas black = canvas(v.width, v.height);
	struct cover cover = { .made = 0 };
	uint64_t made;
	unsigned stayed = 0;

	radial_layout(m, &palette_dark, &v, &kept, &s);
	keep(&cover, &s, &black);
	for (int i = 0; i < 12; i++) {
		v.colour = (enum radial_colour)below(RADIAL_DIFFERENCE);
		v.scale = (enum palette_scale)below(2);
		made = s.made;
		radial_layout(m, &palette_dark, &v, &kept, &s);
		anew.shapes.model = NULL;
		radial_layout(m, &palette_dark, &v, &anew, &other);
		says_the_same(&s, &other);
		assert_int_equal(kept.drawn, anew.drawn);
		assert_int_equal(kept.as.points, anew.as.points);
		stayed += s.made == made;
		if (s.made != made)
			keep(&cover, &s, &black);
		paints_the_same(&cover, &s, v.width, v.height);
	}
	assert_in_range(stayed, 4, 12);
	cover_free(&cover);
	free(black.px);
	scene_free(&s);
	scene_free(&other);
	radial_layout_free(&kept);
	radial_layout_free(&anew);
}

static void
view_cases(const struct model *m)
{
	static const struct {
		int32_t width, height;
		double zoom, x;
		enum radial_form form;
		uint64_t selected;
	} cases[] = {
		{ 600, 401, 1, 0, RADIAL_POLYGONS, 0 },
		{ 601, 400, 1, 0, RADIAL_POLYGONS, 77 },
		{ 333, 500, 3, 200, RADIAL_POLYGONS, 0 },
		{ 300, 217, 40, -900, RADIAL_POLYGONS, 900 },
		{ 401, 402, 1, 0, RADIAL_SUNBURST, 3 },
		{ 255, 300, 2, 50, RADIAL_ICICLE, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		seed = i;
		colours_of(m, (struct radial_view){ .width = cases[i].width,
				  .height = cases[i].height,
				  .zoom = cases[i].zoom,
				  .centre_x = cases[i].x,
				  .form = cases[i].form,
				  .selected_task = cases[i].selected,
				  .root = TASK_NONE,
				  .ring_px_min = 4,
				  .until_mon_ns = INT64_MAX });
	}
}

static void
other_colours_are_those_of_a_new_picture(void **state)
{
	struct model *m;

	(void)state;
	seed = 1;
	m = tree();
	view_cases(m);
	model_free(m);
}

/* What is no colour, or changes the tree, makes a new list. */
static void
shapes_stay_for_colours_only(void **state)
{
	struct radial_view v = { .width = 300,
		.height = 300,
		.zoom = 1,
		.ring_px_min = 4,
		.root = TASK_NONE,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { .nnodes = 0 };
	struct scene s = { .n = 0 };
	struct model *m;
	uint64_t made;

	(void)state;
	m = tree();
	radial_layout(m, &palette_dark, &v, &l, &s);
#define ANEW(change)                                                           \
	do {                                                                   \
		made = s.made;                                                 \
		change;                                                        \
		radial_layout(m, &palette_dark, &v, &l, &s);                   \
		assert_int_not_equal(s.made, made);                            \
	} while (0)
	ANEW(v.zoom = 2);
	ANEW(v.centre_y = 5);
	ANEW(v.rotate_rad = 1);
	ANEW(v.selected_task = 9);
	ANEW(v.all_rings = true);
	ANEW(v.order = RADIAL_BY_PATH);
	ANEW(v.until_mon_ns = 20000);
	ANEW(v.until_mon_ns = INT64_MAX);
	ANEW(v.root = 4; v.subtree = true);
	ANEW(v.edges = true);
	ANEW(v.edges = false);
	ANEW(tell(m, EV_task_suspend, 5, 0, 0));
	ANEW(scene_clear(&s));
#undef ANEW
	made = s.made;
	radial_layout(m, &palette_light, &v, &l, &s);
	assert_int_not_equal(s.made, made);
	made = s.made;
	v.colour = RADIAL_STATE;
	radial_layout(m, &palette_light, &v, &l, &s);
	assert_int_equal(s.made, made);
	scene_free(&s);
	radial_layout_free(&l);
	model_free(m);
}

/* Last: a pixel is two and a half dots from now on. */
static void
the_same_with_finer_dots(void **state)
{
	struct model *m;

	(void)state;
	assert_int_equal(canvas_set_scale(40), 0);
	seed = 2;
	m = tree();
	view_cases(m);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_colours_are_those_of_a_new_picture),
		cmocka_unit_test(shapes_stay_for_colours_only),
		cmocka_unit_test(the_same_with_finer_dots),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
