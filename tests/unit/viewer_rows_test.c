/*
 * Which rows there are, by the commands that choose them: folded, pinned,
 * hidden, filtered, sorted, found.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "ui/command.h"

#define W  900
#define H  600
#define US 1000

struct fixture {
	struct model *m;
	struct ui *ui;
	struct canvas c;
	uint32_t *px;
};

static void
span(struct make_log *log, uint32_t at, uint32_t name, int64_t t0, int64_t t1)
{
	make_log_event(log, at, EV_enter, t0 * US, 1, 0, name);
	make_log_event(log, at, EV_leave, t1 * US, 1, 0, name);
}

/*
 * Node n1: PO 1 "alpha" with three workers, PO 2 "beta" with one thread that
 * nests; node n2: PO 1 "alpha" with one; an object "drone".
 */
static int
setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));
	struct make_log log = { 0 };
	uint32_t w[3], beta, far, f, g, d;

	assert_non_null(x);
	make_log_head(&log, "rows");
	make_log_node(&log, 1, "n1");
	make_log_node(&log, 2, "n2");
	make_log_po(&log, 1, 1, "alpha");
	make_log_po(&log, 1, 2, "beta");
	make_log_po(&log, 2, 1, "alpha");
	f = make_log_name(&log, "work");
	g = make_log_name(&log, "play");
	d = make_log_name(&log, "drone");
	w[0] = make_log_thread(&log, 1, 1, 1, "worker 1");
	w[1] = make_log_thread(&log, 1, 1, 2, "worker 10");
	w[2] = make_log_thread(&log, 1, 1, 3, "worker 2");
	beta = make_log_thread(&log, 1, 2, 1, "main");
	far = make_log_thread(&log, 2, 1, 1, "main");
	span(&log, w[0], f, 100, 200);
	span(&log, w[1], f, 50, 900);
	span(&log, w[2], f, 10, 400);
	span(&log, beta, f, 0, 1000);
	span(&log, beta, g, 100, 200);
	span(&log, far, g, 500, 600);
	make_log_event(&log, far, EV_object_create, 510 * US, 7, 0, d);
	x->m = make_model(&log);
	x->ui = make_ui(x->m, &x->c, &x->px, W, H);
	*state = x;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *x = *state;

	ui_free(x->ui);
	model_free(x->m);
	free(x->px);
	free(x);
	return (0);
}

static uint32_t
lane(const struct fixture *x, const char *label, unsigned nth)
{
	char name[64];

	for (uint32_t i = 0; i < model_lanes(x->m); i++) {
		model_lane_label(x->m, i, name, sizeof(name));
		if (strcmp(name, label) == 0 && nth-- == 0)
			return (i);
	}
	fail_msg("no lane %s", label);
	return (0);
}

/* Does it, and the rows are these; a pinned one has a '*', a folded one '+'. */
static void
gives(struct fixture *x, const char *command, const char *want)
{
	char got[512] = "", label[64];

	if (command_run(x->ui, command) == -1)
		fail_msg("%s: %s", command, x->ui->message);
	ui_frame(x->ui, &x->c);
	for (size_t i = 0; i < x->ui->rows.nrows; i++) {
		const struct timeline_row *r = &x->ui->rows.rows[i];

		model_lane_label(x->m, r->lane, label, sizeof(label));
		snprintf(got + strlen(got), sizeof(got) - strlen(got),
		    "%s%s%s%s", i == 0 ? "" : ", ", r->pinned ? "*" : "", label,
		    r->folded ? "+" : "");
	}
	if (strcmp(got, want) != 0)
		fail_msg("%s:\n got %s\nwant %s", command, got, want);
}

#define OBJECTS ", objects, drone 0"
#define REST    "beta  PO 2+, node n2, alpha  PO 1" OBJECTS

