/*
 * The drain.
 *
 * How far a stream is complete.  A thread sets `active`, reads the clock,
 * writes its record, publishes it, and clears `active`, without a fence
 * between the first two: the mark may show up after the clock was read.  It
 * does show up within well under a look's distance.  So when a look finds a
 * ring that is not active, then everything before the time that was read at
 * an EARLIER look (vouch_ns, at least VOUCH_NS ago) has been published; when
 * it is active, no more is known than up to its last published event.  Never
 * vouch for the time of the present look: a preempted thread would make a
 * liar of us.
 *
 * A record that is published after the clock was read may be of a later time
 * than that: its ring is looked at after the clock, and this process may be
 * kept from its work anywhere between the two.  So the clock is read again
 * before what was seen is taken, and records are held against that reading.
 *
 * What memory says is taken as hearsay: head must lie between what was taken
 * and what fits; a ring where it does not is closed, and its thread's count
 * is unknown.
 */
#include "drain.h"

#include <stdlib.h>
#include <string.h>

#include "collector/ident/text.h"
#include "drain_in.h"
#include "log.h"

#define VOUCH_NS     INT64_C(200000)     /* a store is visible after this */
#define SLACK_NS     INT64_C(1000)       /* jitter between clocks */
#define TAKEN_MAX_NS INT64_C(1000000000) /* TAKEN, and then nothing */

struct drain *
drain_new(struct ident *ident, struct batch_writer *writer,
    const struct drain_ops *ops, void *arg, struct nodeclock *lines)
{
	struct drain *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return (NULL);
	d->ident = ident;
	d->writer = writer;
	d->ops = ops;
	d->arg = arg;
	d->watermark_ns = INT64_MIN;
	d->clocks = lines != NULL ? lines : d->own;
	for (int c = 0; c < DRAIN_CLOCKS; c++)
		d->vouch_ns[c] = d->mark_ns[c] = d->latest_ns[c] = INT64_MIN;
	drain_kinds(d->kinds);
	drain_spans(d->spans);
	return (d);
}

void
drain_free(struct drain *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->npos; i++)
		drain_po_free(d->pos[i]);
	free(d->pos);
	free(d);
}

void
drain_clock(struct drain *d, const struct clock_pair pairs[DRAIN_CLOCKS])
{
	for (int c = 0; c < DRAIN_CLOCKS; c++) {
		if (!d->resumed)
			nodeclock_resume(&d->clocks[c], &pairs[c]);
		nodeclock_update(&d->clocks[c], &pairs[c]);
		d->now_ns[c] =
		    nodeclock_ready(&d->clocks[c])
			? nodeclock_ns(&d->clocks[c], pairs[c].t_cycles)
			: pairs[c].t_node_ns;
		if (d->now_ns[c] > d->latest_ns[c])
			d->latest_ns[c] = d->now_ns[c];
	}
	d->resumed = true;
}

/* What may be vouched for at this look: a time read well before it. */
static void
vouch_advance(struct drain *d)
{
	for (int c = 0; c < DRAIN_CLOCKS; c++) {
		if (d->mark_ns[c] != INT64_MIN &&
		    d->now_ns[c] - d->mark_ns[c] < VOUCH_NS)
			continue;
		if (d->mark_ns[c] != INT64_MIN)
			d->vouch_ns[c] = d->mark_ns[c] - SLACK_NS;
		d->mark_ns[c] = d->now_ns[c];
	}
}

static void
slot_hostile(struct drain_po *dp, struct slot *s, const char *what)
{
	s->hostile = true;
	if (!dp->warned)
		log_warnx("po %u: %s; a ring is closed", dp->po->number, what);
	dp->warned = true;
}

