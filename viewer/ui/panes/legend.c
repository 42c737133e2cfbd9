/*
 * The legend of a view, as a panel over it and in words, out of the table that
 * stands beside the view (ui/views/legend.h); nodes by their names, and the
 * tree with what its colours stand for just now.
 */
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/panes/panes.h"
#include "ui/panes/tree/treepane.h"
#include "ui/views/view.h"

#define ROW_PX      17
#define HEAD_PX     30
#define EDGE_PX     14
#define SIGN_PX     32 /* of the signs */
#define COLUMN_GAP  18
#define ENTRIES_MAX 64
#define NODES_NAMED 8

struct entry {
	uint8_t sign; /* enum item_type */
	uint32_t rgb[LEGEND_COLOURS];
	size_t n;  /* colours */
	bool node; /* one of those before it, by its name */
	char what[120];
};

struct entries {
	struct entry of[ENTRIES_MAX];
	size_t n;
	bool nodes_named;
};

static struct entry *
add(struct entries *l, uint8_t sign, const char *what)
{
	struct entry *e = &l->of[l->n];

	if (l->n == ENTRIES_MAX)
		return (NULL);
	l->n++;
	*e = (struct entry){ .sign = sign };
	snprintf(e->what, sizeof(e->what), "%s", what);
	return (e);
}

/* Once in a legend: which node has which. */
static void
add_nodes(const struct ui *ui, struct entries *l, const struct legend_row *r)
{
	uint32_t left = NODES_NAMED;
	struct entry *e;

	if (l->nodes_named)
		return;
	l->nodes_named = true;
	for (uint32_t i = 1; i <= model_nodes(ui->model) && left > 0; i++) {
		if (!model_node_told(ui->model, i))
			continue;
		e = add(l, r->sign, label_node(ui->model, i));
		if (e == NULL)
			return;
		e->rgb[0] = palette_of_node(ui->model, i);
		if (r->ink == LEGEND_NODES_ON)
			e->rgb[0] = palette_on(ui->palette, e->rgb[0]);
		e->n = 1;
		e->node = true;
		left--;
	}
}

static void
add_tree(struct ui *ui, struct entries *l, const struct legend_row *r)
{
	char what[sizeof(l->of[0].what)];
	uint32_t rgb[LEGEND_COLOURS];
	struct entry *e;
	size_t n;

	for (uint32_t i = 0;
	     (n = tree_legend_part(ui, i, rgb, what, sizeof(what))) > 0; i++) {
		e = add(l, r->sign, what);
		if (e == NULL)
			return;
		memcpy(e->rgb, rgb, sizeof(rgb));
		e->n = n;
	}
}

static void
entries_of(struct ui *ui, enum view_id v, struct entries *l)
{
	struct entry *e;

	l->n = 0;
	l->nodes_named = false;
	for (const struct legend_row *r = views[v].legend; r->what != NULL;
	     r++) {
		if (r->ink == LEGEND_TREE) {
			add_tree(ui, l, r);
			continue;
		}
		e = add(l, r->sign, r->what);
		if (e == NULL)
			return;
		e->n = legend_rgb(ui, r, e->rgb, LEGEND_COLOURS);
		if (r->ink == LEGEND_NODES || r->ink == LEGEND_NODES_ON)
			add_nodes(ui, l, r);
	}
}

/* --- in words --- */

void
legend_describe(struct ui *ui, enum view_id v, FILE *f)
{
	static const char *const sign[] = { [ITEM_RECT] = "filled",
		[ITEM_HATCH] = "hatched",
		[ITEM_LINE] = "line",
		[ITEM_ARROW] = "arrow",
		[ITEM_DASH] = "dashes",
		[ITEM_DOT] = "disc",
		[ITEM_CIRCLE] = "ring",
		[ITEM_SQUARE] = "square",
		[ITEM_SQUARE_OPEN] = "frame",
		[ITEM_DIAMOND] = "diamond",
		[ITEM_TEXT] = "letters" };
	struct entries l;

	entries_of(ui, v, &l);
	fprintf(f, "legend of %s:\n", views[v].name);
	for (size_t i = 0; i < l.n; i++) {
		const struct entry *e = &l.of[i];

		if (e->node)
			continue; /* said in its row */
		fprintf(f, "  %s", sign[e->sign]);
		for (size_t k = 0; k < e->n; k++)
			fprintf(f, " #%06x", (unsigned)e->rgb[k]);
		fprintf(f, ": %s", e->what);
		for (size_t k = i + 1; k < l.n && l.of[k].node; k++)
			fprintf(f, "%s %s", k == i + 1 ? ":" : ",",
			    l.of[k].what);
		fprintf(f, "\n");
	}
}

/* --- drawn --- */

