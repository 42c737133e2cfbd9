/*
 * What the window would like to know one by one where the model has only
 * summaries left: what is in sight and half as much on either side, asked for
 * before the picture has moved to the end of what is known.
 */
#include "model/detail.h"
#include "ui/desk/desk.h"

#define AHEAD_PART  8  /* of the width: ask when so little is left */
#define MARGIN_PART 2  /* of the width, on each side */
#define SUMS_PAUSE  30 /* frames, while the run grows */

static int64_t
clip(int64_t t, int64_t t0, int64_t t1)
{
	return (t < t0 ? t0 : t > t1 ? t1 : t);
}

/* What is in sight, and a part of its width on either side, in the run. */
static void
sight(const struct ui *ui, int64_t part, int64_t *t0, int64_t *t1)
{
	int64_t first = model_first_ns(ui->model);
	int64_t end = model_last_ns(ui->model);
	int64_t v0 = ui->time.t0_mon_ns, v1 = ui->time.t1_mon_ns;
	int64_t margin = part == 0 ? 0 : (v1 - v0) / part;

	*t0 = clip(v0 - margin, first, end);
	*t1 = clip(v1 + margin, first, end);
}

static bool
was_wanted(const struct ui *ui, int64_t t0, int64_t t1)
{
	return (ui->figures.wanted_t0 == t0 && ui->figures.wanted_t1 == t1);
}

/*
 * With what lies on either side; where there is no room for that, for what is
 * in sight alone.  False: that is on its way, is there, or cannot be had.
 */
static bool
may_ask(const struct ui *ui, int64_t *t0, int64_t *t1)
{
	int64_t v0, v1;

	sight(ui, 0, &v0, &v1);
	sight(ui, MARGIN_PART, t0, t1);
	if (was_wanted(ui, v0, v1))
		return (false);
	if (!was_wanted(ui, *t0, *t1))
		return (!ui->feed.fetching || ui->figures.wanted_t0 > v0 ||
			ui->figures.wanted_t1 < v1);
	*t0 = v0;
	*t1 = v1;
	return (!ui->feed.wanting && !ui->feed.fetching &&
		!model_known(ui->model, v0, v1));
}

bool
ui_wants(struct ui *ui, int64_t *t0, int64_t *t1)
{
	const struct model *m = ui->model;
	int64_t first = model_first_ns(m), end = model_last_ns(m);

	if (first > end || ui->time.t1_mon_ns <= first ||
	    ui->time.t0_mon_ns >= end)
		return (false);
	sight(ui, AHEAD_PART, t0, t1);
	if (model_known(m, *t0, *t1) || !may_ask(ui, t0, t1))
		return (false);
	ui->figures.wanted_t0 = *t0;
	ui->figures.wanted_t1 = *t1;
	ui->feed.wanting = true; /* as the feed will say */
	return (true);
}

bool
ui_known(const struct ui *ui)
{
	int64_t v0, v1;

	sight(ui, 0, &v0, &v1);
	return (
	    model_known(ui->model, ui->time.t0_mon_ns, ui->time.t1_mon_ns) ||
	    (was_wanted(ui, v0, v1) && !ui->feed.wanting &&
		!ui->feed.fetching));
}

void
ui_rough(struct ui *ui, enum sums_kind kind, int64_t t0, int64_t t1)
{
	struct rough *r = &ui->figures.rough[kind];
	uint64_t rewritten = model_rewritten(ui->model);

	if (r->seen || (r->model == ui->model && r->t0 == t0 && r->t1 == t1 &&
			   r->rewritten == rewritten))
		return; /* it is on its way, or cannot be had */
	if (run_grows(ui) && ui->picture->frame < r->due)
		return;
	*r = (struct rough){ ui->model, t0, t1, rewritten, true,
		ui->picture->frame + SUMS_PAUSE };
}

bool
ui_wants_sums(struct ui *ui, enum sums_kind kind, int64_t *t0, int64_t *t1)
{
	struct rough *r = &ui->figures.rough[kind];

	if (!r->seen || picture_due(ui->picture) || r->model != ui->model)
		return (false);
	r->seen = false;
	*t0 = r->t0;
	*t1 = r->t1;
	return (true);
}

bool
ui_settling(const struct ui *ui)
{
	bool seen = false;

	for (int i = 0; i < SUMS_KINDS; i++)
		seen |= ui->figures.rough[i].seen;
	return (seen || ui->feed.summing);
}
