/*
 * Commands of the playback.  Its head is a time of the run; at the end of what
 * there is it stands at INT64_MAX and the picture follows the run.
 */
#include "ui/commands/moving/moving.h"

#include <stdlib.h>

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"

/*
 * A playback stops, or goes on.  Else all is held as it is now: the instant
 * stays, also while the run goes on.
 */
static int
pause_(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->play.rush = 0;
	if (ui->play.playing) {
		ui->play.playing = false;
	} else if (ui->play.paused) {
		ui->play.paused = false;
		ui->play.head_mon_ns = ui->tree.until_mon_ns = INT64_MAX;
	} else if (ui->play.head_mon_ns != INT64_MAX) {
		ui->play.playing = true;
	} else {
		ui->play.paused = true;
		if (run_grows(ui))
			ui->play.head_mon_ns = ui->tree.until_mon_ns =
			    run_end(ui);
	}
	return (0);
}

static int
live(struct ui *ui, const char *arg)
{
	(void)arg;
	time_live(ui);
	ui->play.rush = 0;
	ui->tree.until_mon_ns = INT64_MAX;
	return (0);
}

static int
play(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->play.paused = false;
	if (ui->play.head_mon_ns == INT64_MAX)
		time_head_to(ui, ui->time.t0_mon_ns);
	ui->play.rush = 0;
	ui->play.playing = ui->play.head_mon_ns != INT64_MAX;
	return (0);
}

/* What is left takes so many seconds, however long it is. */
#define RUSH_SECONDS 4

static int
fast_forward(struct ui *ui, const char *arg)
{
	play(ui, arg);
	if (ui->play.playing)
		ui->play.rush = (double)(run_end(ui) - ui->play.head_mon_ns) /
				    RUSH_SECONDS +
				1;
	return (0);
}

static int
to_start(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->play.playing = false;
	time_head_to(ui, run_begin(ui));
	return (0);
}

static int
to_end(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->play.playing = ui->play.paused = false;
	time_head_to(ui, run_end(ui));
	if (ui->feed.live)
		time_live(ui);
	return (0);
}

static int
seek(struct ui *ui, const char *arg)
{
	int64_t t;

	if (parse_time(arg, &t) == -1)
		return (desk_fail(ui, "seek wants a time, as in 12.4s"));
	ui->play.playing = false;
	time_head_to(ui, run_origin(ui) + t);
	return (0);
}

/*
 * Where a step begins: at the playback's instant; where nothing is hidden, at
 * the newest event, if that is in sight, else at the edge from which it goes
 * into what is.
 */
static int64_t
head_of(const struct ui *ui, int way)
{
	int64_t last = model_last_ns(ui->model);

	if (ui->play.head_mon_ns != INT64_MAX)
		return (ui->play.head_mon_ns);
	if (model_events(ui->model) == 0)
		return (0);
	if (ui->time.t1_mon_ns > last)
		return (last);
	return (way < 0 ? ui->time.t1_mon_ns : ui->time.t0_mon_ns);
}

#define STEPS_MAX 100000

static int
step(struct ui *ui, const char *arg, int way)
{
	int64_t from = head_of(ui, way), to;
	uint64_t n = 1;

	if (arg[0] != '\0' &&
	    (parse_number(arg, &n) == -1 || n == 0 || n > STEPS_MAX))
		return (
		    desk_fail(ui, "a step is of 1 to %d events", STEPS_MAX));
	ui->play.playing = false;
	to = model_step(ui->model, UINT32_MAX, from, way * (long)n);
	if (to == from)
		return (desk_fail(ui, "there is no event %s this",
		    way > 0 ? "after" : "before"));
	time_head_to(ui, to);
	return (0);
}

static int
step_back(struct ui *ui, const char *arg)
{
	return (step(ui, arg, -1));
}

static int
step_forward(struct ui *ui, const char *arg)
{
	return (step(ui, arg, 1));
}

static int
skip(struct ui *ui, int way)
{
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;

	ui->play.playing = false;
	time_head_to(ui,
	    head_of(ui, way) + way * (span / 40 > 0 ? span / 40 : 1));
	return (0);
}

static int
skip_back(struct ui *ui, const char *arg)
{
	(void)arg;
	return (skip(ui, -1));
}

static int
skip_forward(struct ui *ui, const char *arg)
{
	(void)arg;
	return (skip(ui, 1));
}

/* The cursor, along what happens in the selected row. */
static int
row_step(struct ui *ui, int way)
{
	const char *what;
	int64_t from = ui->chosen.cursor_mon_ns != INT64_MIN
			   ? ui->chosen.cursor_mon_ns
			   : run_instant(ui, &what),
		to;

	if (ui->time.selected_lane >= model_lanes(ui->model))
		return (desk_fail(ui, "select a row to go along it"));
	to = model_step(ui->model, ui->time.selected_lane, from, way);
	if (to == from)
		return (desk_fail(ui, "nothing happens %s this in the row",
		    way > 0 ? "after" : "before"));
	ui->chosen.cursor_mon_ns = to;
	if (ui->play.head_mon_ns != INT64_MAX)
		time_head_to(ui, to);
	time_in_sight(ui, to);
	return (0);
}

static int
next_state(struct ui *ui, const char *arg)
{
	(void)arg;
	return (row_step(ui, 1));
}

static int
previous_state(struct ui *ui, const char *arg)
{
	(void)arg;
	return (row_step(ui, -1));
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
			if (ui->play.speed == speeds[i])
				v = speeds[i + 1];
	}
	if (!(v >= 1e-6 && v <= 1e6))
		return (
		    desk_fail(ui, "speed wants a number, as in: speed 0.1"));
	ui->play.speed = v;
	return (0);
}

const struct command command_play[] = {
	{ "pause", "", "holds the picture or the playback, or goes on",
	    pause_ },
	{ "live", "", "follows the newest event", live },
	{ "play", "", "plays the run again from the left edge", play },
	{ "fast-forward", "", "plays what is left in a few seconds",
	    fast_forward },
	{ "start", "", "puts the playback at the start", to_start },
	{ "end", "", "ends the playback", to_end },
	{ "seek", "TIME", "puts the playback at a time", seek },
	{ "step-back", "[N]", "an event, or N, back in the playback",
	    step_back },
	{ "step-forward", "[N]", "an event, or N, on in the playback",
	    step_forward },
	{ "skip-back", "", "a fortieth of what is seen back", skip_back },
	{ "skip-forward", "", "a fortieth of it on", skip_forward },
	{ "next-state", "", "puts the cursor at the row's next event",
	    next_state },
	{ "previous-state", "", "puts the cursor at the one before",
	    previous_state },
	{ "speed", "[FACTOR]", "sets the playback's speed", speed },
	{ 0 },
};
