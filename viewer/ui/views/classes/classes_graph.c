/*
 * Classes as a graph.  Of more than can be seen at once only what is within two
 * steps of the chosen one is drawn, else of the one with most time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/layers.h"
#include "layout/scene.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/classes/classes_inside.h"

#define NODES_MAX 60 /* more: only what is near */
#define NEAR      2
#define BOX_PX    46
#define PITCH_PX  60
#define WIDE_PX   190
#define NARROW_PX 104
#define GAP_PX    40
#define Q(px)     ((px)*SCENE_ONE)

struct graph {
	struct ui *ui;
	const struct classes *all;
	uint32_t *class; /* of each node */
	uint32_t *node;  /* of each class: + 1; 0: it is not drawn */
	uint8_t *far;    /* of each class: steps + 1; 0: too many */
	struct layers_node *place;
	struct layers_edge *edge;
	struct rect *box;
	uint32_t n, shown, middle; /* shown: of all that may be */
	size_t edges;
	int64_t most_ns;
};

static void
graph_clear(struct graph *g)
{
	free(g->class);
	free(g->node);
	free(g->far);
	free(g->place);
	free(g->edge);
	free(g->box);
}

static bool
graph_new(struct graph *g)
{
	size_t n = (size_t)g->all->n + 1;

	g->class = calloc(n, sizeof(*g->class));
	g->node = calloc(n, sizeof(*g->node));
	g->far = calloc(n, sizeof(*g->far));
	g->place = calloc(n, sizeof(*g->place));
	g->box = calloc(n, sizeof(*g->box));
	g->edge = calloc((size_t)g->all->edges + 1, sizeof(*g->edge));
	return (g->class != NULL && g->node != NULL && g->far != NULL &&
		g->place != NULL && g->box != NULL && g->edge != NULL);
}

/* The chosen one, else who has most time. */
static uint32_t
middle_of(const struct classes *c)
{
	uint32_t best = CLASS_NONE;

	if (c->selected < c->n)
		return (c->selected);
	for (uint32_t i = 0; i < c->n; i++)
		if (class_shown(c, i) &&
		    (best == CLASS_NONE ||
			class_time_ns(c, &c->class[i].sum) >
			    class_time_ns(c, &c->class[best].sum)))
			best = i;
	return (best);
}

static void
find_near(struct graph *g)
{
	const struct classes *c = g->all;

	g->far[g->middle] = 1;
	for (uint8_t step = 1; step <= NEAR; step++)
		for (uint32_t e = 0; e < c->edges; e++) {
			uint32_t a = c->edge[e].from, b = c->edge[e].to;

			if (g->far[a] == step && g->far[b] == 0)
				g->far[b] = step + 1;
			else if (g->far[b] == step && g->far[a] == 0)
				g->far[a] = step + 1;
		}
}

static void
choose(struct graph *g)
{
	const struct classes *c = g->all;

	for (uint32_t i = 0; i < c->n; i++)
		g->shown += class_shown(c, i);
	g->middle = middle_of(c);
	if (g->middle != CLASS_NONE)
		find_near(g);
	for (uint32_t i = 0; i < c->n; i++)
		if (class_shown(c, i) &&
		    (g->shown <= NODES_MAX || g->far[i] != 0)) {
			int64_t ns = class_time_ns(c, &c->class[i].sum);

			g->class[g->n++] = i;
			g->node[i] = g->n;
			g->most_ns = ns > g->most_ns ? ns : g->most_ns;
		}
	for (uint32_t e = 0; e < c->edges; e++) {
		uint32_t a = g->node[c->edge[e].from];
		uint32_t b = g->node[c->edge[e].to];

		if (a != 0 && b != 0)
			g->edge[g->edges++] =
			    (struct layers_edge){ a - 1, b - 1 };
	}
}

/* --- places --- */

