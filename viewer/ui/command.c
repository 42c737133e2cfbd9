/*
 * Everything that can be done, by name.  Keys, buttons, the omnibox and
 * scripts all come through this table, so all of them can do all of it.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw.h"
#include "ui/parse.h"

struct command {
	const char *name, *arguments, *what;
	int (*run)(struct ui *, const char *arg);
};

/* Kinds of step that merge in the history. */
enum {
	STEP_ZOOM = 1,
	STEP_PAN,
	STEP_TREE
};

static int fail(struct ui *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static int
fail(struct ui *ui, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ui->message, sizeof(ui->message), fmt, ap);
	va_end(ap);
	return (-1);
}

/* The pane that zoom and the like are about. */
static bool
in_tree(const struct ui *ui)
{
	if (ui->mouse_in &&
	    mouse_pane(ui, ui->mouse_x, ui->mouse_y) == PANE_TREE)
		return (true);
	if (ui->mouse_in &&
	    mouse_pane(ui, ui->mouse_x, ui->mouse_y) == PANE_TIME)
		return (false);
	return (ui->focus == PANE_TREE);
}

static int
zoom(struct ui *ui, double factor)
{
	if (in_tree(ui)) {
		bool at = ui->mouse_in &&
			  rect_has(&ui->tree_area, ui->mouse_x, ui->mouse_y);

		view_remember(ui, STEP_TREE);
		view_tree_zoom(ui, factor,
		    at ? ui->mouse_x - ui->tree_area.x0 : ui->tree.width / 2,
		    at ? ui->mouse_y - ui->tree_area.y0 : ui->tree.height / 2);
	} else {
		view_remember(ui, STEP_ZOOM);
		view_zoom(ui, factor, ui->mouse_in ? ui->mouse_x : -1);
	}
	return (0);
}

static int
zoom_in(struct ui *ui, const char *arg)
{
	(void)arg;
	return (zoom(ui, 1 / 1.25));
}

static int
zoom_out(struct ui *ui, const char *arg)
{
	(void)arg;
	return (zoom(ui, 1.25));
}

static int
pan(struct ui *ui, double share)
{
	if (in_tree(ui)) {
		view_remember(ui, STEP_TREE);
		ui->tree.centre_x -= share * ui->tree.width;
		ui->dirty = true;
	} else {
		view_remember(ui, STEP_PAN);
		view_pan(ui, share);
	}
	return (0);
}

static int
pan_left(struct ui *ui, const char *arg)
{
	(void)arg;
	return (pan(ui, -0.1));
}

static int
pan_right(struct ui *ui, const char *arg)
{
	(void)arg;
	return (pan(ui, 0.1));
}

static int
scroll(struct ui *ui, int32_t px)
{
	int32_t most = ui->rows.total_height - ui->time.height;

	if (ui->focus == PANE_DOCK) {
		ui->dock_scroll += px > 0 ? 1 : -1;
		ui->dock_scroll = ui->dock_scroll < 0 ? 0 : ui->dock_scroll;
	} else if (in_tree(ui)) {
		ui->tree.centre_y -= px;
	} else {
		ui->time.scroll_y += px;
		if (ui->time.scroll_y > most)
			ui->time.scroll_y = most;
		if (ui->time.scroll_y < 0)
			ui->time.scroll_y = 0;
	}
	ui->dirty = true;
	return (0);
}

static int
scroll_up(struct ui *ui, const char *arg)
{
	(void)arg;
	return (scroll(ui, -2 * ui->time.lane_height));
}

static int
scroll_down(struct ui *ui, const char *arg)
{
	(void)arg;
	return (scroll(ui, 2 * ui->time.lane_height));
}

static int
page_up(struct ui *ui, const char *arg)
{
	(void)arg;
	return (scroll(ui, -ui->time.height + ui->time.lane_height));
}

static int
page_down(struct ui *ui, const char *arg)
{
	(void)arg;
	return (scroll(ui, ui->time.height - ui->time.lane_height));
}

