/*
 * How far a node can be relied on, in words and on its row: a badge beside its
 * name while something is not as it should be, and along the row the times in
 * which it was not.
 *
 * Blue is no reason for worry (a clock that has just been met), orange is for
 * what grows worse by itself, red for what must not be believed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clockmap.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define ALERTS_MAX 4096

/* Worse ones first, as far as one badge is concerned. */
static const struct clock_look {
	const char *title, *words;
	uint8_t rank; /* 0: all is well */
} looks[CLOCK_STATES] = {
	[CLOCK_UNSYNCED] = { "unsynced",
	    "Nothing is known of its clock so far; its times cannot be mapped.",
	    4 },
	[CLOCK_COARSE] = { "coarse",
	    "Its clock has just been met; the bound shrinks within a second.",
	    1 },
	[CLOCK_LOCKED] = { "locked", "Its clock is followed.", 0 },
	[CLOCK_HOLDOVER] = { "holdover",
	    "No probe of its clock has been answered for long; its times go on "
	    "along the last line, and the bound grows.",
	    2 },
	[CLOCK_STEPPED] = { "stepped",
	    "Its clock has jumped and is measured anew.", 3 },
};

static const struct clock_look *
look_of(unsigned state)
{
	return (&looks[state < CLOCK_STATES ? state : CLOCK_UNSYNCED]);
}

const char *
health_clock_word(unsigned state)
{
	return (look_of(state)->title);
}

static uint32_t
rank_rgb(const struct palette *p, unsigned rank)
{
	return (rank == 0   ? palette_ink(p, p->state[LANE_running])
		: rank == 1 ? p->accent
		: rank == 2 ? p->warn
			    : p->error);
}

/* "holdover ±12 µs" */
static char *
clock_text(unsigned state, int64_t error_ns, char *buf, size_t n)
{
	char span[32];

	if (error_ns > 0)
		snprintf(buf, n, "%s ±%s", look_of(state)->title,
		    format_span(span, sizeof(span), error_ns));
	else
		snprintf(buf, n, "%s", look_of(state)->title);
	return (buf);
}

/* What had gone wrong on a node until then, when that is not too much. */
static void
sums_then(const struct ui *ui, uint32_t node, struct node_health *h)
{
	struct mark *k = malloc((ALERTS_MAX + 1) * sizeof(*k));
	size_t n = k == NULL ? 0
			     : model_alerts(ui->model, run_begin(ui),
				   ui->play.head_mon_ns + 1, k, ALERTS_MAX);

	if (k != NULL && n <= ALERTS_MAX)
		h->lost = h->late = h->orphans = h->early = h->stalls =
		    h->steps = 0;
	for (size_t i = 0; k != NULL && n <= ALERTS_MAX && i < n; i++) {
		if (k[i].lane >= model_lanes(ui->model) ||
		    model_lane(ui->model, k[i].lane)->node != node)
			continue; /* the monitor tells of nodes by their rows */
		h->lost += k[i].kind == EV_lost ? k[i].a : 0;
		h->late += k[i].kind == EV_late ? k[i].a : 0;
		h->orphans += k[i].kind == EV_orphan;
		h->orphans -= k[i].kind == EV_found;
		h->early += k[i].kind == EV_found;
		h->stalls += k[i].kind == EV_stall;
		h->steps += k[i].kind == EV_clock_step;
	}
	free(k);
}

void
health_of(const struct ui *ui, uint32_t node, struct node_health *h)
{
	int64_t t = ui->play.head_mon_ns;
	struct doubt d[8];
	size_t n;

	model_node_health(ui->model, node, h);
	if (t == INT64_MAX)
		return;
	n = model_node_doubts(ui->model, node, t, t + 1, d, 8);
	n = n > 8 ? 8 : n;
	h->silent = h->wrong = false;
	if (h->clock_state != CLOCK_UNSYNCED || h->error_ns > 0) {
		h->clock_state = CLOCK_LOCKED; /* unless it is said */
		h->error_ns = 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (d[i].of == DOUBT_CLOCK) {
			h->clock_state = d[i].state;
			h->error_ns = d[i].error_ns;
		} else if (d[i].of == DOUBT_SILENT) {
			h->silent = true;
			h->silent_since_ns = d[i].t0_mon_ns;
		} else {
			h->wrong = true;
		}
	}
	sums_then(ui, node, h);
}

unsigned
health_rank(const struct node_health *h)
{
	return (h->wrong ? 5 : look_of(h->clock_state)->rank);
}

char *
health_clock(const struct ui *ui, const struct node_health *h, uint32_t *rgb,
    char *buf, size_t n)
{
	char text[48];

	*rgb = rank_rgb(ui->palette, health_rank(h));
	clock_text(h->clock_state, h->error_ns, text, sizeof(text));
	snprintf(buf, n, "%s%s", text, h->wrong ? ", not believed" : "");
	return (buf);
}

