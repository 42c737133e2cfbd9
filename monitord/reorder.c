/*
 * On-line event reordering.
 *
 * Each stream's events come in order, but the nodes are late by different
 * amounts and their clocks are wrong by a little.  So an event passes two
 * stages:
 *
 *  1. It waits in its stream's queue until no node can tell of an earlier one
 *     (quorum.c: the watermark).  Then the causal pass gives it its final
 *     time, behind everything that caused it (causal.c).
 *  2. It is sorted by that time and handed on as soon as that is before the
 *     watermark (outlet.c).
 *
 * An effect whose cause has not come yet waits with all that follows it in its
 * stream.  That never makes another event late: its cause has a time of at
 * least the watermark, and the effect ends up behind it.  Only when there is
 * no cause at all (it was lost) would the effect come late; so for as long as
 * a cause may still come, the way out waits a little too, HOLD_MAX at most.
 *
 * Much that is ready at once is worked off in slices of time of some 16 k
 * events, which stay in the cache.
 *
 * Nothing here reads a clock or a socket.  Time comes in with the calls, so a
 * test can run a day in a second.
 */
#include "reorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "causal.h"
#include "eventpool.h"
#include "lane.h"
#include "outlet.h"
#include "quorum.h"

#define SLICE_EVENTS    16384
#define SLICE_MIN_NS    1000
#define SLICE_MAX_NS    1000000000
#define ORPHAN_SLACK_NS 1000000  /* a cause is not later than clocks + this */
#define ORPHAN_ERROR_NS 50000000 /* greater clock errors are not waited for */
#define HOLD_MAX_NS     5000000
#define FUTURE_NS       1000000000
#define TIME_LIMIT      (INT64_MAX / 4)
#define NEVER           INT64_MAX

const struct reorder_options reorder_defaults = {
	.stall_ns = 150000000,
	.orphan_ns = 1000000000,
	.l_min_ns = 500,
	.held_bytes_max = (size_t)256 << 20,
	.causes_max = (size_t)1 << 20,
};

struct reorder {
	struct reorder_options options;
	reorder_stall *stall;
	void *arg;

	struct eventpool pool;
	struct lane *lanes;
	int64_t *head_ns; /* first waiting event of each lane, or NEVER */
	size_t lanes_n, lanes_cap;
	uint32_t *closing; /* closed, not yet empty */
	size_t closing_n, closing_cap;

	struct quorum quorum;
	struct causal causal;
	struct outlet outlet;

	int64_t done_ns; /* the causal pass has been here */
	int64_t slice_ns;
	bool starved; /* an allocation failed: try again at the next tick */
	bool has_role[EVENT_KINDS];
	uint64_t in, shifted, cycles, duplicates, backward, future;
	int64_t shift_max_ns;
};

static void
reorder_emptied(void *owner, uint32_t chunk)
{
	struct reorder *r = owner;
	struct lane *l = &r->lanes[r->pool.chunk[chunk].lane];

	if (l->tail == chunk)
		l->tail = CHUNK_NONE;
	eventpool_give(&r->pool, chunk);
}

struct reorder *
reorder_new(const struct reorder_options *options, reorder_emit *emit,
    reorder_stall *stall, void *arg)
{
	struct reorder *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return (NULL);
	r->options = *options;
	r->stall = stall;
	r->arg = arg;
	quorum_init(&r->quorum, options->stall_ns, stall, arg);
	causal_init(&r->causal, options->l_min_ns, options->causes_max);
	r->causal.margin_ns = ORPHAN_SLACK_NS;
	r->outlet.pool = &r->pool;
	r->outlet.emit = emit;
	r->outlet.emptied = reorder_emptied;
	r->outlet.arg = arg;
	r->outlet.owner = r;
	r->outlet.passed_ns = r->done_ns = INT64_MIN;
	r->slice_ns = ORPHAN_SLACK_NS;
	for (unsigned k = 0; k < EVENT_KINDS; k++)
		r->has_role[k] = event_table[k].name != NULL &&
				 event_table[k].role != ROLE_NONE;
	return (r);
}

