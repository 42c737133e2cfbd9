/*
 * Along messages and other links: from where something happened to what made
 * it happen, and on to what it made happen.
 */
#include <stdlib.h>

#include "ui/commands/moving/moving.h"
#include "ui/desk/desk.h"

#define LOOK_AT 20000 /* links in sight, at most */

/* UINT32_MAX: it has none. */
static uint32_t
row_of(const struct ui *ui, uint32_t lane)
{
	return (lane < ui->timepane.rows.nlanes
		    ? ui->timepane.rows.lane_row[lane]
		    : UINT32_MAX);
}

/* Is link a nearer to the instant than b, going way? */
static bool
is_better(const struct link *a, const struct link *b, int way)
{
	if (b == NULL)
		return (true);
	return (way < 0 ? a->t1_mon_ns > b->t1_mon_ns
			: a->t0_mon_ns < b->t0_mon_ns);
}

/*
 * Way -1: the last link that came to the row by then; 1: the first that leaves
 * it from then on.
 */
static const struct link *
nearest(const struct ui *ui, const struct link *v, size_t n, int64_t t, int way)
{
	const struct link *best = NULL;
	uint32_t row = row_of(ui, ui->time.selected_lane), from, to;

	for (size_t i = 0; i < n; i++) {
		const struct link *k = &v[i];

		if (k->t1_mon_ns == INT64_MAX ||
		    (way < 0 ? k->t1_mon_ns > t : k->t0_mon_ns < t))
			continue;
		from = row_of(ui, k->lane0);
		to = row_of(ui, k->lane1);
		if (from == to || (way < 0 ? to : from) != row)
			continue;
		if (is_better(k, best, way))
			best = k;
	}
	return (best);
}

static void
arrive(struct ui *ui, const struct link *k, int way)
{
	int64_t t = way < 0 ? k->t0_mon_ns : k->t1_mon_ns;

	ui->time.selected_lane = way < 0 ? k->lane0 : k->lane1;
	ui->chosen.cursor_mon_ns = t;
	ui->chosen.clicked.of = OF_LINK;
	ui->chosen.clicked.link = *k;
	ui->chosen.clicked.lane = ui->time.selected_lane;
	time_show_row(ui, ui->time.selected_lane);
	time_in_sight(ui, t);
}

static int
follow_link(struct ui *ui, int way)
{
	struct link *v = malloc(LOOK_AT * sizeof(*v));
	const struct link *k;
	const char *what;
	uint64_t total;
	size_t n;
	int64_t t = ui->chosen.cursor_mon_ns != INT64_MIN
			? ui->chosen.cursor_mon_ns
			: run_instant(ui, &what);

	if (v == NULL)
		return (desk_fail(ui, "out of memory"));
	if (row_of(ui, ui->time.selected_lane) == UINT32_MAX) {
		free(v);
		return (desk_fail(ui, "select a row to go from"));
	}
	n = model_links_sample(ui->model, way < 0 ? ui->time.t0_mon_ns : t,
	    way < 0 ? t : ui->time.t1_mon_ns, v, LOOK_AT, &total);
	k = nearest(ui, v, n, t, way);
	if (k != NULL)
		arrive(ui, k, way);
	free(v);
	return (k != NULL ? 0
			  : desk_fail(ui, "no link %s this row %s this",
				way < 0 ? "to" : "from",
				way < 0 ? "before" : "after"));
}

static int
to_sender(struct ui *ui, const char *arg)
{
	(void)arg;
	return (follow_link(ui, -1));
}

static int
to_receiver(struct ui *ui, const char *arg)
{
	(void)arg;
	return (follow_link(ui, 1));
}

const struct command command_link[] = {
	{ "to-sender", "", "goes back along the last link that came to the row",
	    to_sender },
	{ "to-receiver", "", "goes along the next link that leaves the row",
	    to_receiver },
	{ 0 },
};
