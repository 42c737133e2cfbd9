/*
 * The view Source, drawn: the lines of a file; in the gutter how long threads
 * were found in each, and what was called that is declared there.  The line
 * that was asked for is tinted, that of its declaration framed; names of what
 * has run have their colours, and a click follows them.
 */
#include <inttypes.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "layout/chart/table.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/source/source.h"
#include "ui/views/source/sourcecode.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define ROW_PX         15
#define LARGE_PX       200 /* from there on the chosen line has words of its own */
#define TAB            8
#define NAME_MAX_BYTES 40 /* that a click can follow */

const struct legend_row source_legend[] = {
	{ ITEM_RECT, LEGEND_STATE(running),
	    "time of a line, within its calls: running" },
	{ ITEM_HATCH, LEGEND_STATE(wait_lock), "within its calls: waiting" },
	{ ITEM_RECT, LEGEND_INK(warn),
	    "at the left: the function is called here" },
	{ ITEM_SQUARE_OPEN, LEGEND_INK(accent), "it is declared here" },
	{ ITEM_TEXT, LEGEND_NAMES_INK, 0, "a function that was recorded" },
	{ ITEM_TEXT, LEGEND_INK(dim), "a comment, a literal" },
	{ ITEM_RECT, LEGEND_INK(selection), "the chosen line" },
	{ 0 },
};

enum column {
	COLUMN_LINE,
	COLUMN_FOUND,
	COLUMN_WITHIN,
	COLUMN_CALLS,
	COLUMN_TOTAL,
	COLUMN_CODE,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_LINE] = { "line", 36, 0, 0, true, false },
	[COLUMN_FOUND] = { "found ms", 84, 0, 1, true, false },
	[COLUMN_WITHIN] = { "within ms", 60, 0, 4, true, false },
	[COLUMN_CALLS] = { "calls", 48, 0, 3, true, false },
	[COLUMN_TOTAL] = { "total ms", 84, 0, 2, true, false },
	[COLUMN_CODE] = { "", 380, 1, 0, false, false },
};

/* --- code --- */

struct writing {
	struct ui *ui;
	struct canvas *c;
	const struct source *s;
	int32_t x0, x1, y; /* px; y: baseline */
	int32_t x;
	int32_t column, pitch; /* of letters as wide as others */
};

/* Indents and wide gaps are columns of a text; all else flows. */
static void
write_space(struct writing *w, const char *s, size_t n)
{
	int32_t from = w->column, at;

	for (size_t i = 0; i < n; i++)
		w->column =
		    s[i] == '\t' ? (w->column / TAB + 1) * TAB : w->column + 1;
	w->x += text_width(FONT_SMALL, " ", 1);
	at = w->x0 + w->column * w->pitch;
	if ((from == 0 || w->column - from > 1) && at > w->x)
		w->x = at;
}

static uint32_t
colour_of(const struct writing *w, enum code_kind kind, const char *s, size_t n)
{
	const struct palette *p = w->ui->palette;
	char name[NAME_MAX_BYTES + 1];
	uint32_t called;

	if (kind == CODE_COMMENT || kind == CODE_TEXT)
		return (p->dim);
	if (kind != CODE_WORD || n > NAME_MAX_BYTES ||
	    (called = source_called(w->s, s, n)) == 0)
		return (p->text);
	memcpy(name, s, n);
	name[n] = '\0';
	spot_add(w->ui, w->x, w->y - 11, w->x + text_width(FONT_SMALL, s, n),
	    w->y + 4, "source %s", name);
	return (palette_ink(p, palette_of_name(w->ui->model, called)));
}

