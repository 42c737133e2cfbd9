/*
 * The top of the window: how the run is doing, with every doubt in sight
 * (loss, lag, clock error), and the strip of the whole run with the window
 * that the process-time view shows.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clockmap.h"
#include "ui/draw.h"

struct badge {
	const char *text;
	uint32_t rgb;
};

static struct badge
badge_of(const struct ui *ui)
{
	const struct palette *p = ui->palette;
	const struct feed_status *f = &ui->feed;

	if (ui->paused)
		return ((struct badge){ "PAUSED", p->warn });
	if (ui->playing)
		return ((struct badge){ "REPLAY", p->accent });
	if (f->live && !f->connected && !f->finished)
		return ((struct badge){ "WAITING", p->error });
	if (f->finished || model_finished(ui->model))
		return ((struct badge){ "FINISHED", p->accent });
	if (f->live && f->state == 3)
		return ((struct badge){ "DISK FULL", p->error });
	if (f->reading)
		return ((struct badge){ "READING", p->accent });
	return ((struct badge){ "LIVE", p->state[LANE_running] });
}

static void
draw_omnibox(struct ui *ui, struct canvas *c, int32_t x0, int32_t x1)
{
	const struct palette *p = ui->palette;
	struct rect r = { x0, 7, x1, 28 };

	canvas_fill(c, r.x0, r.y0, r.x1, r.y1, p->background);
	spot_add(ui, r.x0, r.y0, r.x1, r.y1, "prompt /");
	if (ui->prompt != 0) {
		int32_t x;

		draw_frame(c, &r, p->accent);
		x = draw_text(c, FONT_NORMAL, x0 + 10, 22, p->accent, "%c",
		    ui->prompt);
		x = draw_text(c, FONT_NORMAL, x + 6, 22, p->text, "%s",
		    ui->typed);
		canvas_fill(c, x + 1, 11, x + 2, 25, p->accent);
	} else if (ui->message[0] != '\0') {
		draw_cut(c, FONT_NORMAL, x0 + 10, 22, x1 - x0 - 20, p->text,
		    ui->message);
	} else {
		draw_cut(c, FONT_SMALL, x0 + 10, 21, x1 - x0 - 20, p->dim,
		    "/ search    : query    > command");
	}
}

/* All that there were; the collectors are none. */
static uint32_t
processes(const struct model *m)
{
	uint32_t n = 0, node, po;

	for (uint32_t i = 0; model_po(m, i, &node, &po) == 0; i++)
		n += po != 0;
	return (n);
}

/* The clock that is worst by state, then by bound; its node's name. */
static const char *
worst_clock(const struct ui *ui, uint32_t nodes, struct node_health *out)
{
	const char *worst = "";
	struct node_health h;

	*out = (struct node_health){ .clock_state = CLOCK_LOCKED };
	for (uint32_t i = 1; i <= nodes; i++) {
		model_node_health(ui->model, i, &h);
		if (health_rank(&h) < health_rank(out) ||
		    (health_rank(&h) == health_rank(out) &&
			h.error_ns <= out->error_ns))
			continue;
		*out = h;
		worst = label_node(ui->model, i);
	}
	return (worst);
}

/* Figures from the right, the least important last: they go first. */
struct figure {
	char text[48];
	uint32_t rgb;
};

