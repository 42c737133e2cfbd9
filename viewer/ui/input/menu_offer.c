/*
 * What the menu of a right click offers: what can be done with what is there.
 * Each item is a command, so the menu can do nothing that keys and scripts
 * cannot.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/macro.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"
#include "ui/notes/groups.h"
#include "ui/panes/panes.h"
#include "ui/panes/tree/treepane.h"
#include "ui/views/details/card.h"
#include "ui/views/view.h"

/* "range", "marker"... with times from the start of the run on. */
static const char *
with_times(const struct ui *ui, const char *verb, int64_t t0, int64_t t1,
    char *buf, size_t n)
{
	if (t1 == INT64_MIN)
		snprintf(buf, n, "%s %" PRId64 "ns", verb, t0 - run_origin(ui));
	else
		snprintf(buf, n, "%s %" PRId64 "ns:%" PRId64 "ns", verb,
		    t0 - run_origin(ui), t1 - run_origin(ui));
	return (buf);
}

static void
add_zoom(struct ui *ui, int64_t t0, int64_t t1)
{
	char line[64];

	t1 = t1 == INT64_MAX ? run_end(ui) : t1;
	menu_add(ui->menu,
	    with_times(ui, "range", t0 - (t1 - t0) / 4, t1 + (t1 - t0) / 4,
		line, sizeof(line)),
	    "Zoom to it");
	menu_add(ui->menu,
	    with_times(ui, "select-range", t0, t1, line, sizeof(line)),
	    "Select its time");
}

/* What can be done with a group, or class. */
static void
add_group(struct ui *ui, const struct hand_group *g)
{
	char line[40];

	snprintf(line, sizeof(line), "fold %" PRIu32, g->pub.id);
	menu_add(ui->menu, line, "%s %.40s",
	    g->flags & TIMELINE_FOLDED ? "Unfold" : "Fold", g->name);
	snprintf(line, sizeof(line), "hide %" PRIu32, g->pub.id);
	menu_add(ui->menu, line, "Hide it");
	menu_add(ui->menu, "show-all", "Show all rows");
	if (g->class != 0)
		return;
	snprintf(line, sizeof(line), "prompt > rename %" PRIu32 " ", g->pub.id);
	menu_add(ui->menu, line, "Another name for the group ...");
	snprintf(line, sizeof(line), "ungroup %" PRIu32, g->pub.id);
	menu_add(ui->menu, line, "No group any more");
}

/* Into a group, out of one; another name. */
static void
add_by_hand(struct ui *ui, uint32_t lane)
{
	const struct hand_group *g = hand_of(ui->notes->hand, lane);
	char line[40];

	if (groups_refuse(ui->model, lane) != NULL)
		return;
	snprintf(line, sizeof(line), "prompt > group %" PRIu32 " ", lane);
	menu_add(ui->menu, line, "Into a group ...");
	snprintf(line, sizeof(line), "ungroup %" PRIu32, lane);
	if (g != NULL)
		menu_add(ui->menu, line, "Out of %.40s", g->name);
	snprintf(line, sizeof(line), "prompt > rename %" PRIu32 " ", lane);
	menu_add(ui->menu, line, "Another name for the row ...");
}

static void
add_row(struct ui *ui, uint32_t lane)
{
	const struct hand_group *g = hand_group(ui->notes->hand, lane);
	unsigned flags = timeline_flags_of(&ui->time, lane);
	char line[40];

	if (g != NULL)
		add_group(ui, g);
	if (lane >= ui->time.nfolded)
		return;
	snprintf(line, sizeof(line), "fold %" PRIu32, lane);
	menu_add(ui->menu, line, "%s the row",
	    flags & TIMELINE_FOLDED ? "Unfold" : "Fold");
	snprintf(line, sizeof(line), "pin %" PRIu32, lane);
	menu_add(ui->menu, line, "%s",
	    flags & TIMELINE_PINNED ? "Let go of the row"
				    : "Pin the row to the top");
	if (model_lane(ui->model, lane)->kind <= LANE_DEPTH) {
		snprintf(line, sizeof(line), "tree-of calls %" PRIu32, lane);
		menu_add(ui->menu, line, "Its calls as a tree");
	}
	snprintf(line, sizeof(line), "hide %" PRIu32, lane);
	menu_add(ui->menu, line, "Hide the row");
	menu_add(ui->menu, "show-all", "Show all rows");
	add_by_hand(ui, lane);
}

