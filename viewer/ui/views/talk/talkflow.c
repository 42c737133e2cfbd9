/*
 * Communication over time: bytes that are sent and messages in flight, and what
 * waits for each receiver.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "layout/chart/curve.h"
#include "model/detail.h"
#include "talkparts.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/flows.h"
#include "ui/views/words.h"

#define LEFT_PX  150
#define RIGHT_PX 12
#define BELOW_PX 18
#define NAME_PX  9  /* high enough for a name */
#define ROW_PX   30 /* of a receiver, at most */

/* The flow of this run; NULL, and it is said why: there is none to be shown. */
static const struct flow *
there(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct flow *f = flow_shown(ui);

	if (flow_known(f) && f->model == ui->model)
		return (f);
	draw_text(c, FONT_SMALL, r->x0, r->y0 + 16, ui->palette->dim, "%s",
	    flow_busy(ui) ? "adding up ..."
	    : f->gone     ? "single messages were given up for want of memory"
			  : "nothing in this time");
	return (NULL);
}

static struct axis
time_axis(const struct ui *ui, const struct flow *f, const struct rect *r)
{
	struct axis x = { (double)(f->t0 - run_origin(ui)),
		(double)(f->t1 - run_origin(ui)), r->x0 + LEFT_PX,
		r->x1 - RIGHT_PX, AXIS_LINEAR, AXIS_NS };

	return (x);
}

/* A value of each pixel, out of columns. */
static void
spread(const double *v, double *out, int32_t w)
{
	for (int32_t i = 0; i < w; i++)
		out[i] = v[(int64_t)i * FLOW_COLUMNS / w];
}

/* The instant that all views are of, as a line. */
static void
draw_instant(struct ui *ui, struct canvas *c, const struct flow *f,
    const struct axis *x, int32_t y0, int32_t y1)
{
	const char *what;
	int64_t t = run_instant(ui, &what);
	int32_t at = axis_at_q(x, (double)(t - run_origin(ui))) / SCENE_ONE;

	if (t > f->t0 && t < f->t1)
		canvas_fill(c, at, y0, at + 1, y1, ui->palette->accent);
}

static void
hint_flow(struct ui *ui, const struct flow *f, const struct axis *x)
{
	int64_t t = run_origin(ui) + (int64_t)axis_value(x, ui->mouse.x);
	double part = (double)(t - f->t0) / (double)(f->t1 - f->t0);
	unsigned k = part < 0 ? 0 : (unsigned)(part * FLOW_COLUMNS);
	char at[40], size[32];

	k = k < FLOW_COLUMNS ? k : FLOW_COLUMNS - 1;
	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%s\n%s/s sent\n%.1f messages in flight",
	    run_time(ui, t, (f->t1 - f->t0) / FLOW_COLUMNS + 1, at, sizeof(at)),
	    format_bytes(size, sizeof(size),
		(uint64_t)(f->bytes[k] * FLOW_COLUMNS * 1e9 /
			   (double)(f->t1 - f->t0))),
	    f->flight.v[k]);
}

static double
most_of(const double *v)
{
	double most = 0;

	for (unsigned i = 0; i < FLOW_COLUMNS; i++)
		most = v[i] > most ? v[i] : most;
	return (most);
}

void
traffic_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	const struct flow *f = there(ui, c, r);
	struct axis x,
	    y = { 0, 1, r->y1 - BELOW_PX, r->y0 + 22, AXIS_LINEAR, AXIS_BYTES },
	    count = y;
	double rate[FLOW_COLUMNS], vx[FLOW_COLUMNS];
	static double shown[16384];
	struct series s = { shown, palette_area(p, p->accent), false };
	struct scene scene = { 0 };
	struct words w;
	char text[80];
	int32_t px;

	if (f == NULL)
		return;
	if (most_of(f->bytes) <= 0 && most_of(f->flight.v) <= 0) {
		snprintf(text, sizeof(text), "no messages %s", words_when(ui));
		words_empty(ui, c, r, text, "");
		return;
	}
	x = time_axis(ui, f, r);
	px = x.hi_px - x.lo_px;
	if (px < 32 || px > 16384 || y.lo_px - y.hi_px < 20)
		return;
	for (unsigned i = 0; i < FLOW_COLUMNS; i++) {
		rate[i] =
		    f->bytes[i] * FLOW_COLUMNS * 1e9 / (double)(f->t1 - f->t0);
		vx[i] = x.lo + (x.hi - x.lo) * (i + 0.5) / FLOW_COLUMNS;
	}
	y.hi = most_of(rate) > 0 ? most_of(rate) : 1;
	axis_round_up(&y, 24);
	count.hi = most_of(f->flight.v) > 0 ? most_of(f->flight.v) * 1.05 : 1;
	spread(rate, shown, px);
	axes_scene(&x, &y, p, &scene);
	areas_scene(&y, x.lo_px, 1, (size_t)px, &s, 1, &scene);
	curve_scene(&x, &count, vx, f->flight.v, FLOW_COLUMNS, SCENE_ONE,
	    p->text, &scene);
	paint_items(c, &scene, 0, scene.n);
	scene_free(&scene);
	words_begin(&w, r);
	words_say(ui, c, &w, "traffic:   ");
	words_sign(ui, c, &w, s.rgb, false, "bytes sent a second");
	snprintf(text, sizeof(text), "messages in flight, at most %.1f",
	    most_of(f->flight.v));
	words_sign(ui, c, &w, p->text, false, text);
	draw_instant(ui, c, f, &x, y.hi_px, y.lo_px);
	if (hint_wanted(ui, x.lo_px, y.hi_px, x.hi_px, y.lo_px))
		hint_flow(ui, f, &x);
}

