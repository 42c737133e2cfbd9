/*
 * The causal stage of the reorderer (causal.c), over a log that is all there.
 *
 * Events come in the order of the log, in which nearly all stand right.  So
 * causes are remembered only if somebody may have to move: those of keys that
 * an effect was let go without, and those that have been moved themselves.  An
 * effect waits when its cause stands behind it or waits itself; with it waits
 * what follows in its thread.  That costs the memory of what happened
 * meanwhile, which is bounded: an effect that would have had to wait for longer
 * stays where it was let go.
 *
 * What is waited for comes for certain, but for a circle: a cause behind its
 * own effect, which a program makes that uses a number twice.  A look at all
 * that is held, now and then, finds these.
 *
 * What moves is sorted once more (outlet.c); the rest goes straight through.
 */
#include "mend.h"

#include <stdlib.h>
#include <string.h>

#include "lanequeue.h"
#include "monitord/order/causal/causal.h"
#include "outlet.h"

#define L_MIN_NS  500   /* as the reorderer's */
#define PATIENCE  2048  /* events between two looks whether any may go */
#define CIRCLE_AT 65536 /* held events at which circles are looked for */

struct mend {
	struct causes expected; /* known: so many have not been seen yet */
	uint64_t causes;        /* of these, found in the log */
	struct causal causal;
	struct doubt doubt; /* of nobody */
	struct lane *lanes;
	size_t lanes_n;
	struct eventpool pool;
	struct outlet outlet;
	size_t since, patience;
	int64_t passed_ns; /* what is out is not behind this */
	size_t held, held_max, circle_at;
	struct mend_stats stats;
};

static void
mend_emptied(void *owner, uint32_t chunk)
{
	struct mend *m = owner;

	lanequeue_give(m->lanes, &m->pool, chunk);
}

struct mend *
mend_new(size_t held_max)
{
	struct mend *m = calloc(1, sizeof(*m));

	if (m == NULL)
		return (NULL);
	m->held_max = held_max;
	m->circle_at = CIRCLE_AT;
	m->patience = PATIENCE;
	causes_init(&m->expected, SIZE_MAX);
	doubt_init(&m->doubt);
	if (causal_init(&m->causal, L_MIN_NS, SIZE_MAX, &m->doubt) == -1) {
		mend_free(m);
		return (NULL);
	}
	m->causal.expected = &m->expected;
	m->causal.margin_ns = INT64_MAX / 2; /* whatever the clocks have said */
	m->outlet.pool = &m->pool;
	m->outlet.emptied = mend_emptied;
	m->outlet.owner = m;
	m->outlet.passed_ns = m->passed_ns = INT64_MIN;
	return (m);
}

void
mend_free(struct mend *m)
{
	if (m == NULL)
		return;
	causes_clear(&m->expected);
	causal_clear(&m->causal);
	doubt_clear(&m->doubt);
	outlet_clear(&m->outlet);
	eventpool_clear(&m->pool);
	free(m->lanes);
	free(m);
}

void
mend_stats(const struct mend *m, struct mend_stats *s)
{
	*s = m->stats;
}

/* --- what is wanted --- */

/* What pairs it, if it has this role; else 0. */
static uint64_t
mend_id(const struct event *e, uint8_t role)
{
	const struct event_desc *d = event_desc(e->kind);

	return (d != NULL && d->role == role ? causes_id(d, e) : 0);
}

int
mend_want(struct mend *m, const struct event *e)
{
	uint64_t id;

	if (!(e->flags & EVENT_ORPHAN))
		return (0);
	id = mend_id(e, ROLE_EFFECT);
	if (id == 0 || causes_find(&m->expected, id) != NULL)
		return (0);
	return (causes_add(&m->expected, id) == NULL ? -1 : 0);
}

void
mend_count(struct mend *m, const struct event *e)
{
	uint64_t id = mend_id(e, ROLE_CAUSE);
	struct cause *c = id == 0 ? NULL : causes_find(&m->expected, id);

	if (c == NULL)
		return;
	c->known++;
	m->causes++;
}

bool
mend_needed(const struct mend *m)
{
	return (m->causes > 0);
}

