/*
 * The view Memory: what each process has in use over the run, sums, and a table
 * of the places where it was asked for.  Where there is room, what was freed by
 * another thread stands below; in the dock the curve stands beside the table.
 */
#include "memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/cells.h"
#include "ui/views/view.h"

#define ROW_PX        15
#define LARGE_PX      240 /* of height: curve and sums stand above the table */
#define CURVE_MAX     180
#define WIDE_PX       480 /* a curve has room beside the table */
#define NARROW_PX     300 /* names give way to figures */
#define NAME_LEAST_PX 80
#define SUMS_PX       34
#define SUM_PX        96 /* of one of them */
#define PAIRS_ROWS    6
#define PAIRS_PX      (ROW_PX * (PAIRS_ROWS + 2))
#define PAIR_PX       250
#define SPARK_PX      11
#define HINT_MORE     200

enum column {
	COLUMN_NAME,
	COLUMN_MADE,
	COLUMN_ASKED,
	COLUMN_GIVEN,
	COLUMN_LIVE,
	COLUMN_BYTES,
	COLUMN_SPARK,
	COLUMN_OWNERS,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_NAME] = { "place", 130, 2, 0, false, false },
	[COLUMN_MADE] = { "pieces", 56, 0, 1, true, false },
	[COLUMN_ASKED] = { "asked", 62, 0, 2, true, false },
	[COLUMN_GIVEN] = { "given", 62, 0, 4, true, false },
	[COLUMN_LIVE] = { "live", 56, 0, 0, true, false },
	[COLUMN_BYTES] = { "live bytes", 70, 0, 0, true, false },
	[COLUMN_SPARK] = { "live bytes over the run", 120, 1, 3, false, false },
	[COLUMN_OWNERS] = { "owners", 110, 0, 5, false, false },
};

static int32_t
draw_sum(struct ui *ui, struct canvas *c, int32_t x, int32_t y,
    const char *what, const char *value, uint32_t rgb)
{
	int32_t end, w;

	end = draw_text(c, FONT_SMALL, x, y + 10, ui->palette->dim, "%s", what);
	w = draw_text(c, FONT_NORMAL, x, y + 26, rgb, "%s", value);
	end = end > w ? end : w;
	return (end - x > SUM_PX - 14 ? end + 14 : x + SUM_PX);
}

/* The figures between curve and table; those without room are left out. */
static void
draw_totals(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct heap_totals *t = heap_sums_totals(memory_shown(ui));
	const struct palette *p = ui->palette;
	const char *about = t->has_picked ? "~" : "";
	char v[7][40];
	int32_t x = r->x0;
	double made =
	    t->has_pieces || t->has_picked ? t->made : (double)t->counted;
	uint64_t nulls = t->has_pieces ? t->nulls : t->counted_nulls;
	struct {
		const char *what, *value;
		uint32_t rgb;
		bool there;
	} sums[] = {
		{ "most at once", v[0], p->text, true },
		{ "at the end", v[1], p->text, true },
		{ "pieces made", v[2], p->text, true },
		{ run_grows(ui) || ui->play.head_mon_ns != INT64_MAX
			? "not yet freed"
			: "never freed",
		    v[3], t->live > 0 ? p->warn : p->text,
		    t->has_pieces || t->has_picked },
		{ "freed by another thread", v[4], p->text, t->has_pieces },
		{ "free(NULL)", v[5], p->text, true },
	};

	format_bytes(v[0], sizeof(v[0]), t->most > 0 ? (uint64_t)t->most : 0);
	format_bytes(v[1], sizeof(v[1]),
	    t->in_use > 0 ? (uint64_t)t->in_use : 0);
	snprintf(v[2], sizeof(v[2]), "%s%s", about,
	    format_count(v[6], sizeof(v[6]), (uint64_t)made));
	snprintf(v[3], sizeof(v[3]), "%s%s", about,
	    format_count(v[6], sizeof(v[6]), (uint64_t)t->live));
	format_count(v[4], sizeof(v[4]), t->elsewhere);
	format_count(v[5], sizeof(v[5]), nulls);
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		if (sums[i].there && x + SUM_PX <= r->x1)
			x = draw_sum(ui, c, x, r->y0, sums[i].what,
			    sums[i].value, sums[i].rgb);
	memory_nodes(ui, c, x, r);
}

