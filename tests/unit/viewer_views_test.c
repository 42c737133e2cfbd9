/* What all views have by being in the table. */
#include "tests/unit/viewer_desk.h"

#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/input/input.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"
#include "ui/whole/compare.h"
#include "ui/whole/frame.h"

#define POS 40
#define LONG                                                                   \
	"a_name_that_is_longer_than_any_column_has_room_for_if_it_is_narrow"

/* Processes on two nodes that send to each other, in long functions. */
static struct model *
talkers(void)
{
	struct make_log log = { 0 };
	uint32_t at[POS], name;

	make_log_head(&log, "talk");
	make_log_node(&log, 1, "node-of-a-long-name-0");
	make_log_node(&log, 2, "node-of-a-long-name-1");
	name = make_log_name(&log, LONG);
	for (uint32_t i = 0; i < POS; i++) {
		make_log_po(&log, 1 + i % 2, i + 1, LONG);
		at[i] = make_log_thread(&log, 1 + i % 2, i + 1, 1, "t");
	}
	for (uint32_t i = 0; i < 1000; i++) {
		int64_t t = 1000000 + (int64_t)i * 1000;
		uint32_t to = at[(i * 7 + 1) % POS];

		make_log_event(&log, at[i % POS], EV_enter, t, 1, 0, name);
		make_log_event(&log, at[i % POS], EV_send, t + 100, i + 1, 64,
		    1);
		make_log_event(&log, at[i % POS], EV_leave, t + 200, 1, 0,
		    name);
		make_log_event(&log, to, EV_receive_wait, t + 300, i + 1, 0, 1);
		make_log_event(&log, to, EV_receive, t + 400, i + 1, 64, 1);
	}
	make_log_sort(&log);
	return (make_model(&log));
}

/* Zero at first, the same from frame to frame, and away with the run. */
static void
a_view_has_memory_of_its_own(void **state)
{
	struct fixture *x = *state;
	struct make_log log = { 0 };
	struct model *m;
	uint64_t *own = view_own(x->ui, VIEW_STACKS, sizeof(*own));

	assert_non_null(own);
	assert_true(*own == 0);
	*own = 7;
	assert_ptr_not_equal(view_own(x->ui, VIEW_SPANS, 8), own);
	ui_frame(x->ui, &x->c);
	assert_ptr_equal(view_own(x->ui, VIEW_STACKS, sizeof(*own)), own);
	make_log_head(&log, "another");
	make_log_node(&log, 1, "n0");
	make_log_sort(&log);
	m = make_model(&log);
	ui_refresh(x->ui, m, &x->ui->feed);
	own = view_own(x->ui, VIEW_STACKS, sizeof(*own));
	assert_true(*own == 0);
	ui_refresh(x->ui, x->m, &x->ui->feed);
	model_free(m);
}

#define GROUND 0x00ab12cd

/* Pixels from x on are as they were. */
static bool
is_ground(const struct canvas *c, int32_t x0, int32_t x1)
{
	for (int32_t y = 0; y < c->height; y++)
		for (int32_t x = x0; x < x1; x++)
			if ((c->px[(size_t)y * (size_t)c->stride + (size_t)x] &
				0xffffff) != GROUND)
				return (false);
	return (true);
}

/* Without a clip, in a place of that size. */
static void
check_sides(struct ui *ui, enum view_id v, int32_t w, int32_t h, uint32_t *px)
{
	struct rect r = { 40, 20, 40 + w, 20 + h };
	struct canvas c;

	canvas_init_dots(&c, px, 1700, 900, 1700);
	canvas_fill(&c, 0, 0, c.width, c.height, GROUND);
	views[v].prepare(ui);
	ui->spots.n = 0;
	views[v].draw(ui, &c, &r);
	assert_false(is_ground(&c, r.x0, r.x1));
	assert_true(is_ground(&c, 0, r.x0 - 4));
	assert_true(is_ground(&c, r.x1 + 1, c.width));
}

/* In places of all sizes, the dock and a window: no side cuts anything off. */
static void
a_view_keeps_to_its_place(void **state)
{
	static const int32_t sizes[][2] = { { 430, 560 }, { 560, 84 },
		{ 690, 560 }, { 1100, 84 }, { 1570, 840 } };
	uint32_t *px = malloc(1700 * 900 * sizeof(*px));
	struct model *m = talkers();
	struct fixture *x = *state;
	struct ui *ui = x->ui, *other = ui_new(&palette_dark);

	assert_non_null(px);
	ui_refresh(ui, m, &ui->feed);
	ui_refresh(other, m, &ui->feed);
	compare_with(ui, other);
	ui_frame(ui, &x->c);
	command_run(ui, "select-row 5");
	command_run(ui, "cursor 100us");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int v = 0; v < VIEWS; v++)
			if (views[v].pane == PANES)
				check_sides(ui, (enum view_id)v, sizes[i][0],
				    sizes[i][1], px);
	compare_with(ui, NULL);
	ui_refresh(ui, x->m, &ui->feed);
	model_free(m);
	free(px);
}

static bool
has_spot(const struct ui *ui, const char *command)
{
	for (unsigned i = 0; i < ui->spots.n; i++)
		if (strcmp(ui->spots.spot[i].command, command) == 0)
			return (true);
	return (false);
}

