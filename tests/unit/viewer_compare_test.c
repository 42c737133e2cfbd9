/*
 * Two runs side by side: what both have lies in the same place, what only one
 * has is told, and whatever is done to one is done to both.
 */
#include "tests/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/make_model.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/trees/compare_inside.h"
#include "ui/views/view.h"
#include "ui/whole/compare.h"
#include "ui/whole/frame.h"

#define W 1200
#define H 800

struct fixture {
	struct model *m[2];
	struct ui *ui;
	struct canvas c;
	uint32_t *px;
};

static int
setup(void **state)
{
	struct feed_status feed = { .connected = true, .finished = true };
	struct fixture *f = calloc(1, sizeof(*f));
	struct ui *other = ui_new(&palette_dark);

	assert_non_null(f);
	/* starts apart; rows tell them apart */
	f->m[0] = make_pascal_model(20, 5, 1000000, 30000);
	f->m[1] = make_pascal_model(22, 2, 777, 40000);
	f->ui = make_ui(f->m[0], &f->c, &f->px, W, H);
	ui_frame(f->ui, &f->c);
	ui_refresh(other, f->m[1], &feed);
	compare_with(f->ui, other);
	ui_frame(f->ui, &f->c);
	*state = f;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	ui_free(f->ui);
	model_free(f->m[0]);
	model_free(f->m[1]);
	free(f->px);
	free(f);
	return (0);
}

static void
run(struct fixture *f, const char *line)
{
	assert_int_equal(command_run(f->ui, line), 0);
	ui_frame(f->ui, &f->c);
}

/* Every task of both runs is in the tree once, below its own parent. */
static void
each_task_has_its_place(void **state)
{
	struct fixture *f = *state;
	struct ui *side[2] = { f->ui, f->ui->desks->desk[1] };
	uint32_t n = model_tasks(tree_model(f->ui)), both = 0;

	assert_true(n > 0);
	assert_int_equal(model_tasks(tree_model(f->ui->desks->desk[1])), n);
	for (int i = 0; i < 2; i++) {
		const struct model *m = f->m[i], *u = tree_model(side[i]);
		uint32_t tasks = model_tasks(m), *seen;
		struct task own, up, x, y;

		seen = calloc(tasks, sizeof(*seen));
		assert_non_null(seen);
		for (uint32_t k = 0; k < n; k++) {
			uint32_t t = tree_node(side[i], k)->task;

			both += tree_node(side[i], k)->both;
			if (t == TASK_NONE)
				continue;
			assert_int_equal(seen[t]++, 0);
			model_task_get(m, t, &own);
			model_task_get(u, k, &x);
			assert_int_equal(own.begin_mon_ns, x.begin_mon_ns);
			assert_int_equal(own.pe, x.pe);
			assert_int_equal(own.suspensions, x.suspensions);
			assert_string_equal(model_name(m, own.name),
			    model_name(u, x.name));
			assert_int_equal(own.parent == TASK_NONE,
			    x.parent == TASK_NONE);
			if (x.parent == TASK_NONE)
				continue;
			model_task_get(m, own.parent, &up);
			model_task_get(u, x.parent, &y);
			assert_int_equal(tree_node(side[i], x.parent)->task,
			    own.parent);
			assert_int_equal(up.begin_mon_ns, y.begin_mon_ns);
		}
		for (uint32_t t = 0; t < tasks; t++)
			assert_int_equal(seen[t], 1);
		free(seen);
		assert_int_equal(side[i]->trees.grown.only,
		    tasks - (both / (unsigned)(i + 1)));
	}
	assert_true(
	    f->ui->trees.grown.only < f->ui->desks->desk[1]->trees.grown.only);
	/* but for the last row all of the shorter run is in the longer one */
	assert_in_range(f->ui->trees.grown.only, 1, 40);
}

