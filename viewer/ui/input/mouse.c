/*
 * The mouse.  What a press means depends on where it is; what a held button
 * does is decided there once and is drag.c's until it is let go.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/commands/command.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/input/drag.h"
#include "ui/input/input.h"
#include "ui/panes/panes.h"
#include "ui/views/details/card.h"

#define DOUBLE_MS     350
#define DOCK_TITLE_PX 24
#define PIN_PX        24 /* a card is so far from what was clicked */

/* The strip over a pane's contents that says what it is. */
static bool
in_title(const struct ui *ui, int32_t x, int32_t y)
{
	enum pane pane = pane_at(ui, x, y);

	return (
	    (pane == PANE_TIME && y < ui->places.ruler.y0) ||
	    (pane == PANE_TREE && !rect_has(&ui->places.tree, x, y) &&
		y < ui->places.tree_words.y0 + DOCK_TITLE_PX) ||
	    ((pane == PANE_LEFT || pane == PANE_RIGHT || pane == PANE_DOCK) &&
		y < ui->places.pane[pane].y0 + DOCK_TITLE_PX));
}

static void
mouse_to(struct ui *ui, int32_t x, int32_t y)
{
	ui->mouse.x = x;
	ui->mouse.y = y;
	ui->mouse.in = true;
	picture_changed(ui->picture);
	if (ui->menu->open)
		menu_move(ui, x, y);
	if (ui->prompt.kind != 0)
		prompt_move(ui, x, y);
	drag_on(ui, x, y);
}

void
mouse_move(struct ui *ui, int32_t x, int32_t y)
{
	if (ui->drag.what != DRAG_CARD)
		mouse_route(ui, &x, &y);
	mouse_to(ui, x, y);
}

void
mouse_leave(struct ui *ui)
{
	if (two_runs(ui))
		ui->desks->desk[1]->mouse.in = false;
	ui->mouse.in = false;
	picture_changed(ui->picture);
}

/* The end of the range that is nearer, or the cursor, goes on to here. */
static void
extend(struct ui *ui, int64_t t)
{
	int64_t a = ui->time.sel0_mon_ns, b = ui->time.sel1_mon_ns;

	if (a >= b)
		a = b = ui->chosen.cursor_mon_ns != INT64_MIN
			    ? ui->chosen.cursor_mon_ns
			    : ui->time.t0_mon_ns;
	if (t - a > b - t)
		time_select(ui, a, t);
	else
		time_select(ui, t, b);
	command_offer(ui, false);
}

/* Selects what was hit; the other view shows it as well. */
static void
select_hit(struct ui *ui)
{
	const struct timeline_hit *h = &ui->mouse.hit;
	uint32_t task = TASK_NONE;

	if (h->of == OF_SPAN && h->span.kind == SPAN_task)
		task = model_task_by_id(ui->model, h->span.id);
	select_task(ui, task);
	time_select(ui, 0, 0);
	ui->time.selected_lane = h->of == OF_NOTHING ? UINT32_MAX : h->lane;
	ui->chosen.clicked = *h;
	ui->chosen.mark = h->mark;
	ui->chosen.mark_lane = h->of == OF_MARK ? h->lane : UINT32_MAX;
	if ((task != TASK_NONE || h->of != OF_NOTHING) &&
	    ui->places.tab != VIEW_STACKS)
		view_offer(ui, VIEW_DETAILS);
}

static void
select_label(struct ui *ui, int32_t y)
{
	const struct timeline_row *r =
	    timeline_row_at(&ui->timepane.rows, y - ui->places.lanes.y0);

	ui->time.selected_lane = ui->chosen.mark_lane = UINT32_MAX;
	ui->chosen.clicked.of =
	    OF_NOTHING; /* the row, not what was clicked in it */
	if (r != NULL) {
		ui->time.selected_lane = r->lane;
		view_offer(ui, VIEW_DETAILS);
	}
	select_task(ui, TASK_NONE);
}

