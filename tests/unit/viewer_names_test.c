/* Names on the sectors of a sunburst, the boxes of an icicle; turned text. */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "ui/draw/layer.h"
#include "ui/input/input.h"
#include "ui/panes/tree/treepane.h"
#include "ui/whole/frame.h"

#define W      1200
#define H      800
#define PIECES 4000
#define RISE   7 /* px of a letter over and under the line it stands on */
#define DROP   1

struct fixture {
	struct model *m;
	struct ui *ui;
	struct canvas c, layer;
	uint32_t *px;
	struct tree_piece *piece;
	size_t n;
};

static int
setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	assert_non_null(x);
	x->m = make_pascal_model(12, 3, 1000000, 30000);
	x->ui = make_ui(x->m, &x->c, &x->px, W, H);
	x->piece = calloc(PIECES, sizeof(*x->piece));
	assert_non_null(x->piece);
	*state = x;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *x = *state;

	ui_free(x->ui);
	model_free(x->m);
	free(x->piece);
	free(x->px);
	free(x);
	return (0);
}

static void
take_piece(void *arg, const struct tree_piece *p)
{
	struct fixture *x = arg;

	assert_in_range(x->n, 0, PIECES - 1);
	assert_int_equal(strlen(p->text), p->n);
	x->piece[x->n++] = *p;
}

/* The names of what is shown. */
static void
look(struct fixture *x)
{
	ui_frame(x->ui, &x->c);
	assert_non_null(x->ui->treepane.layer.px);
	layer_canvas(&x->ui->treepane.layer, x->ui->treepane.layer.px,
	    &x->layer);
	x->n = 0;
	tree_names_each(x->ui, &x->layer, take_piece, x);
}

static void
run(struct fixture *x, const char *line)
{
	if (command_run(x->ui, line) == -1)
		fail_msg("%s: %s", line, x->ui->told.message);
}

/* The node that is drawn at a place of a piece: along it, and above. */
static const struct radial_node *
node_at(const struct fixture *x, const struct tree_piece *p, double along,
    double up)
{
	double l = hypot(p->dx, p->dy), dx = p->dx / l, dy = p->dy / l;

	return (radial_nearest(&x->ui->treepane.nodes, &x->ui->tree,
	    (int32_t)lrint(p->x_q / 16.0 + along * dx + up * dy),
	    (int32_t)lrint(p->y_q / 16.0 + along * dy - up * dx), 3));
}

/* All of a piece lies on one sector. */
static const struct radial_node *
check_piece(const struct fixture *x, const struct tree_piece *p)
{
	double w = text_width(FONT_SMALL, p->text, p->n);
	const struct radial_node *n = node_at(x, p, w / 2, RISE / 2.0);

	assert_non_null(n);
	for (int i = 0; i < 4; i++)
		if (node_at(x, p, i & 1 ? w - 1 : 1, i & 2 ? RISE : DROP) != n)
			fail_msg("\"%s\" of task %u reaches beyond its sector",
			    p->text, n->task);
	return (n);
}

static void
each_name_keeps_to_its_sector(void **state)
{
	static const char *const forms[] = { "form sunburst", "form icicle" };
	struct fixture *x = *state;
	size_t names = 0, one_letter = 0;

	for (unsigned form = 0; form < 2; form++) {
		run(x, forms[form]);
		for (int i = 0; i < 40; i++) {
			x->ui->tree.zoom = 1 + i * 0.4;
			x->ui->tree.centre_x = (i * 37) % 300 - 150;
			x->ui->tree.centre_y = (i * 59) % 400 - 200;
			x->ui->tree.rotate_rad = form == 0 ? i * 0.31 : 0;
			picture_changed(x->ui->picture);
			look(x);
			for (size_t k = 0; k < x->n; k++) {
				check_piece(x, &x->piece[k]);
				names++;
				one_letter += x->piece[k].n == 1;
			}
		}
	}
	assert_true(names > 500);
	assert_true(one_letter > 50); /* along an arc */
}

