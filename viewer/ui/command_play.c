/*
 * Commands of the playback.  Its head is a time of the run; at the end of what
 * there is it stands at INT64_MAX and the picture follows the run.
 */
#include "ui/command.h"

#include <stdlib.h>

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
		return (
		    command_fail(ui, "speed wants a number, as in: speed 0.1"));
	ui->speed = v;
	return (0);
}

const struct command command_play[] = {
	{ "pause", "", "holds the picture or the playback, or goes on",
	    pause_ },
	{ "live", "", "follows the newest event", live },
	{ "play", "", "plays the run again from the left edge", play },
	{ "start", "", "puts the playback at the start", to_start },
	{ "end", "", "ends the playback", to_end },
	{ "step-back", "", "a step back in the playback", step_back },
	{ "step-forward", "", "a step on in the playback", step_forward },
	{ "speed", "[FACTOR]", "sets the playback's speed", speed },
	{ 0 },
};
