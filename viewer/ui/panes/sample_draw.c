/*
 * Where a sampler found a thread, at the upper edge of its row: a tick in the
 * colour of the function, as the table of samples has it.
 */
#include "model/measured/samples.h"
#include "ui/desk/desk.h"
#include "ui/panes/panes.h"

#define TICK_PX   4
#define TICKS_MAX 20000u /* of more, not all are drawn */
#define ROW_MIN   12     /* px */

/* The first that is not before t; late ones may stand elsewhere. */
static uint32_t
first_at(const struct model *m, uint32_t n, int64_t t_mon_ns)
{
	uint32_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (model_sample(m, mid)->t_mon_ns < t_mon_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

/* Dim where nothing is known of the place. */
static uint32_t
tick_rgb(const struct ui *ui, const struct sample *s)
{
	const struct sample_stack *st =
	    s->stack == 0 ? NULL : model_sample_stack(ui->model, s->stack - 1);

	if (st == NULL || model_name_code(ui->model, st->name) == NULL)
		return (ui->palette->dim);
	return (palette_of_name(ui->model, st->name));
}

static void
draw_tick(const struct ui *ui, struct canvas *c, const struct sample *s)
{
	const struct timeline_layout *l = &ui->timepane.rows;
	uint32_t lane = model_sample_lane(ui->model, s), row;
	const struct timeline_row *r;
	int32_t x, y;

	row = lane < l->nlanes ? l->lane_row[lane] : UINT32_MAX;
	if (row >= l->nrows)
		return;
	r = &l->rows[row];
	if ((r->lane != lane && r->shows != lane) || r->height < ROW_MIN ||
	    r->y < r->top)
		return; /* folded away, or out of sight */
	x = ui->places.lanes.x0 + timeline_x(&ui->time, s->t_mon_ns);
	y = ui->places.lanes.y0 + r->y + 1;
	canvas_fill(c, x, y, x + 1, y + TICK_PX, tick_rgb(ui, s));
}

void
samples_ticks(struct ui *ui, struct canvas *c)
{
	int64_t t0 = timeline_time(&ui->time, 0);
	int64_t t1 = timeline_time(&ui->time, ui->time.width);
	uint32_t n = model_samples(ui->model), i, end, step;

	if (n == 0)
		return;
	t1 = t1 > ui->play.head_mon_ns ? ui->play.head_mon_ns : t1;
	i = first_at(ui->model, n, t0);
	end = first_at(ui->model, n, t1);
	step = end > i ? (end - i) / TICKS_MAX + 1 : 1;
	for (; i < end; i += step)
		draw_tick(ui, c, model_sample(ui->model, i));
}
