/*
 * Views as SVG: the display lists that are painted, one element an item, with
 * the names of the rows and the ruler beside them.  Dock and overview are
 * tables of pixels and left out.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/out/out.h"
#include "ui/out/outfile.h"
#include "ui/panes/panes.h"
#include "ui/panes/tree/treepane.h"
#include "ui/views/details/card.h"

struct svg {
	FILE *f;
	const struct scene *scene;
};

static double
unit(int32_t q)
{
	return ((double)q / SCENE_ONE);
}

static void
put_text(FILE *f, const char *s, size_t n)
{
	for (size_t i = 0; i < n && s[i] != '\0'; i++) {
		switch (s[i]) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		default:
			if ((unsigned char)s[i] >= ' ')
				fputc(s[i], f);
		}
	}
}

static void
put_string(FILE *f, double x, double y, enum font font, uint32_t rgb,
    const char *anchor, const char *s, size_t n)
{
	fprintf(f,
	    "<text x=\"%.2f\" y=\"%.2f\" fill=\"#%06x\" font-size=\"%d\"%s%s>",
	    x, y, rgb, font == FONT_SMALL ? 10 : 12,
	    font == FONT_BOLD ? " font-weight=\"bold\"" : "", anchor);
	put_text(f, s, n);
	fputs("</text>\n", f);
}

static void
put_look(FILE *f, const char *how, const struct item *i)
{
	fprintf(f, " %s=\"#%06x\"", how, i->rgb);
	if (i->alpha != 255)
		fprintf(f, " %s-opacity=\"%.3f\"", how, i->alpha / 255.0);
}

static void
put_rect(const struct svg *v, const struct item *i)
{
	fprintf(v->f,
	    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
	    unit(i->x0), unit(i->y0), unit(i->x1 - i->x0), unit(i->y1 - i->y0));
	put_look(v->f, "fill", i);
	fputs("/>\n", v->f);
	if (i->type == ITEM_HATCH)
		fprintf(v->f,
		    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
		    "height=\"%.2f\" fill=\"url(#hatch)\"/>\n",
		    unit(i->x0), unit(i->y0), unit(i->x1 - i->x0),
		    unit(i->y1 - i->y0));
}

static void
put_line(const struct svg *v, const struct item *i)
{
	bool dash = i->type == ITEM_DASH;

	fprintf(v->f,
	    "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" "
	    "stroke-width=\"%.2f\"%s%s",
	    unit(i->x0), unit(i->y0), unit(i->x1), unit(dash ? i->y0 : i->y1),
	    i->w > 0 ? unit(i->w) : 1.0,
	    dash ? " stroke-dasharray=\"3 2\"" : "",
	    i->type == ITEM_ARROW ? " marker-end=\"url(#head)\"" : "");
	put_look(v->f, "stroke", i);
	fputs("/>\n", v->f);
}

static void
put_poly(const struct svg *v, const struct item *i)
{
	const int32_t *p = v->scene->points + 2 * (size_t)i->first;

	fputs("<polygon points=\"", v->f);
	for (uint32_t k = 0; k < i->n; k++)
		fprintf(v->f, "%s%.2f,%.2f", k == 0 ? "" : " ", unit(p[2 * k]),
		    unit(p[2 * k + 1]));
	fputs("\"", v->f);
	put_look(v->f, "fill", i);
	fputs("/>\n", v->f);
}

static void
put_disc(const struct svg *v, const struct item *i)
{
	fprintf(v->f, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", unit(i->x0),
	    unit(i->y0), unit(i->w));
	if (i->type == ITEM_CIRCLE)
		fputs(" fill=\"none\"", v->f);
	put_look(v->f, i->type == ITEM_CIRCLE ? "stroke" : "fill", i);
	fputs("/>\n", v->f);
}

static void
put_square(const struct svg *v, const struct item *i)
{
	fprintf(v->f,
	    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
	    unit(i->x0 - i->w), unit(i->y0 - i->w), unit(2 * i->w),
	    unit(2 * i->w));
	if (i->type == ITEM_SQUARE_OPEN)
		fputs(" fill=\"none\"", v->f);
	put_look(v->f, i->type == ITEM_SQUARE_OPEN ? "stroke" : "fill", i);
	fputs("/>\n", v->f);
}

static void
put_diamond(const struct svg *v, const struct item *i)
{
	double x = unit(i->x0), y = unit(i->y0), w = unit(i->w);

	fprintf(v->f,
	    "<polygon points=\"%.2f,%.2f %.2f,%.2f %.2f,%.2f %.2f,%.2f\"",
	    x - w, y, x, y - w, x + w, y, x, y + w);
	put_look(v->f, "fill", i);
	fputs("/>\n", v->f);
}

static void
put_words(const struct svg *v, const struct item *i)
{
	put_string(v->f, unit(i->x0), unit(i->y0),
	    i->font <= FONT_BOLD ? (enum font)i->font : FONT_SMALL, i->rgb,
	    i->type == ITEM_TEXT_RIGHT ? " text-anchor=\"end\"" : "",
	    v->scene->text + i->first, i->n);
}

static void (*const writers[])(const struct svg *, const struct item *) = {
	[ITEM_RECT] = put_rect,
	[ITEM_HATCH] = put_rect,
	[ITEM_LINE] = put_line,
	[ITEM_ARROW] = put_line,
	[ITEM_DASH] = put_line,
	[ITEM_POLY] = put_poly,
	[ITEM_DOT] = put_disc,
	[ITEM_CIRCLE] = put_disc,
	[ITEM_SQUARE] = put_square,
	[ITEM_SQUARE_OPEN] = put_square,
	[ITEM_DIAMOND] = put_diamond,
	[ITEM_TEXT] = put_words,
	[ITEM_TEXT_RIGHT] = put_words,
};

/* A display list at a place, cut at its edges. */
static void
put_scene(FILE *f, const struct scene *s, const struct rect *r)
{
	struct svg v = { f, s };

	fprintf(f,
	    "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
	    "overflow=\"hidden\">\n",
	    r->x0, r->y0, r->x1 - r->x0, r->y1 - r->y0);
	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].type < sizeof(writers) / sizeof(writers[0]))
			writers[s->items[i].type](&v, &s->items[i]);
	fputs("</svg>\n", f);
}