/* --- the threads --- */

void
mend_begin(struct mend *m, mend_emit *emit, void *arg)
{
	m->outlet.emit = emit;
	m->outlet.arg = arg;
}

static int
mend_lanes(struct mend *m, size_t n)
{
	size_t cap = m->lanes_n > 0 ? m->lanes_n : 64;
	struct lane *lanes;

	while (cap < n)
		cap *= 2;
	lanes = aligned_alloc(_Alignof(struct lane), cap * sizeof(*lanes));
	if (lanes == NULL)
		return (-1);
	if (causal_lanes(&m->causal, lanes, cap) == -1) {
		free(lanes);
		return (-1);
	}
	if (m->lanes_n > 0)
		memcpy(lanes, m->lanes, m->lanes_n * sizeof(*lanes));
	memset(lanes + m->lanes_n, 0, (cap - m->lanes_n) * sizeof(*lanes));
	for (size_t i = m->lanes_n; i < cap; i++) {
		lanes[i].tail = CHUNK_NONE;
		lanes[i].time.corr_ns = INT64_MIN;
	}
	free(m->lanes);
	m->lanes = lanes;
	m->lanes_n = cap;
	return (0);
}

int
mend_location(struct mend *m, uint32_t location, uint32_t node)
{
	if (location >= m->lanes_n && mend_lanes(m, (size_t)location + 1) == -1)
		return (-1);
	m->lanes[location].node = node;
	return (0);
}

/* --- one event --- */

/* All causes of such a key are remembered. */
static bool
mend_wanted(struct mend *m, uint64_t id)
{
	return (causes_find(&m->expected, id) != NULL);
}

/* False: the lane is parked now. */
static bool
mend_effect(struct mend *m, uint32_t lane, struct event *ev, uint64_t id,
    int64_t *corr_ns)
{
	uint16_t was = ev->flags & EVENT_ORPHAN;
	bool left = m->lanes[lane].forced; /* without what it waited for */

	ev->flags &= (uint16_t)~EVENT_ORPHAN;
	if (!causal_step(&m->causal, lane, ev, id, corr_ns)) {
		ev->flags |= was;
		return (false);
	}
	if (!left && !mend_wanted(m, id))
		ev->flags &= (uint16_t)~EVENT_ORPHAN; /* its cause is before */
	m->stats.orphans += (ev->flags & EVENT_ORPHAN) != 0;
	m->stats.mended += was != 0 && (ev->flags & EVENT_ORPHAN) == 0;
	return (true);
}

static void
mend_cause(struct mend *m, uint32_t lane, struct event *ev, uint64_t id,
    int64_t *corr_ns)
{
	if (*corr_ns != ev->t_mon_ns || mend_wanted(m, id) ||
	    causes_find(&m->causal.causes, id) != NULL)
		causal_step(&m->causal, lane, ev, id, corr_ns);
}

/*
 * The next event of its thread gets its time: the one it has, or a later one,
 * and when it has waited in vain, the one at which it goes on.
 * False: it waits, the lane is parked now.
 */
static bool
mend_place(struct mend *m, uint32_t lane, struct event *ev, uint64_t id)
{
	struct lane *l = &m->lanes[lane];
	int64_t t = ev->t_mon_ns, low = lanetime_low(&l->time, t), corr = low,
		shift;

	if (corr < m->passed_ns)
		corr = m->passed_ns;
	if (id != 0 && event_table[ev->kind].role == ROLE_CAUSE)
		mend_cause(m, lane, ev, id, &corr);
	else if (id != 0 && !mend_effect(m, lane, ev, id, &corr))
		return (false);
	lanetime_commit(&l->time, t, low, corr);
	if (corr == t)
		return (true);
	shift = corr - t + ev->shift_ns;
	ev->t_mon_ns = corr;
	ev->shift_ns = shift < UINT32_MAX ? (uint32_t)shift : UINT32_MAX;
	ev->flags |= EVENT_SHIFTED;
	m->stats.moved++;
	return (true);
}

static uint64_t
mend_any_id(const struct event *e)
{
	const struct event_desc *d = event_desc(e->kind);

	return (d != NULL && d->role != ROLE_NONE ? causes_id(d, e) : 0);
}

