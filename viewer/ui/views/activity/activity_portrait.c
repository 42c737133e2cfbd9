/*
 * Phase portrait: each of 64 equal parts of the range is a point, how many
 * bytes were in flight to the right, and what share of the threads ran upwards.
 * A line goes from point to point as time does.  A program that computes and
 * then exchanges goes in circles; one that waits for its messages stays below.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/curve.h"
#include "layout/chart/shades.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/flows.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define POINTS    RUNNING_COLUMNS
#define LEFT_PX   48 /* of an axis's labels */
#define BELOW_PX  18
#define DOT_PX    3
#define NEAR_PX   7 /* of a point, for the pointer */
#define BYTES_MAX 1e18

struct point {
	double bytes, percent;
	bool there; /* some thread lived in it */
};

struct portrait {
	int64_t t0, t1;
	struct point of[POINTS];
};

/*
 * Both are added up apart: while the range moves along, the one is of a little
 * earlier than the other.  By so many parts of it that is not to be seen.
 */
#define APART 4

static bool
is_of_one(const struct running *r, const struct flow *f, bool exactly)
{
	int64_t most = exactly ? 0 : (r->t1 - r->t0) * APART / POINTS;

	return (llabs(r->t0 - f->t0) <= most && llabs(r->t1 - f->t1) <= most);
}

static bool
portrait_of(struct ui *ui, struct portrait *k, bool exactly)
{
	const struct running *r = activity_running(ui);
	const struct flow *f = flow_shown(ui);
	unsigned each = FLOW_COLUMNS / POINTS;

	if (!running_known(r) || !flow_known(f) || r->model != ui->model ||
	    f->model != ui->model || !is_of_one(r, f, exactly))
		return (false);
	memset(k, 0, sizeof(*k));
	k->t0 = r->t0;
	k->t1 = r->t1;
	for (unsigned i = 0; i < POINTS; i++) {
		struct point *p = &k->of[i];

		for (unsigned n = 0; n < each; n++)
			p->bytes += f->load.v[i * each + n] / each;
		/* sums of numbers that a program says, and what they leave */
		p->bytes = p->bytes > 0 ? fmin(p->bytes, BYTES_MAX) : 0;
		p->there = r->lived.v[i] > 0;
		if (p->there)
			p->percent = 100 * r->ran.v[i] / r->lived.v[i];
	}
	return (true);
}

/* Where the i-th part begins. */
static int64_t
begin_of(const struct portrait *k, unsigned i)
{
	return (k->t0 + (int64_t)((double)(k->t1 - k->t0) * i / POINTS));
}

/* Later is what there is more of. */
static uint32_t
rgb_of(const struct ui *ui, unsigned i)
{
	static const struct shades s = { 0, 1, false };

	return (shades_rgb(&s, ui->palette, 0.25 + 0.75 * i / POINTS));
}

/* The part that the instant is in; POINTS: it is in none. */
static unsigned
point_now(const struct ui *ui, const struct portrait *k)
{
	const char *what;
	int64_t t = run_instant(ui, &what);
	double part = (double)(t - k->t0) / (double)(k->t1 - k->t0);

	if (t < k->t0 || t > k->t1)
		return (POINTS);
	return (part < 1 ? (unsigned)(part * POINTS) : POINTS - 1);
}

static void
hint_point(struct ui *ui, const struct portrait *k, unsigned i)
{
	char at[40], size[32];

	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%s\n%.1f %% of the threads ran\n%s in flight",
	    run_time(ui, begin_of(k, i), (k->t1 - k->t0) / POINTS + 1, at,
		sizeof(at)),
	    k->of[i].percent,
	    format_bytes(size, sizeof(size), (uint64_t)(k->of[i].bytes + 0.5)));
}

static void
place_of(const struct point *p, const struct axis *x, const struct axis *y,
    int32_t *xq, int32_t *yq)
{
	*xq = axis_at_q(x, p->bytes);
	*yq = axis_at_q(y, p->percent);
}

