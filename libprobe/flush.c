/*
 * Waiting until what has been recorded is out of our hands: the tail of a ring
 * moves when its records are in a file of the collector.
 */
#include <errno.h>
#include <time.h>

#include "first.h"
#include "internal.h"
#include "libprobe/meet/direct.h"

#define STEP_NS 200000 /* between two looks */

static bool
is_taken(const struct ring *r, uint64_t head, uint32_t thread)
{
	/* another thread has the ring: the one before is done with */
	return (atomic_load(&r->thread) != thread ||
		atomic_load_explicit(&r->tail, memory_order_acquire) >= head);
}

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

/* One ring after the other: what comes in behind us is of no interest. */
static bool
wait_for(const struct ring_segment *s, int64_t until_ns)
{
	uint32_t used = atomic_load(&s->rings_used);

	for (uint32_t i = 0; i < used && i < attachment.nrings; i++) {
		const struct ring *r = ring_at((struct ring_segment *)s,
		    attachment.rings_offset, i);
		uint32_t thread = atomic_load(&r->thread);
		uint64_t head = atomic_load(&r->head);

		while (!is_taken(r, head, thread)) {
			if (now_ns() >= until_ns || process_gone())
				return (false);
			direct_sleep(STEP_NS);
		}
	}
	return (true);
}

int
probe_flush(uint32_t timeout_ms)
{
	const struct ring_segment *s;
	struct uncancelled cancel;
	int saved_errno = errno;
	bool done;

	if (is_second())
		return (probe_first.flush(timeout_ms));
	s = __atomic_load_n(&attachment.segment, __ATOMIC_ACQUIRE);
	if (s == NULL || process_is_child() || process_gone())
		return (0);
	cancel_off(&cancel);
	done = wait_for(s, now_ns() + (int64_t)timeout_ms * 1000000);
	cancel_back(&cancel);
	errno = saved_errno;
	return (done);
}
