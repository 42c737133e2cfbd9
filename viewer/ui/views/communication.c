/* Who sends to whom: messages between processes as a matrix and a list. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/matrix.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/view.h"

#define PAIRS_MAX 16
#define SQUARE_PX 12  /* of the matrix, at most */
#define LARGE_PX  28  /* where it stands by itself */
#define BELOW_PX  400 /* of height, to have the table below it */
#define LIST_PX   (30 + 15 * PAIRS_MAX)
#define SUMS_PX   14 /* of the bars beside it */

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

void
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

	if (n == 0)
		return;
	if (!amounts(ui, po, n, amount)) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->faint,
		    "%s",
		    figures_whole(ui)           ? "none so far"
		    : ui->figures.messages.busy ? "adding up ..."
						: "none in this time");
		return;
	}
	if (!matrix_fit(&m, n, n, r->x0, r->y0, r->x1 - r->x0, r->y1 - r->y0,
		r->y1 - r->y0 > BELOW_PX / 2 ? LARGE_PX : SQUARE_PX, sums_px)) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->faint,
		    "no room");
		return;
	}
	shades_fit(&shades, amount, (size_t)n * n, true);
	matrix_scene(&m, amount, &shades, ui->palette, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	if (!hint_wanted(ui, r->x0, r->y0, r->x1, r->y1) ||
	    !matrix_hit(&m, ui->mouse.x, ui->mouse.y, &row, &col))
		return;
	v = messages_of(ui, po, row, col, &bytes);
	hint_pair(ui, &po[row], &po[col], v, bytes);
}

struct pair {
	struct process from, to;
	uint64_t count, bytes;
};

static bool
pair_less(const struct pair *a, const struct pair *b)
{
	return (a->count < b->count ||
		(a->count == b->count && a->bytes < b->bytes));
}

/* The busiest pairs, most messages first. */
static size_t
busiest(const struct ui *ui, struct pair *out)
{
	struct process po[MATRIX_MAX];
	uint32_t n = processes(ui, po);
	size_t len = 0;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < n; k++) {
			struct pair p = { po[i], po[k], 0, 0 };
			size_t at = len;

			p.count = messages_of(ui, po, i, k, &p.bytes);
			while (at > 0 && pair_less(&out[at - 1], &p))
				at--;
			if (p.count == 0 || at >= PAIRS_MAX)
				continue;
			if (len < PAIRS_MAX)
				len++;
			memmove(out + at + 1, out + at,
			    (len - at - 1) * sizeof(*out));
			out[at] = p;
		}
	}
	return (len);
}

static char *
po_label(const struct ui *ui, const struct process *p, char *buf, size_t n)
{
	snprintf(buf, n, "%s  %s  PO %" PRIu32, label_node(ui->model, p->node),
	    label_program(ui->model, p->node, p->po), p->po);
	return (buf);
}

/* The busiest pairs as a table, from the first that is scrolled to. */
static void
draw_pairs(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct pair *pairs, size_t n)
{
	const struct palette *p = ui->palette;
	const char *about = messages_about(ui);
	int32_t x = r->x0, y = r->y0 + 10;
	char a[96], b[64];

	draw_text(c, FONT_SMALL, x, y, p->dim, "from");
	draw_text(c, FONT_SMALL, x + 180, y, p->dim, "to");
	draw_right(c, FONT_SMALL, x + 430, y, p->dim, "messages");
	draw_right(c, FONT_SMALL, x + 520, y, p->dim, "bytes");
	y += 18;
	for (size_t i = (size_t)ui->lists.scroll[VIEW_COMMUNICATION];
	     i < n && y < r->y1; i++) {
		draw_cut(c, FONT_SMALL, x, y, 170, p->text,
		    po_label(ui, &pairs[i].from, a, sizeof(a)));
		draw_cut(c, FONT_SMALL, x + 180, y, 170, p->text,
		    po_label(ui, &pairs[i].to, a, sizeof(a)));
		draw_right(c, FONT_SMALL, x + 430, y, p->text, "%s%s", about,
		    format_count(b, sizeof(b), pairs[i].count));
		draw_right(c, FONT_SMALL, x + 520, y, p->text, "%s%s", about,
		    format_count(b, sizeof(b), pairs[i].bytes));
		y += 15;
	}
}

/* The table stands beside the matrix, or below it where there is room. */
void
communication_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	struct pair pairs[PAIRS_MAX];
	size_t n = busiest(ui, pairs);
	bool below = r->y1 - r->y0 > BELOW_PX;
	int32_t side = r->y1 - r->y0 - (below ? 14 + LIST_PX : 14);
	struct rect at, list = *r;

	if (model_pos(ui->model) == 0 || n == 0) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 16, p->dim,
		    "no messages between processes %s",
		    figures_whole(ui) ? "so far" : "in this time");
		return;
	}
	side = below && side > r->x1 - r->x0 ? r->x1 - r->x0 : side;
	at = (struct rect){ r->x0, r->y0 + 6, r->x0 + side, r->y0 + 6 + side };
	messages_matrix(ui, c, &at, SUMS_PX);
	if (model_pos(ui->model) > MATRIX_MAX)
		draw_text(c, FONT_SMALL, at.x1 + 4, at.y1, p->dim,
		    "the first %d processes", MATRIX_MAX);
	if (below)
		list.y0 = at.y1 + 20;
	else
		list.x0 = at.x1 + 40;
	list.y0 += below ? 0 : 6;
	draw_pairs(ui, c, &list, pairs, n);
}

void
communication_describe(struct ui *ui, FILE *f)
{
	const char *about = messages_about(ui);
	struct pair pairs[PAIRS_MAX];
	size_t n = busiest(ui, pairs);
	char a[96], b[96];

	fprintf(f, "messages between processes: %zu busiest pairs\n", n);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "  %s to %s: %s%" PRIu64 ", %s%" PRIu64 " bytes\n",
		    po_label(ui, &pairs[i].from, a, sizeof(a)),
		    po_label(ui, &pairs[i].to, b, sizeof(b)), about,
		    pairs[i].count, about, pairs[i].bytes);
}
