/* What is told of one row of the list of spans: see list.h. */
#include "ui/views/calls/list.h"

#include <stdio.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

/* Where an object was is one state, on whichever node. */
static int64_t
in_class(const int64_t by_class[LANE_CLASSES], unsigned class)
{
	int64_t sum = 0;

	if (class < LANE_OBJECT_NODE)
		return (by_class[class]);
	for (unsigned i = LANE_OBJECT_NODE; i < LANE_CLASSES; i++)
		sum += by_class[i];
	return (sum);
}

static void
find_so_far(const struct ui *ui, const struct list_of *of, struct listed *l)
{
	int64_t t0 = of->t0, t1 = of->t1, by_class[LANE_CLASSES];

	l->so_far_ns = -1;
	if (t1 < t0 || l->s.t1_mon_ns < t0 || l->s.t0_mon_ns > t1)
		return;
	t1 = l->s.t1_mon_ns < t1 ? l->s.t1_mon_ns : t1;
	l->about =
	    !model_lane_totals(ui->model, of->lane, t0, t1, by_class, NULL);
	l->so_far_ns = in_class(by_class, l->s.class);
}

struct list_of
list_selected(const struct ui *ui)
{
	struct list_of of = { .lane = ui->time.selected_lane };

	if (!figures_range(ui, &of.t0, &of.t1))
		of.t1 = of.t0 - 1;
	return (of);
}

void
list_row(const struct ui *ui, const struct list_of *of,
    const struct span *piece, struct listed *l)
{
	const struct lane *lane = model_lane(ui->model, of->lane);
	uint32_t thread = lane->kind == LANE_DEPTH
			      ? lane->parent
			      : model_lane_only_thread(ui->model, of->lane);

	*l = (struct listed){ .s = *piece, .wait.of = UINT32_MAX };
	model_lane_whole(ui->model, of->lane, &l->s, &l->w);
	find_so_far(ui, of, l);
	if (thread == UINT32_MAX || l->s.kind < SPAN_wait_message)
		return;
	l->in = model_call_at(ui->model, thread, l->s.t0_mon_ns);
	wait_whole(ui, thread, &l->s, &l->wait);
}

const char *
list_word(const struct ui *ui, uint32_t lane, const struct span *s)
{
	/* what an object did is where it was */
	if (model_lane(ui->model, lane)->kind == LANE_OBJECT && s->name != 0)
		return (label_node(ui->model, s->name));
	return (s->name != 0 ? label_name(ui->model, s->name) : label_state(s));
}

/* How it had to do with the wait. */
static const char *
whom(const struct wait *x)
{
	switch (x->how) {
	case WAIT_HOLDER:
		return ("held by");
	case WAIT_CALLEE:
		return ("served by");
	default:
		return (wait_binds(x)            ? "for"
			: x->cause == EV_send    ? "on its way from"
			: x->cause == EV_rpc_end ? "on its way from"
						 : "done already by");
	}
}

char *
list_wait_words(const struct ui *ui, const struct listed *l, char *buf,
    size_t n)
{
	char who[96];
	size_t at = 0;

	buf[0] = '\0';
	if (l->in != 0)
		at = (size_t)snprintf(buf, n, ", in %s",
		    label_name(ui->model, l->in));
	if (l->wait.of != UINT32_MAX && at < n)
		snprintf(buf + at, n - at, ", %s %s", whom(&l->wait),
		    label_lane(ui->model, model_lane(ui->model, l->wait.of),
			who, sizeof(who)));
	return (buf);
}

char *
list_words(const struct ui *ui, uint32_t lane, const struct listed *l,
    char *buf, size_t n)
{
	char more[256], num[32];
	int at;

	list_wait_words(ui, l, more, sizeof(more));
	at = snprintf(buf, n, "%s%s", list_word(ui, lane, &l->s), more);
	if (l->w.within > 0 && at > 0 && (size_t)at < n)
		at += snprintf(buf + at, n - (size_t)at, ", %s within",
		    format_count(num, sizeof(num), l->w.within));
	if (l->w.waits_ns > 0 && at > 0 && (size_t)at < n)
		snprintf(buf + at, n - (size_t)at, ", waits %s",
		    format_span(num, sizeof(num), l->w.waits_ns));
	return (buf);
}
