/*
 * First stage: every event before the limit gets its final time.
 *
 * Streams are worked off one after another, each until it needs a cause that
 * is not there yet; the cause wakes it.  What waits in vain is let go: when no
 * node can tell of its cause any more, when it has waited too long, or when
 * streams wait for each other in a circle.
 */
#include "lanequeue.h"
#include "reorder_inside.h"

#define FETCH_LANE   12u /* lanes ahead: what is known of it */
#define FETCH_HEAD   5u  /* lanes ahead: its first events, so many: */
#define FETCH_EVENTS 6u
#define FETCH_NEAR   2u /* lanes ahead: the causes of the first, and */
#define FETCH_CAUSES 3u /* events ahead: the causes of the others */

static inline void
reorder_finish(struct reorder *r, struct event *ev, int64_t mapped,
    int64_t corr)
{
	int64_t shift = corr - mapped;

	ev->t_mon_ns = corr;
	ev->shift_ns = shift < UINT32_MAX ? (uint32_t)shift : UINT32_MAX;
	if (shift == 0)
		return;
	ev->flags |= EVENT_SHIFTED;
	r->shifted++;
	if (shift > r->shift_max_ns)
		r->shift_max_ns = shift;
}

static inline bool
reorder_causes(const struct event_slot *slot)
{
	return (slot->cause_id != 0 &&
		event_table[slot->ev.kind].role == ROLE_CAUSE);
}

/* Asks for the event that the lane woken last waits with: it is next. */
static inline void
reorder_fetch_woken(const struct reorder *r)
{
	const struct causal *c = &r->causal;

	if (c->woken_n > 0)
		__builtin_prefetch(eventpool_at(&r->pool,
				       r->lanes[c->woken[c->woken_n - 1]].at),
		    1);
}

/* Works off one lane up to the limit, or to an effect without its cause. */
static void
reorder_drain(struct reorder *r, uint32_t lane, int64_t limit_ns)
{
	struct lane *l = &r->lanes[lane];
	uint32_t before = l->held;

	r->head_ns[lane] = REORDER_NEVER;
	while (l->held > 0) {
		struct event_slot *slot = eventpool_slot(&r->pool, l->at);
		struct event *ev = &slot->ev;
		int64_t mapped = ev->t_mon_ns, low, corr;

		if (mapped >= limit_ns ||
		    (r->outlet.items_n == r->outlet.items_cap &&
			outlet_reserve(&r->outlet, 1) == -1)) {
			r->starved |= mapped < limit_ns;
			r->head_ns[lane] = mapped;
			break;
		}
		corr = low = lanetime_low(&l->time, mapped);
		if (!(l->given || l->forced))
			ev->flags &= EVENT_AHEAD;
		if (l->at % CHUNK_EVENTS + FETCH_CAUSES < CHUNK_EVENTS)
			causal_expect(&r->causal, slot[FETCH_CAUSES].cause_id);
		if (slot->cause_id != 0) {
			if (!causal_step(&r->causal, lane, ev, slot->cause_id,
				&corr))
				break;
			reorder_fetch_woken(r);
		}
		if (l->looked) {
			l->looked = --l->ahead > 0;
			if (reorder_causes(slot))
				causal_unpend(&r->causal, slot->cause_id);
		}
		lanetime_commit(&l->time, mapped, low, corr);
		reorder_finish(r, ev, mapped, corr);
		outlet_put(&r->outlet, corr, l->at);
		l->at = lanequeue_next(&r->pool, l->at);
		l->held--;
	}
	credit_give(&r->credit, l->node, before - l->held);
}

/*
 * Asks for the first events of a lane, which is worked off soon: of
 * thousands of lanes each has so few that the machine sees no pattern.
 */
static void
reorder_fetch(const struct reorder *r, uint32_t lane)
{
	uint32_t at = r->lanes[lane].at;
	uint32_t left = CHUNK_EVENTS - at % CHUNK_EVENTS;
	uint32_t next = r->pool.chunk[at / CHUNK_EVENTS].next;

	for (uint32_t i = 0; i < FETCH_EVENTS && i < left; i++)
		__builtin_prefetch(eventpool_at(&r->pool, at + i), 1);
	if (FETCH_EVENTS <= left || next == CHUNK_NONE)
		return;
	for (uint32_t i = 0; i < FETCH_EVENTS - left; i++)
		__builtin_prefetch(eventpool_at(&r->pool,
				       next * CHUNK_EVENTS + i),
		    1);
}

/* Those are here: asks for what the table of causes has of them. */
static void
reorder_fetch_causes(const struct reorder *r, uint32_t lane)
{
	uint32_t at = r->lanes[lane].at;
	const struct event_slot *slot = eventpool_slot(&r->pool, at);
	uint32_t left = CHUNK_EVENTS - at % CHUNK_EVENTS;

	for (uint32_t i = 0; i < FETCH_CAUSES && i < left; i++)
		causal_expect(&r->causal, slot[i].cause_id);
}

