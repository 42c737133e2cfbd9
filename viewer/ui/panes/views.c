/*
 * The table of views, and where they stand: one at the left, one at the right,
 * all others as tabs of the dock.
 */
#include <string.h>
#include <strings.h>

#include "ui/desk/desk.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"

const struct view views[VIEWS] = {
#define VIEW(id, ...) [VIEW_##id] = { __VA_ARGS__ },
#include "ui/desk/views.def"
#undef VIEW
};

bool
view_is_tab(const struct ui *ui, enum view_id v)
{
	return (ui->places.left != v && ui->places.right != v &&
		views[v].there(ui));
}

enum view_id
view_next_tab(const struct ui *ui)
{
	enum view_id v = ui->places.tab;

	do
		v = (enum view_id)((v + 1) % VIEWS);
	while (!view_is_tab(ui, v)); /* only two of them stand elsewhere */
	return (v);
}

static bool
is_name(const char *name, const char *s, size_t n)
{
	return (n > 0 && strlen(name) == n && strncasecmp(name, s, n) == 0);
}

enum view_id
view_named(const char *name, size_t n)
{
	int v = 0;

	if (is_name("process-time", name, n)) /* as pictures call it, too */
		return (VIEW_LANES);
	if (is_name("radial", name, n))
		return (VIEW_TREE);
	while (v < VIEWS && !is_name(views[v].name, name, n))
		v++;
	return ((enum view_id)v);
}

enum pane
view_place(const struct ui *ui, enum view_id v)
{
	return (v == ui->places.left    ? PANE_LEFT
		: v == ui->places.right ? PANE_RIGHT
					: PANE_DOCK);
}

enum view_id
view_at(const struct ui *ui, enum pane place)
{
	return (place == PANE_LEFT    ? ui->places.left
		: place == PANE_RIGHT ? ui->places.right
				      : ui->places.tab);
}

enum pane
view_pane(const struct ui *ui, enum pane place)
{
	enum pane own = views[view_at(ui, place)].pane;

	return (own != PANES ? own : place);
}

enum view_id
view_of_pane(const struct ui *ui, enum pane pane)
{
	return (pane == PANE_TIME   ? VIEW_LANES
		: pane == PANE_TREE ? VIEW_TREE
				    : view_at(ui, pane));
}

enum view_id
view_focused(const struct ui *ui)
{
	return (view_of_pane(ui, ui->places.focus));
}

static void
set_at(struct ui *ui, enum pane place, enum view_id v)
{
	if (place == PANE_LEFT)
		ui->places.left = v;
	else if (place == PANE_RIGHT)
		ui->places.right = v;
	else
		ui->places.tab = v;
}

/* The view that stood there goes to where the other one comes from. */
void
view_stand(struct ui *ui, enum view_id v, enum pane place)
{
	enum view_id was = view_at(ui, place), focused = view_focused(ui);
	enum pane from = view_place(ui, v);
	bool shown = view_at(ui, from) == v; /* of many tabs */

	set_at(ui, place, v);
	if (from != place && shown)
		set_at(ui, from, was);
	from = view_place(ui, focused);
	ui->places.focus =
	    view_pane(ui, view_at(ui, from) == focused ? from : place);
	ui_redo(ui);
}

bool
view_only(struct ui *ui, enum view_id v)
{
	if (v == VIEWS || !views[v].there(ui))
		return (false);
	ui->places.only = views[v].pane;
	if (views[v].pane == PANES) {
		view_stand(ui, v, PANE_LEFT);
		ui->places.only = PANE_LEFT;
	}
	return (true);
}

void
view_offer(struct ui *ui, enum view_id v)
{
	if (view_is_tab(ui, v) && views[ui->places.tab].pane == PANES)
		ui->places.tab = v;
}

void
view_scroll(struct ui *ui, enum view_id v, int32_t rows)
{
	int64_t to = (int64_t)ui->lists.scroll[v] + rows;

	ui->lists.scroll[v] = to < 0                     ? 0
			      : to > INT32_MAX - 1000000 ? INT32_MAX - 1000000
							 : (int32_t)to;
	picture_changed(ui->picture);
}

void
view_last_row(struct ui *ui, enum view_id v)
{
	if ((views[v].flags & VIEW_SCROLLS) != 0)
		ui->lists.scroll[v] = INT32_MAX;
	picture_changed(ui->picture);
}
