/*
 * The help screen, made from the table of keys: in as many columns as there is
 * room for, and when that is not enough, it scrolls.
 */
#include <string.h>

#include "ui/desk/macro.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"

#define ROW_PX         16
#define KEYS_PX        112
#define COLUMN_PX      300 /* at least */
#define COLUMN_MOST_PX 420
#define HEAD_PX        46
#define EDGE_PX        20

struct sheet {
	struct rect r;
	unsigned columns, rows; /* of lines */
	unsigned total;
	unsigned own; /* lines before those of the user's own */
};

/* A line is a key or, above a group, its title behind an empty one. */
static unsigned
lines_before(enum keymap map, unsigned key)
{
	unsigned n = key;

	for (unsigned i = 0; i <= key; i++)
		if (keys_group(map, i) != NULL)
			n += i == 0 ? 1 : 2;
	return (n);
}

/* Those of the user's own, behind the others: keys, then names. */
static bool
own_each(const struct ui *ui, unsigned i, const char **keys, const char **what)
{
	const char *name, *text;
	unsigned n = 0;

	if (macro_key_each(ui, i, keys, what))
		return (true);
	while (macro_key_each(ui, n, &name, &text))
		n++;
	return (macro_each(ui, i - n, keys, what));
}

static struct sheet
help_place(const struct ui *ui)
{
	const char *keys, *command, *what;
	unsigned own = 0;
	int32_t w = ui->places.width - 2 * EDGE_PX, h = ui->places.height - 16;
	struct sheet p = { .columns = 2 };
	unsigned n = 0;
	int32_t wide, tall;

	while (keys_each(ui->mouse.keymap, n, &keys, &command, &what))
		n++;
	p.total = p.own = lines_before(ui->mouse.keymap, n - 1) + 1;
	while (own_each(ui, own, &keys, &what))
		own++;
	if (own > 0)
		p.total += 2 + own;
	while (
	    p.columns < 4 &&
	    (int32_t)(p.total + p.columns - 1) / (int32_t)p.columns * ROW_PX +
		    HEAD_PX + EDGE_PX >
		h &&
	    (int32_t)(p.columns + 1) * COLUMN_PX + 2 * EDGE_PX <= w)
		p.columns++;
	if (w < 2 * COLUMN_PX + 2 * EDGE_PX)
		p.columns = 1;
	p.rows = (p.total + p.columns - 1) / p.columns;
	tall = (int32_t)p.rows * ROW_PX + HEAD_PX + EDGE_PX;
	if (tall > h) {
		tall = h;
		p.rows = h > HEAD_PX + EDGE_PX + ROW_PX
			     ? (unsigned)((h - HEAD_PX - EDGE_PX) / ROW_PX)
			     : 1;
	}
	wide = (int32_t)p.columns * COLUMN_MOST_PX + 2 * EDGE_PX;
	wide = wide < w ? wide : w;
	p.r.x0 = (ui->places.width - wide) / 2;
	p.r.y0 = (ui->places.height - tall) / 2;
	p.r.x1 = p.r.x0 + wide;
	p.r.y1 = p.r.y0 + tall;
	return (p);
}

/* By rows; true: it did, or there is nothing more that way. */
bool
help_scroll(struct ui *ui, int by)
{
	struct sheet p = help_place(ui);
	unsigned seen = p.columns * p.rows, most, was = ui->desks->help.from;

	if (!ui->desks->help.open)
		return (false);
	most = p.total > seen ? p.total - seen : 0;
	if (by < 0)
		ui->desks->help.from =
		    was > (unsigned)-by ? was - (unsigned)-by : 0;
	else
		ui->desks->help.from =
		    was + (unsigned)by < most ? was + (unsigned)by : most;
	picture_changed(ui->picture);
	return (true);
}

bool
help_press(struct ui *ui, const char *key)
{
	static const struct {
		const char *key;
		int by;
	} ways[] = { { "Up", -1 }, { "Down", 1 }, { "Page_Up", -20 },
		{ "Page_Down", 20 }, { "Home", -1000 }, { "End", 1000 } };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(key, ways[i].key) == 0)
			return (help_scroll(ui, ways[i].by));
	return (false);
}

/* keys NULL: a title. */
static void
put_line(struct ui *ui, struct canvas *c, const struct sheet *at, unsigned line,
    const char *keys, const char *what)
{
	const struct palette *p = ui->palette;
	int32_t column =
	    (at->r.x1 - at->r.x0 - 2 * EDGE_PX) / (int32_t)at->columns;
	unsigned i = line - ui->desks->help.from;
	int32_t x, y;

	if (line < ui->desks->help.from || i >= at->columns * at->rows)
		return;
	x = at->r.x0 + EDGE_PX + (int32_t)(i / at->rows) * column;
	y = at->r.y0 + HEAD_PX + 8 + (int32_t)(i % at->rows) * ROW_PX;
	if (keys == NULL && i % at->rows + 1 == at->rows &&
	    i / at->rows + 1 < at->columns) { /* not alone at the end of one */
		x += column;
		y = at->r.y0 + HEAD_PX + 8 - ROW_PX;
	}
	if (keys == NULL) {
		draw_cut(c, FONT_BOLD, x, y, column - 12, p->text, what);
		return;
	}
	draw_cut(c, FONT_SMALL, x, y, KEYS_PX - 8, p->accent, keys);
	draw_cut(c, FONT_SMALL, x + KEYS_PX, y, column - KEYS_PX - 12, p->text,
	    what);
}

void
help_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const char *keys, *command, *what;
	struct sheet at = help_place(ui);
	const struct rect *r = &at.r;
	unsigned seen = at.columns * at.rows;

	if (ui->desks->help.from + seen > at.total) /* the window has grown */
		ui->desks->help.from = at.total > seen ? at.total - seen : 0;
	canvas_blend(c, 0, 0, ui->places.width, ui->places.height,
	    p->background, 150);
	canvas_fill(c, r->x0, r->y0, r->x1, r->y1, p->panel);
	draw_frame(c, r, p->line);
	draw_text(c, FONT_BOLD, r->x0 + EDGE_PX, r->y0 + 26, p->text,
	    "Keys and mouse");
	draw_right(c, FONT_SMALL, r->x1 - EDGE_PX, r->y0 + 26, p->dim,
	    seen < at.total ? "Up and Down scroll, Escape closes"
			    : "Escape closes this");
	for (unsigned i = 0;
	     keys_each(ui->mouse.keymap, i, &keys, &command, &what); i++) {
		const char *title = keys_group(ui->mouse.keymap, i);
		unsigned line = lines_before(ui->mouse.keymap, i);

		if (title != NULL)
			put_line(ui, c, &at, line - 1, NULL, title);
		put_line(ui, c, &at, line, keys, what);
	}
	for (unsigned i = 0; own_each(ui, i, &keys, &what); i++) {
		if (i == 0)
			put_line(ui, c, &at, at.own + 1, NULL, "Your own");
		put_line(ui, c, &at, at.own + 2 + i, keys, what);
	}
}
