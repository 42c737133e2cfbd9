/*
 * The critical path of the selected range, else of the run; who asks for it.
 */
#include "ui/views/path/pathview.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/measured/scheds.h"
#include "ui/desk/parse.h"
#include "ui/views/asked.h"
#include "ui/views/view.h"

#define READY_MOST 65536 /* pieces that are asked, and threads */

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

static void *
make(void)
{
	return (critical_new());
}

static void
end(void *k)
{
	critical_free(k);
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	(void)ui;
	critical_begin(k, of->model, of->t0, of->t1, of->lane);
}

static bool
step(void *k)
{
	return (critical_step(k));
}

static const struct asked_how how = { make, end, begin, step, 4, 60 };

void
path_free(struct ui *ui)
{
	free(ui->figures.path);
	ui->figures.path = NULL;
}

const struct critical *
path_shown(const struct ui *ui)
{
	const struct path_figures *f = ui->figures.path;

	return (f == NULL ? NULL : asked_shown(ui, ASKED_PATH));
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
	size_t n = critical_pieces(path_shown(ui), &p, &all);

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
		f->all_ready_ns +=
		    ready_ns(ui, i, ui->figures.asked[ASKED_PATH].of.t0,
			ui->figures.asked[ASKED_PATH].of.t1);
}

bool
path_prepare(struct ui *ui)
{
	struct path_figures *f = get(ui);
	struct asked_of want;
	int64_t t0, t1;

	if (f == NULL)
		return (true);
	f->wanted = ui->picture->frame;
	asked_range(ui, &want, true);
	if (!time_selected(ui, &t0, &t1)) {
		want.t0 = run_begin(ui);
		want.t1 = run_now(ui);
		asked_fill(ui, &want, true);
	}
	if (f->of_thread)
		want.lane = causality_thread(ui, ui->time.selected_lane);
	if (asked_step(ui, ASKED_PATH, &how, &want))
		count_ready(ui, f);
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

const char *
path_word(const struct ui *ui, unsigned i)
{
	static const char *const words[] = { "all", "thread", "over", "plain" };

	(void)ui;
	return (i < sizeof(words) / sizeof(words[0]) ? words[i] : NULL);
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
