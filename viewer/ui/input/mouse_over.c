/*
 * The mouse over what lies on the panes or beside them: cards, and the other
 * one of two runs.
 */
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/input/drag.h"
#include "ui/input/input.h"
#include "ui/trees/grown.h"
#include "ui/views/details/card.h"

bool
mouse_card(struct ui *ui, int32_t x, int32_t y, int button, bool twice)
{
	int i = card_at(ui, x, y);
	struct card *c;

	if (i == -1)
		return (false);
	card_raise(ui, (unsigned)i);
	c = &ui->cards.card[ui->cards.n - 1];
	if (button == 3) {
		thing_select(ui, &c->of);
		menu_open(ui, x, y);
	} else if (button == 1 && y < c->at.y0 + CARD_TITLE_PX &&
		   x >= c->at.x1 - CARD_CLOSE_PX) {
		card_close(ui, ui->cards.n - 1);
	} else if (button == 1 && twice) {
		command_run(ui, "card-show");
	} else if (button == 1) {
		thing_select(ui, &c->of);
		if (y < c->at.y0 + CARD_TITLE_PX) {
			ui->drag.what = DRAG_CARD;
			ui->drag.moved = false;
			ui->cards.grip_x = x - c->at.x0;
			ui->cards.grip_y = y - c->at.y0;
		}
	}
	return (true);
}

void
mouse_route(struct ui *ui, int32_t *x, int32_t *y)
{
	struct ui *o = ui->desks->desk[1];
	const struct rect *r, *t;

	if (o == NULL)
		return;
	r = &o->places.pane[PANE_TREE];
	t = &o->places.pane[PANE_TIME];
	o->mouse.x = *x;
	o->mouse.y = *y;
	o->mouse.in = rect_has(t, *x, *y);
	if (ui->drag.what == DRAG_NONE) {
		ui->desks->route_x = rect_has(r, *x, *y)
					 ? ui->places.pane[PANE_TREE].x0 - r->x0
					 : 0;
		ui->desks->route_y = rect_has(&o->places.lanes, *x, *y) ? 1 : 0;
	}
	*x += ui->desks->route_x;
	if (ui->desks->route_y != 0)
		*y = ui->places.ruler.y0 + 2;
}

bool
mouse_other(struct ui *ui, int32_t x, int32_t y)
{
	struct ui *o = ui->desks->desk[1];
	const struct timeline_row *row;

	if (o == NULL || (!rect_has(&o->places.pane[PANE_TREE], x, y) &&
			     !rect_has(&o->places.pane[PANE_TIME], x, y)))
		return (false);
	for (unsigned i = o->spots.n; i-- > 0;) {
		const struct spot *s = &o->spots.spot[i];
		char line[sizeof(s->command)];

		if (!rect_has(&s->at, x, y))
			continue;
		memcpy(line, s->command, sizeof(line));
		/* rows are its own, all else is of both */
		command_run(rect_has(&o->places.pane[PANE_TIME], x, y) ? o : ui,
		    line);
		picture_changed(ui->picture);
		return (true);
	}
	if (!rect_has(&o->places.pane[PANE_TIME], x, y) ||
	    y < o->places.lanes.y0)
		return (false);
	row = timeline_row_at(&o->timepane.rows, y - o->places.lanes.y0);
	if (row == NULL)
		return (false);
	o->time.selected_lane = row->lane;
	ui->time.selected_lane = ui->desks->lane =
	    compare_lane(o->model, row->lane, ui->model);
	select_task(ui, TASK_NONE);
	picture_changed(ui->picture);
	return (x < o->places.lanes.x0);
}
