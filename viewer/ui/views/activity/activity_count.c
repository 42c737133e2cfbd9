/*
 * How many threads were in which state over time, and how much of the time
 * exactly k of them ran.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "layout/chart/curve.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/activity/counted.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define PAUSE       10 /* frames, while a run grows */
#define PARTS_FRAME 4
#define LEFT_PX     44 /* of an axis's labels */
#define BELOW_PX    18
#define TICKS       40
#define BARS_MAX    64 /* of the profile; more are put together */

/* How many have begun until the end of the range, and of these not ended. */
struct lives {
	uint32_t begun, alive;
};

struct count {
	struct counted counted;
	uint64_t due;
	size_t only; /* one state is shown alone, from 1 on; 0: all are */
	struct lives processes, threads;
};

static struct count *
own(struct ui *ui)
{
	return (view_own(ui, VIEW_ACTIVITY, sizeof(struct count)));
}

/* So many columns as it is wide, of two pixels. */
static unsigned
columns_for(const struct ui *ui)
{
	int32_t w = ui->places.width / 2;

	return (w < 16 ? 16 : w > COUNT_COLUMNS ? COUNT_COLUMNS : (unsigned)w);
}

/* A process lives as long as one of its threads. */
static void
fill_lives(const struct ui *ui, struct count *k)
{
	int64_t until = k->counted.of.t1;
	uint32_t n = model_lanes(ui->model);
	uint8_t *alive = calloc((size_t)n + 1, sizeof(*alive));
	int64_t t0, t1;

	k->processes = k->threads = (struct lives){ 0, 0 };
	for (uint32_t i = 0; alive != NULL && i < n; i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (l->kind != LANE_THREAD ||
		    !model_lane_life(ui->model, i, &t0, &t1) || t0 > until)
			continue;
		k->threads.begun++;
		if (l->parent < n)
			alive[l->parent] |= 1;
		if (model_lane_ended(ui->model, i, &t1) && t1 <= until)
			continue;
		k->threads.alive++;
		if (l->parent < n)
			alive[l->parent] |= 2;
	}
	for (uint32_t i = 0; alive != NULL && i < n; i++) {
		k->processes.begun += alive[i] != 0;
		k->processes.alive += alive[i] > 1;
	}
	free(alive);
}

/*
 * What was begun is of no use any more.  Where the range moves with a run what
 * was begun is ended first.
 */
static bool
is_other(const struct counted_of *a, const struct counted_of *b, bool moves,
    bool grows)
{
	return (a->model != b->model || a->columns != b->columns ||
		(!moves && (a->t0 != b->t0 || a->t1 != b->t1)) ||
		(!grows && a->events != b->events));
}

/* Some of it, or all; false: the rest follows in the next frames. */
static bool
count_some(struct ui *ui, bool all)
{
	struct counted_of of = { .model = ui->model,
		.events = model_events(ui->model),
		.columns = columns_for(ui) };
	bool grows = run_grows(ui), coarse = false, whole = false;
	bool moves = grows && (ui->play.follow || ui->play.fit);
	struct count *k = own(ui);
	struct counted *c;

	if (k == NULL || !figures_range(ui, &of.t0, &of.t1))
		return (true);
	c = &k->counted;
	if (counted_is(c, &of))
		return (true);
	if (c->of.model == ui->model && run_outruns(ui) && !c->busy && !all &&
	    ui->picture->frame < k->due)
		return (false);
	if (all || !c->busy || is_other(&c->next, &of, moves, grows)) {
		coarse = !all && is_other(&c->of, &of, moves, grows);
		counted_begin(c, &of, coarse);
	}
	for (int i = 0; !coarse && !whole && (all || i < PARTS_FRAME); i++) {
		whole = counted_step(c);
		if (!all && draw_late(ui))
			break;
	}
	fill_lives(ui, k);
	if (whole)
		k->due = ui->picture->frame + PAUSE;
	return (whole && counted_is(c, &of));
}

void
count_prepare(struct ui *ui)
{
	if (!count_some(ui, ui->picture->stop_cb == NULL))
		ui->picture->undone = true;
}

