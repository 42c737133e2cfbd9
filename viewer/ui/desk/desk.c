/* What all panes ask of the window; see desk.h. */
#include "ui/desk/desk.h"

#include <stdarg.h>
#include <stdlib.h>

#include "ui/draw/draw.h"
#include "ui/draw/layer.h"

const char *const keymap_name[KEYMAPS] = { "orrery", "tracy" };

/* Room for one more; false: there is none, or ENOMEM. */
static bool
spots_grow(struct spots *s)
{
	unsigned size = s->size == 0 ? 256 : s->size * 2;
	struct spot *more;

	if (s->n < s->size)
		return (true);
	if (size > SPOTS_MAX)
		return (false);
	more = realloc(s->spot, size * sizeof(*more));
	if (more == NULL)
		return (false);
	s->spot = more;
	s->size = size;
	return (true);
}

void
spot_add(struct ui *ui, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...)
{
	struct spot *s;
	va_list ap;

	if (!spots_grow(&ui->spots))
		return;
	s = &ui->spots.spot[ui->spots.n++];
	s->at = (struct rect){ x0, y0, x1, y1 };
	va_start(ap, fmt);
	vsnprintf(s->command, sizeof(s->command), fmt, ap);
	va_end(ap);
}

bool
hint_wanted(const struct ui *ui, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	return (ui->mouse.in && ui->mouse.x >= x0 && ui->mouse.x < x1 &&
		ui->mouse.y >= y0 && ui->mouse.y < y1);
}

void
hint_add(struct ui *ui, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...)
{
	va_list ap;

	if (!hint_wanted(ui, x0, y0, x1, y1))
		return;
	va_start(ap, fmt);
	vsnprintf(ui->spots.hint, sizeof(ui->spots.hint), fmt, ap);
	va_end(ap);
}

bool
draw_stopped(const struct ui *ui)
{
	return (ui->picture->stop_cb != NULL && !picture_hasty(ui->picture) &&
		ui->picture->stop_cb(ui->picture->stop_arg));
}

bool
draw_late(const struct ui *ui)
{
	return (ui->picture->stop_cb != NULL && ui->picture->late_cb != NULL &&
		ui->picture->late_cb(ui->picture->stop_arg));
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
	vsnprintf(ui->told.message, sizeof(ui->told.message), fmt, ap);
	va_end(ap);
	return (-1);
}

void
ui_redo(struct ui *ui)
{
	if (run_grows(ui)) {
		ui->timepane.layer.key = ~ui->timepane.layer.next;
	} else {
		timeline_columns_free(&ui->timepane.rows);
		layer_drop(&ui->timepane.layer);
	}
	layer_drop(&ui->treepane.layer);
}

int
card_at(const struct ui *ui, int32_t x, int32_t y)
{
	if (ui->places.only != PANES)
		return (-1);
	for (unsigned i = ui->cards.n; i-- > 0;)
		if (rect_has(&ui->cards.card[i].at, x, y))
			return ((int)i);
	return (-1);
}

bool
card_hides(const struct ui *ui)
{
	const struct ui *whole = ui->desks->desk[0];

	return (ui->mouse.in &&
		(whole->drag.what == DRAG_CARD ||
		    card_at(whole, ui->mouse.x, ui->mouse.y) != -1));
}

enum pane
pane_at(const struct ui *ui, int32_t x, int32_t y)
{
	for (int i = 0; i < PANES; i++)
		if (rect_has(&ui->places.pane[i], x, y))
			return ((enum pane)i);
	return (PANES);
}

const struct spot *
spot_at(const struct ui *ui, int32_t x, int32_t y)
{
	for (unsigned i = ui->spots.n; i-- > 0;)
		if (rect_has(&ui->spots.spot[i].at, x, y))
			return (&ui->spots.spot[i]);
	return (NULL);
}
