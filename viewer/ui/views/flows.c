/*
 * Added up a few pieces of time a frame; while a run grows what there was stays
 * in sight meanwhile, and for some frames more.
 */
#include "flows.h"

#include <stdlib.h>

#include "model/detail.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define STEPS 6  /* pieces of time in a frame */
#define PAUSE 20 /* frames, while a run grows */

static struct flow_sums *
own(struct ui *ui)
{
	static struct flow_sums none;

	if (ui->figures.flow == NULL)
		ui->figures.flow = calloc(1, sizeof(*ui->figures.flow));
	return (ui->figures.flow == NULL ? &none : ui->figures.flow);
}

static bool
same(const struct flow *a, const struct flow *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->events == b->events && a->details == b->details);
}

static struct flow
wanted(const struct ui *ui)
{
	struct flow f = { .model = ui->model,
		.events = model_events(ui->model),
		.details = model_details(ui->model) };

	if (!figures_range(ui, &f.t0, &f.t1))
		f.t1 = f.t0;
	return (f);
}

static void
finish(struct ui *ui, struct flow_sums *s)
{
	struct flow was = s->shown;

	s->shown = s->next;
	s->next = was;
	s->busy = false;
	s->due = ui->picture->frame + PAUSE;
}

/* All of the run has been looked at for those that are open. */
bool
flow_find_open(struct ui *ui)
{
	struct flow_sums *s = own(ui);

	for (int i = 0; ui->picture->stop_cb == NULL || i < STEPS; i++) {
		if (open_links_step(&s->open, ui->model))
			return (true);
		if (draw_stopped(ui))
			break;
	}
	ui->picture->undone = true;
	return (false);
}

bool
flow_prepare(struct ui *ui)
{
	struct flow_sums *s = own(ui);
	struct flow want = wanted(ui);

	if (!flow_find_open(ui))
		return (!draw_stopped(ui));
	if (same(&s->shown, &want))
		return (true);
	if (s->shown.model == want.model && ui->picture->stop_cb != NULL &&
	    (picture_hasty(ui->picture) ||
		(run_grows(ui) && !s->busy && ui->picture->frame < s->due))) {
		ui->picture->undone = true;
		return (true);
	}
	if (s->busy && !same(&s->next, &want) &&
	    !(run_outruns(ui) && s->next.model == want.model))
		s->busy = false;
	if (!s->busy) {
		s->busy = flow_begin(&s->next, ui, want.t0, want.t1);
		s->next.events = want.events;
		s->next.details = want.details;
	}
	for (int i = 0; s->busy && (ui->picture->stop_cb == NULL || i < STEPS);
	     i++) {
		if (flow_step(&s->next, &s->open)) {
			finish(ui, s);
			return (true);
		}
		if (draw_stopped(ui))
			return (false);
	}
	ui->picture->undone |= s->busy;
	return (true);
}

struct open_links *
flow_open(struct ui *ui)
{
	return (&own(ui)->open);
}

const struct flow *
flow_shown(struct ui *ui)
{
	return (&own(ui)->shown);
}

bool
flow_busy(struct ui *ui)
{
	return (own(ui)->busy);
}

bool
flow_current(struct ui *ui)
{
	struct flow want = wanted(ui);

	return (same(&own(ui)->shown, &want));
}
