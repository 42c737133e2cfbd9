/*
 * The tables of the view Path: what the critical path was in, and what all
 * threads waited for.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/views/cells.h"
#include "ui/views/path/pathview.h"
#include "ui/views/view.h"

#define PARTS 256 /* of which the longest name is sought */

enum part_column {
	PART_NAME,
	PART_BAR,
	PART_NS,
	PART_SHARE,
	PART_ALL,
	PART_LANE,
	PART_COLUMNS
};
static const struct table_column part_columns[PART_COLUMNS] = {
	[PART_NAME] = { "on the path, by function", 160, 0, 0, false, false },
	[PART_BAR] = { "", 50, 1, 4, false, false },
	[PART_NS] = { "time", 66, 0, 0, true, false },
	[PART_SHARE] = { "of the path", 64, 0, 1, true, false },
	[PART_ALL] = { "of all its time", 84, 0, 2, false, false },
	[PART_LANE] = { "mostly in", 150, 2, 3, false, false },
};

enum wait_column {
	WAITED_KIND,
	WAITED_NS,
	WAITED_TIMES,
	WAITED_BAR,
	WAITED_AT,
	WAITED_BY,
	WAITED_COLUMNS
};
static const struct table_column wait_columns[WAITED_COLUMNS] = {
	[WAITED_KIND] = { "all threads waited for", 140, 0, 0, false, false },
	[WAITED_NS] = { "time", 66, 0, 0, true, false },
	[WAITED_TIMES] = { "times", 50, 0, 2, true, false },
	[WAITED_BAR] = { "", 60, 1, 5, false, false },
	[WAITED_AT] = { "costs most in", 130, 0, 3, false, false },
	[WAITED_BY] = { "caused most by", 170, 1, 1, false, false },
};
static const uint8_t wait_class[CRITICAL_WAITS] = { LANE_wait_message,
	LANE_wait_sync, LANE_wait_lock, LANE_wait_sync, LANE_wait_rpc,
	LANE_wait_message, LANE_idle };

double
path_percent(int64_t ns, int64_t of)
{
	return (of > 0 ? 100.0 * (double)ns / (double)of : 0);
}

/* --- by function --- */

char *
path_part_name(const struct ui *ui, const struct critical_part *p, char *buf,
    size_t n)
{
	if (p->class == LANE_running && p->name != 0)
		return ((
		    char *)label_function(ui->model, p->name, p->kind, buf, n));
	if (p->class == LANE_idle)
		snprintf(buf, n, "nothing told");
	else if (p->name != 0)
		snprintf(buf, n, "%s: %s", label_class(p->class),
		    label_name(ui->model, p->name));
	else
		snprintf(buf, n, "%s", label_class(p->class));
	return (buf);
}

static uint32_t
part_rgb(const struct ui *ui, const struct critical_part *p)
{
	if (p->class == LANE_idle)
		return (ui->palette->faint);
	return (p->class == LANE_running && p->name != 0
		    ? palette_of_name(ui->model, p->name)
		    : ui->palette->state[p->class]);
}

static void
bar(struct canvas *c, const struct table_place *at, int32_t y, double share,
    uint32_t rgb)
{
	int32_t w = at->x1 - at->x0;

	if (w > 4 && share > 0)
		canvas_fill(c, at->x0, y - 8,
		    at->x0 + 1 + (int32_t)((double)(w - 1) * share), y, rgb);
}

static void
draw_part(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct critical_part *p, int64_t most, int64_t length)
{
	const struct palette *pal = ui->palette;
	const struct table_place *all = &t->place[PART_ALL];
	int64_t all_ns = p->all_ns;
	char text[200], span[32];
	double share;

	cell_name(c, t, y, pal->text, part_rgb(ui, p),
	    path_part_name(ui, p, text, sizeof(text)));
	if (p->name != 0 && p->class == LANE_running)
		spot_add(ui, t->place[0].x0, y - 13, t->place[PART_NS].x1,
		    y + 5, "find \"%.60s\"", label_name(ui->model, p->name));
	bar(c, &t->place[PART_BAR], y, (double)p->ns / (double)most,
	    part_rgb(ui, p));
	cell_text(c, t, part_columns, PART_NS, y, pal->text, "%s",
	    format_span(span, sizeof(span), p->ns));
	cell_text(c, t, part_columns, PART_SHARE, y, pal->text, "%.1f %%",
	    path_percent(p->ns, length));
	if (all_ns > 0 && all->x1 - all->x0 > 60) {
		struct table_place at = { all->x0, all->x1 - 36 };

		share = (double)p->ns / (double)all_ns;
		share = share > 1 ? 1 : share;
		canvas_fill(c, at.x0, y - 8, at.x1, y, pal->line);
		bar(c, &at, y, share, pal->accent);
		draw_right(c, FONT_SMALL, all->x1, y, pal->dim, "%.0f %%",
		    100 * share);
	}
	if (p->lane == UINT32_MAX)
		return;
	cell_text(c, t, part_columns, PART_LANE, y, pal->dim, "%s %.0f %%",
	    label_where(ui, p->lane, INT64_MIN, text, sizeof(text)),
	    path_percent(p->lane_ns, p->ns));
	spot_add(ui, t->place[PART_LANE].x0, y - 13, t->place[PART_LANE].x1,
	    y + 5, "select-row %" PRIu32, p->lane);
}

