/*
 * The view Path: what must become faster for the run to end sooner.  The
 * critical path in figures, as a ribbon and by function; what all threads
 * waited for, and whom; its longest stretches.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/legend.h"
#include "ui/views/path/pathview.h"
#include "ui/views/view.h"

#define HEAD_PX   22
#define FIGURE_PX 44
#define TALL_PX   330 /* then there is room for all of it */
#define WIDE_PX   900
#define STRETCHES 6   /* that are drawn */
#define PARTS     256 /* that are described */

const struct legend_row path_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0, "the path was in this function" },
	{ ITEM_RECT, LEGEND_NODES, 0, "on this node (ribbon)" },
	{ ITEM_RECT, LEGEND_STATE(running), "it was running then (ribbon)" },
	{ ITEM_RECT, LEGEND_STATE(wait_message),
	    "waits for a message, or for one on the way" },
	{ ITEM_RECT, LEGEND_STATE(wait_sync),
	    "waits for others: barrier, block, the end of a thread" },
	{ ITEM_RECT, LEGEND_STATE(wait_lock), "waits for a lock, condition" },
	{ ITEM_RECT, LEGEND_STATE(wait_rpc), "waits for a server" },
	{ ITEM_RECT, LEGEND_INK(faint),
	    "nothing was told; or a message lay, and nobody waited" },
	{ ITEM_RECT, LEGEND_INK(accent),
	    "the share of all time in that function that is on the path" },
	{ ITEM_LINE, LEGEND_INK(text), "over the lanes: the path" },
	{ ITEM_RECT, LEGEND_INK(line), "on the way between two threads" },
	{ 0 },
};

static const char *
about(const struct critical *k)
{
	return (critical_exact(k) ? "" : "~");
}

/* --- its figures --- */

/* A figure below its title; returns where the next begins. */
static int32_t
figure(struct ui *ui, struct canvas *c, int32_t x, int32_t y, const char *title,
    const char *value)
{
	int32_t a =
	    draw_text(c, FONT_SMALL, x, y, ui->palette->dim, "%s", title);
	int32_t b =
	    draw_text(c, FONT_BOLD, x, y + 16, ui->palette->text, "%s", value);

	return ((a > b ? a : b) + 22);
}

/* In a class; LANE_CLASSES: in any of those that wait. */
static int64_t
in_class(const struct critical *k, unsigned class)
{
	const struct critical_part *p;
	size_t n = critical_parts(k, &p);
	int64_t ns = 0;

	for (size_t i = 0; i < n; i++)
		if (class == LANE_CLASSES ? lane_waits(p[i].class)
					  : p[i].class == class)
			ns += p[i].ns;
	return (ns);
}

static void
draw_figures(struct ui *ui, struct canvas *c, const struct rect *r, int32_t y)
{
	const struct path_figures *f = ui->figures.path;
	const struct critical *k = path_shown(ui);
	const struct critical_piece *p;
	struct {
		const char *title;
		int64_t ns;
	} of[] = { { "running", in_class(k, LANE_running) },
		{ "waits, cause unknown", in_class(k, LANE_CLASSES) },
		{ "on the way", critical_way_ns(k) },
		{ "nothing told", in_class(k, LANE_idle) },
		/* while it was in any of these */
		{ "in these no processor", f->ready_ns } };
	char span[32], text[64], n[32];
	int32_t x = r->x0;
	int64_t t0, t1;
	uint64_t all;

	critical_pieces(k, &p, &all);
	critical_range(k, &t0, &t1);
	snprintf(text, sizeof(text), "%s%s", about(k),
	    format_span(span, sizeof(span), t1 - t0));
	x = figure(ui, c, x, y, "length", text);
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		if (x > r->x1 - 110 || (of[i].ns == 0 && i > 0))
			continue;
		snprintf(text, sizeof(text), "%s, %.0f %%",
		    format_span(span, sizeof(span), of[i].ns),
		    path_percent(of[i].ns, t1 - t0));
		x = figure(ui, c, x, y, of[i].title, text);
	}
	if (x > r->x1 - 130)
		return;
	snprintf(text, sizeof(text), "%s over %" PRIu32 " thread%s",
	    format_count(n, sizeof(n), all > 0 ? all - 1 : 0), f->threads,
	    f->threads == 1 ? "" : "s");
	figure(ui, c, x, y, "hops", text);
}

