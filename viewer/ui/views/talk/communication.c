/*
 * Who talks to whom: a matrix of messages or remote calls, and the pairs that
 * have most of them as a table.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "talkmatrix.h"
#include "talkpairs.h"
#include "talkparts.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define DESCRIBED      16  /* pairs in words */
#define SUMS_DESCRIBED 64  /* rows in words */
#define LARGE_MIN      200 /* px of height: with words, names, sums, a legend */
#define PARTS_MIN      100 /* which part of it can be chosen */
#define LIST_PX        560 /* the table is as wide, at least */
#define LIST_MOST      900
#define ROW_PX         15
#define ROWS_MIN       8

const struct legend_row communication_legend[] = {
	{ ITEM_RECT, LEGEND_SHADES, 0,
	    "total: from the row to the column, little to much" },
	{ ITEM_RECT, LEGEND_INK(faint),
	    "total: sent at the right, received below" },
	{ ITEM_RECT, LEGEND_NODES_ON, 0, "the node of a process" },
	{ ITEM_SQUARE, LEGEND_INK(text), "now: a message in flight" },
	{ ITEM_RECT, LEGEND_RGB, PALETTE_RPC_OUT,
	    "now: a remote call on its way there" },
	{ ITEM_RECT, LEGEND_RGB, PALETTE_RPC_WORK, "now: it runs there" },
	{ ITEM_RECT, LEGEND_RGB, PALETTE_RPC_BACK, "now: its answer" },
	{ ITEM_RECT, LEGEND_RGB, PALETTE_SEVERAL, "now: calls in several" },
	{ ITEM_RECT, LEGEND_STATE(wait_message),
	    "queues: messages that are not taken yet" },
	{ ITEM_RECT, LEGEND_STATE(wait_rpc), "queues: calls not begun" },
	{ ITEM_LINE, LEGEND_INK(text), "traffic: messages in flight" },
	{ ITEM_RECT, LEGEND_AREA(accent), "traffic: bytes sent a second" },
	{ ITEM_LINE, LEGEND_INK(accent), "the instant, the chosen pair" },
	{ 0 },
};

bool
communication_prepare(struct ui *ui)
{
	return (messages_prepare(ui) && flow_prepare(ui));
}

static const char *
about(const struct ui *ui)
{
	return (messages_exact(ui) ? "" : "~");
}

/* The choices, above all else; small: which part it is. */
static int32_t
draw_words(struct ui *ui, struct canvas *c, const struct rect *r, bool large)
{
	struct words w;
	char command[64];

	words_begin(&w, r);
	for (int i = 0; i < TALK_PARTS; i++) {
		if (i == TALK_NOW && !large)
			continue;
		snprintf(command, sizeof(command), "communication %s",
		    talk_part_name[i]);
		words_choice(ui, c, &w, talk_part_name[i],
		    ui->chosen.talk.part == i, command);
	}
	if (!large && ui->chosen.talk.part == TALK_NOW)
		words_say(ui, c, &w, "now needs more room: F9");
	if (!large)
		return (words_end(&w));
	words_say(ui, c, &w, "   between:");
	for (int i = 0; i < TALK_LEVELS; i++) {
		snprintf(command, sizeof(command), "communication %s",
		    talk_level_name[i]);
		words_choice(ui, c, &w, talk_level_name[i],
		    ui->chosen.talk.level == i, command);
	}
	if (ui->chosen.talk.part != TALK_TOTAL)
		return (words_end(&w));
	w.x = w.x0;
	w.baseline += WORDS_PX;
	for (int i = 0; i < TALK_STATISTICS; i++) {
		const struct talk_statistic *s = &talk_statistics[i];

		if (strcmp(s->name, "number") == 0)
			words_say(ui, c, &w, "messages:");
		if (strcmp(s->name, "calls") == 0)
			words_say(ui, c, &w, "   remote calls:");
		if (s->of == TALK_MEAN)
			words_together(&w, s->word, s[1].word);
		snprintf(command, sizeof(command), "communication %s", s->name);
		words_choice(ui, c, &w,
		    strcmp(s->name, "calls") == 0 ? "number" : s->word,
		    talk_shown(ui) == (unsigned)i, command);
	}
	return (words_end(&w));
}

/* Columns of the table: of messages, or of calls. */
enum column {
	COLUMN_FROM,
	COLUMN_TO,
	COLUMN_NUMBER,
	COLUMN_FIRST, /* of those below */
	COLUMN_SECOND,
	COLUMN_THIRD,
	COLUMN_FOURTH,
	COLUMNS
};