static size_t
figures(const struct ui *ui, struct figure *out)
{
	const struct feed_status *f = &ui->feed;
	const struct palette *p = ui->palette;
	uint64_t lost = model_lost(ui->model);
	uint32_t nodes = model_nodes(ui->model), pos = processes(ui->model);
	struct node_health clock;
	int64_t error;
	const char *worst;
	char num[32], of[40];
	uint32_t rgb;
	size_t n = 0;

	if (f->have_pulse && f->lost > lost)
		lost = f->lost;
	worst = worst_clock(ui, nodes, &clock);
	/* monitord's word is newer than the log's, while there is a monitord */
	error = f->have_pulse && f->connected && health_rank(&clock) == 0
		    ? f->error_ns
		    : clock.error_ns;
	clock.error_ns = error;
	if (f->have_pulse && f->connected)
		nodes = f->nodes;
	out[n].rgb = p->dim;
	snprintf(out[n++].text, sizeof(out[0].text), "mem %s",
	    format_bytes(num, sizeof(num), model_bytes(ui->model)));
	if (f->have_pulse && f->connected) {
		out[n].rgb = f->lag_ns > 1000000000 ? p->warn : p->dim;
		snprintf(out[n++].text, sizeof(out[0].text), "lag %s",
		    format_span(num, sizeof(num), f->lag_ns));
	}
	out[n].rgb = lost > 0 ? p->error : p->state[LANE_running];
	snprintf(out[n++].text, sizeof(out[0].text), "lost %s",
	    format_count(num, sizeof(num), lost));
	health_clock(ui, &clock, &rgb, of, sizeof(of));
	out[n].rgb = health_rank(&clock) == 0 ? p->dim : rgb;
	if (health_rank(&clock) == 0)
		snprintf(of, sizeof(of), "±%s",
		    format_span(num, sizeof(num), error));
	snprintf(out[n++].text, sizeof(out[0].text), "clock %.12s%s%.26s",
	    nodes > 1 ? worst : "", nodes > 1 && worst[0] != '\0' ? " " : "",
	    of);
	out[n].rgb = p->text;
	if (f->have_pulse && f->connected)
		snprintf(out[n++].text, sizeof(out[0].text), "%s ev/s",
		    format_short(num, sizeof(num), f->rate));
	else
		snprintf(out[n++].text, sizeof(out[0].text), "%s events",
		    format_count(num, sizeof(num), model_events(ui->model)));
	out[n].rgb = p->dim;
	snprintf(out[n++].text, sizeof(out[0].text),
	    "%" PRIu32 " node%s  %" PRIu32 " PO%s", nodes,
	    nodes == 1 ? "" : "s", pos, pos == 1 ? "" : "s");
	if (f->have_pulse && f->connected && !f->finished)
		snprintf(out[n - 1].text + strlen(out[n - 1].text),
		    sizeof(out[0].text) - strlen(out[n - 1].text),
		    ", %" PRIu32 " alive", f->pos);
	return (n);
}

void
top_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	struct badge badge = badge_of(ui);
	struct figure f[8];
	size_t n = figures(ui, f);
	int32_t x = ui->width - 14, left = 84, right, w;

	canvas_fill(c, 0, 0, ui->width, 34, p->panel);
	draw_text(c, FONT_BOLD, 14, 22, p->text, "Orrery");
	w = text_width(FONT_BOLD, badge.text, strlen(badge.text)) + 28;
	for (size_t i = 0; i < n; i++) {
		int32_t fw =
		    text_width(FONT_NORMAL, f[i].text, strlen(f[i].text));

		if (x - fw - 22 - w < left + 200)
			break;
		draw_text(c, FONT_NORMAL, x - fw, 22, f[i].rgb, "%s",
		    f[i].text);
		x -= fw + 22;
	}
	x -= w;
	canvas_fill(c, x, 9, x + w - 4, 26,
	    palette_mix(p->panel, badge.rgb, 70));
	canvas_disc(c, (x + 11) * 16, 17 * 16 + 8, 3 * 16 + 8, badge.rgb, 255);
	draw_text(c, FONT_BOLD, x + 19, 22, badge.rgb, "%s", badge.text);
	spot_add(ui, x, 9, x + w - 4, 26, ui->paused ? "live" : "pause");
	right = x - 20 < left + 440 ? x - 20 : left + 440;
	draw_omnibox(ui, c, left, right);
}

/* The whole run, a little wider than its events. */
static void
overview_span(const struct ui *ui, int64_t *t0, int64_t *t1)
{
	int64_t margin;

	*t0 = view_origin(ui);
	*t1 = view_end(ui);
	margin = (*t1 - *t0) / 200;
	*t0 -= margin;
	*t1 += margin;
}

int64_t
overview_time(const struct ui *ui, int32_t x)
{
	const struct rect *r = &ui->pane[PANE_OVERVIEW];
	int32_t w = r->x1 - r->x0;
	int64_t t0, t1;

	overview_span(ui, &t0, &t1);
	return (
	    t0 + (int64_t)((double)(t1 - t0) * (x - r->x0) / (w > 0 ? w : 1)));
}

static int32_t
overview_x(const struct ui *ui, int64_t t)
{
	const struct rect *r = &ui->pane[PANE_OVERVIEW];
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
	struct rect r = ui->pane[PANE_OVERVIEW];

	r.x0 = overview_x(ui, ui->time.t0_mon_ns);
	r.x1 = overview_x(ui, ui->time.t1_mon_ns);
	if (r.x1 < r.x0 + 4)
		r.x1 = r.x0 + 4;
	if (r.x1 > ui->width) {
		r.x1 = ui->width;
		r.x0 = r.x0 > r.x1 - 4 ? r.x1 - 4 : r.x0;
	}
	return (r);
}

