/* Where the panes of a window of some size are, and what is inside of them. */
#include "ui/whole/place.h"

#include <string.h>

#include "ui/panes/panes.h"
#include "ui/whole/compare.h"

#define OVERVIEW_PX   50
#define STATUS_PX     28
#define LABELS_PX     176
#define TITLE_PX      24
#define RULER_PX      20
#define TREE_SMALL_PX 160 /* its words stand beside it */
#define DOCK_PX       112 /* it needs for a few rows */

static double
smaller(double a, double b)
{
	return (a < b ? a : b);
}

/* A centre that was moved stays where it is in the picture, which grows and
 * shrinks as a whole. */
static void
tree_size(struct ui *ui, int32_t width, int32_t height)
{
	double was = smaller(ui->tree.width, ui->tree.height);
	double is = smaller(width, height);

	if (was > 0 && is > 0 && !is_second(ui)) {
		ui->tree.centre_x *= is / was;
		ui->tree.centre_y *= is / was;
	}
	ui->tree.width = width;
	ui->tree.height = height;
}

/* Of the column with the names of rows; at first a third is theirs at most. */
static int32_t
names_width(const struct ui *ui, int32_t width)
{
	int32_t px = ui->desks->desk[0]->places.names_px;

	if (px > 0)
		return (px < width * 3 / 4 ? px : width * 3 / 4);
	return (width / 3 < LABELS_PX ? width / 3 : LABELS_PX);
}

static void
place_inside(struct ui *ui)
{
	const struct rect *t = &ui->places.pane[PANE_TIME],
			  *r = &ui->places.pane[PANE_TREE];
	int32_t labels = names_width(ui, t->x1 - t->x0);
	int32_t title = lanes_have_title(ui) ? TITLE_PX : 0;

	ui->places.ruler = (struct rect){ t->x0 + labels, t->y0 + title,
		t->x1 - 8, t->y0 + title + RULER_PX };
	ui->places.lanes = (struct rect){ t->x0 + labels,
		ui->places.ruler.y1 + notes_px(ui), t->x1 - 8, t->y1 - 4 };
	if (ui->places.lanes.x1 < ui->places.lanes.x0)
		ui->places.lanes.x1 = ui->places.lanes.x0;
	if (ui->places.lanes.y1 < ui->places.lanes.y0)
		ui->places.lanes.y1 = ui->places.lanes.y0;
	ui->places.tree_words = ui->places.tree = *r;
	if (r->y1 - r->y0 < TREE_SMALL_PX && r->x1 - r->x0 > r->y1 - r->y0) {
		ui->places.tree.x1 = r->x0 + (r->y1 - r->y0); /* a square */
		ui->places.tree_words.x0 = ui->places.tree.x1;
	} else {
		ui->places.tree.y0 += TITLE_PX;
		ui->places.tree.y1 -= 48;
	}
	if (ui->places.tree.y1 < ui->places.tree.y0)
		ui->places.tree.y1 = ui->places.tree.y0;
	ui->time.width = ui->places.lanes.x1 - ui->places.lanes.x0;
	ui->time.height = ui->places.lanes.y1 - ui->places.lanes.y0;
	tree_size(ui, ui->places.tree.x1 - ui->places.tree.x0,
	    ui->places.tree.y1 - ui->places.tree.y0);
}

/* Of two runs, each has its part. */
static void
place_halves(struct ui *ui)
{
	if (two_runs(ui)) {
		compare_place(ui);
		place_inside(ui->desks->desk[1]);
	}
	place_inside(ui);
}

static bool
is_hidden(const struct ui *ui, enum pane pane)
{
	return (ui->places.hidden >> pane & 1);
}

/* The lanes and the tree have the pane of the place that they stand in. */
static void
place_views(struct ui *ui)
{
	static const enum pane places[] = { PANE_LEFT, PANE_RIGHT, PANE_DOCK };
	enum pane own;

	for (int i = 0; i < 3; i++) {
		struct rect *r = &ui->places.pane[places[i]];

		own = view_pane(ui, places[i]);
		if (own == places[i] || place_is_empty(r))
			continue;
		ui->places.pane[own] = *r;
		if (places[i] == PANE_DOCK)
			ui->places.pane[own].y0 += DOCK_TABS_PX;
		else
			*r = (struct rect){ 0 };
	}
}

void
place_panes(struct ui *ui)
{
	int32_t w = ui->places.width, h = ui->places.height;
	int32_t strip = is_hidden(ui, PANE_OVERVIEW) ? 0 : OVERVIEW_PX + 1;
	int32_t top = PLACE_TOP_PX + 1 + strip, bottom = h - STATUS_PX;
	int32_t x = (int32_t)((int64_t)w * ui->places.split_x / 1000);
	int32_t y = (int32_t)((int64_t)h * ui->places.split_y / 1000);

	memset(ui->places.pane, 0, sizeof(ui->places.pane));
	if (ui->places.only != PANES) {
		ui->places.left_at = ui->places.right_at = (struct rect){ 0 };
		ui->places.pane[ui->places.only] = (struct rect){ 0, 0, w, h };
		place_halves(ui);
		return;
	}
	if (ui->places.split_y <= PLACE_DOCK_SPLIT && y > bottom - DOCK_PX)
		y = bottom - DOCK_PX; /* else it is meant to be small */
	y = y > bottom ? bottom : y < top + 40 ? top + 40 : y;
	y = y > bottom || is_hidden(ui, PANE_DOCK) ? bottom : y;
	if (is_hidden(ui, PANE_LEFT) && is_hidden(ui, PANE_RIGHT))
		y = top - 1;
	x = is_hidden(ui, PANE_RIGHT) ? w : is_hidden(ui, PANE_LEFT) ? -1 : x;
	ui->places.pane[PANE_TOP] = (struct rect){ 0, 0, w, PLACE_TOP_PX };
	ui->places.pane[PANE_OVERVIEW] =
	    (struct rect){ 0, PLACE_TOP_PX + 1, w, PLACE_TOP_PX + strip };
	ui->places.pane[PANE_LEFT] = (struct rect){ 0, top, x, y };
	ui->places.pane[PANE_RIGHT] = (struct rect){ x + 1, top, w, y };
	ui->places.pane[PANE_DOCK] = (struct rect){ 0, y + 1, w, bottom };
	ui->places.pane[PANE_STATUS] = (struct rect){ 0, bottom, w, h };
	for (int i = 0; i < PANES; i++)
		if (is_hidden(ui, (enum pane)i) ||
		    place_is_empty(&ui->places.pane[i]))
			ui->places.pane[i] = (struct rect){ 0 };
	ui->places.left_at = ui->places.pane[PANE_LEFT];
	ui->places.right_at = ui->places.pane[PANE_RIGHT];
	place_views(ui);
	place_halves(ui);
}
