/*
 * The matrix, drawn: nodes as bands in their colour above and at the left, POs
 * by their numbers and names where these have room, a bar for the sum of each
 * row and column, and the scale of the colours.
 */
#include "talkmatrix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "talkpairs.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/words.h"

#define SQUARE_PX 12  /* in the dock, at most */
#define LARGE_PX  96  /* elsewhere */
#define NODE_PX   44  /* of nodes' names, where rows have none */
#define NAMED_PX  9   /* a square as large has room for its name beside */
#define NAMES_PX  150 /* of the names at the left */
#define HEAD_PX   30  /* of bands and numbers above */
#define SUMS_PX   46  /* of the bars */
#define NUMBER_PX 64  /* of their numbers */
#define LEGEND_PX 34  /* below */
#define SCALE_PX  200 /* of the legend */
#define WORDED_PX 260 /* of the words behind it */
#define WRITTEN   22  /* px: a square has room for what it stands for */

static const char *
about(const struct ui *ui)
{
	return (messages_exact(ui) ? "" : "~");
}

/* A click folds all to nodes; on nodes it opens them. */
static void
band_spot(struct ui *ui, const struct matrix *m, int32_t a, int32_t b)
{
	const char *to = talk_level_of(ui) == TALK_BY_NODE
			     ? talk_level_name[TALK_BY_PO]
			     : talk_level_name[TALK_BY_NODE];

	spot_add(ui, m->x + a, m->y - 30, m->x + b, m->y - 14,
	    "communication %s", to);
	spot_add(ui, m->x - 9, m->y + a, m->x, m->y + b, "communication %s",
	    to);
}

/* Bands of nodes above and at the left, as far as these are groups of some. */
static void
draw_bands(struct ui *ui, struct canvas *c, const struct matrix *m,
    const struct talk_groups *g, int32_t left_px)
{
	uint32_t from = 0;

	for (uint32_t i = 1; i <= g->n; i++) {
		int32_t a = (int32_t)from * m->cell, b = (int32_t)i * m->cell;
		uint32_t rgb;
		const char *name;

		if (i < g->n && g->group[i].node == g->group[from].node)
			continue;
		rgb = palette_on(ui->palette,
		    palette_of_node(ui->model, g->group[from].node));
		name = label_node(ui->model, g->group[from].node);
		canvas_fill(c, m->x + a, m->y - 18, m->x + b - 1, m->y - 16,
		    rgb);
		canvas_fill(c, m->x - 6, m->y + a, m->x - 4, m->y + b - 1, rgb);
		if (text_width(FONT_SMALL, name, strlen(name)) < b - a)
			draw_centre(c, FONT_SMALL, m->x + (a + b) / 2,
			    m->y - 21, ui->palette->text, "%s", name);
		if (b - a >= NAMED_PX &&
		    text_width(FONT_SMALL, name, strlen(name)) + 10 <= left_px)
			draw_right(c, FONT_SMALL, m->x - 10,
			    m->y + (a + b) / 2 + 4, ui->palette->dim, "%s",
			    name);
		band_spot(ui, m, a, b);
		from = i;
	}
}

/* A name under the pointer: what it has sent, received and called. */
static void
hint_sums(struct ui *ui, const struct matrix *m, const struct talk_groups *g,
    uint32_t row)
{
	int32_t y = m->y + (int32_t)row * m->cell;
	char name[160], words[200];

	if (hint_wanted(ui, m->x - NAMES_PX, y, m->x - 10, y + m->cell))
		snprintf(ui->spots.hint, sizeof(ui->spots.hint), "%.70s\n%s",
		    talk_end_label(ui, &g->group[row], name, sizeof(name)),
		    talk_sums_words(ui, g, row, words, sizeof(words)));
}

/* Names of rows at the left, numbers of POs above the columns. */
static void
draw_names(struct ui *ui, struct canvas *c, const struct matrix *m,
    const struct talk_groups *g)
{
	uint32_t dim = ui->palette->dim;
	char name[160];

	for (uint32_t i = 0; i < g->n; i++) {
		int32_t at = (int32_t)i * m->cell + m->cell / 2;

		draw_cut_middle(c, FONT_SMALL, m->x - NAMES_PX, m->y + at + 4,
		    NAMES_PX - 12, dim,
		    talk_end_label(ui, &g->group[i], name, sizeof(name)));
		spot_add(ui, m->x - NAMES_PX, m->y + at - m->cell / 2,
		    m->x - 10, m->y + at + m->cell / 2, "open-row %" PRIu32,
		    g->row[i]);
		hint_sums(ui, m, g, i);
		if (g->group[i].po == 0)
			continue;
		if (m->cell >= WRITTEN || i % 2 == 0)
			draw_centre(c, FONT_SMALL, m->x + at, m->y - 4, dim,
			    "%" PRIu32,
			    g->group[i].lane == UINT32_MAX
				? g->group[i].po
				: model_lane(ui->model, g->group[i].lane)
				      ->thread);
	}
}

