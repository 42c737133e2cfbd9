/*
 * Commands about the rows of the process-time view: which of them are there,
 * in what order, and which one is selected.
 */
#include "command.h"
#include "menu.h"
#include "ui/views/view.h"

#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/notes/groups.h"
#include "ui/panes/panes.h"
#include "ui/traffic/talk.h"

uint32_t
command_row(struct ui *ui, const char *arg, const char *what)
{
	const struct hand_group *g;
	uint64_t n = ui->time.selected_lane;

	if (arg[0] != '\0' && strcmp(arg, ".") != 0 &&
	    parse_number(arg, &n) == -1) {
		g = hand_find(ui->notes->hand, arg);
		n = g == NULL ? UINT32_MAX : g->pub.id;
		if (g == NULL)
			desk_fail(ui,
			    "%s wants the number of a row, or the name of a "
			    "group",
			    what);
	} else if (n >= ui->time.nfolded &&
		   (n > UINT32_MAX ||
		       hand_group(ui->notes->hand, (uint32_t)n) == NULL)) {
		desk_fail(ui, "select a row to %s it", what);
		n = UINT32_MAX;
	}
	return ((uint32_t)n);
}

/* The same, of a command for which a group is as good as a row: then it is
 * done, by a flag.  UINT32_MAX: that, or it is said. */
static uint32_t
wanted(struct ui *ui, const char *arg, const char *what, unsigned flag,
    int *done)
{
	uint32_t lane = command_row(ui, arg, what);
	struct hand_group *g = hand_group(ui->notes->hand, lane);

	*done = lane == UINT32_MAX ? -1 : 0;
	if (g == NULL)
		return (lane);
	if (flag == TIMELINE_PINNED)
		*done = desk_fail(ui, "a heading cannot be pinned");
	else
		groups_fold(ui, g, flag);
	return (UINT32_MAX);
}

static int
select_row(struct ui *ui, const char *arg)
{
	uint64_t n;
	const struct hand_group *g = hand_find(ui->notes->hand, arg);

	if (parse_number(arg, &n) == -1)
		n = g == NULL ? UINT32_MAX : g->pub.id;
	if (n >= UINT32_MAX || !model_lane_there(ui->model, (uint32_t)n))
		return (desk_fail(ui, "there is no row %s", arg));
	ui->time.selected_lane = (uint32_t)n;
	return (0);
}

/* And what is below it can be seen. */
static int
open_row(struct ui *ui, const char *arg)
{
	if (select_row(ui, arg) == -1)
		return (-1);
	if (ui->time.selected_lane < ui->time.nfolded)
		ui->timepane.folded[ui->time.selected_lane] &=
		    (uint8_t)~TIMELINE_FOLDED;
	ui->timepane.stays.px = 0;
	time_show_row(ui, ui->time.selected_lane);
	return (0);
}

/* The row before or after the selected one. */
static int
select_beside(struct ui *ui, int way)
{
	uint32_t row = UINT32_MAX;

	if (ui->timepane.rows.nrows == 0)
		return (desk_fail(ui, "there are no rows"));
	if (ui->time.selected_lane < ui->timepane.rows.nlanes)
		row = ui->timepane.rows.lane_row[ui->time.selected_lane];
	if (row >= ui->timepane.rows.nrows)
		row = way > 0 ? 0 : (uint32_t)ui->timepane.rows.nrows - 1;
	else if (row + 1 < ui->timepane.rows.nrows || way < 0)
		row = way < 0 && row == 0 ? 0 : row + (uint32_t)way;
	ui->time.selected_lane = ui->timepane.rows.rows[row].lane;
	time_show_row(ui, ui->time.selected_lane);
	return (0);
}

static int
next_row(struct ui *ui, const char *arg)
{
	(void)arg;
	return (select_beside(ui, 1));
}

static int
previous_row(struct ui *ui, const char *arg)
{
	(void)arg;
	return (select_beside(ui, -1));
}

int
command_fold(struct ui *ui, const char *arg)
{
	int done;
	uint32_t lane = wanted(ui, arg, "fold", TIMELINE_FOLDED, &done);

	if (done == -1)
		return (-1);
	if (lane != UINT32_MAX)
		ui->timepane.folded[lane] ^= TIMELINE_FOLDED;
	ui->timepane.stays.px = ui->time.lane_height;
	ui->timepane.stays.height = ui->time.height;
	ui->timepane.stays.lanes = model_lanes(ui->model);
	return (0);
}

static int
hide_quiet(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->time.hide_quiet = !ui->time.hide_quiet;
	ui->timepane.stays.px = 0;
	return (0);
}