void
reorder_free(struct reorder *r)
{
	if (r == NULL)
		return;
	quorum_clear(&r->quorum);
	causal_clear(&r->causal);
	outlet_clear(&r->outlet);
	eventpool_clear(&r->pool);
	free(r->lanes);
	free(r->head_ns);
	free(r->closing);
	free(r);
}

int
reorder_node_add(struct reorder *r, uint32_t node)
{
	return (quorum_add(&r->quorum, node));
}

void
reorder_node_remove(struct reorder *r, uint32_t node)
{
	quorum_remove(&r->quorum, node);
}

static int
reorder_lanes(struct reorder *r, size_t n)
{
	size_t cap = r->lanes_cap > 0 ? r->lanes_cap : 64;
	struct lane *lanes;
	int64_t *head;

	while (cap < n)
		cap *= 2;
	if (cap > r->lanes_cap) {
		lanes = realloc(r->lanes, cap * sizeof(*lanes));
		if (lanes == NULL)
			return (-1);
		r->lanes = lanes;
		head = realloc(r->head_ns, cap * sizeof(*head));
		if (head == NULL)
			return (-1);
		r->head_ns = head;
		if (causal_lanes(&r->causal, lanes, cap) == -1)
			return (-1);
		r->lanes_cap = cap;
	}
	for (; r->lanes_n < n; r->lanes_n++) {
		memset(&r->lanes[r->lanes_n], 0, sizeof(*r->lanes));
		r->lanes[r->lanes_n].tail = CHUNK_NONE;
		r->lanes[r->lanes_n].corr_ns = INT64_MIN;
		r->head_ns[r->lanes_n] = NEVER;
	}
	return (0);
}

int
reorder_stream_add(struct reorder *r, uint32_t stream, uint32_t node)
{
	if (stream == UINT32_MAX) {
		errno = EINVAL;
		return (-1);
	}
	if (stream >= r->lanes_n && reorder_lanes(r, (size_t)stream + 1) == -1)
		return (-1);
	if (!r->lanes[stream].open)
		r->lanes[stream].any = false; /* a new one: seq from anywhere */
	r->lanes[stream].open = true;
	r->lanes[stream].node = node;
	return (0);
}

void
reorder_stream_floor(struct reorder *r, uint32_t stream,
    int64_t corrected_mon_ns)
{
	if (stream < r->lanes_n && r->lanes[stream].corr_ns <= corrected_mon_ns)
		r->lanes[stream].corr_ns = corrected_mon_ns + 1;
}

void
reorder_stream_close(struct reorder *r, uint32_t stream)
{
	if (stream >= r->lanes_n || !r->lanes[stream].open)
		return;
	r->lanes[stream].open = false;
	if (r->closing_n == r->closing_cap) {
		size_t cap = r->closing_cap > 0 ? r->closing_cap * 2 : 64;
		uint32_t *grown = realloc(r->closing, cap * sizeof(*grown));

		if (grown == NULL)
			return; /* keeps its last chunk, no more */
		r->closing = grown;
		r->closing_cap = cap;
	}
	r->closing[r->closing_n++] = stream;
}

/* Takes back the last chunk of streams that are closed and empty. */
static void
reorder_reap(struct reorder *r)
{
	for (size_t i = 0; i < r->closing_n;) {
		struct lane *l = &r->lanes[r->closing[i]];

		if (!l->open && (l->held > 0 || (l->tail != CHUNK_NONE &&
						    r->pool.chunk[l->tail].out <
							l->fill))) {
			i++;
			continue;
		}
		if (!l->open && l->tail != CHUNK_NONE) {
			eventpool_give(&r->pool, l->tail);
			l->tail = CHUNK_NONE;
		}
		r->closing[i] = r->closing[--r->closing_n];
	}
}