static void
put_ruler(FILE *f, const struct ui *ui)
{
	int64_t t[RULER_TICKS], step;
	size_t n = timepane_ticks(ui, t, &step);
	char buf[32];

	for (size_t i = 0; i < n; i++) {
		run_time(ui, t[i], step, buf, sizeof(buf));
		put_string(f,
		    ui->places.ruler.x0 + timeline_x(&ui->time, t[i]) + 4,
		    ui->places.ruler.y1 - 6, FONT_SMALL, ui->palette->dim, "",
		    buf, strlen(buf));
	}
}

static void
put_labels(FILE *f, const struct ui *ui)
{
	char name[128];

	for (size_t i = 0; i < ui->timepane.rows.nrows; i++) {
		const struct timeline_row *r = &ui->timepane.rows.rows[i];
		const struct lane *l = model_lane(ui->model, r->lane);
		int32_t middle = r->y + r->height / 2;

		if (r->y < r->top || r->y + r->height > ui->time.height)
			continue;
		label_lane(ui->model, l, name, sizeof(name));
		put_string(f,
		    ui->places.pane[PANE_TIME].x0 + 23 + 12 * r->indent,
		    ui->places.lanes.y0 + middle + 4,
		    r->height >= 18 ? FONT_NORMAL : FONT_SMALL,
		    label_lane_rgb(ui, l), "", name, strlen(name));
	}
}

static void
put_head(FILE *f, const struct ui *ui, const struct rect *r)
{
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0;

	fprintf(f,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
	    "height=\"%d\" viewBox=\"%d %d %d %d\" "
	    "font-family=\"DejaVu Sans, sans-serif\">\n",
	    w, h, r->x0, r->y0, w, h);
	fputs("<defs>\n"
	      "<pattern id=\"hatch\" width=\"7\" height=\"7\" "
	      "patternUnits=\"userSpaceOnUse\" "
	      "patternTransform=\"rotate(45)\">"
	      "<rect width=\"2\" height=\"7\" fill=\"#000\" "
	      "fill-opacity=\"0.42\"/></pattern>\n"
	      "<marker id=\"head\" viewBox=\"0 0 7 6\" refX=\"7\" refY=\"3\" "
	      "markerWidth=\"7\" markerHeight=\"6\" "
	      "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
	      "<path d=\"M0,0 L7,3 L0,6 z\" fill=\"context-stroke\"/>"
	      "</marker>\n</defs>\n",
	    f);
	fprintf(f,
	    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
	    "fill=\"#%06x\"/>\n",
	    r->x0, r->y0, w, h, ui->palette->background);
}

static void
put_title(FILE *f, const struct ui *ui, const struct rect *r, const char *alone)
{
	const char *title = !two_runs(ui) ? alone : ui_run_name(ui);

	put_string(f, r->x0 + 12, r->y0 + 16, FONT_BOLD, ui->palette->text, "",
	    title, strlen(title));
}

static void
put_piece(void *arg, const struct tree_piece *p)
{
	FILE *f = arg;

	fprintf(f, "<g transform=\"translate(%.2f,%.2f) rotate(%.1f)\">",
	    unit(p->x_q), unit(p->y_q),
	    atan2(p->dy, p->dx) * 180 / 3.14159265358979);
	if (p->upon)
		fprintf(f,
		    "<rect x=\"-2\" y=\"-10\" width=\"%d\" height=\"13\" "
		    "fill=\"#%06x\" fill-opacity=\"%.2f\"/>",
		    text_width(FONT_SMALL, p->text, p->n) + 4, p->ground,
		    TREE_GROUND_ALPHA / 255.0);
	put_string(f, 0, 0, FONT_SMALL, p->rgb, "", p->text, p->n);
	fputs("</g>\n", f);
}

