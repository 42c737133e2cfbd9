/*
 * Commands about how things look: colours, the part of the tree
 * that is drawn, the panes; and about what is chosen in them.
 */
#include "command.h"
#include "ui/panes/panes.h"

#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/out/out.h"
#include "ui/views/details/card.h"

static int
lanes_colour(struct ui *ui, const char *arg)
{
	if (strcmp(arg, "procedure") == 0)
		ui->time.colour = TIMELINE_BY_NAME;
	else if (strcmp(arg, "state") == 0)
		ui->time.colour = TIMELINE_BY_STATE;
	else
		return (desk_fail(ui, "lanes is one of procedure, state"));
	return (0);
}

static int
cycle_colour(struct ui *ui, const char *arg)
{
	(void)arg;
	if (view_focused(ui) == VIEW_COMMUNICATION)
		command_next_statistic(ui);
	else if (view_focused(ui) == VIEW_LOCKS)
		ui->lists.locks_by_place = !ui->lists.locks_by_place;
	else if (view_focused(ui) == VIEW_STATES)
		ui->lists.states_by_processor = !ui->lists.states_by_processor;
	else if (view_focused(ui) == VIEW_ACTIVITY)
		command_next_activity(ui);
	else if (command_in_tree(ui))
		ui->tree.colour = (enum radial_colour)(
		    (ui->tree.colour + 1) %
		    (two_runs(ui) ? RADIAL_COLOURS : RADIAL_DIFFERENCE));
	else
		ui->time.colour = ui->time.colour == TIMELINE_BY_NAME
				      ? TIMELINE_BY_STATE
				      : TIMELINE_BY_NAME;
	return (0);
}

int
command_select_task(struct ui *ui, const char *arg)
{
	uint64_t n;

	if (parse_number(arg, &n) == -1 || n >= model_tasks(ui->model))
		return (desk_fail(ui, "there is no task %s", arg));
	select_task(ui, (uint32_t)n);
	return (0);
}

static int
select_range(struct ui *ui, const char *arg)
{
	int64_t t0, t1;

	if (parse_range(arg, &t0, &t1) == -1)
		return (desk_fail(ui,
		    "select-range wants two times, as in: 1s:2s"));
	time_select(ui, run_origin(ui) + t0, run_origin(ui) + t1);
	return (0);
}

/* The range of the selected task, else what is seen. */
static int
select_seen(struct ui *ui, const char *arg)
{
	uint32_t n = ui->time.selected_task != 0
			 ? model_task_by_id(ui->model, ui->time.selected_task)
			 : TASK_NONE;
	const struct task *t = n != TASK_NONE ? model_task(ui->model, n) : NULL;

	(void)arg;
	if (t == NULL || t->begin_mon_ns == INT64_MIN) {
		time_select(ui, ui->time.t0_mon_ns, ui->time.t1_mon_ns);
		return (0);
	}
	time_select(ui, t->begin_mon_ns,
	    t->end_mon_ns == INT64_MIN ? run_end(ui) : t->end_mon_ns);
	return (0);
}

/* Without an argument: the pointer's instant. */
static int
cursor(struct ui *ui, const char *arg)
{
	const char *what;
	int64_t t;

	if (strcmp(arg, "now") == 0)
		ui->chosen.cursor_mon_ns = INT64_MIN;
	else if (arg[0] == '\0')
		ui->chosen.cursor_mon_ns = run_instant(ui, &what);
	else if (parse_time(arg, &t) == 0)
		ui->chosen.cursor_mon_ns = run_origin(ui) + t;
	else
		return (
		    desk_fail(ui, "cursor wants a time, as in 12.4s, or: now"));
	return (0);
}

/* From the top: what is most in the way goes first. */
static int
clear(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->told.message[0] = '\0';
	ui->prompt.kind = 0;
	if (list_goes_on(ui))
		return (list_stop(ui));
	if (ui->desks->help.open) {
		ui->desks->help.open = false;
		return (0);
	}
	if (ui->places.legend) {
		ui->places.legend = false;
		return (0);
	}
	if (ui->cards.n > 0) {
		card_close(ui, ui->cards.n - 1);
		return (0);
	}
	select_task(ui, TASK_NONE);
	time_select(ui, 0, 0);
	ui->time.selected_lane = UINT32_MAX;
	ui->chosen.cursor_mon_ns = INT64_MIN;
	return (0);
}

static int
open_(struct ui *ui, const char *arg)
{
	if (arg[0] != '\0')
		return (command_open_log(ui, arg));
	if (view_focused(ui) == VIEW_FOUND)
		return (command_found_again(ui));
	if (command_in_tree(ui))
		return (command_reroot(ui));
	return (command_fold(ui, arg));
}

static int
clock_(struct ui *ui, const char *arg)
{
	bool utc = strcmp(arg, "utc") == 0;

	if (arg[0] == '\0')
		utc = !ui->timepane.utc;
	else if (!utc && strcmp(arg, "run") != 0)
		return (desk_fail(ui, "clock is one of run, utc"));
	if (utc && ui->feed.run[0] != '\0' && !run_dated(ui))
		return (desk_fail(ui, "the log does not say when it began"));
	ui->timepane.utc = utc;
	return (0);
}

static int
links(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->time.links = !ui->time.links;
	return (0);
}

