/*
 * Details: everything known about the selected task or row; about the run
 * when nothing is selected.
 */
#include <string.h>

#include "sheet.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define COLUMN_PX  300 /* at least */
#define LABEL_PX   84
#define ROW_PX     15
#define PIN        "as a card"
#define PIN_PX     80
#define PAIRS_MAX  384
#define PAIR_BYTES 160

const struct legend_row details_legend[] = {
	{ ITEM_TEXT, LEGEND_INK(dim), "what is said" },
	{ ITEM_TEXT, LEGEND_INK(text), "its value" },
	{ ITEM_TEXT, LEGEND_INK(accent), "a link: a click goes there" },
	{ ITEM_TEXT, LEGEND_INK(warn), "in doubt" },
	{ ITEM_TEXT, LEGEND_INK(error), "lost, or wrong" },
	{ 0 },
};

/* Pairs of label and value; what is beyond is counted. */
struct columns {
	struct sheet s; /* first */
	struct canvas *c;
	const struct rect *r;
	int32_t y; /* of the first row */
	size_t n;
	struct pair {
		const char *label;
		uint32_t rgb;
		char value[PAIR_BYTES];
	} pair[PAIRS_MAX];
};

/* What the sheet is about, over the width of the dock. */
static void
column_title(struct sheet *s, uint32_t rgb, const char *title)
{
	struct columns *k = (struct columns *)s;

	draw_cut(k->c, FONT_BOLD, k->r->x0, k->r->y0 + 16,
	    k->r->x1 - k->r->x0 - PIN_PX, rgb, title);
}

static void
column_row(struct sheet *s, const char *label, uint32_t rgb, const char *value)
{
	struct columns *k = (struct columns *)s;
	struct pair *p = &k->pair[k->n];

	if (k->n++ >= PAIRS_MAX)
		return;
	p->label = label;
	p->rgb = rgb;
	snprintf(p->value, sizeof(p->value), "%s", value);
}

/* Over the width of the dock. */
static void
column_words(struct sheet *s, const char *words)
{
	struct columns *k = (struct columns *)s;

	draw_cut(k->c, FONT_SMALL, k->r->x0, k->y, k->r->x1 - k->r->x0,
	    s->ui->palette->text, words);
	k->y += 20;
}

/* As many columns as it takes, as wide as there is room. */
static void
draw_pairs(const struct columns *k)
{
	const struct palette *p = k->s.ui->palette;
	int32_t w = k->r->x1 - k->r->x0, wide = w > COLUMN_PX ? COLUMN_PX : w;
	size_t rows = k->r->y1 > k->y + ROW_PX
			  ? (size_t)((k->r->y1 - 4 - k->y) / ROW_PX) + 1
			  : 1;
	size_t columns = (k->n + rows - 1) / rows;
	size_t fit = (size_t)(wide > 0 ? w / wide : 1) * rows;

	fit = fit < PAIRS_MAX ? fit : PAIRS_MAX;
	if (columns > 0 && w / (int32_t)columns > wide)
		wide = w / (int32_t)columns;
	for (size_t i = 0; i < k->n && i < fit; i++) {
		int32_t x = k->r->x0 + (int32_t)(i / rows) * wide;
		int32_t y = k->y + (int32_t)(i % rows) * ROW_PX;

		if (i + 1 == fit && k->n > fit) {
			draw_text(k->c, FONT_SMALL, x, y, p->dim, "%zu more",
			    k->n - i);
			break;
		}
		draw_text(k->c, FONT_SMALL, x, y, p->dim, "%s",
		    k->pair[i].label);
		draw_cut(k->c, FONT_SMALL, x + LABEL_PX, y,
		    wide - LABEL_PX - 16, k->pair[i].rgb, k->pair[i].value);
	}
}

/* A button that makes a card of it. */
static void
draw_pin(struct ui *ui, struct canvas *c, const struct rect *r)
{
	int32_t w = text_width(FONT_SMALL, PIN, strlen(PIN));

	if (r->x1 - r->x0 < 3 * w)
		return;
	draw_text(c, FONT_SMALL, r->x1 - w - 8, r->y0 + 16, ui->palette->accent,
	    PIN);
	spot_add(ui, r->x1 - w - 16, r->y0 + 2, r->x1, r->y0 + 24, "card");
}

/* Of a process or node it tells how long any of its threads ran. */
bool
details_prepare(struct ui *ui)
{
	uint32_t lane = ui->time.selected_lane;

	return (lane >= model_lanes(ui->model) ||
		model_lane(ui->model, lane)->kind > LANE_PO ||
		activity_view_prepare(ui));
}

void
details_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct columns k = { { ui, true, column_title, column_row,
				 column_words },
		c, r, r->y0 + 34, 0, { { 0 } } };
	struct thing of;

	thing_selected(ui, &of);
	if (of.kind != THING_RUN)
		draw_pin(ui, c, r);
	sheet_write(&k.s, &of);
	draw_pairs(&k);
}

/* Lines of "label<tab>value". */
struct lines {
	struct sheet s; /* first */
	FILE *f;
};

static void
line_title(struct sheet *s, uint32_t rgb, const char *title)
{
	(void)rgb;
	fprintf(((struct lines *)s)->f, "%s\n", title);
}

static void
line_row(struct sheet *s, const char *label, uint32_t rgb, const char *value)
{
	(void)rgb;
	fprintf(((struct lines *)s)->f, "%s\t%s\n", label, value);
}

static void
line_words(struct sheet *s, const char *words)
{
	fprintf(((struct lines *)s)->f, "%s\n", words);
}

void
details_lines(struct ui *ui, const struct thing *of, FILE *f)
{
	struct lines k = { { ui, true, line_title, line_row, line_words }, f };

	sheet_write(&k.s, of);
}

void
details_text(struct ui *ui, FILE *f)
{
	struct thing of;

	thing_selected(ui, &of);
	details_lines(ui, &of, f);
}

void
details_describe(struct ui *ui, FILE *f)
{
	fputs("details of ", f);
	details_text(ui, f);
}
