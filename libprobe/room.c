/*
 * When a ring has no room.
 *
 * The writer sees the reader's progress only here: a limit says how far it
 * may go without looking.  If there is no more room, the event is counted,
 * and from then on every event is, until a quarter of the ring is free: many
 * small gaps would say no more than a large one.  Then a record of the loss
 * is written, at the place of the loss.  The reserve lets events through that
 * give the run its structure (threads, tasks, blocks).
 *
 * Handlers may interrupt at any point.  They may only count, and move the
 * limits; `busy` keeps them from writing a record of loss twice.
 */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

/* An event interrupted for as long as this will never be resumed. */
#define ABANDONED_CYCLES (UINT64_C(1) << 33)

static struct thread *
outer(struct probe_thread *t)
{
	return ((struct thread *)(void *)t);
}

/* Records that fit now; 0 if the reader's word makes no sense. */
static uint64_t
room_free(const struct thread *t, uint64_t *tail)
{
	uint64_t used;

	*tail = atomic_load_explicit(&t->ring->tail, memory_order_acquire);
	used = PROBE_LOAD(&t->hot.next) - *tail;
	return (used > t->size ? 0 : t->size - used);
}

/* So much must be free before a full ring is used again. */
static uint64_t
enough(const struct thread *t)
{
	uint64_t quarter = t->size / 4, reserve = t->reserve + t->size / 8;

	return (quarter > reserve ? quarter : reserve);
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

/*
 * A page is made present by writing to it what is there already, in one
 * instruction: a handler may have written a record meanwhile.
 */
static void
touch(uint64_t *word)
{
#if defined(__x86_64__) && !defined(PROBE_PLAIN_ATOMICS)
	__asm__ __volatile__("orq $0, %0" : "+m"(*word) : : "memory");
#else
	__atomic_fetch_or(word, 0, __ATOMIC_RELAXED);
#endif
}

/*
 * A page that is touched for the first time costs about a microsecond, 7 ns
 * an event.  It is done ahead of the events, but not for a whole ring at
 * once: most threads never fill theirs.
 */
void
room_touch(struct thread *t)
{
	uint64_t at, end, next = PROBE_LOAD(&t->hot.next);

	while ((at = PROBE_LOAD(&t->touched)) <= next) {
		end = at + ROOM_TOUCH_RECORDS;
		if (end > t->lap)
			end = t->lap;
		for (uint64_t i = at; i < end; i += 64) /* half a page */
			touch(&t->hot.records[i & t->hot.mask].kind_c);
		if (end > at)
			touch(&t->hot.records[(end - 1) & t->hot.mask].kind_c);
		atomic_store_explicit(&t->ring->populated,
		    (uint32_t)(t->size - (t->lap - end)), memory_order_relaxed);
		PROBE_STORE(&t->touched, end >= t->lap ? UINT64_MAX : end);
	}
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return (a < b ? a : b);
}

static void
set_limits(struct thread *t, uint64_t tail)
{
	uint64_t touched = PROBE_LOAD(&t->touched);

	PROBE_STORE(&t->hot.limit_hard, least(tail + t->size, touched));
	__atomic_exchange_n(&t->hot.limit,
	    least(tail + t->size - t->reserve, touched), __ATOMIC_SEQ_CST);
	/* the collector may have given us up meanwhile: see detach() */
	if (t->serial != process_serial()) {
		PROBE_STORE(&t->hot.limit, 0);
		PROBE_STORE(&t->hot.limit_hard, 0);
	}
}

/* Until there is room, the user's patience ends or the collector goes. */
static bool
wait_for_room(const struct thread *t)
{
	uint64_t left_us = (uint64_t)process_full_wait_ms() * 1000, step = 50;
	uint64_t tail;
	struct timespec ts = { 0 };
	bool found = false;
	int cancel;

	if (left_us == 0)
		return (false);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	while (left_us > 0 && !process_gone()) {
		if (step > left_us)
			step = left_us;
		ts.tv_nsec = (long)step * 1000;
		nanosleep(&ts, NULL);
		left_us -= step;
		if (room_free(t, &tail) >= enough(t)) {
			found = true;
			break;
		}
		if (step < 1000)
			step *= 2;
	}
	pthread_setcancelstate(cancel, NULL);
	return (found);
}

/* The limit below which an event may be written now, or 0. */
static uint64_t
make_room(struct thread *t, bool hard)
{
	uint64_t tail, limit, free;

	room_touch(t);
	free = room_free(t, &tail);
	if (!t->lossy && free <= (hard ? 0 : t->reserve)) {
		if (wait_for_room(t)) {
			free = room_free(t, &tail);
		} else {
			t->lossy = 1;
			PROBE_STORE(&t->hot.limit, 0);
			PROBE_STORE(&t->hot.limit_hard, 0);
		}
	}
	limit = least(tail + t->size - (hard ? 0 : t->reserve),
	    PROBE_LOAD(&t->touched));
	if (!t->lossy) {
		set_limits(t, tail);
		return (limit);
	}
	if (free >= enough(t)) {
		tell_lost(t, limit);
		t->lossy = 0;
		set_limits(t, tail);
		PROBE_BARRIER();
		tell_lost(t, limit); /* what handlers have lost meanwhile */
		return (limit);
	}
	if (!hard || free == 0)
		return (0);
	/* in a gap: the first half of the reserve also says where it is */
	if (free > 1 && free * 2 > t->reserve)
		tell_lost(t, limit);
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

void
probe_slow(uint32_t kind, uint32_t c, uint64_t a, uint64_t b)
{
	int saved_errno = errno;
	struct thread *t = thread_ready();

	if (t == NULL)
		thread_miss();
	else if (!record(t, kind, c, a, b))
		atomic_fetch_add_explicit(&t->ring->lost_total, 1,
		    memory_order_relaxed);
	errno = saved_errno;
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
	    PROBE_LOAD(&hot->next) - head > t->size / 2)
		room_repair(t);
}

/*
 * Slots that were taken but never filled still have the time of an earlier
 * lap: they become records of loss.  Then all is published.
 */
void
room_repair(struct thread *t)
{
	struct probe_thread *hot = &t->hot;
	uint64_t i = PROBE_LOAD(&hot->head), n;
	uint64_t last = hot->records[(i - 1) & hot->mask].t_cycles;

	if (last < t->since_cycles)
		last = t->since_cycles;
	do {
		n = PROBE_LOAD(&hot->next);
		for (; i != n; i++) {
			struct probe_record *r = &hot->records[i & hot->mask];

			if (r->t_cycles > last) {
				last = r->t_cycles;
				continue;
			}
			r->t_cycles = last;
			r->kind_c = (uint64_t)LOST_INVALID << 32 | EV_lost;
			r->a = 1;
			r->b = 1 + atomic_fetch_add(&t->ring->lost_total, 1);
			t->reported++;
			atomic_fetch_add(&t->ring->lost_records, 1);
		}
		PROBE_PUBLISH(&hot->shared->head, n);
		PROBE_BARRIER();
		PROBE_STORE(&hot->head, n);
		PROBE_BARRIER();
	} while (PROBE_LOAD(&hot->next) != n && PROBE_LOAD(&hot->head) == n);
	PROBE_PUBLISH(&hot->shared->active, 0);
	t->held = UINT64_MAX;
}
