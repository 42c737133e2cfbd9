/*
 * When a ring has no room.
 *
 * The writer sees the reader's progress only here: a limit says how far it
 * may go without looking.  If there is no more room, the ring grows (grow.c).
 * When it has its full size, or all rings of the process have the memory that
 * they may have, the event is counted, and from then on every
 * event is, until a quarter of the ring is free: many small gaps would say no
 * more than a large one.  Then a record of the loss is written, at the place
 * of the loss.  The reserve lets events through that give the run its
 * structure (threads, tasks, blocks).
 *
 * Handlers may interrupt at any point.  They may only count, grow, and move
 * the limits; `busy` keeps them from writing a record of loss twice.
 */
#include "internal.h"

#include <errno.h>
#include <pthread.h>

#include "choice.h"
#include "grow.h"
#include "libprobe/meet/direct.h"

/* An event interrupted for as long as this will never be resumed. */
#define ABANDONED_CYCLES (UINT64_C(1) << 33)
/* A piece of a repair: a microsecond or two. */
#define REPAIR_RECORDS   256u

static struct thread *
outer(struct probe_thread *t)
{
	return ((struct thread *)(void *)t);
}

/*
 * How far the ring goes with what the reader has taken.  What an earlier
 * generation still has takes nothing from this one.  No farther than we are
 * if the reader's word makes no sense.
 */
static uint64_t
room_end(const struct thread *t)
{
	uint64_t from, tail, next, size;
	uint32_t g;

	do {
		g = PROBE_LOAD(&t->generation);
		size = ring_size(t->first, g);
		from = atomic_load_explicit(&t->ring->start[g],
		    memory_order_relaxed);
		tail =
		    atomic_load_explicit(&t->ring->tail, memory_order_acquire);
		next = PROBE_LOAD(&t->hot.next);
		if (from < tail)
			from = tail;
	} while (g != PROBE_LOAD(&t->generation)); /* a handler lets it grow */
	return (next - from > size ? next : from + size);
}

/* Records that fit below that end now. */
static uint64_t
room_free(const struct thread *t, uint64_t end)
{
	uint64_t next = PROBE_LOAD(&t->hot.next);

	return (next < end ? end - next : 0);
}

/* As much of it as the ring has now of its full size. */
static uint64_t
reserve_of(const struct thread *t)
{
	return (t->reserve >> 2 * (t->last - PROBE_LOAD(&t->generation)));
}

/* So much must be free before a full ring is used again. */
static uint64_t
enough(const struct thread *t)
{
	uint64_t size = ring_size(t->first, PROBE_LOAD(&t->generation));
	uint64_t quarter = size / 4, least = reserve_of(t) + size / 8;

	return (quarter > least ? quarter : least);
}

/* The gap so far, as a record, if it can be written below limit. */
static void
tell_lost(struct thread *t, uint64_t limit)
{
	uint64_t total;

	while (PROBE_LOAD(&t->busy) == 0) {
		total = atomic_load_explicit(&t->ring->lost_total,
		    memory_order_relaxed);
		if (total == t->reported)
			return;
		PROBE_STORE(&t->busy, 1);
		PROBE_BARRIER();
		if (!probe_write(&t->hot, &limit, EV_lost, LOST_RING_FULL,
			total - t->reported, total))
			limit = 0;
		else {
			t->reported = total;
			atomic_fetch_add_explicit(&t->ring->lost_records, 1,
			    memory_order_relaxed);
		}
		PROBE_BARRIER();
		PROBE_STORE(&t->busy, 0);
		if (limit == 0)
			return;
	}
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return (a < b ? a : b);
}

/* Until there is room, the user's patience ends or the collector goes. */
static bool
wait_for_room(const struct thread *t)
{
	uint64_t left_us = (uint64_t)process_full_wait_ms() * 1000, step = 50;
	bool found = false;
	struct uncancelled cancel;

	if (left_us == 0)
		return (false);
	cancel_off(&cancel);
	while (left_us > 0 && !process_gone()) {
		if (step > left_us)
			step = left_us;
		direct_sleep((long)step * 1000);
		left_us -= step;
		if (room_free(t, room_end(t)) >= enough(t)) {
			found = true;
			break;
		}
		if (step < 1000)
			step *= 2;
	}
	cancel_back(&cancel);
	return (found);
}

