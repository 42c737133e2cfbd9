/*
 * Commands of the omnibox: search for a name, go to a time or a task.
 */
#include "ui/command.h"

#include <string.h>

#include "ui/parse.h"

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
				command_scroll(ui,
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
		return (
		    command_fail(ui, "nothing to search for: press / first"));
	n = find_task(ui, way);
	if (n == TASK_NONE) {
		if (find_row(ui))
			return (0);
		return (command_fail(ui, "nothing is called %s", ui->search));
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
		return (command_select_task(ui, arg + 5));
	if (strchr(arg, ':') != NULL || strstr(arg, "..") != NULL)
		return (command_range(ui, arg));
	if (parse_time(arg, &t) == -1)
		return (command_fail(ui, "a query is a time (12.4s), a range "
					 "(1.2s:1.3s) or: task 1418"));
	view_remember(ui, 0);
	ui->follow = false;
	t += view_origin(ui);
	view_range(ui, t - span / 2, t + span - span / 2);
	return (0);
}

const struct command command_find[] = {
	{ "prompt", "[C]", "opens the omnibox with /, : or >", prompt },
	{ "search", "TEXT", "selects the first task or row of that name",
	    search },
	{ "next", "", "selects the next thing found", next },
	{ "previous", "", "selects the one before", previous },
	{ "query", "TEXT", "goes to a time, a range, or \"task N\"", query },
	{ 0 },
};
