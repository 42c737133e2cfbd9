/* Commands of the window's panes: which are there, how high rows are. */
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/input/command.h"
#include "ui/views/dock.h"

#define ROW_PX_MIN  8
#define ROW_PX_MAX  60
#define ROW_PX_STEP 4

static const struct {
	const char *name;
	enum pane pane;
} panes[] = { { "overview", PANE_OVERVIEW }, { "time", PANE_TIME },
	{ "tree", PANE_TREE }, { "dock", PANE_DOCK } };

#define NPANES (sizeof(panes) / sizeof(panes[0]))

const char *
pane_each(unsigned i, enum pane *pane)
{
	if (i >= NPANES)
		return (NULL);
	*pane = panes[i].pane;
	return (panes[i].name);
}

/* Bits of the panes that can be focused. */
static unsigned
main_panes(void)
{
	return (1u << PANE_TIME | 1u << PANE_TREE | 1u << PANE_DOCK);
}

/* One of the main panes stays, and the focus is on one that is there. */
static int
hide_panes(struct ui *ui, unsigned hidden)
{
	if ((hidden & main_panes()) == main_panes())
		return (desk_fail(ui, "one of time, tree and dock stays"));
	ui->hidden_panes = hidden;
	for (int i = PANE_TIME; i <= PANE_DOCK; i++)
		if ((hidden >> ui->focus & 1) && !(hidden >> i & 1))
			ui->focus = (enum pane)i;
	return (0);
}

/* "NAME", "NAME on", "NAME off" */
static int
pane(struct ui *ui, const char *arg)
{
	size_t n = strcspn(arg, " ");
	const char *how = arg[n] != '\0' ? arg + n + 1 : "";
	unsigned bit;

	for (size_t i = 0; i < NPANES; i++) {
		if (strlen(panes[i].name) != n ||
		    strncmp(panes[i].name, arg, n) != 0)
			continue;
		bit = 1u << panes[i].pane;
		ui->maximised = false;
		if (strcmp(how, "on") == 0)
			return (hide_panes(ui, ui->hidden_panes & ~bit));
		if (strcmp(how, "off") == 0)
			return (hide_panes(ui, ui->hidden_panes | bit));
		if (how[0] == '\0')
			return (hide_panes(ui, ui->hidden_panes ^ bit));
	}
	return (desk_fail(ui,
	    "pane wants overview, time, tree or dock, and perhaps on or off"));
}

/* The focused pane alone, or all as before. */
static int
maximise(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->maximised) {
		ui->maximised = false;
		return (hide_panes(ui, ui->hidden_before));
	}
	ui->hidden_before = ui->hidden_panes;
	ui->maximised = true;
	return (hide_panes(ui, main_panes() & ~(1u << ui->focus)));
}

static int
full_screen(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->full_screen = !ui->full_screen;
	return (0);
}

/* "": as many fit; "+", "-": from what it is */
static int
row_height(struct ui *ui, const char *arg)
{
	int32_t px = ui->time.lane_height;
	uint64_t v;

	if (arg[0] == '\0') {
		ui->row_px = 0;
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
	ui->row_px = px < ROW_PX_MIN   ? ROW_PX_MIN
		     : px > ROW_PX_MAX ? ROW_PX_MAX
				       : px;
	return (0);
}

static int
first_row(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->focus == PANE_DOCK) {
		ui->dock_scroll = 0;
		ui->dirty = true;
		return (0);
	}
	return (view_scroll_rows(ui, -ui->rows.total_height));
}

static int
last_row(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->focus == PANE_DOCK) {
		dock_last(ui);
		return (0);
	}
	return (view_scroll_rows(ui, ui->rows.total_height));
}

/* Without a name: the next. */
static int
keys(struct ui *ui, const char *arg)
{
	int map = ((int)ui->keymap + 1) % KEYMAPS;

	for (int i = 0; arg[0] != '\0' && i < KEYMAPS; i++)
		map = strcmp(arg, keymap_name[i]) == 0 ? i : map;
	if (arg[0] != '\0' && strcmp(arg, keymap_name[map]) != 0)
		return (desk_fail(ui, "keys is orrery or tracy"));
	ui->keymap = (enum keymap)map;
	snprintf(ui->message, sizeof(ui->message), "the mouse as in %s: see ?",
	    keymap_name[map]);
	return (0);
}

static int
save(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->save_cb == NULL || ui->save_cb(ui->save_arg) == -1)
		return (desk_fail(ui, "the layout cannot be saved"));
	snprintf(ui->message, sizeof(ui->message), "the layout is saved");
	return (0);
}

const struct command command_pane[] = {
	{ "pane", "NAME [on|off]",
	    "shows or hides overview, time, tree or dock", pane },
	{ "maximise", "", "shows the focused pane alone, or all again",
	    maximise },
	{ "full-screen", "", "fills the screen, or not", full_screen },
	{ "row-height", "[+|-|PX]", "makes rows higher, lower, or as they fit",
	    row_height },
	{ "first-row", "", "scrolls to the first row", first_row },
	{ "last-row", "", "scrolls to the last row", last_row },
	{ "keys", "[NAME]", "the mouse as in orrery or in tracy", keys },
	{ "save", "", "saves the layout now", save },
	{ 0 },
};
