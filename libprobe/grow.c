/*
 * How a ring grows, and how its memory comes to be there.
 *
 * Neither takes a system call: a program may have forbidden itself all of
 * them since its first event.  So signals cannot be blocked, and a handler may
 * come between any two instructions here, make events itself, grow the ring
 * itself, or leave by longjmp.
 *
 * That a ring grows is decided when it is full: then no event below us that
 * has been interrupted can still take a slot, since each of them has seen a
 * limit, and found itself below it, when less had been written.  `target` says
 * so, once the memory for it is taken from what all rings of the process may
 * have, then the limits are set to 0.  From there on nobody writes, hence the
 * place where the generation starts is fixed, and whoever comes next (we, or
 * handlers on top of us) does all the rest.  Each step is one instruction that
 * does nothing if another has done it, or more, already.
 */
#include "grow.h"

/* All rings together may have so many records more than `grown`. */
static bool
fits(const struct ring_segment *s, uint64_t grown, uint64_t records)
{
	uint64_t most =
	    atomic_load_explicit(&s->growth.may, memory_order_relaxed);

	return (
	    most == 0 || grown + records <=
			     most + atomic_load_explicit(&s->growth.given_back,
					memory_order_relaxed));
}

/* A handler that leaves by longjmp before it uses them has them for good. */
static bool
take(struct ring_segment *s, uint64_t records)
{
	uint64_t grown = atomic_load_explicit(&s->grown, memory_order_relaxed);

	while (fits(s, grown, records))
		if (atomic_compare_exchange_weak_explicit(&s->grown, &grown,
			grown + records, memory_order_relaxed,
			memory_order_relaxed))
			return (true);
	return (false);
}

static void
take_back(struct ring_segment *s, uint64_t records)
{
	atomic_fetch_sub_explicit(&s->grown, records, memory_order_relaxed);
}

bool
grow_may(const struct thread *t)
{
	uint32_t g = PROBE_LOAD(&t->generation);

	return (g < t->last &&
		(PROBE_LOAD(&t->target) > g || /* it has it already */
		    fits(t->segment,
			atomic_load_explicit(&t->segment->grown,
			    memory_order_relaxed),
			ring_size(t->first, g + 1))));
}

/* *word from one value to another, unless a handler has changed it. */
static void
step(uint64_t *word, uint64_t from, uint64_t to)
{
	__atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_RELAXED,
	    __ATOMIC_RELAXED);
}

static struct probe_record *
records_of(const struct thread *t, uint32_t generation)
{
	return (t->memory + ring_before(t->first, generation));
}

void
grow_finish(struct thread *t)
{
	uint32_t g = PROBE_LOAD(&t->generation);
	struct probe_record *records = records_of(t, g);
	uint64_t none = 0, next;

	if (PROBE_LOAD(&t->target) != g + 1 || PROBE_LOAD(&t->limit_hard) != 0)
		return;
	next = PROBE_LOAD(&t->hot.next);
	atomic_compare_exchange_strong(&t->ring->start[g + 1], &none, next);
	__atomic_compare_exchange_n(&t->hot.records, &records,
	    records_of(t, g + 1), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	step(&t->hot.mask, ring_size(t->first, g) - 1,
	    ring_size(t->first, g + 1) - 1);
	step(&t->touched, UINT64_MAX, next);
	PROBE_BARRIER();
	__atomic_compare_exchange_n(&t->generation, &g, g + 1, false,
	    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void
grow(struct thread *t)
{
	uint32_t g = PROBE_LOAD(&t->generation), from = g;

	if (g == t->last)
		return;
	if (PROBE_LOAD(&t->target) == g) {
		if (!take(t->segment, ring_size(t->first, g + 1)))
			return;
		if (!__atomic_compare_exchange_n(&t->target, &from, g + 1,
			false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			take_back(t->segment,
			    ring_size(t->first, g + 1)); /* a handler */
	}
	PROBE_BARRIER();
	limits_close(t);
	PROBE_BARRIER();
	grow_finish(t);
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
 * an event.  It is done ahead of the events, but not for a whole generation
 * at once: most threads never fill theirs.
 */
void
room_touch(struct thread *t)
{
	uint64_t at, end, lap, next = PROBE_LOAD(&t->hot.next);
	uint32_t g = PROBE_LOAD(&t->generation);

	lap = atomic_load(&t->ring->start[g]) + ring_size(t->first, g);
	while ((at = PROBE_LOAD(&t->touched)) <= next) {
		end = at + ROOM_TOUCH_RECORDS;
		if (end > lap)
			end = lap;
		for (uint64_t i = at; i < end; i += 64) /* half a page */
			touch(&t->hot.records[i & t->hot.mask].kind_c);
		if (end > at)
			touch(&t->hot.records[(end - 1) & t->hot.mask].kind_c);
		PROBE_STORE(&t->touched, end >= lap ? UINT64_MAX : end);
	}
}