static int
fit(struct ui *ui, const char *arg)
{
	int64_t t0, t1, margin;
	uint32_t n;

	(void)arg;
	view_remember(ui, 0);
	if (!view_selected_range(ui, &t0, &t1)) {
		n = ui->time.selected_task != 0
			? model_task_by_id(ui->model, ui->time.selected_task)
			: TASK_NONE;
		if (n == TASK_NONE) {
			view_fit_all(ui);
			return (0);
		}
		t0 = model_task(ui->model, n)->begin_mon_ns;
		t1 = model_task(ui->model, n)->end_mon_ns;
		if (t0 == INT64_MIN)
			return (fail(ui, "this task has not begun yet"));
		if (t1 == INT64_MIN)
			t1 = view_end(ui);
		margin = (t1 - t0) / 5;
		t0 -= margin;
		t1 += margin;
	}
	ui->follow = false;
	view_range(ui, t0, t1);
	return (0);
}

static int
fit_all(struct ui *ui, const char *arg)
{
	(void)arg;
	view_remember(ui, 0);
	ui->follow = false;
	view_fit_all(ui);
	ui->tree.zoom = 1;
	ui->tree.centre_x = ui->tree.centre_y = 0;
	ui->time.scroll_y = 0;
	return (0);
}

static int
back(struct ui *ui, const char *arg)
{
	(void)arg;
	return (
	    view_back(ui, -1) ? 0 : fail(ui, "there is nothing before this"));
}

static int
forward(struct ui *ui, const char *arg)
{
	(void)arg;
	return (view_back(ui, 1) ? 0 : fail(ui, "there is nothing after this"));
}

/* Live: hold the picture.  Finished: hold the playback. */
static int
pause_(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->playing) {
		ui->playing = false;
	} else if (ui->head_mon_ns != INT64_MAX && !ui->feed.live) {
		ui->playing = true;
	} else if (ui->paused) {
		ui->paused = false;
		ui->tree.until_mon_ns = INT64_MAX;
	} else {
		ui->paused = true;
		ui->tree.until_mon_ns = view_end(ui);
	}
	return (0);
}

static int
live(struct ui *ui, const char *arg)
{
	(void)arg;
	view_live(ui);
	ui->tree.until_mon_ns = INT64_MAX;
	return (0);
}

static void
head_to(struct ui *ui, int64_t t)
{
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;

	if (t >= view_end(ui)) {
		ui->head_mon_ns = INT64_MAX;
		ui->tree.until_mon_ns = INT64_MAX;
		ui->playing = false;
		t = view_end(ui);
	} else {
		if (t < view_origin(ui))
			t = view_origin(ui);
		ui->head_mon_ns = ui->tree.until_mon_ns = t;
	}
	ui->follow = false;
	if (t < ui->time.t0_mon_ns)
		view_range(ui, t - span / 10, t + span - span / 10);
	else if (t > ui->time.t1_mon_ns)
		view_range(ui, t - span + span / 10, t + span / 10);
}

static int
play(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->paused = false;
	if (ui->head_mon_ns == INT64_MAX)
		head_to(ui, ui->time.t0_mon_ns);
	ui->playing = ui->head_mon_ns != INT64_MAX;
	return (0);
}

static int
step(struct ui *ui, int way)
{
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;
	int64_t from =
	    ui->head_mon_ns != INT64_MAX ? ui->head_mon_ns : view_end(ui);

	ui->playing = false;
	head_to(ui, from + way * (span / 40 > 0 ? span / 40 : 1));
	return (0);
}

static int
step_back(struct ui *ui, const char *arg)
{
	(void)arg;
	return (step(ui, -1));
}

static int
step_forward(struct ui *ui, const char *arg)
{
	(void)arg;
	return (step(ui, 1));
}

static int
to_start(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->playing = false;
	head_to(ui, view_origin(ui));
	return (0);
}

static int
to_end(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->playing = false;
	head_to(ui, view_end(ui));
	if (ui->feed.live)
		view_live(ui);
	return (0);
}