/* Which path it is, and whether it is drawn over the lanes. */
static void
draw_choice(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct path_figures *f = ui->figures.path;
	const struct {
		const char *text, *command;
		bool on;
	} words[] = { { "to the last event", "path all", !f->of_thread },
		{ "of the selected thread", "path thread", f->of_thread },
		{ "over the lanes", f->not_over ? "path over" : "path plain",
		    !f->not_over } };
	const struct palette *p = ui->palette;
	int32_t x = r->x0, y = r->y0 + 14, x0;
	int64_t t0, t1;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		x0 = x;
		if (x + text_width(FONT_SMALL, words[i].text,
			    strlen(words[i].text)) >
		    r->x1)
			return;
		x = draw_text(c, FONT_SMALL, x, y,
			words[i].on ? p->accent : p->dim, "%s", words[i].text) +
		    16;
		spot_add(ui, x0 - 4, r->y0, x - 8, y + 5, "%s",
		    words[i].command);
	}
	if (r->x1 - x > 200)
		draw_right(c, FONT_SMALL, r->x1, y, p->dim, "%s%s%s",
		    time_selected(ui, &t0, &t1) ? "of the selected range"
						: "of the whole run",
		    ui->play.head_mon_ns != INT64_MAX || run_grows(ui)
			? " so far"
			: "",
		    ui->figures.asked[ASKED_PATH].busy ? ", looking" : "");
}

/* --- stretches --- */

static void
draw_stretches(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct critical_piece v[STRETCHES];
	size_t n = path_longest(ui, v, STRETCHES);
	int32_t x, y, half = (r->x1 - r->x0) / 2;
	char who[200], when[40], span[32];

	draw_text(c, FONT_SMALL, r->x0, r->y0 + 12, ui->palette->dim,
	    "longest stretches on one thread; a click shows it");
	for (size_t i = 0; i < n; i++) {
		x = r->x0 + (i % 2 == 0 ? 0 : half + 8);
		y = r->y0 + 12 + PATH_ROW_PX * (1 + (int32_t)i / 2);
		if (y > r->y1)
			return;
		label_where(ui, v[i].lane, INT64_MIN, who, sizeof(who));
		draw_cut(c, FONT_SMALL, x, y, half - 150, ui->palette->text,
		    who);
		draw_right(c, FONT_SMALL, x + half - 70, y, ui->palette->dim,
		    "%s",
		    run_time(ui, v[i].t0_mon_ns, 100000, when, sizeof(when)));
		draw_right(c, FONT_SMALL, x + half - 12, y, ui->palette->text,
		    "%s",
		    format_span(span, sizeof(span),
			v[i].t1_mon_ns - v[i].t0_mon_ns));
		spot_add(ui, x - 4, y - 13, x + half - 8, y + 5, "path %zu",
		    i + 1);
	}
}

/* --- all of it --- */

static void
draw_tall(struct ui *ui, struct canvas *c, const struct rect *r)
{
	int32_t waits = (CRITICAL_WAITS + 1) * PATH_ROW_PX + 8;
	int32_t stretches = PATH_ROW_PX * (1 + STRETCHES / 2) + 4;
	int32_t y = r->y0 + FIGURE_PX, left, parts;
	const struct critical_part *p;
	struct rect at = { r->x0, y, r->x1, y + PATH_RIBBON_PX };

	path_ribbon(ui, c, &at);
	y += PATH_RIBBON_PX + 4;
	left = r->y1 - y;
	if (left < waits + stretches + 4 * PATH_ROW_PX)
		stretches = 0;
	left = r->y1 - waits - stretches;
	parts =
	    y + ((int32_t)critical_parts(path_shown(ui), &p) + 1) * PATH_ROW_PX;
	at = (struct rect){ r->x0, y, r->x1, parts < left ? parts + 8 : left };
	path_parts(ui, c, &at);
	y = at.y1 + 8;
	at = (struct rect){ r->x0, y, r->x1, y + waits - 4 };
	canvas_fill(c, r->x0, at.y0 - 3, r->x1, at.y0 - 2, ui->palette->line);
	path_waits(ui, c, &at);
	if (stretches == 0)
		return;
	at = (struct rect){ r->x0, y + waits, r->x1, r->y1 };
	draw_stretches(ui, c, &at);
}

