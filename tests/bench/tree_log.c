/*
 * VISTA's own measurement: a trace is loaded and shown, then shown with other
 * colours.  45 s and 4 s for semigroup, in 1991.
 *
 * Shown again is what the viewer does: the shapes stay, and what they cover of
 * the picture was kept when the first one had been shown.
 */
#include "tests/bench/tree.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "feed/feed.h"
#include "ui/desk/ui.h"
#include "ui/draw/cover.h"
#include "ui/draw/layer.h"

#define LOADS 9

struct shown {
	struct drawn d;
	struct cover cover;
	double load, first, again, layout, ready;
	double load_both, first_both; /* by the clock on the wall */
};

static void
least(double *v, double t)
{
	if (*v == 0 || t < *v)
		*v = t;
}

static struct model *
load(struct shown *s, const char *path)
{
	double t = now_ms();
	struct model *m = model_new();
	struct feed_status st;

	if (m == NULL || feed_read(m, path, &st) != 0)
		errx(EX_NOINPUT, "%s cannot be read", path);
	s->d.view.colour = RADIAL_PE;
	draw(&s->d, m);
	least(&s->load, now_ms() - t);
	return (m);
}

/* The same by the clock on the wall, with both processors; and then other
 * colours. */
static void
load_both(struct shown *s, const char *path)
{
	double t = wall_ms();
	struct model *m = model_new();
	struct feed_status st;

	if (m == NULL || feed_read(m, path, &st) != 0)
		errx(EX_NOINPUT, "%s cannot be read", path);
	s->d.view.colour = RADIAL_PE;
	draw_both(&s->d, m);
	least(&s->load_both, wall_ms() - t);
	s->d.view.colour = RADIAL_STATE;
	t = wall_ms();
	draw_both(&s->d, m);
	least(&s->first_both, wall_ms() - t);
	radial_layout_free(&s->d.layout);
	model_free(m);
}

/* As the viewer does when it has shown a run. */
static void
keep(struct shown *s)
{
	struct canvas *c = &s->d.canvas, part;
	double t = now_ms();

	canvas_fill(c, 0, 0, SIDE, SIDE, 0);
	cover_begin(&s->cover, &s->d.scene, c);
	for (int b = 0; b < COVER_BANDS; b++) {
		part = cover_band(c, b);
		if (cover_take(&s->cover, b, &s->d.scene, 0, s->d.scene.n,
			&part) == -1)
			errx(EX_OSERR, "out of memory");
	}
	least(&s->ready, now_ms() - t);
}

static void
show_again(struct shown *s, const struct model *m)
{
	struct drawn *d = &s->d;
	uint64_t made = d->scene.made;
	double t0 = now_ms(), t1;

	radial_layout(m, &palette_dark, &d->view, &d->layout, &d->scene);
	t1 = now_ms();
	if (d->scene.made != made)
		errx(EX_SOFTWARE, "the shapes have not stayed");
	canvas_fill(&d->canvas, 0, 0, SIDE, SIDE, palette_dark.background);
	for (int b = 0; b < COVER_BANDS; b++)
		cover_paint(&s->cover, b, &d->scene, &d->canvas);
	least(&s->layout, t1 - t0);
	least(&s->again, now_ms() - t0);
}

/* Its shapes stay, and are painted as any. */
static void
show_first(struct shown *s, const struct model *m)
{
	struct drawn *d = &s->d;
	double t = now_ms();

	radial_layout(m, &palette_dark, &d->view, &d->layout, &d->scene);
	canvas_fill(&d->canvas, 0, 0, SIDE, SIDE, palette_dark.background);
	paint_items(&d->canvas, &d->scene, 0, d->scene.n);
	least(&s->first, now_ms() - t);
}

/* The first of them, before anything was kept, is painted anew. */
static void
colours(struct shown *s, const struct model *m)
{
	static const enum radial_colour other[] = { RADIAL_TIME,
		RADIAL_PROCEDURE, RADIAL_STATE, RADIAL_PE };

	s->d.view.colour = RADIAL_STATE;
	show_first(s, m);
	keep(s);
	for (size_t c = 0; c < sizeof(other) / sizeof(other[0]); c++) {
		s->d.view.colour = other[c];
		show_again(s, m);
	}
}

static void
show_anew(struct shown *s, const struct model *m)
{
	double t = 0;

	for (int i = 0; i < LOADS; i++) {
		draw(&s->d, m);
		least(&t, s->d.layout_ms + s->d.paint_ms);
	}
	line("shown anew", "log", s->d.layout.tasks, t, "ms", 4);
}

void
bench_log(const char *path)
{
	struct shown s = { .load = 0 };
	struct model *m = NULL;
	uint32_t tasks;

	drawn_open(&s.d, 850);
	for (int i = 0; i < LOADS; i++) {
		radial_layout_free(&s.d.layout);
		model_free(m);
		load_both(&s, path);
		m = load(&s, path);
		colours(&s, m);
	}
	floor_line(&s.d);
	tasks = s.d.layout.tasks;
	line("loaded and shown", "log", tasks, s.load, "ms", 5);
	line("loaded and shown, both processors", "log", tasks, s.load_both,
	    "ms", 5);
	line("shown again", "log", tasks, s.again, "ms", 1);
	line("colours of that", "log", tasks, s.layout, "ms", 1);
	line("shown again, first time", "log", tasks, s.first, "ms", 1);
	line("shown again, first time, both processors", "log", tasks,
	    s.first_both, "ms", 1);
	line("shapes kept for that", "log", tasks, s.ready, "ms", 10);
	show_anew(&s, m);
	line("shown anew, both processors", "log", tasks, both_ms(&s.d, m),
	    "ms", 4);
	line("nodes drawn", "log", tasks, s.d.layout.drawn, "nodes", 11334);
	picture_write(&s.d);
	cover_free(&s.cover);
	drawn_close(&s.d);
	model_free(m);
}