/* Without an argument the next of a few. */
static int
speed(struct ui *ui, const char *arg)
{
	static const double speeds[] = { 0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 4,
		10 };
	double v = strtod(arg, NULL);

	if (arg[0] == '\0') {
		v = speeds[0];
		for (size_t i = 0; i + 1 < sizeof(speeds) / sizeof(speeds[0]);
		     i++)
			if (ui->speed == speeds[i])
				v = speeds[i + 1];
	}
	if (!(v >= 1e-6 && v <= 1e6))
		return (fail(ui, "speed wants a number, as in: speed 0.1"));
	ui->speed = v;
	return (0);
}

static int
colour(struct ui *ui, const char *arg)
{
	for (int i = 0; i < RADIAL_COLOURS; i++) {
		if (strcasecmp(arg, radial_colour_name[i]) != 0)
			continue;
		ui->tree.colour = (enum radial_colour)i;
		return (0);
	}
	return (
	    fail(ui, "colour is one of PE, time, PE-time, procedure, state"));
}

static int
lanes_colour(struct ui *ui, const char *arg)
{
	if (strcmp(arg, "procedure") == 0)
		ui->time.colour = TIMELINE_BY_NAME;
	else if (strcmp(arg, "state") == 0)
		ui->time.colour = TIMELINE_BY_STATE;
	else
		return (fail(ui, "lanes is one of procedure, state"));
	return (0);
}

static int
cycle_colour(struct ui *ui, const char *arg)
{
	(void)arg;
	if (in_tree(ui))
		ui->tree.colour = (enum radial_colour)(
		    (ui->tree.colour + 1) % RADIAL_COLOURS);
	else
		ui->time.colour = ui->time.colour == TIMELINE_BY_NAME
				      ? TIMELINE_BY_STATE
				      : TIMELINE_BY_NAME;
	return (0);
}

static int
fold(struct ui *ui, const char *arg)
{
	uint64_t lane = ui->time.selected_lane;

	if (arg[0] != '\0' && parse_number(arg, &lane) == -1)
		return (fail(ui, "fold wants the number of a row"));
	if (lane >= ui->time.nfolded)
		return (fail(ui, "select a row to fold it"));
	ui->folded[lane] ^= 1;
	return (0);
}

static int
reroot(struct ui *ui, const char *arg)
{
	uint32_t n = ui->hovered_task;

	(void)arg;
	if (n == TASK_NONE && ui->time.selected_task != 0)
		n = model_task_by_id(ui->model, ui->time.selected_task);
	if (n == TASK_NONE)
		return (fail(ui, "select a task to make it the root"));
	view_remember(ui, 0);
	ui->tree.root = n;
	ui->tree.subtree = true;
	ui->tree.zoom = 1;
	ui->tree.centre_x = ui->tree.centre_y = 0;
	return (0);
}

static int
open_(struct ui *ui, const char *arg)
{
	if (in_tree(ui))
		return (reroot(ui, arg));
	return (fold(ui, arg));
}

static int
up(struct ui *ui, const char *arg)
{
	const struct task *t;

	(void)arg;
	if (!ui->tree.subtree)
		return (fail(ui, "this is the whole tree already"));
	view_remember(ui, 0);
	t = model_task(ui->model, ui->tree.root);
	if (t == NULL || t->parent == TASK_NONE ||
	    model_task(ui->model, t->parent)->parent == TASK_NONE) {
		ui->tree.subtree = false;
		ui->tree.root = 0;
	} else {
		ui->tree.root = t->parent;
	}
	return (0);
}

static int
centre(struct ui *ui, const char *arg)
{
	int x = ui->mouse_x, y = ui->mouse_y;

	if (arg[0] != '\0' && sscanf(arg, "%d %d", &x, &y) != 2)
		return (
		    fail(ui, "centre wants a place, as in: centre 900 400"));
	view_remember(ui, STEP_TREE);
	ui->tree.centre_x = x - ui->tree_area.x0 - ui->tree.width / 2.0;
	ui->tree.centre_y = y - ui->tree_area.y0 - ui->tree.height / 2.0;
	return (0);
}

