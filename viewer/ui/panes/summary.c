/*
 * Where details have been given up to keep within the memory allowed: all
 * that lies before is known by shares alone, and is not to be read as if
 * nothing single had happened there.
 */
#include <string.h>

#include "model/detail.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"

#define DASH_PX 4

void
summary_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->places.lanes;
	const char *say =
	    ui->feed.fetching ? "reading details" : "summaries only";
	int64_t t = model_detail_ns(ui->model);
	int32_t x, w = text_width(FONT_SMALL, say, strlen(say)) + 10;

	if (t <= run_begin(ui) || t <= ui->time.t0_mon_ns ||
	    !model_coarse(ui->model, ui->time.t0_mon_ns, ui->time.t1_mon_ns,
		(unsigned)ui->time.width))
		return;
	x = t >= ui->time.t1_mon_ns ? r->x1 : r->x0 + timeline_x(&ui->time, t);
	for (int32_t y = r->y0; x < r->x1 && y < r->y1; y += 2 * DASH_PX)
		canvas_blend(c, x, y, x + 1,
		    y + DASH_PX < r->y1 ? y + DASH_PX : r->y1, p->warn, 200);
	canvas_fill(c, r->x0, r->y0, x, r->y0 + 2,
	    palette_mix(p->background, p->warn, 140));
	if (x - r->x0 < w)
		return;
	canvas_fill(c, x - w, r->y0, x, r->y0 + 14,
	    palette_mix(p->background, p->warn, 55));
	draw_text(c, FONT_SMALL, x - w + 5, r->y0 + 11, p->warn, "%s", say);
}