/* A note: on the selected range if it is here, else at this instant. */
static void
add_note(struct ui *ui, int64_t t, uint32_t lane)
{
	bool range = t >= ui->time.sel0_mon_ns && t < ui->time.sel1_mon_ns;
	char when[40] = ".", line[96];

	if (!range)
		snprintf(when, sizeof(when), "%" PRId64 "ns",
		    t - run_origin(ui));
	snprintf(line, sizeof(line), "prompt > annotate %s ", when);
	menu_add(ui->menu, line, "A note %s ...",
	    range ? "on the selected range" : "here");
	if (lane >= model_lanes(ui->model))
		return;
	snprintf(line, sizeof(line), "prompt > annotate-row %" PRIu32 " %s ",
	    lane, when);
	menu_add(ui->menu, line, "The same, on this row ...");
}

static void
add_moment(struct ui *ui, int64_t t)
{
	char line[64];

	menu_add(ui->menu,
	    with_times(ui, "marker", t, INT64_MIN, line, sizeof(line)),
	    "Set a marker here");
	menu_add(ui->menu,
	    with_times(ui, "seek", t, INT64_MIN, line, sizeof(line)),
	    "Play from here");
}

static void
add_time(struct ui *ui, int32_t x)
{
	const struct timeline_hit *h = &ui->mouse.hit;
	int64_t t = timeline_time(&ui->time, x - ui->places.lanes.x0);
	char line[64];

	if (h->of == OF_SPAN)
		add_zoom(ui, h->span.t0_mon_ns, h->span.t1_mon_ns);
	else if (h->of == OF_LINK)
		add_zoom(ui, h->link.t0_mon_ns, h->link.t1_mon_ns);
	if (h->of == OF_SPAN && h->span.name != 0 &&
	    h->span.class < LANE_OBJECT_NODE) {
		char find[120];

		snprintf(find, sizeof(find), "find \"%.100s\"",
		    label_name(ui->model, h->span.name));
		menu_add(ui->menu, find, "Find all of its name");
		snprintf(find, sizeof(find), "slowest 16 \"%.100s\"",
		    label_name(ui->model, h->span.name));
		menu_add(ui->menu, find, "The slowest of its name");
		menu_add(ui->menu, "source", "Show its source");
		snprintf(find, sizeof(find),
		    "prompt > rename-function #%" PRIu32 " ", h->span.name);
		menu_add(ui->menu, find, "Another name for it ...");
	}
	if (h->of != OF_NOTHING)
		menu_add(ui->menu, "card", "Keep its details in sight");
	if (ui->time.links)
		menu_add(ui->menu, "link-width",
		    ui->time.links_as.wide ? "Links all of one width"
					   : "Links the wider the larger");
	if (ui->time.selected_task != 0)
		menu_add(ui->menu, "reroot", "Make its task the tree's root");
	menu_add(ui->menu,
	    with_times(ui, "cursor", t, INT64_MIN, line, sizeof(line)),
	    "Put the cursor here");
	add_note(ui, t, h->lane);
	add_moment(ui, t);
	if (h->of != OF_NOTHING &&
	    model_lane(ui->model, h->lane)->kind <= LANE_DEPTH) {
		snprintf(line, sizeof(line),
		    "causes both %" PRIu32 " %" PRId64 "ns", h->lane,
		    t - run_origin(ui));
		menu_add(ui->menu, line, "Its causes and effects");
	}
	if (ui->causality.show != CAUSALITY_OFF)
		menu_add(ui->menu, "causes off", "No causes and effects");
	add_row(ui, h->lane);
}

