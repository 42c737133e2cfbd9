/*
 * What has come since the last frame: another run, more of it, names that want
 * a colour, new lanes; and how the view moves along with it.
 */
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "model/sketch.h"
#include "ui/desk/desk.h"
#include "ui/draw/layer.h"
#include "ui/input/input.h"
#include "ui/notes/groups.h"
#include "ui/notes/notes.h"
#include "ui/out/out.h"
#include "ui/panes/panes.h"
#include "ui/traffic/flow.h"
#include "ui/traffic/talk.h"
#include "ui/views/asked.h"
#include "ui/views/classes/classes.h"
#include "ui/views/details/card.h"
#include "ui/views/flows.h"
#include "ui/views/found/found.h"
#include "ui/views/path/pathview.h"
#include "ui/views/source/source.h"
#include "ui/views/view.h"
#include "ui/whole/frame.h"

#define LIVE_SPAN_NS  ((int64_t)10 * 1000000000)
#define FIT_ROOM      16  /* a part of the run that grows: room for more */
#define COLOURED_MOST 256 /* names that are looked at: few are called alike */

/*
 * How a lane is folded before anybody says otherwise: depths of calls and
 * processes of one thread are folded, the rest is open.  FOLD_TOUCHED marks
 * what the user has decided.
 */
static void
fold_new_lanes(struct ui *ui)
{
	uint32_t n = model_lanes(ui->model), old = ui->time.nfolded;

	if (n <= old)
		return;
	if (n > ui->timepane.folded_cap) {
		uint32_t cap = n * 2 + 64;
		uint8_t *p = realloc(ui->timepane.folded, cap);

		if (p == NULL)
			return;
		ui->timepane.folded = p;
		ui->timepane.folded_cap = cap;
	}
	for (uint32_t i = old; i < n; i++) {
		const struct lane *l = model_lane(ui->model, i);

		ui->timepane.folded[i] =
		    l->kind == LANE_THREAD || l->kind == LANE_PO;
		if (l->kind == LANE_THREAD && l->thread > 1 &&
		    l->parent < i) /* more than one thread: worth seeing */
			ui->timepane.folded[l->parent] &=
			    (uint8_t)~TIMELINE_FOLDED;
	}
	ui->time.folded = ui->timepane.folded;
	ui->time.nfolded = n;
}

static void
forget_run(struct ui *ui)
{
	ui->time.nfolded = 0;
	ui->time.selected_lane = ui->chosen.mark_lane = UINT32_MAX;
	ui->time.sel0_mon_ns = ui->time.sel1_mon_ns = 0;
	ui->time.scroll_y = 0;
	ui->time.sort.t0_mon_ns = ui->time.sort.t1_mon_ns = 0;
	if (list_goes_on(ui))
		list_stop(ui);
	view_own_free(ui);
	source_free(ui);
	classes_free(ui);
	grown_clear(ui);
	sums_clear(&ui->figures.sums);
	sums_clear(&ui->figures.tree_sums);
	sums_clear(&ui->figures.row_sums);
	messages_clear(&ui->figures.messages);
	flow_forget_open(ui);
	machine_forget(ui);
	causality_clear(ui);
	ui->trees.lane = UINT32_MAX;
	ui->trees.selected_path = 0;
	ui->trees.asked = false;
	ui->tree.root = TASK_NONE;
	ui->trees.put_by[TREE_TASKS].root = TASK_NONE;
	ui->tree.subtree = ui->trees.put_by[TREE_TASKS].subtree = false;
	ui->tree.until_mon_ns = INT64_MAX;
	ui->play.head_mon_ns = INT64_MAX;
	ui->chosen.cursor_mon_ns = INT64_MIN;
	ui->markers.n = 0;
	ui->menu->open = false;
	memset(&ui->chosen.clicked, 0, sizeof(ui->chosen.clicked));
	ui->play.rush = 0;
	ui->play.playing = ui->play.paused = false;
	ui->play.fit = true;
	ui->play.follow = ui->feed.live;
	ui->history.n = ui->history.now = 0;
	ui->mouse.task = TASK_NONE;
	memset(&ui->mouse.hit, 0, sizeof(ui->mouse.hit));
	ui->mouse.hit.lane = UINT32_MAX;
	layer_drop(&ui->timepane.layer);
	layer_drop(&ui->treepane.layer);
	strip_forget(ui->strip);
	activity_forget(ui->figures.activity);
	ui->figures.heap.ncode = 0; /* their texts were the model's */
	found_forget(ui);
	asked_forget(ui);
	timeline_layout_free(&ui->timepane.rows);
	select_task(ui, TASK_NONE);
}

/*
 * Everything is in sight, and not much more: while a run grows the picture
 * stands still and fills up, instead of being squeezed in each frame.
 */
static bool
fits_yet(const struct ui *ui, int64_t first, int64_t end)
{
	return (run_grows(ui) && ui->sketch == NULL &&
		ui->time.t0_mon_ns < first && ui->time.t1_mon_ns > end &&
		ui->time.t1_mon_ns - end <= (end - first) / (FIT_ROOM / 2) &&
		first - ui->time.t0_mon_ns <= (end - first) / 100 &&
		!(ui->play.follow && end - first > LIVE_SPAN_NS));
}

