/* Markers: set, jumped to and removed. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "ui/commands/moving/moving.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"

/* A word of the line, or "." or nothing for the instant that is shown. */
static int
time_word(struct ui *ui, const char **arg, int64_t *t)
{
	size_t n = strcspn(*arg, " \t");
	char word[40];
	const char *what;

	*t = run_instant(ui, &what);
	if (n > 0 && !(n == 1 && **arg == '.')) {
		snprintf(word, sizeof(word), "%.*s", (int)n, *arg);
		if (parse_time(word, t) == -1)
			return (desk_fail(ui,
			    "marker wants a time and a name, as in: "
			    "marker 12.4s here; . is the time shown"));
		*t += run_origin(ui);
	}
	*arg += n;
	while (isspace((unsigned char)**arg))
		(*arg)++;
	return (0);
}

static int
marker(struct ui *ui, const char *arg)
{
	struct marker *m;
	unsigned i = 0;
	int64_t t;

	if (time_word(ui, &arg, &t) == -1)
		return (-1);
	while (i < ui->markers.n && ui->markers.marker[i].t_mon_ns < t)
		i++;
	m = &ui->markers.marker[i];
	if (i == ui->markers.n || m->t_mon_ns != t) {
		if (ui->markers.n == MARKERS_MAX)
			return (desk_fail(ui, "%d markers are enough",
			    MARKERS_MAX));
		memmove(m + 1, m, (ui->markers.n - i) * sizeof(*m));
		ui->markers.n++;
		m->name[0] = '\0';
	}
	m->t_mon_ns = t;
	if (arg[0] != '\0')
		snprintf(m->name, sizeof(m->name), "%s", arg);
	return (0);
}

/* The marker of that name or number; without one the nearest.  -1: none. */
static int
wanted(struct ui *ui, const char *arg)
{
	const char *what;
	int64_t t = run_instant(ui, &what), far, best = INT64_MAX;
	uint64_t number;
	int found = -1;

	for (unsigned i = 0; i < ui->markers.n; i++) {
		far = ui->markers.marker[i].t_mon_ns - t;
		far = far < 0 ? -far : far;
		if (arg[0] == '\0'
			? far < best
			: strcmp(ui->markers.marker[i].name, arg) == 0) {
			best = far;
			found = (int)i;
		}
	}
	if (found == -1 && parse_number(arg, &number) == 0 && number >= 1 &&
	    number <= ui->markers.n)
		found = (int)number - 1;
	if (found == -1)
		desk_fail(ui, ui->markers.n == 0 ? "there are no markers"
						 : "there is no such marker");
	return (found);
}

static int
unmark(struct ui *ui, const char *arg)
{
	int i = wanted(ui, arg);

	if (i == -1)
		return (-1);
	ui->markers.n--;
	memmove(&ui->markers.marker[i], &ui->markers.marker[i + 1],
	    (ui->markers.n - (unsigned)i) * sizeof(ui->markers.marker[0]));
	return (0);
}

/* The cursor goes there; a playback, too. */
static int
jump(struct ui *ui, unsigned i)
{
	int64_t t = ui->markers.marker[i].t_mon_ns;

	ui->chosen.cursor_mon_ns = t;
	if (ui->play.head_mon_ns != INT64_MAX)
		time_head_to(ui, t);
	else
		time_in_sight(ui, t);
	return (0);
}

static int
goto_marker(struct ui *ui, const char *arg)
{
	int i = wanted(ui, arg);

	return (i == -1 ? -1 : jump(ui, (unsigned)i));
}

static int
next_marker(struct ui *ui, const char *arg)
{
	const char *what;
	int64_t t = ui->chosen.cursor_mon_ns != INT64_MIN
			? ui->chosen.cursor_mon_ns
			: run_instant(ui, &what);

	(void)arg;
	for (unsigned i = 0; i < ui->markers.n; i++)
		if (ui->markers.marker[i].t_mon_ns > t)
			return (jump(ui, i));
	return (desk_fail(ui, "there is no marker after this"));
}

static int
previous_marker(struct ui *ui, const char *arg)
{
	const char *what;
	int64_t t = ui->chosen.cursor_mon_ns != INT64_MIN
			? ui->chosen.cursor_mon_ns
			: run_instant(ui, &what);

	(void)arg;
	for (unsigned i = ui->markers.n; i-- > 0;)
		if (ui->markers.marker[i].t_mon_ns < t)
			return (jump(ui, i));
	return (desk_fail(ui, "there is no marker before this"));
}

const struct command command_marker[] = {
	{ "marker", "[TIME [NAME]]",
	    "sets or names a marker; without a time, or with a dot, at the "
	    "instant shown",
	    marker },
	{ "unmark", "[NAME]", "removes a marker, or the nearest", unmark },
	{ "goto-marker", "[NAME]", "puts the cursor there", goto_marker },
	{ "next-marker", "", "goes to the marker after the cursor",
	    next_marker },
	{ "previous-marker", "", "goes to the one before it", previous_marker },
	{ 0 },
};
