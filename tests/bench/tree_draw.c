/* One picture of the tree, as the viewer makes it, and what that costs. */
#include "tests/bench/tree.h"

#include <err.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <time.h>

#include "model/keep/both.h"
#include "ui/desk/ui.h"
#include "ui/draw/cover.h"
#include "ui/draw/layer.h"
#include "ui/out/png.h"

void
drawn_open(struct drawn *d, int32_t side)
{
	uint32_t *px = calloc((size_t)SIDE * SIDE, sizeof(*px));

	if (px == NULL)
		exit(EX_OSERR);
	*d = (struct drawn){ .view = { .width = side,
				 .fit = option.fit,
				 .height = side,
				 .zoom = 1,
				 .form = option.form,
				 .ring_px_min = 4,
				 .until_mon_ns = INT64_MAX } };
	canvas_init(&d->canvas, px, SIDE, SIDE, SIDE);
}

void
drawn_close(struct drawn *d)
{
	radial_layout_free(&d->layout);
	scene_free(&d->scene);
	free(d->canvas.px);
}

void
draw(struct drawn *d, const struct model *m)
{
	double t0 = now_ms(), t1;

	d->layout.shapes.model = NULL; /* nothing of it may stay */
	radial_layout(m, &palette_dark, &d->view, &d->layout, &d->scene);
	t1 = now_ms();
	canvas_fill(&d->canvas, 0, 0, SIDE, SIDE, palette_dark.background);
	paint_items(&d->canvas, &d->scene, 0, d->scene.n);
	d->layout_ms = t1 - t0;
	d->paint_ms = now_ms() - t1;
}

double
wall_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
}

/* As the window has it painted: in bands, by two threads. */
struct bands {
	struct drawn *d;
	_Atomic int next;
};

static void
paint_bands(void *arg, int who)
{
	struct bands *b = arg;
	int band;

	(void)who;
	while ((band = atomic_fetch_add(&b->next, 1)) < COVER_BANDS) {
		struct canvas c = cover_band(&b->d->canvas, band);

		canvas_fill(&c, 0, 0, SIDE, SIDE, palette_dark.background);
		paint_items(&c, &b->d->scene, 0, b->d->scene.n);
	}
}

void
draw_both(struct drawn *d, const struct model *m)
{
	struct bands bands = { .d = d };

	radial_layout(m, &palette_dark, &d->view, &d->layout, &d->scene);
	both(paint_bands, &bands);
}

double
both_ms(struct drawn *d, const struct model *m)
{
	double best = 1e9, t;

	for (int i = 0; i < 20; i++) {
		d->layout.shapes.model = NULL;
		t = wall_ms();
		draw_both(d, m);
		t = wall_ms() - t;
		best = t < best ? t : best;
	}
	return (best);
}

void
floor_line(struct drawn *d)
{
	double best = 1e9, t;

	for (int i = 0; i < 9; i++) {
		t = now_ms();
		canvas_fill(&d->canvas, 0, 0, SIDE, SIDE, (uint32_t)i);
		t = now_ms() - t;
		best = t < best ? t : best;
	}
	printf("tree floor: filling %dx%d\t%.4g\tms\tquiet machine\t0.08"
	       "\t%.3g\n",
	    SIDE, SIDE, best, best / 0.08);
}

void
picture_write(struct drawn *d)
{
	if (option.picture != NULL &&
	    png_write(option.picture, &d->canvas) == -1)
		err(EX_CANTCREAT, "%s", option.picture);
}
