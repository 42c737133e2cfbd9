/*
 * Locks of the panels' range, added up some parts a frame; what was added up
 * last stays in sight until the next is whole, and while a run grows for some
 * frames.
 */
#include "ui/views/asked/lockview.h"

#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "ui/views/view.h"

#define PARTS_FRAME 16 /* about 2 ms */
#define PAUSE       20 /* frames, while a run grows */

static struct lock_figures *
get(struct ui *ui)
{
	if (ui->figures.locks == NULL)
		ui->figures.locks = calloc(1, sizeof(struct lock_figures));
	return (ui->figures.locks);
}

void
locks_forget(struct ui *ui)
{
	struct lock_figures *f = ui->figures.locks;

	if (f == NULL)
		return;
	f->of.model = f->next_of.model = NULL;
	f->busy = false;
}

void
locks_free(struct ui *ui)
{
	struct lock_figures *f = ui->figures.locks;

	if (f == NULL)
		return;
	lock_sums_free(f->shown);
	lock_sums_free(f->next);
	free(f);
	ui->figures.locks = NULL;
}

static struct lock_of
wanted(const struct ui *ui)
{
	int64_t last = model_last_ns(ui->model);
	struct lock_of of;

	memset(&of, 0, sizeof(of));
	of.model = ui->model;
	if (!figures_range(ui, &of.t0, &of.t1))
		of.t1 = of.t0;
	if (of.t1 >= last || of.t1 == ui->play.head_mon_ns)
		of.t1++; /* what happens at the last instant belongs to it */
	if (of.t1 > last)
		of.events = model_events(ui->model);
	of.rewritten = model_rewritten(ui->model);
	of.source = calls_source(ui->model, of.t0, of.t1);
	return (of);
}

static bool
same(const struct lock_of *a, const struct lock_of *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->source == b->source && a->events == b->events &&
		a->rewritten == b->rewritten);
}

static bool
begin(struct ui *ui, struct lock_figures *f, const struct lock_of *want)
{
	if (f->next == NULL && (f->next = lock_sums_new()) == NULL)
		return (false);
	lock_sums_begin(f->next, ui->model, want->t0, want->t1);
	f->next_of = *want;
	f->busy = true;
	return (true);
}

static void
finish(struct ui *ui, struct lock_figures *f)
{
	struct lock_sums *was = f->shown;

	f->shown = f->next;
	f->next = was;
	f->of = f->next_of;
	f->busy = false;
	f->due = ui->picture->frame + PAUSE;
}

bool
locks_prepare(struct ui *ui)
{
	struct lock_figures *f = get(ui);
	struct lock_of want = wanted(ui);
	bool known = f != NULL && f->shown != NULL && f->of.model == ui->model;
	bool now = ui->picture->stop_cb == NULL;

	if (f == NULL || (known && same(&f->of, &want)))
		return (true);
	if (known && !now &&
	    (picture_hasty(ui->picture) ||
		(run_grows(ui) && !f->busy && f->of.t0 == want.t0 &&
		    ui->picture->frame < f->due))) {
		ui->picture->undone = true;
		return (true);
	}
	/* of a run that grows what was begun is ended first */
	if (!(f->busy && f->next_of.model == ui->model &&
		f->next_of.source == want.source &&
		((run_grows(ui) && !now) || same(&f->next_of, &want))) &&
	    !begin(ui, f, &want))
		return (true);
	for (int i = 0; now || i < PARTS_FRAME; i++)
		if (lock_sums_step(f->next)) {
			finish(ui, f);
			return (true);
		}
	ui->picture->undone = true;
	return (true);
}

bool
waits_prepare(struct ui *ui)
{
	(void)ui;
	return (true);
}
