/*
 * The second half of the drain: what was seen is taken, and what is in the
 * spool is given back.
 *
 * A thread ends in two steps.  In the take that empties its ring, losses that
 * it could not write down any more are told as its last event; once that is in
 * the spool, its account is made and the ring is free again.  A PO ends in
 * the same way, after its threads.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "drain_choice.h"
#include "drain_in.h"
#include "log.h"

int
drain_room(struct drain *d)
{
	if (drain_fits(d))
		return (0);
	return (d->ops->full(d->arg));
}

/* Losses after the last record that had room. */
static int
slot_take_rest(struct drain_po *dp, struct slot *s, const struct ring *r)
{
	struct stream *st = s->st;
	uint64_t total = atomic_load(&r->lost_total) + s->invalid;
	struct node_event e = {
		.t_node_ns =
		    s->last_ns > s->bound_ns ? s->last_ns : s->bound_ns,
		.kind = EV_lost,
		.a = total - st->lost,
		.b = total,
		.c = LOST_RING_FULL,
	};

	s->rest = true;
	if (s->hostile || total <= st->lost || e.a > UINT64_C(1) << 48)
		return (0);
	/* one before us may have vouched for times since: now, then */
	if (dp->recovered || e.t_node_ns == INT64_MIN)
		e.t_node_ns = dp->d->now_ns[dp->source.clock];
	if (batch_add_run(dp->d->writer, st->number, st->next_seq, &e, 1) == -1)
		return (-1);
	st->next_seq++;
	st->lost = total;
	st->lost_records++;
	return (0);
}

/* Converts d->records and encodes them; -1: nothing has changed. */
static int
slot_take_run(struct drain_po *dp, struct slot *s, size_t n)
{
	struct drain *d = dp->d;
	struct stream was = *s->st;
	uint32_t open[EVENT_CLASSES];
	uint64_t invalid = s->invalid;
	int64_t last_ns = s->last_ns;

	memcpy(open, s->open, sizeof(open));
	drain_convert(dp, s, d->records, d->events, n);
	if (drain_places_tell(dp) == 0 &&
	    batch_add_run(d->writer, s->st->number, s->taken, d->events, n) ==
		0)
		return (0);
	memcpy(s->open, open, sizeof(open));
	s->invalid = invalid;
	s->last_ns = last_ns;
	s->st->lost = was.lost;
	s->st->lost_records = was.lost_records;
	return (-1);
}

static int
slot_take(struct drain_po *dp, struct slot *s, struct ring *r)
{
	const struct segment_layout *l = &dp->source.layout;
	struct drain *d = dp->d;
	const struct ring_record *records = drain_ring_records(dp, s);
	uint64_t n, at;

	while (s->taken < s->head) {
		at = ring_find(r, l->ring_first, l->generations, s->taken, &n);
		if (n > s->head - s->taken)
			n = s->head - s->taken;
		if (n > DRAIN_CHUNK)
			n = DRAIN_CHUNK;
		memcpy(d->records, records + at, n * sizeof(*d->records));
		if (slot_take_run(dp, s, n) == -1)
			return (-1);
		s->taken += n;
		s->st->next_seq = s->taken;
		if (drain_room(d) == -1)
			return (-1);
	}
	if (s->closing && !s->rest)
		return (slot_take_rest(dp, s, r));
	return (0);
}

/* It has left of itself: also by _exit(), of which libprobe hears nothing. */
static bool
po_is_clean(const struct drain_po *dp)
{
	uint32_t how = dp->ending & ~0xffu;

	return (dp->clean || how == ENDING_EXITED || how == ENDING_BECAME);
}

/* If it is told, then by one before us, who died at it. */
static int
po_take_end(struct drain_po *dp, int64_t now_node_ns)
{
	struct po *po = dp->po;

	if (!po->end_told && drain_choice_end(dp, now_node_ns) == -1)
		return (-1);
	if (!po->end_told && dp->buried &&
	    drain_say(dp, EV_lost, 0, po->about->lost, LOST_GONE,
		now_node_ns) == -1)
		return (-1);
	if (!po->end_told && drain_say(dp, EV_po_end, po->pid, po_is_clean(dp),
				 dp->ending, now_node_ns) == -1)
		return (-1);
	po->end_told = dp->ended = true;
	return (0);
}