static int
reset_tree(struct ui *ui, const char *arg)
{
	(void)arg;
	view_remember(ui, 0);
	ui->tree.zoom = 1;
	ui->tree.centre_x = ui->tree.centre_y = ui->tree.rotate_rad = 0;
	ui->tree.subtree = false;
	ui->tree.root = 0;
	return (0);
}

static int
links(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->time.links = !ui->time.links;
	return (0);
}

static int
rows(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->time.show_objects = !ui->time.show_objects;
	ui->time.show_locks = ui->time.show_objects;
	return (0);
}

static int
grid(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->grid = !ui->grid;
	return (0);
}

static int
focus(struct ui *ui, int by)
{
	static const enum pane panes[] = { PANE_TIME, PANE_TREE, PANE_DOCK };
	int at = 0;

	for (int i = 0; i < 3; i++)
		if (panes[i] == ui->focus)
			at = i;
	ui->focus = panes[(at + by + 3) % 3];
	return (0);
}

static int
focus_next(struct ui *ui, const char *arg)
{
	(void)arg;
	return (focus(ui, 1));
}

static int
focus_previous(struct ui *ui, const char *arg)
{
	(void)arg;
	return (focus(ui, -1));
}

static int
tab(struct ui *ui, const char *arg)
{
	ui->dock_scroll = 0;
	if (arg[0] == '\0') {
		ui->tab = (enum dock_tab)((ui->tab + 1) % DOCK_TABS);
		return (0);
	}
	for (int i = 0; i < DOCK_TABS; i++) {
		if (strcasecmp(arg, dock_tab_name[i]) != 0)
			continue;
		ui->tab = (enum dock_tab)i;
		return (0);
	}
	return (fail(ui, "tab is one of Details, Functions, Communication, "
			 "Activity"));
}

static int
split(struct ui *ui, const char *arg)
{
	int x, y;

	if (sscanf(arg, "%d %d", &x, &y) != 2 || x < 0 || x > 1000 || y < 0 ||
	    y > 1000)
		return (fail(ui, "split wants two numbers up to 1000"));
	ui->split_x = x;
	ui->split_y = y;
	return (0);
}

static int
range(struct ui *ui, const char *arg)
{
	int64_t t0, t1;

	if (parse_range(arg, &t0, &t1) == -1)
		return (fail(ui, "range wants two times, as in: 1.2s:350ms"));
	view_remember(ui, 0);
	ui->follow = false;
	view_range(ui, view_origin(ui) + t0, view_origin(ui) + t1);
	return (0);
}

static int
select_range(struct ui *ui, const char *arg)
{
	int64_t t0, t1;

	if (parse_range(arg, &t0, &t1) == -1)
		return (fail(ui, "select-range wants two times, as in: 1s:2s"));
	view_select_range(ui, view_origin(ui) + t0, view_origin(ui) + t1);
	return (0);
}

static int
select_task(struct ui *ui, const char *arg)
{
	uint64_t n;

	if (parse_number(arg, &n) == -1 || n >= model_tasks(ui->model))
		return (fail(ui, "there is no task %s", arg));
	view_select_task(ui, (uint32_t)n);
	return (0);
}

static int
select_row(struct ui *ui, const char *arg)
{
	uint64_t n;

	if (parse_number(arg, &n) == -1 || n >= model_lanes(ui->model))
		return (fail(ui, "there is no row %s", arg));
	ui->time.selected_lane = (uint32_t)n;
	return (0);
}

static int
prompt(struct ui *ui, const char *arg)
{
	ui->prompt = arg[0] != '\0' ? arg[0] : '/';
	if (strchr("/:>", ui->prompt) == NULL)
		ui->prompt = '/';
	ui->typed[0] = '\0';
	return (0);
}

/* Case is nothing to a search. */
static bool
contains(const char *text, const char *part)
{
	return (text != NULL && strcasestr(text, part) != NULL);
}