static int
pin(struct ui *ui, const char *arg)
{
	int done;
	uint32_t lane = wanted(ui, arg, "pin", TIMELINE_PINNED, &done);

	if (lane == UINT32_MAX)
		return (done);
	if (model_lane(ui->model, lane)->kind == LANE_GROUP)
		return (desk_fail(ui, "a heading cannot be pinned"));
	ui->timepane.folded[lane] ^= TIMELINE_PINNED;
	return (0);
}

static int
hide(struct ui *ui, const char *arg)
{
	int done;
	uint32_t lane = wanted(ui, arg, "hide", TIMELINE_HIDDEN, &done);

	if (lane == UINT32_MAX)
		return (done);
	ui->timepane.folded[lane] ^= TIMELINE_HIDDEN;
	if (ui->time.selected_lane == lane)
		ui->time.selected_lane = UINT32_MAX;
	return (0);
}

/* Of all groups and classes. */
static void
groups_set(struct ui *ui, unsigned flag, bool on)
{
	struct hand *h = ui->notes->hand;
	struct hand_group *g;

	for (uint32_t i = 0; i < h->ngroups; i++) {
		g = h->group[i];
		if (g != NULL && ((g->flags & flag) != 0) != on)
			groups_fold(ui, g, flag);
	}
}

static int
show_all(struct ui *ui, const char *arg)
{
	(void)arg;
	groups_set(ui, TIMELINE_HIDDEN, false);
	for (uint32_t i = 0; i < ui->time.nfolded; i++)
		ui->timepane.folded[i] &= (uint8_t)~TIMELINE_HIDDEN;
	memset(ui->time.filter, 0, sizeof(ui->time.filter));
	ui->time.show_objects = ui->time.show_locks = true;
	ui->time.hide_quiet = false;
	ui->timepane.stays.px = 0;
	return (0);
}

static int
filter(struct ui *ui, const char *arg)
{
	/* all of it: the view is compared as a whole */
	memset(ui->time.filter, 0, sizeof(ui->time.filter));
	memcpy(ui->time.filter, arg, strnlen(arg, sizeof(ui->time.filter) - 1));
	ui->time.scroll_y = 0;
	ui->timepane.stays.px = 0;
	return (0);
}

/* By busy it is the time in sight, or selected, now, that counts. */
static int
sort(struct ui *ui, const char *arg)
{
	int by = (ui->time.sort.by + 1) % TIMELINE_SORTS;

	if (view_focused(ui) == VIEW_FUNCTIONS) {
		if (functions_sort(ui, arg) == 0)
			return (0);
		return (desk_fail(ui,
		    "sort is one of name, calls, total, cpu, self, mean, "
		    "cpu-mean, min, p50, p99, max, blocked, itself, place, PE"));
	}
	if (arg[0] != '\0')
		for (by = 0; by < TIMELINE_SORTS &&
			     strcmp(arg, timeline_sort_name[by]) != 0;
		     by++)
			continue;
	if (by == TIMELINE_SORTS)
		return (
		    desk_fail(ui, "sort is one of number, name, first, busy"));
	ui->time.sort.by = (uint8_t)by;
	time_selected(ui, &ui->time.sort.t0_mon_ns, &ui->time.sort.t1_mon_ns);
	return (0);
}

static const char *const level_name[] = { "nodes", "processes", "threads",
	"calls" };
#define LEVELS (sizeof(level_name) / sizeof(level_name[0]))
/* What the views of who talks to whom have for it. */
static const uint8_t level_talk[LEVELS] = { TALK_BY_NODE, TALK_BY_PO,
	TALK_BY_THREAD, TALK_BY_THREAD };

/* How far down a lane stands; a process of one thread stands for it. */
static unsigned
level_of(const struct model *m, const struct lane *p)
{
	switch (p->kind) {
	case LANE_NODE:
	case LANE_GROUP:
		return (0);
	case LANE_PO:
		return (model_lane_only_thread(m, p->id) != UINT32_MAX ? 2 : 1);
	}
	return (2);
}

/* The deepest level of which something is unfolded. */
static unsigned
level_now(const struct ui *ui)
{
	unsigned deepest = 0;

	for (size_t i = 0; i < ui->timepane.rows.nrows; i++) {
		const struct timeline_row *r = &ui->timepane.rows.rows[i];
		unsigned l;

		if (!r->foldable || r->folded)
			continue;
		l = level_of(ui->model, model_lane(ui->model, r->lane)) + 1;
		deepest = l > deepest ? l : deepest;
	}
	return (deepest);
}

