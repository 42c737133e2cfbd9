/* The same view in words: every number that the picture stands for. */
#include <inttypes.h>

#include "ui/desk/desk.h"
#include "ui/desk/macro.h"
#include "ui/draw/draw.h"
#include "ui/out/out.h"
#include "ui/panes/arrange.h"
#include "ui/panes/panes.h"
#include "ui/traffic/talk.h"
#include "ui/views/details/card.h"
#include "ui/views/view.h"

static void
describe_run(const struct ui *ui, FILE *f)
{
	const struct model *m = ui->model;
	uint32_t told = 0;
	char odd[200], when[40];

	fprintf(f, "run: %s\n", ui->feed.run);
	fprintf(f, "name: %s\n", ui->feed.run_name);
	fprintf(f, "events: %" PRIu64 "\n", model_events(m));
	if (ui->told.goes_on[0] != '\0')
		fprintf(f, "writing: %s\n", ui->told.goes_on);
	fprintf(f, "lost: %" PRIu64 "\n", model_lost(m));
	fprintf(f, "damaged: %" PRIu64 " bytes\n", ui->feed.damaged_bytes);
	if (model_odd(m, odd, sizeof(odd)))
		fprintf(f, "odd: the log %s\n", odd);
	fprintf(f, "finished: %s\n", model_finished(m) ? "yes" : "no");
	if (run_dated(ui))
		fprintf(f, "started: %s UTC\n",
		    format_date(when, sizeof(when), ui->feed.start_real_ns));
	fprintf(f, "times: %s\n",
	    ui->timepane.utc ? "of the day, UTC" : "from the start");
	if (model_events(m) == 0)
		fprintf(f, "begins: not yet\n");
	else
		fprintf(f, "begins: %" PRId64 " ns\nlength: %" PRId64 " ns\n",
		    run_begin(ui) - run_origin(ui),
		    run_end(ui) - run_begin(ui));
	for (uint32_t i = 1; i <= model_nodes(m); i++)
		told += model_node_told(m, i);
	fprintf(f, "nodes: %" PRIu32 "\n", told);
	for (uint32_t i = 1; i <= model_nodes(m); i++)
		if (model_node_told(m, i))
			health_describe(ui, i, f);
	fprintf(f, "processes: %" PRIu32 "\n", processes_all(ui));
}

/* Those in sight, and those that always have words; of a picture of one, it. */
static bool
is_described(const struct ui *ui, enum view_id v)
{
	if (ui->places.only != PANES)
		return (v == view_of_pane(ui, ui->places.only));
	return (views[v].there(ui) && ((views[v].flags & VIEW_DESCRIBED) != 0 ||
					  view_at(ui, view_place(ui, v)) == v));
}

/* Of lanes and trees that are hidden nothing is laid out, so nothing can be
 * counted. */
static bool
is_hidden(const struct ui *ui, enum view_id v)
{
	const struct rect *r = &ui->places.pane[views[v].pane % PANES];

	return (views[v].pane != PANES && (r->x1 <= r->x0 || r->y1 <= r->y0));
}

void
ui_describe_ready(struct ui *ui)
{
	bool (*stop_cb)(void *) = ui->picture->stop_cb;

	ui->picture->stop_cb = NULL; /* all of it, now */
	ui->treepane.due = 0;
	if (!is_hidden(ui, VIEW_LANES))
		timepane_prepare(ui);
	if (!is_hidden(ui, VIEW_TREE))
		treepane_prepare(ui);
	for (int i = 0; i < VIEWS; i++)
		if (is_described(ui, (enum view_id)i))
			views[i].prepare(ui);
	ui->picture->stop_cb = stop_cb;
}

static void
describe_view(struct ui *ui, enum view_id v, FILE *f)
{
	if (is_hidden(ui, v))
		fprintf(f, "%s: not in sight\n", views[v].name);
	else if (views[v].pane == PANES && model_events(ui->model) == 0)
		return; /* no figures of a length that nobody knows */
	else
		views[v].describe(ui, f);
}

static void
describe_places(const struct ui *ui, FILE *f)
{
	fprintf(f, "views: left %s, right %s, dock %s\n",
	    views[ui->places.left].name, views[ui->places.right].name,
	    views[ui->places.tab].name);
}

/* Of what is in sight, however little that is. */
static void
describe_legends(struct ui *ui, FILE *f)
{
	for (int i = 0; i < VIEWS; i++) {
		enum view_id v = (enum view_id)i;

		if (ui->places.only != PANES
			? v == view_of_pane(ui, ui->places.only)
			: view_at(ui, view_place(ui, v)) == v)
			legend_describe(ui, v, f);
	}
}

void
ui_describe(struct ui *ui, FILE *f)
{
	ui_describe_ready(ui);
	describe_run(ui, f);
	for (int i = 0; i < VIEWS; i++)
		if (is_described(ui, (enum view_id)i))
			describe_view(ui, (enum view_id)i, f);
	describe_legends(ui, f);
	if (ui->places.only != PANES)
		return;
	describe_places(ui, f);
	arrange_describe(ui, f);
	macro_put(ui, f);
	marker_describe(ui, f);
	causality_describe(ui, f);
	card_describe(ui, f);
}
