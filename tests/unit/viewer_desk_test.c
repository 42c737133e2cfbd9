/*
 * Beside the views: the configuration file, what is copied, pictures as SVG,
 * finer dots, what the pointer is on, the table of functions.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/rnd.h"
#include "tests/unit/viewer_desk.h"
#include "ui/commands/command.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/panes/panes.h"
#include "ui/views/calls/columns.h"
#include "ui/views/view.h"
#include "ui/whole/config.h"
#include "ui/whole/frame.h"

static void
the_layout_comes_back(void **state)
{
	static const char *const said[] = { "split 333 666", "tab Stacks",
		"colour time", "lanes state", "theme light", "speed 0.25",
		"grid", "links", "link-width size", "link-colour tag" };
	struct fixture *x = *state;
	struct config c = { .width = 1000, .height = 700, .scale_q = 20 },
		      got = { 0 };
	struct ui *ui = ui_new(&palette_dark);

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		assert_int_equal(command_run(x->ui, said[i]), 0);
	assert_int_equal(config_save(x->path, x->ui, &c), 0);
	config_load(x->path, ui, &got);
	assert_int_equal(ui->places.split_x, 333);
	assert_int_equal(ui->places.split_y, 666);
	assert_int_equal(ui->places.tab, VIEW_STACKS);
	assert_int_equal(ui->tree.colour, x->ui->tree.colour);
	assert_int_equal(ui->time.colour, TIMELINE_BY_STATE);
	assert_ptr_equal(ui->palette, &palette_light);
	assert_true(ui->play.speed == 0.25);
	assert_false(ui->timepane.grid);
	assert_false(ui->time.links);
	assert_true(ui->time.links_as.wide);
	assert_true(ui->time.links_as.by_tag);
	assert_int_equal(got.width, 1000);
	assert_int_equal(got.height, 700);
	assert_int_equal(got.scale_q, 20);
	ui_free(ui);
}

static void
a_bad_file_is_not_used_at_all(void **state)
{
	static const char *const bad[] = { "split 1 2\nsplit x\n",
		"split 1 2\nquit\n", "split 1 2\nexport /etc/passwd\n",
		"split 1 2\ngrid maybe\n", "split 1 2\nscale 0\n",
		"split 1 2\nsize 1x1\n", "split 1 2\n\001\002\003\n" };
	struct fixture *x = *state;
	struct config c = { 0 };
	struct ui *ui = ui_new(&palette_dark);
	char *many = malloc(100000);

	snprintf(x->path, sizeof(x->path), "%s/conf", x->dir);
	config_load(x->path, ui, &c); /* there is none */
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_file(x->path, bad[i]);
		config_load(x->path, ui, &c);
		assert_int_equal(ui->places.split_x, 552);
		assert_false(ui->desks->host.quit);
	}
	memset(many, 'x', 99999);
	many[99999] = '\0';
	write_file(x->path, many);
	config_load(x->path, ui, &c);
	assert_int_equal(ui->places.split_x, 552);
	write_file(x->path, "# fine\n\nsplit 5 6");
	config_load(x->path, ui, &c);
	assert_int_equal(ui->places.split_x, 5);
	free(many);
	ui_free(ui);
}

static void
what_is_selected_is_copied(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	assert_int_equal(command_run(ui, "copy"), 0);
	assert_int_equal(ui->desks->host.offer, OFFER_BOTH);
	assert_non_null(strstr(ui->desks->host.copied, "events\t"));
	command_run(ui, "select-task 17");
	command_run(ui, "select-range 10us:20us");
	assert_int_equal(command_run(ui, "copy"), 0);
	assert_non_null(strstr(ui->desks->host.copied, "range\t"));
	assert_non_null(strstr(ui->desks->host.copied, "task\t17 "));
	assert_non_null(strstr(ui->desks->host.copied, "spawned\t"));
	command_run(ui, "clear");
	command_run(ui, "select-row 0");
	ui->desks->host.offer = OFFER_NONE;
	assert_int_equal(command_offer(ui, false), 0);
	assert_int_equal(ui->desks->host.offer, OFFER_PRIMARY);
	assert_non_null(strstr(ui->desks->host.copied, "spans\t"));
}