static void
columns_of(struct table_column *c, bool calls)
{
	static const struct table_column messages[COLUMNS] = {
		{ "from", 100, 1, 0, false, false },
		{ "to", 100, 1, 0, false, false },
		{ "messages", 60, 0, 0, true, false },
		{ "bytes", 66, 0, 1, true, false },
		{ "way, mean", 66, 0, 2, true, false },
		{ "total", 60, 0, 3, true, false },
		{ "", 0, 0, 9, true, true },
	};
	static const struct table_column remote[COLUMNS] = {
		{ "from", 130, 1, 0, false, false },
		{ "to", 130, 1, 0, false, false },
		{ "calls", 50, 0, 0, true, false },
		{ "setup", 56, 0, 2, true, false },
		{ "remote", 56, 0, 2, true, false },
		{ "return", 56, 0, 2, true, false },
		{ "whole, mean", 76, 0, 1, true, false },
	};

	memcpy(c, calls ? remote : messages, sizeof(messages));
}

static void
draw_cells(struct ui *ui, struct canvas *c, const struct table *t,
    const struct table_column *columns, int32_t y, const struct talk_row *x,
    bool calls)
{
	static const enum talk phases[] = { TALK_SETUP, TALK_REMOTE,
		TALK_RETURN, TALK_WHOLE };
	const struct talk_pair *m = &x->of[TALK_MESSAGE];
	uint32_t rgb = ui->palette->text;
	char b[64];

	cell_text(c, t, columns, COLUMN_NUMBER, y, rgb, "%s%s", about(ui),
	    format_count(b, sizeof(b),
		x->of[calls ? TALK_WHOLE : TALK_MESSAGE].count));
	for (int i = 0; calls && i < 4; i++) {
		const struct talk_pair *p = &x->of[phases[i]];

		if (p->count > 0)
			cell_text(c, t, columns, COLUMN_FIRST + (size_t)i, y,
			    rgb, "%s%s", about(ui),
			    format_span(b, sizeof(b),
				p->ns / (int64_t)p->count));
	}
	if (calls)
		return;
	cell_text(c, t, columns, COLUMN_FIRST, y, rgb, "%s%s", about(ui),
	    format_bytes(b, sizeof(b), m->bytes));
	cell_text(c, t, columns, COLUMN_SECOND, y, rgb, "%s%s", about(ui),
	    format_span(b, sizeof(b), m->ns / (int64_t)m->count));
	cell_text(c, t, columns, COLUMN_THIRD, y, rgb, "%s%s", about(ui),
	    format_span(b, sizeof(b), m->ns));
}

/* A click on a row chooses its pair. */
static void
row_spot(struct ui *ui, const struct table *t, int32_t y,
    const struct talk_row *x)
{
	char a[64], b[64];

	spot_add(ui, t->place[0].x0, y - 11, t->place[COLUMNS - 1].x1, y + 4,
	    "pair %s %s", talk_end_spell(ui, &x->from, a, sizeof(a)),
	    talk_end_spell(ui, &x->to, b, sizeof(b)));
}

/* The busiest pairs, from the first that is scrolled to. */
static void
draw_pairs(struct ui *ui, struct canvas *c, const struct rect *r)
{
	bool calls = talk_statistics[talk_shown(ui)].what != TALK_MESSAGE;
	const struct palette *p = ui->palette;
	struct table_column columns[COLUMNS];
	struct talk_row *rows;
	size_t n, all;
	char of[64], a[160];
	struct table t;

	rows = talk_rows(ui, calls, &n, &all);
	columns_of(columns, calls);
	table_fit(&t, columns, COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_COMMUNICATION], r->x0, r->y0, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_COMMUNICATION] = t.first;
	snprintf(of, sizeof(of), "%s%zu of %zu", n < all ? " the first " : "",
	    n, all);
	if (n > 0)
		cells_head(c, p, &t, columns, n < all ? of : "");
	for (int32_t i = 0; rows != NULL && i < t.shown; i++) {
		const struct talk_row *x = &rows[t.first + i];
		int32_t y = cells_y(&t, i);

		cell_text(c, &t, columns, COLUMN_FROM, y, p->text, "%s",
		    talk_end_label(ui, &x->from, a, sizeof(a)));
		cell_text(c, &t, columns, COLUMN_TO, y, p->text, "%s",
		    talk_end_label(ui, &x->to, a, sizeof(a)));
		draw_cells(ui, c, &t, columns, y, x, calls);
		row_spot(ui, &t, y, x);
	}
	free(rows);
}

/*
 * The table stands beside the matrix where the place is wide, else below it;
 * it has what is left, and some rows at least.
 */
static void
place_both(const struct rect *r, struct rect *matrix, struct rect *list)
{
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0;
	int32_t beside = w - LIST_PX;
	int32_t below = h - 20 - ROW_PX * ROWS_MIN;

	*matrix = *list = *r;
	if (beside >= (below < w ? below : w) || h <= LARGE_MIN) {
		matrix->x1 =
		    r->x0 + (h <= LARGE_MIN && beside > h ? h : beside);
		list->x0 = matrix->x1 + 20;
	} else {
		matrix->y1 = matrix->y0 + below;
		list->y0 = matrix->y1 + 16;
	}
}

