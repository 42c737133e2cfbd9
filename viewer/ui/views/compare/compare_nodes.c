/*
 * Messages from node to node in two runs.  Nodes of both are one by their
 * names.  What goes between nodes at all is what a placement can spare, so that
 * stands above: with its share of all messages.
 */
#include "compare_nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/traffic/talk.h"

#define NODES_MAX 64
#define HEAD_PX   33 /* two lines */
#define ROW_PX    17
#define CELL_PX   86 /* of a column, at most and at least */
#define SMALL_PX  60
#define NAME_PX   48
#define TABLE_PX  500 /* what is beside it wants */

struct nodes {
	uint32_t n;
	const char *name[NODES_MAX];
	struct amount {
		uint64_t count, bytes;
	} pair[2][NODES_MAX][NODES_MAX], all[2], between[2];
	bool exact;
};

/* By its name; NODES_MAX: there are too many, it counts in the sums alone. */
static uint32_t
place_of(struct nodes *k, const char *name)
{
	for (uint32_t i = 0; i < k->n; i++)
		if (strcmp(k->name[i], name) == 0)
			return (i);
	if (k->n == NODES_MAX)
		return (NODES_MAX);
	k->name[k->n] = name;
	return (k->n++);
}

/* The node of a row or column of such a list. */
static uint32_t
node_of(const struct ui *ui, uint32_t i)
{
	uint32_t node = 0, po;

	if (talk_level_of(ui) == TALK_BY_THREAD)
		return (i < model_lanes(ui->model)
			    ? model_lane(ui->model, i)->node
			    : 0);
	return (model_po(ui->model, i, &node, &po) == -1 ? 0 : node);
}

static void
add(struct amount *a, const struct talk_pair *p)
{
	a->count += p->count;
	a->bytes += p->bytes;
}

static void
add_run(struct nodes *k, const struct ui *ui, int run)
{
	struct talk_list list;
	struct talk_pair p;
	uint32_t from, to;

	talk_list_of(ui, &list);
	for (uint32_t i = 0; i < list.n; i++) {
		talk_list_at(&list, i, &p);
		if (p.what != TALK_MESSAGE || p.count == 0)
			continue;
		from = node_of(ui, p.from);
		to = node_of(ui, p.to);
		add(&k->all[run], &p);
		if (from != to)
			add(&k->between[run], &p);
		from = place_of(k, label_node(ui->model, from));
		to = place_of(k, label_node(ui->model, to));
		if (from < NODES_MAX && to < NODES_MAX)
			add(&k->pair[run][from][to], &p);
	}
	k->exact = k->exact && messages_exact(ui);
}

/* NULL: no memory.  To be freed. */
static struct nodes *
nodes_of(struct ui *ui)
{
	struct nodes *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return (NULL);
	k->exact = true;
	/* in the order of the first run, whether or not they talk */
	for (int run = 0; run < 2; run++)
		for (uint32_t i = 1;
		     i <= model_nodes(ui->desks->desk[run]->model); i++)
			if (model_node_told(ui->desks->desk[run]->model, i))
				place_of(k,
				    label_node(ui->desks->desk[run]->model, i));
	for (int run = 0; run < 2; run++)
		add_run(k, ui->desks->desk[run], run);
	return (k);
}

bool
compare_nodes_prepare(struct ui *ui)
{
	return (!two_runs(ui) || (messages_prepare(ui->desks->desk[0]) &&
				     messages_prepare(ui->desks->desk[1])));
}

static int
percent(const struct nodes *k, int run)
{
	return (k->all[run].count == 0
		    ? 0
		    : (int)(100.0 * (double)k->between[run].count /
				(double)k->all[run].count +
			    0.5));
}

/* Less is the colour of less, the stronger the more it is of what there is. */
static void
draw_cell(struct ui *ui, struct canvas *c, const struct amount *a,
    const struct amount *b, int32_t x, int32_t y, int32_t w)
{
	const struct palette *p = ui->palette;
	double most = (double)(a->count > b->count ? a->count : b->count);
	double by = (double)b->count - (double)a->count;
	uint32_t rgb = by < 0 ? DIFFERENCE_LESS : DIFFERENCE_MORE;
	char text[64];

	if (most == 0) {
		canvas_fill(c, x, y, x + w - 2, y + ROW_PX - 2, p->panel);
		return;
	}
	by = by < 0 ? -by : by;
	rgb = palette_mix(p->panel, rgb, (unsigned)(190 * by / most));
	canvas_fill(c, x, y, x + w - 2, y + ROW_PX - 2, rgb);
	snprintf(text, sizeof(text), "%" PRIu64 " → %" PRIu64, a->count,
	    b->count);
	draw_cut(c, FONT_SMALL, x + 4, y + 11, w - 8, palette_text_on(rgb),
	    text);
}