static void
move_with_time(struct ui *ui)
{
	int64_t first = run_begin(ui), end = run_far_end(ui);

	if (ui->play.asked1_ns > ui->play.asked0_ns)
		time_asked(ui, ui->play.asked0_ns, ui->play.asked1_ns);
	if (ui->play.paused)
		return;
	if (ui->play.fit && fits_yet(ui, first, end))
		return;
	if (ui->play.fit) {
		time_fit(ui);
		if (run_grows(ui) && ui->sketch == NULL) {
			time_range(ui, ui->time.t0_mon_ns,
			    ui->time.t1_mon_ns + (end - first) / FIT_ROOM);
			ui->play.fit = true;
		}
		if (ui->play.follow && end - first > LIVE_SPAN_NS) {
			time_range(ui, end - LIVE_SPAN_NS, end);
			ui->play.fit = false;
		}
	} else if (ui->play.follow) {
		time_follow(ui);
	}
}

void
ui_sketch(struct ui *ui, struct sketch *s)
{
	if (s == NULL)
		return;
	if (!run_grows(ui)) { /* it comes too late */
		sketch_free(s);
		return;
	}
	sketch_free(ui->sketch);
	ui->sketch = s;
	move_with_time(ui);
	picture_changed(ui->picture);
}

/* Of a log that makes no sense somewhere it says so, once. */
static void
say_odd(struct ui *ui)
{
	char odd[200];

	if (ui->told.odd || !model_odd(ui->model, odd, sizeof(odd)))
		return;
	ui->told.odd = true;
	snprintf(ui->told.message, sizeof(ui->told.message), "the log %s", odd);
}

/*
 * In the order in which they ran first, of both runs, by what they are called
 * now: the same logs, the same colours, whatever was read between two frames
 * while they came.  Done for each frame, as a name that comes may be called
 * like another, which then is called otherwise.
 */
void
ui_colours(const struct ui *ui)
{
	const struct model *m;
	uint32_t n;

	palette_assign_none();
	for (int i = 0; i < 2; i++) {
		if (ui->desks->desk[i] == NULL)
			continue;
		m = ui->desks->desk[i]->model;
		n = m == NULL ? 0 : model_called(m);
		n = n < COLOURED_MOST ? n : COLOURED_MOST;
		for (uint32_t k = 0; k < n && !palette_all_assigned(); k++)
			palette_assign_name(m, model_called_name(m, k));
	}
}

/* What is wrong with their file is told once, here and in the window. */
static void
read_notes(struct ui *ui)
{
	char why[256];

	if (notes_arrive(ui, why, sizeof(why)) == 0)
		return;
	log_warnx("%s", why);
	snprintf(ui->told.message, sizeof(ui->told.message), "%s", why);
}

void
ui_refresh(struct ui *ui, struct model *model, const struct feed_status *feed)
{
	bool other = ui->model != model;
	bool news = !feed_status_same(&ui->feed, feed);

	if (other)
		card_put_away(ui); /* as long as its run is there */
	if (feed->answers != ui->feed.answers)
		snprintf(ui->told.message, sizeof(ui->told.message), "%s",
		    feed->answer);
	ui->feed = *feed;
	ui->model = model;
	if (ui->sketch != NULL && (other || !run_grows(ui))) {
		sketch_free(ui->sketch);
		ui->sketch = NULL;
	}
	if (other) {
		ui->told.odd = false;
		groups_forget(ui);
		forget_run(ui);
		ui->figures.wanted_t0 = ui->figures.wanted_t1 = 0;
	}
	ui_colours(ui);
	fold_new_lanes(ui);
	card_arrive(ui);
	read_notes(ui);
	groups_arrive(ui);
	move_with_time(ui);
	say_odd(ui);
	if (other || news || model_events(model) != ui->seen_events)
		picture_changed(ui->picture);
}

bool
ui_advance(struct ui *ui, int64_t ns)
{
	int64_t end = run_end(ui), span;

	keys_advance(ui, ns);
	if (!ui->play.playing)
		return (false);
	if (ui->play.rush > 0)
		ui->play.head_mon_ns +=
		    (int64_t)((double)ns * ui->play.rush / 1e9);
	else
		ui->play.head_mon_ns += (int64_t)((double)ns * ui->play.speed);
	picture_changed(ui->picture);
	if (ui->play.head_mon_ns >= end) {
		ui->play.head_mon_ns = INT64_MAX;
		ui->play.playing = false;
		ui->play.rush = 0;
		ui->tree.until_mon_ns = INT64_MAX;
		return (false);
	}
	ui->tree.until_mon_ns = ui->play.head_mon_ns;
	span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;
	if (ui->play.head_mon_ns > ui->time.t1_mon_ns ||
	    ui->play.head_mon_ns < ui->time.t0_mon_ns)
		time_range(ui, ui->play.head_mon_ns - span / 10,
		    ui->play.head_mon_ns + span - span / 10);
	return (true);
}