/* The same node is at the same place, whatever was done to the view. */
static void
places_are_the_same(void **state)
{
	static const char *const lines[] = { "colour difference",
		"form sunburst", "form icicle", "form polygons", "colour time",
		"tree-of threads", "tree-of calls", "weigh even",
		"tree-of tasks" };
	struct fixture *f = *state;
	const struct radial_layout *a = &f->ui->treepane.nodes;
	const struct radial_layout *b = &f->ui->desks->desk[1]->treepane.nodes;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		run(f, lines[i]);
		tree_zoom(f->ui, 0.9, 200, 100);
		f->ui->tree.rotate_rad += 0.3;
		ui_frame(f->ui, &f->c);
		assert_true(a->nnodes > 1);
		assert_int_equal(a->nnodes, b->nnodes);
		for (size_t k = 0; k < a->nnodes; k++) {
			assert_int_equal(a->nodes[k].task, b->nodes[k].task);
			assert_int_equal(a->nodes[k].x, b->nodes[k].x);
			assert_int_equal(a->nodes[k].y, b->nodes[k].y);
		}
		assert_int_equal(a->t1_mon_ns - run_origin(f->ui),
		    b->t1_mon_ns - run_origin(f->ui->desks->desk[1]));
	}
}

/* The pointer over one is over the same node of the other. */
static void
the_pointer_is_in_both(void **state)
{
	struct fixture *f = *state;
	const struct radial_node *n = &f->ui->treepane.nodes.nodes[100];
	struct ui *o = f->ui->desks->desk[1];
	int32_t x = o->places.tree.x0 + n->x / SCENE_ONE;
	int32_t y = o->places.tree.y0 + n->y / SCENE_ONE;
	struct task t;

	mouse_move(f->ui, x, y);
	ui_frame(f->ui, &f->c);
	assert_int_not_equal(f->ui->mouse.task, TASK_NONE);
	assert_int_equal(f->ui->mouse.task, o->mouse.task);
	mouse_down(f->ui, x, y, 1, 0, 1000);
	mouse_up(f->ui, x, y, 1, 0);
	ui_frame(f->ui, &f->c);
	assert_int_equal(tree_selected(f->ui), f->ui->mouse.task);
	assert_int_equal(tree_selected(o), f->ui->mouse.task);
	/* and in the lanes of the run where it is */
	model_task_get(f->m[0], tree_node(f->ui, f->ui->mouse.task)->task, &t);
	assert_int_equal(f->ui->time.selected_task, t.id);

	/* what only the other one has can be chosen, too */
	for (uint32_t k = 0; k < f->ui->trees.grown.n; k++)
		if (tree_node(f->ui, k)->task == TASK_NONE) {
			tree_select(f->ui, k);
			break;
		}
	ui_frame(f->ui, &f->c);
	assert_int_equal(f->ui->time.selected_task, 0);
	assert_int_not_equal(tree_selected(o), TASK_NONE);
	assert_int_equal(tree_selected(o), tree_selected(f->ui));
}

/* Time counts from each run's own start. */
static void
lanes_are_of_the_same_time(void **state)
{
	struct fixture *f = *state;
	struct ui *o = f->ui->desks->desk[1];

	run(f, "range 1ms:2ms");
	run(f, "select-range 1200us:1300us");
	run(f, "cursor 1250us");
	assert_int_equal(o->time.t0_mon_ns - run_origin(o), 1000000);
	assert_int_equal(o->time.t1_mon_ns - run_origin(o), 2000000);
	assert_int_equal(o->time.sel0_mon_ns - run_origin(o), 1200000);
	assert_int_equal(o->chosen.cursor_mon_ns - run_origin(o), 1250000);
	run(f, "seek 1500us");
	assert_int_equal(o->play.head_mon_ns - run_origin(o), 1500000);
	assert_int_equal(o->tree.until_mon_ns, o->play.head_mon_ns);
	run(f, "end");
	assert_int_equal(o->play.head_mon_ns, INT64_MAX);
	/* all of the longer one */
	run(f, "fit-all");
	assert_true(o->time.t1_mon_ns >= run_end(o));
}

