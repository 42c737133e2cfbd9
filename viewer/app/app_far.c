/*
 * Links of a live run that is followed through a network.  As pixels they are
 * most of what changes; so, while the picture moves, the server draws them as
 * lines, and the picture is without.  As soon as it stands still they are part
 * of it again, to the pixel.
 */
#include <stdlib.h>

#include "app/app.h"
#include "layout/palette.h"
#include "ui/desk/desk.h"

#define MANY_LINKS 40
#define SOON_NS    ((int64_t)500000000) /* of following, before it begins */
#define STILL_NS   ((int64_t)500000000) /* without a frame: it is still */
#define COVERED    0.25                 /* of all dots, by lines */
#define GAP_MAX    60
#define STUB_Q     (8 * SCENE_ONE) /* not as high as a row: no link */

static bool
follows(const struct app *a)
{
	const struct ui *ui = a->ui;

	return (a->window != NULL && window_path(a->window) == WINDOW_REMOTE &&
		ui->play.follow && run_grows(ui) && !ui->play.paused &&
		ui->play.head_mon_ns == INT64_MAX && ui->time.links &&
		!two_runs(ui) && ui->places.only == PANES && ui->cards.n == 0 &&
		(ui->desks->host.far ||
		    ui->timepane.rows.links_drawn > MANY_LINKS));
}

void
app_far(struct app *a, int64_t now)
{
	struct ui *ui = a->ui;

	if (!follows(a) || now - a->last_frame_ns > STILL_NS) {
		a->follow_ns = 0;
		if (ui->desks->host.far)
			picture_changed(ui->picture);
		ui->desks->host.far = false;
		return;
	}
	if (!picture_due(ui->picture))
		return;
	if (a->follow_ns == 0)
		a->follow_ns = now;
	ui->desks->host.far |= now - a->follow_ns > SOON_NS;
}

int64_t
app_far_ns(const struct app *a, int64_t now)
{
	int64_t left = a->last_frame_ns + STILL_NS + 1 - now;

	return (!a->ui->desks->host.far ? INT64_MAX : left > 0 ? left : 0);
}

static bool
is_line(const struct item *k)
{
	return ((k->type == ITEM_LINE || k->type == ITEM_ARROW) &&
		abs(k->y1 - k->y0) >= STUB_Q);
}

/*
 * How many dots of a line are left out for one that is drawn: the more, the
 * fainter it is meant to be, and the more lines there are in all, so that the
 * rows below them stay to be seen where they lie over one another.
 */
static uint8_t
gap_of(unsigned alpha, unsigned crowd)
{
	unsigned gap = alpha >= 160 ? 0 : alpha >= 80 ? 1 : alpha >= 40 ? 3 : 7;

	return ((uint8_t)(gap > crowd ? gap : crowd));
}

static unsigned
gap_of_crowd(const struct ui *ui, const struct scene *s)
{
	double px = 0, all = (double)ui->time.width * ui->time.height;

	for (size_t i = 0; i < s->n; i++)
		if (is_line(&s->items[i]))
			px += (double)abs(s->items[i].y1 - s->items[i].y0) /
			      SCENE_ONE;
	px = all > 0 ? px / all / COVERED : 0;
	return (px > GAP_MAX ? GAP_MAX : (unsigned)px);
}

static int16_t
dot(const struct app *a, int32_t px, int32_t q)
{
	int64_t at = ((int64_t)px * SCENE_ONE + q) * a->scale_q;

	at = at / (SCENE_ONE * CANVAS_SCALE_ONE);
	return ((int16_t)(at < INT16_MIN   ? INT16_MIN
			  : at > INT16_MAX ? INT16_MAX
					   : at));
}

void
app_far_lines(struct app *a)
{
	const struct ui *ui = a->ui;
	const struct scene *s = &ui->timepane.rows.links;
	const struct rect *r = &ui->places.lanes;
	struct rect clip = { canvas_dots(r->x0), canvas_dots(r->y0),
		canvas_dots(r->x1), canvas_dots(r->y1) };
	struct window_line *line;
	unsigned crowd;
	size_t n = 0;

	if (!ui->desks->host.far)
		return;
	crowd = gap_of_crowd(ui, s);
	line = malloc((s->n + 1) * sizeof(*line));
	if (line == NULL)
		return;
	for (size_t i = 0; i < s->n; i++) {
		const struct item *k = &s->items[i];

		if (!is_line(k))
			continue;
		line[n++] = (struct window_line){ dot(a, r->x0, k->x0),
			dot(a, r->y0, k->y0), dot(a, r->x0, k->x1),
			dot(a, r->y0, k->y1), k->rgb, gap_of(k->alpha, crowd),
			(uint8_t)(k->id * 0x9e3779b97f4a7c15u >> 61) };
	}
	window_lines(a->window, &clip, line, n);
	free(line);
}
