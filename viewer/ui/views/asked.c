/* Asks step by step, and keeps the last answer in sight. */
#include "ui/views/asked.h"

#include <string.h>

#include "model/calls/calls.h"
#include "model/detail.h"

void
asked_fill(const struct ui *ui, struct asked_of *of, bool last)
{
	int64_t end = model_last_ns(ui->model);

	of->model = ui->model;
	if (last && (of->t1 >= end || of->t1 == ui->play.head_mon_ns))
		of->t1++;
	of->events = of->t1 > end ? model_events(ui->model) : 0;
	of->rewritten = model_rewritten(ui->model);
	of->source = calls_source(ui->model, of->t0, of->t1);
}

void
asked_range(const struct ui *ui, struct asked_of *of, bool last)
{
	memset(of, 0, sizeof(*of));
	of->lane = UINT32_MAX;
	if (!figures_range(ui, &of->t0, &of->t1))
		of->t1 = of->t0;
	asked_fill(ui, of, last);
}

static bool
same(const struct asked_of *a, const struct asked_of *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->source == b->source && a->events == b->events &&
		a->rewritten == b->rewritten && a->lane == b->lane);
}

static bool
begin(struct ui *ui, struct asked *a, const struct asked_of *want)
{
	if (a->next == NULL && (a->next = a->how->make()) == NULL)
		return (false);
	a->how->begin(a->next, ui, want);
	a->next_of = *want;
	a->busy = true;
	return (true);
}

static void
finish(struct ui *ui, struct asked *a)
{
	void *was = a->shown;

	a->shown = a->next;
	a->next = was;
	a->of = a->next_of;
	a->busy = false;
	a->due = ui->picture->frame + (uint64_t)a->how->pause;
}

/* The last answer will do for some frames. */
static bool
may_wait(const struct ui *ui, const struct asked *a,
    const struct asked_of *want)
{
	return (picture_hasty(ui->picture) ||
		(run_grows(ui) && !a->busy && a->of.t0 == want->t0 &&
		    a->of.lane == want->lane && ui->picture->frame < a->due));
}

static struct asked_then
then(const struct ui *ui, const struct asked_of *of)
{
	return ((struct asked_then){ ui->picture->frame,
	    model_rewritten(ui->model), model_details(ui->model),
	    calls_source(ui->model, of->t0, of->t1) });
}

/* Drawn in the last frame, and what it reads is still there. */
static bool
may_go_on(const struct ui *ui, const struct asked *a)
{
	struct asked_then now;

	if (!a->busy || a->next_of.model != ui->model)
		return (false);
	now = then(ui, &a->next_of);
	return (a->then.frame + 1 >= now.frame &&
		a->then.rewritten == now.rewritten &&
		a->then.details == now.details && a->then.source == now.source);
}

bool
asked_go_on(struct ui *ui)
{
	for (int i = 0; i < ASKED_WHAT; i++) {
		struct asked *a = &ui->figures.asked[i];

		if (!may_go_on(ui, a))
			continue;
		for (int k = 0; k < a->how->parts && a->busy; k++) {
			if (a->how->step(a->next)) {
				finish(ui, a);
				picture_changed(ui->picture);
			} else if (draw_stopped(ui))
				break;
		}
		return (true);
	}
	return (false);
}

bool
asked_step(struct ui *ui, enum asked_what what, const struct asked_how *how,
    const struct asked_of *want)
{
	struct asked *a = &ui->figures.asked[what];
	bool known = asked_shown(ui, what) != NULL;
	bool now = ui->picture->stop_cb == NULL;

	a->how = how;
	if (known && same(&a->of, want))
		return (false);
	if (known && !now && may_wait(ui, a, want)) {
		ui->picture->undone = true;
		return (false);
	}
	/* of a run that grows what was begun is ended first */
	if (!(a->busy && a->next_of.model == ui->model &&
		a->next_of.source == want->source &&
		a->next_of.lane == want->lane &&
		((run_grows(ui) && !now) || same(&a->next_of, want))) &&
	    !begin(ui, a, want))
		return (false);
	a->then = then(ui, want);
	for (int i = 0; now || i < how->parts; i++) {
		if (how->step(a->next)) {
			finish(ui, a);
			return (true);
		}
		if (draw_stopped(ui) || draw_late(ui))
			break;
	}
	ui->picture->undone = true;
	return (false);
}

void *
asked_shown(const struct ui *ui, enum asked_what what)
{
	const struct asked *a = &ui->figures.asked[what];

	return (a->of.model == ui->model ? a->shown : NULL);
}

bool
asked_current(const struct ui *ui, enum asked_what what,
    const struct asked_of *want)
{
	return (asked_shown(ui, what) != NULL &&
		same(&ui->figures.asked[what].of, want));
}

void
asked_forget(struct ui *ui)
{
	for (int i = 0; i < ASKED_WHAT; i++) {
		struct asked *a = &ui->figures.asked[i];

		a->of.model = a->next_of.model = NULL;
		a->busy = false;
	}
}

void
asked_free(struct ui *ui)
{
	for (int i = 0; i < ASKED_WHAT; i++) {
		struct asked *a = &ui->figures.asked[i];

		if (a->how == NULL)
			continue;
		a->how->free(a->shown);
		a->how->free(a->next);
		memset(a, 0, sizeof(*a));
	}
}