/* In the squares, where they have room. */
static void
draw_amounts(struct ui *ui, struct canvas *c, const struct matrix *m,
    const struct talk_table *t, const struct shades *shades)
{
	uint32_t n = t->groups.n;

	for (uint32_t i = 0; m->cell >= WRITTEN && i < n * n; i++) {
		int32_t x = m->x + (int32_t)(i % n) * m->cell;
		int32_t y = m->y + (int32_t)(i / n) * m->cell;
		char text[32];

		if (t->cell[i].count == 0)
			continue;
		talk_words(t->statistic, t->value[i], text, sizeof(text));
		if (text_width(FONT_SMALL, text, strlen(text)) < m->cell - 2)
			draw_centre(c, FONT_SMALL, x + m->cell / 2,
			    y + m->cell / 2 + 4,
			    palette_text_on(
				shades_rgb(shades, ui->palette, t->value[i])),
			    "%s", text);
	}
}

/* Behind the bars of the rows, and below those of the columns in turn. */
static void
draw_sums(struct ui *ui, struct canvas *c, const struct matrix *m,
    const struct talk_table *t, bool named)
{
	int32_t x = m->x + (int32_t)m->cols * m->cell + m->sums_px + 8;
	char text[32];

	draw_text(c, FONT_SMALL, x - m->sums_px - 4, m->y - 4, ui->palette->dim,
	    "sent");
	if (named)
		draw_right(c, FONT_SMALL, m->x - 12,
		    m->y + (int32_t)m->rows * m->cell + 16, ui->palette->dim,
		    "received");
	for (uint32_t i = 0; m->cell >= NAMED_PX && i < m->rows; i++)
		if (t->row[i].count > 0)
			draw_text(c, FONT_SMALL, x,
			    m->y + (int32_t)i * m->cell + m->cell / 2 + 4,
			    ui->palette->dim, "%s%s", about(ui),
			    talk_words(t->statistic, t->row_value[i], text,
				sizeof(text)));
}

/* The scale from its lower end to the largest value, with numbers. */
static void
draw_legend(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t x1,
    const struct shades *shades, const struct talk_table *t)
{
	const struct palette *p = ui->palette;
	int32_t w = x1 - x < SCALE_PX ? x1 - x : SCALE_PX;
	bool folded = t->groups.level != talk_level_of(ui);
	char text[32], sum[32], last[32];

	for (int32_t i = 0; i < w; i++)
		canvas_fill(c, x + i, y, x + i + 1, y + 7,
		    shades_rgb(shades, p, shades_value(shades, (double)i / w)));
	for (int i = 0; i <= 2; i++) {
		int32_t at = x + w * i / 2;

		talk_words(t->statistic, shades_value(shades, i / 2.0), text,
		    sizeof(text));
		if (i > 0 && strcmp(text, last) == 0)
			continue; /* a scale of one value */
		snprintf(last, sizeof(last), "%s", text);
		if (i == 0)
			draw_text(c, FONT_SMALL, at, y + 18, p->dim, "%s",
			    text);
		else if (i == 1)
			draw_centre(c, FONT_SMALL, at, y + 18, p->dim, "%s",
			    text);
		else
			draw_right(c, FONT_SMALL, at, y + 18, p->dim, "%s",
			    text);
	}
	snprintf(sum, sizeof(sum), "%s",
	    talk_words(t->statistic,
		talk_value(t->statistic,
		    &(struct talk_pair){ .count = t->all.count,
			.bytes = t->all.bytes,
			.ns = t->all.ns }),
		text, sizeof(text)));
	if (x1 - x - w > 150)
		draw_text(c, FONT_SMALL, x + w + 20, y + 8, p->dim,
		    "%s%s %s, %" PRIu32 " pair%s%s", about(ui), sum,
		    t->statistic->of == TALK_MEAN ? "on the average" : "in all",
		    t->pairs, t->pairs == 1 ? "" : "s",
		    folded ? ", folded to nodes" : "");
}