static void
add_labels(struct ui *ui, int32_t y)
{
	const struct timeline_row *r =
	    timeline_row_at(&ui->timepane.rows, y - ui->places.lanes.y0);

	if (r != NULL) {
		add_row(ui, r->lane);
		menu_add(ui->menu, "card", "Keep its details in sight");
	}
	menu_add(ui->menu, "sort", "Sort in another way");
	menu_add(ui->menu, "level", "Unfold another level");
	menu_add(ui->menu, "prompt > filter ", "Filter by name ...");
	menu_add(ui->menu, "rows", "Objects and locks");
}

/* What else it can be a tree of. */
static void
add_kinds(struct ui *ui)
{
	static const char *const label[TREE_KINDS] = { "The tree of tasks",
		"The tree of nodes, processes, threads", "The tree of calls" };
	char line[40];

	for (int i = 0; i < TREE_KINDS; i++) {
		snprintf(line, sizeof(line), "tree-of %s", tree_of_name[i]);
		if (ui->trees.of != (enum tree_of)i)
			menu_add(ui->menu, line, "%s", label[i]);
	}
	if (ui->trees.of != TREE_TASKS)
		menu_add(ui->menu, "weigh", "Sectors by something else");
}

/* Which of the log's trees. */
static void
add_trees(struct ui *ui)
{
	uint32_t trees, now = tree_number(ui, &trees);
	bool all = ui->tree.root == TASK_NONE;

	if (ui->trees.of != TREE_TASKS || two_runs(ui) ||
	    trees + model_singles(ui->model, NULL) < 2)
		return;
	if (all && tree_selected(ui) != TASK_NONE)
		menu_add(ui->menu, "tree here", "Its tree alone");
	if (trees > 0 && now < trees)
		menu_add(ui->menu, "tree next", "Tree %" PRIu32 " of %" PRIu32,
		    now + 1, trees);
	if (!all)
		menu_add(ui->menu, "tree all", "All trees");
}

/* Its colourings, each by its name. */
static void
add_colours(struct ui *ui)
{
	char line[40];

	for (int i = 0; i < RADIAL_COLOURS; i++) {
		snprintf(line, sizeof(line), "colour %s",
		    radial_colour_name[i]);
		if (i != RADIAL_DIFFERENCE || two_runs(ui))
			menu_add(ui->menu, line, "%s by %s",
			    ui->tree.colour == (enum radial_colour)i
				? "It is coloured"
				: "Colour it",
			    tree_colour_word(ui, i));
	}
}

static void
add_tree(struct ui *ui, int32_t x, int32_t y)
{
	char line[40];

	if (tree_selected(ui) != TASK_NONE) {
		menu_add(ui->menu, "card", "Keep its details in sight");
		menu_add(ui->menu, "reroot", "Make it the root");
		menu_add(ui->menu, "source", "Show its source");
	}
	if (ui->tree.subtree)
		menu_add(ui->menu, "up", "Back from this subtree");
	add_trees(ui);
	snprintf(line, sizeof(line), "centre %d %d", x, y);
	menu_add(ui->menu, line, "Put the centre here");
	menu_add(ui->menu, "reset-tree", "The tree as at first");
	snprintf(line, sizeof(line), "zoom-in 1.5 %d %d", x, y);
	menu_add(ui->menu, line, "Zoom in here");
	snprintf(line, sizeof(line), "zoom-out 1.5 %d %d", x, y);
	menu_add(ui->menu, line, "Zoom out");
	add_colours(ui);
	add_kinds(ui);
	if (ui->time.selected_task != 0)
		menu_add(ui->menu, "fit", "Show its time in the lanes");
}

/* The strip of the whole run. */
static void
add_overview(struct ui *ui, int32_t x)
{
	int64_t t = overview_time(ui, x);
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;
	char line[64];

	menu_add(ui->menu,
	    with_times(ui, "range", t - span / 2, t + span - span / 2, line,
		sizeof(line)),
	    "Look here");
	add_moment(ui, t);
	menu_add(ui->menu, "live", "To the newest event");
	menu_add(ui->menu, "pane overview", "Hide the strip");
}

static void
add_dock(struct ui *ui)
{
	char line[40];

	for (int i = 0; i < VIEWS; i++) {
		snprintf(line, sizeof(line), "tab %s", views[i].name);
		if (ui->places.tab != (enum view_id)i &&
		    view_is_tab(ui, (enum view_id)i))
			menu_add(ui->menu, line, "%s", views[i].name);
	}
	menu_add(ui->menu, "select-seen", "Figures of what is in sight");
	menu_add(ui->menu, "clear", "Nothing selected");
	menu_add(ui->menu, "pane dock", "Hide the dock");
}