static void
procedures_are_added_up_for_both(void **state)
{
	struct fixture *f = *state;
	char buf[4096] = "", line[160];
	struct name_stats s[64];
	FILE *out = fmemopen(buf, sizeof(buf), "w");
	size_t n = model_name_stats(f->m[1], s, 64);

	run(f, "fit-all");
	compare_describe(f->ui, out);
	fclose(out);
	for (size_t i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "there %llu;",
		    (unsigned long long)s[i].calls);
		assert_non_null(strstr(buf, line));
		assert_non_null(strstr(buf, model_name(f->m[1], s[i].name)));
	}
}

/* And alone again, as it was before. */
static void
it_can_be_closed(void **state)
{
	struct fixture *f = *state;

	run(f, "colour difference");
	run(f, "tab compare");
	compare_with(f->ui, NULL);
	ui_frame(f->ui, &f->c);
	assert_int_equal(f->ui->tree.colour, RADIAL_PE);
	assert_int_equal(f->ui->tree.order, RADIAL_BY_PATH); /* for few */
	assert_ptr_equal(tree_model(f->ui), f->m[0]);
	assert_int_equal(f->ui->treepane.nodes.tasks, model_tasks(f->m[0]));
	assert_int_equal(command_run(f->ui, "colour difference"), -1);
	assert_int_equal(command_run(f->ui, "compare"), -1);
}

static uint32_t
dice(uint32_t *s, uint32_t n)
{
	*s = *s * 1664525 + 1013904223;
	return ((*s >> 8) % n);
}

/* A command of the table, mostly with an argument that makes sense to some. */
static void
random_command(struct fixture *f, uint32_t *s)
{
	static const char *const arguments[] = { "", "", "1", "3", "1ms:2ms",
		"1500us", "threads", "calls", "tasks", "time", "even", "all",
		"path", "difference", "compare", "selected", "icicle",
		"300 200" };
	const char *name, *wants, *what;
	char line[96];

	if (!command_each(dice(s, 100), &name, &wants, &what) ||
	    strcmp(name, "quit") == 0 || strcmp(name, "export") == 0)
		return;
	snprintf(line, sizeof(line), "%s %s", name,
	    arguments[dice(s, sizeof(arguments) / sizeof(arguments[0]))]);
	command_run(f->ui, line);
}

/* Whatever is done, both trees have the same nodes, and nothing breaks. */
static void
nothing_breaks_two_runs(void **state)
{
	struct fixture *f = *state;
	struct ui *o = f->ui->desks->desk[1];
	uint32_t s = 7;

	for (int i = 0; i < 1500; i++) {
		int32_t x = (int32_t)dice(&s, W), y = (int32_t)dice(&s, H);
		int button = 1 + (int)dice(&s, 3);

		if (dice(&s, 2) == 0) {
			random_command(f, &s);
		} else if (dice(&s, 3) == 0) {
			mouse_wheel(f->ui, x, y, dice(&s, 2) ? 1 : -1,
			    dice(&s, 4));
		} else {
			mouse_down(f->ui, x, y, button, dice(&s, 4), i * 150);
			mouse_move(f->ui, (int32_t)dice(&s, W),
			    (int32_t)dice(&s, H));
			mouse_up(f->ui, x, y, button, 0);
		}
		if (i % 100 == 99)
			command_run(f->ui, "reset-tree");
		ui_advance(f->ui, 10000);
		ui_frame(f->ui, &f->c);
		/* one that is not seen may wait */
		if (f->ui->places.pane[PANE_TREE].x1 > 0)
			assert_int_equal(f->ui->trees.grown.n,
			    o->trees.grown.n);
		assert_ptr_equal(f->ui->desks->desk[1], o);
	}
}