static void
reorder_woken(struct reorder *r, int64_t limit_ns)
{
	while (r->causal.woken_n > 0)
		reorder_drain(r, r->causal.woken[--r->causal.woken_n],
		    limit_ns);
}

/* Tells which causes wait behind parked lanes: their effects are no orphans. */
static void
reorder_look_ahead(struct reorder *r, int64_t limit_ns)
{
	for (uint32_t i = 0; i < r->causal.parked_n; i++) {
		struct lane *l = &r->lanes[r->causal.parked[i]];

		while (l->ahead < l->held) {
			uint32_t at = l->ahead == 0
					  ? l->at
					  : lanequeue_next(&r->pool, l->seen);
			const struct event_slot *slot =
			    eventpool_slot(&r->pool, at);

			if (slot->ev.t_mon_ns >= limit_ns)
				break;
			if (reorder_causes(slot))
				causal_pend(&r->causal, slot->cause_id);
			l->seen = at;
			l->ahead++;
			l->looked = true;
		}
	}
}

/* A cause may come as long as nobody has told of so late a time. */
static int64_t
reorder_vouched(const struct reorder *r, int64_t limit_ns)
{
	return (r->behind_ns < limit_ns ? r->behind_ns : limit_ns);
}

/* Parked before this, it has waited for too long. */
static int64_t
reorder_overdue(const struct reorder *r, int64_t limit_ns)
{
	if (r->causal.now_ns == INT64_MIN || r->behind_ns < limit_ns)
		return (INT64_MIN);
	return (r->causal.now_ns - r->options.orphan_ns);
}

/* Lets one lane go that waits in a circle, if there is a circle. */
static bool
reorder_break_cycle(struct reorder *r, int64_t limit_ns)
{
	int64_t vouched = reorder_vouched(r, limit_ns);
	uint32_t oldest = CAUSE_LANE_NONE;
	bool may_come = false;

	for (uint32_t i = 0; i < r->causal.parked_n; i++) {
		const struct lane *l = &r->lanes[r->causal.parked[i]];

		if (l->wait_expire_ns >= vouched) {
			may_come = true;
			continue;
		}
		if (oldest == CAUSE_LANE_NONE ||
		    l->wait_low_ns < r->lanes[oldest].wait_low_ns)
			oldest = r->causal.parked[i];
	}
	if (oldest == CAUSE_LANE_NONE)
		return (false);
	if (may_come &&
	    r->lanes[oldest].wait_from_ns >= reorder_overdue(r, limit_ns))
		return (false);
	r->cycles++;
	causal_release(&r->causal, oldest);
	return (true);
}

/* Lets go what has waited in vain.  True: something has moved. */
static bool
reorder_orphans(struct reorder *r, int64_t limit_ns)
{
	int64_t overdue = reorder_overdue(r, limit_ns);
	int64_t vouched = reorder_vouched(r, limit_ns);
	bool moved = false;

	for (uint32_t i = 0; i < r->causal.parked_n;) {
		uint32_t lane = r->causal.parked[i];
		const struct lane *l = &r->lanes[lane];

		if ((l->wait_expire_ns >= vouched &&
			l->wait_from_ns >= overdue) ||
		    causal_pending(&r->causal, lane)) {
			i++;
			continue;
		}
		causal_release(&r->causal, lane);
		reorder_woken(r, limit_ns);
		moved = true; /* another one is at this place now */
	}
	return (moved);
}

/* Works off all lanes that have an event before the limit, in their order. */
static void
reorder_pass(struct reorder *r, int64_t limit_ns)
{
	size_t n = 0;

	for (uint32_t i = 0; i < r->lanes_n; i++) {
		r->ready[n] = i;
		n += r->head_ns[i] < limit_ns;
	}
	for (size_t i = 0; i < n; i++) {
		if (i + FETCH_LANE < n)
			__builtin_prefetch(&r->lanes[r->ready[i + FETCH_LANE]],
			    1);
		if (i + FETCH_HEAD < n)
			reorder_fetch(r, r->ready[i + FETCH_HEAD]);
		if (i + FETCH_NEAR < n)
			reorder_fetch_causes(r, r->ready[i + FETCH_NEAR]);
		if (r->head_ns[r->ready[i]] >= limit_ns)
			continue; /* was woken, and is done */
		reorder_drain(r, r->ready[i], limit_ns);
		reorder_woken(r, limit_ns);
	}
}

/* Everything mapped to before the limit gets its final time. */
void
reorder_repair(struct reorder *r, int64_t limit_ns)
{
	reorder_pass(r, limit_ns);
	while (r->causal.parked_n > 0) {
		reorder_look_ahead(r, limit_ns);
		if (reorder_orphans(r, limit_ns))
			continue;
		if (!reorder_break_cycle(r, limit_ns))
			break;
		reorder_woken(r, limit_ns);
	}
}
