/*
 * There is a collector, but it does not answer, has no room, or we have none
 * for what it gives.  The process goes on and asks again, at longer and longer
 * intervals; the events in between are counted, and the count is told when it
 * is attached at last (EV_lost), or at its end.
 *
 * A thread asks when it makes an event, so it must not cost much: how long it
 * waits for an answer is a tenth of the time since it has asked last.  A
 * collector that has just told us that it is there is waited for longer, once.
 */
#include "refused.h"
#include "libprobe/meet/bulk.h"

#include <stdatomic.h>
#include <time.h>

#define PAUSE_FIRST_MS 100
#define PAUSE_LAST_MS  2000
#define WAIT_FIRST_MS  300
#define WAIT_LAST_MS   100

#define NEVER INT64_MAX

static _Atomic int64_t due_ms = NEVER;
static _Atomic bool counts;
static _Atomic int pause_ms;

/* One counter would be fought for by all threads. */
#define SHARES 16
static struct {
	_Alignas(64) _Atomic uint64_t events;
} missed[SHARES] BULK;
static _Atomic uint32_t threads;
static __thread uint32_t share; /* plus 1 */

/* To some milliseconds, for a few nanoseconds. */
static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return ((int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000);
}

void
refused_begin(void)
{
	int64_t now = now_ms();
	int pause = pause_ms == 0 ? PAUSE_FIRST_MS : pause_ms * 2;

	atomic_store(&counts, true);
	pause_ms = pause > PAUSE_LAST_MS ? PAUSE_LAST_MS : pause;
	atomic_store(&due_ms, now + pause_ms);
}

void
refused_end(void)
{
	atomic_store(&due_ms, NEVER);
	atomic_store(&counts, false);
	pause_ms = 0;
}

void
refused_for_good(void)
{
	refused_begin();
	atomic_store(&due_ms, NEVER);
}

void
refused_forked(void)
{
	refused_end();
	(void)refused_take();
}

bool
refused_may_ask(void)
{
	int64_t due = atomic_load_explicit(&due_ms, memory_order_relaxed), now;

	if (!atomic_load(&counts))
		return (true);
	if (due == NEVER)
		return (false);
	now = now_ms();
	return (now >= due && atomic_compare_exchange_strong(&due_ms, &due,
				  now + PAUSE_LAST_MS));
}

int
refused_wait_ms(void)
{
	int pause = pause_ms;

	if (pause == 0)
		return (WAIT_FIRST_MS);
	return (pause > 10 * WAIT_LAST_MS ? WAIT_LAST_MS : pause / 10);
}

void
refused_count(void)
{
	if (!atomic_load_explicit(&counts, memory_order_relaxed))
		return;
	if (share == 0)
		share = 1 + atomic_fetch_add(&threads, 1) % SHARES;
	atomic_fetch_add_explicit(&missed[share - 1].events, 1,
	    memory_order_relaxed);
}

uint64_t
refused_sum(void)
{
	uint64_t n = 0;

	for (int i = 0; i < SHARES; i++)
		n += atomic_load(&missed[i].events);
	return (n);
}

uint64_t
refused_take(void)
{
	uint64_t n = 0;

	if (refused_sum() == 0)
		return (0);
	for (int i = 0; i < SHARES; i++)
		n += atomic_exchange(&missed[i].events, 0);
	return (n);
}