/* A thread of a program that was drained before this process started. */
static int
slot_recover(struct drain_po *dp, struct slot *s, struct ring *r)
{
	uint64_t tail = atomic_load(&r->tail), head = atomic_load(&r->head);

	if (s->st->ended) {
		s->st = NULL; /* accounted for, and then we died */
		drain_ring_reclaim(dp, s);
		return (-1);
	}
	if (tail < s->st->next_seq)
		tail = s->st->next_seq;
	if (tail == head + 1) /* its last word was ours: see take.c */
		tail = head;
	if (s->st->next_seq < tail)
		s->st->next_seq = tail;
	s->tail = s->taken = tail;
	return (0);
}

/*
 * The ring was drained by a collector whose journal is lost: it goes on where
 * that one stopped, and monitord sees by the number what is missing.
 */
static void
slot_resume(struct slot *s, struct ring *r)
{
	uint64_t tail = atomic_load(&r->tail), head = atomic_load(&r->head);

	if (tail == 0 || tail > head)
		return;
	s->tail = s->taken = s->st->next_seq = tail;
	s->st->lost = atomic_load(&r->lost_total);
	s->st->lost_records = atomic_load(&r->lost_records);
}

/* A ring has a thread that we have not seen yet.  -1: not now. */
static int
slot_open(struct drain_po *dp, struct slot *s, struct ring *r)
{
	struct msg_thread m = {
		.po = dp->po->number,
		.thread = atomic_load(&r->thread),
		.tid = atomic_load(&r->tid),
	};
	char name[RING_NAME_BYTES + 1];

	s->unread = false;
	s->bound_ns = s->last_ns = dp->d->watermark_ns;
	s->tail = s->taken = s->head = s->checked = s->invalid = 0;
	s->emptied = drain_ring_emptied(dp, r);
	memset(s->open, 0, sizeof(s->open));
	s->closing = s->rest = s->hostile = s->done = false;
	s->st = NULL;
	if (!drain_fits(dp->d)) { /* the next look finds it again */
		dp->d->urgent = true;
		return (-1);
	}
	s->st = ident_stream(dp->d->ident, m.po, m.thread);
	if (m.thread == 0 ||
	    (s->st != NULL && (!dp->recovered || s->st->attached))) {
		s->st = NULL;
		slot_hostile(dp, s, "a thread's number makes no sense");
		return (-1);
	}
	if (s->st != NULL) {
		if (slot_recover(dp, s, r) == -1)
			return (-1);
	} else {
		memcpy(name, r->name, RING_NAME_BYTES);
		name[RING_NAME_BYTES] = '\0';
		text_clean(name, strlen(name));
		s->st = ident_stream_new(dp->d->ident, dp->po, m.thread, m.tid,
		    name);
		if (s->st == NULL)
			return (-1);
		if (dp->recovered)
			slot_resume(s, r);
		m.location = s->st->number;
		m.name = BYTES_STR(name);
		/* if not, monitord asks for the definitions by closing */
		(void)batch_add_definition(dp->d->writer, MSG_thread, &m);
	}
	s->st->attached = true;
	dp->d->threads++;
	return (0);
}

/*
 * TAKEN but not LIVE: its first event may be under way, so no time may pass.
 * It is not waited for when it takes too long: the thread may have died.
 */
static void
slot_hold(struct drain_po *dp, struct slot *s)
{
	int64_t now_ns = dp->d->now_ns[dp->source.clock];

	if (s->held_ns == 0)
		s->held_ns = now_ns;
	if (now_ns - s->held_ns < TAKEN_MAX_NS && !dp->detached)
		dp->d->holding = true;
}