/* Keeps nonsense from doing harm; the raw time is in t_node_ns anyway. */
static int64_t
reorder_sane(struct reorder *r, struct lane *l, int64_t t)
{
	int64_t now = r->quorum.now_ns;

	if (t < -TIME_LIMIT)
		t = -TIME_LIMIT;
	if (now == INT64_MIN && t > TIME_LIMIT)
		t = TIME_LIMIT;
	if (now != INT64_MIN && t - FUTURE_NS > now + r->quorum.error_max_ns) {
		t = now;
		r->future++;
	}
	if (l->any && t < l->pushed_ns)
		r->backward++;
	return (t);
}

int
reorder_push(struct reorder *r, uint32_t stream, const struct event *ev,
    size_t n)
{
	struct lane *l;

	if (stream >= r->lanes_n || !r->lanes[stream].open) {
		errno = EINVAL;
		return (-1);
	}
	if (eventpool_reserve(&r->pool, n / CHUNK_EVENTS + 2) == -1)
		return (-1);
	l = &r->lanes[stream];
	for (size_t i = 0; i < n; i++) {
		struct event *to;
		uint32_t index;

		if (l->any && ev[i].seq <= l->seq) {
			r->duplicates++;
			continue;
		}
		if (l->tail == CHUNK_NONE || l->fill == CHUNK_EVENTS) {
			uint32_t chunk = eventpool_take(&r->pool, stream);

			if (l->tail != CHUNK_NONE)
				r->pool.chunk[l->tail].next = chunk;
			l->tail = chunk;
			l->fill = 0;
		}
		index = l->tail * CHUNK_EVENTS + l->fill++;
		to = eventpool_at(&r->pool, index);
		*to = ev[i];
		to->t_mon_ns = reorder_sane(r, l, ev[i].t_mon_ns);
		if (l->held++ == 0) {
			l->at = index;
			if (!l->parked)
				r->head_ns[stream] = to->t_mon_ns;
		}
		l->any = true;
		l->seq = to->seq;
		l->pushed_ns = to->t_mon_ns;
		r->in++;
	}
	return (0);
}

void
reorder_advance(struct reorder *r, uint32_t node, int64_t mark_mon_ns,
    int64_t error_ns, int64_t now_mon_ns)
{
	quorum_mark(&r->quorum, node, mark_mon_ns, error_ns, now_mon_ns);
}

static uint32_t
reorder_next(const struct reorder *r, uint32_t index)
{
	if (index % CHUNK_EVENTS < CHUNK_EVENTS - 1)
		return (index + 1);
	return (r->pool.chunk[index / CHUNK_EVENTS].next * CHUNK_EVENTS);
}

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

/* Works off one lane up to the limit, or to an effect without its cause. */
static void
reorder_drain(struct reorder *r, uint32_t lane, int64_t limit_ns)
{
	struct lane *l = &r->lanes[lane];

	r->head_ns[lane] = NEVER;
	while (l->held > 0) {
		struct event *ev = eventpool_at(&r->pool, l->at);
		int64_t mapped = ev->t_mon_ns, low, corr;

		if (mapped >= limit_ns ||
		    (r->outlet.items_n == r->outlet.items_cap &&
			outlet_reserve(&r->outlet, 1) == -1)) {
			r->starved |= mapped < limit_ns;
			r->head_ns[lane] = mapped;
			break;
		}
		corr = low = lane_low(l, mapped);
		if (!(l->given || l->forced))
			ev->flags = 0;
		if (ev->kind < EVENT_KINDS && r->has_role[ev->kind]) {
			if (!causal_step(&r->causal, lane, ev, &corr))
				break;
		}
		if (l->ahead > 0) {
			l->ahead--;
			if (ev->kind < EVENT_KINDS &&
			    event_table[ev->kind].role == ROLE_CAUSE)
				causal_unpend(&r->causal, ev);
		}
		lane_commit(l, mapped, low, corr);
		reorder_finish(r, ev, mapped, corr);
		outlet_put(&r->outlet, corr, l->at);
		l->at = reorder_next(r, l->at);
		l->held--;
	}
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
			uint32_t at =
			    l->ahead == 0 ? l->at : reorder_next(r, l->seen);
			const struct event *ev = eventpool_at(&r->pool, at);

			if (ev->t_mon_ns >= limit_ns)
				break;
			if (ev->kind < EVENT_KINDS &&
			    event_table[ev->kind].role == ROLE_CAUSE)
				causal_pend(&r->causal, ev);
			l->seen = at;
			l->ahead++;
		}
	}
}

