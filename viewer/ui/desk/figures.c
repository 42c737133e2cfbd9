/* Which part of the run all figures are of. */
#include "ui/desk/desk.h"

bool
figures_range(const struct ui *ui, int64_t *t0, int64_t *t1)
{
	int64_t first = run_begin(ui), last = run_end(ui);

	time_selected(ui, t0, t1);
	*t0 = *t0 < first ? first : *t0;
	*t1 = *t1 > last ? last : *t1;
	*t1 = *t1 > ui->play.head_mon_ns ? ui->play.head_mon_ns : *t1;
	return (*t1 > *t0);
}

bool
figures_whole(const struct ui *ui)
{
	int64_t t0, t1;

	return (ui->play.head_mon_ns == INT64_MAX &&
		figures_range(ui, &t0, &t1) && t0 <= run_begin(ui) &&
		t1 >= run_end(ui));
}
