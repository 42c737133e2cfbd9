/*
 * Commands that go somewhere: zoom, pan, scroll, fit, and back again.  Each
 * acts on the pane under the mouse, or else on the one that has the focus.
 */
#include <stdlib.h>

#include "ui/commands/moving/moving.h"

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"

/* The pane that zoom and the like are about. */
bool
command_in_tree(const struct ui *ui)
{
	if (ui->mouse.in && pane_at(ui, ui->mouse.x, ui->mouse.y) == PANE_TREE)
		return (true);
	if (ui->mouse.in && pane_at(ui, ui->mouse.x, ui->mouse.y) == PANE_TIME)
		return (false);
	return (ui->places.focus == PANE_TREE);
}

static void
zoom_tree(struct ui *ui, double factor, int32_t x, int32_t y)
{
	bool at = rect_has(&ui->places.tree, x, y);

	history_add(ui, STEP_TREE);
	tree_zoom(ui, factor, at ? x - ui->places.tree.x0 : ui->tree.width / 2,
	    at ? y - ui->places.tree.y0 : ui->tree.height / 2);
}

static void
zoom_time(struct ui *ui, double factor, int32_t x)
{
	history_add(ui, STEP_ZOOM);
	time_zoom(ui, factor, x);
}

/* A number between two others; def: there is none.  0: it makes no sense. */
static double
number(const char *arg, double lo, double hi, double def)
{
	double v = arg[0] != '\0' ? strtod(arg, NULL) : def;

	return (v >= lo && v <= hi ? v : 0);
}

/* At the pointer, or at a place of the window if that is said. */
static int
zoom(struct ui *ui, const char *arg, bool in)
{
	double by = number(arg, 1.001, 1000, 1.25);
	double factor = in ? 1 / by : by;
	int32_t x, y;

	if (!(by > 0))
		return (desk_fail(ui, "zoom by 1.001 to 1000"));
	if (sscanf(arg, "%*f %d %d", &x, &y) == 2 &&
	    pane_at(ui, x, y) == PANE_TREE)
		zoom_tree(ui, factor, x, y);
	else if (sscanf(arg, "%*f %d %d", &x, &y) == 2)
		zoom_time(ui, factor, x);
	else if (command_in_tree(ui))
		zoom_tree(ui, factor, ui->mouse.in ? ui->mouse.x : -1,
		    ui->mouse.in ? ui->mouse.y : -1);
	else
		zoom_time(ui, factor, ui->mouse.in ? ui->mouse.x : -1);
	return (0);
}

static int
zoom_in(struct ui *ui, const char *arg)
{
	return (zoom(ui, arg, true));
}

static int
zoom_out(struct ui *ui, const char *arg)
{
	return (zoom(ui, arg, false));
}

static int
pan(struct ui *ui, double share)
{
	if (command_in_tree(ui)) {
		history_add(ui, STEP_TREE);
		ui->tree.centre_x -= share * ui->tree.width;
		picture_changed(ui->picture);
	} else {
		history_add(ui, STEP_PAN);
		time_pan(ui, share);
	}
	return (0);
}

static int
pan_left(struct ui *ui, const char *arg)
{
	double by = number(arg, 0.001, 100, 0.1);

	return (by > 0 ? pan(ui, -by)
		       : desk_fail(ui, "go by 0.001 to 100 of the view"));
}

static int
pan_right(struct ui *ui, const char *arg)
{
	double by = number(arg, 0.001, 100, 0.1);

	return (by > 0 ? pan(ui, by)
		       : desk_fail(ui, "go by 0.001 to 100 of the view"));
}

/* Scrolls the pane that zoom and the like are about; px > 0: down. */
static int
command_scroll(struct ui *ui, int32_t px)
{
	int32_t rows;

	if (ui->places.focus >= PANE_LEFT && ui->places.focus <= PANE_DOCK) {
		/* what moves the lanes by two rows, by one */
		rows = px / (2 * ui->time.lane_height);
		rows = rows != 0 ? rows : px > 0 ? 1 : -1;
		view_scroll(ui, view_focused(ui), rows);
	} else if (command_in_tree(ui)) {
		ui->tree.centre_y -= px;
	} else {
		time_scroll(ui, px);
	}
	picture_changed(ui->picture);
	return (0);
}

