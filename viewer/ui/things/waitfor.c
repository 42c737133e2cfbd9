/*
 * See waitfor.h.  A wait keeps the lock that it is for, the lock's lane its
 * holders; what else ends waits are links: the last cause of what is at the end
 * of the wait, on this thread, is what it waited for (as model/asked/critical.h
 * has it).
 */
#include "ui/things/waitfor.h"

#include <stdlib.h>

#define LINKS_LOOK 256  /* at an instant, at first */
#define LINKS_MOST 4096 /* each wait in sight asks, each frame */

/* All that touch an instant, to be freed; NULL: none, or too many of them. */
static struct link *
links_at(const struct ui *ui, int64_t t, size_t *n)
{
	struct link *link = NULL, *more;

	for (size_t room = LINKS_LOOK; room <= LINKS_MOST; room *= 4) {
		more = realloc(link, room * sizeof(*link));
		if (more == NULL)
			break;
		link = more;
		*n = model_links(ui->model, t, t + 1, link, room);
		if (*n <= room)
			return (link);
	}
	free(link);
	*n = 0;
	return (NULL);
}

/*
 * The last cause of what ended the wait then; of several at one instant that of
 * the thread with the highest number, as model/asked/critical.c has it.
 */
static void
find_ender(const struct ui *ui, const struct span *s, struct wait *x)
{
	int64_t last = INT64_MIN;
	size_t n;
	struct link *link = links_at(ui, s->t1_mon_ns, &n);

	for (size_t i = 0; i < n; i++) {
		if (link[i].lane1 != x->lane || link[i].lane0 == x->lane ||
		    link[i].t1_mon_ns != s->t1_mon_ns ||
		    link[i].t0_mon_ns < last ||
		    (link[i].t0_mon_ns == last && link[i].lane0 < x->of))
			continue;
		last = x->cause_mon_ns = link[i].t0_mon_ns;
		x->of = link[i].lane0;
		x->cause = link[i].kind0;
		x->how = WAIT_ENDED;
	}
	free(link);
}

/* Who has begun to serve its call by t. */
static void
find_callee(const struct ui *ui, int64_t t, struct wait *x)
{
	size_t n;
	struct link *link = links_at(ui, x->since_mon_ns, &n);

	for (size_t i = 0; i < n; i++)
		if (link[i].kind0 == EV_rpc_call && link[i].lane0 == x->lane &&
		    link[i].t0_mon_ns == x->since_mon_ns &&
		    link[i].t1_mon_ns <= t) {
			x->of = link[i].lane1;
			x->how = WAIT_CALLEE;
		}
	free(link);
}

/* Who holds the lock then; of several who has held it for longest. */
static void
find_holder(const struct ui *ui, int64_t t, struct wait *x)
{
	struct lock_holder first;
	size_t n = lock_holders(ui->model, x->lock, t, &first, 1);

	if (n == 0)
		return;
	x->of = first.lane;
	x->others = (uint32_t)n - 1;
	x->held_mon_ns = first.since_mon_ns;
	x->how = WAIT_HOLDER;
}

static void
wait_begin(const struct ui *ui, uint32_t lane, const struct span *s,
    struct wait *x)
{
	*x = (struct wait){ .lane = lane,
		.of = UINT32_MAX,
		.lock = UINT32_MAX,
		.name = s->name,
		.since_mon_ns = s->t0_mon_ns,
		.class = s->class };
	if (s->kind != SPAN_wait_lock || s->id == 0 ||
	    s->id > model_lanes(ui->model) ||
	    model_lane(ui->model, (uint32_t)s->id - 1)->kind != LANE_LOCK)
		return;
	x->lock = (uint32_t)s->id - 1;
	x->name = model_lane(ui->model, x->lock)->name;
}

static bool
is_over(const struct ui *ui, const struct span *s)
{
	return (
	    s->t1_mon_ns != INT64_MAX && s->t1_mon_ns <= ui->play.head_mon_ns);
}

static void
find_then(const struct ui *ui, int64_t t, struct wait *x)
{
	if (x->lock != UINT32_MAX)
		find_holder(ui, t, x);
	else if (x->class == LANE_wait_rpc)
		find_callee(ui, t, x);
}

bool
wait_at(const struct ui *ui, uint32_t lane, int64_t t, struct wait *x)
{
	struct span s;

	if (model_lane_span_at(ui->model, lane, t, &s) != 1 ||
	    !lane_waits(s.class))
		return (false);
	wait_begin(ui, lane, &s, x);
	find_then(ui, t, x);
	if (x->how == WAIT_NOBODY && x->lock == UINT32_MAX && is_over(ui, &s))
		find_ender(ui, &s, x);
	return (true);
}

void
wait_whole(const struct ui *ui, uint32_t lane, const struct span *s,
    struct wait *x)
{
	bool over = is_over(ui, s);

	wait_begin(ui, lane, s, x);
	if (over)
		find_ender(ui, s, x);
	if (x->how == WAIT_NOBODY)
		find_then(ui,
		    !over                       ? run_now(ui)
		    : x->class == LANE_wait_rpc ? s->t1_mon_ns
						: s->t0_mon_ns,
		    x);
}
