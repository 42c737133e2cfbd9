/*
 * What a held button does: splitters, the overview's handles, ranges, the views
 * and cards follow the mouse from where it was pressed.
 */
#include "ui/input/drag.h"

#include <math.h>
#include <stdlib.h>

#include "ui/commands/command.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"
#include "ui/views/details/card.h"

#define GRAB_PX 4 /* how near to a splitter or handle */

static bool
is_near(int32_t a, int32_t b)
{
	return (abs(a - b) <= GRAB_PX);
}

enum drag
drag_edge(const struct ui *ui, int32_t x, int32_t y)
{
	const struct rect *t = &ui->places.left_at,
			  *d = &ui->places.pane[PANE_DOCK];
	struct rect win = overview_window(ui);

	if (ui->places.only != PANES)
		return (DRAG_NONE);
	if (y > t->y0 && y < t->y1 - GRAB_PX && is_near(x, t->x1) &&
	    ui->places.right_at.x1 > 0)
		return (DRAG_SPLIT_X);
	if (y > ui->places.ruler.y0 && y < ui->places.lanes.y1 &&
	    x <= ui->places.lanes.x0 && x > ui->places.lanes.x0 - 2 * GRAB_PX &&
	    ui->places.pane[PANE_TIME].x1 > 0)
		return (DRAG_NAMES);
	if (d->y0 > 0 && is_near(y, d->y0 - 1) &&
	    (t->x1 > 0 || ui->places.right_at.x1 > 0))
		return (DRAG_SPLIT_Y);
	if (!rect_has(&ui->places.pane[PANE_OVERVIEW], x, y))
		return (DRAG_NONE);
	if (is_near(x, win.x1))
		return (DRAG_WINDOW_RIGHT);
	if (is_near(x, win.x0))
		return (DRAG_WINDOW_LEFT);
	return (DRAG_WINDOW);
}

void
drag_start(struct ui *ui, enum drag drag, int32_t x, int32_t y)
{
	ui->drag.what = drag;
	ui->drag.x = x;
	ui->drag.y = y;
	ui->drag.moved = false;
	ui->drag.t0 = ui->time.t0_mon_ns;
	ui->drag.t1 = ui->time.t1_mon_ns;
	ui->drag.cx = ui->tree.centre_x;
	ui->drag.cy = ui->tree.centre_y;
	ui->drag.rad = ui->tree.rotate_rad;
	ui->drag.scroll = ui->time.scroll_y;
}

int64_t
drag_time(const struct ui *ui, int32_t x)
{
	x = x < ui->places.lanes.x0   ? ui->places.lanes.x0
	    : x > ui->places.lanes.x1 ? ui->places.lanes.x1
				      : x;
	return (timeline_time(&ui->time, x - ui->places.lanes.x0));
}

static void
drag_window(struct ui *ui, int32_t x)
{
	int64_t by = overview_time(ui, x) - overview_time(ui, ui->drag.x);
	int64_t t0 = ui->drag.t0, t1 = ui->drag.t1;

	ui->play.follow = false;
	if (ui->drag.what == DRAG_WINDOW_LEFT)
		t0 = t0 + by < t1 ? t0 + by : t1 - 1;
	else if (ui->drag.what == DRAG_WINDOW_RIGHT)
		t1 = t1 + by > t0 ? t1 + by : t0 + 1;
	else {
		t0 += by;
		t1 += by;
	}
	time_range(ui, t0, t1);
}

static void
drag_pan(struct ui *ui, int32_t x)
{
	int64_t span = ui->drag.t1 - ui->drag.t0;
	int64_t by = (int64_t)((double)span * (ui->drag.x - x) /
			       (ui->time.width > 0 ? ui->time.width : 1));

	ui->play.follow = false;
	time_range(ui, ui->drag.t0 + by, ui->drag.t1 + by);
}

/* Of a pixel, seen from the tree's centre. */
static double
angle_at(const struct ui *ui, int32_t x, int32_t y)
{
	return (atan2(y - ui->places.tree.y0 - ui->tree.height / 2.0 -
			  ui->tree.centre_y,
	    x - ui->places.tree.x0 - ui->tree.width / 2.0 - ui->tree.centre_x));
}

static void
names_width(struct ui *ui, int32_t px)
{
	ui->places.names_px = px < NAMES_MIN_PX   ? NAMES_MIN_PX
			      : px > NAMES_MAX_PX ? NAMES_MAX_PX
						  : px;
}

static void
drag_to(struct ui *ui, int32_t x, int32_t y)
{
	switch (ui->drag.what) {
	case DRAG_SELECT:
		time_select(ui, drag_time(ui, ui->drag.x), drag_time(ui, x));
		break;
	case DRAG_PAN:
		drag_pan(ui, x);
		break;
	case DRAG_GRASP:
		drag_pan(ui, x);
		ui->time.scroll_y = ui->drag.scroll;
		time_scroll(ui, ui->drag.y - y);
		break;
	case DRAG_TREE:
		ui->tree.centre_x = ui->drag.cx + x - ui->drag.x;
		ui->tree.centre_y = ui->drag.cy + y - ui->drag.y;
		break;
	case DRAG_TURN:
		ui->tree.rotate_rad = ui->drag.rad + angle_at(ui, x, y) -
				      angle_at(ui, ui->drag.x, ui->drag.y);
		break;
	case DRAG_WINDOW:
	case DRAG_WINDOW_LEFT:
	case DRAG_WINDOW_RIGHT:
		drag_window(ui, x);
		break;
	case DRAG_SPLIT_X:
		ui->places.split_x =
		    x * 1000 / (ui->places.width > 0 ? ui->places.width : 1);
		ui->places.split_x =
		    ui->places.split_x < 100 ? 100 : ui->places.split_x;
		ui->places.split_x =
		    ui->places.split_x > 900 ? 900 : ui->places.split_x;
		break;
	case DRAG_NAMES:
		names_width(ui, x - ui->places.pane[PANE_TIME].x0);
		break;
	case DRAG_SPLIT_Y:
		ui->places.split_y =
		    y * 1000 / (ui->places.height > 0 ? ui->places.height : 1);
		ui->places.split_y =
		    ui->places.split_y < 200 ? 200 : ui->places.split_y;
		ui->places.split_y =
		    ui->places.split_y > 980 ? 980 : ui->places.split_y;
		break;
	case DRAG_CARD:
		card_drag(ui, x, y);
		break;
	case DRAG_ZOOM: /* drawn while it goes on, done at its end */
	case DRAG_NONE:
		break;
	}
}

void
drag_on(struct ui *ui, int32_t x, int32_t y)
{
	if (ui->drag.what == DRAG_NONE)
		return;
	if (abs(x - ui->drag.x) >= DRAG_PX || abs(y - ui->drag.y) >= DRAG_PX) {
		if (!ui->drag.moved &&
		    (ui->drag.what == DRAG_PAN || ui->drag.what == DRAG_GRASP ||
			ui->drag.what == DRAG_TREE ||
			ui->drag.what == DRAG_WINDOW))
			history_add(ui,
			    ui->drag.what == DRAG_TREE ? STEP_TREE : STEP_PAN);
		ui->drag.moved = true;
	}
	if (ui->drag.moved)
		drag_to(ui, x, y);
}