/* The next task (way 1 or -1) whose procedure has the text in it. */
static uint32_t
find_task(const struct ui *ui, int way)
{
	uint32_t n = model_tasks(ui->model), at = ui->search_at;

	for (uint32_t i = 0; i < n; i++) {
		const struct task *t;

		if (way > 0)
			at = at + 1 >= n ? 0 : at + 1;
		else
			at = at == 0 || at > n ? n - 1 : at - 1;
		t = model_task(ui->model, at);
		if (contains(label_name(ui->model, t->name), ui->search))
			return (at);
	}
	return (TASK_NONE);
}

static bool
find_row(struct ui *ui)
{
	char name[128];

	for (uint32_t i = 0; i < model_lanes(ui->model); i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (!contains(label_lane(ui->model, l, name, sizeof(name)),
			ui->search))
			continue;
		ui->time.selected_lane = i;
		for (size_t k = 0; k < ui->rows.nrows; k++)
			if (ui->rows.rows[k].lane == i)
				scroll(ui,
				    ui->rows.rows[k].y - ui->time.height / 2);
		return (true);
	}
	return (false);
}

static int
search_on(struct ui *ui, int way)
{
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns, t;
	uint32_t n;

	if (ui->search[0] == '\0')
		return (fail(ui, "nothing to search for: press / first"));
	n = find_task(ui, way);
	if (n == TASK_NONE) {
		if (find_row(ui))
			return (0);
		return (fail(ui, "nothing is called %s", ui->search));
	}
	ui->search_at = n;
	view_select_task(ui, n);
	t = model_task(ui->model, n)->begin_mon_ns;
	if (t != INT64_MIN &&
	    (t < ui->time.t0_mon_ns || t >= ui->time.t1_mon_ns)) {
		view_remember(ui, 0);
		ui->follow = false;
		view_range(ui, t - span / 2, t + span - span / 2);
	}
	return (0);
}

static int
search(struct ui *ui, const char *arg)
{
	snprintf(ui->search, sizeof(ui->search), "%s", arg);
	ui->search_at = UINT32_MAX;
	return (search_on(ui, 1));
}

static int
next(struct ui *ui, const char *arg)
{
	(void)arg;
	return (search_on(ui, 1));
}

static int
previous(struct ui *ui, const char *arg)
{
	(void)arg;
	return (search_on(ui, -1));
}

/* A range, an instant, or "task N". */
static int
query(struct ui *ui, const char *arg)
{
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns, t;

	if (strncmp(arg, "task ", 5) == 0)
		return (select_task(ui, arg + 5));
	if (strchr(arg, ':') != NULL || strstr(arg, "..") != NULL)
		return (range(ui, arg));
	if (parse_time(arg, &t) == -1)
		return (fail(ui, "a query is a time (12.4s), a range "
				 "(1.2s:1.3s) or: task 1418"));
	view_remember(ui, 0);
	ui->follow = false;
	t += view_origin(ui);
	view_range(ui, t - span / 2, t + span - span / 2);
	return (0);
}

static int
export_(struct ui *ui, const char *arg)
{
	const char *path = arg[0] != '\0' ? arg : ui->export_to;

	if (ui->export_cb == NULL ||
	    ui->export_cb(ui->export_arg, path, "all") == -1)
		return (fail(ui, "cannot write %.200s", path));
	snprintf(ui->message, sizeof(ui->message), "written to %.200s", path);
	return (0);
}

static int
help(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->help = !ui->help;
	return (0);
}

/* From the top: what is most in the way goes first. */
static int
clear(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->message[0] = '\0';
	ui->prompt = 0;
	if (ui->help) {
		ui->help = false;
		return (0);
	}
	view_select_task(ui, TASK_NONE);
	view_select_range(ui, 0, 0);
	ui->time.selected_lane = UINT32_MAX;
	return (0);
}

static int
quit(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->quit = true;
	return (0);
}