static void
click(struct ui *ui, int32_t x, int32_t y)
{
	enum pane pane = pane_at(ui, x, y);

	if (in_title(ui, x, y))
		return;
	if (pane == PANE_TREE) {
		tree_select(ui, ui->mouse.task);
		if (ui->mouse.task != TASK_NONE)
			view_offer(ui, VIEW_DETAILS);
	} else if (pane == PANE_TIME && x >= ui->places.lanes.x0) {
		ui->chosen.cursor_mon_ns = drag_time(ui, x);
		select_hit(ui);
	} else if (pane == PANE_TIME && y >= ui->places.lanes.y0) {
		select_label(ui, y);
	} else if (pane == PANE_OVERVIEW) {
		int64_t t = overview_time(ui, x);
		int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;

		history_add(ui, 0);
		ui->play.follow = false;
		time_range(ui, t - span / 2, t + span - span / 2);
	}
}

/* Its details stay, beside the pointer. */
static void
pin(struct ui *ui, int32_t x, int32_t y)
{
	char line[40];

	click(ui, x, y);
	snprintf(line, sizeof(line), "card %d,%d", x + PIN_PX, y + PIN_PX);
	command_run(ui, line);
}

/* The menu is about what is selected by opening it. */
static void
right_click(struct ui *ui, int32_t x, int32_t y)
{
	enum pane pane = pane_at(ui, x, y);
	enum view_id tab = ui->places.tab;
	int64_t t0 = ui->time.sel0_mon_ns, t1 = ui->time.sel1_mon_ns;

	if (pane == PANE_TIME && rect_has(&ui->places.lanes, x, y)) {
		int64_t t = drag_time(ui, x);

		select_hit(ui);
		if (t0 < t1 && t >= t0 && t < t1) /* the menu is about it */
			time_select(ui, t0, t1);
	} else if (pane == PANE_TREE && ui->mouse.task != TASK_NONE)
		tree_select(ui, ui->mouse.task);
	else if (pane == PANE_TIME && y >= ui->places.lanes.y0)
		select_label(ui, y);
	ui->places.tab = tab;
	menu_open(ui, x, y);
}

/* To the span or link under the pointer, and a little around it. */
static void
zoom_to_hit(struct ui *ui)
{
	const struct span *s = &ui->mouse.hit.span;
	int64_t t0, t1;

	if (ui->mouse.hit.of != OF_SPAN && ui->mouse.hit.of != OF_LINK)
		return;
	t0 = ui->mouse.hit.of == OF_SPAN ? s->t0_mon_ns
					 : ui->mouse.hit.link.t0_mon_ns;
	t1 = ui->mouse.hit.of == OF_SPAN ? s->t1_mon_ns
					 : ui->mouse.hit.link.t1_mon_ns;
	t1 = t1 == INT64_MAX ? run_end(ui) : t1;
	history_add(ui, 0);
	ui->play.follow = false;
	time_range(ui, t0 - (t1 - t0) / 4, t1 + (t1 - t0) / 4);
}

static void
double_click(struct ui *ui, int32_t x, int32_t y)
{
	if (in_title(ui, x, y)) {
		command_run(ui, "maximise");
		return;
	}
	if (pane_at(ui, x, y) == PANE_TREE) {
		if (ui->mouse.task != TASK_NONE)
			command_run(ui, "reroot");
		else
			command_run(ui, "up");
		return;
	}
	if (pane_at(ui, x, y) == PANE_TIME && x < ui->places.lanes.x0) {
		command_run(ui, "fold");
		return;
	}
	if (pane_at(ui, x, y) == PANE_TIME)
		zoom_to_hit(ui);
}

/* What the other buttons begin over the lanes. */
static const enum drag over_lanes[KEYMAPS][4] = {
	[KEYMAP_ORRERY] = { [2] = DRAG_PAN, [3] = DRAG_ZOOM },
	[KEYMAP_TRACY] = { [2] = DRAG_ZOOM, [3] = DRAG_GRASP },
};

