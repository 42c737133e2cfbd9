/*
 * The tree in words: what is counted is what is there, of all trees, of one
 * of them and of a subtree; and a spoke is one from its sixteenth level on.
 * What a run that grows has is told as it is now, and of the range that is
 * asked, not as it was last drawn; of a tree that is hidden nothing is told.
 */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/radial/describe_tree.h"
#include "model/model.h"
#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/input/input.h"
#include "ui/whole/frame.h"

struct world {
	struct model *m;
	uint64_t n;
	int64_t now;
};

static void
tell(struct world *w, uint16_t kind, uint64_t a, uint64_t b)
{
	struct event e = { .t_mon_ns = w->now += 10,
		.location = 1,
		.a = a,
		.b = b,
		.kind = kind };

	model_add_events(w->m, &e, 1);
}

static uint64_t
spawn(struct world *w, uint64_t parent)
{
	tell(w, EV_task_spawn, ++w->n, parent);
	return (w->n);
}

static uint64_t
chain(struct world *w, uint64_t parent, unsigned levels)
{
	uint64_t top = 0;

	for (; levels > 0; levels--) {
		parent = spawn(w, parent);
		top = top == 0 ? parent : top;
	}
	return (top);
}

/* root: its number in the model; TASK_NONE: all. */
static void
says(const struct world *w, uint32_t root, bool subtree, const char *what)
{
	struct radial_view v = { .width = 400,
		.height = 400,
		.zoom = 1,
		.ring_px_min = 4,
		.root = root,
		.subtree = subtree,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	char text[4096] = "";
	FILE *f = fmemopen(text, sizeof(text), "w");

	assert_non_null(f);
	radial_layout(w->m, &palette_dark, &v, &l, &s);
	describe_radial(f, w->m, &v, &l);
	fclose(f);
	if (strstr(text, what) == NULL)
		fail_msg("lacks \"%s\":\n%s", what, text);
	radial_layout_free(&l);
	scene_free(&s);
}

static void
all_is_counted_once(void **state)
{
	struct world w = { .m = model_new() };
	uint64_t root, other, part;

	(void)state;
	assert_non_null(w.m);
	root = spawn(&w, 0);
	part = chain(&w, root, 5);
	chain(&w, root, 3);
	tell(&w, EV_task_begin, part, 3);
	tell(&w, EV_task_begin, part + 1, 1);
	tell(&w, EV_task_suspend, part, 0);
	tell(&w, EV_task_resume, part, 3);
	tell(&w, EV_task_suspend, part, 0);
	tell(&w, EV_task_end, part + 1, 0);
	says(&w, TASK_NONE, false, "begun: 2, ended: 1\n");
	says(&w, TASK_NONE, false, "suspended: 1 tasks, 2 times\n");
	says(&w, (uint32_t)part - 1, false, "by procedure: unnamed 9\n");
	says(&w, (uint32_t)part - 1, true, "by procedure: unnamed 5\n");
	says(&w, (uint32_t)part, true, "PE 1: 1)\n");
	other = spawn(&w, 0);
	chain(&w, other, 6);
	tell(&w, EV_task_begin, other, 4);
	says(&w, TASK_NONE, false, "by procedure: unnamed 16\n");
	says(&w, (uint32_t)other - 1, false, "by procedure: unnamed 7\n");
	says(&w, (uint32_t)part - 1, false, "by procedure: unnamed 9\n");
	says(&w, (uint32_t)other - 1, false, "begun: 1, ended: 0\n");
	model_free(w.m);
}

static void
a_spoke_has_sixteen_levels(void **state)
{
	struct world w = { .m = model_new() };
	uint64_t root, t, at;

	(void)state;
	assert_non_null(w.m);
	root = spawn(&w, 0);
	chain(&w, root, 16);
	for (int i = 0; i < 5; i++)
		chain(&w, root, 15);
	says(&w, TASK_NONE, false, "spokes: 1, of 16 tasks on 16 levels: 1\n");
	/* with a leaf beside each task that goes on */
	for (int k = 0; k < 2; k++) {
		t = spawn(&w, root);
		for (int i = 0; i < 20; i++) {
			at = spawn(&w, t);
			spawn(&w, t);
			t = at;
		}
	}
	says(&w, TASK_NONE, false, "spokes: 3, of 41 tasks on 21 levels: 2\n");
	model_free(w.m);
}

static void
all_that_has_come_is_told(void **state)
{
	struct feed_status feed = { .connected = true, .live = true };
	struct world w = { .m = model_new() };
	struct ui *ui = ui_new(&palette_dark);
	static uint32_t px[1200 * 800];
	struct canvas c;
	char want[64], *text;
	uint64_t root;

	(void)state;
	canvas_init(&c, px, 1200, 800, 1200);
	ui_resize(ui, 1200, 800);
	root = spawn(&w, 0);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 100; k++)
			chain(&w, root, 2);
		ui_refresh(ui, w.m, &feed);
		ui_frame(ui, &c);
		text = described(ui);
		snprintf(want, sizeof(want), "  tasks: %d, trees",
		    (i + 1) * 200 + 1);
		has(text, want);
		free(text);
	}
	assert_int_equal(command_run(ui, "pane right off"), 0);
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "Tree: not in sight\n");
	assert_null(strstr(text, "px in"));
	free(text);
	ui_free(ui);
	model_free(w.m);
}

