/*
 * When the run began and how far it has come, and which of its instants is
 * looked at.
 */
#include "model/sketch.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

int64_t
run_begin(const struct ui *ui)
{
	int64_t t = ui->model != NULL ? model_first_ns(ui->model) : INT64_MAX;

	if (t == INT64_MAX && ui->sketch != NULL)
		t = sketch_first_ns(ui->sketch);
	return (t == INT64_MAX ? ui->feed.start_mon_ns : t);
}

int64_t
run_origin(const struct ui *ui)
{
	return (
	    ui->feed.run[0] != '\0' ? ui->feed.start_mon_ns : run_begin(ui));
}

bool
run_dated(const struct ui *ui)
{
	return (ui->feed.start_real_ns != 0);
}

char *
run_time(const struct ui *ui, int64_t t_mon_ns, int64_t step_ns, char *buf,
    size_t n)
{
	int64_t t = t_mon_ns - run_origin(ui);

	if (ui->timepane.utc && run_dated(ui))
		return (
		    format_day(buf, n, ui->feed.start_real_ns + t, step_ns));
	return (format_time(buf, n, t, step_ns));
}

int64_t
run_ticks(const struct ui *ui)
{
	int64_t day_ns = (int64_t)24 * 3600 * 1000000000;

	return (run_origin(ui) -
		(ui->timepane.utc ? ui->feed.start_real_ns % day_ns : 0));
}

int64_t
run_end(const struct ui *ui)
{
	int64_t first = run_begin(ui), last = first;

	if (ui->model != NULL && model_first_ns(ui->model) != INT64_MAX)
		last = model_last_ns(ui->model);
	return (last > first + 1000 ? last : first + 1000);
}

int64_t
run_far_end(const struct ui *ui)
{
	int64_t end = run_end(ui), far;

	if (ui->sketch == NULL)
		return (end);
	far = sketch_last_ns(ui->sketch);
	return (far > end ? far : end);
}

int64_t
run_now(const struct ui *ui)
{
	return (ui->play.head_mon_ns != INT64_MAX ? ui->play.head_mon_ns
						  : run_end(ui));
}

int64_t
run_instant(const struct ui *ui, const char **what)
{
	const struct rect *r = &ui->places.lanes;

	*what = ui->play.paused ? "held" : "playback";
	if (ui->play.head_mon_ns != INT64_MAX)
		return (ui->play.head_mon_ns);
	*what = "pointer";
	if (ui->mouse.in && rect_has(r, ui->mouse.x, ui->mouse.y) &&
	    !card_hides(ui))
		return (timeline_time(&ui->time, ui->mouse.x - r->x0));
	*what = "cursor";
	if (ui->chosen.cursor_mon_ns != INT64_MIN)
		return (ui->chosen.cursor_mon_ns);
	*what = "now";
	return (run_end(ui));
}

struct span
run_span_then(const struct ui *ui, const struct span *s)
{
	struct span then = *s;

	if (then.t1_mon_ns > ui->play.head_mon_ns)
		then.t1_mon_ns = INT64_MAX;
	return (then);
}
