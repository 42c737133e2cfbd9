/* What all panes ask of the window; see desk.h. */
#include "ui/desk/desk.h"

#include <stdarg.h>

#include "ui/draw/draw.h"
#include "ui/draw/layer.h"

const char *const keymap_name[KEYMAPS] = { "orrery", "tracy" };

void
spot_add(struct ui *ui, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...)
{
	struct spot *s;
	va_list ap;

	if (ui->nspots == SPOTS_MAX)
		return;
	s = &ui->spots[ui->nspots++];
	s->at = (struct rect){ x0, y0, x1, y1 };
	va_start(ap, fmt);
	vsnprintf(s->command, sizeof(s->command), fmt, ap);
	va_end(ap);
}

bool
hint_wanted(const struct ui *ui, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	return (ui->mouse_in && ui->mouse_x >= x0 && ui->mouse_x < x1 &&
		ui->mouse_y >= y0 && ui->mouse_y < y1);
}

void
hint_add(struct ui *ui, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...)
{
	va_list ap;

	if (!hint_wanted(ui, x0, y0, x1, y1))
		return;
	va_start(ap, fmt);
	vsnprintf(ui->hint, sizeof(ui->hint), fmt, ap);
	va_end(ap);
}

bool
draw_stopped(const struct ui *ui)
{
	return (ui->stop_cb != NULL && !ui->hasty && ui->stop_cb(ui->stop_arg));
}

static bool
stopped_cb(void *ui)
{
	return (draw_stopped(ui));
}

struct stop
draw_stop(struct ui *ui)
{
	return ((struct stop){ stopped_cb, ui });
}

int
desk_fail(struct ui *ui, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ui->message, sizeof(ui->message), fmt, ap);
	va_end(ap);
	return (-1);
}

void
ui_redo(struct ui *ui)
{
	if (run_grows(ui)) {
		ui->time_layer.key = ~ui->time_layer.next;
	} else {
		timeline_columns_free(&ui->rows);
		layer_drop(&ui->time_layer);
	}
	layer_drop(&ui->tree_layer);
}

int
card_at(const struct ui *ui, int32_t x, int32_t y)
{
	if (ui->only != PANES)
		return (-1);
	for (unsigned i = ui->cards.n; i-- > 0;)
		if (rect_has(&ui->cards.card[i].at, x, y))
			return ((int)i);
	return (-1);
}

bool
card_hides(const struct ui *ui)
{
	const struct ui *whole = ui->main != NULL ? ui->main : ui;

	return (ui->mouse_in &&
		(whole->drag == DRAG_CARD ||
		    card_at(whole, ui->mouse_x, ui->mouse_y) != -1));
}
