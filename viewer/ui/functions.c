/* The functions table: what was called, how often, how long, where. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "ui/desk/desk.h"
#include "ui/dock.h"
#include "ui/draw/draw.h"

#define NAMES_MAX 4096
#define ROW_PX    15

static int
by_total(const void *a, const void *b)
{
	const struct name_stats *p = a, *q = b;

	if (p->total_ns != q->total_ns)
		return (p->total_ns < q->total_ns ? 1 : -1);
	if (p->calls != q->calls)
		return (p->calls < q->calls ? 1 : -1);
	return ((p->name > q->name) - (p->name < q->name));
}

/* Columns end (numbers) or begin (words) here, from the left. */
enum {
	COL_CALLS = 250,
	COL_TOTAL = 330,
	COL_MEAN = 405,
	COL_MAX = 475,
	COL_BLOCKED = 545,
	COL_PE = 570
};

/*
 * All panels are of one range.  Of the whole run the model keeps sums; those of
 * a part are added up from the lanes.
 */
size_t
functions_of(struct ui *ui, struct name_stats *s, size_t max, char *of,
    size_t n)
{
	int64_t t0, t1;
	bool selected = view_selected_range(ui, &t0, &t1);
	char span[32];

	if (view_panel_whole(ui)) {
		snprintf(of, n, "of the whole run%s",
		    run_grows(ui) ? " so far" : "");
		return (model_name_stats(ui->model, s, max));
	}
	view_panel_range(ui, &t0, &t1);
	snprintf(of, n, "%s, %s%s%s", selected ? "selected" : "in sight",
	    format_span(span, sizeof(span), t1 > t0 ? t1 - t0 : 0),
	    ui->head_mon_ns != INT64_MAX ? " so far" : "",
	    ui->sums.busy ? ", adding up" : "");
	if (ui->sums.shown == NULL || ui->sums.of.model != ui->model)
		return (0);
	if (!calls_exact(ui->sums.shown))
		snprintf(of + strlen(of), n - strlen(of), "%s",
		    ui_settling(ui) ? ", reading what was given up"
				    : ", without what was given up");
	return (calls_names(ui->sums.shown, s, max));
}

const char *
functions_about(const struct ui *ui)
{
	return (sums_exact(ui) ? "" : "~");
}

bool
functions_prepare(struct ui *ui)
{
	return (
	    view_panel_whole(ui) || sums_prepare(ui, &ui->sums, UINT32_MAX));
}

static void
draw_head(struct ui *ui, struct canvas *c, const struct rect *r, int32_t y,
    const char *of)
{
	static const struct dock_head heads[] = { { COL_CALLS, "calls" },
		{ COL_TOTAL, "total ms" }, { COL_MEAN, "mean µs" },
		{ COL_MAX, "max µs" }, { COL_BLOCKED, "blocked" } };
	uint32_t pes = model_pes(ui->model);

	dock_heads(ui, c, r->x0, y, of, heads,
	    sizeof(heads) / sizeof(heads[0]));
	if (pes > 0)
		draw_text(c, FONT_SMALL, r->x0 + COL_PE, y, ui->palette->dim,
		    "time on PE 0–%" PRIu32, pes > 16 ? 15 : pes - 1);
}

static uint64_t
on_pes(const struct name_stats *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < 16; i++)
		sum += s->by_pe[i];
	return (sum);
}

/* Length: time of tasks, against the largest; parts: by PE. */
static void
draw_pes(struct canvas *c, const struct name_stats *s, uint64_t most, int32_t x,
    int32_t y, int32_t room)
{
	uint64_t sum = on_pes(s), at = 0;
	int32_t w;

	if (sum == 0 || room < 8)
		return;
	w = (int32_t)((double)room * (double)sum / (double)most);
	w = w < 2 ? 2 : w;
	for (unsigned i = 0; i < 16; i++) {
		uint64_t next = at + s->by_pe[i];
		int32_t a = (int32_t)((double)at / (double)sum * w);
		int32_t b = (int32_t)((double)next / (double)sum * w);

		canvas_fill(c, x + a, y, x + b - (b - a > 3), y + 8,
		    palette_pe(i));
		at = next;
	}
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct rect *r, int32_t y,
    const struct name_stats *s, uint64_t most)
{
	const struct palette *p = ui->palette;
	const char *name = label_name(ui->model, s->name);
	const char *about = functions_about(ui);
	double mean = s->calls > 0 ? (double)s->total_ns / (double)s->calls : 0;
	char num[32];

	canvas_fill(c, r->x0, y - 8, r->x0 + 8, y, palette_name(s->name, name));
	draw_cut(c, FONT_SMALL, r->x0 + 14, y, 150, p->text, name);
	spot_add(ui, r->x0, y - 10, r->x0 + 170, y + 4, "search %.38s", name);
	draw_right(c, FONT_SMALL, r->x0 + COL_CALLS, y, p->text, "%s%s", about,
	    format_count(num, sizeof(num), s->calls));
	draw_right(c, FONT_SMALL, r->x0 + COL_TOTAL, y, p->text, "%s%.3f",
	    about, (double)s->total_ns / 1e6);
	if (s->calls > 0) /* else they began before */
		draw_right(c, FONT_SMALL, r->x0 + COL_MEAN, y, p->text, "%.2f",
		    mean / 1e3);
	draw_right(c, FONT_SMALL, r->x0 + COL_MAX, y, p->text, "%.1f",
	    (double)s->max_ns / 1e3);
	draw_right(c, FONT_SMALL, r->x0 + COL_BLOCKED, y, p->text, "%d %%",
	    share_percent(s->blocked_ns, s->total_ns + s->blocked_ns));
	draw_pes(c, s, most, r->x0 + COL_PE, y - 8, r->x1 - r->x0 - COL_PE - 4);
}

void
functions_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct name_stats *s = calloc(NAMES_MAX, sizeof(*s));
	size_t n;
	uint64_t most = 0;
	char of[96];
	int32_t y = r->y0 + 16, rows = (r->y1 - y - 6) / ROW_PX;

	if (s == NULL)
		return;
	n = functions_of(ui, s, NAMES_MAX, of, sizeof(of));
	n = n > NAMES_MAX ? NAMES_MAX : n;
	qsort(s, n, sizeof(*s), by_total);
	for (size_t i = 0; i < n; i++)
		most = on_pes(&s[i]) > most ? on_pes(&s[i]) : most;
	draw_head(ui, c, r, y, of);
	if (n == 0)
		draw_text(c, FONT_SMALL, r->x0, y + 18, ui->palette->dim, "%s",
		    view_panel_whole(ui) ? "nothing with a name has run so far"
		    : ui->sums.busy      ? "adding up ..."
				    : "nothing with a name runs in this time");
	if (ui->dock_scroll > (int32_t)n - rows)
		ui->dock_scroll = (int32_t)n > rows ? (int32_t)n - rows : 0;
	y += 17;
	for (size_t i = (size_t)ui->dock_scroll; i < n && y < r->y1 - 2; i++) {
		draw_row(ui, c, r, y, &s[i], most);
		y += ROW_PX;
	}
	free(s);
}