int
count_only(struct ui *ui, const char *word)
{
	struct count *k = own(ui);
	size_t i;

	for (i = 0; i < COUNT_STATES && strcmp(word, count_rows[i].word) != 0;
	     i++)
		;
	if (k == NULL || (word[0] != '\0' && i == COUNT_STATES))
		return (-1);
	k->only = word[0] == '\0' || k->only == i + 1 ? 0 : i + 1;
	ui->chosen.talk.activity = ACTIVITY_COUNT;
	picture_changed(ui->picture);
	return (0);
}

const char *
count_state(const struct ui *ui, unsigned i)
{
	(void)ui;
	return (i < COUNT_STATES ? count_rows[i].word : NULL);
}

static bool
is_shown(const struct count *k, size_t state)
{
	return (k->only == 0 || k->only == state + 1);
}

static char *
lives_words(const struct lives *l, const char *what, char *buf, size_t n)
{
	snprintf(buf, n,
	    "%s: %" PRIu32 " begun, %" PRIu32 " ended, %" PRIu32 " alive", what,
	    l->begun, l->begun - l->alive, l->alive);
	return (buf);
}

void
count_describe(struct ui *ui, FILE *f)
{
	const struct count *k;
	char text[96];

	count_some(ui, true);
	k = own(ui);
	if (k == NULL || k->counted.of.model != ui->model ||
	    k->counted.of.t1 <= k->counted.of.t0)
		return;
	fprintf(f, "  %s\n",
	    lives_words(&k->processes, "processes", text, sizeof(text)));
	fprintf(f, "  %s\n",
	    lives_words(&k->threads, "threads", text, sizeof(text)));
	for (size_t s = 0; s < COUNT_STATES; s++) {
		double sum = 0;

		for (unsigned i = 0; i < k->counted.columns; i++)
			sum += k->counted.mean[s][i];
		if (sum > 0 && is_shown(k, s))
			fprintf(f, "  count of %s: %s%.3f threads\n",
			    count_rows[s].word, k->counted.each > 1 ? "~" : "",
			    sum / k->counted.columns);
	}
}

/* A click on it shows it alone, another one all of them. */
static void
draw_state(struct ui *ui, struct canvas *c, struct words *w,
    const struct count *k, size_t s)
{
	const struct palette *p = ui->palette;
	uint32_t rgb = p->state[count_rows[s].class];
	int32_t x0 = w->x, y = w->baseline;

	if (!is_shown(k, s))
		rgb = palette_mix(p->background, rgb, 70);
	words_sign(ui, c, w, rgb, lane_waits(count_rows[s].class),
	    count_rows[s].word);
	x0 = w->baseline == y ? x0 : w->x0;
	spot_add(ui, x0 - 3, w->baseline - 13, w->x - 8, w->baseline + 5,
	    "only-state %s", count_rows[s].word);
}

/* Returns the px below it. */
static int32_t
draw_legend(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct count *k)
{
	char title[96];
	struct words w;

	words_begin(&w, r);
	snprintf(title, sizeof(title), "threads in each state%s   ",
	    k->counted.each > 1 ? ", of some that were chosen" : "");
	words_say(ui, c, &w, title);
	for (size_t s = 0; s < COUNT_STATES; s++) {
		double most = 0;

		for (unsigned i = 0; i < k->counted.columns; i++)
			most = k->counted.mean[s][i] > most
				   ? k->counted.mean[s][i]
				   : most;
		if (most > 0)
			draw_state(ui, c, &w, k, s);
	}
	/* where there is room on the line */
	for (int i = 0; i < 2; i++) {
		lives_words(i == 0 ? &k->threads : &k->processes,
		    i == 0 ? "threads" : "processes", title, sizeof(title));
		if (w.x + 20 + text_width(FONT_SMALL, title, strlen(title)) >
		    w.x1)
			break;
		w.x += 10;
		words_say(ui, c, &w, title);
	}
	return (words_end(&w));
}

