/* Part of probe.h: how an event gets into the ring of its thread. */
#ifndef PROBE_RECORD_H
#define PROBE_RECORD_H

#if defined(__GNUC__)
#define PROBE_API           __attribute__((visibility("default")))
#define PROBE_COLD          __attribute__((visibility("default"), noinline, cold))
#define PROBE_INSIDE        static inline __attribute__((always_inline, unused))
#define PROBE_UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define PROBE_LIKELY(x)     __builtin_expect(!!(x), 1)
#define PROBE_BARRIER()     __asm__ __volatile__("" ::: "memory")
#define PROBE_LOAD(p)       __atomic_load_n(p, __ATOMIC_RELAXED)
#define PROBE_STORE(p, v)   __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define PROBE_PUBLISH(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#else
#error "probe.h needs gcc or clang; compile with -DPROBE_OFF"
#endif
#if UINTPTR_MAX < UINT64_MAX
#error "probe.h needs a 64-bit machine; compile with -DPROBE_OFF"
#endif
#ifndef PROBE_INLINE /* libprobe itself makes real functions of these */
#define PROBE_INLINE PROBE_INSIDE
#endif

/*
 * What follows up to "Names" is how it works inside, here only because it has
 * to be inline.  Do not use it.
 */

/* 32 bytes, one event. */
struct probe_record {
	uint64_t t_cycles;
	uint64_t kind_c; /* kind, and c in the upper half */
	uint64_t a, b;
};

/* The part of a ring that a writer touches on every event. */
struct probe_shared {
	uint64_t head;   /* records published */
	uint32_t active; /* 1 while one is being written */
};

/*
 * The writer's side of a ring: one per thread, in private memory that reads
 * as zero in a child after fork, so that the child finds no room in it and
 * can never write into its parent's ring.
 */
struct probe_thread {
	uint64_t next; /* the slot to take; records taken so far */
	uint64_t head; /* as published; behind next while one is written */
	uint64_t limit, limit_hard; /* no room from here on */
	struct probe_record *records;
	struct probe_shared *shared;
	uint64_t mask;
	uint32_t raw; /* no invariant cycle counter here */
	uint32_t zero;
};

/* In a mask: something has changed, look before recording. */
#define PROBE_LOOK 0x80000000u

/* The word whose bit 1 << class says whether that class is recorded. */
extern const volatile uint32_t *probe_switch PROBE_API;
extern __thread struct probe_thread *probe_self
    __attribute__((visibility("default"), tls_model("initial-exec")));

#define PROBE_ON() PROBE_LOAD(__atomic_load_n(&probe_switch, __ATOMIC_CONSUME))

/* With a kind: may use the room that is kept for the structure of the run. */
#define PROBE_HARD 0x10000u

/* Everything that is not the straight path. */
void probe_slow(uint32_t kind, uint32_t c, uint64_t a, uint64_t b) PROBE_COLD;
void probe_nested(struct probe_thread *, uint64_t t_cycles) PROBE_COLD;
uint64_t probe_clock(void) PROBE_COLD;

#if defined(__SANITIZE_THREAD__)
#define PROBE_PLAIN_ATOMICS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PROBE_PLAIN_ATOMICS 1
#endif
#endif

/* The time of this thread's ring. */
PROBE_INSIDE uint64_t
probe_now(const struct probe_thread *t)
{
#if defined(__x86_64__)
	uint32_t lo, hi;

	if (!PROBE_UNLIKELY(t->raw)) {
		__asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
		return (((uint64_t)hi << 32) | lo);
	}
#else
	(void)t;
#endif
	return (probe_clock());
}

/*
 * *next from i to i + 1, unless it is no longer i.  Only signal handlers of
 * the same thread compete, so one instruction does, without a bus lock.
 */
PROBE_INSIDE int
probe_take(uint64_t *next, uint64_t i)
{
#if defined(__x86_64__) && !defined(PROBE_PLAIN_ATOMICS)
	unsigned char taken;

	__asm__ __volatile__("cmpxchgq %3, %1"
			     : "=@ccz"(taken), "+m"(*next), "+a"(i)
			     : "r"(i + 1)
			     : "memory");
	return (taken);
#else
	return (__atomic_compare_exchange_n(next, &i, i + 1, 0,
	    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#endif
}

/*
 * Records one event, if there is room below *limit; else returns 0.
 *
 * The slot is taken after the clock has been read and only if no handler has
 * taken it in between, so times never decrease along a ring.  `active` is set
 * before the clock is read and cleared when all is published.  Who finds its
 * own slot next to be published is the outermost: it publishes, and with its
 * own record those of the handlers that interrupted it, which are complete by
 * then.  t_cycles is stored last: a slot is filled if its time is new.
 */
PROBE_INSIDE int
probe_write(struct probe_thread *t, const uint64_t *limit, uint32_t kind,
    uint32_t c, uint64_t a, uint64_t b)
{
	struct probe_shared *shared;
	struct probe_record *r;
	uint64_t i, n, now;

	do {
		i = PROBE_LOAD(&t->next);
		if (PROBE_UNLIKELY(i >= PROBE_LOAD(limit)))
			return (0);
		shared = t->shared;
		r = t->records + (i & t->mask);
		PROBE_STORE(&shared->active, 1);
		now = probe_now(t);
	} while (PROBE_UNLIKELY(!probe_take(&t->next, i)));
	r->kind_c = ((uint64_t)c << 32) | (kind & 0xffff);
	r->a = a;
	r->b = b;
	PROBE_BARRIER();
	r->t_cycles = now;
	PROBE_BARRIER();
	if (PROBE_UNLIKELY(PROBE_LOAD(&t->head) != i)) {
		probe_nested(t, now);
		return (1);
	}
	/*
	 * A handler that comes before t->head is stored leaves its record to
	 * us; one that comes after publishes its own and moves t->head on.
	 */
	do {
		n = PROBE_LOAD(&t->next);
		PROBE_PUBLISH(&shared->head, n);
		PROBE_BARRIER();
		PROBE_STORE(&t->head, n);
		PROBE_BARRIER();
	} while (PROBE_UNLIKELY(PROBE_LOAD(&t->next) != n) &&
		 PROBE_LOAD(&t->head) == n);
	PROBE_PUBLISH(&shared->active, 0);
	return (1);
}

PROBE_INSIDE void
probe_put(uint32_t on, int hard, uint32_t kind, uint32_t c, uint64_t a,
    uint64_t b)
{
	struct probe_thread *t = probe_self;

	if (PROBE_UNLIKELY((on & PROBE_LOOK) != 0) ||
	    PROBE_UNLIKELY(!probe_write(t, hard ? &t->limit_hard : &t->limit,
		kind, c, a, b)))
		probe_slow(hard ? kind | PROBE_HARD : kind, c, a, b);
}

/* Class, whether it may use the reserve, kind, c, a, b. */
#define PROBE_EVENT(class_, hard_, kind_, c_, a_, b_)                          \
	do {                                                                   \
		uint32_t probe_on_ = PROBE_ON();                               \
		if (probe_on_ & (1u << (class_)))                              \
			probe_put(probe_on_, hard_, kind_, c_, a_, b_);        \
	} while (0)

#endif
