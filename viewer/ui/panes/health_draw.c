/* Times of doubt, on the rows of their nodes. */
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"

#define BAND_PX    4  /* where a row has other things to show */
#define FILL_ALPHA 52 /* marks and arrows are seen through it */

/* A box over the row, or a band where it has lanes to show. */
static void
draw_doubt(struct ui *ui, struct canvas *c, const struct timeline_row *r,
    const struct doubt *d)
{
	int32_t x0 = timeline_x(&ui->time, d->t0_mon_ns);
	int32_t x1 = timeline_x(&ui->time,
	    d->t1_mon_ns == INT64_MAX ? run_end(ui) : d->t1_mon_ns);
	int32_t y0 = ui->places.lanes.y0 + r->y + 2, y1 = y0 + r->height - 5, w;
	bool busy = r->shows != UINT32_MAX;
	uint32_t rgb;
	char text[64];

	health_doubt(ui, d, &rgb, text, sizeof(text));
	x0 = ui->places.lanes.x0 + (x0 < -1 ? -1 : x0);
	x1 = ui->places.lanes.x0 + (x1 > ui->time.width ? ui->time.width : x1);
	x1 = x1 < x0 + 2 ? x0 + 2 : x1; /* seen at any zoom */
	if (d->of == DOUBT_SILENT) {
		y0 = y1 - BAND_PX;
		canvas_hatch(c, x0, y0, x1, y1,
		    palette_mix(ui->palette->background, rgb, 30), rgb);
	} else if (d->of == DOUBT_WRONG) {
		canvas_fill(c, x0, y0, x1, y0 + BAND_PX, rgb);
	} else if (busy) {
		canvas_fill(c, x0, y1 - BAND_PX, x1, y1, rgb);
	} else {
		canvas_blend(c, x0, y0, x1, y1, rgb, FILL_ALPHA);
	}
	canvas_fill(c, x0, y0, x0 + 1, y1, rgb);
	if (busy || d->of == DOUBT_SILENT)
		return;
	w = text_width(FONT_SMALL, text, strlen(text));
	if (w + 10 > x1 - x0) { /* the state alone, perhaps */
		snprintf(text, sizeof(text), "%s",
		    d->of == DOUBT_CLOCK ? health_clock_word(d->state)
					 : "wrong");
		w = text_width(FONT_SMALL, text, strlen(text));
	}
	x0 = x0 < ui->places.lanes.x0 ? ui->places.lanes.x0 : x0;
	if (w + 10 <= x1 - x0)
		draw_text(c, FONT_SMALL, x0 + 6, (y0 + y1) / 2 + 4, rgb, "%s",
		    text);
}

void
health_draw(struct ui *ui, struct canvas *c)
{
	struct doubt d[DOUBTS_MAX];
	size_t n;

	for (size_t i = timepane_row(ui, 0); i < ui->timepane.rows.nrows;
	     i = timepane_row(ui, i + 1)) {
		const struct timeline_row *r = &ui->timepane.rows.rows[i];
		const struct lane *l = model_lane(ui->model, r->lane);

		if (l->kind != LANE_NODE)
			continue;
		n = model_node_doubts(ui->model, l->node, ui->time.t0_mon_ns,
		    ui->time.t1_mon_ns, d, DOUBTS_MAX);
		/* clocks first: the others are bands upon them */
		for (int band = 0; band < 2; band++)
			for (size_t k = 0; k < n; k++)
				if ((d[k].of != DOUBT_CLOCK) == band)
					draw_doubt(ui, c, r, &d[k]);
	}
}
