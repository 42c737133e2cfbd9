/*
 * Causes and effects over the lanes: what is concurrent is dimmed; in their
 * title, and in words.
 */
#include <inttypes.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"

#define DIM_ALPHA 185

static int32_t
x_of(const struct ui *ui, int64_t t)
{
	if (t == INT64_MIN || t <= ui->time.t0_mon_ns)
		return (ui->places.lanes.x0);
	if (t == INT64_MAX || t >= ui->time.t1_mon_ns)
		return (ui->places.lanes.x1);
	return (ui->places.lanes.x0 + timeline_x(&ui->time, t));
}

static uint32_t
past_rgb(const struct ui *ui)
{
	return (ui->palette->state[LANE_overhead]);
}

static uint32_t
future_rgb(const struct ui *ui)
{
	return (ui->palette->accent);
}

/* A bracket where a cone ends on a row. */
static void
draw_end(struct ui *ui, struct canvas *c, const struct timeline_row *r,
    int64_t t, int way, uint32_t rgb)
{
	int32_t x = x_of(ui, t), y = ui->places.lanes.y0 + r->y,
		h = r->height - 1;

	if (t < ui->time.t0_mon_ns || t >= ui->time.t1_mon_ns)
		return;
	canvas_fill(c, x, y, x + 2, y + h, rgb);
	canvas_fill(c, way < 0 ? x - 3 : x, y, way < 0 ? x : x + 5, y + 2, rgb);
	canvas_fill(c, way < 0 ? x - 3 : x, y + h - 2, way < 0 ? x : x + 5,
	    y + h, rgb);
}

static void
draw_row(struct ui *ui, struct canvas *whole, const struct timeline_row *r)
{
	const struct causality *s = &ui->causality;
	const struct causality_cut *cut = &s->cut[r->lane];
	bool past = s->show != CAUSALITY_AFTER,
	     future = s->show != CAUSALITY_BEFORE;
	int32_t x0 = past ? x_of(ui, cut->past) : ui->places.lanes.x0;
	int32_t x1 = future ? x_of(ui, cut->future) : ui->places.lanes.x1;
	int32_t y = ui->places.lanes.y0 + r->y;
	struct canvas c = *whole;

	canvas_clip(&c, ui->places.lanes.x0, ui->places.lanes.y0 + r->top,
	    ui->places.lanes.x1, ui->places.lanes.y1);
	if (x0 < x1)
		canvas_blend(&c, x0, y, x1, y + r->height,
		    ui->palette->background, DIM_ALPHA);
	if (past)
		draw_end(ui, &c, r, cut->past, -1, past_rgb(ui));
	if (future)
		draw_end(ui, &c, r, cut->future, 1, future_rgb(ui));
}

void
causality_draw(struct ui *ui, struct canvas *c)
{
	const struct causality *s = &ui->causality;

	if (s->show == CAUSALITY_OFF || s->cut == NULL)
		return;
	for (size_t i = timepane_row(ui, 0); i < ui->timepane.rows.nrows;
	     i = timepane_row(ui, i + 1)) {
		const struct timeline_row *r = &ui->timepane.rows.rows[i];

		if (r->lane < s->ncut &&
		    model_lane(ui->model, r->lane)->kind <= LANE_DEPTH)
			draw_row(ui, c, r);
	}
}

int32_t
causality_title(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	const struct causality *s = &ui->causality;
	int32_t from = x, y0 = y - 16;
	char name[96], when[40];

	if (s->show == CAUSALITY_OFF)
		return (x);
	if (causality_busy(ui) && s->cut == NULL)
		return (draw_text(c, FONT_SMALL, x, y, ui->palette->accent,
		    "reading the log for causes: %u %%", s->percent));
	label_lane(ui->model, model_lane(ui->model, s->row), name,
	    sizeof(name));
	run_time(ui, s->t_mon_ns, 1000, when, sizeof(when));
	x = draw_text(c, FONT_SMALL, x, y, ui->palette->accent,
	    "%s %s at %s  ×",
	    s->show == CAUSALITY_BOTH     ? "causes and effects of"
	    : s->show == CAUSALITY_BEFORE ? "causes of"
					  : "effects of",
	    name, when);
	spot_add(ui, from - 6, y0, x + 6, y0 + 22, "causes off");
	return (x + 16);
}

void
causality_describe(const struct ui *ui, FILE *f)
{
	const struct causality *s = &ui->causality;
	int64_t origin = run_origin(ui);
	char name[96];

	if (s->show == CAUSALITY_OFF || s->cut == NULL)
		return;
	fprintf(f, "causes: %s, row %" PRIu32 " at %" PRId64 " ns\n",
	    causality_name[s->show], s->lane, s->t_mon_ns - origin);
	for (uint32_t i = 0; i < s->ncut; i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (l->kind != LANE_THREAD)
			continue;
		label_lane(ui->model, l, name, sizeof(name));
		fprintf(f,
		    "  location %" PRIu32 ", row %" PRIu32 ", %s:", l->location,
		    i, name);
		if (s->cut[i].past != INT64_MIN)
			fprintf(f, " before %" PRId64, s->cut[i].past - origin);
		if (s->cut[i].future != INT64_MAX)
			fprintf(f, " after %" PRId64,
			    s->cut[i].future - origin);
		fputc('\n', f);
	}
}