static void
hint_time(char *buf, size_t n, const char *what, const struct talk_pair *p)
{
	size_t at = strlen(buf);
	char mean[32], sum[32];

	if (p->count > 0)
		snprintf(buf + at, n - at, "\n%s: %s, mean %s", what,
		    format_span(sum, sizeof(sum), p->ns),
		    format_span(mean, sizeof(mean), p->ns / (int64_t)p->count));
}

/* A square under the pointer, in words: all that is known of the pair. */
static void
hint_pair(struct ui *ui, const struct talk_groups *g, uint32_t row,
    uint32_t col)
{
	struct talk_pair of[TALKS];
	char a[160], b[160], n[32], size[32], *to = ui->spots.hint;
	size_t max = sizeof(ui->spots.hint), at;

	talk_between(ui, g, row, col, of);
	snprintf(to, max, "%.70s to %.70s\n%s%s messages, %s",
	    talk_end_label(ui, &g->group[row], a, sizeof(a)),
	    talk_end_label(ui, &g->group[col], b, sizeof(b)), about(ui),
	    format_count(n, sizeof(n), of[TALK_MESSAGE].count),
	    format_bytes(size, sizeof(size), of[TALK_MESSAGE].bytes));
	hint_time(to, max, "on the way", &of[TALK_MESSAGE]);
	if (of[TALK_WHOLE].count + of[TALK_SETUP].count == 0)
		return;
	at = strlen(to);
	snprintf(to + at, max - at, "\n%s%s remote calls", about(ui),
	    format_count(n, sizeof(n), of[TALK_WHOLE].count));
	hint_time(to, max, "setup", &of[TALK_SETUP]);
	hint_time(to, max, "remote", &of[TALK_REMOTE]);
	hint_time(to, max, "return", &of[TALK_RETURN]);
	hint_time(to, max, "whole", &of[TALK_WHOLE]);
}

static void
frame_row(struct canvas *c, const struct matrix *m, uint32_t row, uint32_t col,
    uint32_t rgb)
{
	int32_t x = m->x + (int32_t)col * m->cell - 1;
	int32_t y = m->y + (int32_t)row * m->cell - 1;
	int32_t end_x = m->x + (int32_t)m->cols * m->cell;
	int32_t end_y = m->y + (int32_t)m->rows * m->cell;
	struct rect along = { m->x - 1, y, end_x, y + m->cell + 1 };
	struct rect down = { x, m->y - 1, x + m->cell + 1, end_y };

	draw_frame(c, &along, rgb);
	draw_frame(c, &down, rgb);
}

/* The chosen pair has a frame; the one under the pointer is told. */
static void
draw_pointed(struct ui *ui, struct canvas *c, const struct matrix *m,
    const struct rect *r, const struct talk_groups *g)
{
	const struct palette *p = ui->palette;
	uint32_t row, col;
	char a[64], b[64];

	for (uint32_t i = 0; ui->chosen.talk.pair && i < g->n; i++)
		for (uint32_t k = 0; k < g->n; k++)
			if (talk_end_same(&g->group[i],
				&ui->chosen.talk.from) &&
			    talk_end_same(&g->group[k], &ui->chosen.talk.to))
				frame_row(c, m, i, k, p->accent);
	if (!hint_wanted(ui, r->x0, r->y0, r->x1, r->y1) ||
	    !matrix_hit(m, ui->mouse.x, ui->mouse.y, &row, &col))
		return;
	frame_row(c, m, row, col, p->dim);
	hint_pair(ui, g, row, col);
	spot_add(ui, m->x + (int32_t)col * m->cell,
	    m->y + (int32_t)row * m->cell, m->x + (int32_t)(col + 1) * m->cell,
	    m->y + (int32_t)(row + 1) * m->cell, "pair %s %s",
	    talk_end_spell(ui, &g->group[row], a, sizeof(a)),
	    talk_end_spell(ui, &g->group[col], b, sizeof(b)));
}

/* Where the squares go; named: with names beside them. */
static bool
place(struct matrix *m, uint32_t n, const struct rect *r, bool large,
    bool *named)
{
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0, cell;

	*named = large &&
		 matrix_fit(m, n, n, r->x0 + NAMES_PX, r->y0 + HEAD_PX,
		     w - NAMES_PX - NUMBER_PX, h - HEAD_PX - LEGEND_PX,
		     LARGE_PX, SUMS_PX) &&
		 m->cell >= NAMED_PX;
	if (*named)
		return (true);
	if (!large)
		return (matrix_fit(m, n, n, r->x0, r->y0, w, h, SQUARE_PX, 0));
	if (!matrix_fit(m, n, n, r->x0 + 8, r->y0 + HEAD_PX, w - 8 - NUMBER_PX,
		h - HEAD_PX - LEGEND_PX, LARGE_PX, SUMS_PX / 2))
		return (false);
	/* names of nodes, where they take nothing from the squares */
	cell = m->cell;
	if (matrix_fit(m, n, n, r->x0 + NODE_PX, r->y0 + HEAD_PX,
		w - NODE_PX - NUMBER_PX, h - HEAD_PX - LEGEND_PX, LARGE_PX,
		SUMS_PX / 2) &&
	    m->cell == cell)
		return (true);
	return (matrix_fit(m, n, n, r->x0 + 8, r->y0 + HEAD_PX,
	    w - 8 - NUMBER_PX, h - HEAD_PX - LEGEND_PX, LARGE_PX, SUMS_PX / 2));
}

