/*
 * The view Found: how many calls were found and how long they are, as a
 * histogram; the longest one by one, with what their threads did in them and
 * what most of the time went to.
 */
#include <inttypes.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "layout/chart/table.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/cells.h"
#include "ui/views/found/found.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX    18
#define LARGE_PX  330
#define DESCRIBED 16

const struct legend_row found_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a function: its own colour, by its name" },
	{ ITEM_RECT, LEGEND_STATE(running),
	    "its time: so long it ran; of the slowest, what it called is in "
	    "the colours of functions" },
	LEGEND_WAITS,
	{ ITEM_RECT, LEGEND_INK(line), "of its time: none of these" },
	{ ITEM_RECT, LEGEND_INK(accent),
	    "calls of each length; in the lanes their places" },
	{ ITEM_RECT, LEGEND_AREA(accent), "how many at once" },
	{ ITEM_RECT, LEGEND_INK(selection), "the chosen one" },
	{ 0 },
};

enum column {
	COLUMN_NAME,
	COLUMN_THREAD,
	COLUMN_BEGINS,
	COLUMN_FOR,
	COLUMN_PARTS,
	COLUMN_WHY,
	COLUMN_BY,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_NAME] = { "call", 110, 0, 0, false, false },
	[COLUMN_THREAD] = { "thread", 84, 0, 1, false, false },
	[COLUMN_BEGINS] = { "begins", 84, 0, 2, true, false },
	[COLUMN_FOR] = { "for", 60, 0, 0, true, false },
	[COLUMN_PARTS] = { "its time", 80, 1, 4, false, false },
	[COLUMN_WHY] = { "what it went to", 160, 1, 3, false, false },
	[COLUMN_BY] = { "called by", 100, 0, 5, false, false },
};

/* "47 calls of db_exec > 5ms, in all 2.31 s, of the whole run" */
static char *
headline(const struct ui *ui, const struct found_calls *f, char *buf, size_t n)
{
	char spelt[2 * FOUND_TEXT + 64], num[32], span[32];
	const char *ask = found_spell(&f->ask, spelt, sizeof(spelt)), *range;

	if (!found_answered(ui)) {
		snprintf(buf, n, "looking for calls: %s", ask);
		if (f->busy)
			snprintf(buf, n,
			    "looking for calls: %s, %.0f %% of the threads, %s "
			    "so far",
			    ask, 100 * find_done(f->next),
			    format_count(num, sizeof(num),
				find_count(f->next)));
		return (buf);
	}
	range =
	    f->t0 < f->t1 ? "of the range selected then" : "of the whole run";
	if (find_count(f->shown) == 0 && find_exact(f->shown)) {
		snprintf(buf, n, "none found: %s, %s", ask, range);
		return (buf);
	}
	snprintf(buf, n,
	    f->ask.slowest != 0 ? "%sthe %s slowest of: %s, in all %s, %s%s%s%s"
				: "%s%s found: %s, in all %s, %s%s%s%s",
	    find_exact(f->shown) ? "" : "at least ",
	    format_count(num, sizeof(num), find_count(f->shown)), ask,
	    format_span(span, sizeof(span), find_sum_ns(f->shown)), range,
	    ui->play.head_mon_ns != INT64_MAX || run_grows(ui) ? " so far" : "",
	    f->busy ? ", looking" : "",
	    find_exact(f->shown) ? "" : ", without what was given up");
	return (buf);
}

/* "begun 47, over 45; from 1.2 s to 3.4 s" */
static void
draw_life(struct ui *ui, struct canvas *c, int32_t x, int32_t y,
    const struct found_calls *f)
{
	struct found_life l = find_life(f->shown);
	char begun[32], over[32], first[40], last[40];
	uint64_t n = find_count(f->shown);

	draw_text(c, FONT_SMALL, x, y, ui->palette->dim,
	    "begun %s, over %s; from %s to %s", format_count(begun, 32, n),
	    format_count(over, 32, n - l.open),
	    run_time(ui, l.first_mon_ns, 1000, first, sizeof(first)),
	    run_time(ui, l.last_mon_ns, 1000, last, sizeof(last)));
}