static void
place(struct graph *g, const struct rect *r)
{
	int32_t w = r->x1 - r->x0 - 8, box, gap, first, sight;
	uint32_t columns = (uint32_t)((w + GAP_PX) / (NARROW_PX + GAP_PX));
	uint32_t rows[8] = { 0 }, most, used = 0;
	int32_t *scroll = &g->ui->lists.scroll[VIEW_CLASSES];

	columns = columns < 1 ? 1 : columns > 5 ? 5 : columns;
	most = layers_place(g->n, g->edge, g->edges, columns, g->place);
	for (uint32_t i = 0; i < g->n; i++)
		rows[g->place[i].column]++;
	for (uint32_t i = 0; i < columns; i++)
		used += rows[i] > 0;
	used = used < 1 ? 1 : used;
	box = (w - (int32_t)(used - 1) * GAP_PX) / (int32_t)used;
	box = box > WIDE_PX ? WIDE_PX : box;
	gap = used > 1 ? (w - box * (int32_t)used) / (int32_t)(used - 1) : 0;
	gap = gap > 2 * GAP_PX ? 2 * GAP_PX : gap;
	sight = (r->y1 - r->y0 - 8) / PITCH_PX;
	first =
	    *scroll > (int32_t)most - sight ? (int32_t)most - sight : *scroll;
	*scroll = first = first < 0 ? 0 : first;
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t column = g->place[i].column;
		int32_t x = r->x0 + 4 + (int32_t)column * (box + gap);
		int32_t y = r->y0 + 6 +
			    ((int32_t)g->place[i].row - first) * PITCH_PX +
			    (int32_t)(most - rows[column]) * PITCH_PX / 2;

		g->box[i] = (struct rect){ x, y, x + box, y + BOX_PX };
	}
}

/* --- lines --- */

static void
line(struct scene *s, enum item_type type, const int32_t at[4], int32_t w,
    uint32_t rgb)
{
	struct item *it = scene_add(s, type, rgb);

	if (it == NULL)
		return;
	it->x0 = Q(at[0]);
	it->y0 = Q(at[1]);
	it->x1 = Q(at[2]);
	it->y1 = Q(at[3]);
	it->w = w;
}

/* From an edge of one box to an edge of the other; in a column from one to the
 * next, or around those between. */
static void
way(const struct graph *g, uint32_t a, uint32_t b, struct scene *s,
    enum item_type type, int32_t w, uint32_t rgb)
{
	const struct rect *p = &g->box[a], *q = &g->box[b];
	int32_t py = (p->y0 + p->y1) / 2, qy = (q->y0 + q->y1) / 2;
	int32_t x = p->x0 + (p->x1 - p->x0) * 3 / 4, out = p->x1 + 14;
	bool down = q->y0 > p->y0;

	if (g->place[a].column != g->place[b].column) {
		bool right = q->x0 > p->x0;

		line(s, type,
		    (int32_t[]){ right ? p->x1 : p->x0, py,
			right ? q->x0 : q->x1, qy },
		    w, rgb);
		return;
	}
	if (q->y0 - p->y0 == PITCH_PX || p->y0 - q->y0 == PITCH_PX) {
		line(s, type,
		    (int32_t[]){ x, down ? p->y1 : p->y0, x,
			down ? q->y0 : q->y1 },
		    w, rgb);
		return;
	}
	line(s, ITEM_LINE, (int32_t[]){ p->x1, py + 8, out, py + 8 }, w, rgb);
	line(s, ITEM_LINE, (int32_t[]){ out, py + 8, out, qy - 8 }, w, rgb);
	line(s, type, (int32_t[]){ out, qy - 8, q->x1, qy - 8 }, w, rgb);
}

static void
draw_edge(const struct graph *g, const struct class_edge *e, struct scene *s)
{
	const struct palette *p = g->ui->palette;
	const uint32_t ink[CLASS_WAYS] = { p->dim, palette_on(p, p->faint),
		palette_on(p, PALETTE_NOTE) };
	bool own = e->from == g->all->selected || e->to == g->all->selected;
	uint32_t a = g->node[e->from] - 1, b = g->node[e->to] - 1;
	const struct rect *from = &g->box[a], *to = &g->box[b];
	uint32_t rgb =
	    own && e->way != CLASS_INHERITS ? p->accent : ink[e->way];

	way(g, a, b, s, e->way == CLASS_HAS ? ITEM_LINE : ITEM_ARROW,
	    own ? Q(2) : Q(3) / 2, rgb);
	if (e->way == CLASS_HAS && g->place[a].column != g->place[b].column)
		scene_mark(s, ITEM_DOT,
		    Q(to->x0 > from->x0 ? from->x1 : from->x0),
		    Q((from->y0 + from->y1) / 2), Q(3), rgb);
}

