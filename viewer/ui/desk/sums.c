/*
 * Call paths of the panels' range, for the functions table and the tree of
 * calls.  They are added up part by part, mostly when there is nothing to draw,
 * so that the picture goes on and a key is answered at once; what was added up
 * last stays in sight until the next is whole.  While a run
 * grows that is done anew now and then, not with each event.
 */
#include <string.h>

#include "model/calls/calls.h"
#include "model/run/hand.h"
#include "ui/desk/desk.h"

#define PARTS_FRAME 1  /* in a frame, of about 0.3 ms: it must go on */
#define PARTS_IDLE  4  /* at once when there is nothing to draw */
#define PAUSE       20 /* frames before figures of a run that grows change */

/* What is asked for now. */
static struct sums_of
wanted(const struct ui *ui, uint32_t lane)
{
	struct sums_of of;

	memset(&of, 0, sizeof(of));
	of.model = ui->model;
	figures_range(ui, &of.t0, &of.t1);
	of.lane = lane;
	of.members = model_group_version(ui->model, lane);
	of.rewritten = model_rewritten(ui->model);
	if (of.t1 >= model_last_ns(ui->model))
		of.events = model_events(ui->model);
	if (of.events != 0 || of.t1 == ui->play.head_mon_ns)
		of.t1++; /* what happens at the last instant belongs to it */
	of.source = calls_source(ui->model, of.t0, of.t1);
	return (of);
}

static bool
same(const struct sums_of *a, const struct sums_of *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->source == b->source && a->events == b->events &&
		a->rewritten == b->rewritten && a->lane == b->lane &&
		a->members == b->members);
}

/* Both go on to the end, and something has come in the meantime. */
static bool
is_older(const struct sums_of *a, const struct sums_of *b)
{
	return (a->model == b->model && a->lane == b->lane && a->events != 0 &&
		b->events != 0 && a->events != b->events);
}

static bool
begin(struct ui *ui, struct sums *s, const struct sums_of *want)
{
	if (s->next == NULL && (s->next = calls_new()) == NULL)
		return (false);
	s->next_of = *want;
	s->busy = true;
	calls_begin(s->next, ui->model, want->t0, want->t1, want->lane);
	return (true);
}

static void
finish(struct ui *ui, struct sums *s)
{
	struct calls *was = s->shown;

	s->shown = s->next;
	s->next = was;
	s->of = s->next_of;
	s->busy = false;
	s->version++;
	s->due = ui->picture->frame + PAUSE;
	/* the tree may have been made before, in the same frame */
	ui->picture->undone |= ui->trees.of == TREE_CALLS;
}

bool
sums_prepare(struct ui *ui, struct sums *s, uint32_t lane)
{
	struct sums_of want = wanted(ui, lane);
	bool patient = run_outruns(ui);

	if (s->shown != NULL && same(&s->of, &want)) {
		s->busy = false;
		if (!calls_exact(s->shown))
			ui_rough(ui, SUMS_CALLS, want.t0, want.t1);
		return (true);
	}
	if (picture_hasty(ui->picture) &&
	    s->shown != NULL) { /* in the frame that follows */
		ui->picture->undone = true;
		return (true);
	}
	if (s->busy && !same(&s->next_of, &want) &&
	    !(patient && is_older(&s->next_of, &want)))
		s->busy = false;
	if (!s->busy && s->shown != NULL && patient &&
	    is_older(&s->of, &want) && ui->picture->frame < s->due) {
		ui->picture->undone = true;
		return (true);
	}
	if (!s->busy) {
		if (!begin(ui, s, &want))
			return (true);
	}
	for (int i = 0; ui->picture->stop_cb == NULL || i < PARTS_FRAME; i++) {
		if (calls_step(s->next)) {
			finish(ui, s);
			if (!calls_exact(s->shown))
				ui_rough(ui, SUMS_CALLS, want.t0, want.t1);
			return (true);
		}
		if (draw_stopped(ui))
			return (false);
		if (draw_late(ui))
			break;
	}
	return (true);
}

/* False: there was nothing to do. */
static bool
go_on(struct ui *ui, struct sums *s)
{
	const struct sums_of *of = &s->next_of;

	/* what it reads may be no more: the next frame begins anew */
	if (!s->busy || of->model != ui->model ||
	    of->rewritten != model_rewritten(ui->model) ||
	    of->source != calls_source(ui->model, of->t0, of->t1))
		return (false);
	for (int i = 0; i < PARTS_IDLE && s->busy; i++) {
		if (draw_stopped(ui))
			break;
		if (calls_step(s->next)) {
			finish(ui, s);
			picture_changed(ui->picture);
		}
	}
	return (true);
}

bool
sums_go_on(struct ui *ui)
{
	return (go_on(ui, &ui->figures.sums) ||
		go_on(ui, &ui->figures.tree_sums) ||
		go_on(ui, &ui->figures.row_sums) || causality_go_on(ui));
}

bool
sums_busy(const struct ui *ui)
{
	return (ui->figures.sums.busy || ui->figures.tree_sums.busy ||
		ui->figures.row_sums.busy || causality_busy(ui));
}

bool
sums_of_whole(const struct ui *ui, bool *about)
{
	const struct sums *s = &ui->figures.sums;
	struct sums_of want = wanted(ui, UINT32_MAX);

	*about =
	    !same(&s->of, &want) || s->shown == NULL || !calls_exact(s->shown);
	return (s->shown != NULL && figures_whole(ui) &&
		(same(&s->of, &want) || is_older(&s->of, &want)) &&
		s->of.t0 == want.t0);
}

bool
sums_exact_of(const struct ui *ui, const struct sums *s, uint32_t lane)
{
	struct sums_of want = wanted(ui, lane);

	return (
	    s->shown == NULL || (same(&s->of, &want) && calls_exact(s->shown)));
}

bool
sums_exact(const struct ui *ui)
{
	return (figures_whole(ui) ||
		sums_exact_of(ui, &ui->figures.sums, UINT32_MAX));
}

void
sums_clear(struct sums *s)
{
	calls_free(s->shown);
	calls_free(s->next);
	memset(s, 0, sizeof(*s));
}