static const struct command commands[] = {
	{ "zoom-in", "", "zooms in at the pointer", zoom_in },
	{ "zoom-out", "", "zooms out", zoom_out },
	{ "pan-left", "", "goes back by a tenth of what is seen", pan_left },
	{ "pan-right", "", "goes on by a tenth", pan_right },
	{ "scroll-up", "", "scrolls two rows up", scroll_up },
	{ "scroll-down", "", "scrolls two rows down", scroll_down },
	{ "page-up", "", "scrolls a page up", page_up },
	{ "page-down", "", "scrolls a page down", page_down },
	{ "range", "A:B", "shows this range of the run", range },
	{ "fit", "", "fits the selected range or task", fit },
	{ "fit-all", "", "fits the whole run and tree", fit_all },
	{ "back", "", "goes back to the place before", back },
	{ "forward", "", "takes a step back again", forward },
	{ "pause", "", "holds the picture or the playback, or goes on",
	    pause_ },
	{ "live", "", "follows the newest event", live },
	{ "play", "", "plays the run again from the left edge", play },
	{ "start", "", "puts the playback at the start", to_start },
	{ "end", "", "ends the playback", to_end },
	{ "step-back", "", "a step back in the playback", step_back },
	{ "step-forward", "", "a step on in the playback", step_forward },
	{ "speed", "[FACTOR]", "sets the playback's speed", speed },
	{ "colour", "NAME",
	    "colours the tree by PE, time, PE-time, procedure "
	    "or state",
	    colour },
	{ "lanes", "NAME", "colours the lanes by procedure or state",
	    lanes_colour },
	{ "cycle-colour", "", "takes the next colouring", cycle_colour },
	{ "select-task", "N", "selects a task by its number", select_task },
	{ "select-row", "N", "selects a row by its number", select_row },
	{ "select-range", "A:B", "selects a range of time", select_range },
	{ "clear", "", "clears the selection", clear },
	{ "fold", "[ROW]", "folds or unfolds a row", fold },
	{ "open", "", "folds the row, or makes the task the root", open_ },
	{ "reroot", "", "makes the task the root of the tree", reroot },
	{ "up", "", "goes one level up from a subtree", up },
	{ "centre", "[X Y]", "puts the tree's centre there", centre },
	{ "reset-tree", "", "shows the tree as at first", reset_tree },
	{ "links", "", "shows or hides messages and links", links },
	{ "rows", "", "shows or hides objects and locks", rows },
	{ "grid", "", "shows or hides the grid", grid },
	{ "focus-next", "", "goes to the next pane", focus_next },
	{ "focus-previous", "", "goes to the previous pane", focus_previous },
	{ "tab", "[NAME]", "shows a tab of the dock", tab },
	{ "split", "X Y", "places the splitters, in 1/1000", split },
	{ "prompt", "[C]", "opens the omnibox with /, : or >", prompt },
	{ "search", "TEXT", "selects the first task or row of that name",
	    search },
	{ "next", "", "selects the next thing found", next },
	{ "previous", "", "selects the one before", previous },
	{ "query", "TEXT", "goes to a time, a range, or \"task N\"", query },
	{ "export", "[FILE]", "writes the window as PNG", export_ },
	{ "help", "", "shows or hides keys and mouse", help },
	{ "quit", "", "quits", quit },
};

#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

bool
command_each(unsigned i, const char **name, const char **arguments,
    const char **what)
{
	if (i >= NCOMMANDS)
		return (false);
	*name = commands[i].name;
	*arguments = commands[i].arguments;
	*what = commands[i].what;
	return (true);
}

/* The whole name, or a beginning that only one has. */
static const struct command *
find(const char *name, size_t n)
{
	const struct command *found = NULL;

	for (size_t i = 0; i < NCOMMANDS; i++) {
		if (strncmp(commands[i].name, name, n) != 0)
			continue;
		if (commands[i].name[n] == '\0')
			return (&commands[i]);
		if (found != NULL)
			return (NULL);
		found = &commands[i];
	}
	return (found);
}

int
command_run(struct ui *ui, const char *line)
{
	const struct command *cmd;
	size_t n;

	while (isspace((unsigned char)*line))
		line++;
	n = strcspn(line, " \t");
	cmd = n > 0 ? find(line, n) : NULL;
	if (cmd == NULL)
		return (fail(ui, "no such command: %.*s", (int)n, line));
	line += n;
	while (isspace((unsigned char)*line))
		line++;
	ui->dirty = true;
	return (cmd->run(ui, line));
}