void
path_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct critical *k = path_shown(ui);
	const struct critical_piece *p;
	struct rect in = { r->x0, r->y0 + HEAD_PX, r->x1, r->y1 }, at = in;
	uint64_t all = 0;

	if (ui->figures.path == NULL)
		return;
	draw_choice(ui, c, r);
	if (k == NULL || critical_pieces(k, &p, &all) == 0) {
		draw_cut(c, FONT_SMALL, r->x0, in.y0 + 16, r->x1 - r->x0,
		    ui->palette->dim,
		    k == NULL ? "looking for it ..."
			      : "no thread told anything in this time");
		return;
	}
	if (in.y1 - in.y0 >= TALL_PX) {
		draw_figures(ui, c, &in, in.y0 + 12);
		draw_tall(ui, c, &in);
		return;
	}
	if (in.x1 - in.x0 >= WIDE_PX) {
		at.x1 = (in.x0 + in.x1) / 2 - 12;
		path_parts(ui, c, &at);
		at = (struct rect){ at.x1 + 24, in.y0, in.x1, in.y1 };
		path_waits(ui, c, &at);
		return;
	}
	path_parts(ui, c, &in);
}

/* --- in words --- */

static void
describe_parts(struct ui *ui, const struct critical *k, FILE *f)
{
	const struct critical_part *p;
	size_t n = critical_parts(k, &p);
	char name[200];

	for (size_t i = 0; i < n && i < PARTS; i++)
		fprintf(f,
		    "  in %s: %" PRId64 " ns, most of it, %" PRId64
		    " ns, row %" PRIu32 "; of all threads %" PRId64 " ns\n",
		    path_part_name(ui, &p[i], name, sizeof(name)), p[i].ns,
		    p[i].lane_ns, p[i].lane, p[i].all_ns);
}

static void
describe_waits(struct ui *ui, const struct critical *k, FILE *f)
{
	struct critical_waited w;
	char text[320];

	for (int i = 0; i < CRITICAL_WAITS; i++) {
		critical_waited(k, i, &w);
		fprintf(f, "  waits, %s: %" PRId64 " ns, %" PRIu64 " times",
		    path_wait_word[i], w.ns, w.times);
		if (w.ns > 0)
			fprintf(f, "; most in %s",
			    w.at != 0 ? label_name(ui->model, w.at)
				      : "no call");
		if (w.by != UINT32_MAX)
			fprintf(f, "; caused most by %s",
			    path_by_words(ui, &w, text, sizeof(text)));
		fprintf(f, "\n");
	}
}

void
path_describe(struct ui *ui, FILE *f)
{
	const struct critical *k = path_shown(ui);
	const struct critical_piece *p;
	int64_t t0, t1, origin = run_origin(ui);
	uint64_t all = 0;
	size_t n = k == NULL ? 0 : critical_pieces(k, &p, &all);

	if (n == 0) {
		fprintf(f, "path: nothing is known\n");
		return;
	}
	critical_range(k, &t0, &t1);
	fprintf(f,
	    "path: %s%" PRIu64 " pieces on %" PRIu32 " threads, %" PRId64
	    " ns, from %" PRId64 " to %" PRId64 "; on the way %" PRId64
	    " ns; ready %" PRId64 " ns, of all threads %" PRId64 " ns\n",
	    about(k), all, ui->figures.path->threads, t1 - t0, t0 - origin,
	    t1 - origin, critical_way_ns(k), ui->figures.path->ready_ns,
	    ui->figures.path->all_ready_ns);
	describe_parts(ui, k, f);
	describe_waits(ui, k, f);
	for (size_t i = 0; i < n && i < PARTS; i++)
		fprintf(f,
		    "  piece row %" PRIu32 ": %" PRId64 " to %" PRId64 "\n",
		    p[i].lane, p[i].t0_mon_ns - origin,
		    p[i].t1_mon_ns - origin);
}