bool
health_badge(const struct ui *ui, const struct node_health *h, uint32_t *rgb,
    char *buf, size_t n)
{
	*rgb = rank_rgb(ui->palette, health_rank(h));
	if (h->wrong) {
		snprintf(buf, n, "clock wrong");
	} else if (h->silent) {
		*rgb = ui->palette->warn;
		snprintf(buf, n, "silent");
	} else if (health_rank(h) > 0) {
		clock_text(h->clock_state, h->error_ns, buf, n);
	} else {
		return (false);
	}
	return (true);
}

const char *
health_doubt(const struct ui *ui, const struct doubt *d, uint32_t *rgb,
    char *buf, size_t n)
{
	bool lasts =
	    d->t1_mon_ns > ui->play.head_mon_ns || d->t1_mon_ns == INT64_MAX;
	int64_t end = lasts ? run_now(ui) : d->t1_mon_ns;
	char span[48];

	switch (d->of) {
	case DOUBT_SILENT:
		*rgb = ui->palette->warn;
		snprintf(buf, n, "silent %s",
		    format_span(span, sizeof(span), end - d->t0_mon_ns));
		return ("It said nothing and was not waited for; what it sent "
			"later was late.");
	case DOUBT_WRONG:
		*rgb = ui->palette->error;
		snprintf(buf, n, "clock wrong by %s",
		    format_span(span, sizeof(span), d->error_ns));
		return ("More than its bound: its causes moved no effects of "
			"others.");
	default:
		*rgb = rank_rgb(ui->palette, look_of(d->state)->rank);
		clock_text(d->state, d->error_ns, span, sizeof(span));
		snprintf(buf, n, "clock %s", span);
		return (look_of(d->state)->words);
	}
}

/* A clock that nobody has met has no bound. */
static void
describe_clock(unsigned state, int64_t error_ns, FILE *f)
{
	fprintf(f, "clock %s", look_of(state)->title);
	if (state != CLOCK_UNSYNCED || error_ns > 0)
		fprintf(f, " +-%" PRId64 " ns", error_ns);
}

static void
describe_doubt(const struct ui *ui, const struct doubt *d, FILE *f)
{
	int64_t origin = run_origin(ui);

	fprintf(f, "    %.9f s to ", (double)(d->t0_mon_ns - origin) / 1e9);
	if (d->t1_mon_ns == INT64_MAX)
		fprintf(f, "the end: ");
	else
		fprintf(f, "%.9f s: ", (double)(d->t1_mon_ns - origin) / 1e9);
	if (d->of == DOUBT_CLOCK)
		describe_clock(d->state, d->error_ns, f);
	else if (d->of == DOUBT_WRONG)
		fprintf(f, "clock wrong by %" PRId64 " ns", d->error_ns);
	else
		fprintf(f, "silent");
	fprintf(f, "\n");
}

void
health_describe(const struct ui *ui, uint32_t node, FILE *f)
{
	struct doubt d[DOUBTS_MAX];
	struct node_health h;
	size_t n;

	model_node_health(ui->model, node, &h);
	fprintf(f, "  %s: ", label_node(ui->model, node));
	describe_clock(h.clock_state, h.error_ns, f);
	fprintf(f,
	    "%s%s; lost %" PRIu64 ", late %" PRIu64 ", orphans %" PRIu64
	    ", before their cause %" PRIu64 ", stalls %" PRIu32
	    ", steps %" PRIu32 "\n",
	    h.wrong ? ", not believed" : "", h.silent ? ", silent" : "", h.lost,
	    h.late, h.orphans, h.early, h.stalls, h.steps);
	n = model_node_doubts(ui->model, node, INT64_MIN, INT64_MAX, d,
	    DOUBTS_MAX);
	for (size_t i = 0; i < n; i++)
		describe_doubt(ui, &d[i], f);
	if (n == DOUBTS_MAX)
		fprintf(f, "    ...\n");
}

bool
health_under(const struct ui *ui, uint32_t lane, int64_t t, struct doubt *out)
{
	const struct lane *l = model_lane(ui->model, lane);
	int64_t px = (ui->time.t1_mon_ns - ui->time.t0_mon_ns) /
			 (ui->time.width > 0 ? ui->time.width : 1) +
		     1;
	struct doubt d[DOUBTS_MAX];
	size_t n;

	if (l->kind != LANE_NODE)
		return (false);
	n = model_node_doubts(ui->model, l->node, t - 2 * px, t + 2 * px, d,
	    DOUBTS_MAX);
	if (n > 0)
		*out = d[n - 1]; /* what began last says most */
	return (n > 0);
}