static uint32_t
part_rgb(const struct ui *ui, const struct found_call *k,
    const struct found_part *p)
{
	uint32_t name = p->of == PART_OWN ? k->name : p->name;

	if (p->of == PART_OFF)
		return (ui->palette->warn);
	if (p->of == PART_REST)
		return (ui->palette->line);
	if (p->of == PART_WAITED)
		return (p->class == LANE_idle ? ui->palette->line
					      : ui->palette->state[p->class]);
	return (palette_of_name(ui->model, name));
}

static struct axis
parts_axis(const struct table_place *at, int64_t most_ns)
{
	return ((struct axis){ 0, most_ns > 0 ? (double)most_ns : 1, at->x0,
	    at->x1, AXIS_LINEAR, AXIS_NS });
}

static void
draw_bar(struct canvas *c, const struct axis *a, int32_t y,
    const struct part *part, size_t n)
{
	struct scene bar = { 0 };

	if (a->hi_px - a->lo_px < 8)
		return;
	bar_scene(a, y - 9, y + 1, part, n, &bar);
	paint_items(c, &bar, 0, bar.n);
	scene_free(&bar);
}

/* Own time first, then what it called, waits last: as they are told. */
static void
draw_known_parts(struct ui *ui, struct canvas *c, const struct axis *a,
    int32_t y, const struct found_call *k, const struct found_parts *w)
{
	struct part part[FOUND_PARTS];
	size_t n = 0;

	for (unsigned of = PART_OWN; of <= PART_REST; of++)
		for (unsigned i = 0; i < w->n; i++)
			if (w->part[i].of == of)
				part[n++] =
				    (struct part){ (double)w->part[i].ns,
					    part_rgb(ui, k, &w->part[i]),
					    of == PART_WAITED };
	draw_bar(c, a, y, part, n);
}

/* "own 3.1 ms, ray_bounce 2 ms, waits for till 0.2 ms" */
static char *
parts_words(const struct ui *ui, const struct found_parts *w, char *buf,
    size_t n)
{
	char word[160], span[32];
	size_t at = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < w->n && at < n; i++)
		at += (size_t)snprintf(buf + at, n - at, "%s%s %s",
		    i > 0 ? ", " : "",
		    found_part_words(ui, &w->part[i], word, sizeof(word)),
		    format_span(span, sizeof(span), w->part[i].ns));
	return (buf);
}

/* What its thread was in, as a bar against the longest of all. */
static void
draw_parts(struct ui *ui, struct canvas *c, const struct table_place *at,
    int32_t y, const struct found_call *k, int64_t most_ns)
{
	struct axis a = parts_axis(at, most_ns);
	struct part part[LANE_CLASSES];
	int64_t by_class[LANE_CLASSES];
	uint64_t spans;

	model_lane_totals(ui->model, k->lane, k->t0_mon_ns, k->t1_mon_ns,
	    by_class, &spans);
	for (unsigned i = 0; i < LANE_CLASSES; i++)
		part[i] = (struct part){ (double)by_class[i],
			i == LANE_idle ? ui->palette->line
				       : ui->palette->state[i],
			lane_waits(i) };
	draw_bar(c, &a, y, part, LANE_CLASSES);
}

/* They are all of a call's time: some are there, if it took any. */
static bool
parts_missing(const struct found_parts *w, const struct found_call *k)
{
	return (
	    w != NULL && w->n == 0 && (w->gone || k->t1_mon_ns > k->t0_mon_ns));
}