/* No time, no bound and no figure that nobody knows. */
static void
before_the_first_event_nothing_is_known(void **state)
{
	struct feed_status feed = { .connected = true, .live = true };
	struct make_log l = { 0 };
	struct model *m = model_new();
	struct ui *ui = ui_new(&palette_dark);
	size_t fed = 0;
	char *text;

	(void)state;
	make_log_head(&l, "early");
	make_log_node(&l, 1, "n1");
	make_model_tell(m, &l, &fed);
	ui_resize(ui, 1200, 800);
	ui_refresh(ui, m, &feed);
	text = described(ui);
	has(text, "begins: not yet\n");
	has(text, "  range: nothing has happened yet\n");
	has(text, "  n1: clock unsynced; lost 0");
	assert_null(strstr(text, "0.0"));
	assert_null(strstr(text, "000 ns"));
	free(text);
	ui_free(ui);
	make_log_free(&l);
	model_free(m);
}

/* Messages and calls from one process to the other, and functions. */
static void
make_talk(struct make_log *l)
{
	uint32_t name, from, to;

	make_log_head(l, "talk");
	make_log_node(l, 1, "n1");
	make_log_po(l, 1, 1, "p");
	make_log_po(l, 1, 2, "q");
	from = make_log_thread(l, 1, 1, 1, "t");
	to = make_log_thread(l, 1, 2, 1, "u");
	name = make_log_name(l, "f");
	for (int64_t i = 1, t = 0; i <= 40; i++) {
		uint64_t id = (uint64_t)i;

		make_log_event(l, from, EV_enter, t += 1000, 0, 0, name);
		make_log_event(l, from, EV_send, t += 1000, id, 8, 0);
		make_log_event(l, to, EV_receive, t += 1000, id, 8, 0);
		make_log_event(l, from, EV_rpc_call, t += 1000, id, 8, name);
		make_log_event(l, to, EV_rpc_begin, t += 1000, id, 8, name);
		make_log_event(l, to, EV_rpc_end, t += 1000, id, 8, name);
		make_log_event(l, from, EV_rpc_return, t += 1000, id, 8, name);
		make_log_event(l, from, EV_leave, t += 1000, 0, 0, name);
	}
	make_log_blocks(l, 0);
}

static bool
never_cb(void *arg)
{
	(void)arg;
	return (false);
}

static char *
range_told(struct ui *ui, struct canvas *c, const char *range)
{

	assert_int_equal(command_run(ui, range), 0);
	ui_prepare(ui);
	ui_show(ui, c);
	return (described(ui));
}

/* Whatever was asked before, of the end or of the middle, while it grows. */
static void
what_grows_is_told_of_the_range_asked(void **state)
{
	static const char *const asked[] = { "select-range 8us:400us",
		"select-range 8us:24us", "select-range 80us:400us",
		"select-range 160us:200us", "clear", "select-range 8us:9us" };
	struct feed_status feed = { .connected = true, .live = true };
	static uint32_t px[1200 * 800];
	struct make_log l = { 0 };
	struct model *m = model_new();
	struct ui *ui = ui_new(&palette_dark), *fresh;
	struct canvas c;
	size_t fed = 0;
	char *was, *now;

	(void)state;
	make_talk(&l);
	make_model_tell(m, &l, &fed);
	canvas_init(&c, px, 1200, 800, 1200);
	ui->picture->stop_cb = never_cb;
	ui_resize(ui, 1200, 800);
	ui_refresh(ui, m, &feed);
	for (int i = 0; i < 60; i++) {
		const char *range = asked[i * 5 / 3 % 6];

		fresh = ui_new(&palette_dark);
		ui_resize(fresh, 1200, 800);
		ui_refresh(fresh, m, &feed);
		was = range_told(ui, &c, range);
		now = range_told(fresh, &c, range);
		has(was, "messages between");
		/* the tree goes its own way */
		if (strcmp(strstr(was, "messages between"),
			strstr(now, "messages between")) != 0)
			fail_msg("%d, %s: told\n%s\nnot\n%s", i, range, was,
			    now);
		free(was);
		free(now);
		ui_free(fresh);
	}
	ui_free(ui);
	make_log_free(&l);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_counted_once),
		cmocka_unit_test(a_spoke_has_sixteen_levels),
		cmocka_unit_test(all_that_has_come_is_told),
		cmocka_unit_test(before_the_first_event_nothing_is_known),
		cmocka_unit_test(what_grows_is_told_of_the_range_asked),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
