/*
 * What the scheduler did with a thread, at the lower edge of its row: a line
 * where it was running, another where it was ready; nothing where it was
 * blocked.  A pixel that has several is as high as each one's share.
 */
#include "model/measured/scheds.h"
#include "ui/desk/desk.h"
#include "ui/panes/panes.h"

#define STRIP_PX  4
#define STEP_PX   2 /* pixels that are asked for together, at least */
#define STEPS_MAX 2048

/* From below: running, then ready. */
static void
draw_step(const struct ui *ui, struct canvas *c, int32_t x, int32_t w,
    int32_t y1, const struct sched_then then[2], int64_t step_ns)
{
	const struct palette *p = ui->palette;
	const uint32_t rgb[] = { p->state[LANE_running], p->warn };
	int32_t y = y1, h;

	for (int s = SCHED_RUNNING; s <= SCHED_READY; s++) {
		int64_t ns = then[1].in_ns[s] - then[0].in_ns[s];

		h = (int32_t)(((double)ns * STRIP_PX) / (double)step_ns + 0.5);
		h = h == 0 && ns > 0 ? 1 : h; /* it was there */
		canvas_fill(c, x, y - h, x + w, y, rgb[s - SCHED_RUNNING]);
		y -= h;
	}
}

static void
draw_strip(const struct ui *ui, struct canvas *c, uint32_t sched, int32_t y1)
{
	static struct sched_then then[STEPS_MAX + 1];
	static int64_t t[STEPS_MAX + 1];
	int32_t px = STEP_PX * (1 + ui->time.width / (STEP_PX * STEPS_MAX));
	int32_t n = ui->time.width / px;
	int64_t until = run_end(ui);

	until = until > ui->play.head_mon_ns ? ui->play.head_mon_ns : until;
	for (int32_t i = 0; i <= n; i++) {
		t[i] = timeline_time(&ui->time, i * px);
		t[i] = t[i] > until ? until : t[i];
	}
	model_sched_then(ui->model, sched, t, (size_t)n + 1, then);
	for (int32_t i = 0; i < n; i++)
		if (t[i + 1] > t[i])
			draw_step(ui, c, ui->places.lanes.x0 + i * px, px, y1,
			    &then[i], t[i + 1] - t[i]);
}

void
sched_draw(struct ui *ui, struct canvas *c)
{
	uint32_t sched;

	if (model_scheds(ui->model) == 0)
		return;
	for (size_t i = timepane_row(ui, 0); i < ui->timepane.rows.nrows;
	     i = timepane_row(ui, i + 1)) {
		const struct timeline_row *r = &ui->timepane.rows.rows[i];
		const struct lane *l = model_lane(ui->model, r->lane);

		if (l->kind != LANE_THREAD || r->height < 3 * STRIP_PX)
			continue;
		sched = model_sched_of(ui->model, r->lane);
		if (sched != UINT32_MAX)
			draw_strip(ui, c, sched,
			    ui->places.lanes.y0 + r->y + r->height - 1);
	}
}
