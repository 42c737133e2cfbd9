/*
 * Details: everything known about the selected task or row; about the run
 * when nothing is selected.
 */
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/sheet.h"
#include "ui/views/view.h"

#define COLUMN_PX 300
#define LABEL_PX  84
#define PIN       "as a card"

/* Pairs of label and value, column by column. */
struct columns {
	struct sheet s; /* first */
	struct canvas *c;
	const struct rect *r;
	int32_t x, y;
};

/* What the sheet is about, over the width of the dock. */
static void
column_title(struct sheet *s, uint32_t rgb, const char *title)
{
	struct columns *k = (struct columns *)s;

	draw_cut(k->c, FONT_BOLD, k->x, k->r->y0 + 16, k->r->x1 - k->x, rgb,
	    title);
}

static void
column_row(struct sheet *s, const char *label, uint32_t rgb, const char *value)
{
	struct columns *k = (struct columns *)s;

	if (k->y > k->r->y1 - 4) {
		k->y = k->r->y0 + 34;
		k->x += COLUMN_PX;
	}
	draw_text(k->c, FONT_SMALL, k->x, k->y, s->ui->palette->dim, "%s",
	    label);
	draw_cut(k->c, FONT_SMALL, k->x + LABEL_PX, k->y,
	    COLUMN_PX - LABEL_PX - 16, rgb, value);
	k->y += 15;
}

/* Over the width of the dock. */
static void
column_words(struct sheet *s, const char *words)
{
	struct columns *k = (struct columns *)s;

	draw_cut(k->c, FONT_SMALL, k->x, k->y, k->r->x1 - k->x,
	    s->ui->palette->text, words);
	k->y += 20;
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

void
details_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct columns k = { { ui, true, column_title, column_row,
				 column_words },
		c, r, r->x0, r->y0 + 34 };
	struct rect title = *r;
	struct thing of;

	thing_selected(ui, &of);
	if (of.kind != THING_RUN) {
		draw_pin(ui, c, r);
		title.x1 -= 80;
		k.r = &title;
	}
	sheet_write(&k.s, &of);
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
