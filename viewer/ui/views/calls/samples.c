/*
 * Samples: where threads were found in the panels' range, as a table of
 * functions with the processor time that samples stand for, and as shares of
 * all of it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/measured/samples.h"
#include "ui/draw/draw.h"
#include "ui/views/calls/sampled.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX     15
#define NAME_BYTES 192

const struct legend_row samples_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a function that a thread was found in: its own colour; the bar: "
	    "how often" },
	{ 0 },
};

enum column {
	COLUMN_NAME,
	COLUMN_SELF,
	COLUMN_SELF_SHARE,
	COLUMN_TOTAL,
	COLUMN_TOTAL_SHARE,
	COLUMN_SAMPLES,
	COLUMN_BAR,
	COLUMNS
};
static const struct table_column places[COLUMNS] = {
	[COLUMN_NAME] = { "function", 170, 0, 0, false, false },
	[COLUMN_SELF] = { "self ms", 72, 0, 0, true, false },
	[COLUMN_SELF_SHARE] = { "share", 54, 0, 0, true, false },
	[COLUMN_TOTAL] = { "total ms", 72, 0, 1, true, false },
	[COLUMN_TOTAL_SHARE] = { "share", 54, 0, 1, true, false },
	[COLUMN_SAMPLES] = { "samples", 60, 0, 2, true, false },
	[COLUMN_BAR] = { "", 60, 1, 3, false, false },
};

static double
percent(uint64_t part, uint64_t whole)
{
	return (whole == 0 ? 0 : 100 * (double)part / (double)whole);
}

/* What is found at the last instant belongs to it. */
static bool
range_of(const struct ui *ui, int64_t *t0, int64_t *t1)
{
	if (!figures_range(ui, t0, t1))
		return (false);
	*t1 += *t1 >= model_last_ns(ui->model) || *t1 == ui->play.head_mon_ns;
	return (true);
}

static void
draw_nothing(struct ui *ui, struct canvas *c, const struct rect *r)
{
	static const char *const words[] = {
		"nobody looks where threads are; somebody does, so often in a "
		"second, when the cluster file says",
		"    sample: 999",
	};

	if (model_samples(ui->model) > 0) {
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16, r->x1 - r->x0,
		    ui->palette->dim, "no thread was found in this time");
		return;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16 + 16 * (int32_t)i,
		    r->x1 - r->x0, ui->palette->dim, words[i]);
}

/* By itself solid, with what it called light, against all of it. */
static void
draw_bar(const struct ui *ui, struct canvas *c, const struct table_place *at,
    int32_t y, const struct sampled_row *s, uint64_t all_ns, uint32_t rgb)
{
	int32_t w = at->x1 - at->x0 - 4;
	double all = all_ns == 0 ? 1 : (double)all_ns;

	if (w < 8)
		return;
	canvas_fill(c, at->x0, y - 8,
	    at->x0 + (int32_t)((double)w * (double)s->total_ns / all + 0.5), y,
	    ui->palette->line);
	canvas_fill(c, at->x0, y - 8,
	    at->x0 + (int32_t)((double)w * (double)s->self_ns / all + 0.5), y,
	    rgb);
}