void
path_parts(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct critical *k = path_shown(ui);
	const struct critical_part *p;
	size_t n = critical_parts(k, &p);
	struct table_column own[PART_COLUMNS];
	int32_t px, longest = 0;
	int64_t t0, t1;
	struct table t;
	char name[200];

	critical_range(k, &t0, &t1);
	for (size_t i = 0; i < n && i < PARTS; i++) {
		px = cells_name_px(
		    path_part_name(ui, &p[i], name, sizeof(name)));
		longest = px > longest ? px : longest;
	}
	memcpy(own, part_columns, sizeof(own));
	cells_widen(own, longest, r->x1 - r->x0);
	table_fit(&t, own, PART_COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_PATH], r->x0, r->y0, r->x1, r->y1,
	    PATH_ROW_PX);
	ui->lists.scroll[VIEW_PATH] = t.first;
	cells_head(c, ui->palette, &t, part_columns, "");
	for (int32_t i = 0; i < t.shown; i++)
		draw_part(ui, c, &t, cells_y(&t, i) + 2, &p[t.first + i],
		    p[0].ns, t1 - t0);
}

/* --- waits --- */

char *
path_by_words(const struct ui *ui, const struct critical_waited *w, char *buf,
    size_t n)
{
	char who[200];

	buf[0] = '\0';
	if (w->by == UINT32_MAX)
		return (buf);
	label_where(ui, w->by, INT64_MIN, who, sizeof(who));
	snprintf(buf, n, "%s%s%s, %.0f %%", who, w->by_name != 0 ? " in " : "",
	    w->by_name != 0 ? label_name(ui->model, w->by_name) : "",
	    path_percent(w->by_ns, w->ns));
	return (buf);
}

static void
draw_wait(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    unsigned what, const struct critical_waited *w, int64_t most)
{
	const struct palette *pal = ui->palette;
	uint32_t rgb = what == CRITICAL_RECEIVER ? pal->faint
						 : pal->state[wait_class[what]];
	char text[320], span[32], n[32];

	cell_name(c, t, y, pal->text, rgb, path_wait_word[what]);
	cell_text(c, t, wait_columns, WAITED_NS, y,
	    w->ns > 0 ? pal->text : pal->dim, "%s",
	    w->ns > 0 ? format_span(span, sizeof(span), w->ns) : "–");
	if (w->ns == 0)
		return;
	cell_text(c, t, wait_columns, WAITED_TIMES, y, pal->text, "%s",
	    format_count(n, sizeof(n), w->times));
	bar(c, &t->place[WAITED_BAR], y,
	    most > 0 ? (double)w->ns / (double)most : 0, rgb);
	cell_text(c, t, wait_columns, WAITED_AT, y, pal->text, "%s %.0f %%",
	    w->at != 0 ? label_name(ui->model, w->at) : "outside of calls",
	    path_percent(w->at_ns, w->ns));
	if (w->at != 0)
		spot_add(ui, t->place[WAITED_AT].x0, y - 13,
		    t->place[WAITED_AT].x1, y + 5, "find \"%.60s\"",
		    label_name(ui->model, w->at));
	if (w->by != UINT32_MAX)
		spot_add(ui, t->place[WAITED_BY].x0, y - 13,
		    t->place[WAITED_BY].x1, y + 5, "select-row %" PRIu32,
		    w->by);
	cell_text(c, t, wait_columns, WAITED_BY, y, pal->text, "%s",
	    what == CRITICAL_RECEIVER
		? "messages that lay: nobody waited"
		: path_by_words(ui, w, text, sizeof(text)));
}

void
path_waits(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct critical *k = path_shown(ui);
	struct critical_waited w[CRITICAL_WAITS];
	int64_t most = 0;
	struct table t;

	for (int i = 0; i < CRITICAL_WAITS; i++) {
		critical_waited(k, i, &w[i]);
		most = w[i].ns > most ? w[i].ns : most;
	}
	table_fit(&t, wait_columns, WAITED_COLUMNS, CRITICAL_WAITS, 0, r->x0,
	    r->y0, r->x1, r->y1, PATH_ROW_PX);
	cells_head(c, ui->palette, &t, wait_columns, "");
	for (int32_t i = 0; i < t.shown; i++)
		draw_wait(ui, c, &t, cells_y(&t, i) + 2, (unsigned)i, &w[i],
		    most);
}