/* Lets one lane go that waits in a circle, if there is a circle. */
static bool
reorder_break_cycle(struct reorder *r, int64_t limit_ns)
{
	uint32_t oldest = CAUSE_LANE_NONE;
	bool may_come = false, overdue = false;

	for (uint32_t i = 0; i < r->causal.parked_n; i++) {
		const struct lane *l = &r->lanes[r->causal.parked[i]];

		if (l->wait_expire_ns >= limit_ns) {
			may_come = true;
			continue;
		}
		if (oldest == CAUSE_LANE_NONE ||
		    l->wait_low_ns < r->lanes[oldest].wait_low_ns)
			oldest = r->causal.parked[i];
	}
	if (oldest == CAUSE_LANE_NONE)
		return (false);
	overdue = r->causal.now_ns - r->lanes[oldest].wait_from_ns >
		  r->options.orphan_ns;
	if (may_come && !overdue)
		return (false);
	r->cycles++;
	causal_release(&r->causal, oldest);
	return (true);
}

/* Lets go what has waited in vain.  True: something has moved. */
static bool
reorder_orphans(struct reorder *r, int64_t limit_ns)
{
	int64_t overdue = r->causal.now_ns == INT64_MIN
			      ? INT64_MIN
			      : r->causal.now_ns - r->options.orphan_ns;
	bool moved = false;

	for (uint32_t i = 0; i < r->causal.parked_n;) {
		uint32_t lane = r->causal.parked[i];
		const struct lane *l = &r->lanes[lane];

		if ((l->wait_expire_ns >= limit_ns &&
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

/* Everything mapped to before the limit gets its final time. */
static void
reorder_causal_pass(struct reorder *r, int64_t limit_ns)
{
	for (uint32_t i = 0; i < r->lanes_n; i++) {
		if (r->head_ns[i] >= limit_ns)
			continue;
		reorder_drain(r, i, limit_ns);
		reorder_woken(r, limit_ns);
	}
	while (r->causal.parked_n > 0) {
		reorder_look_ahead(r, limit_ns);
		if (reorder_orphans(r, limit_ns))
			continue;
		if (!reorder_break_cycle(r, limit_ns))
			break;
		reorder_woken(r, limit_ns);
	}
}

/* Final is what is before the watermark and before all that still waits. */
static int64_t
reorder_final(const struct reorder *r, int64_t limit_ns)
{
	int64_t final = limit_ns, least;

	least = limit_ns > INT64_MIN + HOLD_MAX_NS ? limit_ns - HOLD_MAX_NS
						   : INT64_MIN;
	for (uint32_t i = 0; i < r->causal.parked_n; i++) {
		int64_t low = r->lanes[r->causal.parked[i]].wait_low_ns;

		if (low < final)
			final = low;
	}
	return (final > least ? final : least);
}

static int64_t
reorder_first(const struct reorder *r)
{
	int64_t first = NEVER;

	for (size_t i = 0; i < r->lanes_n; i++)
		first = r->head_ns[i] < first ? r->head_ns[i] : first;
	return (first);
}

/* Brings everything up to the watermark, a slice of time after another. */
static void
reorder_run(struct reorder *r, int64_t watermark_ns)
{
	int64_t limit;

	do {
		uint64_t before = r->outlet.items_n + r->outlet.out;
		int64_t first = reorder_first(r);
		size_t n;

		limit = watermark_ns;
		if (first < watermark_ns && watermark_ns - first > r->slice_ns)
			limit = first + r->slice_ns;
		if (limit < r->done_ns)
			limit = r->done_ns;
		r->starved = false;
		reorder_causal_pass(r, limit);
		if (r->starved ||
		    outlet_emit(&r->outlet, reorder_final(r, limit)) == -1)
			return;
		r->done_ns = limit;
		n = (size_t)(r->outlet.items_n + r->outlet.out - before);
		if (n > SLICE_EVENTS && r->slice_ns > SLICE_MIN_NS)
			r->slice_ns /= 2;
		else if (n < SLICE_EVENTS / 2 && r->slice_ns < SLICE_MAX_NS)
			r->slice_ns *= 2;
	} while (limit < watermark_ns);
}

void
reorder_tick(struct reorder *r, int64_t now_mon_ns)
{
	int64_t error;

	quorum_tick(&r->quorum, now_mon_ns);
	if (reorder_held_bytes(r) >
	    r->options.held_bytes_max + r->options.held_bytes_max / 4)
		quorum_shed(&r->quorum);
	if (r->quorum.low_ns == INT64_MIN)
		return;
	error = r->quorum.error_max_ns;
	if (error > ORPHAN_ERROR_NS)
		error = ORPHAN_ERROR_NS;
	r->causal.margin_ns = 2 * error + ORPHAN_SLACK_NS;
	r->causal.now_ns = r->quorum.now_ns;
	reorder_run(r, r->quorum.low_ns);
	reorder_reap(r);
}

void
reorder_flush(struct reorder *r)
{
	int64_t last = r->done_ns;

	for (size_t i = 0; i < r->lanes_n; i++) {
		if (r->lanes[i].held > 0 && r->lanes[i].pushed_ns > last)
			last = r->lanes[i].pushed_ns;
	}
	reorder_run(r, last < TIME_LIMIT ? last + 1 : last);
	for (;;) {
		reorder_causal_pass(r, NEVER);
		if (r->causal.parked_n == 0)
			break;
	}
	if (outlet_emit(&r->outlet, NEVER) == -1)
		return;
	for (size_t i = 0; i < r->lanes_n; i++) {
		if (r->lanes[i].corr_ns >= last)
			last = r->lanes[i].corr_ns + 1;
	}
	r->outlet.passed_ns = last;
	reorder_reap(r);
}

int64_t
reorder_watermark(const struct reorder *r)
{
	return (r->outlet.passed_ns);
}

void
reorder_resume(struct reorder *r, int64_t watermark_mon_ns)
{
	r->quorum.low_ns = r->done_ns = r->outlet.passed_ns = watermark_mon_ns;
}

int
reorder_remember(struct reorder *r, const struct event *ev)
{
	return (causal_remember(&r->causal, ev));
}

size_t
reorder_held_bytes(const struct reorder *r)
{
	return ((size_t)(r->in - r->outlet.out) *
		(sizeof(struct event) + sizeof(struct sort_item)));
}

bool
reorder_full(const struct reorder *r)
{
	return (reorder_held_bytes(r) > r->options.held_bytes_max);
}

int64_t
reorder_lead_ns(const struct reorder *r, uint32_t node)
{
	const struct quorum *q = &r->quorum;
	int64_t low = watermark_min(&q->marks);

	if (node >= q->n || !q->node[node].known || !q->node[node].live ||
	    low == WATERMARK_NONE || low == INT64_MIN)
		return (0);
	return (q->node[node].mark_ns - low);
}

void
reorder_stats(const struct reorder *r, struct reorder_stats *s)
{
	memset(s, 0, sizeof(*s));
	s->in = r->in;
	s->out = r->outlet.out;
	s->late = r->outlet.late;
	s->orphans = r->causal.orphans;
	s->shifted = r->shifted;
	s->matched = r->causal.matched;
	s->cycles = r->cycles;
	s->duplicates = r->duplicates;
	s->backward = r->backward;
	s->future = r->future;
	s->forgotten = r->causal.forgotten;
	s->stalls = r->quorum.stalls;
	s->shift_max_ns = r->shift_max_ns;
	s->parked = r->causal.parked_n;
	s->stalled_nodes = (uint32_t)(r->quorum.members - r->quorum.live);
	s->causes = causes_count(&r->causal.causes);
}