static void
draw_spark(struct canvas *c, const struct table_place *at, int32_t y,
    const struct heap_place *p, uint32_t rgb)
{
	int32_t px = at->x1 - at->x0;
	float most = 1;

	for (unsigned i = 0; i < HEAP_SPARK; i++)
		most = p->spark[i] > most ? p->spark[i] : most;
	for (int32_t x = 0; x < px; x++) {
		float v = p->spark[(int64_t)x * HEAP_SPARK / px];
		int32_t h = (int32_t)(v * SPARK_PX / most + 0.5f);

		if (v > 0)
			canvas_fill(c, at->x0 + x, y - (h > 0 ? h : 1),
			    at->x0 + x + 1, y, rgb);
	}
}

/* The stack, a line a caller, and who has live ones. */
static void
hint_place(struct ui *ui, const struct rect *r, const struct heap_place *p)
{
	const char *rest = label_name(ui->model, p->name);
	char text[1024], part[MEMORY_PLACE_BYTES], who[MEMORY_WHO_BYTES];
	size_t n = (size_t)snprintf(text, sizeof(text), "%s",
	    memory_place(ui, p->name, part));

	while (n < sizeof(text) - HINT_MORE &&
	       memory_caller(ui, &rest, part) != NULL)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "\nfrom %s",
		    part);
	for (uint32_t i = 0; i < p->owners && n < sizeof(text) - HINT_MORE; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
		    i == 0 ? "\nof " : ", ", memory_who(ui, p->owner[i], who));
	if (memory_only_grows(p))
		snprintf(text + n, sizeof(text) - n,
		    "\nonly grows: nothing of it was freed");
	hint_add(ui, r->x0, r->y0, r->x1, r->y1, "%s", text);
}

static void
draw_owners(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct heap_place *p)
{
	char text[160] = "", who[MEMORY_WHO_BYTES];
	size_t n = 0;

	for (uint32_t i = 0; i < p->owners && n < sizeof(text) - 40; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.32s",
		    i == 0 ? "" : ", ", memory_who(ui, p->owner[i], who));
	cell_text(c, t, columns, COLUMN_OWNERS, y, ui->palette->dim, "%s",
	    text);
}

static void
draw_place(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct heap_place *p)
{
	const struct palette *pal = ui->palette;
	uint32_t rgb = memory_only_grows(p) ? pal->warn : pal->text;
	const char *about = p->picked ? "~" : "";
	const double of[] = { [COLUMN_MADE] = p->made,
		[COLUMN_ASKED] = p->asked,
		[COLUMN_GIVEN] = p->given,
		[COLUMN_LIVE] = p->live,
		[COLUMN_BYTES] = p->live_bytes };
	struct rect row = { t->place[0].x0, y - 10, t->place[COLUMN_BYTES].x1,
		y - 10 + t->row_px };
	char text[MEMORY_PLACE_BYTES];

	cell_text(c, t, columns, COLUMN_NAME, y, rgb, "%s",
	    memory_place(ui, p->name, text));
	for (size_t i = COLUMN_MADE; i <= COLUMN_BYTES; i++) {
		uint64_t v = of[i] > 0 ? (uint64_t)of[i] : 0;

		if (i == COLUMN_MADE || i == COLUMN_LIVE)
			format_count(text, sizeof(text), v);
		else
			format_bytes(text, sizeof(text), v);
		cell_text(c, t, columns, i, y, rgb, "%s%s", about, text);
	}
	if (t->place[COLUMN_SPARK].x1 > t->place[COLUMN_SPARK].x0)
		draw_spark(c, &t->place[COLUMN_SPARK], y, p,
		    memory_only_grows(p) ? pal->warn : pal->dim);
	draw_owners(ui, c, t, y, p);
	if (hint_wanted(ui, row.x0, row.y0, row.x1, row.y1))
		hint_place(ui, &row, p);
}

static void
draw_table(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct heap_place *p;
	size_t n = heap_sums_places(memory_shown(ui), &p);
	struct table_column own[COLUMNS];
	struct table t;
	struct rect at = *r;

	if (model_heap_cut(ui->model)) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->warn,
		    "the later part of the run is not in here: it had more "
		    "events of memory than are kept");
		at.y0 += ROW_PX;
	}
	if (n == 0) {
		draw_text(c, FONT_SMALL, at.x0, at.y0 + 10, ui->palette->dim,
		    "threads have counted, no single pieces are known: "
		    "`run --memory all' tells where");
		return;
	}
	memcpy(own, columns, sizeof(own));
	if (r->x1 - r->x0 < NARROW_PX)
		own[COLUMN_NAME].px = NAME_LEAST_PX;
	table_fit(&t, own, COLUMNS, (int32_t)n, ui->lists.scroll[VIEW_MEMORY],
	    at.x0, at.y0, cells_x1(&at), at.y1, ROW_PX);
	ui->lists.scroll[VIEW_MEMORY] = t.first;
	cells_head(c, ui->palette, &t, columns, "");
	for (int32_t i = 0; i < t.shown; i++)
		draw_place(ui, c, &t, cells_y(&t, i), &p[t.first + i]);
}