static void
svg_has_what_is_drawn(void **state)
{
	static const char *const kinds[] = { "all", "radial", "process-time" };
	struct fixture *x = *state;

	snprintf(x->path, sizeof(x->path), "%s/a.svg", x->dir);
	for (int i = 0; i < 3; i++) {
		char *text = NULL;
		size_t n = 0;
		FILE *f;

		assert_int_equal(svg_write(x->ui, x->path, kinds[i]), 0);
		f = fopen(x->path, "r");
		assert_non_null(f);
		assert_true(getdelim(&text, &n, EOF, f) > 1000);
		fclose(f);
		assert_non_null(strstr(text, "<svg xmlns"));
		assert_int_equal(strcmp(text + strlen(text) - 7, "</svg>\n"),
		    0);
		assert_true((strstr(text, "<polygon") != NULL) == (i != 2));
		/* names are escaped */
		assert_true((strstr(text, "n&lt;0&gt;") != NULL) == (i != 1));
		assert_null(strstr(text, "n<0>"));
		free(text);
	}
	assert_int_equal(svg_write(x->ui, "/nowhere/a.svg", "all"), -1);
}

/*
 * At every scale: neighbours touch, all dots belong to a pixel, text is there
 * and as wide as it is, and clipping cuts and does not change.
 */
static void
dots_are_finer_pixels(void **state)
{
	enum {
		DOTS = 403
	};
	uint32_t *px = calloc(2 * DOTS * DOTS, sizeof(*px)),
		 *cut = px + DOTS * DOTS;
	struct canvas c;

	(void)state;
	for (int q = 16; q <= 64; q += 4) {
		int32_t ink = 0, right = 0, wide;

		assert_int_equal(canvas_set_scale(q), 0);
		canvas_init_dots(&c, px, DOTS, DOTS, DOTS);
		assert_in_range(c.width * q - DOTS * 16, 0, q - 1);
		for (int32_t x = 0; x < c.width; x++)
			canvas_fill(&c, x, 0, x + 1, c.height,
			    x % 2 == 0 ? 0x111111 : 0x222222);
		for (int i = 0; i < DOTS * DOTS; i++)
			assert_true(px[i] == 0x111111 || px[i] == 0x222222);

		canvas_fill(&c, 0, 0, c.width, c.height, 0);
		canvas_text(&c, FONT_NORMAL, 10, 40, 0xffffff, "Orrery 08", 9);
		for (int i = 0; i < DOTS * DOTS; i++) {
			ink += px[i] > 0x7f7f7f;
			if (px[i] > 0x7f7f7f && i % DOTS > right)
				right = i % DOTS;
		}
		wide = (10 + text_width(FONT_NORMAL, "Orrery 08", 9)) * q / 16;
		assert_in_range(right, wide - q / 4, wide + 1);
		assert_true(ink > 100 * q * q / 256);

		for (int pass = 0; pass < 2; pass++) {
			canvas_init_dots(&c, pass == 0 ? px : cut, DOTS, DOTS,
			    DOTS);
			canvas_fill(&c, 0, 0, c.width, c.height, 0x101418);
			if (pass == 1)
				canvas_clip(&c, 24, 16, 64, 56);
			canvas_text(&c, FONT_BOLD, 18, 40, 0xffffff, "Äg", 3);
			canvas_line_aa(&c, 100, 90, 1500, 900, 24, 0xff0000,
			    200);
			canvas_disc(&c, 800, 600, 100, 0xff00, 255);
			canvas_circle(&c, 700, 500, 300, 16, 0xff, 255);
			canvas_hatch(&c, 50, 10, 80, 30, 0xd55e00, 0x7c3600);
			canvas_polygon(&c,
			    (int32_t[]){ 300, 300, 900, 400, 500, 880 }, 3,
			    0xabcdef, 255);
		}
		for (int32_t y = 16 * q / 16; y < 56 * q / 16; y++)
			assert_memory_equal(px + y * DOTS + 24 * q / 16,
			    cut + y * DOTS + 24 * q / 16,
			    (size_t)(40 * q / 16) * sizeof(*px));
	}
	canvas_set_scale(CANVAS_SCALE_ONE);
	free(px);
}

/* Outside of the views, too, the pointer is told what is there. */
static void
what_the_pointer_is_on_is_told(void **state)
{
	static const struct {
		enum pane pane;
		const char *said;
	} places[] = { { PANE_TOP, "clock" }, { PANE_TOP, "mem" },
		{ PANE_OVERVIEW, "events in this pixel" },
		{ PANE_DOCK, "% running" } };
	const int32_t wide = 1600; /* the dock has room beside its tabs */
	uint32_t *px_wide = calloc((size_t)wide * H, sizeof(*px_wide));
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	struct canvas c;

	assert_non_null(px_wide);
	tidy_up(x);
	canvas_init(&c, px_wide, wide, H, wide);
	ui_resize(ui, wide, H);
	ui_frame(ui, &c);
	command_run(ui, "fit-all");
	for (size_t i = 0; i < 4; i++) {
		struct rect r = ui->places.pane[places[i].pane];
		bool said = false;

		for (int32_t py = r.y0 + 5; py < r.y1 && !said; py += 7)
			for (int32_t px = 3; px < wide && !said; px += 29) {
				mouse_move(ui, px, py);
				ui_frame(ui, &c);
				said = strstr(ui->spots.hint, places[i].said) !=
				       NULL;
			}
		assert_true(said);
	}
	mouse_move(ui, ui->places.lanes.x0 + 5, ui->places.lanes.y0 + 5);
	ui_frame(ui, &c);
	assert_string_equal(ui->spots.hint, "");
	mouse_leave(ui);
	ui_resize(ui, W, H);
	ui_frame(ui, &x->c);
	tidy_up(x);
	free(px_wide);
}

