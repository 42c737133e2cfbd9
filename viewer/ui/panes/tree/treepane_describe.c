/* The tree in words: the shape of its picture, and all of it if it is short. */
#include <inttypes.h>

#include "layout/radial/describe_tree.h"
#include "treepane.h"
#include "ui/desk/desk.h"
#include "ui/views/view.h"

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
		    " ns, waits %s%" PRId64 " ns, itself %s%" PRId64 " ns\n",
		    about, g->node[i].calls, about, g->node[i].total_ns, about,
		    g->node[i].self_ns, about, g->node[i].waits_ns, about,
		    g->node[i].blocked_ns);
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

/* A processor's number may be any up to 65535. */
#define LEGEND_MOST 1024

/* Of all that are shown, how many have which colour. */
static void
describe_legend(struct ui *ui, FILE *f)
{
	char text[144];
	uint32_t class, i;

	fprintf(f, "  legend:");
	for (i = 0; i < LEGEND_MOST &&
		    tree_legend_entry(ui, i, &class, text, sizeof(text));
	     i++)
		fprintf(f, "%s %s", i == 0 ? "" : ";", text);
	fprintf(f, "%s\n",
	    tree_legend_entry(ui, i, &class, text, sizeof(text)) ? "; and more"
								 : "");
}

void
tree_describe(struct ui *ui, FILE *f)
{
	describe_radial(f, tree_model(ui), &ui->tree, &ui->treepane.nodes);
	fprintf(f, "  tree of: %s, sectors: %s\n", tree_of_name[ui->trees.of],
	    tree_weight_name[ui->trees.weight[ui->trees.of]]);
	if (ui->trees.of != TREE_TASKS)
		describe_grown(ui, f);
	else if (tree_tally(ui, UINT32_MAX) != NULL)
		describe_legend(ui, f);
}