/* Lanes and tree: what is said of them takes no height from them. */
static void
the_dock_is_for_the_picture(void **state)
{
	struct fixture *x = *state;
	const struct places *p = &x->ui->places;
	const struct rect *r;

	command_run(x->ui, "put Activity left");
	command_run(x->ui, "put Stacks right");
	command_run(x->ui, "tab Tree");
	ui_frame(x->ui, &x->c);
	r = &p->pane[PANE_TREE];
	assert_true(r->y1 - r->y0 > 60 && r->y1 - r->y0 < 160);
	assert_int_equal(p->tree.y1 - p->tree.y0, r->y1 - r->y0);
	assert_int_equal(p->tree.x1 - p->tree.x0, r->y1 - r->y0);
	assert_int_equal(p->tree_words.x0, p->tree.x1);
	assert_true(has_spot(x->ui, "put Tree left"));
	command_run(x->ui, "tab Lanes");
	ui_frame(x->ui, &x->c);
	r = &p->pane[PANE_TIME];
	assert_int_equal(p->ruler.y0, r->y0);
	assert_true(has_spot(x->ui, "put Lanes left"));
	/* in its small form there is nothing to set */
	assert_false(has_spot(x->ui, "cycle-colour"));
	command_run(x->ui, "arrange plain");
	ui_frame(x->ui, &x->c);
	assert_true(p->ruler.y0 > r->y0);
	assert_true(p->tree.y0 > p->pane[PANE_TREE].y0);
	assert_int_equal(p->tree.x1, p->pane[PANE_TREE].x1);
}

/* A thread of talkers() begins with its first event, and none ends. */
static unsigned
begun_until(uint32_t t_ns)
{
	bool seen[POS] = { false };
	unsigned n = 0;

	for (uint32_t i = 0; i < 1000; i++) {
		seen[i % POS] |= i * 1000 <= t_ns;
		seen[(i * 7 + 1) % POS] |= i * 1000 + 300 <= t_ns;
	}
	for (int i = 0; i < POS; i++)
		n += seen[i];
	return (n);
}

static bool
says(struct ui *ui, const char *what)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	bool found;

	assert_non_null(f);
	views[VIEW_ACTIVITY].describe(ui, f);
	fclose(f);
	found = strstr(text, what) != NULL;
	free(text);
	return (found);
}

static void
one_state_is_shown_alone(void **state)
{
	static const uint32_t until_ns[] = { 400, 12000, 23456, 900000 };
	struct model *m = talkers();
	struct canvas c;
	uint32_t *px;
	struct ui *ui = make_ui(m, &c, &px, 1600, 1000);
	char line[96];

	(void)state;
	command_run(ui, "tab Activity");
	command_run(ui, "activity count");
	command_run(ui, "put Activity left");
	for (size_t i = 0; i < sizeof(until_ns) / sizeof(until_ns[0]); i++) {
		snprintf(line, sizeof(line), "select-range 0ns:%uns",
		    (unsigned)(until_ns[i] + 1000000 - run_origin(ui)));
		assert_int_equal(command_run(ui, line), 0);
		ui_frame(ui, &c);
		for (int k = 0; k < 2; k++) {
			snprintf(line, sizeof(line),
			    "  %s: %u begun, 0 ended, %u alive\n",
			    k == 0 ? "threads" : "processes",
			    begun_until(until_ns[i]), begun_until(until_ns[i]));
			assert_true(says(ui, line));
		}
	}
	assert_true(has_spot(ui, "only-state running"));
	assert_true(says(ui, "count of running: "));
	assert_true(says(ui, "count of message: "));
	assert_int_equal(command_run(ui, "only-state message"), 0);
	assert_false(says(ui, "count of running: "));
	assert_true(says(ui, "count of message: "));
	ui_frame(ui, &c);
	assert_true(has_spot(ui, "only-state running"));
	assert_int_equal(command_run(ui, "only-state sleeping"), -1);
	assert_int_equal(command_run(ui, "only-state message"), 0);
	assert_true(says(ui, "count of running: "));
	assert_int_equal(command_run(ui, "only-state running"), 0);
	assert_false(says(ui, "count of message: "));
	assert_int_equal(command_run(ui, "only-state"), 0);
	assert_true(says(ui, "count of message: "));
	ui_free(ui);
	model_free(m);
	free(px);
}

/* The tab in front has its place, and no two of them, nor the marks behind. */
static void
check_tabs(const struct ui *ui, const char *front)
{
	const struct rect *dock = &ui->places.pane[PANE_DOCK];
	int32_t x = dock->x0;
	char tab[40];

	snprintf(tab, sizeof(tab), "tab %s", front);
	assert_true(has_spot(ui, tab));
	snprintf(tab, sizeof(tab), "put %s ", front);
	for (unsigned i = 0; i < ui->spots.n; i++) {
		const struct spot *s = &ui->spots.spot[i];

		if (strncmp(s->command, "tab ", 4) != 0 &&
		    strncmp(s->command, tab, strlen(tab)) != 0)
			continue;
		assert_true(s->at.x0 >= x);
		assert_true(s->at.x1 <= dock->x1);
		x = s->at.x1;
	}
}

/* However narrow: the tab in front is in sight, and the way to the others. */
static void
tabs_keep_to_their_room(void **state)
{
	static const int32_t widths[] = { 480, 640, 900, 1200, 1600 };
	char line[40];

	(void)state;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct model *m = talkers();
		struct canvas c;
		uint32_t *px;
		struct ui *ui = make_ui(m, &c, &px, widths[i], 700);

		for (int v = 0; v < VIEWS; v++) {
			ui_frame(ui, &c);
			if (!view_is_tab(ui, (enum view_id)v))
				continue;
			snprintf(line, sizeof(line), "tab %s", views[v].name);
			assert_int_equal(command_run(ui, line), 0);
			ui_frame(ui, &c);
			check_tabs(ui, views[v].name);
		}
		ui_free(ui);
		model_free(m);
		free(px);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_view_has_memory_of_its_own),
		TEST(a_view_keeps_to_its_place),
		TEST(the_dock_is_for_the_picture),
		cmocka_unit_test(one_state_is_shown_alone),
		cmocka_unit_test(tabs_keep_to_their_room),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
