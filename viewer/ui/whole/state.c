/*
 * The state line: one a frame, for tests and other programs.  It is written
 * when the frame is on the screen, and tells of the moment when the frame was
 * drawn, not of what has happened since.
 */
#include "ui/whole/state.h"

#include <inttypes.h>
#include <string.h>

#include "model/detail.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"
#include "ui/notes/notes.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"

/* Two pixels a word in four lanes: a megapixel costs 0.2 ms. */
static uint64_t
pixels_hash(const struct canvas *c)
{
	const uint64_t odd = 0x9e3779b97f4a7c15u, rgb = 0x00ffffff00ffffffu;
	uint64_t h[4] = { 1, 2, 3, 4 }, v[4], all = 0xcbf29ce484222325u;

	for (int32_t y = 0; y < c->height; y++) {
		const uint32_t *row = c->px + (size_t)y * (size_t)c->stride;
		int32_t x = 0;

		for (; x + 8 <= c->width; x += 8) {
			memcpy(v, row + x, sizeof(v));
			for (int i = 0; i < 4; i++)
				h[i] = (h[i] ^ (v[i] & rgb)) * odd;
		}
		for (; x < c->width; x++)
			h[x & 3] = (h[x & 3] ^ (row[x] & 0xffffff)) * odd;
		/* the upper bits know most: mix them down once a row */
		for (int i = 0; i < 4; i++)
			h[i] ^= h[i] >> 31;
	}
	for (int i = 0; i < 4; i++)
		all = (all ^ h[i]) * 0x100000001b3u;
	return (all ^ all >> 29);
}

static int64_t
number_of(const struct ui *ui, uint64_t task_id)
{
	uint32_t n =
	    task_id != 0 ? model_task_by_id(ui->model, task_id) : TASK_NONE;

	return (n == TASK_NONE ? -1 : (int64_t)n);
}

/* The user's own. */
static void
put_arrangements(FILE *f, const struct ui *ui)
{
	fputs(" arrangements=", f);
	for (unsigned i = 0; i < ui->places.arranged.n; i++)
		fprintf(f, "%s%s", i > 0 ? "," : "",
		    ui->places.arranged.of[i].name);
}

/* Which part of the run is shown, and what is chosen of it. */
static void
put_range(FILE *f, const struct ui *ui)
{
	int64_t origin = run_origin(ui);
	bool chosen = ui->time.sel0_mon_ns < ui->time.sel1_mon_ns;

	fprintf(f, "frame=%" PRIu64 " size=%dx%d range=%" PRId64 ":%" PRId64,
	    ui->picture->frame, ui->places.width, ui->places.height,
	    ui->time.t0_mon_ns - origin, ui->time.t1_mon_ns - origin);
	fprintf(f, " selected-range=%" PRId64 ":%" PRId64,
	    chosen ? ui->time.sel0_mon_ns - origin : 0,
	    chosen ? ui->time.sel1_mon_ns - origin : 0);
	fprintf(f,
	    " selected-task=%" PRId64 " selected-row=%" PRId64
	    " hovered-task=%" PRId64,
	    ui->trees.of == TREE_TASKS && !two_runs(ui)
		? number_of(ui, ui->time.selected_task)
		: (int64_t)(int32_t)tree_selected(ui),
	    ui->time.selected_lane == UINT32_MAX
		? -1
		: (int64_t)ui->time.selected_lane,
	    ui->mouse.task == TASK_NONE ? -1 : (int64_t)ui->mouse.task);
}

static void
put_tree(FILE *f, const struct ui *ui)
{
	fprintf(f, " scroll=%d zoom=%.4f centre=%.0f,%.0f root=%" PRId64,
	    ui->time.scroll_y, ui->tree.zoom, ui->tree.centre_x,
	    ui->tree.centre_y, ui->tree.subtree ? (int64_t)ui->tree.root : -1);
	fprintf(f,
	    " tree=%" PRId64 " form=%s order=%s scale=%s rings=%s values=%d",
	    ui->tree.root == TASK_NONE ? -1 : (int64_t)ui->tree.root,
	    radial_form_name[ui->tree.form], radial_order_name[ui->tree.order],
	    palette_scale_name[ui->tree.scale],
	    ui->tree.all_rings ? "all" : "some", ui->tree.edges);
	fprintf(f, " tree-of=%s weight=%s adding-up=%d",
	    tree_of_name[ui->trees.of],
	    tree_weight_name[ui->trees.weight[ui->trees.of]],
	    ui->figures.sums.busy || ui->figures.tree_sums.busy ||
		ui->figures.row_sums.busy);
}