static struct rect
place(const struct ui *ui, enum view_id v, const struct entries *l,
    unsigned *columns, int32_t *column_px)
{
	const struct rect *r =
	    &ui->places.pane[view_pane(ui, view_place(ui, v))];
	int32_t w = 0, wide, tall, most = ui->places.height - 8, x1, y0;
	unsigned rows, fit = (unsigned)((most - HEAD_PX - 8) / ROW_PX);

	for (size_t i = 0; i < l->n; i++) {
		int32_t px = text_width(FONT_SMALL, l->of[i].what,
		    strlen(l->of[i].what));

		w = px > w ? px : w;
	}
	fit = fit > 0 ? fit : 1;
	*columns = ((unsigned)l->n + fit - 1) / fit;
	*columns = *columns > 0 ? *columns : 1;
	rows = ((unsigned)l->n + *columns - 1) / *columns;
	*column_px = SIGN_PX + 10 + w + COLUMN_GAP;
	wide = *column_px * (int32_t)*columns - COLUMN_GAP + 2 * EDGE_PX;
	if (wide > ui->places.width - 8) {
		wide = ui->places.width - 8;
		*column_px =
		    (wide - 2 * EDGE_PX + COLUMN_GAP) / (int32_t)*columns;
	}
	tall = HEAD_PX + (int32_t)rows * ROW_PX + 8;
	x1 = r->x1 - 8 < wide + 4 ? wide + 4 : r->x1 - 8;
	y0 = r->y0 + 26;
	y0 = y0 + tall > ui->places.height - 4 ? ui->places.height - 4 - tall
					       : y0;
	y0 = y0 < 4 ? 4 : y0;
	return ((struct rect){ x1 - wide, y0, x1, y0 + tall });
}

/* Several have all the room for signs, one a part of it. */
static void
draw_colours(struct canvas *c, const struct entry *e, int32_t x, int32_t y)
{
	int32_t n = (int32_t)e->n, w = n > 1 ? SIGN_PX : SIGN_PX / 2;

	x += (SIGN_PX - w) / 2;
	for (int32_t i = 0; i < n; i++)
		canvas_fill(c, x + i * w / n, y - 5, x + (i + 1) * w / n, y + 5,
		    e->rgb[i]);
}

static void
draw_sign(struct canvas *c, const struct entry *e, int32_t x, int32_t y)
{
	int32_t mid = x + SIGN_PX / 2, one = SCENE_ONE;
	struct scene s = { 0 };
	struct item *i;

	if (e->n > 1 || e->sign == ITEM_RECT) {
		draw_colours(c, e, x, y);
		return;
	}
	if (e->sign == ITEM_TEXT) {
		draw_centre(c, FONT_SMALL, mid, y + 4, e->rgb[0], "abc");
		return;
	}
	i = scene_add(&s, (enum item_type)e->sign, e->rgb[0]);
	if (i != NULL && e->sign == ITEM_HATCH)
		*i = (struct item){ .type = e->sign,
			.alpha = 255,
			.rgb = e->rgb[0],
			.x0 = x * one,
			.y0 = (y - 5) * one,
			.x1 = (x + SIGN_PX) * one,
			.y1 = (y + 5) * one };
	else if (i != NULL && e->sign <= ITEM_DASH)
		*i = (struct item){ .type = e->sign,
			.alpha = 255,
			.rgb = e->rgb[0],
			.x0 = x * one,
			.y0 = y * one,
			.x1 = (x + SIGN_PX) * one,
			.y1 = y * one,
			.w = one * 2 };
	else if (i != NULL)
		*i = (struct item){ .type = e->sign,
			.alpha = 255,
			.rgb = e->rgb[0],
			.x0 = mid * one,
			.y0 = y * one,
			.w = 5 * one };
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
}

/* Its view is where it can be seen. */
static bool
legend_in_sight(const struct ui *ui)
{
	enum view_id v = ui->places.legend_of;
	enum pane at = view_place(ui, v);
	const struct rect *r = &ui->places.pane[view_pane(ui, at)];

	return (ui->places.legend && views[v].there(ui) &&
		places_show(&ui->places, v) && r->x1 > r->x0 && r->y1 > r->y0);
}

void
legend_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	enum view_id v = ui->places.legend_of;
	unsigned columns, rows;
	int32_t column_px;
	struct entries l;
	struct rect r;

	ui->places.legend_at = (struct rect){ 0 };
	if (!legend_in_sight(ui))
		return;
	entries_of(ui, v, &l);
	r = place(ui, v, &l, &columns, &column_px);
	ui->places.legend_at = r;
	rows = ((unsigned)l.n + columns - 1) / columns;
	canvas_fill(c, r.x0, r.y0, r.x1, r.y1, p->panel);
	draw_frame(c, &r, p->faint);
	draw_text(c, FONT_BOLD, r.x0 + EDGE_PX, r.y0 + 20, p->text, "%s",
	    views[v].name);
	draw_right(c, FONT_SMALL, r.x1 - EDGE_PX, r.y0 + 20, p->dim, "×");
	for (size_t i = 0; i < l.n; i++) {
		int32_t x = r.x0 + EDGE_PX + (int32_t)(i / rows) * column_px;
		int32_t y = r.y0 + HEAD_PX + (int32_t)(i % rows) * ROW_PX + 6;

		draw_sign(c, &l.of[i], x, y);
		draw_cut(c, FONT_SMALL, x + SIGN_PX + 10, y + 4,
		    column_px - SIGN_PX - 10 - COLUMN_GAP + 2, p->text,
		    l.of[i].what);
	}
}
