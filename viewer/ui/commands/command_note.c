/* Notes: written, gone to and removed. */
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "ui/desk/parse.h"
#include "ui/notes/notes.h"

#define HOW                                                                    \
	"wants a time or a range and a text, as in: %s1.2s:1.3s slow here; "   \
	". is the selected range, or the time shown"

/* A time, a range, or ".", from the origin on. */
static bool
times(const struct ui *ui, const char *w, int64_t *t0, int64_t *t1)
{
	const char *what;

	if (strcmp(w, ".") == 0) {
		*t0 = *t1 = run_instant(ui, &what) - run_origin(ui);
		if (ui->time.sel0_mon_ns < ui->time.sel1_mon_ns) {
			*t0 = ui->time.sel0_mon_ns - run_origin(ui);
			*t1 = ui->time.sel1_mon_ns - run_origin(ui);
		}
		return (true);
	}
	if (parse_range(w, t0, t1) == 0)
		return (true);
	if (parse_time(w, t0) == -1)
		return (false);
	*t1 = *t0;
	return (true);
}

static int
add(struct ui *ui, const char *what, uint32_t row, const char *arg)
{
	int64_t t0, t1;
	char w[64];
	int i;

	if (!parse_word(&arg, w, sizeof(w)) || !times(ui, w, &t0, &t1) ||
	    arg[0] == '\0')
		return (desk_fail(ui, "%s" HOW, what, what));
	i = notes_add(ui, t0, t1, row, arg);
	if (i == -1)
		return (-1);
	snprintf(ui->told.message, sizeof(ui->told.message),
	    "note %d is written down", i + 1);
	return (0);
}

static int
annotate(struct ui *ui, const char *arg)
{
	return (add(ui, "annotate ", NOTE_ALL, arg));
}

static int
annotate_row(struct ui *ui, const char *arg)
{
	uint64_t row = ui->time.selected_lane;
	char w[24];

	if (!parse_word(&arg, w, sizeof(w)) ||
	    (strcmp(w, ".") != 0 && parse_number(w, &row) == -1))
		return (
		    desk_fail(ui, "annotate-row . " HOW, "annotate-row . "));
	if (row >= model_lanes(ui->model))
		return (desk_fail(ui, strcmp(w, ".") == 0
					  ? "no row is selected"
					  : "there is no such row"));
	return (add(ui, "annotate-row . ", (uint32_t)row, arg));
}

/* The N-th, from 1; without a number the nearest.  SIZE_MAX: it is said. */
static size_t
wanted(struct ui *ui, const char *arg)
{
	const struct notes *k = ui->notes;
	const char *what;
	uint64_t v;

	if (k->n == 0) {
		desk_fail(ui, "there are no notes");
		return (SIZE_MAX);
	}
	if (arg[0] == '\0')
		return (
		    notes_near(ui, run_instant(ui, &what) - run_origin(ui)));
	if (parse_number(arg, &v) == 0 && v >= 1 && v <= k->n)
		return ((size_t)v - 1);
	desk_fail(ui, "there is no such note, there are %zu", k->n);
	return (SIZE_MAX);
}

/* It is in sight, a range with some room around it, and selected. */
static int
go_to(struct ui *ui, size_t i)
{
	const struct note *a = &ui->notes->note[i];
	int64_t t0 = a->t0_ns + run_origin(ui), t1 = a->t1_ns + run_origin(ui);

	ui->notes->chosen = i;
	history_add(ui, 0);
	if (t1 == t0) {
		ui->chosen.cursor_mon_ns = t0;
		if (ui->play.head_mon_ns != INT64_MAX)
			time_head_to(ui, t0);
		else
			time_in_sight(ui, t0);
	} else {
		ui->play.follow = false;
		if (t0 < ui->time.t0_mon_ns || t1 > ui->time.t1_mon_ns)
			time_range(ui, t0 - (t1 - t0) / 4, t1 + (t1 - t0) / 4);
		time_select(ui, t0, t1);
	}
	if (a->row < model_lanes(ui->model)) {
		ui->time.selected_lane = a->row;
		time_show_row(ui, a->row);
	}
	return (0);
}

static int
goto_annotation(struct ui *ui, const char *arg)
{
	size_t i = wanted(ui, arg);

	return (i == SIZE_MAX ? -1 : go_to(ui, i));
}

static int
next_annotation(struct ui *ui, const char *arg)
{
	const struct notes *k = ui->notes;

	(void)arg;
	if (k->n == 0)
		return (desk_fail(ui, "there are no notes"));
	return (go_to(ui, k->chosen + 1 < k->n ? k->chosen + 1 : 0));
}

static int
remove_annotation(struct ui *ui, const char *arg)
{
	size_t i = wanted(ui, arg);

	return (i == SIZE_MAX ? -1 : notes_remove(ui, i));
}

static int
annotations(struct ui *ui, const char *arg)
{
	(void)arg;
	command_front(ui, VIEW_NOTES);
	return (0);
}

const struct command command_note[] = {
	{ "annotate", "TIME[:TIME] TEXT",
	    "a note on an instant or a range; a dot: on the selected range, "
	    "or the instant shown",
	    annotate },
	{ "annotate-row", "ROW TIME[:TIME] TEXT",
	    "the same on one row; a dot: the selected one", annotate_row },
	{ "annotations", "", "the list of notes", annotations },
	{ "goto-annotation", "[N]", "goes to the Nth note, or the nearest",
	    goto_annotation },
	{ "next-annotation", "", "goes to the note after it, at last the first",
	    next_annotation },
	{ "remove-annotation", "[N]", "removes the Nth note, or the nearest",
	    remove_annotation },
	{ 0 },
};
