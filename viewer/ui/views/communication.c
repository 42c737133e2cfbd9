/* Who sends to whom: messages between processes as a matrix and a list. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/matrix.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/cells.h"
#include "ui/views/view.h"

#define DESCRIBED 16  /* pairs in words */
#define SQUARE_PX 12  /* of the matrix, at most */
#define LARGE_PX  28  /* where it stands by itself */
#define LARGE_MIN 200 /* px of height for that */
#define NAMED_PX  10  /* a square as large has room for its name beside */
#define NAMES_PX  150 /* of the names at the left */
#define NUMBER_PX 14  /* of those above */
#define WRITTEN   20  /* px: a square has room for what it stands for */
#define SUMS_PX   14  /* of the bars beside it */
#define LIST_PX   540 /* the table is as wide */
#define ROW_PX    15
#define ROWS_MIN  8

static const char *
messages_about(const struct ui *ui)
{
	return (messages_exact(ui) ? "" : "~");
}

/* A square of the matrix under the pointer, in words. */
static void
hint_pair(struct ui *ui, const struct process *from, const struct process *to,
    uint64_t count, uint64_t bytes)
{
	const char *about = messages_about(ui);
	char n[32], size[32];

	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%.40s %.40s PO %" PRIu32 " to %.40s %.40s PO %" PRIu32
	    "\n%s%s messages, %s%s",
	    label_node(ui->model, from->node),
	    label_program(ui->model, from->node, from->po), from->po,
	    label_node(ui->model, to->node),
	    label_program(ui->model, to->node, to->po), to->po, about,
	    format_count(n, sizeof(n), count), about,
	    format_bytes(size, sizeof(size), bytes));
}

static char *
po_label(const struct ui *ui, const struct process *p, char *buf, size_t n)
{
	snprintf(buf, n, "%s  %s  PO %" PRIu32, label_node(ui->model, p->node),
	    label_program(ui->model, p->node, p->po), p->po);
	return (buf);
}

/* Messages of each pair; false: there are none. */
static bool
amounts(const struct ui *ui, const struct process *po, uint32_t n, double *out)
{
	uint64_t bytes, v;
	bool any = false;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < n; k++) {
			v = messages_of(ui, po, i, k, &bytes);
			out[i * n + k] = (double)v;
			any |= v > 0;
		}
	}
	return (any);
}

/* Names of rows at the left, numbers of processes above the columns. */
static void
draw_names(struct ui *ui, struct canvas *c, const struct matrix *m,
    const struct process *po)
{
	uint32_t dim = ui->palette->dim;
	char name[96];

	for (uint32_t i = 0; i < m->rows; i++) {
		int32_t at = (int32_t)i * m->cell + m->cell / 2;

		draw_cut(c, FONT_SMALL, m->x - NAMES_PX, m->y + at + 4,
		    NAMES_PX - 8, dim,
		    po_label(ui, &po[i], name, sizeof(name)));
		if (m->cell >= WRITTEN || i % 2 == 0)
			draw_centre(c, FONT_SMALL, m->x + at, m->y - 4, dim,
			    "%" PRIu32, po[i].po);
	}
}

/* Numbers in the squares, where they have room. */
static void
draw_amounts(struct ui *ui, struct canvas *c, const struct matrix *m,
    const double *amount, uint32_t n, const struct shades *shades)
{
	const struct palette *p = ui->palette;

	for (uint32_t i = 0; m->cell >= WRITTEN && i < n * n; i++) {
		int32_t x = m->x + (int32_t)(i % n) * m->cell;
		int32_t y = m->y + (int32_t)(i / n) * m->cell;
		char num[32];

		format_count(num, sizeof(num), (uint64_t)amount[i]);
		if (amount[i] > 0 &&
		    text_width(FONT_SMALL, num, strlen(num)) < m->cell - 2)
			draw_centre(c, FONT_SMALL, x + m->cell / 2,
			    y + m->cell / 2 + 4,
			    shades_at(shades, amount[i]) > 0.5 ? p->background
							       : p->text,
			    "%s", num);
	}
}

/* Where the squares go; named: with names beside them.  False: no room. */
static bool
place_matrix(struct matrix *m, uint32_t n, const struct rect *r,
    int32_t sums_px, bool *named)
{
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0;
	bool large = h > LARGE_MIN;

	*named = large &&
		 matrix_fit(m, n, n, r->x0 + NAMES_PX, r->y0 + NUMBER_PX,
		     w - NAMES_PX, h - NUMBER_PX, LARGE_PX, sums_px) &&
		 m->cell >= NAMED_PX;
	return (*named || matrix_fit(m, n, n, r->x0, r->y0, w, h,
			      large ? LARGE_PX : SQUARE_PX, sums_px));
}

int32_t
messages_matrix(struct ui *ui, struct canvas *c, const struct rect *r,
    int32_t sums_px)
{
	double amount[MATRIX_MAX * MATRIX_MAX];
	struct process po[MATRIX_MAX];
	uint32_t n = processes(ui, po), row, col;
	struct scene s = { 0 };
	struct shades shades;
	struct matrix m;
	uint64_t bytes, v;
	bool named;

	if (n == 0)
		return (r->y0);
	if (!amounts(ui, po, n, amount)) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->dim,
		    "%s",
		    figures_whole(ui)           ? "none so far"
		    : ui->figures.messages.busy ? "adding up ..."
						: "none in this time");
		return (r->y0 + ROW_PX);
	}
	if (!place_matrix(&m, n, r, sums_px, &named)) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->dim,
		    "no room");
		return (r->y0 + ROW_PX);
	}
	shades_fit(&shades, amount, (size_t)n * n, true);
	matrix_scene(&m, amount, &shades, ui->palette, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	if (named) {
		draw_names(ui, c, &m, po);
		draw_amounts(ui, c, &m, amount, n, &shades);
	}
	if (hint_wanted(ui, r->x0, r->y0, r->x1, r->y1) &&
	    matrix_hit(&m, ui->mouse.x, ui->mouse.y, &row, &col)) {
		v = messages_of(ui, po, row, col, &bytes);
		hint_pair(ui, &po[row], &po[col], v, bytes);
	}
	return (m.y + (int32_t)n * m.cell + sums_px);
}

