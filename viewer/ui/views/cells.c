/* Titles, rows and texts of a view's table. */
#include "ui/views/cells.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ui/draw/draw.h"

#define BASE_PX   10 /* from the top of a row to its baseline */
#define SQUARE_PX 8
#define NAME_X    14 /* behind the square */
#define WIDEST_PX 1800

static cells_told *told_cb;
static void *told_arg;

void
cells_listen(cells_told *cb, void *arg)
{
	told_cb = cb;
	told_arg = arg;
}

void
cells_tell(const struct table *t, const struct table_column *column)
{
	if (told_cb != NULL)
		told_cb(told_arg, t, column);
}

void
cells_head(struct canvas *c, const struct palette *p, const struct table *t,
    const struct table_column *column, const char *of)
{
	const struct table_place *at = t->place;
	char title[160], shown[48];
	int32_t y = t->head_y + BASE_PX;
	int32_t room =
	    at[0].x1 - at[0].x0 + (t->n > 1 && column[1].right ? 20 : 0);

	cells_tell(t, column);
	table_shown(t, shown, sizeof(shown));
	snprintf(title, sizeof(title), "%s%s%s%s%s", column[0].title,
	    of[0] != '\0' ? ", " : "", of, shown[0] != '\0' ? ", " : "", shown);
	/* that some are not in sight is said in any case */
	draw_cut(c, FONT_SMALL, at[0].x0, y, room, p->dim,
	    shown[0] != '\0' &&
		    text_width(FONT_SMALL, title, strlen(title)) > room
		? shown
		: title);
	for (size_t i = 1; i < t->n; i++)
		cell_text(c, t, column, i, y, p->dim, "%s", column[i].title);
}

int32_t
cells_name_px(const char *name)
{
	return (text_width(FONT_SMALL, name, strlen(name)) + NAME_X + 2);
}

void
cells_widen(struct table_column *first, int32_t longest_px, int32_t room_px)
{
	if (longest_px > room_px / 3)
		longest_px = room_px / 3;
	if (longest_px > first->px)
		first->px = longest_px;
}

int32_t
cells_right(const struct table *t)
{
	int32_t x1 = t->place[0].x1;

	for (size_t i = 1; i < t->n; i++)
		x1 = t->place[i].x1 > x1 && t->place[i].x1 > t->place[i].x0
			 ? t->place[i].x1
			 : x1;
	return (x1);
}

int32_t
cells_x1(const struct rect *r)
{
	return (r->x1 - r->x0 > WIDEST_PX ? r->x0 + WIDEST_PX : r->x1);
}

int32_t
cells_y(const struct table *t, int32_t i)
{
	return (t->y + i * t->row_px + BASE_PX);
}

void
cell_text(struct canvas *c, const struct table *t,
    const struct table_column *column, size_t i, int32_t y, uint32_t rgb,
    const char *fmt, ...)
{
	const struct table_place *at = &t->place[i];
	char text[160];
	va_list ap;

	if (at->x1 == at->x0)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (column[i].right)
		draw_right(c, FONT_SMALL, at->x1, y, rgb, "%s", text);
	else
		draw_cut(c, FONT_SMALL, at->x0, y, at->x1 - at->x0, rgb, text);
}

void
cell_name(struct canvas *c, const struct table *t, int32_t y, uint32_t rgb,
    uint32_t square_rgb, const char *name)
{
	const struct table_place *at = &t->place[0];

	canvas_fill(c, at->x0, y - SQUARE_PX, at->x0 + SQUARE_PX, y,
	    square_rgb);
	draw_cut(c, FONT_SMALL, at->x0 + NAME_X, y, at->x1 - at->x0 - NAME_X,
	    rgb, name);
}