/* The collector's own word: events without a ring, and the end. */
static int
po_take_about(struct drain_po *dp, int64_t now_node_ns)
{
	uint64_t no_ring = atomic_load(&dp->source.seg->lost_no_ring);
	uint64_t n = no_ring - dp->no_ring;

	if (no_ring > dp->no_ring && n < UINT64_C(1) << 48) {
		if (drain_say(dp, EV_lost, n, no_ring, LOST_NO_RING,
			now_node_ns) == -1)
			return (-1);
		dp->no_ring = no_ring;
	}
	if (!dp->detached || dp->ended || !dp->looked)
		return (0);
	if (dp->source.sched != NULL &&
	    dp->d->vouch_ns[RING_CLOCK_RAW] < dp->left_ns)
		return (0); /* the last switches are still to come */
	for (uint32_t i = 0; i < dp->used; i++) {
		const struct slot *s = &dp->slots[i];

		/* not closing: detached since the last look at its ring */
		if (s->unread ||
		    (s->st != NULL && (!s->closing || s->taken != s->head)))
			return (0);
	}
	return (po_take_end(dp, now_node_ns));
}

static int
po_take(struct drain_po *dp, int64_t now_node_ns)
{
	int rc = drain_names(dp);

	if (rc != 0)
		return (rc == -1 ? -1 : 0);
	for (uint32_t i = 0; i < dp->used; i++) {
		struct slot *s = &dp->slots[i];

		if (s->st == NULL)
			continue;
		if (drain_room(dp->d) == -1 ||
		    slot_take(dp, s,
			segment_ring(dp->source.seg, &dp->source.layout, i)) ==
			-1)
			return (-1);
	}
	if (drain_room(dp->d) == -1)
		return (-1);
	return (po_take_about(dp, now_node_ns));
}

int
drain_take(struct drain *d, int64_t now_node_ns)
{
	d->names_taken = 0;
	for (size_t i = 0; i < d->npos; i++) {
		if (po_take(d->pos[i], now_node_ns) == -1)
			return (-1);
	}
	drain_watermark_advance(d);
	return (0);
}

void
drain_cut(struct drain *d)
{
	for (size_t i = 0; i < d->npos; i++)
		d->pos[i]->fresh = false;
}

/* While it happens, once, with what would have helped. */
static void
po_warn_of_loss(struct drain_po *dp)
{
	uint64_t no_ring = atomic_load_explicit(&dp->source.seg->lost_no_ring,
	    memory_order_relaxed);
	uint64_t lost = 0;

	for (uint32_t k = 0; k < dp->used; k++) {
		if (dp->slots[k].st != NULL)
			lost +=
			    atomic_load_explicit(&segment_ring(dp->source.seg,
						     &dp->source.layout, k)
						      ->lost_total,
				memory_order_relaxed);
	}
	if (lost + no_ring == 0)
		return;
	dp->loss_told = true;
	if (lost > 0)
		log_warnx("po %u (%s): it makes events faster than they can be "
			  "taken and has lost %" PRIu64 " so far; `full: "
			  "wait:1000', a `ring' of more than %" PRIu64
			  "K or fewer classes in `mask' would keep them",
		    dp->po->number, dp->po->program, lost,
		    dp->source.layout.ring_records *
			sizeof(struct ring_record) / 1024);
	else
		log_warnx("po %u (%s): it has more than %u threads at a time; "
			  "events of the others are lost, %" PRIu64
			  " so far; more `rings' would keep them",
		    dp->po->number, dp->po->program, dp->source.layout.nrings,
		    no_ring);
}

void
drain_taken(struct drain *d)
{
	for (size_t i = 0; i < d->npos; i++) {
		struct drain_po *dp = d->pos[i];

		if (!dp->loss_told)
			po_warn_of_loss(dp);
		for (uint32_t k = 0; k < dp->used; k++) {
			struct slot *s = &dp->slots[k];
			struct ring *r;

			if (s->st == NULL || s->tail == s->taken)
				continue;
			r = segment_ring(dp->source.seg, &dp->source.layout, k);
			s->tail = s->taken;
			atomic_store_explicit(&r->tail, s->tail,
			    memory_order_release);
			drain_ring_passed(dp, s);
			if (s->st->lost != s->st->journaled_lost)
				(void)ident_stream_note(d->ident, s->st);
		}
		/* no ring tells how far our own word has come */
		if (!dp->fresh &&
		    dp->po->about->next_seq != dp->po->about->journaled_seq)
			(void)ident_stream_note(d->ident, dp->po->about);
	}
}