struct pair {
	struct process from, to;
	uint64_t count, bytes;
	uint32_t order;
};

/* Most messages first; then most bytes, then in the order of processes. */
static int
by_count(const void *a, const void *b)
{
	const struct pair *p = a, *q = b;

	if (p->count != q->count)
		return (p->count < q->count ? 1 : -1);
	if (p->bytes != q->bytes)
		return (p->bytes < q->bytes ? 1 : -1);
	return (p->order < q->order ? -1 : 1);
}

/* All pairs with messages, which the caller frees; NULL: there are none. */
static struct pair *
busiest(const struct ui *ui, size_t *len)
{
	struct process po[MATRIX_MAX];
	uint32_t n = processes(ui, po);
	struct pair *out = calloc((size_t)n * n + 1, sizeof(*out));

	*len = 0;
	for (uint32_t i = 0; out != NULL && i < n * n; i++) {
		struct pair p = { po[i / n], po[i % n], 0, 0, i };

		p.count = messages_of(ui, po, i / n, i % n, &p.bytes);
		if (p.count > 0)
			out[(*len)++] = p;
	}
	if (*len > 0)
		qsort(out, *len, sizeof(*out), by_count);
	return (out);
}

static const struct table_column columns[] = {
	{ "from", 150, 1, 0, false, false },
	{ "to", 150, 1, 0, false, false },
	{ "messages", 60, 0, 0, true, false },
	{ "bytes", 76, 0, 1, true, false },
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* The busiest pairs as a table, from the first that is scrolled to. */
static void
draw_pairs(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct pair *pairs, size_t n)
{
	const struct palette *p = ui->palette;
	const char *about = messages_about(ui);
	char a[96], b[64];
	struct table t;

	table_fit(&t, columns, COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_COMMUNICATION], r->x0, r->y0, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_COMMUNICATION] = t.first;
	cells_head(c, p, &t, columns, "");
	for (int32_t i = 0; i < t.shown; i++) {
		const struct pair *x = &pairs[t.first + i];
		int32_t y = cells_y(&t, i);

		cell_text(c, &t, columns, 0, y, p->text, "%s",
		    po_label(ui, &x->from, a, sizeof(a)));
		cell_text(c, &t, columns, 1, y, p->text, "%s",
		    po_label(ui, &x->to, a, sizeof(a)));
		cell_text(c, &t, columns, 2, y, p->text, "%s%s", about,
		    format_count(b, sizeof(b), x->count));
		cell_text(c, &t, columns, 3, y, p->text, "%s%s", about,
		    format_count(b, sizeof(b), x->bytes));
	}
}

/*
 * The table stands beside the matrix where the place is wide, else below it;
 * it has what is left, and some rows at least.
 */
static void
place_both(const struct rect *r, struct rect *matrix, struct rect *list)
{
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0 - 6;
	int32_t beside = h < w - LIST_PX ? h : w - LIST_PX;
	int32_t below = h - 20 - ROW_PX * ROWS_MIN;

	below = below < w ? below : w;
	*matrix = *list = *r;
	matrix->y0 = list->y0 = r->y0 + 6;
	if (h <= LARGE_MIN || beside >= below) {
		beside = beside < h && h <= LARGE_MIN ? h : beside;
		matrix->x1 = r->x0 + beside;
		matrix->y1 = matrix->y0 + (beside < h - 14 ? beside : h - 14);
		list->x0 = matrix->x1 + 20;
	} else {
		matrix->y1 = matrix->y0 + below;
		list->y0 = matrix->y1 + 20;
	}
}

void
communication_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	struct rect at, list;
	struct pair *pairs;
	int32_t end;
	size_t n;

	pairs = busiest(ui, &n);
	if (n == 0) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 16, p->dim,
		    "no messages between processes %s",
		    figures_whole(ui) ? "so far" : "in this time");
		free(pairs);
		return;
	}
	place_both(r, &at, &list);
	end = messages_matrix(ui, c, &at, SUMS_PX);
	if (list.y0 > at.y1 && end < at.y1)
		list.y0 += end - at.y1;
	if (processes_all(ui) > MATRIX_MAX) {
		list.y0 += ROW_PX;
		draw_text(c, FONT_SMALL, list.x0, list.y0 - 4, p->dim,
		    "the first %d of %" PRIu32 " processes", MATRIX_MAX,
		    processes_all(ui));
	}
	draw_pairs(ui, c, &list, pairs, n);
	free(pairs);
}

void
communication_describe(struct ui *ui, FILE *f)
{
	const char *about = messages_about(ui);
	struct pair *pairs;
	char a[96], b[96];
	size_t n;

	pairs = busiest(ui, &n);
	n = n < DESCRIBED ? n : DESCRIBED;
	fprintf(f, "messages between processes: %zu busiest pairs\n", n);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "  %s to %s: %s%" PRIu64 ", %s%" PRIu64 " bytes\n",
		    po_label(ui, &pairs[i].from, a, sizeof(a)),
		    po_label(ui, &pairs[i].to, b, sizeof(b)), about,
		    pairs[i].count, about, pairs[i].bytes);
	free(pairs);
}
