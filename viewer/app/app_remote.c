/*
 * What a window far away needs: to know what has only moved, so that it is
 * not sent again, and that the figures beside a view that is followed do not
 * change with each frame, which nobody could read anyway.
 */
#include <string.h>

#include "app/app.h"
#include "ui/input/input.h"
#include "ui/views/details/card.h"

#define REST_NS ((int64_t)500000000)
#define RESTING 8 /* parts of the window that rest */

void
app_rest_over(struct app *a, int64_t now)
{
	if (a->resting && now >= a->rest_due_ns)
		picture_changed(a->ui->picture);
}

static bool
same_rect(const struct rect *a, const struct rect *b)
{
	return (a->x0 == b->x0 && a->y0 == b->y0 && a->x1 == b->x1 &&
		a->y1 == b->y1);
}

static struct rect
dots(struct rect r)
{
	return ((struct rect){ canvas_dots(r.x0), canvas_dots(r.y0),
	    canvas_dots(r.x1), canvas_dots(r.y1) });
}

/* Of so many pixels; only what moves by whole dots moves as a whole. */
static void
tell(struct app *a, const struct rect *r, int32_t dx, int32_t dy)
{
	struct rect in_dots = dots(*r);

	if (dx * a->scale_q % CANVAS_SCALE_ONE == 0 &&
	    dy * a->scale_q % CANVAS_SCALE_ONE == 0)
		window_moved(a->window, &in_dots, canvas_dots(dx),
		    canvas_dots(dy));
}

/* The lanes: along the time with the ruler, or up and down with the names. */
static void
tell_time(struct app *a, const struct app_places *was)
{
	struct ui *ui = a->ui;
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;
	int64_t by = was->t0_mon_ns - ui->time.t0_mon_ns;
	struct rect r = ui->places.lanes;
	int32_t dx, dy = was->scroll_y - ui->time.scroll_y;

	if (ui->time.width <= 0 || was->t1_mon_ns - was->t0_mon_ns != span)
		return;
	dx = (int32_t)((double)by * ui->time.width / (double)span +
		       (by < 0 ? -0.5 : 0.5));
	if (dx != 0 && by < span && by > -span) {
		r.y0 = ui->places.ruler.y0;
		tell(a, &r, dx, 0);
	} else if (dy != 0) {
		r.x0 = ui->places.pane[PANE_TIME].x0;
		tell(a, &r, 0, dy);
	}
}

static void
tell_tree(struct app *a, const struct app_places *was)
{
	struct ui *ui = a->ui;
	int32_t dx = (int32_t)(ui->tree.centre_x - was->centre_x);
	int32_t dy = (int32_t)(ui->tree.centre_y - was->centre_y);

	if ((dx != 0 || dy != 0) && ui->tree.zoom == was->zoom)
		tell(a, &ui->places.tree, dx, dy);
}

void
app_tell_moved(struct app *a)
{
	const struct ui *ui = a->ui;
	struct app_places was = a->places;

	a->places = (struct app_places){ ui->time.t0_mon_ns, ui->time.t1_mon_ns,
		ui->time.scroll_y, ui->tree.zoom, ui->tree.centre_x,
		ui->tree.centre_y, ui->places.lanes, ui->places.tree };
	if (a->window == NULL || window_path(a->window) != WINDOW_REMOTE)
		return;
	if (same_rect(&was.lanes, &ui->places.lanes))
		tell_time(a, &was);
	if (same_rect(&was.tree, &ui->places.tree))
		tell_tree(a, &was);
}

/* A frame for the run's sake, with nothing over the panes but cards. */
static bool
may_rest(const struct app *a, bool answers, int64_t now)
{
	const struct ui *ui = a->ui;

	return (a->window != NULL && window_path(a->window) == WINDOW_REMOTE &&
		!answers && ui->places.only == PANES && ui->play.follow &&
		!ui->play.paused && !ui->menu->open && !ui->desks->help.open &&
		ui->prompt.kind == 0 && ui->mouse.hit.of == OF_NOTHING &&
		ui->mouse.task == TASK_NONE && now < a->rest_due_ns);
}

static void
put_back(struct canvas *c, const struct canvas *last, const struct rect *of)
{
	struct rect r = dots(*of);

	r.x1 = r.x1 < c->width ? r.x1 : c->width;
	r.y1 = r.y1 < c->height ? r.y1 : c->height;
	for (int32_t y = r.y0; y < r.y1 && r.x0 < r.x1; y++)
		memcpy(c->px + (size_t)y * (size_t)c->stride + r.x0,
		    last->px + (size_t)y * (size_t)last->stride + r.x0,
		    (size_t)(r.x1 - r.x0) * sizeof(*c->px));
}

/* All panes but the lanes, and these's title. */
static void
resting(const struct ui *ui, struct rect r[RESTING])
{
	static const enum pane panes[RESTING - 1] = { PANE_TOP, PANE_OVERVIEW,
		PANE_TREE, PANE_LEFT, PANE_RIGHT, PANE_DOCK, PANE_STATUS };
	const struct rect *time = &ui->places.pane[PANE_TIME];

	for (int i = 0; i < RESTING - 1; i++) {
		r[i] = ui->places.pane[panes[i]];
		/* a dock that the lanes stand in is its tabs */
		if (panes[i] == PANE_DOCK && ui->places.tab == VIEW_LANES)
			r[i].y1 = time->y0;
	}
	r[RESTING - 1] =
	    (struct rect){ time->x0, time->y0, time->x1, ui->places.ruler.y0 };
}

/* A bit of each that cards are over, or lines that move with the lanes. */
static unsigned
covered(const struct ui *ui, const struct rect r[RESTING])
{
	unsigned set = 0;

	for (unsigned i = 0; i < RESTING; i++)
		set |= (unsigned)card_touches(ui, &r[i]) << i;
	return (set);
}

void
app_rest(struct app *a, struct canvas *c, bool answers, int64_t now)
{
	struct rect r[RESTING];
	unsigned was = a->covered; /* and is so in the last frame */
	struct canvas last;

	resting(a->ui, r);
	a->covered = covered(a->ui, r);
	if (!may_rest(a, answers, now) || !window_last(a->window, &last) ||
	    last.width != c->width || last.height != c->height) {
		a->rest_due_ns = now + REST_NS;
		a->resting = false;
		return;
	}
	for (unsigned i = 0; i < RESTING; i++)
		if (((was | a->covered) >> i & 1) == 0)
			put_back(c, &last, &r[i]);
	a->resting = true;
}