/* What there is about the slowest, and what about all others. */
static void
draw_why(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct found_call *k, uint32_t i, int64_t most_ns)
{
	const struct found_parts *w = found_parts_at(ui, i);
	const struct table_place *at = &t->place[COLUMN_PARTS];
	struct axis a = parts_axis(at, most_ns);
	struct found_why why;
	char text[320];

	if (w != NULL && w->n > 0)
		draw_known_parts(ui, c, &a, y, k, w);
	else
		draw_parts(ui, c, at, y, k, most_ns);
	if (w != NULL && w->caller != 0)
		cell_text(c, t, columns, COLUMN_BY, y, ui->palette->dim, "%s",
		    label_name(ui->model, w->caller));
	if (t->place[COLUMN_WHY].x1 == t->place[COLUMN_WHY].x0)
		return;
	if (w != NULL && w->n > 0) {
		parts_words(ui, w, text, sizeof(text));
	} else if (parts_missing(w, k) &&
		   k->ns == k->t1_mon_ns - k->t0_mon_ns) {
		snprintf(text, sizeof(text),
		    "not in memory; a click goes there");
	} else {
		found_why(ui, k, &why);
		found_why_words(ui, &why, text, sizeof(text));
	}
	cell_text(c, t, columns, COLUMN_WHY, y, ui->palette->text, "%s", text);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct found_call *k, uint32_t i, int64_t most_ns)
{
	const struct palette *p = ui->palette;
	int32_t x0 = t->place[0].x0, x1 = cells_right(t);
	char text[320], own[200];

	if (found_get(ui)->at == i)
		canvas_fill(c, x0 - 4, y - 13, x1, y + 5, p->selection);
	cell_name(c, t, y, p->text,
	    lane_waits(k->class) ? p->state[k->class]
				 : palette_of_name(ui->model, k->name),
	    label_function(ui->model, k->name, k->kind, own, sizeof(own)));
	cell_text(c, t, columns, COLUMN_THREAD, y, p->text, "%s",
	    label_lane(ui->model, model_lane(ui->model, k->lane), text,
		sizeof(text)));
	cell_text(c, t, columns, COLUMN_BEGINS, y, p->dim, "%s",
	    run_time(ui, k->t0_mon_ns, 1000, text, sizeof(text)));
	cell_text(c, t, columns, COLUMN_FOR, y, p->text, "%s%s",
	    k->open ? ">" : "", format_span(text, sizeof(text), k->ns));
	draw_why(ui, c, t, y, k, i, most_ns);
	spot_add(ui, x0, y - 13, x1, y + 5, "found %" PRIu32, i + 1);
}

static void
draw_nothing(struct ui *ui, struct canvas *c, const struct rect *r)
{
	static const char *const words[] = {
		"calls and waits of a name, a length, on threads: L, or type",
		"    find db_exec > 5ms on worker-*",
		"    find > 20ms",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16 + 16 * (int32_t)i,
		    r->x1 - r->x0,
		    i == 0 ? ui->palette->dim : ui->palette->accent, words[i]);
	spot_add(ui, r->x0, r->y0 + 4, r->x1, r->y0 + 56, "prompt > find ");
}

static void
draw_list(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct found_call *k;
	uint64_t n;
	size_t known = found_list(ui, &k, &n);
	struct table_column own[COLUMNS];
	struct table t;

	if (known == 0)
		return;
	memcpy(own, columns, sizeof(own));
	own[COLUMN_BY].hidden = found_get(ui)->ask.slowest == 0; /* unknown */
	table_fit(&t, own, COLUMNS, (int32_t)known,
	    ui->lists.scroll[VIEW_FOUND], r->x0, r->y0, cells_x1(r), r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_FOUND] = t.first;
	cells_head(c, ui->palette, &t, columns, "");
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i) + 2, &k[t.first + i],
		    (uint32_t)(t.first + i), k[0].ns);
}

void
found_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct found_calls *f = found_get(ui);
	struct rect below = *r;
	char text[2 * FOUND_TEXT + 200], span[32];

	if (f == NULL || !f->asked) {
		draw_nothing(ui, c, r);
		return;
	}
	draw_cut(c, FONT_SMALL, r->x0, r->y0 + 14, r->x1 - r->x0 - 190,
	    ui->palette->text, headline(ui, f, text, sizeof(text)));
	below.y0 += 22;
	if (!found_answered(ui)) {
		draw_list(ui, c, &below);
		return;
	}
	if (find_count(f->shown) == 0) {
		draw_nothing(ui, c, &below);
		return;
	}
	if (f->ask.slowest == 0) {
		draw_life(ui, c, r->x0, r->y0 + 30, f);
		below.y0 += 16;
	}
	if (f->lo_ns > 0 || f->hi_ns < INT64_MAX) {
		draw_right(c, FONT_SMALL, r->x1, r->y0 + 14,
		    ui->palette->accent, "from %s on  ×",
		    format_span(span, sizeof(span), f->lo_ns));
		spot_add(ui, r->x1 - 180, r->y0, r->x1, r->y0 + 18,
		    "durations all");
	}
	if (r->y1 - r->y0 >= LARGE_PX && f->ask.slowest == 0)
		below.y0 = found_charts(ui, c, &below, f);
	draw_list(ui, c, &below);
}