/* The n-th function of the table, from the top. */
static const char *
nth_row(const struct ui *ui, unsigned n)
{
	for (unsigned i = 0; i < ui->spots.n; i++) {
		if (strncmp(ui->spots.spot[i].command, "search ", 7) == 0 &&
		    n-- == 0)
			return (ui->spots.spot[i].command + 7);
	}
	return (NULL);
}

/* ":task N" goes there: it is in sight, framed. */
static void
a_task_that_is_asked_for_is_shown(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	struct task t;
	char line[32];

	tidy_up(x);
	model_task_get(ui->model, model_tasks(ui->model) - 1, &t);
	command_run(ui, "range 0ns:1us");
	assert_true(t.begin_mon_ns > ui->time.t1_mon_ns);
	command_run(ui, "query task 1");
	assert_int_equal(command_run(ui, "query task 999999"), -1);
	assert_true(t.begin_mon_ns > ui->time.t1_mon_ns);
	snprintf(line, sizeof(line), "query task %u",
	    model_tasks(ui->model) - 1);
	assert_int_equal(command_run(ui, line), 0);
	ui_frame(ui, &x->c);
	assert_true(t.begin_mon_ns >= ui->time.t0_mon_ns &&
		    t.begin_mon_ns < ui->time.t1_mon_ns);
	assert_int_equal(ui->time.chosen.t0_mon_ns, t.begin_mon_ns);
	assert_int_equal(ui->time.chosen.t1_mon_ns, t.end_mon_ns);
	tidy_up(x);
}

static const struct name_stats *
stats_of(const struct ui *ui, const struct name_stats *s, size_t n,
    const char *name)
{
	while (n-- > 0) {
		if (strcmp(label_name(ui->model, s[n].name), name) == 0)
			return (&s[n]);
	}
	fail_msg("no function is called %s", name);
	return (NULL);
}

static bool
has_spot(const struct ui *ui, const char *command)
{
	for (unsigned k = 0; k < ui->spots.n; k++)
		if (strcmp(ui->spots.spot[k].command, command) == 0)
			return (true);
	return (false);
}

static double
sorted_by(const struct name_stats *s, const char *column)
{
	return (strcmp(column, "calls") == 0 ? (double)s->calls
		: strcmp(column, "max") == 0 ? (double)s->max_ns
		: strcmp(column, "mean") == 0
		    ? (double)s->total_ns / (double)s->calls
		    : (double)s->total_ns);
}

/* By the command, by the menu that it opens, and as it is kept. */
static void
columns_are_chosen(struct fixture *x)
{
	struct ui *ui = x->ui;

	assert_int_equal(command_run(ui, "column mean off"), 0);
	ui_frame(ui, &x->c);
	assert_false(has_spot(ui, "sort mean"));
	assert_true(has_spot(ui, "sort p50"));
	assert_int_equal(command_run(ui, "column mean"), 0);
	ui_frame(ui, &x->c);
	assert_true(has_spot(ui, "sort mean"));
	assert_int_equal(command_run(ui, "column"), 0);
	assert_true(menu_press(ui, "Down"));
	assert_true(menu_press(ui, "Return")); /* the first: calls */
	ui_frame(ui, &x->c);
	assert_false(has_spot(ui, "sort calls"));
	assert_int_equal(command_run(ui, "column calls on"), 0);
	/* there is nothing of that in this run */
	assert_int_equal(command_run(ui, "column cpu on"), 0);
	ui_frame(ui, &x->c);
	assert_false(has_spot(ui, "sort cpu"));
	assert_int_equal(command_run(ui, "column name"), -1);
	assert_int_equal(command_run(ui, "column mean maybe"), -1);
	assert_int_equal(command_run(ui, "column nonsense on"), -1);
}

/* Those that are hidden at first; of the whole run
 * nothing is added up then. */