/* Pictures as lines and text have the lanes and the tree of each. */
static void
svg_has_both(void **state)
{
	static const struct {
		const char *view;
		unsigned parts;
	} kinds[] = { { "all", 4 }, { "radial", 2 }, { "process-time", 2 } };
	struct fixture *f = *state;
	char path[] = "/tmp/orrery-compare.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd != -1);
	close(fd);
	strcpy(f->ui->feed.run_name, "first");
	strcpy(f->ui->desks->desk[1]->feed.run_name, "second");
	for (size_t i = 0; i < 3; i++) {
		char *text = NULL;
		size_t n = 0;
		unsigned parts = 0;
		int v[4], all[4], was[4][4] = { 0 };
		const char *head;
		FILE *file;

		assert_int_equal(svg_write(f->ui, path, kinds[i].view), 0);
		file = fopen(path, "r");
		assert_non_null(file);
		assert_true(getdelim(&text, &n, EOF, file) > 1000);
		fclose(file);
		head = strstr(text, "viewBox=\"");
		assert_int_equal(sscanf(head, "viewBox=\"%d %d %d %d\"",
				     &all[0], &all[1], &all[2], &all[3]),
		    4);
		for (char *p = text; (p = strstr(p, "<svg x=")) != NULL; p++) {
			char *end = strstr(p, "</svg>");

			assert_int_equal(sscanf(p,
					     "<svg x=\"%d\" y=\"%d\" "
					     "width=\"%d\" height=\"%d\"",
					     &v[0], &v[1], &v[2], &v[3]),
			    4);
			for (int k = 0; k < 2; k++) /* all of it is seen */
				assert_true(
				    v[k] >= all[k] &&
				    v[k] + v[k + 2] <= all[k] + all[k + 2]);
			/* each has its own place */
			assert_true(parts < 4);
			for (unsigned k = 0; k < parts; k++)
				assert_memory_not_equal(v, was[k], sizeof(v));
			memcpy(was[parts], v, sizeof(v));
			assert_true(end - p > 1000); /* not an empty one */
			parts++;
		}
		assert_int_equal(parts, kinds[i].parts);
		/* and the name of its run above it */
		for (int k = 0; k < 2; k++) {
			const char *name[2] = { ">first</text>",
				">second</text>" };

			parts = 0;
			for (char *p = text; (p = strstr(p, name[k])) != NULL;
			     p++)
				parts++;
			assert_int_equal(parts, kinds[i].parts / 2);
		}
		free(text);
	}
	unlink(path);
}

#define ROOTS 3000

static atomic_bool all_came;

static void *
add_roots(void *model)
{
	for (uint64_t i = 1; i <= ROOTS; i++) {
		struct event e = { .t_mon_ns = (int64_t)i,
			.location = 1,
			.a = i,
			.kind = EV_task_spawn };

		model_add_events(model, &e, 1);
	}
	atomic_store(&all_came, true);
	return (NULL);
}

/* The second run is read while the first frames are drawn. */
static void
roots_may_come_meanwhile(void **state)
{
	struct fixture *f = *state;
	struct model *m = model_new();
	struct side s[2] = { { .ui = f->ui, .m = f->m[0] },
		{ .ui = f->ui, .m = m } };
	bool last = false;
	pthread_t t;

	atomic_store(&all_came, false);
	assert_int_equal(pthread_create(&t, NULL, add_roots, m), 0);
	while (!last) {
		struct pairs v = { 0 };
		uint32_t next = 0;

		last = atomic_load(&all_came);
		pairs_make(&v, s);
		for (uint32_t i = 0; i < v.n; i++)
			if (v.p[i].b != TASK_NONE)
				assert_int_equal(v.p[i].b, next++);
		assert_true(last ? next == ROOTS : next <= ROOTS);
		free(v.p);
	}
	pthread_join(t, NULL);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(svg_has_both, setup, teardown),
		cmocka_unit_test_setup_teardown(each_task_has_its_place, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(places_are_the_same, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(the_pointer_is_in_both, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(lanes_are_of_the_same_time,
		    setup, teardown),
		cmocka_unit_test_setup_teardown(
		    procedures_are_added_up_for_both, setup, teardown),
		cmocka_unit_test_setup_teardown(roots_may_come_meanwhile, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(it_can_be_closed, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(nothing_breaks_two_runs, setup,
		    teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
