/* The same view in words: every number that the picture stands for. */
#include <inttypes.h>

#include "layout/radial/describe_tree.h"
#include "layout/time/describe_time.h"
#include "ui/desk/desk.h"
#include "ui/out/out.h"
#include "ui/panes/panes.h"
#include "ui/views/card.h"
#include "ui/views/view.h"

static void
describe_run(const struct ui *ui, FILE *f)
{
	const struct model *m = ui->model;
	uint32_t told = 0;
	char odd[200];

	fprintf(f, "run: %s\n", ui->feed.run);
	fprintf(f, "name: %s\n", ui->feed.run_name);
	fprintf(f, "events: %" PRIu64 "\n", model_events(m));
	fprintf(f, "lost: %" PRIu64 "\n", model_lost(m));
	fprintf(f, "damaged: %" PRIu64 " bytes\n", ui->feed.damaged_bytes);
	if (model_odd(m, odd, sizeof(odd)))
		fprintf(f, "odd: the log %s\n", odd);
	fprintf(f, "finished: %s\n", model_finished(m) ? "yes" : "no");
	fprintf(f, "length: %" PRId64 " ns\n", view_end(ui) - view_origin(ui));
	for (uint32_t i = 1; i <= model_nodes(m); i++)
		told += model_node_told(m, i);
	fprintf(f, "nodes: %" PRIu32 "\n", told);
	for (uint32_t i = 1; i <= model_nodes(m); i++)
		if (model_node_told(m, i))
			health_describe(ui, i, f);
	fprintf(f, "processes: %" PRIu32 "\n", model_pos(m));
}

void
ui_describe_ready(struct ui *ui)
{
	bool (*stop_cb)(void *) = ui->picture.stop_cb;

	ui->picture.stop_cb = NULL; /* all of it, now */
	functions_prepare(ui);
	messages_prepare(ui);
	activity_prepare(ui);
	ui->picture.stop_cb = stop_cb;
}

static void
describe_node(const struct ui *ui, FILE *f, uint32_t i, const struct task *t)
{
	const struct grown *g = &ui->trees.grown;
	const char *about = g->node[i].rough ? "~" : "";
	char name[96];

	fprintf(f, "  %*s%s: ", (int)(t->level * 2), "",
	    label_task(g->model, t, name, sizeof(name)));
	if (ui->trees.of == TREE_CALLS)
		fprintf(f,
		    "%s%" PRIu64 " calls, %s%" PRId64 " ns, self %s%" PRId64
		    " ns, waits %s%" PRId64 " ns\n",
		    about, g->node[i].calls, about, g->node[i].total_ns, about,
		    g->node[i].self_ns, about, g->node[i].blocked_ns);
	else
		fprintf(f,
		    "%" PRIu32 " below, busy %s%" PRId64 " ns, waits %s%" PRId64
		    " ns\n",
		    t->size - 1, about, g->node[i].self_ns, about,
		    g->node[i].blocked_ns);
}

/* A tree that is not one of tasks, each node before those below it. */
static void
describe_grown(const struct ui *ui, FILE *f)
{
	const struct model *m = ui->trees.grown.model;
	uint32_t i = 0;
	struct task t;

	while (i < ui->trees.grown.n) {
		model_task_get(m, i, &t);
		describe_node(ui, f, i, &t);
		i = t.first_child;
		while (i == TASK_NONE) {
			i = t.next_sibling;
			if (i != TASK_NONE || t.parent == TASK_NONE)
				break;
			model_task_get(m, t.parent, &t);
		}
		if (i == TASK_NONE)
			break;
	}
}

static void
describe_tree(const struct ui *ui, FILE *f)
{
	describe_radial(f, tree_model(ui), &ui->tree, &ui->treepane.nodes);
	fprintf(f, "  tree of: %s, sectors: %s\n", tree_of_name[ui->trees.of],
	    tree_weight_name[ui->trees.weight[ui->trees.of]]);
	if (ui->trees.of != TREE_TASKS)
		describe_grown(ui, f);
}

/* Those in sight, and those that always have words. */
static void
describe_views(struct ui *ui, FILE *f)
{
	for (int i = 0; i < VIEWS; i++) {
		bool seen = view_at(ui, view_place(ui, (enum view_id)i)) ==
			    (enum view_id)i;

		if ((seen || (views[i].flags & VIEW_DESCRIBED) != 0) &&
		    views[i].there(ui))
			views[i].describe(ui, f);
	}
	fprintf(f, "views: left %s, right %s, dock %s\n",
	    views[ui->places.left].name, views[ui->places.right].name,
	    views[ui->places.tab].name);
}

void
ui_describe(struct ui *ui, FILE *f)
{
	ui_describe_ready(ui);
	describe_run(ui, f);
	if (ui->places.only == PANES || ui->places.only == PANE_TIME)
		describe_timeline(f, ui->model, &ui->time, &ui->timepane.rows);
	if (ui->places.only == PANES || ui->places.only == PANE_TREE)
		describe_tree(ui, f);
	describe_views(ui, f);
	marker_describe(ui, f);
	causality_describe(ui, f);
	card_describe(ui, f);
}