/* "    own 3100 ns, waits for till 200 ns; called by sweep" */
static void
describe_parts(const struct ui *ui, const struct found_call *call, size_t i,
    FILE *f)
{
	const struct found_parts *w = found_parts_at(ui, i);
	char word[200];

	if (w == NULL)
		return;
	fprintf(f, "    parts:%s", parts_missing(w, call) ? " not known" : "");
	for (unsigned k = 0; k < w->n; k++)
		fprintf(f, "%s %s %" PRId64 " ns", k > 0 ? "," : "",
		    found_part_words(ui, &w->part[k], word, sizeof(word)),
		    w->part[k].ns);
	if (w->caller != 0)
		fprintf(f, "; called by %s", label_name(ui->model, w->caller));
	putc('\n', f);
}

static void
describe_call(struct ui *ui, const struct found_call *k, size_t i, FILE *f)
{
	int64_t by_class[LANE_CLASSES];
	struct found_why why;
	char own[200], text[320];
	uint64_t spans;

	fprintf(f,
	    "  %zu: %s, row %" PRIu32 ", from %" PRId64 " ns, %s%" PRId64
	    " ns;",
	    i + 1,
	    label_function(ui->model, k->name, k->kind, own, sizeof(own)),
	    k->lane, k->t0_mon_ns - run_origin(ui), k->open ? ">" : "", k->ns);
	model_lane_totals(ui->model, k->lane, k->t0_mon_ns, k->t1_mon_ns,
	    by_class, &spans);
	for (unsigned j = 0; j < LANE_CLASSES; j++)
		if (by_class[j] > 0)
			fprintf(f, " %s %" PRId64 " ns,", label_class(j),
			    by_class[j]);
	found_why(ui, k, &why);
	fprintf(f, " mostly %s; on %s\n",
	    found_why_words(ui, &why, text, sizeof(text)),
	    label_where(ui, k->lane, INT64_MIN, own, sizeof(own)));
	describe_parts(ui, k, i, f);
}

static void
describe_life(struct ui *ui, const struct found_calls *s, FILE *f)
{
	struct found_life l = find_life(s->shown);

	if (s->ask.slowest == 0 && find_count(s->shown) > 0)
		fprintf(f,
		    "  begun %" PRIu64 ", over %" PRIu64 "; from %" PRId64
		    " ns to %" PRId64 " ns\n",
		    find_count(s->shown), find_count(s->shown) - l.open,
		    l.first_mon_ns - run_origin(ui),
		    l.last_mon_ns - run_origin(ui));
}

void
found_describe(struct ui *ui, FILE *f)
{
	const struct found_calls *s = found_get(ui);
	const struct found_call *k;
	char ask[2 * FOUND_TEXT + 64];
	uint64_t n;
	size_t known;

	if (s == NULL || !s->asked || s->shown == NULL) {
		fprintf(f, "found: nothing was asked for\n");
		return;
	}
	known = found_list(ui, &k, &n);
	fprintf(f,
	    "%s: %s%" PRIu64 " of %s; %" PRId64 " ns; p50 %" PRId64
	    " ns, p90 %" PRId64 " ns, p99 %" PRId64 " ns\n",
	    s->ask.slowest != 0 ? "slowest" : "found",
	    find_exact(s->shown) ? "" : "~", find_count(s->shown),
	    found_spell(&s->ask, ask, sizeof(ask)), find_sum_ns(s->shown),
	    find_quantile(s->shown, 500), find_quantile(s->shown, 900),
	    find_quantile(s->shown, 990));
	describe_life(ui, s, f);
	if (s->lo_ns > 0 || s->hi_ns < INT64_MAX)
		fprintf(f, "  chosen: %" PRIu64 ", from %" PRId64 " ns\n", n,
		    s->lo_ns);
	for (size_t i = 0; i < known && i < DESCRIBED; i++)
		describe_call(ui, &k[i], i, f);
	found_describe_at_once(ui, s, f);
}