/* What stands where, and how it looks. */
static void
put_places(FILE *f, const struct ui *ui)
{
	static const char *const panes[] = { "top", "overview", "time", "tree",
		"left", "right", "dock", "status", "none" };

	fprintf(f, " comparing=%d causes=%s cards=%u", two_runs(ui),
	    causality_name[ui->causality.show], ui->cards.n);
	fprintf(f, " colour=%s lanes=%s focus=%s left=%s right=%s tab=%s",
	    radial_colour_name[ui->tree.colour],
	    ui->time.colour == TIMELINE_BY_NAME ? "procedure" : "state",
	    panes[ui->places.focus], views[ui->places.left].name,
	    views[ui->places.right].name, views[ui->places.tab].name);
	put_arrangements(f, ui);
	fprintf(f, " clock=%s", ui->timepane.utc ? "utc" : "run");
	fprintf(f,
	    " alone=%d grid=%d links=%d link-width=%s"
	    " link-colour=%s",
	    ui->places.maximised, ui->timepane.grid, ui->time.links,
	    ui->time.links_as.wide ? "size" : "plain",
	    ui->time.links_as.by_tag ? "tag" : "plain");
}

static void
put_playback(FILE *f, const struct ui *ui)
{
	int64_t origin = run_origin(ui);

	fprintf(f,
	    " cursor=%" PRId64 " head=%" PRId64
	    " fast=%d markers=%u notes=%zu menu=%d",
	    ui->chosen.cursor_mon_ns == INT64_MIN
		? -1
		: ui->chosen.cursor_mon_ns - origin,
	    ui->play.head_mon_ns == INT64_MAX ? -1
					      : ui->play.head_mon_ns - origin,
	    ui->play.rush > 0, ui->markers.n, ui->notes->n, ui->menu->open);
}

/* How much there is, how exact that is. */
static void
put_known(FILE *f, const struct ui *ui)
{
	fprintf(f,
	    " far=%d held=%d keys=%s panes=%u full=%d row-px=%d split=%d,%d rows=%zu pinned=%zu hidden=%u sort=%s events=%" PRIu64
	    " tasks=%" PRIu32 " lost=%" PRIu64
	    " connected=%d finished=%d sketch=%d known=%d figures=%s prompt=%c",
	    ui->desks->host.far, keys_held(ui), keymap_name[ui->mouse.keymap],
	    ui->places.hidden, ui->places.full_screen, ui->time.lane_height,
	    ui->places.split_x, ui->places.split_y, ui->timepane.rows.nrows,
	    ui->timepane.rows.npinned, ui->timepane.rows.rows_hidden,
	    timeline_sort_name[ui->time.sort.by], model_events(ui->model),
	    model_tasks(ui->model), model_lost(ui->model), ui->feed.connected,
	    model_finished(ui->model),
	    ui->time.sketch != NULL && ui->timepane.rows.nrows > 0,
	    model_known(ui->model, ui->time.t0_mon_ns, ui->time.t1_mon_ns),
	    activity_exact(ui) && sums_exact(ui) ? "exact" : "about",
	    ui->prompt.kind != 0 ? ui->prompt.kind : '-');
}

static void
put_state(FILE *f, const struct ui *ui)
{
	put_range(f, ui);
	fprintf(f,
	    " hovered=%d follow=%d paused=%d playing=%d fit=%d help=%d legend=%s",
	    (int)ui->mouse.hit.of, ui->play.follow, ui->play.paused,
	    ui->play.playing, ui->play.fit, ui->desks->help.open,
	    ui->places.legend ? views[ui->places.legend_of].name : "none");
	put_tree(f, ui);
	put_places(f, ui);
	put_playback(f, ui);
	put_known(f, ui);
}

void
state_print(FILE *f, const struct ui *ui, const struct canvas *c)
{
	put_state(f, ui);
	fprintf(f, " pixels=%016" PRIx64 "\n", pixels_hash(c));
}
