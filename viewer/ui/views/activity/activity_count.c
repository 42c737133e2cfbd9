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
#include "ui/views/view.h"
#include "ui/views/words.h"

#define COLUMNS  1024 /* of time, at most */
#define PAUSE    10   /* frames, while a run grows */
#define LEFT_PX  44   /* of an axis's labels */
#define BELOW_PX 18
#define TICKS    40
#define BARS_MAX 64 /* of the profile; more are put together */

/* States from below, as they lie above each other. */
static const struct {
	uint8_t class;
	const char *word;
} states[] = { { LANE_running, "running" }, { LANE_overhead, "overhead" },
	{ LANE_wait_message, "message" }, { LANE_wait_sync, "barrier, join" },
	{ LANE_wait_rpc, "remote call" }, { LANE_wait_cond, "condition" },
	{ LANE_wait_lock, "lock" }, { LANE_lost, "lost" } };
#define STATES (sizeof(states) / sizeof(states[0]))

/* How many have begun until the end of the range, and of these not ended. */
struct lives {
	uint32_t begun, alive;
};

/* Threads in a state, mean of each column. */
struct count {
	const struct model *model;
	int64_t t0, t1;
	uint64_t events;
	unsigned columns;
	uint32_t each; /* of so many threads one was looked at */
	double of[STATES][COLUMNS];
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

	return (w < 16 ? 16 : w > COLUMNS ? COLUMNS : (unsigned)w);
}

static void
fill(struct ui *ui, struct count *k)
{
	static uint64_t sum[COLUMNS * LANE_CLASSES];
	uint32_t threads = 0;

	for (uint32_t i = 0; i < model_lanes(ui->model); i++)
		threads += model_lane(ui->model, i)->kind == LANE_THREAD;
	k->each = model_overview_each(threads);
	memset(sum, 0, sizeof(sum));
	model_overview_sums(ui->model, k->t0, k->t1, k->columns, 0, k->columns,
	    sum);
	for (unsigned i = 0; i < k->columns; i++)
		for (size_t s = 0; s < STATES; s++)
			k->of[s][i] =
			    (double)sum[i * LANE_CLASSES + states[s].class] *
			    k->each / MODEL_PIXEL;
}

