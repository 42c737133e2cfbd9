/* Commands of the window's panes: which are there, how high rows are. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/panes/arrange.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"

#define ROW_PX_MIN  8
#define ROW_PX_MAX  60
#define ROW_PX_STEP 4

/* "NAME", "NAME on", "NAME off" */
static int
pane(struct ui *ui, const char *arg)
{
	size_t n = strcspn(arg, " ");
	const char *how = arg[n] != '\0' ? arg + n + 1 : "";
	enum pane of = pane_named(arg, n);
	unsigned bit = 1u << of;

	if (of != PANES) {
		ui->places.maximised = false;
		if (strcmp(how, "on") == 0)
			return (places_hide(ui, ui->places.hidden & ~bit));
		if (strcmp(how, "off") == 0)
			return (places_hide(ui, ui->places.hidden | bit));
		if (how[0] == '\0')
			return (places_hide(ui, ui->places.hidden ^ bit));
	}
	return (desk_fail(ui,
	    "pane wants overview, left, right or dock, and perhaps on or off"));
}

static int
maximise(struct ui *ui, const char *arg)
{
	(void)arg;
	return (places_maximise(ui));
}

static int
full_screen(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->places.full_screen = !ui->places.full_screen;
	return (0);
}

/* "": as many fit; "+", "-": from what it is */
static int
row_height(struct ui *ui, const char *arg)
{
	int32_t px = ui->time.lane_height;
	uint64_t v;

	ui->timepane.stays.px = 0;
	if (arg[0] == '\0') {
		ui->timepane.row_px = 0;
		return (0);
	}
	if (strcmp(arg, "+") == 0)
		px += ROW_PX_STEP;
	else if (strcmp(arg, "-") == 0)
		px -= ROW_PX_STEP;
	else if (parse_number(arg, &v) == 0 && v >= ROW_PX_MIN &&
		 v <= ROW_PX_MAX)
		px = (int32_t)v;
	else
		return (desk_fail(ui, "row-height wants + or -, or %d to %d",
		    ROW_PX_MIN, ROW_PX_MAX));
	ui->timepane.row_px = px < ROW_PX_MIN   ? ROW_PX_MIN
			      : px > ROW_PX_MAX ? ROW_PX_MAX
						: px;
	return (0);
}

/* "": as at first */
static int
names_width(struct ui *ui, const char *arg)
{
	uint64_t v = 0;

	if (arg[0] != '\0' && (parse_number(arg, &v) == -1 ||
				  v < NAMES_MIN_PX || v > NAMES_MAX_PX))
		return (desk_fail(ui, "names-width wants %d to %d",
		    NAMES_MIN_PX, NAMES_MAX_PX));
	ui->places.names_px = (int32_t)v;
	return (0);
}

static int
first_row(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->places.focus >= PANE_LEFT && ui->places.focus <= PANE_DOCK) {
		ui->lists.scroll[view_focused(ui)] = 0;
		picture_changed(ui->picture);
		return (0);
	}
	return (time_scroll(ui, -ui->timepane.rows.total_height));
}

static int
last_row(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->places.focus >= PANE_LEFT && ui->places.focus <= PANE_DOCK) {
		view_last_row(ui, view_focused(ui));
		return (0);
	}
	return (time_scroll(ui, ui->timepane.rows.total_height));
}

/* Without a name: the next. */
static int
keys(struct ui *ui, const char *arg)
{
	int map = ((int)ui->mouse.keymap + 1) % KEYMAPS;

	for (int i = 0; arg[0] != '\0' && i < KEYMAPS; i++)
		map = strcmp(arg, keymap_name[i]) == 0 ? i : map;
	if (arg[0] != '\0' && strcmp(arg, keymap_name[map]) != 0)
		return (desk_fail(ui, "keys is orrery or tracy"));
	ui->mouse.keymap = (enum keymap)map;
	snprintf(ui->told.message, sizeof(ui->told.message),
	    "the mouse as in %s: see ?", keymap_name[map]);
	return (0);
}

static int
save(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->desks->host.save_cb == NULL ||
	    ui->desks->host.save_cb(ui->desks->host.save_arg) == -1)
		return (desk_fail(ui, "the layout cannot be saved"));
	snprintf(ui->told.message, sizeof(ui->told.message),
	    "the layout is saved");
	return (0);
}

/* "[NAME] left|right|dock|alone" */
static int
put(struct ui *ui, const char *arg)
{
	static const char *const words[] = { "left", "right", "dock" };
	const char *where = strrchr(arg, ' ');
	enum view_id v = view_focused(ui);

	if (where != NULL)
		v = view_named(arg, (size_t)(where - arg));
	where = where != NULL ? where + 1 : arg;
	if (v == VIEWS || !views[v].there(ui))
		return (desk_fail(ui, "there is no such view; see tab"));
	if (ui->places.maximised)
		places_maximise(ui);
	for (int i = 0; i < 3; i++) {
		if (strcmp(where, words[i]) != 0)
			continue;
		view_stand(ui, v, (enum pane)(PANE_LEFT + i));
		return (0);
	}
	if (strcmp(where, "alone") != 0)
		return (desk_fail(ui, "put wants left, right, dock or alone"));
	if (view_place(ui, v) == PANE_DOCK)
		ui->places.tab = v;
	ui->places.focus = view_pane(ui, view_place(ui, v));
	return (places_maximise(ui));
}

/* What the layout file has now; without one it is for this window. */
static int
keep(struct ui *ui, const char *done, const char *name)
{
	bool kept = ui->desks->host.save_cb != NULL &&
		    ui->desks->host.save_cb(ui->desks->host.save_arg) == 0;

	snprintf(ui->told.message, sizeof(ui->told.message), "%.*s is %s%s",
	    (int)strcspn(name, " "), name, done,
	    kept ? "" : ", until the end: there is no layout file");
	return (0);
}

/* "NAME", "save NAME [WORDS]", "forget NAME" */
static int
arrange_(struct ui *ui, const char *arg)
{
	if (strncmp(arg, "save ", 5) == 0)
		return (arrange_save(ui, arg + 5) == 0
			    ? keep(ui, "saved", arg + 5)
			    : -1);
	if (strncmp(arg, "forget ", 7) == 0)
		return (arrange_forget(ui, arg + 7) == 0
			    ? keep(ui, "forgotten", arg + 7)
			    : -1);
	if (arrange(ui, arg) == 0)
		return (0);
	return (command_fail_words(ui,
	    "arrange is save NAME, forget NAME or one of", arrange_name));
}

const struct command command_pane[] = {
	{ "put", "[NAME] left|right|dock|alone",
	    "puts a view, without a name the focused one, there", put },
	{ "arrange", "[save|forget] NAME",
	    "places views as the arrangement of that name has them; saves how "
	    "they stand by a name, or forgets it",
	    arrange_ },
	{ "pane", "NAME [on|off]",
	    "shows or hides overview, left, right or dock", pane },
	{ "maximise", "", "shows the focused pane alone, or all again",
	    maximise },
	{ "full-screen", "", "fills the screen, or not", full_screen },
	{ "names-width", "[PX]",
	    "so much room for the names of rows, or as at first", names_width },
	{ "row-height", "[+|-|PX]", "makes rows higher, lower, or as they fit",
	    row_height },
	{ "first-row", "", "scrolls to the first row", first_row },
	{ "last-row", "", "scrolls to the last row", last_row },
	{ "keys", "[NAME]", "the mouse as in orrery or in tracy", keys },
	{ "save", "", "saves the layout now", save },
	{ 0 },
};