/* So many rows at most that each has some pixels. */
static uint32_t
rows_for(const struct rect *r, bool large)
{
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0;

	if (large) {
		w -= 8 + NUMBER_PX + SUMS_PX;
		h -= HEAD_PX + LEGEND_PX + SUMS_PX;
	}
	w = w < h ? w : h;
	return (w < 6 ? 1 : (uint32_t)w / 3);
}

static int32_t
draw_table(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct talk_table *t, bool large, int32_t *right)
{
	struct scene s = { 0 };
	struct shades shades;
	struct matrix m;
	int32_t below;
	bool named;

	if (!place(&m, t->groups.n, r, large, &named))
		return (r->y0);
	shades_fit(&shades, t->value, (size_t)m.rows * m.cols, true);
	matrix_scene(&m, t->value, &shades, ui->palette, &s);
	matrix_sums_scene(&m, t->row_value, t->col_value, ui->palette->faint,
	    &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	if (named) {
		draw_names(ui, c, &m, &t->groups);
		draw_amounts(ui, c, &m, t, &shades);
	}
	below = m.y + (int32_t)m.rows * m.cell + m.sums_px;
	if (large) {
		draw_bands(ui, c, &m, &t->groups, named ? 0 : m.x - r->x0);
		draw_sums(ui, c, &m, t, named);
		draw_legend(ui, c, m.x, below + 12, r->x1, &shades, t);
		below += LEGEND_PX;
	}
	*right = m.x + (int32_t)m.cols * m.cell + m.sums_px + NUMBER_PX;
	if (*right < m.x + SCALE_PX + WORDED_PX)
		*right = m.x + SCALE_PX + WORDED_PX;
	draw_pointed(ui, c, &m, r, &t->groups);
	return (below);
}

/*
 * Why there are none; what would record them only where there are none at all,
 * and a way to the others if there are such.
 */
static int32_t
draw_none(struct ui *ui, struct canvas *c, const struct rect *r, bool calls)
{
	const char *to = calls ? "number" : "calls";
	size_t n, others;
	int32_t y, x1;
	char why[64];

	snprintf(why, sizeof(why), "no %s %s",
	    calls ? "remote calls" : "messages", words_when(ui));
	y = words_empty(ui, c, r, why,
	    !figures_whole(ui) && model_events(ui->model) > 0 ? ""
	    : calls ? "probe_rpc_call(), probe_rpc_begin(), probe_rpc_end() "
		      "and probe_rpc_return() tell of them\nin the cluster "
		      "file: mask: [rpc], or no mask"
		    : "probe_send() and probe_receive() tell of them\nin the "
		      "cluster file: mask: [message], or no mask");
	free(talk_rows(ui, !calls, &n, &others));
	if (others == 0)
		return (y);
	x1 = draw_text(c, FONT_SMALL, r->x0, y, ui->palette->accent,
	    "there are %s", calls ? "messages" : "remote calls");
	spot_add(ui, r->x0 - 4, y - 12, x1 + 4, y + 5, "communication %s", to);
	return (y + 16);
}

int32_t
talk_matrix_draw(struct ui *ui, struct canvas *c, const struct rect *r,
    bool large, int32_t *right)
{
	const struct talk_statistic *st = &talk_statistics[talk_shown(ui)];
	bool calls = st->what != TALK_MESSAGE;
	struct talk_table t;
	int32_t below = r->y0 + 15;

	(void)talk_table_make(ui, st, rows_for(r, large), &t);
	if (t.pairs > 0)
		below = draw_table(ui, c, r, &t, large, right);
	else if (large && !ui->figures.messages.busy)
		below = draw_none(ui, c, r, calls);
	else if (ui->figures.messages.busy)
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->dim,
		    "adding up ...");
	else
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->dim,
		    "none %s", words_when(ui));
	talk_table_clear(&t);
	return (below);
}
