/* What a user does with the tree, each as the first frame that shows it. */
#include "tests/bench/tree.h"

#include <err.h>
#include <stdio.h>
#include <sysexits.h>

void
bench_actions(struct drawn *d, struct model *m, const char *name,
    uint32_t tasks)
{
	static const struct {
		const char *what;
		double zoom, x;
		uint32_t part; /* of the tasks: the root; 0: all */
		enum radial_form form;
		enum radial_colour colour;
		enum radial_order order;
		bool until, selected;
	} todo[] = {
		{ .what = "PE" },
		{ .what = "time", .colour = RADIAL_TIME },
		{ .what = "PE-time", .colour = RADIAL_PE_TIME },
		{ .what = "procedure", .colour = RADIAL_PROCEDURE },
		{ .what = "state", .colour = RADIAL_STATE },
		{ .what = "zoom 3", .zoom = 3, .x = 300 },
		{ .what = "zoom 1000", .zoom = 1000, .x = 300000 },
		{ .what = "centre", .x = 200 },
		{ .what = "sunburst", .form = RADIAL_SUNBURST },
		{ .what = "icicle", .form = RADIAL_ICICLE },
		{ .what = "order by path", .order = RADIAL_BY_PATH },
		{ .what = "until an instant", .until = true },
		{ .what = "selected", .selected = true },
		{ .what = "subtree, early", .part = 1000000 },
		{ .what = "and again", .part = 1000000 },
		{ .what = "subtree, late", .part = 2 },
		{ .what = "back" },
	};
	struct radial_view was = d->view;
	const struct radial_node *n;
	double t, worst = 0;
	char what[80];

	for (size_t i = 0; i < sizeof(todo) / sizeof(todo[0]); i++) {
		d->view = was;
		d->view.colour = todo[i].colour;
		d->view.form = todo[i].form;
		d->view.order = todo[i].order;
		d->view.zoom = todo[i].zoom > 0 ? todo[i].zoom : 1;
		d->view.centre_x = todo[i].x;
		d->view.subtree = todo[i].part > 0;
		if (todo[i].part > 0)
			d->view.root = tasks / todo[i].part;
		if (todo[i].until)
			d->view.until_mon_ns = model_last_ns(m) / 4;
		d->view.selected_task = todo[i].selected ? tasks - 3 : 0;
		draw(d, m);
		snprintf(what, sizeof(what), "action: %s", todo[i].what);
		line(what, name, tasks, d->layout_ms + d->paint_ms, "ms", 16);
		worst = d->layout_ms + d->paint_ms > worst
			    ? d->layout_ms + d->paint_ms
			    : worst;
	}
	d->view = was;
	draw(d, m);
	t = now_ms();
	n = radial_find(&d->layout, m, tasks - 3);
	t = now_ms() - t;
	line("action: where a task is", name, tasks, t, "ms", 16);
	t = now_ms();
	if (n != NULL && model_task_by_id(m, tasks / 2) != tasks / 2 - 1)
		errx(EX_SOFTWARE, "a task is not found");
	line("action: task by id", name, tasks, now_ms() - t, "ms", 16);
	line("action: the worst", name, tasks, worst, "ms", 16);
}
