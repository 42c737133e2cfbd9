/* The same view in words: every number that the picture stands for. */
#include <inttypes.h>

#include "layout/describe.h"
#include "ui/dock.h"

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
		health_describe(ui, i, f);
	fprintf(f, "processes: %" PRIu32 "\n", model_pos(m));
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
		describe_timeline(f, ui->model, &ui->time, &ui->rows);
	if (ui->only == PANES || ui->only == PANE_TREE)
		describe_radial(f, ui->model, &ui->tree, &ui->nodes);
	describe_names(ui, f);
	marker_describe(ui, f);
	if (ui->tab == TAB_STACKS)
		stacks_describe(ui, f);
}