/* What a look at the ring has found; handlers may have used some of it. */
struct room {
	uint64_t end, free, reserve;
};

/* The ring has grown if it was full.  While it can, it needs no reserve. */
static struct room
room_make(struct thread *t)
{
	struct room room = { 0 };
	bool grows;

	grow_finish(t);
	do {
		grows = grow_may(t); /* before a handler lets it grow */
		room.end = room_end(t);
		room.free = room_free(t, room.end);
		if (grows && room.free == 0)
			grow(t);
	} while (grows && room.free == 0);
	room.reserve = grows ? 0 : reserve_of(t);
	room_touch(t);
	return (room);
}

/* While ours are 0, those of `hot` are, too. */
void
limits_close(struct thread *t)
{
	PROBE_STORE(&t->hot.limit_hard, 0);
	__atomic_store_n(&t->hot.limit, 0, __ATOMIC_SEQ_CST);
	PROBE_STORE(&t->limit, 0);
	__atomic_store_n(&t->limit_hard, 0, __ATOMIC_SEQ_CST);
}

void
limits_again(struct thread *t)
{
	bool comes_by = PROBE_LOAD(&t->comes_by) != 0;

	PROBE_STORE(&t->hot.limit_hard,
	    comes_by ? 0 : PROBE_LOAD(&t->limit_hard));
	__atomic_exchange_n(&t->hot.limit, comes_by ? 0 : PROBE_LOAD(&t->limit),
	    __ATOMIC_SEQ_CST);
	/* the collector may have given us up meanwhile: see detach() */
	if (t->serial != process_serial())
		limits_close(t);
}

static void
set_limits(struct thread *t, const struct room *room)
{
	uint64_t touched = PROBE_LOAD(&t->touched);

	PROBE_STORE(&t->limit_hard, least(room->end, touched));
	PROBE_STORE(&t->limit, least(room->end - room->reserve, touched));
	limits_again(t);
}

/* In a gap: the limit below which this event may be written, or 0. */
static uint64_t
make_room_lossy(struct thread *t, const struct room *room, uint64_t limit,
    bool hard)
{
	if (room->free >= enough(t)) {
		tell_lost(t, limit);
		t->lossy = 0;
		set_limits(t, room);
		PROBE_BARRIER();
		tell_lost(t, limit); /* what handlers have lost meanwhile */
		return (limit);
	}
	if (!hard || room->free == 0)
		return (0);
	/* the first half of the reserve also says where it is */
	if (room->free > 1 && room->free * 2 > room->reserve)
		tell_lost(t, limit);
	return (limit);
}

/* The limit below which an event may be written now, or 0. */
static uint64_t
make_room(struct thread *t, bool hard)
{
	struct room room = room_make(t);
	uint64_t limit;

	if (!t->lossy && room.free <= (hard ? 0 : room.reserve)) {
		if (!wait_for_room(t)) {
			t->lossy = 1;
			limits_close(t);
		}
		room = room_make(t);
	}
	limit = least(room.end - (hard ? 0 : room.reserve),
	    PROBE_LOAD(&t->touched));
	if (t->lossy)
		return (make_room_lossy(t, &room, limit, hard));
	set_limits(t, &room);
	return (limit);
}

static bool
record(struct thread *t, uint32_t kind, uint32_t c, uint64_t a, uint64_t b)
{
	/* more than once only if handlers have used up what there was */
	for (int i = 0; i < 4; i++) {
		uint64_t limit = make_room(t, (kind & PROBE_HARD) != 0);

		if (limit == 0)
			return (false);
		if (probe_write(&t->hot, &limit, kind, c, a, b))
			return (true);
	}
	return (false);
}

/* Rare: the ring is looked at, or there is none. */
static __attribute__((noinline)) void
slower(struct thread *t, uint32_t kind, uint32_t c, uint64_t a, uint64_t b)
{
	if (!record(t, kind, c, a, b))
		atomic_fetch_add_explicit(&t->ring->lost_total, 1,
		    memory_order_relaxed);
}