static bool
mend_causes(const struct event_slot *slot)
{
	return (slot->cause_id != 0 &&
		event_table[slot->ev.kind].role == ROLE_CAUSE);
}

/* Goes on with a lane that has been woken. */
static int
mend_drain(struct mend *m, uint32_t lane)
{
	struct lane *l = &m->lanes[lane];

	while (l->held > 0) {
		struct event_slot *slot = eventpool_slot(&m->pool, l->at);

		if (outlet_reserve(&m->outlet, 1) == -1)
			return (-1);
		if (!mend_place(m, lane, &slot->ev, slot->cause_id))
			break;
		if (mend_causes(slot))
			causal_unpend(&m->causal, slot->cause_id);
		outlet_put(&m->outlet, slot->ev.t_mon_ns, l->at);
		l->at = lanequeue_next(&m->pool, l->at);
		l->held--;
		m->held--;
	}
	return (0);
}

static int
mend_woken(struct mend *m)
{
	while (m->causal.woken_n > 0)
		if (mend_drain(m, m->causal.woken[--m->causal.woken_n]) == -1)
			return (-1);
	return (0);
}

/* --- what would wait for ever --- */

/* The lane of these that has waited for longest; CAUSE_LANE_NONE: none. */
static uint32_t
mend_oldest(const struct mend *m, const uint8_t *not_these)
{
	uint32_t oldest = CAUSE_LANE_NONE;

	for (uint32_t i = 0; i < m->causal.parked_n; i++) {
		uint32_t lane = m->causal.parked[i];

		if ((not_these == NULL || !not_these[lane]) &&
		    (oldest == CAUSE_LANE_NONE ||
			m->lanes[lane].wait_low_ns <
			    m->lanes[oldest].wait_low_ns))
			oldest = lane;
	}
	return (oldest);
}

static int
mend_release(struct mend *m, uint32_t lane)
{
	causal_release(&m->causal, lane);
	return (mend_woken(m));
}

/* Those that wait for what is held by this lane may hope if it may. */
static size_t
mend_hope(struct mend *m, uint32_t lane, uint8_t *may, uint32_t *stack,
    size_t n)
{
	const struct lane *l = &m->lanes[lane];
	uint32_t at = l->at;

	for (uint32_t i = 0; i < l->held; i++) {
		const struct event_slot *slot = eventpool_slot(&m->pool, at);
		const struct cause *c =
		    mend_causes(slot)
			? causes_find(&m->causal.causes, slot->cause_id)
			: NULL;

		for (uint32_t w = c == NULL ? CAUSE_LANE_NONE : c->waiter;
		     w != CAUSE_LANE_NONE; w = m->lanes[w].wait_next) {
			if (may[w])
				continue;
			may[w] = 1;
			stack[n++] = w;
		}
		at = lanequeue_next(&m->pool, at);
	}
	return (n);
}

/* A lane that waits for nothing but what waits for it; or CAUSE_LANE_NONE. */
static int
mend_circle(struct mend *m, uint32_t *circle)
{
	uint32_t *stack = malloc(m->lanes_n * sizeof(*stack));
	uint8_t *may = calloc(m->lanes_n, 1);
	size_t n = 0;
	int rv = -1;

	if (stack != NULL && may != NULL) {
		for (uint32_t i = 0; i < m->causal.parked_n; i++) {
			uint32_t lane = m->causal.parked[i];
			const struct cause *c =
			    causes_find(&m->expected, m->lanes[lane].wait_id);

			if (c == NULL || c->known == 0)
				continue;
			may[lane] = 1;
			stack[n++] = lane;
		}
		while (n > 0) {
			uint32_t lane = stack[--n];

			n = mend_hope(m, lane, may, stack, n);
		}
		*circle = mend_oldest(m, may);
		rv = 0;
	}
	free(stack);
	free(may);
	return (rv);
}

static int
mend_circles(struct mend *m)
{
	uint32_t lane;

	while (m->held > m->circle_at) {
		if (mend_circle(m, &lane) == -1)
			return (-1);
		if (lane == CAUSE_LANE_NONE) {
			m->circle_at = 2 * m->held;
			break;
		}
		m->stats.circles++;
		if (mend_release(m, lane) == -1)
			return (-1);
	}
	return (0);
}

