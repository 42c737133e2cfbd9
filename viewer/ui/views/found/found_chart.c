/*
 * The charts of the view Found: how long the calls are, as a histogram that can
 * be clicked, and how many were there at once.
 */
#include <inttypes.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "layout/chart/curve.h"
#include "layout/chart/histogram.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/traffic/columns.h"
#include "ui/views/found/found.h"
#include "ui/views/view.h"

#define CHART_PX        150
#define AXIS_PX         46
#define AT_ONCE_PX      700 /* with a chart beside that of lengths */
#define COLUMNS_AT_ONCE 256
#define DESCRIBED       16 /* columns in words */

static void
fill_bins(const struct found_calls *f, struct bins *chosen, struct bins *rest)
{
	unsigned at = 0, bin;
	int64_t lo, hi;
	uint64_t n;

	memset(chosen, 0, sizeof(*chosen));
	memset(rest, 0, sizeof(*rest));
	while (
	    (n = durations_next(find_durations(f->shown), &at, &lo, &hi)) > 0) {
		bin = histogram_bin(lo);
		if (lo >= f->lo_ns && lo <= f->hi_ns)
			chosen->n[bin] += n;
		else
			rest->n[bin] += n;
	}
}

/* A click takes a bar; another one all between; one of several that alone. */
static void
bar_spot(struct ui *ui, const struct found_calls *f, const struct histogram *h,
    unsigned bin)
{
	int64_t lo = bin == 0 ? 0 : histogram_edge_ns(bin);
	int64_t hi = bin + 1 == HISTOGRAM_BINS ? INT64_MAX / 4
					       : histogram_edge_ns(bin + 1) - 1;
	int32_t x0 = axis_at_q(&h->x, (double)lo) / SCENE_ONE;
	int32_t x1 = axis_at_q(&h->x, (double)hi + 1) / SCENE_ONE;
	bool some = f->lo_ns > 0 || f->hi_ns < INT64_MAX;

	if (some && f->lo_ns == lo && f->hi_ns == hi) {
		spot_add(ui, x0, h->y.hi_px, x1, h->y.lo_px, "durations all");
		return;
	}
	if (some && (hi < f->lo_ns || lo > f->hi_ns)) {
		lo = lo < f->lo_ns ? lo : f->lo_ns;
		hi = hi > f->hi_ns ? hi : f->hi_ns;
	}
	spot_add(ui, x0, h->y.hi_px, x1, h->y.lo_px,
	    "durations %" PRId64 "ns:%" PRId64 "ns", lo, hi + 1);
}

static void
draw_quantiles(struct ui *ui, struct canvas *c, const struct histogram *h,
    const struct find_calls *found)
{
	static const unsigned mille[] = { 500, 900, 990 };
	int32_t y = h->y.hi_px + 10;
	char span[32], text[48];

	for (size_t i = 0; i < 3; i++) {
		int64_t ns = find_quantile(found, mille[i]);
		int32_t x = axis_at_q(&h->x, (double)ns) / SCENE_ONE;

		for (int32_t at = h->y.hi_px; at < h->y.lo_px; at += 6)
			canvas_fill(c, x, at, x + 1, at + 3, ui->palette->text);
		snprintf(text, sizeof(text), "p%u %s", mille[i] / 10,
		    format_span(span, sizeof(span), ns));
		canvas_fill(c, x + 2, y - 9, /* it may lie on a bar */
		    x + 6 + text_width(FONT_SMALL, text, strlen(text)), y + 3,
		    ui->palette->panel);
		draw_text(c, FONT_SMALL, x + 4, y, ui->palette->text, "%s",
		    text);
		y += 13;
	}
}