static void
hidden_columns_are_shown_when_asked_for(void **state)
{
	struct fixture *x = *state;
	struct function_row row = { .s = { .number = 1, .max_ns = INT64_MAX } };
	struct ui *ui = x->ui;

	assert_int_equal(command_run(ui, "tab functions"), 0);
	ui_frame(ui, &x->c);
	assert_false(has_spot(ui, "sort self"));
	assert_false(has_spot(ui, "sort place"));
	columns_fill(ui, true, &row, 1);
	columns_percentiles(ui, true, &row, 1);
	assert_int_equal(row.s.self_ns, -1);
	assert_true(row.min_ns <= row.p50_ns);
	for (const char *const *hide = (const char *const[]){ "p50", "p99",
		 "max", "calls", "PE", NULL };
	     *hide != NULL; hide++) {
		char command[32];

		snprintf(command, sizeof(command), "column %s off", *hide);
		assert_int_equal(command_run(ui, command), 0);
	}
	assert_int_equal(command_run(ui, "column self on"), 0);
	assert_int_equal(command_run(ui, "column place on"), 0);
	for (int i = 0; i < 9 || sums_busy(ui); i++) {
		ui_frame(ui, &x->c);
		sums_go_on(ui);
	}
	assert_true(has_spot(ui, "sort self"));
	assert_true(has_spot(ui, "sort place"));
	columns_fill(ui, true, &row, 1);
	columns_percentiles(ui, true, &row, 1);
	assert_true(row.s.self_ns > 0);
	assert_int_equal(functions_sort(ui, "place"), 0);
	ui_frame(ui, &x->c);
	assert_int_equal(functions_sort(ui, "total"), 0);
}

/* No sums of the range are there yet. */
static void
percentiles_wait_for_the_sums(void **state)
{
	struct fixture *x = *state;
	struct function_row row = { .s.number = 1, .p50_ns = 7 };

	command_run(x->ui, "range 5ms:9ms");
	assert_null(x->ui->figures.sums.shown);
	columns_fill(x->ui, false, &row, 1);
	columns_percentiles(x->ui, false, &row, 1);
	assert_true(row.p50_ns == -1 && row.p99_ns == -1);
}

/* A click on a title, or the command, sorts the table of functions. */
static void
functions_are_sorted_by_a_column(void **state)
{
	static const char *const columns[] = { "calls", "max", "mean",
		"total" };
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	struct name_stats s[64];
	char of[96], command[32];
	size_t n;

	command_run(ui, "tab functions");
	ui_frame(ui, &x->c);
	n = functions_of(ui, s, 64, of, sizeof(of));
	assert_in_range(n, 4, 64);
	for (size_t i = 0; i < 4; i++) {
		const struct spot *at = NULL;
		double last = INFINITY;

		snprintf(command, sizeof(command), "sort %s", columns[i]);
		for (unsigned k = 0; k < ui->spots.n; k++) {
			if (strcmp(ui->spots.spot[k].command, command) == 0)
				at = &ui->spots.spot[k];
		}
		assert_non_null(at);
		mouse_down(ui, at->at.x0 + 5, at->at.y0 + 5, 1, 0, 1000);
		mouse_up(ui, at->at.x0 + 5, at->at.y0 + 5, 1, 0);
		ui_frame(ui, &x->c);
		for (unsigned k = 0; nth_row(ui, k) != NULL; k++) {
			double v = sorted_by(stats_of(ui, s, n, nth_row(ui, k)),
			    columns[i]);

			assert_true(v <= last);
			last = v;
		}
		assert_true(last < INFINITY);
	}
	assert_int_equal(command_run(ui, "sort name"), 0);
	ui_frame(ui, &x->c);
	for (unsigned k = 1; nth_row(ui, k) != NULL; k++)
		assert_true(strcmp(nth_row(ui, k - 1), nth_row(ui, k)) < 0);
	assert_int_equal(command_run(ui, "sort nonsense"), -1);
	assert_int_equal(command_run(ui, "sort p99"), 0);
	columns_are_chosen(x);
	tidy_up(x);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_layout_comes_back),
		TEST(a_bad_file_is_not_used_at_all),
		TEST(what_is_selected_is_copied),
		TEST(svg_has_what_is_drawn),
		TEST(dots_are_finer_pixels),
		TEST(what_the_pointer_is_on_is_told),
		TEST(a_task_that_is_asked_for_is_shown),
		TEST(percentiles_wait_for_the_sums),
		TEST(hidden_columns_are_shown_when_asked_for),
		TEST(functions_are_sorted_by_a_column),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