static void
hint_count(struct ui *ui, const struct count *k, unsigned column)
{
	char *to = ui->spots.hint, at[40];
	size_t max = sizeof(ui->spots.hint);
	int64_t t = k->counted.of.t0 +
		    (int64_t)((double)(k->counted.of.t1 - k->counted.of.t0) *
			      column / k->counted.columns);

	snprintf(to, max, "%s",
	    run_time(ui, t,
		(k->counted.of.t1 - k->counted.of.t0) / k->counted.columns + 1,
		at, sizeof(at)));
	for (size_t s = 0; s < COUNT_STATES; s++)
		if (k->counted.mean[s][column] > 0 && is_shown(k, s))
			snprintf(to + strlen(to), max - strlen(to), "\n%.1f %s",
			    k->counted.mean[s][column], count_rows[s].word);
}

void
count_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct count *k = own(ui);
	struct axis x = { 0, 1, r->x0 + LEFT_PX, r->x1 - 4, AXIS_LINEAR,
		AXIS_NS };
	struct axis y = { 0, 1, r->y1 - BELOW_PX, r->y0 + 22, AXIS_LINEAR,
		AXIS_COUNT };
	struct series series[COUNT_STATES];
	struct scene s = { 0 };
	double shown[COUNT_STATES][COUNT_COLUMNS];
	int32_t w = x.hi_px - x.lo_px,
		px = (w + COUNT_COLUMNS - 1) / COUNT_COLUMNS;
	unsigned n;

	if (k == NULL || k->counted.of.model != ui->model ||
	    k->counted.of.t1 <= k->counted.of.t0 || w < 32 ||
	    y.lo_px - y.hi_px < 24)
		return;
	y.hi_px = draw_legend(ui, c, r, k) + 2;
	n = (unsigned)(w / px);
	for (size_t i = 0; i < COUNT_STATES; i++) {
		for (unsigned at = 0; at < n; at++)
			shown[i][at] =
			    is_shown(k, i)
				? k->counted.mean[i][(uint64_t)at *
						     k->counted.columns / n]
				: 0;
		series[i] = (struct series){ shown[i],
			ui->palette->state[count_rows[i].class],
			lane_waits(count_rows[i].class) };
	}
	y.hi = areas_most(series, COUNT_STATES, n);
	y.hi = y.hi < 1 ? 1 : y.hi;
	axis_round_up(&y, 24);
	x.lo = (double)(k->counted.of.t0 - run_origin(ui));
	x.hi = (double)(k->counted.of.t1 - run_origin(ui));
	x.hi_px = x.lo_px + (int32_t)n * px;
	axes_scene(&x, &y, ui->palette, &s);
	areas_scene(&y, x.lo_px, px, n, series, COUNT_STATES, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	if (hint_wanted(ui, x.lo_px, y.hi_px, x.hi_px, y.lo_px))
		hint_count(ui, k,
		    (unsigned)((uint64_t)((ui->mouse.x - x.lo_px) / px) *
			       k->counted.columns / n));
}

/* --- how much of the time exactly k of them ran --- */

/* Bars of `each` numbers of threads put together; returns how many. */
static unsigned
put_together(const struct running *r, uint32_t each, double *share)
{
	unsigned n = 0;

	for (uint32_t k = 0; k <= r->threads; k++) {
		if (k % each == 0)
			share[n++] = 0;
		share[n - 1] +=
		    100.0 * (double)r->by_k[k] / (double)(r->t1 - r->t0);
	}
	while (n > 2 && share[n - 1] <= 0)
		n--;
	return (n);
}

static double
mean_of(const struct running *r)
{
	double sum = 0;

	for (uint32_t k = 1; k <= r->threads; k++)
		sum += k * (double)r->by_k[k];
	return (sum / (double)(r->t1 - r->t0));
}

