/*
 * The strip of the whole run: how much happened when, what the threads did
 * then, where something went wrong, and the window that the process-time view
 * shows.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/keep/both.h"
#include "model/sketch.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/panes/panes.h"

struct strip *
strip_new(void)
{
	return (calloc(1, sizeof(struct strip)));
}

void
strip_forget(struct strip *s)
{
	layer_free(&s->layer);
	overview_clear(&s->known);
}

void
strip_free(struct strip *s)
{
	if (s == NULL)
		return;
	strip_forget(s);
	free(s);
}

/* The whole run, a little wider than its events. */
static void
overview_span(const struct ui *ui, int64_t *t0, int64_t *t1)
{
	int64_t margin;

	*t0 = run_begin(ui);
	*t1 = run_far_end(ui);
	margin = (*t1 - *t0) / 200;
	*t0 -= margin;
	*t1 += margin;
}

int64_t
overview_time(const struct ui *ui, int32_t x)
{
	const struct rect *r = &ui->places.pane[PANE_OVERVIEW];
	int32_t w = r->x1 - r->x0;
	int64_t t0, t1;

	overview_span(ui, &t0, &t1);
	return (
	    t0 + (int64_t)((double)(t1 - t0) * (x - r->x0) / (w > 0 ? w : 1)));
}

int32_t
overview_x(const struct ui *ui, int64_t t)
{
	const struct rect *r = &ui->places.pane[PANE_OVERVIEW];
	int64_t t0, t1;
	double at;

	overview_span(ui, &t0, &t1);
	at = (double)(t - t0) / (double)(t1 - t0);
	at = at < 0 ? 0 : at > 1 ? 1 : at;
	return (r->x0 + (int32_t)(at * (r->x1 - r->x0)));
}

struct rect
overview_window(const struct ui *ui)
{
	struct rect r = ui->places.pane[PANE_OVERVIEW];

	r.x0 = overview_x(ui, ui->time.t0_mon_ns);
	r.x1 = overview_x(ui, ui->time.t1_mon_ns);
	if (r.x1 < r.x0 + 4)
		r.x1 = r.x0 + 4;
	if (r.x1 > ui->places.width) {
		r.x1 = ui->places.width;
		r.x0 = r.x0 > r.x1 - 4 ? r.x1 - 4 : r.x0;
	}
	return (r);
}

#define OVERVIEW_FRAMES   6  /* between two drawings while it grows */
#define OVERVIEW_AT_ONCE  64 /* buckets a frame */
#define PARTS             8  /* that two threads share */
#define OVERVIEW_FLOOR_PX 3  /* where something ran, but nothing was told */
#define OVERVIEW_BLUR_PX  3  /* three times: about a bell of this half-width */

#define OVERVIEW_LATER 10000000 /* events: colours may wait for a frame */

/* Mean of each value and r on either side; ends count as often as needed. */
static void
blur(const float *in, float *out, int32_t n, int32_t r)
{
	double sum = (double)in[0] * (r + 1);

	for (int32_t i = 0; i < r; i++)
		sum += in[i < n ? i : n - 1];
	for (int32_t i = 0; i < n; i++) {
		sum += in[i + r < n ? i + r : n - 1];
		out[i] = (float)(sum / (2 * r + 1));
		sum -= in[i > r ? i - r : 0];
	}
}

/* Root of the events of each pixel and its neighbours: 0 to 1. */
static void
overview_heights(const uint32_t *density, float *v, float *tmp, int32_t n)
{
	float most = 0;

	for (int32_t x = 0; x < n; x++)
		v[x] = (float)density[x];
	blur(v, tmp, n, OVERVIEW_BLUR_PX);
	blur(tmp, v, n, OVERVIEW_BLUR_PX);
	blur(v, tmp, n, OVERVIEW_BLUR_PX);
	for (int32_t x = 0; x < n; x++) {
		v[x] = sqrtf(tmp[x] > 0 ? tmp[x] : 0);
		most = v[x] > most ? v[x] : most;
	}
	for (int32_t x = 0; most > 0 && x < n; x++)
		v[x] /= most;
}

/* One pixel, tall px high: waits at the bottom, work above. */
static void
overview_column(const struct ui *ui, struct canvas *c, const uint8_t *s,
    int32_t x, int32_t tall, int32_t h, bool faint)
{
	uint32_t sum = 0, at = 0, rgb;

	for (int k = 1; k < LANE_CLASSES; k++)
		sum += s[k];
	if (sum > 0 && tall < OVERVIEW_FLOOR_PX)
		tall = OVERVIEW_FLOOR_PX;
	if (sum == 0) {
		canvas_fill(c, x, h - tall, x + 1, h, ui->palette->faint);
		return;
	}
	for (int k = LANE_CLASSES - 1; k > 0; k--) {
		uint32_t next = at + s[k];

		rgb = ui->palette->state[k];
		if (faint)
			rgb = palette_faint(ui->palette, rgb);
		if (s[k] != 0)
			canvas_fill(c, x,
			    h - (int32_t)(next * (uint32_t)tall / sum), x + 1,
			    h - (int32_t)(at * (uint32_t)tall / sum), rgb);
		at = next;
	}
}