static void
left_down(struct ui *ui, int32_t x, int32_t y, unsigned mods)
{
	enum drag edge = drag_edge(ui, x, y);
	const struct spot *s = edge == DRAG_NONE ? spot_at(ui, x, y) : NULL;

	ui->mouse.placed = s != NULL && strncmp(s->command, "put ", 4) == 0;
	if (edge != DRAG_NONE) {
		drag_start(ui, edge, x, y);
	} else if (s != NULL) {
		char line[sizeof(s->command)];

		memcpy(line, s->command, sizeof(line));
		ui->told.message[0] = '\0';
		command_run(ui, line);
	} else if (rect_has(&ui->places.tree, x, y)) {
		drag_start(ui, mods & MOD_SHIFT ? DRAG_TURN : DRAG_TREE, x, y);
	} else if (rect_has(&ui->places.lanes, x, y) ||
		   rect_has(&ui->places.ruler, x, y)) {
		drag_start(ui, mods & MOD_SHIFT ? DRAG_PAN : DRAG_SELECT, x, y);
	} else if (mods & MOD_CTRL) {
		pin(ui, x, y);
	} else {
		click(ui, x, y);
	}
}

/*
 * Two clicks there are more than one and one more: no button, or one in a title
 * that says what is to be shown, which it is by then.
 */
static bool
may_be_twice(const struct ui *ui, int32_t x, int32_t y)
{
	const struct spot *s = spot_at(ui, x, y);

	return (s == NULL ||
		(in_title(ui, x, y) && strchr(s->command, ' ') != NULL));
}

static bool
is_twice(const struct ui *ui, int32_t x, int32_t y, int button, int64_t t_ms)
{
	return (button == 1 && t_ms - ui->mouse.click_ms < DOUBLE_MS &&
		abs(x - ui->mouse.click_x) < DRAG_PX &&
		abs(y - ui->mouse.click_y) < DRAG_PX);
}

/* On a card, if there is nothing over it. */
static bool
press_card(struct ui *ui, int32_t x, int32_t y, int button, int64_t t_ms)
{
	bool twice = is_twice(ui, x, y, button, t_ms);

	if (ui->menu->open || ui->prompt.kind != 0 || ui->desks->help.open ||
	    !mouse_card(ui, x, y, button, twice))
		return (false);
	ui->mouse.click_ms = twice ? INT64_MIN / 2 : t_ms;
	ui->mouse.click_x = ui->drag.x = x;
	ui->mouse.click_y = ui->drag.y = y;
	mouse_to(ui, x, y);
	return (true);
}

void
mouse_down(struct ui *ui, int32_t x, int32_t y, int button, unsigned mods,
    int64_t t_ms)
{
	enum pane pane;
	bool twice;

	if (press_card(ui, x, y, button, t_ms))
		return;
	if (button == 1 && !ui->menu->open && mouse_other(ui, x, y))
		return;
	mouse_route(ui, &x, &y);
	pane = pane_at(ui, x, y);
	twice = is_twice(ui, x, y, button, t_ms);
	mouse_to(ui, x, y);
	timepane_hover(ui); /* the last frame may be of another place */
	treepane_hover(ui);
	if (menu_click(ui, x, y) || prompt_click(ui, x, y))
		return;
	if (ui->desks->help.open) {
		ui->desks->help.open = false;
		return;
	}
	if (rect_has(&ui->places.legend_at, x, y)) {
		command_run(ui, "legend off");
		return;
	}
	if (twice && ui->mouse.placed) /* another view is here by now */
		return;
	if (pane >= PANE_TIME && pane <= PANE_DOCK)
		ui->places.focus = pane;
	ui->mouse.click_ms = twice ? INT64_MIN / 2 : t_ms;
	ui->mouse.click_x = x;
	ui->mouse.click_y = y;
	if (twice && may_be_twice(ui, x, y)) {
		double_click(ui, x, y);
	} else if (button == 1) {
		left_down(ui, x, y, mods);
	} else if (button == 2 && pane == PANE_TREE) {
		command_run(ui, "centre");
	} else if ((button == 2 && pane == PANE_TIME) ||
		   (button == 3 && rect_has(&ui->places.lanes, x, y))) {
		drag_start(ui, over_lanes[ui->mouse.keymap][button], x, y);
	} else if (button == 3) {
		right_click(ui, x, y);
	}
}