static void
draw_edges(const struct graph *g, struct canvas *c)
{
	struct scene s = { 0 };

	for (int own = 0; own < 2; own++)
		for (uint32_t i = 0; i < g->all->edges; i++) {
			const struct class_edge *e = &g->all->edge[i];
			bool is = e->from == g->all->selected ||
				  e->to == g->all->selected;

			if (is == (own == 1) && e->from != e->to &&
			    g->node[e->from] != 0 && g->node[e->to] != 0)
				draw_edge(g, e, &s);
		}
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
}

/* --- boxes --- */

static void
draw_box(const struct graph *g, struct canvas *c, const struct rect *r,
    uint32_t i)
{
	const struct palette *p = g->ui->palette;
	const struct class *k = &g->all->class[i];
	const struct rect *b = r;
	struct rect inner = { b->x0 + 3, b->y0 + 3, b->x1 - 3, b->y1 - 3 };
	struct rect bar = { b->x0 + 8, b->y1 - 11, b->x1 - 8, b->y1 - 7 };
	const char *file = strrchr(k->is->file, '/');
	bool own = i == g->all->selected;
	char size[32], words[200];
	int32_t x1, w;

	canvas_fill(c, b->x0, b->y0, b->x1, b->y1,
	    own ? p->selection : p->background);
	draw_frame(c, b, own ? p->accent : p->dim);
	if (class_is_po(k))
		draw_frame(c, &inner, p->text);
	snprintf(size, sizeof(size), "%" PRIu64 " B", k->is->bytes);
	x1 = b->x1 - 8;
	w = x1 - text_width(FONT_SMALL, size, strlen(size)) - b->x0 - 14;
	if (text_width(FONT_BOLD, k->is->name, strlen(k->is->name)) <= w)
		draw_right(c, FONT_SMALL, x1, b->y0 + 15, p->dim, "%s", size);
	else /* the name matters more; the hint has both */
		w = x1 - b->x0 - 8;
	draw_cut_middle(c, FONT_BOLD, b->x0 + 8, b->y0 + 15, w, p->text,
	    k->is->name);
	words[0] = '\0';
	if (k->functions > 0)
		snprintf(words, sizeof(words), "%" PRIu32 " fn", k->functions);
	draw_right(c, FONT_SMALL, x1, b->y0 + 28, p->dim, "%s", words);
	w = x1 - text_width(FONT_SMALL, words, strlen(words)) - b->x0 - 14;
	snprintf(words, sizeof(words), "%.150s:%" PRIu32,
	    file == NULL ? k->is->file : file + 1, k->is->line);
	draw_cut_middle(c, FONT_SMALL, b->x0 + 8, b->y0 + 28, w, p->dim, words);
	class_bar(g->ui, c, &bar, g->all, i, g->most_ns);
	spot_add(g->ui, b->x0, b->y0, b->x1, b->y1, "classes #%" PRIu32, i);
	class_hint(g->ui, b, g->all, i);
}

static void
say_part(const struct graph *g, struct canvas *c, const struct rect *r)
{
	char words[300];

	if (g->n >= g->shown)
		return;
	snprintf(words, sizeof(words),
	    "%" PRIu32 " of %" PRIu32 ": within two steps of %.150s", g->n,
	    g->shown, g->all->class[g->middle].is->name);
	draw_cut(c, FONT_SMALL, r->x0 + 4, r->y1 - 4, r->x1 - r->x0 - 8,
	    g->ui->palette->dim, words);
}

void
classes_graph(struct ui *ui, struct canvas *c, const struct rect *r,
    struct classes *all)
{
	struct graph g = { .ui = ui, .all = all };
	struct canvas was = *c;
	struct rect in = *r;

	if (!graph_new(&g)) {
		graph_clear(&g);
		return;
	}
	choose(&g);
	in.y1 -= g.n < g.shown ? 16 : 0;
	place(&g, &in);
	canvas_clip(c, in.x0, in.y0, in.x1, in.y1);
	draw_edges(&g, c);
	for (uint32_t i = 0; i < g.n; i++)
		if (g.box[i].y1 > in.y0 && g.box[i].y0 < in.y1)
			draw_box(&g, c, &g.box[i], g.class[i]);
	*c = was;
	say_part(&g, c, r);
	graph_clear(&g);
}