/* Above and below: of the run and its playback. */
static void
add_bars(struct ui *ui)
{
	menu_add(ui->menu, "pause",
	    ui->play.paused ? "Go on" : "Hold the picture still");
	menu_add(ui->menu, "play", "Play from the left edge");
	menu_add(ui->menu, "fast-forward", "Play it in a few seconds");
	menu_add(ui->menu, "live", "To the newest event");
	menu_add(ui->menu, "speed", "Another speed");
	menu_add(ui->menu, "theme", "Light or dark");
	menu_add(ui->menu, "keys", "The mouse as in %s",
	    keymap_name[(ui->mouse.keymap + 1) % KEYMAPS]);
	if (ui->feed.live && !ui->feed.finished)
		menu_add(ui->menu, "prompt > probe ",
		    "What is recorded from now on ...");
	menu_add(ui->menu, "logs", "Open another log");
	menu_add(ui->menu, "export", "Write the window to %s",
	    ui->desks->host.export_to);
	menu_add(ui->menu, "full-screen", "Fill the screen, or not");
}

/* The topmost card. */
static void
add_card(struct ui *ui)
{
	menu_add(ui->menu, "card-show", "Go to where it can be seen");
	menu_add(ui->menu, "card-close", "Close this card");
	menu_add(ui->menu, "card-close all", "Close all cards");
}

/* A row about a name: where that is. */
static void
add_source(struct ui *ui, const char *command)
{
	static const char *const about[] = { "search ", "find \"", "source " };
	char line[80];

	for (size_t i = 0; i < sizeof(about) / sizeof(about[0]); i++) {
		size_t n = strlen(about[i]);

		if (strncmp(command, about[i], n) != 0)
			continue;
		snprintf(line, sizeof(line), "source %.*s",
		    (int)strcspn(command + n, "\""), command + n);
		menu_add(ui->menu, line, "Show its source");
		snprintf(line, sizeof(line), "edit %.*s",
		    (int)strcspn(command + n, "\""), command + n);
		menu_add(ui->menu, line, "Open it in an editor");
		return;
	}
}

/*
 * A command as it is read: "cursor 1234567ns" with the time as it is told
 * everywhere.
 */
static void
spell(const struct ui *ui, const char *command, char *buf, size_t n)
{
	bool span = strncmp(command, "durations ", 10) == 0;
	long long ns;
	size_t at = 0;
	int used;

	buf[0] = '\0';
	while (*command != '\0' && at + 40 < n) {
		used = 0;
		if ((at == 0 || buf[at - 1] == ' ' || buf[at - 1] == ':') &&
		    sscanf(command, "%18lldns%n", &ns, &used) == 1 &&
		    used > 0 && strchr(" :", command[used]) != NULL) {
			if (span)
				format_span(buf + at, n - at, ns);
			else
				run_time(ui, run_origin(ui) + ns, 1000,
				    buf + at, n - at);
			at += strlen(buf + at);
			command += used;
			continue;
		}
		buf[at++] = *command++;
		buf[at] = '\0';
	}
	buf[0] = (char)toupper((unsigned char)buf[0]);
}

/* What a click there would do. */
static void
add_spot(struct ui *ui, int32_t x, int32_t y)
{
	const struct spot *s = spot_at(ui, x, y);
	char line[64], text[200];
	size_t note;

	if (s == NULL)
		return;
	if (sscanf(s->command, "goto-annotation %zu", &note) == 1) {
		menu_add(ui->menu, s->command, "Go to the note");
		snprintf(line, sizeof(line), "remove-annotation %zu", note);
		menu_add(ui->menu, line, "Remove the note");
		return;
	}
	spell(ui, s->command, text, sizeof(text));
	menu_add(ui->menu, s->command, "%s", text);
	add_source(ui, s->command);
	if (strncmp(s->command, "sort ", 5) == 0 &&
	    view_of_pane(ui, pane_at(ui, x, y)) == VIEW_FUNCTIONS &&
	    strcmp(s->command, "sort name") != 0) {
		snprintf(line, sizeof(line), "column %s off", s->command + 5);
		menu_add(ui->menu, line, "Hide this column");
	}
}

