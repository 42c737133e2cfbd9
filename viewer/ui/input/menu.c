/*
 * The menu of a right click: opened, drawn, chosen from; menu_offer.c says what
 * is in it.
 */
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"

void
menu_open(struct ui *ui, int32_t x, int32_t y)
{
	memset(ui->menu, 0, sizeof(*ui->menu));
	ui->menu->chosen = -1;
	menu_offer(ui, x, y);
	menu_place(ui, x, y);
}

void
menu_draw(struct ui *ui, struct canvas *c)
{
	const struct menu *m = ui->menu;
	const struct palette *p = ui->palette;

	if (!m->open)
		return;
	canvas_fill(c, m->at.x0, m->at.y0, m->at.x1, m->at.y1, p->panel);
	draw_frame(c, &m->at, p->faint);
	for (unsigned i = 0; i < m->n; i++) {
		int32_t y = m->at.y0 + 4 + (int32_t)i * m->item_px;

		if ((int)i == m->chosen)
			canvas_fill(c, m->at.x0 + 1, y, m->at.x1 - 1,
			    y + m->item_px,
			    palette_mix(p->panel, p->accent, 90));
		draw_cut(c,
		    m->item_px < MENU_NORMAL_PX ? FONT_SMALL : FONT_NORMAL,
		    m->at.x0 + 12, y + m->item_px / 2 + 4, MENU_WIDTH_PX - 20,
		    p->text, m->item[i].label);
	}
}

static void
menu_run(struct ui *ui, int i)
{
	char line[sizeof(ui->menu->item[0].command)];

	ui->menu->open = false;
	picture_changed(ui->picture);
	if (i < 0 || (unsigned)i >= ui->menu->n)
		return;
	memcpy(line, ui->menu->item[i].command, sizeof(line));
	ui->told.message[0] = '\0';
	ui->mouse.task = TASK_NONE; /* it is about what was clicked */
	command_run(ui, line);
}

void
menu_move(struct ui *ui, int32_t x, int32_t y)
{
	struct menu *m = ui->menu;

	if (rect_has(&m->at, x, y) && y >= m->at.y0 + 4)
		m->chosen = (y - m->at.y0 - 4) / m->item_px;
	else
		m->chosen = -1;
	if (m->chosen >= (int)m->n)
		m->chosen = -1;
}

bool
menu_click(struct ui *ui, int32_t x, int32_t y)
{
	if (!ui->menu->open)
		return (false);
	menu_move(ui, x, y);
	menu_run(ui, ui->menu->chosen);
	return (true);
}

bool
menu_press(struct ui *ui, const char *key)
{
	struct menu *m = ui->menu;

	if (!m->open)
		return (false);
	picture_changed(ui->picture);
	if (strcmp(key, "Down") == 0)
		m->chosen = m->chosen + 1 < (int)m->n ? m->chosen + 1 : 0;
	else if (strcmp(key, "Up") == 0)
		m->chosen = m->chosen > 0 ? m->chosen - 1 : (int)m->n - 1;
	else
		menu_run(ui, strcmp(key, "Return") == 0 ? m->chosen : -1);
	return (true);
}
