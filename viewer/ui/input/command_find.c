/*
 * Commands of the omnibox: search for a name, go to a time or a task.
 */
#include "ui/input/command.h"

#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"

static int
prompt(struct ui *ui, const char *arg)
{
	ui->prompt.kind = arg[0] != '\0' ? arg[0] : '/';
	ui->prompt.suggest_from = 0;
	if (strchr("/:>", ui->prompt.kind) == NULL)
		ui->prompt.kind = '/';
	if (arg[0] != '\0')
		arg++;
	snprintf(ui->prompt.typed, sizeof(ui->prompt.typed), "%s",
	    arg + strspn(arg, " \t"));
	return (0);
}

/* Case is nothing to a search. */
static bool
contains(const char *text, const char *part)
{
	return (text != NULL && strcasestr(text, part) != NULL);
}

/* By name: is it what is searched for?  There are far more tasks than names. */
static uint8_t *
names_found(const struct ui *ui)
{
	uint32_t n = model_names(ui->model);
	uint8_t *found = calloc(n + 1, 1);

	for (uint32_t i = 1; found != NULL && i <= n; i++)
		found[i] =
		    contains(model_name(ui->model, i), ui->prompt.search);
	return (found);
}

static bool
row_is_found(const struct ui *ui, uint32_t lane)
{
	const struct lane *l = model_lane(ui->model, lane);
	char name[128];

	return (l->kind != LANE_DEPTH &&
		contains(label_lane(ui->model, l, name, sizeof(name)),
		    ui->prompt.search));
}

/*
 * The next place (way 1 or -1) where the text is: tasks by their numbers,
 * behind them the rows.
 */
static uint32_t
find(const struct ui *ui, int way)
{
	uint32_t tasks = model_tasks(ui->model), at = ui->prompt.search_at;
	uint32_t n = tasks + model_lanes(ui->model), names, name;
	uint8_t *found = names_found(ui);
	unsigned door;

	names = model_names(ui->model);
	for (uint32_t i = 0; found != NULL && i < n; i++) {
		if (way > 0)
			at = at + 1 >= n ? 0 : at + 1;
		else
			at = at == 0 || at > n ? n - 1 : at - 1;
		if (at >= tasks && !row_is_found(ui, at - tasks))
			continue;
		if (at < tasks) {
			door = model_enter(ui->model);
			name = model_task_name(ui->model, at);
			model_leave(ui->model, door);
			if (name == 0 || name > names || found[name] == 0)
				continue;
		}
		free(found);
		return (at);
	}
	free(found);
	return (UINT32_MAX);
}

static void
go_to_task(struct ui *ui, uint32_t task)
{
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;
	int64_t t = model_task(ui->model, task)->begin_mon_ns;

	select_task(ui, task);
	if (t == INT64_MIN ||
	    (t >= ui->time.t0_mon_ns && t < ui->time.t1_mon_ns))
		return;
	history_add(ui, 0);
	ui->play.follow = false;
	time_range(ui, t - span / 2, t + span - span / 2);
}

static int
search_on(struct ui *ui, int way)
{
	uint32_t at;

	if (ui->prompt.search[0] == '\0')
		return (desk_fail(ui, "nothing to search for: press / first"));
	at = find(ui, way);
	if (at == UINT32_MAX)
		return (
		    desk_fail(ui, "nothing is called %s", ui->prompt.search));
	ui->prompt.search_at = at;
	if (at < model_tasks(ui->model)) {
		go_to_task(ui, at);
		return (0);
	}
	ui->time.selected_lane = at - model_tasks(ui->model);
	time_show_row(ui, ui->time.selected_lane);
	return (0);
}

static int
search(struct ui *ui, const char *arg)
{
	snprintf(ui->prompt.search, sizeof(ui->prompt.search), "%s", arg);
	ui->prompt.search_at = UINT32_MAX;
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
		return (command_select_task(ui, arg + 5));
	if (strchr(arg, ':') != NULL || strstr(arg, "..") != NULL)
		return (command_range(ui, arg));
	if (parse_time(arg, &t) == -1)
		return (desk_fail(ui, "a query is a time (12.4s), a range "
				      "(1.2s:1.3s) or: task 1418"));
	history_add(ui, 0);
	ui->play.follow = false;
	t += run_origin(ui);
	time_range(ui, t - span / 2, t + span - span / 2);
	return (0);
}

const struct command command_find[] = {
	{ "prompt", "[C [TEXT]]", "opens the omnibox with /, : or >", prompt },
	{ "search", "TEXT", "selects the first task or row of that name",
	    search },
	{ "next", "", "selects the next thing found", next },
	{ "previous", "", "selects the one before", previous },
	{ "query", "TEXT", "goes to a time, a range, or \"task N\"", query },
	{ 0 },
};
