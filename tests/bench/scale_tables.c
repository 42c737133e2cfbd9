/*
 * Views of very many: a matrix of 10^4 x 10^4 processes, a table of 10^5
 * threads, one of 10^4 functions; moved about, each frame until their figures
 * are there.
 */
#include "tests/bench/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "ui/commands/command.h"
#include "ui/input/input.h"

#define LIMIT_MS 16.0
#define EACH     10 /* frames a step: figures come in the next ones */

static void
step_scroll(struct ui *ui, int i)
{
	command_run(ui, i < FRAMES / 2 ? "scroll-down 16" : "scroll-up 16");
}

static void
step_range(struct ui *ui, int i)
{
	time_pan(ui, i < FRAMES / 2 ? 0.01 : -0.01);
}

/* The median of all frames, and the longest. */
static void
steps(struct screen *s, struct model *m, const char *what,
    void (*step)(struct ui *, int))
{
	double ms[FRAMES * EACH];
	char name[80];

	frame_ms(s, m);
	for (int i = 0; i < FRAMES * EACH; i++) {
		if (i % EACH == 0)
			step(s->ui, i / EACH);
		ms[i] = frame_ms(s, m);
	}
	snprintf(name, sizeof(name), "%s p50", what);
	line(name, percentile(ms, FRAMES * EACH, 0.5), "ms", "goal", LIMIT_MS);
	snprintf(name, sizeof(name), "%s longest", what);
	line(name, percentile(ms, FRAMES * EACH, 1), "ms", "goal", LIMIT_MS);
}

static void
look(const char *what, struct feed_mix mix, uint32_t lanes, uint32_t names,
    const char *tab)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	uint32_t was = option.lanes;
	struct screen s;
	struct held h;

	if (f == NULL)
		exit(EX_OSERR);
	of = what;
	option.lanes = lanes;
	f->mix = mix;
	f->names = names;
	h = hold(f, option.events);
	screen_open(&s, h.m, false);
	s.ui->places.focus = PANE_DOCK;
	if (command_run(s.ui, tab) == -1)
		exit(EX_SOFTWARE);
	line("first frame", frame_ms(&s, h.m), "ms", "goal", 50);
	steps(&s, h.m, "whole, scrolled", step_scroll);
	time_zoom(s.ui, 0.5, -1);
	steps(&s, h.m, "half, panned", step_range);
	command_run(s.ui, "maximise");
	steps(&s, h.m, "alone, scrolled", step_scroll);
	steps(&s, h.m, "alone, panned", step_range);
	of = "";
	option.lanes = was;
	screen_close(&s);
	model_free(h.m);
	free(f);
}

void
bench_tables(void)
{
	look("matrix of 10^4 processes: ", (struct feed_mix){ 0, 100, 0 },
	    80000, 0, "tab Communication");
	look("table of 10^5 threads: ", (struct feed_mix){ 0, 10, 0 }, 100000,
	    0, "tab States");
	look("table of 10^4 functions: ", (struct feed_mix){ 0, 0, 0 }, 64,
	    10000, "tab Functions");
}