/* Has it rows below it, when it is unfolded? */
static bool
has_below(const struct model *m, uint32_t lane)
{
	uint32_t only = model_lane_only_thread(m, lane);

	return (model_lane_first_child(m, only != UINT32_MAX ? only : lane) !=
		UINT32_MAX);
}

/* True: some rows have come or gone. */
static bool
level_set(struct ui *ui, unsigned to)
{
	bool changed = false;

	for (uint32_t i = 0; i < ui->time.nfolded; i++) {
		uint8_t was = ui->timepane.folded[i];

		if (level_of(ui->model, model_lane(ui->model, i)) < to)
			ui->timepane.folded[i] &= (uint8_t)~TIMELINE_FOLDED;
		else
			ui->timepane.folded[i] |= TIMELINE_FOLDED;
		changed |=
		    ui->timepane.folded[i] != was && has_below(ui->model, i);
	}
	groups_set(ui, TIMELINE_FOLDED, to == 0);
	ui->time.scroll_y = 0;
	ui->timepane.stays.px = 0;
	return (changed);
}

void
command_talk_level(struct ui *ui, unsigned of)
{
	unsigned to = 0;

	while (level_talk[to] != of)
		to++;
	level_set(ui, to);
	ui->chosen.talk.level = (uint8_t)of;
}

static int
level(struct ui *ui, const char *arg)
{
	unsigned to = (level_now(ui) + 1) % LEVELS;

	if (arg[0] == '\0' &&
	    (view_focused(ui) == VIEW_COMMUNICATION ||
		view_focused(ui) == VIEW_MACHINE ||
		(view_focused(ui) == VIEW_ACTIVITY &&
		    ui->chosen.talk.activity == ACTIVITY_METERS))) {
		command_next_level(ui);
		return (0);
	}
	if (arg[0] == '\0') {
		for (unsigned i = 0; i < LEVELS && !level_set(ui, to); i++)
			to = (to + 1) % LEVELS;
		ui->chosen.talk.level = level_talk[to];
		return (0);
	}
	for (to = 0; to < LEVELS && strcmp(arg, level_name[to]) != 0; to++)
		continue;
	if (to == LEVELS)
		return (desk_fail(ui,
		    "level is one of nodes, processes, threads, calls"));
	level_set(ui, to);
	ui->chosen.talk.level = level_talk[to];
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

/* NAME, NAME on, NAME off; without one they are listed. */
static int
column(struct ui *ui, const char *arg)
{
	size_t n = strcspn(arg, " ");
	const char *word = arg + n + strspn(arg + n, " "), *name;
	bool shown;

	if (arg[0] == '\0') {
		menu_columns(ui);
		return (0);
	}
	for (unsigned i = 0; (name = functions_column(ui, i, &shown)) != NULL;
	     i++) {
		if (strlen(name) != n || strncmp(name, arg, n) != 0)
			continue;
		if (word[0] != '\0' && strcmp(word, "on") != 0 &&
		    strcmp(word, "off") != 0)
			break;
		shown = word[0] == '\0' ? !shown : strcmp(word, "on") == 0;
		return (functions_show_column(ui, name, shown));
	}
	return (desk_fail(ui,
	    "column is one of calls, total, cpu, self, mean, cpu-mean, min, "
	    "p50, p99, max, blocked, itself, place, PE, and on or off"));
}

const struct command command_rows[] = {
	{ "select-row", "N",
	    "selects a row by its number, or a group by its name", select_row },
	{ "open-row", "N", "selects a row and shows what is below it",
	    open_row },
	{ "next-row", "", "selects the row below", next_row },
	{ "previous-row", "", "selects the row above", previous_row },
	{ "fold", "[ROW]", "folds or unfolds a row", command_fold },
	{ "level", "[NAME]",
	    "unfolds rows down to nodes, processes, threads or calls; "
	    "Communication, Machine and meters follow",
	    level },
	{ "pin", "[ROW]", "keeps a row at the top, or lets it go", pin },
	{ "hide", "[ROW]", "hides a row and what is below it", hide },
	{ "hide-quiet", "", "hides rows of which nothing is in sight, or not",
	    hide_quiet },
	{ "filter", "[TEXT]",
	    "shows the rows with this in their names or above them; none: all",
	    filter },
	{ "show-all", "", "shows all rows: none hidden, no filter", show_all },
	{ "sort", "[NAME]",
	    "sorts rows by number, name, first event or busy time; the table of "
	    "functions, while it has the focus, by a column",
	    sort },
	{ "column", "[NAME [on|off]]",
	    "shows or hides a column of the table of functions; without a name "
	    "they are listed to choose from",
	    column },
	{ "rows", "", "shows or hides objects and locks", rows },
	{ 0 },
};
