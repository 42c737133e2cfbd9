/*
 * Whether a link binds: its effect ended a wait that had begun before its
 * cause. And what was waited for it, or how long it lay.
 */
#include "model/asked/critical_inside.h"

#define GO_ON 64 /* pieces of one wait that are put together */

/* --- what a thread was in before an instant --- */

/* In what it was until then, without a break. */
struct before {
	int64_t since_ns;
	uint8_t class, kind;
	bool ends;   /* then: it is in something else */
	bool begins; /* then is the first that is known of it */
};

static bool
goes_on(const struct lod_state *x, const struct lod_state *y)
{
	return (y->fresh == 0 && x->kind == y->kind && x->class == y->class &&
		x->name == y->name);
}

/* The piece before p, if p is what it goes on with, also at that instant. */
static bool
find_earlier(const struct critical *k, const struct lod *l,
    const struct lod_piece *p, struct lod_piece *earlier)
{
	const struct lod_state *states = lanes_of(k->source.of)->states;
	struct lod_cursor c;
	struct lod_piece x;

	if (lod_seek(l, p->t0_ns - 1, &c) != 1 || !lod_next(l, &c, earlier) ||
	    earlier->t1_ns != p->t0_ns)
		return (false);
	do
		if (!lod_next(l, &c, &x) ||
		    !goes_on(&states[earlier->state], &states[x.state]))
			return (false);
	while (x.t1_ns == x.t0_ns); /* else it is p */
	return (true);
}

/* False: it is not known any more. */
static bool
find_before(const struct critical *k, uint32_t lane, int64_t t,
    struct before *b)
{
	const struct lod *l = span_row_lod(k->source.of, lane);
	const struct lod_state *states = lanes_of(k->source.of)->states;
	struct lod_cursor c;
	struct lod_piece p, earlier;

	*b = (struct before){ .since_ns = INT64_MIN };
	if (l == NULL || lod_seek(l, t - 1, &c) != 1 || !lod_next(l, &c, &p))
		return (false);
	b->begins = p.t0_ns >= t;
	b->ends = b->begins || p.t1_ns == t;
	b->class = states[p.state].class;
	b->kind = states[p.state].kind;
	for (int i = 0; i < GO_ON && !b->begins; i++) {
		if (!find_earlier(k, l, &p, &earlier))
			break;
		p = earlier;
	}
	b->since_ns = p.t0_ns;
	return (true);
}

/* It had nothing to do but wait for what this cause lets go on. */
static bool
had_time(const struct before *b, unsigned cause)
{
	return (lane_waits(b->class) || b->class == LANE_idle ||
		(b->kind == SPAN_block && cause == EV_member_end));
}

/* --- waits --- */

static enum critical_wait
wait_of(unsigned cause)
{
	switch (cause) {
	case EV_send:
		return (CRITICAL_SENDER);
	case EV_lock_release:
	case EV_sem_post:
	case EV_cond_signal:
		return (CRITICAL_LOCK);
	case EV_thread_end:
		return (CRITICAL_JOIN);
	case EV_barrier_enter:
	case EV_collective_enter:
	case EV_rooted_give:
	case EV_rooted_part:
	case EV_member_end:
		return (CRITICAL_TOGETHER);
	}
	return (CRITICAL_WAITS);
}

static uint32_t
call_at(const struct critical *k, uint32_t lane, int64_t t)
{
	return (span_row_call(k->source.of, lane, t));
}

/*
 * [a, b) as far as it is in the range; the call of `at` waited for what `by`
 * had done until by_ns.
 */
static void
waited(struct critical *k, enum critical_wait what, int64_t a, int64_t b,
    uint32_t at, uint32_t by, int64_t by_ns)
{
	int64_t ns;

	a = a < k->t0 ? k->t0 : a;
	b = b > k->t1 ? k->t1 : b;
	ns = b - a;
	if (ns <= 0)
		return;
	critical_add(k, CELL_WAIT, what, 0, 0, ns);
	critical_add(k, CELL_AT, what, call_at(k, at, a), 0, ns);
	if (by != UINT32_MAX)
		critical_add(k, CELL_BY, what, by, call_at(k, by, by_ns - 1),
		    ns);
}

/* A message, or what else has a cause: who came first, and who waited. */
static void
add_message(struct critical *k, const struct link *l, const struct before *b,
    bool waits)
{
	bool late = waits && b->since_ns < l->t0_mon_ns;
	int64_t from = late ? l->t0_mon_ns : b->since_ns;

	if (!waits) {
		waited(k, CRITICAL_RECEIVER, l->t0_mon_ns, l->t1_mon_ns,
		    l->lane1, UINT32_MAX, 0);
		return;
	}
	if (late)
		waited(k, CRITICAL_SENDER, b->since_ns, l->t0_mon_ns, l->lane1,
		    l->lane0, l->t0_mon_ns);
	else
		waited(k, CRITICAL_RECEIVER, l->t0_mon_ns, b->since_ns,
		    l->lane1, UINT32_MAX, 0);
	waited(k, CRITICAL_WAY, from, l->t1_mon_ns, l->lane1, UINT32_MAX, 0);
}

static void
add_waits(struct critical *k, const struct link *l, const struct before *b)
{
	enum critical_wait what = wait_of(l->kind0);
	bool waits = b->ends && !b->begins && lane_waits(b->class);

	if (l->kind0 == EV_rpc_call)
		waited(k, CRITICAL_SERVER, l->t0_mon_ns, l->t1_mon_ns, l->lane0,
		    l->lane1, l->t0_mon_ns);
	else if (l->kind0 == EV_rpc_end)
		waited(k, CRITICAL_WAY, l->t0_mon_ns, l->t1_mon_ns, l->lane1,
		    UINT32_MAX, 0);
	else if (what == CRITICAL_SENDER)
		add_message(k, l, b, waits);
	else if (what != CRITICAL_WAITS && l->flags & CRITICAL_BINDS &&
		 b->class != LANE_idle)
		waited(k, what, b->since_ns, l->t0_mon_ns, l->lane1, l->lane0,
		    l->t0_mon_ns);
}

void
critical_link(struct critical *k, struct link *l)
{
	struct before b;

	l->flags &= (uint16_t)~CRITICAL_BINDS;
	k->work++;
	if (!find_before(k, l->lane1, l->t1_mon_ns, &b)) {
		k->about = true;
		return;
	}
	if (l->t0_mon_ns < l->t1_mon_ns && b.ends &&
	    (b.begins || (had_time(&b, l->kind0) && b.since_ns < l->t0_mon_ns)))
		l->flags |= CRITICAL_BINDS;
	add_waits(k, l, &b);
}
