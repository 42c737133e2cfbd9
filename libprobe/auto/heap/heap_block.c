/*
 * Single pieces of memory.
 *
 * All, or some: a thread picks the piece with which it has been given as many
 * bytes as chance has said, on average 512 KiB.  The gaps have an exponential
 * distribution, so that the chance of a piece depends on its size alone, and a
 * program that repeats itself is seen as it is.  Whose end is to be told stands
 * in a table; a piece that finds no room there is not picked.
 */
#include "libprobe/auto/heap/heap_block.h"

#include "libprobe/auto/heap/heap.h"
#include "libprobe/auto/heap/heap_stack.h"
#include "libprobe/meet/bulk.h"

#define MEAN_BYTES 524288.0
#define PICKED     8192u
#define BUCKET     8u /* one line of the cache */
#define LN2        0.693147180559945309

__thread void *heap_from;

static BULK _Alignas(64) uintptr_t picked[PICKED];

static __thread struct {
	uint64_t chance; /* xorshift's state; 0: not begun */
	int64_t left;    /* bytes until one is picked */
} gap;

static uintptr_t *
bucket_of(uintptr_t p)
{
	uint64_t h = (p >> 4) * UINT64_C(0x9e3779b97f4a7c15);

	return (&picked[(h >> 32) % (PICKED / BUCKET) * BUCKET]);
}

static bool
pick(uintptr_t p)
{
	uintptr_t *b = bucket_of(p), none;

	for (unsigned i = 0; i < BUCKET; i++) {
		none = 0;
		if (PROBE_LOAD(&b[i]) == 0 &&
		    __atomic_compare_exchange_n(&b[i], &none, p, false,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return (true);
	}
	return (false);
}

/* True: it was, and no longer is. */
static bool
unpick(uintptr_t p)
{
	uintptr_t *b = bucket_of(p);

	for (unsigned i = 0; i < BUCKET; i++)
		if (PROBE_LOAD(&b[i]) == p) {
			PROBE_STORE(&b[i], 0);
			return (true);
		}
	return (false);
}

/* -ln(u) of a random u in (0, 1], times the mean. */
static int64_t
draw(void)
{
	double m, z, z2, ln;
	int shift = 0;

	gap.chance ^= gap.chance << 13;
	gap.chance ^= gap.chance >> 7;
	gap.chance ^= gap.chance << 17;
	m = (double)((gap.chance >> 11) + 1) / 9007199254740992.0;
	for (; m < 0.70710678; shift++)
		m *= 2;
	z = (m - 1) / (m + 1);
	z2 = z * z;
	ln =
	    2 * z * (1 + z2 * (1.0 / 3 + z2 * (0.2 + z2 * (1.0 / 7 + z2 / 9))));
	return ((int64_t)((shift * LN2 - ln) * MEAN_BYTES) + 1);
}

/* Is it this one's turn? */
static bool
is_turn(size_t bytes)
{
	if (PROBE_UNLIKELY(gap.chance == 0)) {
		gap.chance = (probe_id() + 1) * UINT64_C(0x9e3779b97f4a7c15) ^
			     (uintptr_t)&gap;
		if (gap.chance == 0)
			gap.chance = 1;
		gap.left = draw();
	}
	gap.left -= bytes < INT64_MAX / 2 ? (int64_t)bytes : INT64_MAX / 2;
	if (gap.left > 0)
		return (false);
	gap.left = draw(); /* it has no memory of what was over */
	return (true);
}

/* Of malloc's wrapper, or of the operator that has called it. */
static void *
outer(void *frame)
{
	void *from = heap_from;

	heap_from = NULL;
	return ((uintptr_t)from > (uintptr_t)frame ? from : frame);
}

static void
made(const void *p, size_t asked, size_t given, void *frame)
{
	uint32_t place;

	if (heap_level == HEAP_ALL) {
		place = heap_stack(frame);
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_alloc, place,
		    (uint64_t)(uintptr_t)p, asked);
		if (given != asked)
			PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_given, 0,
			    (uint64_t)(uintptr_t)p, given);
	} else if (is_turn(asked) && pick((uintptr_t)p)) {
		place = heap_stack(frame);
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_sample, place,
		    (uint64_t)(uintptr_t)p, asked);
	}
}

void
heap_block_made(const void *p, size_t asked, size_t given, void *frame)
{
	frame = outer(frame);
	if (heap_inside || !auto_says(PROBE_CLASS_memory))
		return;
	heap_inside = true;
	made(p, asked, given, frame);
	heap_inside = false;
}

void
heap_block_freed(const void *p, void *frame)
{
	frame = outer(frame);
	if (p == NULL && heap_ended)
		return;
	if (heap_level == HEAP_SAMPLE && (p == NULL || !unpick((uintptr_t)p)))
		return;
	if (heap_inside || !auto_says(PROBE_CLASS_memory))
		return;
	heap_inside = true;
	PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_free, heap_stack(frame),
	    (uint64_t)(uintptr_t)p, 0);
	heap_inside = false;
}