/* Freed by another thread: made by -> freed by, in columns. */
static void
draw_pairs(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct heap_pair *p;
	size_t n = heap_sums_pairs(memory_shown(ui), &p);
	int32_t across = (r->x1 - r->x0) / PAIR_PX;
	size_t most = (size_t)(across > 0 ? across : 1) * PAIRS_ROWS;
	char from[MEMORY_WHO_BYTES], to[MEMORY_WHO_BYTES], k[32];

	draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->text,
	    "freed by another thread%s", n > most ? ", the most of them" : "");
	for (size_t i = 0; i < n && i < most; i++) {
		int32_t x = r->x0 + (int32_t)(i / PAIRS_ROWS) * PAIR_PX;
		int32_t y = r->y0 + (int32_t)(i % PAIRS_ROWS + 1) * ROW_PX + 10;
		char text[2 * MEMORY_WHO_BYTES + 16];

		snprintf(text, sizeof(text), "%s \xe2\x86\x92 %s",
		    memory_who(ui, p[i].from, from),
		    memory_who(ui, p[i].to, to));
		draw_cut(c, FONT_SMALL, x, y, PAIR_PX - 70, ui->palette->text,
		    text);
		draw_right(c, FONT_SMALL, x + PAIR_PX - 20, y, ui->palette->dim,
		    "%s", format_count(k, sizeof(k), p[i].pieces));
	}
}

/* The reason why there is nothing, in as many lines as it takes. */
static void
draw_empty(struct ui *ui, struct canvas *c, const struct rect *r,
    const char *why)
{
	int32_t y = r->y0 + 16;
	size_t n;

	while (y < r->y1 &&
	       (n = draw_line_end(FONT_SMALL, why, r->x1 - r->x0)) > 0) {
		draw_text(c, FONT_SMALL, r->x0, y, ui->palette->dim, "%.*s",
		    (int)n, why);
		why += n;
		y += ROW_PX;
	}
}

/*
 * Of so much height what the curve has: a third, up to CURVE_MAX, and what
 * nothing below it needs, up to half.
 */
static int32_t
curve_px(const struct ui *ui, int32_t h)
{
	const struct heap_place *place;
	const struct heap_pair *pair;
	int32_t least = h / 3 < CURVE_MAX ? h / 3 : CURVE_MAX, left = h;

	left -=
	    SUMS_PX + 8 +
	    (int32_t)(heap_sums_places(memory_shown(ui), &place) + 2) * ROW_PX;
	if (heap_sums_pairs(memory_shown(ui), &pair) > 0)
		left -= 2 * PAIRS_PX;
	left = left < h / 2 ? left : h / 2;
	return (left > least ? left : least);
}

static void
draw_large(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct heap_pair *p;
	int32_t curve = curve_px(ui, r->y1 - r->y0);
	struct rect at = *r;

	at.y1 = at.y0 + curve;
	memory_curve(ui, c, &at);
	at.y0 = at.y1 + 4;
	draw_totals(ui, c, &at);
	at.y0 += SUMS_PX + 4;
	at.y1 = r->y1;
	if (heap_sums_pairs(memory_shown(ui), &p) > 0 &&
	    at.y1 - at.y0 > 2 * PAIRS_PX) {
		at.y1 -= PAIRS_PX;
		draw_pairs(ui, c,
		    &(struct rect){ r->x0, at.y1 + 4, r->x1, r->y1 });
	}
	draw_table(ui, c, &at);
}

void
memory_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const char *why = memory_empty(ui);
	struct rect curve = *r, table = *r;

	if (why == NULL && memory_shown(ui) == NULL)
		why = "adding up ...";
	if (why != NULL) {
		draw_empty(ui, c, r, why);
		return;
	}
	if (r->y1 - r->y0 >= LARGE_PX) {
		draw_large(ui, c, r);
		return;
	}
	if (r->x1 - r->x0 < WIDE_PX) { /* figures matter more */
		draw_table(ui, c, r);
		return;
	}
	curve.x1 = r->x0 + (r->x1 - r->x0) / 3;
	table.x0 = curve.x1 + 20;
	table.y0 += 6;
	memory_curve(ui, c, &curve);
	draw_table(ui, c, &table);
}