void
mouse_up(struct ui *ui, int32_t x, int32_t y, int button, unsigned mods)
{
	enum drag drag = ui->drag.what;
	bool moved;

	if (drag != DRAG_CARD)
		mouse_route(ui, &x, &y);
	mouse_to(ui, x, y);
	moved = ui->drag.moved;

	ui->drag.what = DRAG_NONE;
	if (drag == DRAG_NONE)
		return;
	if (!moved) {
		if (button == 1 && drag == DRAG_PAN && mods & MOD_SHIFT)
			extend(ui, drag_time(ui, x));
		else if (button == 1 && drag != DRAG_CARD && mods & MOD_CTRL)
			pin(ui, x, y);
		else if (button == 1 && drag != DRAG_CARD)
			click(ui, x, y);
		else if (button == 3)
			right_click(ui, x, y);
		else if (button == 2 && drag == DRAG_ZOOM)
			zoom_to_hit(ui);
	} else if (drag == DRAG_ZOOM) {
		int64_t t0 = drag_time(ui, ui->drag.x), t1 = drag_time(ui, x);

		history_add(ui, 0);
		ui->play.follow = false;
		time_range(ui, t0 < t1 ? t0 : t1, t0 < t1 ? t1 : t0);
	}
	if (drag == DRAG_SELECT || (drag == DRAG_TREE && !moved))
		command_offer(ui, false);
}

static void
wheel_zoom(struct ui *ui, int32_t x, int dy, double by)
{
	history_add(ui, STEP_ZOOM);
	time_zoom(ui, dy < 0 ? 1 / by : by, x);
}

/* Over the lanes, by what is held with it: shift 1, control 2, both 3. */
static void
wheel_lanes(struct ui *ui, int32_t x, int dy, unsigned mods)
{
	static const double zoom[KEYMAPS][4] = {
		[KEYMAP_ORRERY] = { [MOD_CTRL] = 1.25 },
		[KEYMAP_TRACY] = { 1.25, [MOD_SHIFT] = 2, [MOD_CTRL] = 1.05 },
	};
	double by = zoom[ui->mouse.keymap][mods & (MOD_SHIFT | MOD_CTRL)];

	if (by > 0) {
		wheel_zoom(ui, x, dy, by);
	} else if (mods & MOD_CTRL) {
		command_run(ui, dy < 0 ? "row-height +" : "row-height -");
	} else if (mods & MOD_SHIFT) {
		history_add(ui, STEP_PAN);
		time_pan(ui, dy * 0.1);
	} else {
		command_run(ui, dy < 0 ? "scroll-up" : "scroll-down");
	}
}

void
mouse_wheel(struct ui *ui, int32_t x, int32_t y, int dy, unsigned mods)
{
	enum pane pane;

	mouse_route(ui, &x, &y);
	pane = pane_at(ui, x, y);
	mouse_to(ui, x, y);
	if (prompt_wheel(ui, x, y, dy) || help_scroll(ui, 3 * dy) ||
	    card_hides(ui))
		return;
	if (pane == PANE_TREE) {
		history_add(ui, STEP_TREE);
		tree_zoom(ui, dy < 0 ? 1 / 1.2 : 1.2, x - ui->places.tree.x0,
		    y - ui->places.tree.y0);
	} else if (pane == PANE_DOCK || pane == PANE_LEFT ||
		   pane == PANE_RIGHT) {
		view_scroll(ui, view_of_pane(ui, pane), dy);
	} else if (pane == PANE_OVERVIEW) {
		wheel_zoom(ui, x, dy, 1.25);
	} else if (pane == PANE_TIME) {
		wheel_lanes(ui, x, dy, mods);
	}
}
