/*
 * A remote call, of the span of its caller or its callee: who is at the other
 * end, and its phases.  The link that leaves or arrives where the span begins
 * tells who; the answer is where the callee's span ends.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define LINKS_LOOK 256 /* at an instant */
#define DEEP       64  /* spans of a thread */

/* The link of this kind that leaves a lane then, or arrives there. */
static bool
link_at(const struct model *m, uint16_t kind, uint32_t lane, int64_t t,
    bool leaves, struct link *out)
{
	struct link v[LINKS_LOOK];
	size_t n = model_links(m, t, t + 1, v, LINKS_LOOK);

	for (size_t i = 0; i < n && i < LINKS_LOOK; i++)
		if (v[i].kind0 == kind &&
		    (leaves ? v[i].lane0 == lane && v[i].t0_mon_ns == t
			    : v[i].lane1 == lane && v[i].t1_mon_ns == t)) {
			*out = v[i];
			return (true);
		}
	return (false);
}

/* When what a callee has begun then was answered. */
static int64_t
answered(const struct model *m, uint32_t callee, int64_t begin)
{
	struct span s[DEEP];
	size_t n = model_stack(m, callee, begin, s, DEEP);

	for (size_t i = n < DEEP ? n : DEEP; i-- > 0;)
		if (s[i].kind == SPAN_serve && s[i].t0_mon_ns == begin)
			return (s[i].t1_mon_ns);
	return (INT64_MAX);
}

static void
of_caller(const struct model *m, struct remote_then *k)
{
	struct link l;

	if (!link_at(m, EV_rpc_call, k->caller, k->call_mon_ns, true, &l) ||
	    l.t1_mon_ns == INT64_MAX)
		return;
	k->callee = l.lane1;
	k->begin_mon_ns = l.t1_mon_ns;
	if (k->callee < model_lanes(m))
		k->end_mon_ns = answered(m, k->callee, l.t1_mon_ns);
}

static void
of_callee(const struct model *m, struct remote_then *k)
{
	struct link l;

	if (link_at(m, EV_rpc_call, k->callee, k->begin_mon_ns, false, &l)) {
		k->caller = l.lane0;
		k->call_mon_ns = l.t0_mon_ns;
	}
	if (k->end_mon_ns != INT64_MAX &&
	    link_at(m, EV_rpc_end, k->callee, k->end_mon_ns, true, &l))
		k->back_mon_ns = l.t1_mon_ns;
}

bool
remote_then(const struct ui *ui, uint32_t lane, const struct span *s,
    struct remote_then *k)
{
	int64_t head = ui->play.head_mon_ns;

	*k = (struct remote_then){ UINT32_MAX, UINT32_MAX, INT64_MAX, INT64_MAX,
		INT64_MAX, INT64_MAX, s->kind == SPAN_serve };
	if (s->kind == SPAN_wait_rpc) {
		k->caller = lane;
		k->call_mon_ns = s->t0_mon_ns;
		k->back_mon_ns = s->t1_mon_ns;
		of_caller(ui->model, k);
	} else if (s->kind == SPAN_serve) {
		k->callee = lane;
		k->begin_mon_ns = s->t0_mon_ns;
		k->end_mon_ns = s->t1_mon_ns;
		of_callee(ui->model, k);
	} else {
		return (false);
	}
	if (k->begin_mon_ns > head) {
		k->callee = UINT32_MAX;
		k->begin_mon_ns = INT64_MAX;
	}
	k->end_mon_ns = k->end_mon_ns > head ? INT64_MAX : k->end_mon_ns;
	k->back_mon_ns = k->back_mon_ns > head ? INT64_MAX : k->back_mon_ns;
	return (true);
}

/* later: the phase after it is over. */
static void
put_phase(const struct ui *ui, int64_t from, int64_t to, bool later, char *buf,
    size_t n)
{
	bool open = to == INT64_MAX && from != INT64_MAX && !later;

	if (from == INT64_MAX || (to == INT64_MAX && later))
		snprintf(buf, n, "%s", later ? "not known" : "not yet");
	else
		format_span(buf, n, (open ? run_now(ui) : to) - from);
	if (open)
		snprintf(buf + strlen(buf), n - strlen(buf), " so far");
}

const char *
remote_words(const struct ui *ui, const struct remote_then *k, unsigned i,
    char *buf, size_t n)
{
	uint32_t other = k->serves ? k->caller : k->callee;
	bool back = k->back_mon_ns != INT64_MAX;
	bool ended = k->end_mon_ns != INT64_MAX;

	switch (i) {
	case 0:
		if (other < model_lanes(ui->model))
			label_where(ui, other, INT64_MIN, buf, n);
		else
			snprintf(buf, n, "%s",
			    k->serves || back ? "not known" : "nobody so far");
		return (k->serves ? "caller" : "callee");
	case 1:
		put_phase(ui, k->call_mon_ns, k->begin_mon_ns,
		    ended || back || k->serves, buf, n);
		return ("setup");
	case 2:
		put_phase(ui, k->begin_mon_ns, k->end_mon_ns, back, buf, n);
		return ("remote");
	case 3:
		put_phase(ui, k->end_mon_ns, k->back_mon_ns, back, buf, n);
		return ("return");
	default:
		return (NULL);
	}
}
