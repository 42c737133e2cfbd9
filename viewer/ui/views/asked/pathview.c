/*
 * The critical path of the selected range, else of the run, looked for some
 * parts a frame; what was found last stays in sight until the next is whole,
 * and while a run grows for some frames.
 */
#include "ui/views/asked/pathview.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "model/run/scheds.h"
#include "ui/desk/parse.h"
#include "ui/views/view.h"

#define STEPS_FRAME 2     /* about 4 ms */
#define PAUSE       60    /* frames, while a run grows */
#define READY_MOST  65536 /* pieces that are asked, and threads */

const char *const path_wait_word[CRITICAL_WAITS] = {
	[CRITICAL_SENDER] = "late sender",
	[CRITICAL_TOGETHER] = "barrier, block",
	[CRITICAL_LOCK] = "lock, condition",
	[CRITICAL_JOIN] = "end of a thread",
	[CRITICAL_SERVER] = "server busy",
	[CRITICAL_WAY] = "on the way",
	[CRITICAL_RECEIVER] = "late receiver",
};

static struct path_figures *
get(struct ui *ui)
{
	if (ui->figures.path == NULL)
		ui->figures.path = calloc(1, sizeof(struct path_figures));
	return (ui->figures.path);
}

void
path_forget(struct ui *ui)
{
	struct path_figures *f = ui->figures.path;

	if (f == NULL)
		return;
	f->of.model = f->next_of.model = NULL;
	f->busy = false;
}

void
path_free(struct ui *ui)
{
	struct path_figures *f = ui->figures.path;

	if (f == NULL)
		return;
	critical_free(f->shown);
	critical_free(f->next);
	free(f);
	ui->figures.path = NULL;
}

const struct critical *
path_shown(const struct ui *ui)
{
	const struct path_figures *f = ui->figures.path;

	return (f == NULL || f->of.model != ui->model ? NULL : f->shown);
}

const struct critical *
path_over_lanes(const struct ui *ui)
{
	const struct path_figures *f = ui->figures.path;

	return (f == NULL || f->not_over ||
			f->wanted + 1 < ui->picture->frame || two_runs(ui)
		    ? NULL
		    : path_shown(ui));
}

/* --- looking --- */

static struct path_of
wanted(const struct ui *ui, const struct path_figures *f)
{
	int64_t last = model_last_ns(ui->model);
	struct path_of of;

	memset(&of, 0, sizeof(of));
	of.model = ui->model;
	if (!time_selected(ui, &of.t0, &of.t1)) {
		of.t0 = run_begin(ui);
		of.t1 = run_now(ui);
	} else if (!figures_range(ui, &of.t0, &of.t1)) {
		of.t1 = of.t0;
	}
	if (of.t1 >= last || of.t1 == ui->play.head_mon_ns)
		of.t1++; /* what happens at the last instant belongs to it */
	if (of.t1 > last)
		of.events = model_events(ui->model);
	of.rewritten = model_rewritten(ui->model);
	of.source = calls_source(ui->model, of.t0, of.t1);
	of.lane = f->of_thread ? causality_thread(ui, ui->time.selected_lane)
			       : UINT32_MAX;
	return (of);
}

static bool
same(const struct path_of *a, const struct path_of *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->source == b->source && a->events == b->events &&
		a->rewritten == b->rewritten && a->lane == b->lane);
}

static bool
begin(struct ui *ui, struct path_figures *f, const struct path_of *want)
{
	if (f->next == NULL && (f->next = critical_new()) == NULL)
		return (false);
	critical_begin(f->next, ui->model, want->t0, want->t1, want->lane);
	f->next_of = *want;
	f->busy = true;
	return (true);
}

/* Between two instants, of one thread. */
static int64_t
ready_ns(const struct ui *ui, uint32_t sched, int64_t t0, int64_t t1)
{
	const int64_t t[2] = { t0, t1 };
	struct sched_then then[2];

	model_sched_then(ui->model, sched, t, 2, then);
	return (then[1].in_ns[SCHED_READY] - then[0].in_ns[SCHED_READY]);
}

/* Of the path and of all threads; how many threads it is on. */
static void
count_ready(const struct ui *ui, struct path_figures *f)
{
	uint32_t scheds = model_scheds(ui->model), sched, lanes;
	const struct critical_piece *p;
	uint8_t *on;
	uint64_t all;
	size_t n = critical_pieces(f->shown, &p, &all);

	f->ready_ns = f->all_ready_ns = 0;
	f->threads = 0;
	lanes = model_lanes(ui->model);
	on = calloc(lanes + 1u, 1);
	for (size_t i = 0; on != NULL && i < n; i++) {
		f->threads += on[p[i].lane] == 0;
		on[p[i].lane] = 1;
	}
	free(on);
	for (size_t i = 0; scheds > 0 && n <= READY_MOST && i < n; i++) {
		sched = model_sched_of(ui->model, p[i].lane);
		if (sched != UINT32_MAX && p[i].t1_mon_ns > p[i].t0_mon_ns)
			f->ready_ns +=
			    ready_ns(ui, sched, p[i].t0_mon_ns, p[i].t1_mon_ns);
	}
	for (uint32_t i = 0; i < scheds && i < READY_MOST; i++)
		f->all_ready_ns += ready_ns(ui, i, f->of.t0, f->of.t1);
}

