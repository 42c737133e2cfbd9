/* Locks of the panels' range. */
#include "ui/views/asked/lockview.h"

#include "ui/views/asked.h"
#include "ui/views/view.h"

static void *
make(void)
{
	return (lock_sums_new());
}

static void
end(void *k)
{
	lock_sums_free(k);
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	(void)ui;
	lock_sums_begin(k, of->model, of->t0, of->t1);
}

static bool
step(void *k)
{
	return (lock_sums_step(k));
}

static const struct asked_how how = { make, end, begin, step, 16, 20 };

const struct lock_sums *
locks_shown(const struct ui *ui)
{
	return (asked_shown(ui, ASKED_LOCKS));
}

bool
locks_busy(const struct ui *ui)
{
	return (ui->figures.asked[ASKED_LOCKS].busy);
}

int64_t
locks_range_ns(const struct ui *ui)
{
	return (ui->figures.asked[ASKED_LOCKS].of.t1 -
		ui->figures.asked[ASKED_LOCKS].of.t0);
}

bool
locks_prepare(struct ui *ui)
{
	struct asked_of want;

	asked_range(ui, &want, true);
	asked_step(ui, ASKED_LOCKS, &how, &want);
	return (true);
}

bool
waits_prepare(struct ui *ui)
{
	(void)ui;
	return (true);
}