/* A process lives as long as one of its threads. */
static void
fill_lives(const struct ui *ui, struct count *k)
{
	uint32_t n = model_lanes(ui->model);
	uint8_t *alive = calloc((size_t)n + 1, sizeof(*alive));
	int64_t t0, t1;

	k->processes = k->threads = (struct lives){ 0, 0 };
	for (uint32_t i = 0; alive != NULL && i < n; i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (l->kind != LANE_THREAD ||
		    !model_lane_life(ui->model, i, &t0, &t1) || t0 > k->t1)
			continue;
		k->threads.begun++;
		if (l->parent < n)
			alive[l->parent] |= 1;
		if (model_lane_ended(ui->model, i, &t1) && t1 <= k->t1)
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

void
count_prepare(struct ui *ui)
{
	struct count *k = own(ui);
	unsigned columns = columns_for(ui);
	uint64_t events = model_events(ui->model);
	int64_t t0, t1;

	if (k == NULL || !figures_range(ui, &t0, &t1))
		return;
	if (k->model == ui->model && k->t0 == t0 && k->t1 == t1 &&
	    k->columns == columns && k->events == events)
		return;
	if (k->model == ui->model && run_outruns(ui) &&
	    ui->picture->frame < k->due) {
		ui->picture->undone = true;
		return;
	}
	k->model = ui->model;
	k->t0 = t0;
	k->t1 = t1;
	k->columns = columns;
	k->events = events;
	k->due = ui->picture->frame + PAUSE;
	fill(ui, k);
	fill_lives(ui, k);
}

int
count_only(struct ui *ui, const char *word)
{
	struct count *k = own(ui);
	size_t i;

	for (i = 0; i < STATES && strcmp(word, states[i].word) != 0; i++)
		;
	if (k == NULL || (word[0] != '\0' && i == STATES))
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
	return (i < STATES ? states[i].word : NULL);
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

	count_prepare(ui);
	k = own(ui);
	if (k == NULL || k->model != ui->model || k->t1 <= k->t0)
		return;
	fprintf(f, "  %s\n",
	    lives_words(&k->processes, "processes", text, sizeof(text)));
	fprintf(f, "  %s\n",
	    lives_words(&k->threads, "threads", text, sizeof(text)));
	for (size_t s = 0; s < STATES; s++) {
		double sum = 0;

		for (unsigned i = 0; i < k->columns; i++)
			sum += k->of[s][i];
		if (sum > 0 && is_shown(k, s))
			fprintf(f, "  count of %s: %s%.3f threads\n",
			    states[s].word, k->each > 1 ? "~" : "",
			    sum / k->columns);
	}
}

/* A click on it shows it alone, another one all of them. */
static void
draw_state(struct ui *ui, struct canvas *c, struct words *w,
    const struct count *k, size_t s)
{
	const struct palette *p = ui->palette;
	uint32_t rgb = p->state[states[s].class];
	int32_t x0 = w->x, y = w->baseline;

	if (!is_shown(k, s))
		rgb = palette_mix(p->background, rgb, 70);
	words_sign(ui, c, w, rgb, lane_waits(states[s].class), states[s].word);
	x0 = w->baseline == y ? x0 : w->x0;
	spot_add(ui, x0 - 3, w->baseline - 13, w->x - 8, w->baseline + 5,
	    "only-state %s", states[s].word);
}

static void
draw_legend(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct count *k)
{
	char title[96];
	struct words w;

	words_begin(&w, r);
	snprintf(title, sizeof(title), "threads in each state%s   ",
	    k->each > 1 ? ", of some that were chosen" : "");
	words_say(ui, c, &w, title);
	for (size_t s = 0; s < STATES; s++) {
		double most = 0;

		for (unsigned i = 0; i < k->columns; i++)
			most = k->of[s][i] > most ? k->of[s][i] : most;
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
}

static void
hint_count(struct ui *ui, const struct count *k, unsigned column)
{
	char *to = ui->spots.hint, at[40];
	size_t max = sizeof(ui->spots.hint);
	int64_t t =
	    k->t0 + (int64_t)((double)(k->t1 - k->t0) * column / k->columns);

	snprintf(to, max, "%s",
	    run_time(ui, t, (k->t1 - k->t0) / k->columns + 1, at, sizeof(at)));
	for (size_t s = 0; s < STATES; s++)
		if (k->of[s][column] > 0 && is_shown(k, s))
			snprintf(to + strlen(to), max - strlen(to), "\n%.1f %s",
			    k->of[s][column], states[s].word);
}

void
count_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct count *k = own(ui);
	struct axis x = { 0, 1, r->x0 + LEFT_PX, r->x1 - 4, AXIS_LINEAR,
		AXIS_NS };
	struct axis y = { 0, 1, r->y1 - BELOW_PX, r->y0 + 22, AXIS_LINEAR,
		AXIS_COUNT };
	struct series series[STATES];
	struct scene s = { 0 };
	double shown[STATES][COLUMNS];
	int32_t w = x.hi_px - x.lo_px, px = (w + COLUMNS - 1) / COLUMNS;
	unsigned n;

	if (k == NULL || k->model != ui->model || k->t1 <= k->t0 || w < 32 ||
	    y.lo_px - y.hi_px < 24)
		return;
	draw_legend(ui, c, r, k);
	n = (unsigned)(w / px);
	for (size_t i = 0; i < STATES; i++) {
		for (unsigned at = 0; at < n; at++)
			shown[i][at] =
			    is_shown(k, i)
				? k->of[i][(uint64_t)at * k->columns / n]
				: 0;
		series[i] = (struct series){ shown[i],
			ui->palette->state[states[i].class],
			lane_waits(states[i].class) };
	}
	y.hi = areas_most(series, STATES, n);
	y.hi = y.hi < 1 ? 1 : y.hi;
	axis_round_up(&y, 24);
	x.lo = (double)(k->t0 - run_origin(ui));
	x.hi = (double)(k->t1 - run_origin(ui));
	x.hi_px = x.lo_px + (int32_t)n * px;
	axes_scene(&x, &y, ui->palette, &s);
	areas_scene(&y, x.lo_px, px, n, series, STATES, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	if (hint_wanted(ui, x.lo_px, y.hi_px, x.hi_px, y.lo_px))
		hint_count(ui, k,
		    (unsigned)((uint64_t)((ui->mouse.x - x.lo_px) / px) *
			       k->columns / n));
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