static void
write_line(struct writing *w, const char *s, size_t n, bool comment)
{
	enum code_kind kind;

	while (n > 0 && w->x < w->x1) {
		size_t k = code_piece(s, n, &comment, &kind), fits;
		int32_t used;

		if (kind == CODE_SPACE) {
			write_space(w, s, k);
		} else {
			uint32_t rgb = colour_of(w, kind, s, k);

			fits = text_fits(FONT_SMALL, s, k, w->x1 - w->x, &used);
			canvas_text(w->c, FONT_SMALL, w->x, w->y, rgb, s, fits);
			w->x = fits < k ? w->x1 : w->x + used;
			w->column += (int32_t)k;
		}
		s += k;
		n -= k;
	}
}

/* --- the gutter --- */

static void
bar(struct canvas *c, const struct table_place *at, int32_t y,
    const struct part *part, size_t n, double most)
{
	struct axis a = { 0, most > 0 ? most : 1, at->x0, at->x1, AXIS_LINEAR,
		AXIS_NS };
	struct scene s = { 0 };

	if (at->x1 - at->x0 < 8)
		return;
	bar_scene(&a, y + 2, y + 4, part, n, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
}

static void
draw_gutter(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct source_sums *sums, const struct source_line *l)
{
	const struct palette *p = ui->palette;
	const struct part found = { (double)l->self_ns, p->state[LANE_running],
		false };
	const struct part total[] = { { (double)(l->calls_ns - l->waits_ns),
					  p->state[LANE_running], false },
		{ (double)l->waits_ns, p->state[LANE_wait_lock], true } };
	const char *about = functions_about(ui);
	char num[32];

	if (l->samples > 0) {
		cell_text(c, t, columns, COLUMN_FOUND, y, p->text, "%.3f",
		    (double)l->self_ns / 1e6);
		bar(c, &t->place[COLUMN_FOUND], y, &found, 1,
		    (double)sums->most_ns);
	}
	if (l->within > 0)
		cell_text(c, t, columns, COLUMN_WITHIN, y, p->dim, "%.3f",
		    (double)l->total_ns / 1e6);
	if (l->calls == 0 && l->calls_ns == 0)
		return;
	cell_text(c, t, columns, COLUMN_CALLS, y, p->text, "%s%s", about,
	    format_count(num, sizeof(num), l->calls));
	cell_text(c, t, columns, COLUMN_TOTAL, y, p->text, "%s%.3f", about,
	    (double)l->calls_ns / 1e6);
	bar(c, &t->place[COLUMN_TOTAL], y, total, 2,
	    (double)sums->most_calls_ns);
}

/* The function is called from this line. */
static bool
is_site(const struct ui *ui, const struct source *s, uint32_t line)
{
	for (size_t i = 0; i < s->sites.n; i++)
		if (s->sites.site[i].line == line &&
		    !s->sites.site[i].declared &&
		    source_same(ui->model, s->sites.site[i].name, s->file,
			s->program))
			return (true);
	return (false);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct source *s, uint32_t line)
{
	const struct palette *p = ui->palette;
	const struct table_place *code = &t->place[COLUMN_CODE];
	const struct source_line *l = source_line_at(&s->sums, line);
	struct rect frame = { code->x0 - 4, y - 12, code->x1, y + 4 };
	struct writing w = { .ui = ui,
		.c = c,
		.s = s,
		.x0 = code->x0,
		.x1 = code->x1,
		.x = code->x0,
		.y = y };
	const char *text;
	size_t n;

	w.pitch = text_width(FONT_SMALL, "nnnn", 4) / 5;
	if (line == s->line) {
		canvas_fill(c, t->place[0].x0 - 4, y - 11, code->x1, y + 4,
		    p->selection);
		canvas_fill(c, t->place[0].x0 - 4, y - 11, t->place[0].x0 - 1,
		    y + 4, p->accent);
	}
	if (is_site(ui, s, line))
		canvas_fill(c, t->place[0].x0 - 4, y - 11, t->place[0].x0 - 1,
		    y + 4, line == s->line ? p->accent : p->warn);
	if (line == s->declared)
		draw_frame(c, &frame, p->accent);
	cell_text(c, t, columns, COLUMN_LINE, y,
	    line == s->line ? p->text : p->dim, "%" PRIu32, line);
	spot_add(ui, t->place[0].x0 - 4, y - 11, code->x0 - 4, y + 4,
	    "source :%" PRIu32, line);
	if (l != NULL)
		draw_gutter(ui, c, t, y, &s->sums, l);
	text = source_text_line(&s->text, line, &n);
	write_line(&w, text, n, s->text.comment[line - 1] != 0);
}

/* --- all of it --- */

static void
draw_nothing(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct source *s = source_get(ui);
	char why[256];

	snprintf(why, sizeof(why), "%s",
	    "nothing is selected that the log has a place of");
	if (s != NULL && s->nowhere != 0)
		snprintf(why, sizeof(why),
		    "the log does not say where %.100s is",
		    label_name(ui->model, s->nowhere));
	words_empty(ui, c, r, why,
	    "select a call, a task or a lock in any view, then S; or type\n"
	    "    source NAME\n"
	    "    source FILE:LINE\n"
	    "programs have places when they are compiled with -g");
}

/* It is not where it was when it was built. */
static void
draw_missing(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct source *s)
{
	const struct palette *p = ui->palette;
	char why[SOURCE_PATH_BYTES + 64];
	int32_t x, y = r->y0 + 16;

	snprintf(why, sizeof(why), "%s:%" PRIu32 " %s", s->file, s->line,
	    s->why);
	draw_cut_middle(c, FONT_SMALL, r->x0, y, r->x1 - r->x0, p->text, why);
	if (s->at[0] != '\0' && strcmp(s->at, s->file) != 0) {
		snprintf(why, sizeof(why), "what is at %s", s->at);
		draw_cut_middle(c, FONT_SMALL, r->x0, y += 16, r->x1 - r->x0,
		    p->dim, why);
	}
	x = draw_text(c, FONT_SMALL, r->x0, y + 20, p->accent,
	    "say in which folder its sources are ...");
	spot_add(ui, r->x0, y + 8, x, y + 24, "prompt > source-path ");
	y += 40;
	if (source_line_words(ui, &s->sums, s->line, why, sizeof(why))[0] !=
	    '\0')
		draw_cut(c, FONT_SMALL, r->x0, y, r->x1 - r->x0, p->dim, why);
}

/* A word that does something; returns the px before it. */
static int32_t
draw_link(struct ui *ui, struct canvas *c, int32_t x1, int32_t y,
    const char *word, const char *command)
{
	int32_t px = text_width(FONT_SMALL, word, strlen(word));

	draw_right(c, FONT_SMALL, x1, y, ui->palette->accent, "%s", word);
	spot_add(ui, x1 - px - 4, y - 12, x1 + 4, y + 5, "%s", command);
	return (x1 - px - 16);
}

/* From where the function is called: a click goes there. */
static int32_t
draw_sites(struct ui *ui, struct canvas *c, const struct rect *r, int32_t y,
    const struct source *s)
{
	const struct palette *p = ui->palette;
	char words[256], span[32], more[128];
	int32_t x, px;

	if (s->sites.n == 0)
		return (y);
	x = draw_text(c, FONT_SMALL, r->x0, y, p->dim, "%.60s is called from",
	    label_name(ui->model, s->of_sites));
	for (size_t i = 0; i < s->sites.n; i++) {
		const struct source_site *k = &s->sites.site[i];

		source_site_words(ui, k, words, 60);
		if (k->calls > 0 && k->n == 0)
			snprintf(more, sizeof(more), " ×%s",
			    format_count(span, sizeof(span), k->calls));
		else
			snprintf(more, sizeof(more), " %s%s",
			    k->declared ? "calls " : "",
			    format_span(span, sizeof(span), k->ns));
		px = text_width(FONT_SMALL, words, strlen(words)) +
		     text_width(FONT_SMALL, more, strlen(more));
		if (x + 12 + px > r->x1 - 40) {
			draw_text(c, FONT_SMALL, x + 12, y, p->dim, "and %zu",
			    s->sites.all - i);
			break;
		}
		px = draw_text(c, FONT_SMALL, x + 12, y,
		    s->site == i + 1 ? p->text : p->accent, "%s", words);
		px = draw_text(c, FONT_SMALL, px, y, p->dim, "%s", more);
		spot_add(ui, x + 8, y - 12, px + 4, y + 4, "called-from %zu",
		    i + 1);
		x = px;
	}
	return (y + 16);
}

/* Which file it is; returns the px below. */
static int32_t
draw_head(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct source *s)
{
	const struct palette *p = ui->palette;
	int32_t x1 = r->x1, y = r->y0 + 12, x;
	char words[512], doubt[160];
	size_t known;

	x1 = draw_link(ui, c, x1, y, "edit", "edit");
	if (s->sites.n > 0)
		x1 = draw_link(ui, c, x1, y, "called from", "called-from");
	if (s->of_sites != 0)
		x1 = draw_link(ui, c, x1, y, "declared", "declared");
	source_doubt(ui, s, doubt, sizeof(doubt));
	snprintf(words, sizeof(words), "%" PRIu32 " lines", s->text.lines);
	if (doubt[0] != '\0')
		snprintf(words, sizeof(words), "%s", doubt);
	x = text_width(FONT_SMALL, words, strlen(words));
	x = x > (x1 - r->x0) / 2 ? (x1 - r->x0) / 2 : x;
	draw_cut(c, FONT_SMALL, x1 - x, y, x + 1,
	    doubt[0] != '\0' ? p->warn : p->dim, words);
	draw_cut_middle(c, FONT_SMALL, r->x0, y, x1 - x - 14 - r->x0, p->text,
	    s->text.path);
	if (r->y1 - r->y0 < LARGE_PX)
		return (y + 4);
	snprintf(words, sizeof(words), "%" PRIu32 ": ", s->line);
	known = strlen(words);
	source_line_words(ui, &s->sums, s->line, words + known,
	    sizeof(words) - known);
	if (s->line > 0 && words[known] != '\0')
		draw_cut(c, FONT_SMALL, r->x0, y + 16, r->x1 - r->x0, p->dim,
		    words);
	return (draw_sites(ui, c, r, y + 32, s) - 10);
}

static void
draw_titles(const struct ui *ui, struct canvas *c, const struct table *t)
{
	for (size_t i = 0; i < COLUMN_CODE; i++)
		if (t->place[i].x1 > t->place[i].x0)
			draw_right(c, FONT_SMALL, t->place[i].x1,
			    t->head_y + 10, ui->palette->dim, "%s",
			    columns[i].title);
}

void
source_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column own[COLUMNS];
	struct source *s;
	struct table t;
	int32_t top;

	if (!source_ready(ui)) {
		draw_nothing(ui, c, r);
		return;
	}
	s = source_get(ui);
	if (s->text.bytes == NULL) {
		draw_missing(ui, c, r, s);
		return;
	}
	top = draw_head(ui, c, r, s);
	memcpy(own, columns, sizeof(own));
	own[COLUMN_FOUND].hidden = own[COLUMN_WITHIN].hidden = !s->sums.sampled;
	own[COLUMN_CALLS].hidden = own[COLUMN_TOTAL].hidden =
	    s->sums.most_calls_ns == 0;
	table_fit(&t, own, COLUMNS, (int32_t)s->text.lines,
	    (int32_t)source_first(ui, s, (r->y1 - top) / ROW_PX - 1) - 1,
	    r->x0 + 4, top, r->x1, r->y1, ROW_PX);
	ui->lists.scroll[VIEW_SOURCE] = t.first;
	s->rows = t.shown;
	draw_titles(ui, c, &t);
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i), s,
		    (uint32_t)(t.first + i) + 1);
}
