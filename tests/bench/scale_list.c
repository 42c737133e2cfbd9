/* A list as long as half of the events: opened, scrolled, at its end. */
#include "tests/bench/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "ui/commands/command.h"
#include "ui/input/input.h"

#define LIMIT_MS 16.0

static void
step_open(struct ui *ui, int i)
{
	command_run(ui, i % 2 == 0 ? "tab Functions" : "tab Spans");
}

static void
step_page(struct ui *ui, int i)
{
	command_run(ui, i < FRAMES / 2 ? "scroll-down 16" : "scroll-up 16");
}

static void
step_end(struct ui *ui, int i)
{
	command_run(ui, i % 2 == 0 ? "last-row" : "first-row");
}

/* The cursor anywhere: the list goes there. */
static void
step_cursor(struct ui *ui, int i)
{
	int64_t first = model_first_ns(ui->model);
	int64_t span = model_last_ns(ui->model) - first;

	ui->chosen.cursor_mon_ns =
	    first + span / FRAMES * ((i * 7 + 3) % FRAMES);
	picture_changed(ui->picture);
}

void
bench_list(void)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	uint32_t lanes = option.lanes;
	struct screen s;
	struct held h;
	uint64_t n = 0;

	if (f == NULL)
		exit(EX_OSERR);
	of = "list ";
	option.lanes = 1;
	h = hold(f, option.events);
	screen_open(&s, h.m, false);
	frame_ms(&s, h.m);
	s.ui->time.selected_lane = model_location_lane(h.m, 1);
	s.ui->places.focus = PANE_DOCK;
	command_run(s.ui, "tab Spans");
	model_lane_listed(h.m, s.ui->time.selected_lane, &n);
	line("rows", (double)n, "rows", "goal", 35e6);
	frames(&s, h.m, "open", "", step_open, frame_ms, LIMIT_MS);
	frames(&s, h.m, "page", "", step_page, frame_ms, LIMIT_MS);
	frames(&s, h.m, "ends", "", step_end, frame_ms, LIMIT_MS);
	frames(&s, h.m, "cursor", "", step_cursor, frame_ms, LIMIT_MS);
	of = "";
	option.lanes = lanes;
	screen_close(&s);
	model_free(h.m);
	free(f);
}