void
probe_slow(uint32_t kind, uint32_t c, uint64_t a, uint64_t b)
{
	int saved_errno = errno;
	struct thread *t = thread_ready();

	if (t == NULL) {
		if (choice_wants_ever(kind & 0xffff))
			thread_miss();
	} else if (choice_wants(t, kind & 0xffff, c, a) &&
		   !probe_write(&t->hot,
		       (kind & PROBE_HARD) != 0 ? &t->limit_hard : &t->limit,
		       kind, c, a, b)) {
		slower(t, kind, c, a, b);
	}
	errno = saved_errno;
}

int
probe_tells(uint32_t kind)
{
	int saved_errno = errno;
	struct thread *t = thread_ready();
	int wanted = t == NULL || choice_wants(t, PROBE_own, kind, 0);

	errno = saved_errno;
	return (wanted);
}

static uint64_t
ring_half(const struct thread *t)
{
	uint32_t g = grow_may(t) ? t->last : PROBE_LOAD(&t->generation);

	return (ring_size(t->first, g) / 2);
}

/*
 * An event has interrupted another one of its thread, which will publish
 * both.  Unless it never goes on, because the handler has left by longjmp:
 * that is assumed after some seconds, or half a ring.
 */
void
probe_nested(struct probe_thread *hot, uint64_t t_cycles)
{
	struct thread *t = outer(hot);
	uint64_t head = PROBE_LOAD(&hot->head);

	if (t->held != head) {
		t->held = head;
		t->held_since = t_cycles;
		return;
	}
	if (t_cycles - t->held_since > ABANDONED_CYCLES ||
	    PROBE_LOAD(&hot->next) - head > ring_half(t))
		room_repair(t);
}

/* Where record i of the ring is, whatever generation it is of. */
static struct probe_record *
record_at(const struct thread *t, uint64_t i)
{
	uint64_t n;

	return (t->memory + ring_find(t->ring, t->first, t->last + 1, i, &n));
}

/*
 * Slots that were taken but never filled still have the time of an earlier
 * lap: records i to n that have become records of loss are returned.  Doing
 * it twice changes nothing, and what is no longer the next piece to publish
 * is left alone: a handler has done it.
 */
static uint64_t
fill_lost(struct thread *t, uint64_t i, uint64_t n)
{
	const uint64_t first = i, total = atomic_load(&t->ring->lost_total);
	uint64_t last = i == 0 ? 0 : record_at(t, i - 1)->t_cycles, lost = 0;

	if (last < t->since_cycles)
		last = t->since_cycles;
	for (; i != n && PROBE_LOAD(&t->hot.head) == first; i++) {
		struct probe_record *r = record_at(t, i);

		if (r->t_cycles > last) {
			last = r->t_cycles;
			continue;
		}
		r->t_cycles = last;
		r->kind_c = (uint64_t)LOST_INVALID << 32 | EV_lost;
		r->a = 1;
		r->b = total + ++lost;
	}
	return (lost);
}

/* *at to `to`, unless it is there already; whether it was us. */
static bool
advance(uint64_t *at, uint64_t to)
{
	uint64_t from = PROBE_LOAD(at);

	while (from < to)
		if (__atomic_compare_exchange_n(at, &from, to, 0,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return (true);
	return (false);
}

/*
 * In pieces, each published before the next is begun: a handler that comes
 * meanwhile goes on from there, so handlers that come faster than a ring can
 * be looked through do not pile up, each with all the work before it.
 */
void
room_repair(struct thread *t)
{
	struct probe_thread *hot = &t->hot;
	uint64_t i, n, lost;

	while ((i = PROBE_LOAD(&hot->head)) != (n = PROBE_LOAD(&hot->next))) {
		if (n - i > REPAIR_RECORDS)
			n = i + REPAIR_RECORDS;
		lost = fill_lost(t, i, n);
		advance(&hot->shared->head, n);
		if (!advance(&hot->head, n))
			continue;
		atomic_fetch_add(&t->ring->lost_total, lost);
		atomic_fetch_add(&t->ring->lost_records, lost);
		t->reported += lost;
	}
	PROBE_PUBLISH(&hot->shared->active, 0);
	t->held = UINT64_MAX;
}