static void
levels_fold_all_at_once(void **state)
{
	struct fixture *x = *state;

	gives(x, "level nodes", "node n1+, node n2+, objects+");
	gives(x, "level", /* the next one */
	    "node n1, alpha  PO 1+, beta  PO 2+, node n2, alpha  PO 1" OBJECTS);
	gives(x, "level threads",
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, " REST);
	gives(x, "level calls",
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, beta  PO 2, "
	    "depth 0, depth 1, node n2, alpha  PO 1" OBJECTS);
	gives(x, "level", "node n1+, node n2+, objects+");
	assert_int_equal(command_run(x->ui, "level attic"), -1);
}

static void
orders_are_what_they_say(void **state)
{
	struct fixture *x = *state;

	gives(x, "sort number",
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, " REST);
	gives(x, "sort first",
	    "node n1, beta  PO 2+, alpha  PO 1, worker 2, worker 10, worker 1, "
	    "node n2, alpha  PO 1" OBJECTS);
	gives(x, "sort busy", /* beta 1000, alpha 1340 */
	    "node n1, alpha  PO 1, worker 10, worker 2, worker 1, " REST);
	x->ui->time.sort = TIMELINE_NUMBER;
	gives(x, "sort name",
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, " REST);
	assert_int_equal(command_run(x->ui, "sort taste"), -1);
	gives(x, "select-range 0s:60us",
	    "node n1, alpha  PO 1, worker 1, "
	    "worker 2, worker 10, " REST);
	gives(x, "sort busy", /* 60 beta, 50 worker 2, 10 worker 10 */
	    "node n1, alpha  PO 1, worker 2, worker 10, worker 1, " REST);
	gives(x, "select-range 0s:5us", /* stays until it is asked again */
	    "node n1, alpha  PO 1, worker 2, worker 10, worker 1, " REST);
}

static void
the_filter_keeps_what_is_above(void **state)
{
	struct fixture *x = *state;

	gives(x, "filter WORKER 1",
	    "node n1, alpha  PO 1, worker 1, worker 10");
	gives(x, "filter beta", "node n1, beta  PO 2+");
	gives(x, "filter n2", "node n2, alpha  PO 1");
	gives(x, "filter drone", "objects, drone 0");
	gives(x, "filter nobody", "");
	gives(x, "level nodes", "");
	gives(x, "filter worker 2", "node n1+"); /* it is in there */
	gives(x, "show-all", "node n1+, node n2+, objects+");
	gives(x, "level threads",
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, " REST);
}

static void
hidden_rows_come_back(void **state)
{
	struct fixture *x = *state;
	char line[64];

	snprintf(line, sizeof(line), "hide %u", lane(x, "alpha  PO 1", 0));
	gives(x, line, "node n1, " REST);
	assert_int_equal(x->ui->rows.rows_hidden, 1);
	/* what is searched for is shown */
	gives(x, "search worker 10",
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, " REST);
	assert_int_equal(x->ui->time.selected_lane, lane(x, "worker 10", 0));
	gives(x, "hide", "node n1, alpha  PO 1, worker 1, worker 2, " REST);
	assert_int_equal(command_run(x->ui, "hide"), -1); /* none selected */
	gives(x, "show-all",
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, " REST);
}

static void
pinned_rows_stay_at_the_top(void **state)
{
	struct fixture *x = *state;
	const struct timeline_row *r;
	char line[64];
	int32_t y;

	snprintf(line, sizeof(line), "pin %u", lane(x, "worker 10", 0));
	gives(x, line,
	    "*worker 10, node n1, alpha  PO 1, worker 1, worker 2, " REST);
	snprintf(line, sizeof(line), "pin %u", lane(x, "node n2", 0));
	gives(x, line,
	    "*node n2, *worker 10, node n1, alpha  PO 1, worker 1, worker 2, " REST);
	assert_int_equal(x->ui->rows.npinned, 2);
	ui_resize(x->ui, W, 300);
	x->c.height = 300;
	gives(x, "page-down",
	    "*node n2, *worker 10, node n1, alpha  PO 1, worker 1, worker 2, " REST);
	assert_true(x->ui->time.scroll_y > 0);
	assert_int_equal(x->ui->rows.rows[0].y, 0);
	assert_true(x->ui->rows.rows[2].y < x->ui->rows.pinned_height);
	/* the row at a height: the pinned one is in front */
	for (y = 0; y < x->ui->time.height; y++) {
		r = timeline_row_at(&x->ui->rows, y);
		assert_true(r == NULL ||
			    (r->y <= y && y < r->y + r->height &&
				r->pinned == (y < x->ui->rows.pinned_height)));
	}
	ui_resize(x->ui, W, H);
	canvas_init(&x->c, x->px, W, H, W);
	x->ui->time.selected_lane = lane(x, "objects", 0);
	assert_int_equal(command_run(x->ui, "pin"), -1);
	snprintf(line, sizeof(line), "pin %u", lane(x, "node n2", 0));
	gives(x, line,
	    "*worker 10, node n1, alpha  PO 1, worker 1, worker 2, " REST);
	snprintf(line, sizeof(line), "pin %u", lane(x, "worker 10", 0));
	gives(x, line,
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, " REST);
}

static void
search_goes_round(void **state)
{
	struct fixture *x = *state;
	uint32_t first;

	assert_int_equal(command_run(x->ui, "search worker"), 0);
	first = x->ui->time.selected_lane;
	assert_int_equal(command_run(x->ui, "next"), 0);
	assert_int_not_equal(x->ui->time.selected_lane, first);
	assert_int_equal(command_run(x->ui, "next"), 0);
	assert_int_equal(command_run(x->ui, "next"), 0);
	assert_int_equal(x->ui->time.selected_lane, first);
	assert_int_equal(command_run(x->ui, "previous"), 0);
	assert_int_equal(command_run(x->ui, "next"), 0);
	assert_int_equal(x->ui->time.selected_lane, first);
	assert_int_equal(command_run(x->ui, "search nobody"), -1);
	gives(x, "previous-row",
	    "node n1, alpha  PO 1, worker 1, worker 2, worker 10, " REST);
	for (int i = 0; i < 20; i++)
		assert_int_equal(command_run(x->ui, "next-row"), 0);
	assert_int_equal(x->ui->time.selected_lane, lane(x, "drone 0", 0));
	for (int i = 0; i < 20; i++)
		assert_int_equal(command_run(x->ui, "previous-row"), 0);
	assert_int_equal(x->ui->time.selected_lane, lane(x, "node n1", 0));
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(levels_fold_all_at_once),
		TEST(orders_are_what_they_say),
		TEST(the_filter_keeps_what_is_above),
		TEST(hidden_rows_come_back),
		TEST(pinned_rows_stay_at_the_top),
		TEST(search_goes_round),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
