/*
 * Adds up what is under way over time.
 *
 * Each link is looked at once, in the piece in which it begins.
 */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "event.h"
#include "linkpiece.h"
#include "message.h"
#include "talkcount.h"
#include "ui/desk/desk.h"

static bool
lines_new(struct flow_line *l, uint32_t n)
{
	bool all = true;

	for (uint32_t i = 0; i < n; i++) {
		l[i].v = calloc((FLOW_COLUMNS + 1) * 2, sizeof(*l[i].v));
		l[i].change = l[i].v == NULL ? NULL : l[i].v + FLOW_COLUMNS + 1;
		all &= l[i].v != NULL;
	}
	return (all);
}

static void
lines_free(struct flow_line *l, uint32_t n)
{
	for (uint32_t i = 0; l != NULL && i < n; i++)
		free(l[i].v);
}

bool
flow_begin(struct flow *f, const struct ui *ui, int64_t t0, int64_t t1)
{
	uint32_t n;

	flow_clear(f);
	f->model = ui->model;
	f->t0 = f->at_ns = t0;
	f->t1 = t1;
	f->step_ns = (t1 - t0) / 64 + 1;
	f->gone = model_links_gone(ui->model);
	f->lanes = model_lanes(ui->model);
	f->place = malloc((f->lanes + 1) * sizeof(*f->place));
	if (!talk_groups_make(ui, TALK_BY_PO, FLOW_ROWS, &f->rows) ||
	    f->place == NULL ||
	    !talk_places(ui->model, f->lanes, false, f->place)) {
		flow_clear(f);
		return (false);
	}
	n = f->rows.n;
	for (uint32_t i = 0; i < f->lanes; i++)
		if (f->place[i] != UINT32_MAX)
			f->place[i] = f->place[i] < f->rows.nof
					  ? f->rows.of[f->place[i]]
					  : UINT32_MAX;
	f->messages = calloc(n, sizeof(*f->messages));
	f->calls = calloc(n, sizeof(*f->calls));
	if (f->messages == NULL || f->calls == NULL ||
	    !lines_new(&f->flight, 1) || !lines_new(&f->load, 1) ||
	    !lines_new(f->messages, n) || !lines_new(f->calls, n)) {
		flow_clear(f);
		return (false);
	}
	return (true);
}

void
flow_clear(struct flow *f)
{
	lines_free(f->messages, f->rows.n);
	lines_free(f->calls, f->rows.n);
	lines_free(&f->flight, 1);
	lines_free(&f->load, 1);
	free(f->messages);
	free(f->calls);
	free(f->place);
	talk_groups_clear(&f->rows);
	memset(f, 0, sizeof(*f));
}

bool
flow_known(const struct flow *f)
{
	return (f->model != NULL && f->t1 > f->t0 && !f->gone && !f->failed);
}

/* So much more from a to b. */
static void
line_add(const struct flow *f, struct flow_line *l, int64_t a, int64_t b,
    double much)
{
	const struct time_columns k = { f->t0, f->t1, FLOW_COLUMNS, l->v,
		l->change };

	a = a < f->t0 ? f->t0 : a;
	b = b > f->t1 ? f->t1 : b;
	if (b <= a)
		return;
	l->ns = span_add(l->ns, b - a);
	columns_add(&k, a, b, much);
}

static void
take(struct flow *f, const struct link *l, int64_t t1)
{
	uint32_t row = l->lane1 < f->lanes ? f->place[l->lane1] : UINT32_MAX;
	unsigned column;

	if (l->t0_mon_ns >= t1 || (l->t0_mon_ns < f->at_ns && f->at_ns > f->t0))
		return;
	if (l->kind0 == EV_rpc_call && row != UINT32_MAX)
		line_add(f, &f->calls[row], l->t0_mon_ns, l->t1_mon_ns, 1);
	if (l->kind0 != EV_send)
		return;
	line_add(f, &f->flight, l->t0_mon_ns, l->t1_mon_ns, 1);
	line_add(f, &f->load, l->t0_mon_ns, l->t1_mon_ns, (double)l->bytes);
	if (row != UINT32_MAX)
		line_add(f, &f->messages[row], l->t0_mon_ns, l->t1_mon_ns, 1);
	if (l->t0_mon_ns < f->t0)
		return;
	f->sent++;
	f->sent_bytes += l->bytes;
	column = (unsigned)((double)(l->t0_mon_ns - f->t0) * FLOW_COLUMNS /
			    (double)(f->t1 - f->t0));
	f->bytes[column < FLOW_COLUMNS ? column : FLOW_COLUMNS - 1] +=
	    (double)l->bytes;
}

static void
line_end(const struct flow *f, struct flow_line *l)
{
	const struct time_columns k = { f->t0, f->t1, FLOW_COLUMNS, l->v,
		l->change };

	columns_end(&k);
}

static void
finish(struct flow *f)
{
	line_end(f, &f->flight);
	line_end(f, &f->load);
	for (uint32_t i = 0; i < f->rows.n; i++) {
		line_end(f, &f->messages[i]);
		line_end(f, &f->calls[i]);
	}
}

/* Those from before the range that nobody has taken yet. */
static void
add_open(struct flow *f, struct open_links *open)
{
	size_t n = open_links_check(open);

	for (size_t i = 0; i < n; i++)
		if (open->link[i].kind0 == EV_send &&
		    open->link[i].t0_mon_ns < f->t0) {
			line_add(f, &f->flight, f->t0, f->t1, 1);
			line_add(f, &f->load, f->t0, f->t1,
			    (double)open->link[i].bytes);
		}
}

bool
flow_step(struct flow *f, struct open_links *open)
{
	int64_t to = f->t1;
	struct link *links;
	size_t n = 0;

	if (f->gone || f->failed || f->at_ns >= f->t1)
		return (true);
	links = link_piece(f->model, f->at_ns, f->t1, 1, &f->step_ns, &to, &n);
	f->failed = links == NULL;
	for (size_t i = 0; links != NULL && i < n; i++)
		take(f, &links[i], to);
	free(links);
	f->at_ns = to;
	if (f->at_ns < f->t1)
		return (f->failed);
	add_open(f, open);
	finish(f);
	return (true);
}