/* A receiver's row: messages below, calls above them. */
static void
draw_queue(struct ui *ui, struct canvas *c, const struct flow *f, uint32_t i,
    const struct axis *x, const struct axis *y)
{
	const struct palette *p = ui->palette;
	static double messages[16384], calls[16384];
	int32_t w = x->hi_px - x->lo_px;
	struct series s[2] = { { messages, p->state[LANE_wait_message], false },
		{ calls, p->state[LANE_wait_rpc], false } };
	struct scene scene = { 0 };
	char name[160];

	spread(f->messages[i].v, messages, w);
	spread(f->calls[i].v, calls, w);
	canvas_fill(c, x->lo_px, y->lo_px, x->hi_px, y->lo_px + 1, p->grid);
	areas_scene(y, x->lo_px, 1, (size_t)w, s, 2, &scene);
	paint_items(c, &scene, 0, scene.n);
	scene_free(&scene);
	if (y->lo_px - y->hi_px >= NAME_PX)
		draw_cut_middle(c, FONT_SMALL, x->lo_px - LEFT_PX, y->lo_px,
		    LEFT_PX - 12, p->dim,
		    talk_end_label(ui, &f->rows.group[i], name, sizeof(name)));
	canvas_fill(c, x->lo_px - 8, y->hi_px, x->lo_px - 6, y->lo_px,
	    palette_on(p, palette_of_node(ui->model, f->rows.group[i].node)));
}

/* Rows that are too low for names have those of their nodes. */
static void
draw_nodes(struct ui *ui, struct canvas *c, const struct flow *f, int32_t x,
    int32_t top, int32_t row)
{
	uint32_t from = 0;

	for (uint32_t i = 1; i <= f->rows.n; i++) {
		uint32_t node = f->rows.group[from].node;
		int32_t y = top + (int32_t)from * row;
		int32_t px = (int32_t)(i - from) * row;

		if (i < f->rows.n && f->rows.group[i].node == node)
			continue;
		if (px >= NAME_PX)
			draw_cut_middle(c, FONT_SMALL, x - LEFT_PX,
			    y + px / 2 + 4, LEFT_PX - 12, ui->palette->dim,
			    label_node(ui->model, node));
		from = i;
	}
}

static double
longest(const struct flow *f)
{
	double most = 0;

	for (uint32_t i = 0; i < f->rows.n; i++)
		for (unsigned k = 0; k < FLOW_COLUMNS; k++) {
			double n = f->messages[i].v[k] + f->calls[i].v[k];

			most = n > most ? n : most;
		}
	return (most);
}

void
queues_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct flow *f = there(ui, c, r);
	struct axis x, y = { 0, 1, 0, 0, AXIS_LINEAR, AXIS_COUNT };
	struct scene scene = { 0 };
	int32_t h, row, at, top, below;
	struct words w;
	char text[64];

	if (f == NULL)
		return;
	x = time_axis(ui, f, r);
	if (x.hi_px - x.lo_px < 32 || x.hi_px - x.lo_px > 16384)
		return;
	words_begin(&w, r);
	words_say(ui, c, &w, "sent and not taken yet, by receiver:   ");
	words_sign(ui, c, &w, ui->palette->state[LANE_wait_message], false,
	    "messages");
	words_sign(ui, c, &w, ui->palette->state[LANE_wait_rpc], false,
	    "remote calls");
	y.hi = longest(f) > 1 ? longest(f) : 1;
	snprintf(text, sizeof(text), "   a row is %.1f high", y.hi);
	words_say(ui, c, &w, text);
	at = top = words_end(&w) + 4;
	h = r->y1 - BELOW_PX - top;
	row = h / (int32_t)f->rows.n;
	row = row > ROW_PX ? ROW_PX : row < 2 ? 2 : row;
	if (h < row)
		return;
	below = at + row * (int32_t)f->rows.n;
	below = below > r->y1 - BELOW_PX ? r->y1 - BELOW_PX : below;
	axis_below_scene(&x, at, below, ui->palette, &scene);
	paint_items(c, &scene, 0, scene.n);
	scene_free(&scene);
	for (uint32_t i = 0; i < f->rows.n && at + row <= r->y1 - BELOW_PX;
	     i++) {
		y.lo_px = at + row - 2;
		y.hi_px = at + 1;
		if (y.lo_px > y.hi_px)
			draw_queue(ui, c, f, i, &x, &y);
		at += row;
	}
	if (row - 3 < NAME_PX)
		draw_nodes(ui, c, f, x.lo_px, top, row);
	draw_instant(ui, c, f, &x, top, below);
}

void
flow_describe(struct ui *ui, FILE *out)
{
	const struct flow *f = flow_shown(ui);
	char name[160];

	if (!flow_current(ui) || !flow_known(f)) {
		fprintf(out, "traffic: %s\n",
		    flow_current(ui) ? "not known" : "adding up");
		return;
	}
	fprintf(out,
	    "traffic: %" PRIu64 " messages sent, %" PRIu64
	    " bytes, in flight %" PRId64 " ns\n",
	    f->sent, f->sent_bytes, f->flight.ns);
	for (uint32_t i = 0; i < f->rows.n; i++)
		if (f->messages[i].ns != 0 || f->calls[i].ns != 0)
			fprintf(out,
			    "  waiting for %s: messages %" PRId64
			    " ns, calls %" PRId64 " ns\n",
			    talk_end_label(ui, &f->rows.group[i], name,
				sizeof(name)),
			    f->messages[i].ns, f->calls[i].ns);
}