static void
draw_chart(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct found_calls *f)
{
	const uint32_t rgb[] = { ui->palette->accent, ui->palette->line };
	struct bins bins[2];
	struct histogram h;
	struct scene s = { 0 };

	fill_bins(f, &bins[0], &bins[1]);
	if (histogram_fit(&h, bins, 2, r->x0 + AXIS_PX, r->y0, r->x1 - 60,
		r->y1 - 20) == 0)
		return;
	axes_scene(&h.x, &h.y, ui->palette, &s);
	histogram_scene(&h, bins, rgb, 2, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	draw_quantiles(ui, c, &h, f->shown);
	for (unsigned b = h.first; b <= h.last; b++)
		bar_spot(ui, f, &h, b);
}

/*
 * How many of those that are known one by one had begun and were not over, in
 * each column the mean; of the range, or from the first to the last.  False:
 * that is no time.
 */
static bool
add_at_once(const struct found_calls *f, struct time_columns *k)
{
	struct found_life l = find_life(f->shown);
	bool all = f->t0 >= f->t1;
	const struct found_call *call;
	size_t known = find_list(f->shown, &call);

	k->t0 = all ? l.first_mon_ns : f->t0;
	k->t1 = all ? l.last_mon_ns : f->t1;
	if (k->t1 <= k->t0)
		return (false);
	for (size_t i = 0; i < known; i++)
		columns_add(k, call[i].t0_mon_ns, call[i].t1_mon_ns, 1);
	columns_end(k);
	return (true);
}

void
found_describe_at_once(struct ui *ui, const struct found_calls *s, FILE *f)
{
	double v[DESCRIBED + 1] = { 0 }, change[DESCRIBED + 1] = { 0 };
	struct time_columns k = { .n = DESCRIBED, .v = v, .change = change };
	const struct found_call *call;

	if (s->shown == NULL || find_count(s->shown) == 0 ||
	    !add_at_once(s, &k))
		return;
	fprintf(f,
	    "  at once, of %zu, from %" PRId64 " ns to %" PRId64
	    " ns in %u parts:",
	    find_list(s->shown, &call), k.t0 - run_origin(ui),
	    k.t1 - run_origin(ui), k.n);
	for (unsigned i = 0; i < k.n; i++)
		fprintf(f, " %.6g", v[i]);
	putc('\n', f);
}

static void
draw_at_once(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct found_calls *f)
{
	double v[COLUMNS_AT_ONCE + 1] = { 0 },
				   change[COLUMNS_AT_ONCE + 1] = { 0 };
	static double shown[16384];
	struct time_columns k = { 0, 1, COLUMNS_AT_ONCE, v, change };
	bool any = add_at_once(f, &k);
	struct axis x = { (double)(k.t0 - run_origin(ui)),
		(double)(k.t1 - run_origin(ui)), r->x0 + AXIS_PX, r->x1 - 12,
		AXIS_LINEAR, AXIS_NS };
	struct axis y = { 0, 1, r->y1 - 20, r->y0 + 14, AXIS_LINEAR,
		AXIS_COUNT };
	struct series series = { shown,
		palette_area(ui->palette, ui->palette->accent), false };
	int32_t w = x.hi_px - x.lo_px;
	const struct found_call *call;
	size_t known = find_list(f->shown, &call);
	struct scene s = { 0 };

	if (!any || w < 32 || w > 16384)
		return;
	for (unsigned i = 0; i < COLUMNS_AT_ONCE; i++)
		y.hi = v[i] > y.hi ? v[i] : y.hi;
	axis_round_up(&y, 24);
	for (int32_t i = 0; i < w; i++)
		shown[i] = v[(int64_t)i * COLUMNS_AT_ONCE / w];
	axes_scene(&x, &y, ui->palette, &s);
	areas_scene(&y, x.lo_px, 1, (size_t)w, &series, 1, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	draw_cut(c, FONT_SMALL, x.lo_px, r->y0 + 10, w, ui->palette->dim,
	    known < find_count(f->shown)
		? "how many at once, of the longest 10,000"
		: "how many at once");
}

int32_t
found_charts(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct found_calls *f)
{
	struct rect chart = *r, at_once = *r;

	chart.y0 = r->y0 + 4;
	chart.y1 = chart.y0 + CHART_PX;
	if (chart.x1 - chart.x0 >= AT_ONCE_PX) {
		at_once.y0 = chart.y0;
		at_once.y1 = chart.y1;
		at_once.x0 = chart.x1 = (chart.x0 + chart.x1) / 2;
		draw_at_once(ui, c, &at_once, f);
	}
	draw_chart(ui, c, &chart, f);
	return (chart.y1 + 6);
}