/* Returns the records that wait. */
static uint64_t
slot_look(struct drain_po *dp, struct slot *s, struct ring *r)
{
	const struct segment_layout *l = &dp->source.layout;
	uint32_t state;
	uint64_t head;

	/* the state first: what is CLOSED has its last head */
	state = atomic_load_explicit(&r->state, memory_order_acquire);
	if (s->done)
		dp->d->urgent = true; /* its account is not saved yet */
	if (s->hostile || s->done)
		return (0);
	if (s->st == NULL) {
		if (state == RING_TAKEN)
			slot_hold(dp, s);
		else
			s->held_ns = 0;
		if (state == RING_RECLAIM)
			drain_ring_reclaim(dp, s);
		if (state != RING_LIVE && state != RING_CLOSED)
			return (0);
		if (slot_open(dp, s, r) == -1) {
			/* no room: nothing is vouched for meanwhile */
			s->unread = !s->hostile && s->st == NULL &&
				    atomic_load(&r->state) != RING_FREE;
			dp->d->unready |= s->unread;
			return (0);
		}
	}
	s->active = atomic_load_explicit(&r->active, memory_order_acquire) != 0;
	head = atomic_load_explicit(&r->head, memory_order_acquire);
	if (head < s->taken ||
	    head - s->tail > ring_before(l->ring_first, l->generations)) {
		slot_hostile(dp, s, "a ring's counts make no sense");
		s->closing = true;
		s->head = s->taken;
		return (0);
	}
	s->closing = state != RING_LIVE || dp->detached;
	s->head = head;
	dp->d->active |= s->active && !s->closing;
	if (head - s->tail > l->ring_records / 4 || s->closing)
		dp->d->urgent = true;
	return (head - s->taken);
}

static uint64_t
po_look(struct drain_po *dp)
{
	const struct segment_layout *l = &dp->source.layout;
	uint32_t used = atomic_load(&dp->source.seg->rings_used);
	uint64_t waiting = 0;

	if (!nodeclock_ready(&dp->d->clocks[dp->source.clock])) {
		dp->d->unready = true;
		return (0);
	}
	dp->looked = true;
	if (used > l->nrings)
		used = l->nrings;
	if (used > dp->used)
		dp->used = used;
	for (uint32_t i = 0; i < dp->used; i++)
		waiting += slot_look(dp, &dp->slots[i],
		    segment_ring(dp->source.seg, l, i));
	if (dp->detached && (!dp->ended || dp->done))
		dp->d->urgent = true;
	if (atomic_load_explicit(&dp->source.seg->names_used,
		memory_order_relaxed) > dp->names_at &&
	    !dp->names_bad) {
		waiting++;
		dp->d->urgent |= dp->names_behind;
	}
	return (waiting);
}

/* The least of what all streams are complete to. */
void
drain_watermark_advance(struct drain *d)
{
	int64_t least = INT64_MAX;

	for (int c = RING_CLOCK_TSC; c < DRAIN_CLOCKS; c++) {
		if (d->vouch_ns[c] < least)
			least = d->vouch_ns[c];
	}
	if (d->unready || d->holding)
		return;
	for (size_t i = 0; i < d->npos; i++) {
		struct drain_po *dp = d->pos[i];
		int64_t vouch_ns = d->vouch_ns[dp->source.clock];

		for (uint32_t k = 0; k < dp->used; k++) {
			struct slot *s = &dp->slots[k];

			if (s->st == NULL || s->hostile || s->done ||
			    (s->closing && s->taken == s->head))
				continue;
			if (s->taken == s->head && !s->active &&
			    s->bound_ns < vouch_ns)
				s->bound_ns = vouch_ns;
			else if (s->bound_ns < s->last_ns)
				s->bound_ns = s->last_ns;
			if (s->bound_ns < least)
				least = s->bound_ns;
		}
	}
	if (least > d->watermark_ns)
		d->watermark_ns = least;
}

uint64_t
drain_look(struct drain *d)
{
	uint64_t waiting = 0;

	vouch_advance(d);
	d->urgent = d->active = d->unready = d->holding = false;
	for (size_t i = 0; i < d->npos; i++)
		waiting += po_look(d->pos[i]);
	if (d->ops->sched != NULL &&
	    !d->ops->sched(d->arg, d->vouch_ns[RING_CLOCK_RAW]))
		d->unready = true;
	drain_watermark_advance(d);
	return (waiting);
}