static bool
can_focus(enum pane pane)
{
	return (pane >= PANE_TIME && pane <= PANE_DOCK);
}

/* Where else the view could stand. */
static void
add_places(struct ui *ui, enum pane pane)
{
	static const struct {
		enum pane place;
		const char *word, *what;
	} places[] = { { PANE_LEFT, "left", "to the left" },
		{ PANE_RIGHT, "right", "to the right" },
		{ PANE_DOCK, "dock", "into the dock" } };
	enum view_id v = view_of_pane(ui, pane);
	char line[48];

	for (int i = 0; i < 3; i++) {
		snprintf(line, sizeof(line), "put %s %s", views[v].name,
		    places[i].word);
		if (view_place(ui, v) != places[i].place)
			menu_add(ui->menu, line, "%s %s", views[v].name,
			    places[i].what);
	}
}

static void
add_legend(struct ui *ui, enum pane pane)
{
	char line[40];

	snprintf(line, sizeof(line), "legend %s",
	    views[view_of_pane(ui, pane)].name);
	menu_add(ui->menu, line, "What its colours mean");
}

static void
add_close(struct menu *m, const char *name)
{
	char line[sizeof(m->item[0].command)];

	snprintf(line, sizeof(line), "plugin-close %s", name);
	menu_add(m, line, "Close %s", name);
}

/* "Write the table to locks.tsv" */
static void
add_table(struct ui *ui, enum view_id v)
{
	char name[32], line[80];

	if ((views[v].flags & VIEW_TABLE) == 0)
		return;
	snprintf(name, sizeof(name), "%s", views[v].name);
	name[0] = (char)tolower((unsigned char)name[0]);
	snprintf(line, sizeof(line), "export %s.tsv %s", name, name);
	menu_add(ui->menu, line, "Write the table to %s.tsv", name);
}

void
menu_offer(struct ui *ui, int32_t x, int32_t y)
{
	struct menu *m = ui->menu;
	enum pane pane = pane_at(ui, x, y);
	const char *name, *body;

	if (ui->told.goes_on[0] != '\0')
		menu_add(m, "export-stop", "Stop writing the list");
	if (card_at(ui, x, y) != -1) {
		add_card(ui);
		pane = PANES;
	} else if (!rect_has(&ui->places.lanes, x, y) &&
		   !rect_has(&ui->places.tree, x, y)) {
		add_spot(ui, x, y);
	}
	if (pane == PANE_TIME && rect_has(&ui->places.lanes, x, y))
		add_time(ui, x);
	else if (pane == PANE_TIME)
		add_labels(ui, y);
	else if (pane == PANE_TREE)
		add_tree(ui, x, y);
	else if (pane == PANE_OVERVIEW)
		add_overview(ui, x);
	else if (pane == PANE_DOCK)
		add_dock(ui);
	else if (pane != PANES)
		add_bars(ui);
	if (can_focus(pane) && view_of_pane(ui, pane) == VIEW_FUNCTIONS)
		menu_add(m, "column", "Columns ...");
	if (can_focus(pane) && view_of_pane(ui, pane) >= VIEW_PLUGIN_1)
		add_close(m, views[view_of_pane(ui, pane)].name);
	if (can_focus(pane))
		add_table(ui, view_of_pane(ui, pane));
	if (can_focus(pane)) {
		add_legend(ui, pane);
		add_places(ui, pane);
	}
	if (can_focus(pane))
		menu_add(m, "maximise", "%s",
		    ui->places.maximised ? "All panes again"
					 : "This pane alone");
	menu_add(m, "fit-all", "Fit everything");
	menu_add(m, "back", "Back to where you were");
	menu_add(m, "copy", "Copy what is selected");
	if (macro_each(ui, 0, &name, &body))
		menu_add(m, "commands", "Commands of your own ...");
	menu_add(m, "help", "Keys and mouse");
}
