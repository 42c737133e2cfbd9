/* Who sends to whom: messages between processes as a matrix and a list. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/dock.h"
#include "ui/draw/draw.h"

#define PAIRS_MAX 16

static uint32_t
bits(uint64_t v)
{
	uint32_t n = 0;

	while (v != 0) {
		v >>= 1;
		n++;
	}
	return (n);
}

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

	snprintf(ui->hint, sizeof(ui->hint),
	    "%.40s %.40s PO %" PRIu32 " to %.40s %.40s PO %" PRIu32
	    "\n%s%s messages, %s%s",
	    label_node(ui->model, from->node),
	    label_program(ui->model, from->node, from->po), from->po,
	    label_node(ui->model, to->node),
	    label_program(ui->model, to->node, to->po), to->po, about,
	    format_count(n, sizeof(n), count), about,
	    format_bytes(size, sizeof(size), bytes));
}

void
matrix_draw(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t w,
    int32_t h)
{
	struct process po[MATRIX_MAX];
	uint32_t n = processes(ui, po);
	uint64_t most = 1, bytes;
	int32_t cell;
	bool any = false;

	if (n == 0)
		return;
	cell = (w < h ? w : h) / (int32_t)n;
	cell = cell > 12 ? 12 : cell < 2 ? 2 : cell;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n; k++) {
			uint64_t v = messages_of(ui, po, i, k, &bytes);

			most = v > most ? v : most;
			any |= v > 0;
		}
	if (!any) {
		draw_text(c, FONT_SMALL, x, y + 10, ui->palette->faint, "%s",
		    view_panel_whole(ui) ? "none so far"
		    : ui->messages.busy  ? "adding up ..."
					 : "none in this time");
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < n; k++) {
			uint64_t v = messages_of(ui, po, i, k, &bytes);
			int32_t px = x + (int32_t)k * cell;
			int32_t py = y + (int32_t)i * cell;
			int32_t gap = cell > 4 ? 1 : 0;
			uint32_t rgb = palette_mix(ui->palette->panel,
			    ui->palette->line, 160);

			if (v > 0) /* by the logarithm */
				rgb = palette_time(
				    0.08 + 0.85 * bits(v) / bits(most));
			canvas_fill(c, px, py, px + cell - gap, py + cell - gap,
			    rgb);
			if (hint_wanted(ui, px, py, px + cell, py + cell))
				hint_pair(ui, &po[i], &po[k], v, bytes);
		}
	}
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

void
communication_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	const char *about = messages_about(ui);
	struct pair pairs[PAIRS_MAX];
	size_t n = busiest(ui, pairs);
	int32_t side = r->y1 - r->y0 - 14, x = r->x0 + side + 40;
	int32_t y = r->y0 + 16;
	char a[96], b[64];

	if (model_pos(ui->model) == 0 || n == 0) {
		draw_text(c, FONT_SMALL, r->x0, y, p->dim,
		    "no messages between processes %s",
		    view_panel_whole(ui) ? "so far" : "in this time");
		return;
	}
	matrix_draw(ui, c, r->x0, r->y0 + 6, side, side);
	if (model_pos(ui->model) > MATRIX_MAX)
		draw_text(c, FONT_SMALL, r->x0 + side + 4, r->y1 - 6, p->dim,
		    "the first %d processes", MATRIX_MAX);
	draw_text(c, FONT_SMALL, x, y, p->dim, "from");
	draw_text(c, FONT_SMALL, x + 180, y, p->dim, "to");
	draw_right(c, FONT_SMALL, x + 430, y, p->dim, "messages");
	draw_right(c, FONT_SMALL, x + 520, y, p->dim, "bytes");
	y += 18;
	for (size_t i = (size_t)ui->dock_scroll; i < n && y < r->y1; i++) {
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

void
communication_describe(const struct ui *ui, FILE *f)
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