/* Its own thread has what it waits for, and nobody else. */
static bool
mend_waits_for_itself(struct mend *m, const struct lane *l)
{
	const struct cause *expected = causes_find(&m->expected, l->wait_id);
	const struct cause *pending =
	    causes_find(&m->causal.pending, l->wait_id);
	uint32_t at = l->at, own = 0;

	if ((expected != NULL && expected->known > 0) || pending == NULL)
		return (false);
	for (uint32_t i = 0; i < l->held; i++) {
		const struct event_slot *slot = eventpool_slot(&m->pool, at);

		own += slot->cause_id == l->wait_id && mend_causes(slot);
		at = lanequeue_next(&m->pool, at);
	}
	return (own == pending->known);
}

/* --- the log --- */

static uint32_t
mend_keep(struct mend *m, uint32_t lane, const struct event *ev, uint64_t id)
{
	struct lane *l = &m->lanes[lane];
	uint32_t index = lanequeue_place(l, &m->pool, lane);
	struct event_slot *slot = eventpool_slot(&m->pool, index);

	slot->ev = *ev;
	slot->cause_id = id;
	l->fill++;
	return (index);
}

/* Behind others of its thread that wait. */
static int
mend_queue(struct mend *m, uint32_t lane, const struct event *ev, uint64_t id)
{
	struct lane *l = &m->lanes[lane];
	uint32_t index = mend_keep(m, lane, ev, id);

	if (l->held++ == 0)
		l->at = index;
	if (++m->held > m->stats.held_most)
		m->stats.held_most = m->held;
	if (mend_causes(eventpool_slot(&m->pool, index))) {
		causal_pend(&m->causal, id);
		if (id == l->wait_id && mend_waits_for_itself(m, l)) {
			m->stats.circles++;
			return (mend_release(m, lane));
		}
	}
	if (m->held > m->held_max) {
		m->stats.given_up++;
		return (mend_release(m, mend_oldest(m, NULL)));
	}
	return (mend_circles(m));
}

static int
mend_flush(struct mend *m, int64_t before_ns)
{
	m->since = 0;
	if (outlet_emit(&m->outlet, before_ns) == -1)
		return (-1);
	m->passed_ns = before_ns;
	m->patience =
	    m->outlet.items_n > PATIENCE ? m->outlet.items_n : PATIENCE;
	return (0);
}

int
mend_event(struct mend *m, const struct event *e)
{
	uint64_t id = mend_any_id(e);
	struct event ev = *e;
	struct cause *c;

	if (m->outlet.items_n > 0 && ++m->since >= m->patience &&
	    mend_flush(m, ev.t_mon_ns) == -1)
		return (-1);
	if ((ev.location >= m->lanes_n &&
		mend_lanes(m, (size_t)ev.location + 1) == -1) ||
	    eventpool_reserve(&m->pool, 1) == -1 ||
	    outlet_reserve(&m->outlet, 1) == -1)
		return (-1);
	c = id != 0 && event_table[ev.kind].role == ROLE_CAUSE
		? causes_find(&m->expected, id)
		: NULL;
	if (c != NULL && c->known > 0)
		c->known--; /* no longer to come */
	if (m->lanes[ev.location].held > 0 ||
	    !mend_place(m, ev.location, &ev, id))
		return (mend_queue(m, ev.location, &ev, id));
	if (m->outlet.items_n == 0 && ev.t_mon_ns == e->t_mon_ns) {
		m->outlet.emit(m->outlet.arg, &ev, 1);
		m->passed_ns = ev.t_mon_ns;
	} else
		outlet_put(&m->outlet, ev.t_mon_ns,
		    mend_keep(m, ev.location, &ev, id));
	return (mend_woken(m));
}

int
mend_end(struct mend *m)
{
	while (m->causal.parked_n > 0) {
		m->stats.circles++;
		if (mend_release(m, mend_oldest(m, NULL)) == -1)
			return (-1);
	}
	return (mend_flush(m, INT64_MAX));
}