/* Its name; where others are called alike, the program that it is in, too. */
static const char *
label(const struct sampled *all, const struct sampled_row *s, char *buf,
    size_t n)
{
	bool alike = false;
	size_t at;

	for (size_t i = 0; i < all->n && !alike; i++) {
		const struct sampled_row *o = &all->rows[i];

		alike =
		    o != s && o->function_bytes == s->function_bytes &&
		    memcmp(o->function, s->function, s->function_bytes) == 0 &&
		    (s->function_bytes > 0 ||
			(o->code_bytes == s->code_bytes &&
			    memcmp(o->code, s->code, s->code_bytes) == 0)) &&
		    strcmp(o->program, s->program) != 0;
	}
	sampled_name(s, buf, n);
	at = strlen(buf);
	if (alike && s->program[0] != '\0' && at < n)
		snprintf(buf + at, n - at, " (%s)", s->program);
	return (buf);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct sampled *all, const struct sampled_row *s)
{
	const struct palette *p = ui->palette;
	const struct table_place *at = t->place;
	char name[NAME_BYTES], own[NAME_BYTES], num[32];
	uint64_t all_ns = all->cpu_ns;
	uint32_t rgb;

	sampled_name(s, name, sizeof(name));
	rgb = palette_of(ui->model, s->name, name);
	cell_name(c, t, y, p->text, rgb, label(all, s, own, sizeof(own)));
	spot_add(ui, at->x0, y - 10, at->x1, y + 4, "search %.38s", name);
	cell_text(c, t, places, COLUMN_SELF, y, p->text, "%.3f",
	    (double)s->self_ns / 1e6);
	cell_text(c, t, places, COLUMN_SELF_SHARE, y, p->text, "%.1f %%",
	    percent(s->self_ns, all_ns));
	cell_text(c, t, places, COLUMN_TOTAL, y, p->text, "%.3f",
	    (double)s->total_ns / 1e6);
	cell_text(c, t, places, COLUMN_TOTAL_SHARE, y, p->text, "%.1f %%",
	    percent(s->total_ns, all_ns));
	cell_text(c, t, places, COLUMN_SAMPLES, y, p->dim, "%s",
	    format_count(num, sizeof(num), s->samples));
	draw_bar(ui, c, &at[COLUMN_BAR], y, s, all_ns, rgb);
}

/* Not which are called alike: of very many that would take its time. */
static int32_t
longest(const struct sampled *s)
{
	char name[NAME_BYTES];
	int32_t most = 0, px;
	size_t at;

	for (size_t i = 0; i < s->n; i++) {
		sampled_name(&s->rows[i], name, sizeof(name));
		at = strlen(name);
		if (strcmp(s->rows[i].program, s->rows[0].program) != 0)
			snprintf(name + at, sizeof(name) - at, " (%s)",
			    s->rows[i].program);
		px = cells_name_px(name);
		most = px > most ? px : most;
	}
	return (most);
}

void
samples_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column columns[COLUMNS];
	struct sampled s = { 0 };
	int64_t t0, t1;
	struct table t;
	char of[64];

	if (range_of(ui, &t0, &t1))
		sampled_sum(ui->model, t0, t1, &s);
	if (s.samples == 0) {
		draw_nothing(ui, c, r);
		sampled_free(&s);
		return;
	}
	memcpy(columns, places, sizeof(columns));
	cells_widen(columns, longest(&s), r->x1 - r->x0);
	table_fit(&t, columns, COLUMNS, (int32_t)s.n,
	    ui->lists.scroll[VIEW_SAMPLES], r->x0, r->y0 + 6, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_SAMPLES] = t.first;
	snprintf(of, sizeof(of), "%s",
	    figures_whole(ui) ? "of the whole run" : "in this time");
	cells_head(c, ui->palette, &t, places, of);
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i), &s, &s.rows[t.first + i]);
	sampled_free(&s);
}

void
samples_describe(struct ui *ui, FILE *f)
{
	struct sampled s = { 0 };
	char name[NAME_BYTES];
	int64_t t0, t1;

	if (range_of(ui, &t0, &t1))
		sampled_sum(ui->model, t0, t1, &s);
	fprintf(f,
	    "samples: %" PRIu64 ", of %" PRIu64 " ns of processor time, "
	    "nowhere %" PRIu64 "\n",
	    s.samples, s.cpu_ns, s.nowhere);
	for (size_t i = 0; i < s.n; i++) {
		const struct sampled_row *r = &s.rows[i];

		fprintf(f,
		    "  found in %s (%.*s, %s): %" PRIu64 " samples, %" PRIu64
		    " ns; within %" PRIu64 ", %" PRIu64 " ns\n",
		    sampled_name(r, name, sizeof(name)), (int)r->code_bytes,
		    r->code, r->program, r->samples, r->self_ns, r->within,
		    r->total_ns);
	}
	sampled_free(&s);
}
