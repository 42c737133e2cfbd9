/* Places that do something or say something, and when to give a frame up. */
#include "ui/desk.h"

#include <stdarg.h>

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