/* A straight one is never upside down. */
static void
they_can_be_read(void **state)
{
	struct fixture *x = *state;
	const struct radial_node *n;
	const char *name;

	run(x, "form sunburst");
	for (int i = 0; i < 24; i++) {
		x->ui->tree.zoom = 3;
		x->ui->tree.rotate_rad = i * 0.2618;
		picture_changed(x->ui->picture);
		look(x);
		assert_true(x->n > 0);
		for (size_t k = 0; k < x->n; k++) {
			const struct tree_piece *p = &x->piece[k];

			if (p->n < 2)
				continue;
			assert_true(p->dx >= -82); /* 1.2 degrees */
			n = check_piece(x, p);
			name = model_name(x->m, model_task_name(x->m, n->task));
			assert_non_null(name);
			/* all of it, or a beginning */
			if (strcmp(name, p->text) != 0) {
				assert_true(strstr(p->text, "…") != NULL);
				assert_int_equal(strncmp(name, p->text, 4), 0);
			}
		}
	}
}

static void
thin_rings_have_none(void **state)
{
	struct fixture *x = *state;

	run(x, "form sunburst");
	x->ui->tree.zoom = 0.2;
	look(x);
	assert_true(x->ui->treepane.nodes.ring_px < 11);
	assert_int_equal(x->n, 0);
}

/* Those of branches lie upon lines, but not upon each other. */
static void
branches_have_names_that_lie_apart(void **state)
{
	struct fixture *x = *state;
	int32_t w, h = 10;

	run(x, "form polygons");
	look(x);
	assert_true(x->n > 1);
	for (size_t i = 0; i < x->n; i++) {
		const struct tree_piece *a = &x->piece[i];

		assert_true(a->upon);
		assert_true(a->x_q >= 0 && a->y_q >= 0);
		w = text_width(FONT_SMALL, a->text, a->n);
		assert_true(a->x_q / 16 + w <= x->ui->tree.width);
		for (size_t k = 0; k < i; k++) {
			const struct tree_piece *b = &x->piece[k];

			if (abs(a->y_q - b->y_q) / 16 >= h)
				continue;
			assert_true(a->x_q / 16 + w <= b->x_q / 16 ||
				    b->x_q / 16 + text_width(FONT_SMALL,
						      b->text, b->n) <=
					a->x_q / 16);
		}
	}
}

/* The sum of what is not black, in 1/255 px. */
static uint64_t
ink(const uint32_t *px, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += px[i] & 255;
	return (sum);
}

static void
turned_text_is_the_same_text(void **state)
{
	static const char words[] = "makeRows äß";
	static uint32_t px[200 * 200], level[200 * 200];
	struct canvas c;
	uint64_t least = UINT64_MAX, most = 0, some;

	(void)state;
	canvas_init(&c, px, 200, 200, 200);
	canvas_text_turned(&c, FONT_SMALL, 60 * 16, 90 * 16, 7, 0, 0xffffff,
	    words, strlen(words));
	memcpy(level, px, sizeof(px));
	memset(px, 0, sizeof(px));
	canvas_text(&c, FONT_SMALL, 60, 90, 0xffffff, words, strlen(words));
	assert_memory_equal(px, level, sizeof(px));
	for (int a = 5; a < 360; a += 7) { /* as much of it in any direction */
		double rad = a * 3.14159265358979 / 180;

		memset(px, 0, sizeof(px));
		canvas_text_turned(&c, FONT_SMALL, 100 * 16, 100 * 16,
		    (int32_t)(1000 * cos(rad)), (int32_t)(1000 * sin(rad)),
		    0xffffff, words, strlen(words));
		some = ink(px, 200 * 200);
		least = some < least ? some : least;
		most = some > most ? some : most;
	}
	assert_true(least > 0 && most * 100 < least * 103);
	/* what is cut off is as if it were there */
	memset(px, 0, sizeof(px));
	canvas_clip(&c, 90, 90, 110, 120);
	canvas_text_turned(&c, FONT_SMALL, 80 * 16, 80 * 16, 500, 500, 0xffffff,
	    words, strlen(words));
	memcpy(level, px, sizeof(px));
	memset(px, 0, sizeof(px));
	canvas_init(&c, px, 200, 200, 200);
	canvas_text_turned(&c, FONT_SMALL, 80 * 16, 80 * 16, 500, 500, 0xffffff,
	    words, strlen(words));
	for (int y = 0; y < 200; y++)
		for (int k = 0; k < 200; k++)
			if (k < 90 || k >= 110 || y < 90 || y >= 120)
				assert_int_equal(level[y * 200 + k], 0);
			else
				assert_int_equal(level[y * 200 + k],
				    px[y * 200 + k]);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(each_name_keeps_to_its_sector),
		T(they_can_be_read),
		T(thin_rings_have_none),
		T(branches_have_names_that_lie_apart),
		cmocka_unit_test(turned_text_is_the_same_text),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
