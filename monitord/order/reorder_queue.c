/*
 * The way in: a queue for each stream, of chunks from one pool.
 *
 * Copies an event once, where it stays until it is out.  What makes no sense is
 * put right here, so that the stages behind need not know of it: numbers that
 * are repeated are dropped, times of the far future do no harm.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lanequeue.h"
#include "reorder_inside.h"

#define TIME_LIMIT    (INT64_MAX / 4)
#define EXPECT_EVENTS 24 /* what is behind them, the machine sees */

void
reorder_emptied(void *owner, uint32_t chunk)
{
	struct reorder *r = owner;

	lanequeue_give(r->lanes, &r->pool, chunk);
}

static int
reorder_lanes(struct reorder *r, size_t n)
{
	size_t cap = r->lanes_cap > 0 ? r->lanes_cap : 64;
	struct lane *lanes;
	uint32_t *ready;
	int64_t *head;

	while (cap < n)
		cap *= 2;
	if (cap > r->lanes_cap) {
		head = realloc(r->head_ns, cap * sizeof(*head));
		if (head == NULL)
			return (-1);
		r->head_ns = head;
		ready = realloc(r->ready, cap * sizeof(*ready));
		if (ready == NULL)
			return (-1);
		r->ready = ready;
		lanes = aligned_alloc(64, cap * sizeof(*lanes));
		if (lanes == NULL)
			return (-1);
		if (causal_lanes(&r->causal, lanes, cap) == -1) {
			free(lanes);
			return (-1);
		}
		if (r->lanes_n > 0)
			memcpy(lanes, r->lanes, r->lanes_n * sizeof(*lanes));
		free(r->lanes);
		r->lanes = lanes;
		r->lanes_cap = cap;
	}
	for (; r->lanes_n < n; r->lanes_n++) {
		memset(&r->lanes[r->lanes_n], 0, sizeof(*r->lanes));
		r->lanes[r->lanes_n].tail = CHUNK_NONE;
		r->lanes[r->lanes_n].time.corr_ns = INT64_MIN;
		r->head_ns[r->lanes_n] = REORDER_NEVER;
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
	credit_give(&r->credit, r->lanes[stream].node, r->lanes[stream].held);
	credit_take(&r->credit, node, r->lanes[stream].held);
	r->lanes[stream].open = true;
	r->lanes[stream].node = node;
	return (0);
}

void
reorder_stream_floor(struct reorder *r, uint32_t stream,
    int64_t corrected_mon_ns)
{
	if (stream < r->lanes_n &&
	    r->lanes[stream].time.corr_ns <= corrected_mon_ns)
		r->lanes[stream].time.corr_ns = corrected_mon_ns + 1;
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
void
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

/*
 * Keeps nonsense from doing harm; the raw time is in t_node_ns anyway.  A time
 * of the far future becomes the earliest that is open to its stream: any later
 * one would keep back those that follow, and effects would miss them.
 */
static inline int64_t
reorder_sane(struct reorder *r, struct event *ev, int64_t last_ns)
{
	int64_t now = r->quorum.now_ns, t = ev->t_mon_ns;

	if (t < -TIME_LIMIT)
		t = -TIME_LIMIT;
	if (now == INT64_MIN && t > TIME_LIMIT)
		t = TIME_LIMIT;
	if (now != INT64_MIN &&
	    t - REORDER_FUTURE_NS > now + r->quorum.error_max_ns) {
		t = r->quorum.low_ns != INT64_MIN ? r->quorum.low_ns : now;
		t = t > last_ns ? t : last_ns;
		t = t < now ? t : now;
		ev->flags |= EVENT_AHEAD;
		r->future++;
	}
	return (t);
}

void
reorder_expect(const struct reorder *r, uint32_t stream, size_t n)
{
	const struct lane *l;
	size_t left, i = 0;

	if (stream >= r->lanes_n)
		return;
	l = &r->lanes[stream];
	n = n < EXPECT_EVENTS ? n : EXPECT_EVENTS;
	left = l->tail == CHUNK_NONE ? 0 : (size_t)(CHUNK_EVENTS - l->fill);
	for (; i < n && i < left; i++)
		__builtin_prefetch(eventpool_at(&r->pool,
				       l->tail * CHUNK_EVENTS + l->fill +
					   (uint32_t)i),
		    1);
	if (r->pool.free == 0)
		return;
	for (left = 0; i < n && left < CHUNK_EVENTS; i++, left++)
		__builtin_prefetch(eventpool_at(&r->pool,
				       (r->pool.free - 1) * CHUNK_EVENTS +
					   (uint32_t)left),
		    1);
}

/* May this stream take n events more?  Then there is room for them. */
static int
reorder_may(struct reorder *r, uint32_t stream, size_t n)
{
	if (stream >= r->lanes_n || !r->lanes[stream].open) {
		errno = EINVAL;
		return (-1);
	}
	if (reorder_held_bytes(r) / 2 > r->options.held_bytes_max) {
		errno = ENOBUFS; /* nobody heeds reorder_ahead() */
		return (-1);
	}
	return (eventpool_reserve(&r->pool, n / CHUNK_EVENTS + 2));
}

struct event_slot *
reorder_room(struct reorder *r, uint32_t stream, size_t *n)
{
	struct lane *l;
	uint32_t index;

	if (reorder_may(r, stream, 1) == -1)
		return (NULL);
	l = &r->lanes[stream];
	index = lanequeue_place(l, &r->pool, stream);
	if (*n > (size_t)(CHUNK_EVENTS - l->fill))
		*n = CHUNK_EVENTS - l->fill;
	return (eventpool_slot(&r->pool, index));
}

/* Worked out here, so that the table can be asked for it in time. */
static inline uint64_t
reorder_cause_id(const struct reorder *r, const struct event *ev)
{
	if (ev->kind >= EVENT_KINDS || !r->has_role[ev->kind])
		return (0);
	return (causes_id(&event_table[ev->kind], ev));
}

void
reorder_commit(struct reorder *r, uint32_t stream, size_t n)
{
	struct lane *l = &r->lanes[stream];
	uint32_t first = l->tail * CHUNK_EVENTS + l->fill;
	struct event_slot *from = eventpool_slot(&r->pool, first), *to = from;
	int64_t last = l->any ? l->pushed_ns : INT64_MIN;
	uint64_t seq = l->seq;
	size_t kept;

	for (size_t i = 0; i < n; i++) {
		int64_t t;

		if (l->any && from[i].ev.seq <= seq) {
			r->duplicates++;
			continue;
		}
		if (to != &from[i])
			*to = from[i];
		to->cause_id = reorder_cause_id(r, &to->ev);
		t = reorder_sane(r, &to->ev, last);
		r->backward += t < last;
		seq = to->ev.seq;
		to->ev.t_mon_ns = last = t;
		l->any = true;
		to++;
	}
	kept = (size_t)(to - from);
	if (kept == 0)
		return;
	if (l->held == 0) {
		l->at = first;
		if (!l->parked)
			r->head_ns[stream] = from->ev.t_mon_ns;
	}
	l->fill += (uint16_t)kept;
	l->held += (uint32_t)kept;
	l->seq = seq;
	l->pushed_ns = last;
	r->in += kept;
	credit_take(&r->credit, l->node, kept);
}

int
reorder_push(struct reorder *r, uint32_t stream, const struct event *ev,
    size_t n)
{
	if (reorder_may(r, stream, n) == -1)
		return (-1);
	while (n > 0) {
		size_t k = n;
		struct event_slot *to;
		struct lane *l = &r->lanes[stream];

		to = eventpool_slot(&r->pool,
		    lanequeue_place(l, &r->pool, stream));
		if (k > (size_t)(CHUNK_EVENTS - l->fill))
			k = CHUNK_EVENTS - l->fill;
		for (size_t i = 0; i < k; i++)
			to[i].ev = ev[i];
		reorder_commit(r, stream, k);
		ev += k;
		n -= k;
	}
	return (0);
}
