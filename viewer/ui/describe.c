/* The same view in words: every number that the picture stands for. */
#include <inttypes.h>

#include "ui/draw.h"

static void
describe_run(const struct ui *ui, FILE *f)
{
	const struct model *m = ui->model;

	fprintf(f, "run: %s\n", ui->feed.run);
	fprintf(f, "name: %s\n", ui->feed.run_name);
	fprintf(f, "events: %" PRIu64 "\n", model_events(m));
	fprintf(f, "lost: %" PRIu64 "\n", model_lost(m));
	fprintf(f, "damaged: %" PRIu64 " bytes\n", ui->feed.damaged_bytes);
	fprintf(f, "finished: %s\n", model_finished(m) ? "yes" : "no");
	fprintf(f, "length: %" PRId64 " ns\n", view_end(ui) - view_origin(ui));
	fprintf(f, "nodes: %" PRIu32 "\n", model_nodes(m));
	for (uint32_t i = 1; i <= model_nodes(m); i++)
		fprintf(f, "  %s: clock +-%" PRId64 " ns\n", label_node(m, i),
		    model_clock_error(m, i));
	fprintf(f, "processes: %" PRIu32 "\n", model_pos(m));
}

static void
describe_time(const struct ui *ui, FILE *f)
{
	const struct timeline_layout *l = &ui->rows;
	char name[128];

	fprintf(f, "process-time: %" PRId64 " to %" PRId64 " ns\n",
	    ui->time.t0_mon_ns - view_origin(ui),
	    ui->time.t1_mon_ns - view_origin(ui));
	fprintf(f, "  rows: %zu, %" PRIu32 " more folded away\n", l->nrows,
	    l->lanes_hidden);
	fprintf(f,
	    "  boxes: %" PRIu32 ", columns of mixed pixels: %" PRIu32 "\n",
	    l->spans_drawn, l->pixels_drawn);
	fprintf(f, "  links: %" PRIu32 " of %" PRIu32 "\n", l->links_drawn,
	    l->links_total);
	fprintf(f, "  marks: %" PRIu32 "\n", l->marks);
	for (size_t i = 0; i < l->nrows; i++) {
		const struct lane *lane =
		    model_lane(ui->model, l->rows[i].lane);

		if (lane != NULL)
			fprintf(f, "  row %" PRIu32 ": %s%s\n", l->rows[i].lane,
			    label_lane(ui->model, lane, name, sizeof(name)),
			    l->rows[i].folded ? " (folded)" : "");
	}
}

static void
describe_tree(const struct ui *ui, FILE *f)
{
	const struct radial_layout *n = &ui->nodes;
	uint64_t by_pe[16] = { 0 }, suspended = 0;
	uint32_t tasks = model_tasks(ui->model);

	for (uint32_t i = 0; i < tasks; i++) {
		const struct task *t = model_task(ui->model, i);

		suspended += t->suspensions > 0;
		if (t->flags & TASK_BEGUN)
			by_pe[t->pe & 15]++;
	}
	fprintf(f,
	    "tree: %" PRIu32 " tasks, %" PRIu32
	    " levels, deepest level %" PRIu32 "\n",
	    n->tasks, n->levels, n->deepest);
	fprintf(f, "  colour: %s\n", radial_colour_name[ui->tree.colour]);
	fprintf(f, "  rings: %" PRIu32 ", %.1f px apart\n", n->rings,
	    n->ring_px);
	fprintf(f,
	    "  levels kept: %" PRIu32 "(%" PRIu32 ") %" PRIu32 "(%" PRIu32
	    ")\n",
	    n->levels_1, n->ratio_1, n->levels_2, n->ratio_2);
	fprintf(f,
	    "  drawn: %" PRIu32 "\n  pruned: %" PRIu32 "\n  condensed: %" PRIu32
	    "\n",
	    n->drawn, n->pruned, n->condensed);
	fprintf(f,
	    "  points: %" PRIu32 ", lines: %" PRIu32 ", polygons: %" PRIu32
	    "\n",
	    n->points, n->lines, n->polygons);
	fprintf(f, "  suspended at least once: %" PRIu64 "\n", suspended);
	for (uint32_t i = 0; i < model_pes(ui->model) && i < 16; i++)
		fprintf(f, "  PE %" PRIu32 ": %" PRIu64 " tasks\n", i,
		    by_pe[i]);
}

static void
describe_names(const struct ui *ui, FILE *f)
{
	struct name_stats s[256];
	size_t n = model_name_stats(ui->model, s, 256);

	n = n > 256 ? 256 : n;
	fprintf(f, "procedures: %zu\n", n);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "  %s: %" PRIu64 " calls, %" PRId64 " ns\n",
		    label_name(ui->model, s[i].name), s[i].calls,
		    s[i].total_ns);
}

void
ui_describe(const struct ui *ui, FILE *f)
{
	describe_run(ui, f);
	if (ui->only == PANES || ui->only == PANE_TIME)
		describe_time(ui, f);
	if (ui->only == PANES || ui->only == PANE_TREE)
		describe_tree(ui, f);
	describe_names(ui, f);
}