/* Pixel in which an instant is, of w. */
static int32_t
pixel_of(int64_t t, int64_t t0, int64_t t1, int32_t w)
{
	double x = ((double)t - (double)t0) / (double)(t1 - t0) * w;

	return (x < 0 ? 0 : x > w ? w : (int32_t)x);
}

/*
 * What has not been read yet: events, and from the returned pixel on, up to
 * which it has been added up, shares by the classes of these.
 */
static int32_t
overview_sketch(struct ui *ui, int32_t w, int64_t t0, int64_t t1,
    uint32_t *density, uint8_t *share)
{
	int32_t from = pixel_of(overview_end(&ui->strip->known), t0, t1, w);
	int32_t unread = pixel_of(run_end(ui), t0, t1, w) + 1;
	double each = (double)(t1 - t0) / w;
	int64_t t = t0 + (int64_t)(each * from);
	unsigned n = (unsigned)(w - from);
	float *sum;

	if (ui->sketch == NULL || !run_grows(ui) || from >= w)
		return (w);
	sum = calloc(SKETCH_SUMS(n), sizeof(*sum));
	if (sum == NULL)
		return (w);
	if (unread < w)
		sketch_density(ui->sketch, t0 + (int64_t)(each * unread), t1,
		    (unsigned)(w - unread), density + unread);
	sketch_spread(ui->sketch, SKETCH_ALL, t, t1, n, sum);
	sketch_sums(n, 1, sum);
	share += (size_t)from * LANE_CLASSES;
	for (size_t i = 0; i < (size_t)n * LANE_CLASSES; i++)
		share[i] = (uint8_t)(sum[i] * 255 + .5f);
	free(sum);
	return (from);
}

/* Somewhere there something was lost, or is in doubt. */
static void
overview_sketch_alerts(const struct ui *ui, struct canvas *c, int32_t from,
    int32_t w, int64_t t0, int64_t t1)
{
	uint8_t *alert = from < w ? calloc((size_t)(w - from), 1) : NULL;

	if (alert == NULL)
		return;
	t0 += (int64_t)((double)(t1 - t0) * from / w);
	sketch_alerts(ui->sketch, SKETCH_ALL, t0, t1, (unsigned)(w - from),
	    alert);
	for (int32_t x = from; x < w; x++)
		if (alert[x - from])
			canvas_fill(c, x, 0, x + 1, 2, ui->palette->warn);
	free(alert);
}

/* Loss and doubt: a tick each, however long the run is. */
static void
overview_alerts(const struct ui *ui, struct canvas *c, int32_t w, int32_t h,
    int64_t t0, int64_t t1)
{
	uint8_t *worst = calloc((size_t)w, 1);

	if (worst == NULL)
		return;
	timeline_alert_pixels(ui->model, t0, t1, (uint32_t)w, worst);
	for (int32_t x = 0; x < w; x++)
		if (worst[x] != 0)
			canvas_fill(c, x, 0, x + 2, h / 4,
			    worst[x] == 2 ? ui->palette->error
					  : ui->palette->warn);
	free(worst);
}

/* Of a run that stands still: exactly, by two threads if there are. */
struct shares {
	const struct model *model;
	int64_t t0, t1;
	unsigned n;
	uint8_t *share;
	_Atomic unsigned taken; /* of PARTS */
};

static void
shares_job(void *arg, int who)
{
	struct shares *s = arg;
	unsigned part;

	(void)who;
	while ((part = atomic_fetch_add(&s->taken, 1)) < PARTS)
		model_overview(s->model, s->t0, s->t1, s->n,
		    s->n * part / PARTS, s->n * (part + 1) / PARTS, s->share);
}

/*
 * Height: events, by the root, with the neighbours' so that single ones make
 * no comb; colours: shares of the classes.
 */
static void
overview_bars(struct ui *ui, struct canvas *c, int32_t w, int32_t h,
    bool coloured)
{
	uint8_t *share = calloc((size_t)w, LANE_CLASSES);
	uint32_t *density = calloc((size_t)w, sizeof(*density));
	float *tall = calloc((size_t)w * 2, sizeof(*tall));
	int64_t t0, t1;
	int32_t sketched;

	canvas_fill(c, 0, 0, w, h, ui->palette->background);
	if (share == NULL || density == NULL || tall == NULL || w == 0)
		goto out;
	overview_span(ui, &t0, &t1);
	model_density(ui->model, t0, t1, (unsigned)w, density);
	if (run_grows(ui))
		overview_shares(&ui->strip->known, t0, t1, (unsigned)w, share);
	else if (coloured)
		both(shares_job, &(struct shares){ .model = ui->model,
				     .t0 = t0,
				     .t1 = t1,
				     .n = (unsigned)w,
				     .share = share });
	sketched = overview_sketch(ui, w, t0, t1, density, share);
	overview_heights(density, tall, tall + w, w);
	/* what was evened out over the ends is not of the run */
	for (int32_t x = pixel_of(run_begin(ui), t0, t1, w) - 1; x >= 0; x--)
		tall[x] = 0;
	for (int32_t x = pixel_of(run_far_end(ui), t0, t1, w) + 1; x < w; x++)
		tall[x] = 0;
	for (int32_t x = 0; x < w; x++)
		overview_column(ui, c, share + x * LANE_CLASSES, x,
		    (int32_t)(tall[x] * (float)(h - 6) + 0.5f), h,
		    x >= sketched);
	overview_sketch_alerts(ui, c, sketched, w, t0, t1);
	overview_alerts(ui, c, w, h, t0, t1);
out:
	free(share);
	free(density);
	free(tall);
}