#define OVERVIEW_FRAMES   6 /* between two drawings while it grows */
#define OVERVIEW_FLOOR_PX 3 /* where something ran, but nothing was told */
#define OVERVIEW_BLUR_PX  3 /* three times: about a bell of this half-width */

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
    int32_t x, int32_t tall, int32_t h)
{
	uint32_t sum = 0, at = 0;

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

		if (s[k] != 0)
			canvas_fill(c, x,
			    h - (int32_t)(next * (uint32_t)tall / sum), x + 1,
			    h - (int32_t)(at * (uint32_t)tall / sum),
			    ui->palette->state[k]);
		at = next;
	}
}

/*
 * Height: events, by the root, with the neighbours' so that single ones make
 * no comb; colours: shares of the classes.
 */
static void
overview_bars(struct ui *ui, struct canvas *c, int32_t w, int32_t h)
{
	uint8_t *share = calloc((size_t)w, LANE_CLASSES);
	uint32_t *density = calloc((size_t)w, sizeof(*density));
	float *tall = calloc((size_t)w * 2, sizeof(*tall));
	int64_t t0, t1;

	canvas_fill(c, 0, 0, w, h, ui->palette->background);
	if (share == NULL || density == NULL || tall == NULL || w == 0)
		goto out;
	overview_span(ui, &t0, &t1);
	model_overview(ui->model, t0, t1, (unsigned)w, share, density);
	overview_heights(density, tall, tall + w, w);
	for (int32_t x = 0; x < w; x++)
		overview_column(ui, c, share + x * LANE_CLASSES, x,
		    (int32_t)(tall[x] * (float)(h - 6) + 0.5f), h);
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
	const struct rect *r = &ui->pane[PANE_OVERVIEW];
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0;
	struct layer *l = &ui->overview_layer;
	struct canvas layer;
	struct {
		uint64_t events;
		int64_t t0, t1;
		const void *palette, *model;
	} key = { model_events(ui->model), view_origin(ui), view_end(ui),
		ui->palette, ui->model };

	/* while it grows: again when it would look another way by a pixel,
	 * but not in each frame */
	if (run_grows(ui)) {
		if (l->px != NULL && l->width == w && l->height == h &&
		    (ui->hasty || ui->frame < ui->overview_due)) {
			ui->undone |= key.events != l->version;
			return (true);
		}
		key.events = coarse(key.events);
		key.t1 = (int64_t)coarse((uint64_t)(key.t1 - key.t0));
	}
	if (draw_stopped(ui))
		return (false);
	l->version = model_events(ui->model);
	if (!layer_begin(l, w, h, &key, sizeof(key), &layer))
		return (true);
	overview_bars(ui, &layer, w, h);
	layer_end(l);
	ui->overview_due = ui->frame + OVERVIEW_FRAMES;
	return (true);
}

void
overview_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->pane[PANE_OVERVIEW];
	struct rect win = overview_window(ui);

	layer_show(&ui->overview_layer, c, r->x0, r->y0);
	canvas_blend(c, r->x0, r->y0, win.x0, r->y1, p->background, 150);
	canvas_blend(c, win.x1, r->y0, r->x1, r->y1, p->background, 150);
	if (ui->time.sel0_mon_ns < ui->time.sel1_mon_ns)
		canvas_blend(c, overview_x(ui, ui->time.sel0_mon_ns), r->y0,
		    overview_x(ui, ui->time.sel1_mon_ns) + 1, r->y1, p->accent,
		    60);
	if (ui->head_mon_ns != INT64_MAX) {
		int32_t x = overview_x(ui, ui->head_mon_ns);

		canvas_fill(c, x, r->y0, x + 1, r->y1, p->text);
	}
	draw_frame(c, &win, p->accent);
	for (int i = 0; i < 2; i++) {
		int32_t x = i == 0 ? win.x0 : win.x1 - 1;

		canvas_fill(c, x - 2, (r->y0 + r->y1) / 2 - 8, x + 3,
		    (r->y0 + r->y1) / 2 + 8, p->accent);
	}
}