static void
hint_bar(struct ui *ui, const struct running *r, uint32_t each, unsigned i)
{
	uint32_t last = (i + 1) * each - 1;
	int64_t ns = 0;
	char span[32];

	last = last > r->threads ? r->threads : last;
	for (uint32_t k = i * each; k <= last; k++)
		ns += r->by_k[k];
	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%" PRIu32 "%s%.0" PRIu32 " threads ran\n%s, %.1f %%", i * each,
	    each > 1 ? " to " : "", each > 1 ? last : 0,
	    format_span(span, sizeof(span), ns),
	    100.0 * (double)ns / (double)(r->t1 - r->t0));
}

static void
draw_bars(struct ui *ui, struct canvas *c, const struct axis *x,
    const struct axis *y, const struct running *r, const double *share,
    unsigned n, uint32_t each)
{
	const struct palette *p = ui->palette;
	int32_t w = n == 0 ? 0 : (x->hi_px - x->lo_px) / (int32_t)n;

	for (unsigned i = 0; i < n; i++) {
		int32_t at = x->lo_px + (int32_t)i * w;
		int32_t top = axis_at_q(y, share[i]) / SCENE_ONE;

		top = share[i] > 0 && top == y->lo_px ? top - 1 : top;
		canvas_fill(c, at, top, at + w - (w > 3), y->lo_px,
		    p->state[LANE_running]);
		if (i % (w < 24 ? 5 : 1) == 0)
			draw_centre(c, FONT_SMALL, at + w / 2, y->lo_px + 13,
			    p->dim, "%" PRIu32, i * each);
		if (hint_wanted(ui, at, y->hi_px, at + w, y->lo_px))
			hint_bar(ui, r, each, i);
	}
}

static void
draw_mean(struct ui *ui, struct canvas *c, const struct axis *x,
    const struct axis *y, const struct running *r, unsigned n, uint32_t each)
{
	double mean = mean_of(r);
	int32_t w = n == 0 ? 0 : (x->hi_px - x->lo_px) / (int32_t)n;
	int32_t at = x->lo_px + (int32_t)((mean / each + 0.5) * w);

	for (int32_t k = y->hi_px; k < y->lo_px; k += 6)
		canvas_fill(c, at, k, at + 1, k + 3, ui->palette->text);
	draw_text(c, FONT_SMALL, at + 4, y->hi_px + 8, ui->palette->text,
	    "mean %.2f", mean);
}

void
profile_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct running *k = activity_running(ui);
	struct axis x = { 0, 1, r->x0 + LEFT_PX, r->x1 - 4, AXIS_LINEAR,
		AXIS_COUNT };
	struct axis y = { 0, 1, r->y1 - BELOW_PX, r->y0 + 26, AXIS_LINEAR,
		AXIS_PERCENT };
	uint32_t each = k->threads / BARS_MAX + 1;
	double share[BARS_MAX + 2];
	struct tick t[TICKS];
	size_t ticks;
	unsigned n;

	draw_text(c, FONT_SMALL, r->x0, r->y0 + 12, ui->palette->dim,
	    "concurrency: share of the time at k running threads");
	if (!running_known(k) || k->model != ui->model ||
	    x.hi_px - x.lo_px < 64 || y.lo_px - y.hi_px < 24) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 30, ui->palette->dim,
		    "%s",
		    ui->figures.asked[ASKED_RUNNING].busy ? "adding up ..."
		    : k->gone ? "single states were given up: zoom in"
			      : "");
		return;
	}
	n = put_together(k, each, share);
	for (unsigned i = 0; i < n; i++)
		y.hi = share[i] > y.hi ? share[i] : y.hi;
	axis_round_up(&y, 24);
	ticks = axis_ticks(&y, 24, t, TICKS);
	for (size_t i = 0; i < ticks; i++) {
		int32_t at = t[i].at_q / SCENE_ONE;

		canvas_fill(c, x.lo_px, at, x.hi_px, at + 1, ui->palette->grid);
		draw_right(c, FONT_SMALL, x.lo_px - 6, at + 4, ui->palette->dim,
		    "%s", t[i].label);
	}
	draw_bars(ui, c, &x, &y, k, share, n, each);
	draw_mean(ui, c, &x, &y, k, n, each);
}