/* Without an argument: the other way. */
static int
link_width(struct ui *ui, const char *arg)
{
	bool wide = !ui->time.links_as.wide;

	if (arg[0] != '\0')
		wide = strcmp(arg, "size") == 0;
	if (arg[0] != '\0' && !wide && strcmp(arg, "plain") != 0)
		return (desk_fail(ui, "link-width is one of size, plain"));
	ui->time.links_as.wide = wide;
	return (0);
}

/* Without an argument: the other way. */
static int
link_colour(struct ui *ui, const char *arg)
{
	bool by_tag = !ui->time.links_as.by_tag;

	if (arg[0] != '\0')
		by_tag = strcmp(arg, "tag") == 0;
	if (arg[0] != '\0' && !by_tag && strcmp(arg, "plain") != 0)
		return (desk_fail(ui, "link-colour is one of tag, plain"));
	ui->time.links_as.by_tag = by_tag;
	return (0);
}

static int
grid(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->timepane.grid = !ui->timepane.grid;
	return (0);
}

static int
theme(struct ui *ui, const char *arg)
{
	bool light = ui->palette != &palette_light;

	if (arg[0] != '\0')
		light = strcmp(arg, "light") == 0;
	if (arg[0] != '\0' && !light && strcmp(arg, "dark") != 0)
		return (desk_fail(ui, "theme is light or dark"));
	ui->palette = light ? &palette_light : &palette_dark;
	ui_redo(ui);
	return (0);
}

static int
focus(struct ui *ui, int by)
{
	int at = view_place(ui, view_focused(ui)) - PANE_LEFT;

	do
		at = (at + by + 3) % 3;
	while (ui->places.hidden >> (PANE_LEFT + at) & 1); /* one is there */
	ui->places.focus = view_pane(ui, (enum pane)(PANE_LEFT + at));
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

/* One that stands elsewhere has the focus there. */
void
command_front(struct ui *ui, enum view_id v)
{
	ui->lists.scroll[v] = 0;
	if (view_place(ui, v) == PANE_DOCK)
		ui->places.tab = v;
	else
		ui->places.focus = view_pane(ui, view_place(ui, v));
}

static int
tab(struct ui *ui, const char *arg)
{
	enum view_id v = view_named(arg, strlen(arg));

	if (arg[0] == '\0')
		v = view_next_tab(ui);
	if (v == VIEWS)
		return (command_fail_words(ui, "tab is one of", command_view));
	command_front(ui, v);
	return (0);
}

/* Of the view that has the focus, or by name; once more: none. */
static int
legend(struct ui *ui, const char *arg)
{
	enum view_id v =
	    arg[0] == '\0' ? view_focused(ui) : view_named(arg, strlen(arg));

	if (strcmp(arg, "off") == 0) {
		ui->places.legend = false;
		return (0);
	}
	if (v == VIEWS)
		return (command_fail_words(ui, "legend is off, or one of",
		    command_view));
	ui->places.legend = !ui->places.legend || ui->places.legend_of != v;
	ui->places.legend_of = v;
	if (arg[0] != '\0' && ui->places.legend &&
	    view_at(ui, view_place(ui, v)) != v)
		command_front(ui, v);
	return (0);
}

static int
split(struct ui *ui, const char *arg)
{
	int x, y;

	if (sscanf(arg, "%d %d", &x, &y) != 2 || x < 0 || x > 1000 || y < 0 ||
	    y > 1000)
		return (desk_fail(ui, "split wants two numbers up to 1000"));
	ui->places.split_x = x;
	ui->places.split_y = y;
	return (0);
}

const struct command command_show[] = {
	{ "lanes", "NAME", "colours the lanes by procedure or state",
	    lanes_colour },
	{ "cycle-colour", "", "takes the next colouring", cycle_colour },
	{ "select-task", "N", "selects a task by its number",
	    command_select_task },
	{ "select-range", "A:B", "selects a range of time", select_range },
	{ "select-seen", "", "selects the task's time, or what is seen",
	    select_seen },
	{ "cursor", "[TIME]",
	    "puts the cursor at a time, the pointer's, or takes it away: now",
	    cursor },
	{ "clear", "",
	    "stops a list that is being written, or closes the legend, or the "
	    "topmost card; without them: clears the selection",
	    clear },
	{ "open", "[FILE]",
	    "folds the row, or makes the task the root; of a file: opens that "
	    "log in the place of this one",
	    open_ },
	{ "links", "", "shows or hides messages and links", links },
	{ "link-width", "[size|plain]",
	    "draws links the wider the more bytes they carry, or not",
	    link_width },
	{ "link-colour", "[tag|plain]",
	    "draws messages in the colours of their tags, or all alike",
	    link_colour },
	{ "clock", "[NAME]",
	    "tells times from the start of the run, or of the day: run, utc",
	    clock_ },
	{ "grid", "", "shows or hides the grid", grid },
	{ "theme", "[NAME]", "light or dark", theme },
	{ "focus-next", "", "goes to the next pane", focus_next },
	{ "focus-previous", "", "goes to the previous pane", focus_previous },
	{ "tab", "[NAME]", "shows a tab of the dock", tab },
	{ "legend", "[NAME]",
	    "shows or hides what the colours, signs and lines of a view mean; "
	    "or off",
	    legend },
	{ "split", "X Y", "places the splitters, in 1/1000", split },
	{ 0 },
};