static void
total_draw(struct ui *ui, struct canvas *c, const struct rect *r, bool large)
{
	struct rect at = *r, list;
	int32_t end, right = r->x1;

	place_both(&at, &at, &list);
	end = talk_matrix_draw(ui, c, &at, large, &right);
	if (list.x0 > at.x1 && right + 40 < list.x0) {
		list.x0 = right + 40;
		if (list.x1 - list.x0 > LIST_MOST)
			list.x1 = list.x0 + LIST_MOST;
	}
	if (list.y0 > at.y1 && end < at.y1)
		list.y0 += end - at.y1;
	draw_pairs(ui, c, &list);
}

/* Where it is over time, and now, in turn. */
static void
over_time_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct rect queues = *r, traffic = *r;

	if (r->y1 - r->y0 < LARGE_MIN) {
		queues_draw(ui, c, r);
		return;
	}
	traffic.y0 = queues.y1 = r->y1 - (r->y1 - r->y0) / 4;
	queues_draw(ui, c, &queues);
	traffic_draw(ui, c, &traffic);
}

void
communication_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	static void (*const draw[TALK_PARTS])(struct ui *, struct canvas *,
	    const struct rect *) = { [TALK_NOW] = now_draw,
		[TALK_QUEUES] = over_time_draw,
		[TALK_TRAFFIC] = traffic_draw };
	int32_t h = r->y1 - r->y0;
	bool large = h > LARGE_MIN;
	struct rect at = *r;

	at.y0 += 6;
	if (h >= PARTS_MIN)
		at.y0 = draw_words(ui, c, r, large) + (large ? 8 : 2);
	if (h < PARTS_MIN || draw[ui->chosen.talk.part] == NULL ||
	    (!large && ui->chosen.talk.part == TALK_NOW))
		total_draw(ui, c, &at, large);
	else
		draw[ui->chosen.talk.part](ui, c, &at);
}

static void
describe_messages(struct ui *ui, FILE *f, const char *between)
{
	char a[160], b[160];
	size_t n, all;
	struct talk_row *v = talk_rows(ui, false, &n, &all);

	n = n < DESCRIBED ? n : DESCRIBED;
	fprintf(f, "messages between %s: %zu busiest pairs\n", between, n);
	for (size_t i = 0; v != NULL && i < n; i++) {
		const struct talk_pair *p = &v[i].of[TALK_MESSAGE];

		fprintf(f,
		    "  %s to %s: %s%" PRIu64 ", %s%" PRIu64
		    " bytes, on the way %s%" PRId64 " ns\n",
		    talk_end_label(ui, &v[i].from, a, sizeof(a)),
		    talk_end_label(ui, &v[i].to, b, sizeof(b)), about(ui),
		    p->count, about(ui), p->bytes, about(ui), p->ns);
	}
	free(v);
}

static void
describe_calls(struct ui *ui, FILE *f, const char *between)
{
	static const char *const words[TALKS] = { NULL, "setup", "remote",
		"return", "whole" };
	char a[160], b[160];
	size_t n, all;
	struct talk_row *v = talk_rows(ui, true, &n, &all);

	n = n < DESCRIBED ? n : DESCRIBED;
	fprintf(f, "remote calls between %s: %zu busiest pairs\n", between, n);
	for (size_t i = 0; v != NULL && i < n; i++) {
		fprintf(f,
		    "  %s to %s:", talk_end_label(ui, &v[i].from, a, sizeof(a)),
		    talk_end_label(ui, &v[i].to, b, sizeof(b)));
		for (int k = TALK_SETUP; k < TALKS; k++)
			fprintf(f, "%s %s %s%" PRIu64 " in %s%" PRId64 " ns",
			    k == TALK_SETUP ? "" : ",", words[k], about(ui),
			    v[i].of[k].count, about(ui), v[i].of[k].ns);
		fprintf(f, "\n");
	}
	free(v);
}

/* What each row of the matrix has sent and received. */
static void
describe_sums(struct ui *ui, FILE *f)
{
	struct talk_groups g;
	char name[160], words[200];

	if (!talk_groups_make(ui, talk_level_of(ui), TALK_GROUPS_MAX, &g))
		return;
	fprintf(f, "sums of %" PRIu32 " %s:\n", g.n, talk_level_name[g.level]);
	for (uint32_t i = 0; i < g.n && i < SUMS_DESCRIBED; i++)
		fprintf(f, "  %s: %s\n",
		    talk_end_label(ui, &g.group[i], name, sizeof(name)),
		    talk_sums_words(ui, &g, i, words, sizeof(words)));
	talk_groups_clear(&g);
}

void
communication_describe(struct ui *ui, FILE *f)
{
	const char *between =
	    talk_level_of(ui) == TALK_BY_THREAD ? "threads" : "processes";

	describe_messages(ui, f, between);
	describe_calls(ui, f, between);
	describe_sums(ui, f);
	flow_describe(ui, f);
	now_describe(ui, f);
}
