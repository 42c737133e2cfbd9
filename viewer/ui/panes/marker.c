/*
 * Markers: instants with a name; a flag over the lanes and a tick in the strip
 * of the whole run.
 */
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"

#define FLAG_PX 14

static const char *
name_of(const struct ui *ui, unsigned i, char *buf, size_t n)
{
	if (ui->markers.marker[i].name[0] != '\0')
		return (ui->markers.marker[i].name);
	snprintf(buf, n, "%u", i + 1);
	return (buf);
}

void
marker_draw(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.lanes;
	uint32_t rgb = ui->palette->warn;
	char number[16];

	for (unsigned i = 0; i < ui->markers.n; i++) {
		int32_t at =
		    timeline_x(&ui->time, ui->markers.marker[i].t_mon_ns);
		const char *name = name_of(ui, i, number, sizeof(number));
		int32_t w = text_width(FONT_SMALL, name, strlen(name)) + 8;
		int32_t x = r->x0 + at;

		if (at < 0 || at >= ui->time.width)
			continue;
		canvas_blend(c, x, r->y0, x + 1, r->y1, rgb, 170);
		canvas_fill(c, x, r->y0, x + w, r->y0 + FLAG_PX, rgb);
		draw_text(c, FONT_SMALL, x + 4, r->y0 + 11,
		    ui->palette->background, "%s", name);
		spot_add(ui, x, r->y0, x + w, r->y0 + FLAG_PX, "goto-marker %u",
		    i + 1);
	}
}

void
marker_overview(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.pane[PANE_OVERVIEW];

	for (unsigned i = 0; i < ui->markers.n; i++) {
		int32_t x = overview_x(ui, ui->markers.marker[i].t_mon_ns);

		canvas_fill(c, x, r->y0, x + 1, r->y1, ui->palette->warn);
		canvas_fill(c, x, r->y0, x + 5, r->y0 + 5, ui->palette->warn);
	}
}

void
marker_describe(const struct ui *ui, FILE *f)
{
	char number[16];

	if (ui->markers.n > 0)
		fprintf(f, "markers: %u\n", ui->markers.n);
	for (unsigned i = 0; i < ui->markers.n; i++)
		fprintf(f, "  %s: %.9f s\n",
		    name_of(ui, i, number, sizeof(number)),
		    (double)(ui->markers.marker[i].t_mon_ns - run_origin(ui)) /
			1e9);
}