static void
draw_matrix(struct ui *ui, struct canvas *c, const struct nodes *k,
    const struct rect *r, uint32_t shown, int32_t w)
{
	const struct palette *p = ui->palette;
	int32_t y = r->y0 + HEAD_PX, x;

	for (uint32_t j = 0; j < shown; j++)
		draw_cut(c, FONT_SMALL, r->x0 + NAME_PX + (int32_t)j * w + 4,
		    y + 11, w - 8, p->dim, k->name[j]);
	for (uint32_t i = 0; i < k->n; i++) {
		y += ROW_PX;
		if (y + ROW_PX > r->y1)
			return;
		draw_cut(c, FONT_SMALL, r->x0, y + 11, NAME_PX - 6, p->dim,
		    k->name[i]);
		for (uint32_t j = 0; j < shown; j++) {
			const struct amount *a = &k->pair[0][i][j];
			const struct amount *b = &k->pair[1][i][j];

			x = r->x0 + NAME_PX + (int32_t)j * w;
			draw_cell(ui, c, a, b, x, y, w);
			if (hint_wanted(ui, x, y, x + w, y + ROW_PX))
				hint_add(ui, x, y, x + w, y + ROW_PX,
				    "%s to %s\n%" PRIu64 " messages, %" PRIu64
				    " bytes\nthere %" PRIu64 ", %" PRIu64
				    " bytes",
				    k->name[i], k->name[j], a->count, a->bytes,
				    b->count, b->bytes);
		}
	}
}

int32_t
compare_nodes_draw(struct ui *ui, struct canvas *c, const struct rect *r,
    int32_t *y)
{
	struct nodes *k = nodes_of(ui);
	struct rect in = *r;
	int32_t room = r->x1 - r->x0 - TABLE_PX, w;
	uint32_t shown;
	char text[160];

	*y = r->y0;
	if (k == NULL || room < NAME_PX + CELL_PX ||
	    k->all[0].count + k->all[1].count == 0) {
		free(k);
		return (r->x1);
	}
	w = (room - NAME_PX) / (int32_t)k->n;
	w = w > CELL_PX ? CELL_PX : w < SMALL_PX ? SMALL_PX : w;
	shown = (uint32_t)((room - NAME_PX) / w);
	shown = shown > k->n ? k->n : shown;
	in.x0 = r->x1 - NAME_PX - (int32_t)shown * w;
	if (in.x0 > r->x1 - 300)
		in.x0 = r->x1 - (room < 300 ? room : 300);
	snprintf(text, sizeof(text),
	    "messages, from node to node: here → there");
	if (shown < k->n)
		snprintf(text, sizeof(text),
		    "messages to %" PRIu32 " of %" PRIu32
		    " nodes: here → there",
		    shown, k->n);
	draw_cut(c, FONT_SMALL, in.x0, r->y0 + 12, r->x1 - in.x0,
	    ui->palette->text, text);
	if (r->y1 - r->y0 > 60) {
		snprintf(text, sizeof(text),
		    "between nodes %s%" PRIu64 " (%d %%) → %" PRIu64 " (%d %%)",
		    k->exact ? "" : "~", k->between[0].count, percent(k, 0),
		    k->between[1].count, percent(k, 1));
		draw_cut(c, FONT_SMALL, in.x0, r->y0 + 27, r->x1 - in.x0,
		    ui->palette->dim, text);
	}
	draw_matrix(ui, c, k, &in, shown, w);
	*y = r->y0 + HEAD_PX + (int32_t)(k->n + 1) * ROW_PX;
	free(k);
	return (in.x0);
}

void
compare_nodes_describe(struct ui *ui, FILE *f)
{
	struct nodes *k = nodes_of(ui);

	if (k == NULL)
		return;
	fprintf(f,
	    "  messages between nodes: %s%" PRIu64 " of %" PRIu64
	    ", there %" PRIu64 " of %" PRIu64 "\n",
	    k->exact ? "" : "~", k->between[0].count, k->all[0].count,
	    k->between[1].count, k->all[1].count);
	for (uint32_t i = 0; i < k->n; i++)
		for (uint32_t j = 0; j < k->n; j++) {
			const struct amount *a = &k->pair[0][i][j];
			const struct amount *b = &k->pair[1][i][j];

			if (a->count + b->count > 0)
				fprintf(f,
				    "  messages %s to %s: %" PRIu64 ", %" PRIu64
				    " bytes, there %" PRIu64 ", %" PRIu64
				    " bytes\n",
				    k->name[i], k->name[j], a->count, a->bytes,
				    b->count, b->bytes);
		}
	free(k);
}