static void
finish(struct ui *ui, struct path_figures *f)
{
	struct critical *was = f->shown;

	f->shown = f->next;
	f->next = was;
	f->of = f->next_of;
	f->busy = false;
	f->due = ui->picture->frame + PAUSE;
	count_ready(ui, f);
}

bool
path_prepare(struct ui *ui)
{
	struct path_figures *f = get(ui);
	bool now = ui->picture->stop_cb == NULL, known;
	struct path_of want;

	if (f == NULL)
		return (true);
	f->wanted = ui->picture->frame;
	sums_prepare(ui, &ui->figures.sums, UINT32_MAX);
	want = wanted(ui, f);
	known = path_shown(ui) != NULL;
	if (known && same(&f->of, &want))
		return (true);
	if (known && !now &&
	    (picture_hasty(ui->picture) ||
		(run_grows(ui) && !f->busy && f->of.t0 == want.t0 &&
		    f->of.lane == want.lane && ui->picture->frame < f->due))) {
		ui->picture->undone = true;
		return (true);
	}
	/* of a run that grows what was begun is ended first */
	if (!(f->busy && f->next_of.model == ui->model &&
		f->next_of.source == want.source &&
		f->next_of.lane == want.lane &&
		((run_grows(ui) && !now) || same(&f->next_of, &want))) &&
	    !begin(ui, f, &want))
		return (true);
	for (int i = 0; now || i < STEPS_FRAME; i++)
		if (critical_step(f->next)) {
			finish(ui, f);
			return (true);
		}
	ui->picture->undone = true;
	return (true);
}

/* --- asked of it --- */

size_t
path_longest(const struct ui *ui, struct critical_piece *out, size_t max)
{
	const struct critical *k = path_shown(ui);
	const struct critical_piece *p;
	uint64_t all;
	size_t n = k == NULL ? 0 : critical_pieces(k, &p, &all), got = 0, at;

	for (size_t i = n; i-- > 0;) { /* of equal ones the earlier first */
		int64_t ns = p[i].t1_mon_ns - p[i].t0_mon_ns;

		for (at = got;
		     at > 0 &&
		     out[at - 1].t1_mon_ns - out[at - 1].t0_mon_ns < ns;
		     at--)
			if (at < max)
				out[at] = out[at - 1];
		if (at < max)
			out[at] = p[i];
		got += got < max;
	}
	return (got);
}

int64_t
path_all_ns(const struct ui *ui, const struct critical_part *p)
{
	const struct sums *s = &ui->figures.sums;
	const struct path_figures *f = ui->figures.path;
	const struct call *c;
	int64_t ns = 0;
	size_t n;

	/* the panels' range may be another one; sums end at the last event */
	if (s->shown == NULL || s->of.model != ui->model ||
	    s->of.t0 > f->of.t0 || s->of.t1 + 1 < f->of.t1 ||
	    (ui->play.head_mon_ns == INT64_MAX && !figures_whole(ui) &&
		s->of.t0 != f->of.t0) ||
	    p->class != LANE_running)
		return (0);
	n = calls_paths(s->shown, &c);
	for (size_t i = 0; i < n; i++)
		if (c[i].name == p->name && c[i].kind == p->kind)
			ns += c[i].self_ns - c[i].blocked_ns;
	return (ns);
}

/* The lanes show the n-th longest piece, from 1 on. */
static int
go_to(struct ui *ui, const char *arg)
{
	struct critical_piece v[PATH_LONGEST];
	size_t n = path_longest(ui, v, PATH_LONGEST);
	int64_t room;
	uint64_t i;

	if (parse_number(arg, &i) == -1 || i < 1 || i > n)
		return (desk_fail(ui,
		    n == 0 ? "path wants all, thread, over or plain"
			   : "path wants all, thread, over, plain, or a "
			     "stretch from 1 to %zu",
		    n));
	history_add(ui, 0);
	room = (v[i - 1].t1_mon_ns - v[i - 1].t0_mon_ns) / 8 + 1;
	time_range(ui, v[i - 1].t0_mon_ns - room, v[i - 1].t1_mon_ns + room);
	time_show_row(ui, v[i - 1].lane);
	ui->time.selected_lane = v[i - 1].lane;
	return (0);
}

int
path_command(struct ui *ui, const char *arg)
{
	struct path_figures *f = get(ui);

	if (f == NULL)
		return (desk_fail(ui, "out of memory"));
	if (strcmp(arg, "thread") == 0) {
		if (causality_thread(ui, ui->time.selected_lane) == UINT32_MAX)
			return (desk_fail(ui,
			    "path thread: select the row of a thread first"));
		f->of_thread = true;
	} else if (strcmp(arg, "all") == 0) {
		f->of_thread = false;
	} else if (strcmp(arg, "over") == 0 || strcmp(arg, "plain") == 0) {
		f->not_over = arg[0] == 'p';
	} else if (arg[0] != '\0') {
		return (go_to(ui, arg));
	}
	picture_changed(ui->picture);
	return (0);
}