/* A click on a point goes to its time. */
static void
point_spot(struct ui *ui, const struct portrait *k, unsigned i, int32_t x,
    int32_t y)
{
	int32_t x0 = x - NEAR_PX, y0 = y - NEAR_PX;
	int64_t t = begin_of(k, i) + (k->t1 - k->t0) / POINTS / 2;

	spot_add(ui, x0, y0, x + NEAR_PX, y + NEAR_PX, "cursor %" PRId64 "ns",
	    t - run_origin(ui));
	if (hint_wanted(ui, x0, y0, x + NEAR_PX, y + NEAR_PX))
		hint_point(ui, k, i);
}

static void
draw_way(struct ui *ui, struct canvas *c, const struct portrait *k,
    const struct axis *x, const struct axis *y)
{
	int32_t q = SCENE_ONE, xq, yq, last_x = 0, last_y = 0;
	unsigned now = point_now(ui, k);
	struct scene s = { 0 };
	bool begun = false;

	axes_scene(x, y, ui->palette, &s);
	for (unsigned i = 0; i < POINTS; i++) {
		if (k->of[i].there) {
			place_of(&k->of[i], x, y, &xq, &yq);
			if (begun)
				scene_line(&s, last_x, last_y, xq, yq, q,
				    rgb_of(ui, i));
			last_x = xq;
			last_y = yq;
		}
		begun = k->of[i].there;
	}
	for (unsigned i = 0; i < POINTS; i++) {
		if (!k->of[i].there)
			continue;
		place_of(&k->of[i], x, y, &xq, &yq);
		scene_mark(&s, ITEM_DOT, xq, yq, DOT_PX * q, rgb_of(ui, i));
		if (i == now)
			scene_mark(&s, ITEM_CIRCLE, xq, yq, (DOT_PX + 3) * q,
			    ui->palette->accent);
		point_spot(ui, k, i, xq / q, yq / q);
	}
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
}

static void
draw_legend(struct ui *ui, struct canvas *c, struct words *w)
{
	words_say(ui, c, w,
	    "share of the threads that ran, over bytes in flight:   ");
	words_sign(ui, c, w, rgb_of(ui, 0), false, "first");
	words_sign(ui, c, w, rgb_of(ui, POINTS - 1), false, "last");
	words_sign(ui, c, w, ui->palette->accent, false, "the instant");
}

void
portrait_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct axis x = { 0, 1, r->x0 + LEFT_PX, r->x1 - 40, AXIS_LINEAR,
		AXIS_BYTES };
	struct axis y = { 0, 100, r->y1 - BELOW_PX, 0, AXIS_LINEAR,
		AXIS_PERCENT };
	struct portrait k;
	struct words w;

	words_begin(&w, r);
	draw_legend(ui, c, &w);
	y.hi_px = words_end(&w) + 8;
	if (!portrait_of(ui, &k, false)) {
		draw_text(c, FONT_SMALL, r->x0, y.hi_px + 12, ui->palette->dim,
		    "%s",
		    ui->figures.asked[ASKED_RUNNING].busy || flow_busy(ui)
			? "adding up ..."
			: "nothing in this time, or single states and messages "
			  "were given up: zoom in");
		return;
	}
	if (x.hi_px - x.lo_px < 64 || y.lo_px - y.hi_px < 24)
		return;
	for (unsigned i = 0; i < POINTS; i++)
		x.hi = k.of[i].bytes > x.hi ? k.of[i].bytes : x.hi;
	axis_round_up(&x, 60);
	draw_way(ui, c, &k, &x, &y);
}

void
portrait_describe(struct ui *ui, FILE *f)
{
	struct portrait k;

	if (ui->chosen.talk.activity != ACTIVITY_PORTRAIT)
		return;
	if (!flow_current(ui) || !portrait_of(ui, &k, true)) {
		fprintf(f, "portrait: %s\n",
		    flow_current(ui) ? "not known" : "adding up");
		return;
	}
	fprintf(f, "portrait: %d parts of %" PRId64 " ns\n", POINTS,
	    k.t1 - k.t0);
	for (unsigned i = 0; i < POINTS; i++)
		if (k.of[i].there)
			fprintf(f,
			    "  part %u: %.6g %% of the threads ran, %.6g bytes "
			    "in flight\n",
			    i + 1, k.of[i].percent, k.of[i].bytes);
}