/* By so many rows, at least a pixel. */
static int
scroll(struct ui *ui, const char *arg, int way)
{
	double rows = number(arg, 0.001, 1e6, 2);
	double px = rows * ui->time.lane_height;

	if (rows <= 0)
		return (desk_fail(ui, "scroll by 0.001 to 1000000 rows"));
	return (command_scroll(ui, way * (px < 1 ? 1 : (int32_t)px)));
}

static int
scroll_up(struct ui *ui, const char *arg)
{
	return (scroll(ui, arg, -1));
}

static int
scroll_down(struct ui *ui, const char *arg)
{
	return (scroll(ui, arg, 1));
}

static int
page_up(struct ui *ui, const char *arg)
{
	(void)arg;
	return (command_scroll(ui, -ui->time.height + ui->time.lane_height));
}

static int
page_down(struct ui *ui, const char *arg)
{
	(void)arg;
	return (command_scroll(ui, ui->time.height - ui->time.lane_height));
}

int
command_range(struct ui *ui, const char *arg)
{
	int64_t t0, t1;

	if (parse_range(arg, &t0, &t1) == -1)
		return (
		    desk_fail(ui, "range wants two times, as in: 1.2s:350ms"));
	history_add(ui, 0);
	time_asked(ui, t0, t1);
	return (0);
}

static int
fit(struct ui *ui, const char *arg)
{
	int64_t t0, t1, margin;
	uint32_t n;

	(void)arg;
	history_add(ui, 0);
	if (!time_selected(ui, &t0, &t1)) {
		n = ui->time.selected_task != 0
			? model_task_by_id(ui->model, ui->time.selected_task)
			: TASK_NONE;
		if (n == TASK_NONE) {
			time_fit(ui);
			return (0);
		}
		t0 = model_task(ui->model, n)->begin_mon_ns;
		t1 = model_task(ui->model, n)->end_mon_ns;
		if (t0 == INT64_MIN)
			return (desk_fail(ui, "this task has not begun yet"));
		if (t1 == INT64_MIN)
			t1 = run_end(ui);
		margin = (t1 - t0) / 5;
		if (ui->time.t0_mon_ns != t0 - margin ||
		    ui->time.t1_mon_ns != t1 + margin) {
			t0 -= margin;
			t1 += margin;
		}
	}
	ui->play.follow = false;
	time_range(ui, t0, t1);
	return (0);
}

static int
fit_all(struct ui *ui, const char *arg)
{
	(void)arg;
	history_add(ui, 0);
	ui->play.follow = false;
	time_fit(ui);
	ui->tree.zoom = 1;
	ui->tree.centre_x = ui->tree.centre_y = 0;
	ui->time.scroll_y = 0;
	return (0);
}

static int
back(struct ui *ui, const char *arg)
{
	(void)arg;
	return (history_step(ui, -1)
		    ? 0
		    : desk_fail(ui, "there is nothing before this"));
}

static int
forward(struct ui *ui, const char *arg)
{
	(void)arg;
	return (history_step(ui, 1)
		    ? 0
		    : desk_fail(ui, "there is nothing after this"));
}

const struct command command_move[] = {
	{ "zoom-in", "[BY [X Y]]",
	    "zooms in, by 1.25, at the pointer or a place of the window",
	    zoom_in },
	{ "zoom-out", "[BY [X Y]]", "zooms out", zoom_out },
	{ "pan-left", "[BY]", "goes back by a tenth of what is seen",
	    pan_left },
	{ "pan-right", "[BY]", "goes on by a tenth", pan_right },
	{ "scroll-up", "[ROWS]", "scrolls two rows up", scroll_up },
	{ "scroll-down", "[ROWS]", "scrolls two rows down", scroll_down },
	{ "page-up", "", "scrolls a page up", page_up },
	{ "page-down", "", "scrolls a page down", page_down },
	{ "range", "A:B", "shows this range of the run", command_range },
	{ "fit", "", "fits the selected range or task", fit },
	{ "fit-all", "", "fits the whole run and tree", fit_all },
	{ "back", "", "goes back to the place before", back },
	{ "forward", "", "takes a step back again", forward },
	{ 0 },
};
