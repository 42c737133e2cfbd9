/*
 * Commands of the omnibox: search for a name, go to a time or a task.  A name
 * is searched for from the left edge of the view on: calls, tasks, waits and
 * notes in the order of time, behind the last one the rows that are called so,
 * and then from the start of the run.
 */
#include "command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/panes/panes.h"
#include "ui/things/thing.h"
#include "ui/views/found/found.h"

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

/* An object also by its id, as Details have it, and by its class. */
static bool
object_is_found(const struct ui *ui, const struct lane *l)
{
	char id[24];

	snprintf(id, sizeof(id), "0x%" PRIx64, l->object);
	return (strcasecmp(id, ui->prompt.search) == 0 ||
		contains(model_name(ui->model, l->name), ui->prompt.search));
}

static bool
row_is_found(const struct ui *ui, uint32_t lane)
{
	const struct lane *l = model_lane(ui->model, lane);
	char name[128];

	return (l->kind != LANE_DEPTH &&
		(contains(label_lane(ui->model, l, name, sizeof(name)),
		     ui->prompt.search) ||
		    (l->kind == LANE_OBJECT && object_is_found(ui, l))));
}

/* The row behind or before this one, by its number; UINT32_MAX: no more. */
static uint32_t
row_from(const struct ui *ui, uint32_t lane, int way)
{
	uint32_t n = model_lanes(ui->model);

	for (lane += (uint32_t)way; lane < n; lane += (uint32_t)way)
		if (row_is_found(ui, lane))
			return (lane);
	return (UINT32_MAX);
}

static void
show_found(struct ui *ui, const struct found *f)
{
	struct thing k = { .kind = f->note ? THING_MARK : THING_SPAN,
		.lane = found_row(ui, f->lane),
		.of = f->lane,
		.span = f->span,
		.mark = f->mark };

	history_add(ui, 0);
	ui->play.follow = false;
	thing_show(ui, &k);
	if (!f->note && f->span.kind == SPAN_task)
		select_task(ui, model_task_by_id(ui->model, f->span.id));
}

/* The next span or note; false: there is none from here on, or not near. */
static bool
search_time(struct ui *ui, int way, bool *far)
{
	struct prompt *p = &ui->prompt;
	struct found at = { .t_mon_ns = p->found_mon_ns,
		.lane = p->found_lane,
		.note = p->found_note };
	uint8_t *names = names_found(ui);
	int found = names == NULL ? 0
				  : find_in_time(ui, names,
					model_names(ui->model) + 1, way, &at);

	free(names);
	*far = found < 0;
	p->found_mon_ns = at.t_mon_ns;
	p->found_lane = at.lane;
	p->found_note = at.note;
	if (found > 0)
		show_found(ui, &at);
	return (found > 0);
}

/* What is in time comes before the rows, and after them from the other end. */
static int
search_on(struct ui *ui, int way)
{
	struct prompt *p = &ui->prompt;
	bool far;

	if (p->search[0] == '\0')
		return (desk_fail(ui, "nothing to search for: press / first"));
	for (int turn = 0; turn < 3; turn++) {
		if (!p->in_rows && search_time(ui, way, &far))
			return (0);
		if (!p->in_rows && far)
			return (desk_fail(ui, "%s: not found so far; n goes on",
			    p->search));
		if (!p->in_rows)
			p->found_row =
			    way > 0 ? UINT32_MAX : model_lanes(ui->model);
		p->found_row = row_from(ui, p->found_row, way);
		p->in_rows = p->found_row != UINT32_MAX;
		if (p->in_rows) {
			ui->time.selected_lane = p->found_row;
			time_show_row(ui, p->found_row);
			return (0);
		}
		p->found_mon_ns = way > 0 ? INT64_MIN : INT64_MAX;
		p->found_lane = UINT32_MAX;
		p->found_note = false;
	}
	return (desk_fail(ui, "nothing is called %s", p->search));
}

static int
search(struct ui *ui, const char *arg)
{
	found_leave(ui); /* next is of this */
	snprintf(ui->prompt.search, sizeof(ui->prompt.search), "%s", arg);
	ui->prompt.in_rows = false;
	ui->prompt.found_mon_ns = ui->time.t0_mon_ns;
	ui->prompt.found_lane = UINT32_MAX;
	ui->prompt.found_note = false;
	return (search_on(ui, 1));
}

/* The messages of a pair are what is sought where it was chosen. */
static bool
in_pair(const struct ui *ui)
{
	return (ui->chosen.talk.pair && view_focused(ui) == VIEW_COMMUNICATION);
}

static int
next(struct ui *ui, const char *arg)
{
	(void)arg;
	if (in_pair(ui))
		return (command_pair_step(ui, 1));
	if (found_stepping(ui))
		return (found_step(ui, 1));
	return (search_on(ui, 1));
}

static int
previous(struct ui *ui, const char *arg)
{
	(void)arg;
	if (in_pair(ui))
		return (command_pair_step(ui, -1));
	if (found_stepping(ui))
		return (found_step(ui, -1));
	return (search_on(ui, -1));
}

static void
go_to_task(struct ui *ui, uint32_t task)
{
	struct thing k = { .kind = THING_TASK,
		.id = model_task(ui->model, task)->id };

	history_add(ui, 0);
	ui->play.follow = false;
	thing_show(ui, &k);
}

/* A range, an instant, or "task N". */
static int
query(struct ui *ui, const char *arg)
{
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns, t;

	if (strncmp(arg, "task ", 5) == 0) {
		if (command_select_task(ui, arg + 5) == -1)
			return (-1);
		go_to_task(ui,
		    model_task_by_id(ui->model, ui->time.selected_task));
		return (0);
	}
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
	{ "search", "TEXT",
	    "selects the next call, task, note or row of that name", search },
	{ "next", "", "selects the next thing found", next },
	{ "previous", "", "selects the one before", previous },
	{ "query", "TEXT", "goes to a time, a range, or \"task N\"", query },
	{ 0 },
};
