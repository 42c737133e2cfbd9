/*
 * A menu's items, and where it stands; and the menus that list logs, and the
 * columns of the table of functions.
 */
#include "menu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/measured/scheds.h"
#include "ui/desk/desk.h"
#include "ui/views/view.h"

struct menu *
menu_new(void)
{
	return (calloc(1, sizeof(struct menu)));
}

void
menu_free(struct menu *m)
{
	free(m);
}

void
menu_add(struct menu *m, const char *command, const char *fmt, ...)
{
	struct menu_item *i = &m->item[m->n];
	va_list ap;

	if (m->n == MENU_MAX)
		return;
	m->n++;
	snprintf(i->command, sizeof(i->command), "%s", command);
	va_start(ap, fmt);
	vsnprintf(i->label, sizeof(i->label), fmt, ap);
	va_end(ap);
}

void
menu_place(struct ui *ui, int32_t x, int32_t y)
{
	struct menu *m = ui->menu;
	int32_t h, room = ui->places.height - 8;

	m->item_px = m->n == 0 || (int32_t)m->n * MENU_ITEM_PX <= room
			 ? MENU_ITEM_PX
			 : room / (int32_t)m->n;
	m->item_px = m->item_px < MENU_LEAST_PX ? MENU_LEAST_PX : m->item_px;
	h = (int32_t)m->n * m->item_px + 8;
	x = x + MENU_WIDTH_PX > ui->places.width
		? ui->places.width - MENU_WIDTH_PX
		: x;
	y = y + h > ui->places.height ? ui->places.height - h : y;
	x = x < 0 ? 0 : x;
	y = y < 0 ? 0 : y;
	m->at = (struct rect){ x, y, x + MENU_WIDTH_PX, y + h };
	m->open = true;
	picture_changed(ui->picture);
}

void
menu_columns(struct ui *ui)
{
	struct menu *m = ui->menu;
	char line[sizeof(m->item[0].command)];
	const char *name;
	bool shown;

	memset(m, 0, sizeof(*m));
	m->chosen = -1;
	for (unsigned i = 0; (name = functions_column(ui, i, &shown)) != NULL;
	     i++) {
		snprintf(line, sizeof(line), "column %s", name);
		menu_add(m, line, "%s %s%s", shown ? "Hide" : "Show", name,
		    strcmp(name, "cpu") == 0 && ui->model != NULL &&
			    model_scheds(ui->model) == 0
			? " (not recorded: sched: yes)"
			: "");
	}
	menu_place(ui, ui->mouse.x, ui->mouse.y);
}

bool
menu_logs(struct ui *ui)
{
	const struct host *host = &ui->desks->host;
	struct menu *m = ui->menu;
	char name[sizeof(m->item[0].command)], line[2 * sizeof(name)];

	memset(m, 0, sizeof(*m));
	m->chosen = -1;
	for (unsigned i = 0;
	     m->n < MENU_MAX && host->beside_cb != NULL &&
	     host->beside_cb(host->export_arg, i, name, sizeof(name));
	     i++) {
		snprintf(line, sizeof(line), "open %s", name);
		if (strlen(line) < sizeof(m->item[0].command))
			menu_add(m, line, "%s", name);
	}
	if (m->n > 0)
		menu_place(ui, 40, 40);
	return (m->n > 0);
}