static unsigned
slot_reap(struct drain_po *dp, struct slot *s)
{
	bool done = s->hostile || (s->rest && s->tail == s->head);

	if (s->st == NULL || s->done || !s->closing || !done)
		return (0);
	if (ident_stream_end(dp->d->ident, s->st, !s->hostile) == -1)
		return (0);
	s->done = true;
	dp->d->threads--;
	dp->published += stream_published(s->st);
	dp->lost += s->st->lost;
	return (1);
}

/* Threads of a PO whose rings nobody has any more. */
static unsigned
reap_unknown(struct drain *d, struct po *po)
{
	unsigned n = 0;

	for (size_t i = ident_streams(d->ident); i-- > 0;) {
		struct stream *st = ident_stream_at(d->ident, i);

		if (st->po != po->number || st->ended || st == po->about)
			continue;
		if (ident_stream_end(d->ident, st, false) == 0)
			n++;
	}
	return (n);
}

/* A ring could not be ended for want of memory. */
static bool
po_open(const struct drain_po *dp)
{
	for (uint32_t k = 0; k < dp->used; k++) {
		if (dp->slots[k].st != NULL && !dp->slots[k].done)
			return (true);
	}
	return (false);
}

unsigned
drain_reap(struct drain *d)
{
	unsigned ended = 0;

	for (size_t i = 0; i < d->npos; i++) {
		struct drain_po *dp = d->pos[i];

		for (uint32_t k = 0; k < dp->used; k++)
			ended += slot_reap(dp, &dp->slots[k]);
		if (!dp->ended || dp->done || po_open(dp))
			continue;
		ended += reap_unknown(d, dp->po);
		if (ident_stream_end(d->ident, dp->po->about, true) == -1)
			continue; /* next time */
		ended++;
		if (dp->lost + dp->no_ring > 0)
			log_warnx("po %u (%s): %" PRIu64 " of its %" PRIu64
				  " events are lost",
			    dp->po->number, dp->po->program,
			    dp->lost + dp->no_ring,
			    dp->published + dp->no_ring);
		drain_places_end(dp);
		ident_po_end(d->ident, dp->po);
		dp->done = true;
	}
	return (ended);
}

static void
slot_release(struct drain_po *dp, struct slot *s)
{
	if (!s->done || dp->detached) /* no other thread will take it */
		return;
	s->done = false;
	s->st = NULL;
	if (!s->hostile)
		drain_ring_reclaim(dp, s);
}

void
drain_release(struct drain *d)
{
	size_t i = 0;

	while (i < d->npos) {
		struct drain_po *dp = d->pos[i];

		for (uint32_t k = 0; k < dp->used; k++)
			slot_release(dp, &dp->slots[k]);
		if (!dp->done) {
			i++;
			continue;
		}
		drain_po_free(dp);
		d->pos[i] = d->pos[--d->npos];
	}
}

bool
drain_has(const struct drain *d, const struct po *po)
{
	for (size_t i = 0; i < d->npos; i++) {
		if (d->pos[i]->po == po)
			return (true);
	}
	return (false);
}

void
drain_check_threads(struct drain *d)
{
	for (size_t i = 0; i < d->npos; i++) {
		struct drain_po *dp = d->pos[i];

		if (dp->source.ops->thread_alive == NULL || dp->detached)
			continue;
		for (uint32_t k = 0; k < dp->used; k++) {
			struct slot *s = &dp->slots[k];
			struct ring *r =
			    segment_ring(dp->source.seg, &dp->source.layout, k);
			uint32_t live = RING_LIVE;

			if (s->st == NULL || s->closing)
				continue;
			if (s->head == s->checked &&
			    !dp->source.ops->thread_alive(dp->source.arg,
				s->st->tid))
				atomic_compare_exchange_strong(&r->state, &live,
				    RING_CLOSED);
			s->checked = s->head;
		}
	}
}

int64_t
drain_watermark_ns(const struct drain *d)
{
	return (d->watermark_ns);
}

bool
drain_urgent(const struct drain *d)
{
	return (d->urgent);
}

bool
drain_ready(const struct drain *d)
{
	return (!d->unready);
}

bool
drain_active(const struct drain *d)
{
	return (d->active);
}

size_t
drain_pos(const struct drain *d)
{
	return (d->npos);
}

size_t
drain_threads(const struct drain *d)
{
	return (d->threads);
}
