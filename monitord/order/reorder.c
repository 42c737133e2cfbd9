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
 * A node that was silent and is heard again tells late what it has missed to
 * tell, causes among it.  While it does, effects without their causes wait
 * until it has told of that time, and are late with them; this is ended by
 * silence, or when half of the memory is held.
 *
 * Much that is ready at once is worked off in slices of time of some 6 k
 * events, which stay in the cache between the stages.
 *
 * Nothing here reads a clock or a socket.  Time comes in with the calls, so a
 * test can run a day in a second.
 */
#include "reorder.h"

#include <stdlib.h>
#include <string.h>

#include "reorder_inside.h"

#define SLICE_EVENTS    6144 /* their lines: less than half of the cache */
#define SLICE_MIN_NS    1000
#define SLICE_MAX_NS    1000000000
#define ORPHAN_ERROR_NS 50000000 /* greater clock errors are not waited for */
#define HOLD_MAX_NS     5000000
#define TIME_LIMIT      (INT64_MAX / 4)

const struct reorder_options reorder_defaults = {
	.stall_ns = 150000000,
	.orphan_ns = 1000000000,
	.l_min_ns = 500,
	.held_bytes_max = (size_t)192 << 20,
	.window_bytes = (size_t)4 << 20,
	.floor_bytes = (size_t)256 << 10,
	.causes_max = (size_t)1 << 20,
};

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
	credit_init(&r->credit, options->window_bytes, options->floor_bytes,
	    options->held_bytes_max);
	doubt_init(&r->doubt);
	if (causal_init(&r->causal, options->l_min_ns, options->causes_max,
		&r->doubt) == -1) {
		reorder_free(r);
		return (NULL);
	}
	r->causal.margin_ns = REORDER_SLACK_NS;
	r->outlet.pool = &r->pool;
	r->outlet.emit = emit;
	r->outlet.emptied = reorder_emptied;
	r->outlet.arg = arg;
	r->outlet.owner = r;
	r->outlet.passed_ns = r->done_ns = INT64_MIN;
	r->behind_ns = INT64_MAX;
	r->slice_ns = REORDER_SLACK_NS;
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
	credit_clear(&r->credit);
	causal_clear(&r->causal);
	doubt_clear(&r->doubt);
	outlet_clear(&r->outlet);
	eventpool_clear(&r->pool);
	free(r->lanes);
	free(r->head_ns);
	free(r->ready);
	free(r->closing);
	free(r);
}

int
reorder_node_add(struct reorder *r, uint32_t node)
{
	if (credit_add(&r->credit, node) == -1 ||
	    doubt_add(&r->doubt, node) == -1)
		return (-1);
	return (quorum_add(&r->quorum, node));
}

void
reorder_node_remove(struct reorder *r, uint32_t node)
{
	quorum_remove(&r->quorum, node);
	doubt_forgive(&r->doubt, node);
}

void
reorder_advance(struct reorder *r, uint32_t node, int64_t mark_mon_ns,
    int64_t error_ns, int64_t now_mon_ns)
{
	doubt_bound(&r->doubt, node, error_ns,
	    error_ns >= 0 && error_ns < REORDER_FUTURE_NS);
	quorum_mark(&r->quorum, node, mark_mon_ns, error_ns, now_mon_ns);
}

void
reorder_now(struct reorder *r, int64_t now_mon_ns)
{
	quorum_now(&r->quorum, now_mon_ns);
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
	int64_t first = REORDER_NEVER;

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
		reorder_repair(r, limit);
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
	r->causal.margin_ns = 2 * error + REORDER_SLACK_NS;
	r->causal.now_ns = r->quorum.now_ns;
	r->behind_ns = reorder_held_bytes(r) > r->options.held_bytes_max / 2
			   ? INT64_MAX
			   : r->quorum.behind_ns;
	reorder_run(r, r->quorum.low_ns);
	doubt_judge(&r->doubt, r->quorum.low_ns);
	reorder_reap(r);
}

void
reorder_let_go(struct reorder *r)
{
	quorum_let_go(&r->quorum);
}

void
reorder_flush(struct reorder *r)
{
	int64_t last = r->done_ns;

	r->behind_ns = INT64_MAX;
	for (size_t i = 0; i < r->lanes_n; i++) {
		if (r->lanes[i].held > 0 && r->lanes[i].pushed_ns > last)
			last = r->lanes[i].pushed_ns;
	}
	/* INT64_MIN: nothing has ever been told, which must stay known */
	reorder_run(r, last > INT64_MIN && last < TIME_LIMIT ? last + 1 : last);
	for (;;) {
		reorder_repair(r, REORDER_NEVER);
		if (r->causal.parked_n == 0)
			break;
	}
	if (outlet_emit(&r->outlet, REORDER_NEVER) == -1)
		return;
	for (size_t i = 0; i < r->lanes_n; i++) {
		int64_t corr = r->lanes[i].time.corr_ns;

		if (corr >= last && corr > INT64_MIN)
			last = corr + 1;
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

void
reorder_on_match(struct reorder *r, reorder_match *match, void *arg)
{
	r->causal.match = match;
	r->causal.match_arg = arg;
}

void
reorder_on_found(struct reorder *r, reorder_found *found, void *arg)
{
	r->causal.on_found = found;
	r->causal.found_arg = arg;
}

void
reorder_on_doubt(struct reorder *r, reorder_doubt *changed, void *arg)
{
	r->doubt.changed = changed;
	r->doubt.arg = arg;
}

bool
reorder_doubts(const struct reorder *r, uint32_t node)
{
	return (doubt_is(&r->doubt, node));
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

size_t
reorder_memory_bytes(const struct reorder *r)
{
	return (eventpool_bytes(&r->pool) + outlet_bytes(&r->outlet) +
		causal_bytes(&r->causal) +
		r->lanes_cap * (sizeof(*r->lanes) + sizeof(*r->head_ns) +
				   sizeof(*r->ready)));
}

int64_t
reorder_lead_ns(const struct reorder *r, uint32_t node)
{
	return (quorum_lead(&r->quorum, node));
}

bool
reorder_ahead(struct reorder *r, uint32_t node)
{
	return (credit_spent(&r->credit, node, r->quorum.members,
		    reorder_held_bytes(r)) &&
		!quorum_awaits(&r->quorum, node));
}

void
reorder_hold(struct reorder *r, uint32_t node, bool held)
{
	quorum_hold(&r->quorum, node, held);
}

void
reorder_rest(struct reorder *r, bool resting)
{
	quorum_rest(&r->quorum, resting);
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
	s->found = r->causal.found;
	s->disbelieved = r->causal.disbelieved;
	s->doubted = (uint32_t)r->doubt.doubted;
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