/* The ten highest bits. */
static uint64_t
coarse(uint64_t v)
{
	unsigned low = v >> 10 == 0 ? 0 : 54 - (unsigned)__builtin_clzll(v);

	return (v >> low << low);
}

bool
overview_prepare(struct ui *ui)
{
	const struct rect *r = &ui->places.pane[PANE_OVERVIEW];
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0;
	struct layer *l = &ui->strip->layer;
	struct canvas layer;
	struct {
		uint64_t events;
		int64_t t0, t1;
		const void *palette, *model;
		uint64_t coloured, rest;
	} key = { model_events(ui->model), run_begin(ui), run_far_end(ui),
		ui->palette, ui->model, 1, 0 };
	bool rests = false;

	/* the very first picture of a long run is there sooner without */
	if (l->px == NULL && ui->picture->stop_cb != NULL && !run_grows(ui) &&
	    key.events > OVERVIEW_LATER) {
		key.coloured = 0;
		ui->picture->undone = true;
	}

	/* while it grows: again when it would look another way by a pixel,
	 * but not in each frame */
	if (run_grows(ui)) {
		if (!picture_hasty(ui->picture)) {
			rests = overview_grow(&ui->strip->known, ui->model,
				    OVERVIEW_AT_ONCE) &&
				ui->strip->events == key.events;
			ui->strip->events = key.events;
			ui->picture->undone |= !rests;
		}
		if (l->px != NULL && l->width == w && l->height == h &&
		    (picture_hasty(ui->picture) ||
			ui->picture->frame < ui->strip->due)) {
			ui->picture->undone |=
			    key.events != l->version || !ui->strip->rested;
			return (true);
		}
		/* nothing comes any more: to the last pixel */
		if (rests)
			key.rest = key.events;
		key.events = coarse(key.events);
		key.t1 = (int64_t)coarse((uint64_t)(key.t1 - key.t0));
	}
	if (draw_stopped(ui))
		return (false);
	l->version = model_events(ui->model);
	if (!layer_begin(l, w, h, &key, sizeof(key), &layer))
		return (true);
	overview_bars(ui, &layer, w, h, key.coloured != 0);
	layer_end(l);
	ui->strip->rested = key.rest != 0;
	ui->strip->due = ui->picture->frame + OVERVIEW_FRAMES;
	return (true);
}

/* The instant under the pointer, and how much happened in its pixel. */
static void
hint_instant(struct ui *ui)
{
	int64_t t0 = overview_time(ui, ui->mouse.x);
	int64_t t1 = overview_time(ui, ui->mouse.x + 1);
	bool unread = ui->sketch != NULL && t1 > t0 && t0 > run_end(ui);
	char when[40], count[32];
	uint32_t n = 0;

	if (t1 > t0)
		model_density(ui->model, t0, t1, 1, &n);
	if (unread)
		sketch_density(ui->sketch, t0, t1, 1, &n);
	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%s\n%s%s events in this pixel%s",
	    run_time(ui, t0, t1 - t0, when, sizeof(when)),
	    unread ? "about " : "", format_count(count, sizeof(count), n),
	    unread ? ", not read yet" : "");
}

void
overview_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->places.pane[PANE_OVERVIEW];
	struct rect win = overview_window(ui);

	layer_show(&ui->strip->layer, c, r->x0, r->y0);
	canvas_blend(c, r->x0, r->y0, win.x0, r->y1, p->background, 150);
	canvas_blend(c, win.x1, r->y0, r->x1, r->y1, p->background, 150);
	if (ui->time.sel0_mon_ns < ui->time.sel1_mon_ns)
		canvas_blend(c, overview_x(ui, ui->time.sel0_mon_ns), r->y0,
		    overview_x(ui, ui->time.sel1_mon_ns) + 1, r->y1, p->accent,
		    60);
	if (ui->play.head_mon_ns != INT64_MAX) {
		int32_t x = overview_x(ui, ui->play.head_mon_ns);

		canvas_fill(c, x, r->y0, x + 1, r->y1, p->text);
	}
	marker_overview(ui, c);
	notes_overview(ui, c);
	draw_frame(c, &win, p->accent);
	if (hint_wanted(ui, r->x0, r->y0, r->x1, r->y1))
		hint_instant(ui);
	for (int i = 0; i < 2; i++) {
		int32_t x = i == 0 ? win.x0 : win.x1 - 1;

		canvas_fill(c, x - 2, (r->y0 + r->y1) / 2 - 8, x + 3,
		    (r->y0 + r->y1) / 2 + 8, p->accent);
	}
}
