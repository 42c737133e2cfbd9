/* The help screen, made from the table of keys. */
#include <string.h>

#include "ui/draw.h"

#define ROW_PX   16
#define WIDTH_PX 880

void
help_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const char *keys, *command, *what;
	unsigned n = 0, half;
	int32_t w = ui->width - 40 < WIDTH_PX ? ui->width - 40 : WIDTH_PX, h;
	int32_t column;
	struct rect r;

	while (keys_each(n, &keys, &command, &what))
		n++;
	half = (n + 1) / 2;
	h = (int32_t)half * ROW_PX + 66;
	r.x0 = (ui->width - w) / 2;
	r.y0 = (ui->height - h) / 2 > 8 ? (ui->height - h) / 2 : 8;
	r.x1 = r.x0 + w;
	r.y1 = r.y0 + h;
	column = (w - 48) / 2;
	canvas_blend(c, 0, 0, ui->width, ui->height, p->background, 150);
	canvas_fill(c, r.x0, r.y0, r.x1, r.y1, p->panel);
	draw_frame(c, &r, p->line);
	draw_text(c, FONT_BOLD, r.x0 + 20, r.y0 + 28, p->text,
	    "Keys and mouse");
	draw_right(c, FONT_SMALL, r.x1 - 20, r.y0 + 28, p->dim,
	    "Escape closes this");
	for (unsigned i = 0; keys_each(i, &keys, &command, &what); i++) {
		unsigned row = i < half ? i : i - half;
		int32_t x = r.x0 + 20 + (i < half ? 0 : column + 16);
		int32_t y = r.y0 + 54 + (int32_t)row * ROW_PX;

		draw_cut(c, FONT_SMALL, x, y, 104, p->accent, keys);
		draw_cut(c, FONT_SMALL, x + 110, y, column - 110, p->text,
		    what);
	}
}
