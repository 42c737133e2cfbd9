/* Frames of a run that stands still: cold, panned, zoomed, after a key. */
#include "tests/bench/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#define WIDTH  1600
#define HEIGHT 1000

/* As the loop draws it: nobody is waited for, but somebody may come. */
static bool
nobody(void *arg)
{
	(void)arg;
	return (false);
}

static void
draw(struct screen *s)
{
	ui_prepare(s->ui);
	ui_show(s->ui, &s->canvas);
}

void
screen_open(struct screen *s, struct model *m, bool grows)
{
	uint32_t *px = calloc(WIDTH * HEIGHT, sizeof(*px));

	memset(&s->feed, 0, sizeof(s->feed));
	s->feed.connected = true;
	s->feed.finished = !grows;
	s->feed.live = grows;
	s->ui = ui_new(&palette_dark);
	if (px == NULL || s->ui == NULL)
		exit(EX_OSERR);
	canvas_init(&s->canvas, px, WIDTH, HEIGHT, WIDTH);
	s->ui->picture->stop_cb = nobody;
	ui_resize(s->ui, WIDTH, HEIGHT);
	ui_refresh(s->ui, m, &s->feed);
}

void
screen_close(struct screen *s)
{
	free(s->canvas.px);
	ui_free(s->ui);
}

double
frame_ms(struct screen *s, struct model *m)
{
	double t = clock_ms(CLOCK_MONOTONIC);

	ui_refresh(s->ui, m, &s->feed);
	draw(s);
	return (clock_ms(CLOCK_MONOTONIC) - t);
}

/* As when a key was pressed: what is shown at once. */
static double
hasty_ms(struct screen *s, struct model *m)
{
	double t = clock_ms(CLOCK_MONOTONIC);

	ui_refresh(s->ui, m, &s->feed);
	picture_begin(s->ui->picture, PICTURE_HASTY);
	draw(s);
	t = clock_ms(CLOCK_MONOTONIC) - t;
	draw(s); /* what follows */
	return (t);
}

void
step_redo(struct ui *ui, int i)
{
	(void)i;
	ui_redo(ui);
}

void
step_pan(struct ui *ui, int i)
{
	time_pan(ui, i < FRAMES / 2 ? -0.02 : 0.02);
}

void
step_zoom(struct ui *ui, int i)
{
	time_zoom(ui, i % 2 == 0 ? 0.8 : 1.25, -1);
}

/* To where nobody has been. */
void
step_anew(struct ui *ui, int i)
{
	time_zoom(ui, i % 2 == 0 ? 0.8 : 1.252 + 0.001 * i, -1);
}

/* The first frame must not count: it fills what is kept. */
void
frames(struct screen *s, struct model *m, const char *what, const char *zoom,
    void (*step)(struct ui *, int),
    double (*cost)(struct screen *, struct model *), double goal)
{
	double ms[FRAMES];
	char name[80];

	frame_ms(s, m);
	for (int i = 0; i < FRAMES; i++) {
		step(s->ui, i);
		ms[i] = cost(s, m);
	}
	snprintf(name, sizeof(name), "frame %s %s", what, zoom);
	line(name, percentile(ms, FRAMES, 0.5), "ms", "goal", goal);
}

void
bench_frames(struct model *m)
{
	static const struct {
		const char *name;
		double part;
	} zooms[] = { { "all", 1 }, { "1/10", 0.1 }, { "1/100", 0.01 },
		{ "1/1000", 0.001 } };
	struct screen s;

	screen_open(&s, m, false);
	line("first frame", frame_ms(&s, m), "ms", "goal", 50);
	for (size_t i = 0; i < sizeof(zooms) / sizeof(zooms[0]); i++) {
		time_fit(s.ui);
		time_zoom(s.ui, zooms[i].part, -1);
		frames(&s, m, "cold", zooms[i].name, step_redo, frame_ms, 50);
		frames(&s, m, "pan", zooms[i].name, step_pan, frame_ms, 8);
		frames(&s, m, "zoom", zooms[i].name, step_zoom, frame_ms, 8);
		frames(&s, m, "zoom anew", zooms[i].name, step_anew, frame_ms,
		    50);
		frames(&s, m, "key pan", zooms[i].name, step_pan, hasty_ms, 3);
		frames(&s, m, "key zoom", zooms[i].name, step_zoom, hasty_ms,
		    3);
		frames(&s, m, "key zoom anew", zooms[i].name, step_anew,
		    hasty_ms, 3);
	}
	screen_close(&s);
}