/* On the sectors of the tree. */
static void
put_names(FILE *f, const struct ui *ui)
{
	const struct layer *l = &ui->treepane.layer;
	struct canvas c;

	if (l->px == NULL)
		return;
	layer_canvas(l, l->px, &c);
	fprintf(f, "<g transform=\"translate(%d,%d)\">\n", ui->places.tree.x0,
	    ui->places.tree.y0);
	tree_names_each(ui, &c, put_piece, f);
	fputs("</g>\n", f);
}

/* One run: its lanes and its tree, where they are in the window. */
static void
put_run(FILE *f, const struct ui *ui, bool time, bool tree)
{
	if (time) {
		put_title(f, ui, &ui->places.pane[PANE_TIME], "Process-time");
		put_ruler(f, ui);
		put_labels(f, ui);
		put_scene(f, &ui->timepane.shown, &ui->places.lanes);
	}
	if (tree) {
		put_title(f, ui, &ui->places.pane[PANE_TREE], "Reduction tree");
		put_scene(f, &ui->treepane.scene, &ui->places.tree);
		put_names(f, ui);
	}
}

/* cards */

static void
pen_fill(void *f, const struct rect *r, uint32_t rgb)
{
	fprintf(f,
	    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
	    "fill=\"#%06x\"/>\n",
	    r->x0, r->y0, r->x1 - r->x0, r->y1 - r->y0, rgb);
}

static void
pen_frame(void *f, const struct rect *r, uint32_t rgb)
{
	fprintf(f,
	    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" "
	    "fill=\"none\" stroke=\"#%06x\"/>\n",
	    r->x0 + 0.5, r->y0 + 0.5, r->x1 - r->x0 - 1, r->y1 - r->y0 - 1,
	    rgb);
}

static void
pen_text(void *f, enum font font, int32_t x, int32_t y, int32_t width,
    uint32_t rgb, const char *s)
{
	put_string(f, x, y, font, rgb, "", s, draw_line_end(font, s, width));
}

static void
pen_leader(void *f, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb, uint8_t alpha)
{
	fprintf(f,
	    "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" "
	    "stroke=\"#%06x\" stroke-opacity=\"%.3f\"/>\n"
	    "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"none\" "
	    "stroke=\"#%06x\"/>\n",
	    x0, y0, x1, y1, rgb, alpha / 255.0, x1, y1, CARD_RING_PX, rgb);
}

static void
put_cards(FILE *f, struct ui *ui)
{
	struct card_pen p = { pen_fill, pen_frame, pen_text, pen_leader, f };

	card_pen(ui, &p);
}

static struct rect
both_of(const struct rect *a, const struct rect *b)
{
	struct rect r = *a;

	r.x0 = b->x0 < r.x0 ? b->x0 : r.x0;
	r.y0 = b->y0 < r.y0 ? b->y0 : r.y0;
	r.x1 = b->x1 > r.x1 ? b->x1 : r.x1;
	r.y1 = b->y1 > r.y1 ? b->y1 : r.y1;
	return (r);
}

static struct rect
place_of(const struct ui *ui, bool time, bool tree)
{
	const struct rect *a = &ui->places.pane[PANE_TIME],
			  *b = &ui->places.pane[PANE_TREE];

	return (time && tree ? both_of(a, b) : time ? *a : *b);
}

static void
put_views(FILE *f, struct ui *ui, bool time, bool tree)
{
	struct rect all = place_of(ui, time, tree), other;

	if (two_runs(ui)) {
		other = place_of(ui->desks->desk[1], time, tree);
		all = both_of(&all, &other);
	}
	put_head(f, ui, &all);
	put_run(f, ui, time, tree);
	if (two_runs(ui))
		put_run(f, ui->desks->desk[1], time, tree);
	if (time && tree)
		put_cards(f, ui);
	fputs("</svg>\n", f);
}

/* The display lists of what is shown now, whole. */
static void
prepare(struct ui *ui, bool time, bool tree)
{
	if (time) {
		layer_drop(&ui->timepane.layer);
		timepane_prepare(ui);
	}
	if (tree) {
		layer_drop(&ui->treepane.layer);
		treepane_prepare(ui);
	}
}

int
svg_print(struct ui *ui, FILE *f, const char *view)
{
	enum view_id v = view_named(view, strlen(view));
	bool all = strcmp(view, "all") == 0;
	bool time =
	    (all || v == VIEW_LANES) && ui->places.pane[PANE_TIME].y1 > 0;
	bool tree =
	    (all || v == VIEW_TREE) && ui->places.pane[PANE_TREE].x1 > 0;

	if (!time && !tree) {
		errno = ENOTSUP;
		return (-1);
	}
	prepare(ui, time, tree);
	if (two_runs(ui))
		prepare(ui->desks->desk[1], time, tree);
	put_views(f, ui, time, tree);
	return (ferror(f) ? -1 : 0);
}

int
svg_write(struct ui *ui, const char *path, const char *view)
{
	struct outfile o;

	if (outfile_open(&o, path) == -1)
		return (-1);
	return (outfile_close(&o, svg_print(ui, o.f, view) == 0));
}
