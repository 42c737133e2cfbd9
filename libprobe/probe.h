/*
 * probe.h - what a program says about itself while it runs.
 *
 * Link with `pkg-config --cflags --libs probe` and call the functions below
 * where things happen.  What they all have in common:
 *
 *  Cost      About 10 ns when recorded (one read of the cycle counter and one
 *            store of 32 bytes), half a nanosecond when nobody listens,
 *            nothing at all with -DPROBE_OFF.  No call, lock, allocation or
 *            system call, but for the first event of a thread.
 *  Errors    None.  When there is no room, the event is counted as lost, and
 *            the count and its place are in the log.  errno is kept.
 *  Signals   Everything that is not marked "not in signal handlers" may be
 *            called in one, also in one that has interrupted a probe.
 *  Threads   Everything may be called by any thread at any time.
 *  Fork      A child is a process of its own from its first event on.
 *
 * Ids (of tasks, messages, locks, ...) are any 64-bit numbers that are unique
 * in the whole run; take them from probe_id(), and those of messages from
 * probe_message_id().  A pair is made where two sides use the same id.  Id 0
 * is "none" and pairs with nothing.
 *
 * Names are 32-bit numbers of strings: PROBE_NAME("text") for a literal, else
 * probe_name().  0 is "no name".  A string in the place of a name, and a
 * fraction in the place of a whole number, do not compile.
 *
 * Other languages find all functions of this file in the library, as they stand
 * here (with a call, so 2 ns more each); the macros are C and C++ only.
 *
 * Environment, read once at the start (see probe(3)):
 *
 *	ORRERY=off		nothing is recorded, ever
 *	ORRERY_DIR, ORRERY_NODE	which collector
 *	ORRERY_FULL=wait[:ms]	wait for room rather than lose events
 */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/* What can be switched on and off together. */
enum probe_class {
	PROBE_CLASS_life, PROBE_CLASS_task, PROBE_CLASS_block,
	PROBE_CLASS_call, PROBE_CLASS_message, PROBE_CLASS_rpc,
	PROBE_CLASS_lock, PROBE_CLASS_object, PROBE_CLASS_memory,
	PROBE_CLASS_phase, PROBE_CLASS_note, PROBE_CLASS_monitor,
	PROBE_CLASS_sample,
	PROBE_CLASSES
};

/* The kinds of events; probe(3) has them all, with their fields. */
enum probe_kind {
	PROBE_thread_begin = 3, PROBE_thread_end, PROBE_thread_create,
	PROBE_thread_wait, PROBE_thread_join, PROBE_thread_name,
	PROBE_task_spawn = 10, PROBE_task_begin, PROBE_task_suspend,
	PROBE_task_resume, PROBE_task_end, PROBE_task_join,
	PROBE_future_set, PROBE_future_get,
	PROBE_block_begin = 20, PROBE_block_end, PROBE_member_begin,
	PROBE_member_end,
	PROBE_enter = 30, PROBE_leave,
	PROBE_send = 40, PROBE_receive, PROBE_receive_wait,
	PROBE_collective_enter = 50, PROBE_collective_leave,
	PROBE_rooted_enter, PROBE_rooted_give, PROBE_rooted_get,
	PROBE_rooted_part, PROBE_rooted_whole, PROBE_rooted_leave,
	PROBE_rpc_call = 60, PROBE_rpc_begin, PROBE_rpc_end,
	PROBE_rpc_return,
	PROBE_lock_wait = 70, PROBE_lock_acquire, PROBE_lock_release,
	PROBE_cond_wait, PROBE_cond_wake, PROBE_cond_signal,
	PROBE_sem_wait, PROBE_sem_acquire, PROBE_sem_post,
	PROBE_barrier_enter, PROBE_barrier_leave, PROBE_lock_giveup,
	PROBE_object_request = 90, PROBE_object_create,
	PROBE_object_order, PROBE_object_obey, PROBE_object_depart,
	PROBE_object_arrive, PROBE_object_dispose,
	PROBE_mem_alloc = 100, PROBE_mem_free, PROBE_mem_given,
	PROBE_mem_sample, PROBE_heap_made, PROBE_heap_asked,
	PROBE_heap_freed, PROBE_heap_mapped, PROBE_mem_code,
	PROBE_phase_begin = 110, PROBE_phase_end,
	PROBE_counter = 120, PROBE_state, PROBE_note, PROBE_sample,
	PROBE_counter_real, PROBE_measure,
	PROBE_io_wait = 150, PROBE_io_done, PROBE_system_wait,
	PROBE_system_done, PROBE_stream_gap,
	PROBE_muted = 171
};
/* clang-format on */

#ifndef PROBE_OFF

#if defined(__GNUC__)
#define PROBE_API           __attribute__((visibility("default")))
#define PROBE_COLD          __attribute__((visibility("default"), noinline, cold))
#define PROBE_INSIDE        static inline __attribute__((always_inline, unused))
#define PROBE_UNLIKELY(x)   __builtin_expect(!!(x), 0)
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

/*
 * Names
 */

/*
 * The number of a string; the same string always has the same number.  The
 * text is copied, at most 4,095 bytes of it.  Returns 0 when the table is
 * full, when text is NULL, or in a signal handler that has interrupted this
 * very function.  About 100 ns; the first time of a string some microseconds.
 */
uint32_t probe_name(const char *text) PROBE_API;

/* The same with a place in the source, line from 1; file may be NULL. */
uint32_t probe_name_at(const char *text, const char *file,
    uint32_t line) PROBE_API;

/* The number of a string literal, looked up only once: one load. */
#define PROBE_NAME(literal) PROBE_CACHED(probe_name("" literal))

/* The same with this place in the source. */
#define PROBE_NAME_HERE(literal)                                               \
	PROBE_CACHED(probe_name_at("" literal, __FILE__, __LINE__))

/*
 * The same of a function as the compiler spells it in C++: "void A::f(int)" has
 * the name "A::f".  About a microsecond.
 */
uint32_t probe_name_function(const char *pretty, const char *file,
    uint32_t line) PROBE_API;

/* This function's name, in C++ with its class, and this place. */
#ifdef __cplusplus
#define PROBE_FUNCTION()                                                       \
	PROBE_CACHED(                                                          \
	    probe_name_function(__PRETTY_FUNCTION__, __FILE__, __LINE__))
#else
#define PROBE_FUNCTION()                                                       \
	PROBE_CACHED(probe_name_at(__func__, __FILE__, __LINE__))
#endif

#define PROBE_CACHED(look_up)                                                  \
	(__extension__({                                                       \
		static uint32_t probe_cache_;                                  \
		uint32_t probe_n_ = PROBE_LOAD(&probe_cache_);                 \
		if (PROBE_UNLIKELY(probe_n_ == 0)) {                           \
			probe_n_ = (look_up);                                  \
			PROBE_STORE(&probe_cache_, probe_n_);                  \
		}                                                              \
		probe_n_;                                                      \
	}))

/*
 * Ids and places
 */

/*
 * A number that no other call in the run returns, never 0.  About 3 ns.
 * Successive calls of a thread mostly count by one.
 */
uint64_t probe_id(void) PROBE_API;

/* The same, for a message; ids of one sender count by one (shorter logs). */
uint64_t probe_message_id(void) PROBE_API;

/* 1 while there is a collector that takes this process's events, else 0. */
int probe_attached(void) PROBE_API;

/* Number of this process on its node, from 1; 0 when not attached. */
uint32_t probe_po(void) PROBE_API;

/* Number of this node, from 1; 0 when not attached. */
uint32_t probe_node(void) PROBE_API;

/* Name of this node, "" when not attached; static storage. */
const char *probe_node_name(void) PROBE_API;

/* 1 if events of this class are recorded now: for costly arguments. */
PROBE_INLINE int
probe_enabled(enum probe_class class_)
{
	return (((PROBE_ON() >> class_) & 1) != 0);
}

/*
 * Threads beyond what is said below: the name by which the calling thread is
 * shown, at most 31 bytes of it.  Without it, its name in the operating
 * system.  What it is called later is told, too, up to 100 times.
 */
void probe_thread_name(const char *name) PROBE_API;

/*
 * What is recorded can be chosen from outside (monitorctl probe), and less can
 * be told from inside.  From here on nothing of this thread is recorded but
 * that it is there, until probe_unmute(); the same for one class.  They nest,
 * class by class.  What has begun before still has its end recorded, and what
 * begins meanwhile has none.  A child keeps it over fork.  Not in signal
 * handlers.
 */
void probe_mute(void) PROBE_API;
void probe_unmute(void) PROBE_API;
void probe_mute_class(enum probe_class class_) PROBE_API;
void probe_unmute_class(enum probe_class class_) PROBE_API;

/*
 * The same for all threads of the process, whoever says it; these do not nest.
 * A child begins as its parent is.  Not in signal handlers.
 */
void probe_stop(void) PROBE_API;
void probe_start(void) PROBE_API;

/*
 * Waits until all events that the process has recorded so far are out of its
 * hands: in the collector's files, from where they come into the log whatever
 * happens to the process.  1: they are; 0: not within that time, or there is
 * no collector.  About 5 ms.  Not in signal handlers.
 */
int probe_flush(uint32_t timeout_ms) PROBE_API;

#else /* PROBE_OFF: the same calls, and nothing happens */

#define PROBE_INSIDE static inline __attribute__((always_inline, unused))
#define PROBE_INLINE PROBE_INSIDE
#define PROBE_EVENT(class_, hard_, kind_, c_, a_, b_)                          \
	((void)(c_), (void)(a_), (void)(b_))
#define PROBE_NAME(literal)      ((void)("" literal), 0u)
#define PROBE_NAME_HERE(literal) ((void)("" literal), 0u)
#define PROBE_FUNCTION()         (0u)

PROBE_INLINE uint32_t
probe_name(const char *text)
{
	(void)text;
	return (0);
}

PROBE_INLINE uint32_t
probe_name_at(const char *text, const char *file, uint32_t line)
{
	(void)text;
	(void)file;
	(void)line;
	return (0);
}

PROBE_INLINE uint32_t
probe_name_function(const char *pretty, const char *file, uint32_t line)
{
	(void)pretty;
	(void)file;
	(void)line;
	return (0);
}

PROBE_INLINE uint64_t
probe_id(void)
{
	return (0);
}

PROBE_INLINE uint64_t
probe_message_id(void)
{
	return (0);
}

PROBE_INLINE int
probe_attached(void)
{
	return (0);
}

PROBE_INLINE uint32_t
probe_po(void)
{
	return (0);
}

PROBE_INLINE uint32_t
probe_node(void)
{
	return (0);
}

PROBE_INLINE const char *
probe_node_name(void)
{
	return ("");
}

PROBE_INLINE int
probe_enabled(enum probe_class class_)
{
	(void)class_;
	return (0);
}

PROBE_INLINE void
probe_thread_name(const char *name)
{
	(void)name;
}

PROBE_INLINE void
probe_mute(void)
{
}

PROBE_INLINE void
probe_unmute(void)
{
}

PROBE_INLINE void
probe_mute_class(enum probe_class class_)
{
	(void)class_;
}

PROBE_INLINE void
probe_unmute_class(enum probe_class class_)
{
	(void)class_;
}

PROBE_INLINE void
probe_stop(void)
{
}

PROBE_INLINE void
probe_start(void)
{
}

PROBE_INLINE int
probe_flush(uint32_t timeout_ms)
{
	(void)timeout_ms;
	return (0);
}

#endif /* PROBE_OFF */

/*
 * Threads.  A thread is known from its first event on and its end is noticed
 * by itself.  To tie it to its creator, the creator makes an id and hands it
 * over, and the thread says it first of all.
 */

/* This thread starts another; returns the id that the new thread is to say. */
PROBE_INLINE uint64_t
probe_thread_create(uint32_t name)
{
	uint64_t creation = probe_id();

	PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_thread_create, name, creation,
	    0);
	return (creation);
}

/* The new thread's first words. */
#ifndef PROBE_OFF
void probe_thread_begin(uint64_t creation, uint32_t name) PROBE_API;
#else
PROBE_INLINE void
probe_thread_begin(uint64_t creation, uint32_t name)
{
	(void)creation;
	(void)name;
}
#endif

/* Starts to wait for the end of a thread. */
PROBE_INLINE void
probe_thread_wait(uint64_t creation)
{
	PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_thread_wait, 0, creation, 0);
}

/* The awaited thread has ended. */
PROBE_INLINE void
probe_thread_join(uint64_t creation)
{
	PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_thread_join, 0, creation, 0);
}

/*
 * Tasks: procedure calls made parallel.  Together they are the reduction
 * tree, so parent is the task that spawns, 0 for a root.  pe numbers the
 * processing element (worker) that runs it, from 0.
 */

/* A task is made. */
PROBE_INLINE void
probe_task_spawn(uint64_t task, uint64_t parent, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_spawn, procedure, task,
	    parent);
}

/* A processing element starts a task. */
PROBE_INLINE void
probe_task_begin(uint64_t task, uint64_t pe, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_begin, procedure, task, pe);
}

/* A task gives up its processing element until `awaits` (an id) is there. */
PROBE_INLINE void
probe_task_suspend(uint64_t task, uint64_t awaits)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_suspend, 0, task, awaits);
}

/* A suspended task goes on, perhaps elsewhere. */
PROBE_INLINE void
probe_task_resume(uint64_t task, uint64_t pe, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_resume, procedure, task,
	    pe);
}

/* A task is done. */
PROBE_INLINE void
probe_task_end(uint64_t task)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_end, 0, task, 0);
}

/* This thread takes note that a task is done. */
PROBE_INLINE void
probe_task_join(uint64_t task)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_join, 0, task, 0);
}

/* A value that others may wait for is there; task (0: none) has made it. */
PROBE_INLINE void
probe_future_set(uint64_t future, uint64_t task)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_future_set, 0, future, task);
}

/* A value made by another task is taken by task (0: none). */
PROBE_INLINE void
probe_future_get(uint64_t future, uint64_t task)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_future_get, 0, future, task);
}

/*
 * Fork-join blocks: a region that width members work on, numbered from 0.
 */

/* A block is opened. */
PROBE_INLINE void
probe_block_begin(uint64_t block, uint32_t width, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_block, 1, PROBE_block_begin, name, block,
	    width);
}

/* All members are done and the block is closed. */
PROBE_INLINE void
probe_block_end(uint64_t block, uint32_t width)
{
	PROBE_EVENT(PROBE_CLASS_block, 1, PROBE_block_end, width, block, 0);
}

/* A member starts its share. */
PROBE_INLINE void
probe_member_begin(uint64_t block, uint32_t member, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_block, 1, PROBE_member_begin, name, block,
	    member);
}

/* A member has done its share. */
PROBE_INLINE void
probe_member_end(uint64_t block, uint32_t member, uint32_t width)
{
	PROBE_EVENT(PROBE_CLASS_block, 1, PROBE_member_end, width, block,
	    member);
}

/*
 * Functions.  address is the function's, or 0 when the name says it all.
 * PROBE_SCOPE() says both by itself, see below.
 */
PROBE_INLINE void
probe_enter(const void *address, uint32_t function)
{
	PROBE_EVENT(PROBE_CLASS_call, 0, PROBE_enter, function,
	    (uint64_t)(uintptr_t)address, 0);
}

PROBE_INLINE void
probe_leave(const void *address, uint32_t function)
{
	PROBE_EVENT(PROBE_CLASS_call, 0, PROBE_leave, function,
	    (uint64_t)(uintptr_t)address, 0);
}

/*
 * Messages.  The sender makes the id and sends it along; the receiver says it
 * again.  size in bytes; tag is any number, 0 if there is none.
 */

/* A message leaves: call it just before it is handed to the transport. */
PROBE_INLINE void
probe_send(uint64_t message, uint64_t size_bytes, uint32_t tag)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_send, tag, message,
	    size_bytes);
}

/* A message has been taken: call it just after. */
PROBE_INLINE void
probe_receive(uint64_t message, uint64_t size_bytes, uint32_t tag)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_receive, tag, message,
	    size_bytes);
}

/* Starts to wait for a message (0: any); probe_receive() ends it. */
PROBE_INLINE void
probe_receive_wait(uint64_t message, uint32_t tag)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_receive_wait, tag, message,
	    0);
}

/*
 * Collective operations (barriers, reductions and the like across processes).
 * All parties use the same id and, the n-th time, the same turn n, from 1.
 */
PROBE_INLINE void
probe_collective_enter(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_collective_enter, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_collective_leave(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_collective_leave, parties,
	    collective, turn);
}

/*
 * Collective operations in which not everybody waits for everybody.  All say
 * probe_rooted_enter() first.  A broadcast: the root says probe_rooted_give()
 * before it and probe_rooted_leave() behind it, the others probe_rooted_get()
 * behind it.  A reduction to one: all say probe_rooted_part() before it, the
 * root probe_rooted_whole() and the others probe_rooted_leave() behind it.
 */
PROBE_INLINE void
probe_rooted_enter(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_enter, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_give(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_give, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_get(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_get, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_part(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_part, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_whole(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_whole, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_leave(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_leave, parties,
	    collective, turn);
}

/*
 * Remote procedure calls in their four moments; the id travels with the call.
 * size in bytes of what travels then.
 */

/* The call leaves the caller. */
PROBE_INLINE void
probe_rpc_call(uint64_t rpc, uint64_t size_bytes, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_rpc, 0, PROBE_rpc_call, procedure, rpc,
	    size_bytes);
}

/* The callee starts on it. */
PROBE_INLINE void
probe_rpc_begin(uint64_t rpc, uint64_t size_bytes, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_rpc, 0, PROBE_rpc_begin, procedure, rpc,
	    size_bytes);
}

/* The callee has answered. */
PROBE_INLINE void
probe_rpc_end(uint64_t rpc, uint64_t size_bytes, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_rpc, 0, PROBE_rpc_end, procedure, rpc,
	    size_bytes);
}

/* The answer is back at the caller. */
PROBE_INLINE void
probe_rpc_return(uint64_t rpc, uint64_t size_bytes, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_rpc, 0, PROBE_rpc_return, procedure, rpc,
	    size_bytes);
}

/*
 * Locks, conditions, semaphores.  A turn numbers what one side lets the other
 * do: keep a counter in the lock, add one to it when releasing, say it when
 * releasing and when acquiring next.  Turn 0 is "not known".  A wait is said
 * only when there is one.  probe_mutex.h does all this for a pthread mutex.
 */
PROBE_INLINE void
probe_lock_wait(uint64_t lock, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_lock_wait, name, lock, 0);
}

/* Just after it has been taken; ends the wait, if there was one. */
PROBE_INLINE void
probe_lock_acquire(uint64_t lock, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_lock_acquire, name, lock, turn);
}

/* Just before it is given up. */
PROBE_INLINE void
probe_lock_release(uint64_t lock, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_lock_release, name, lock, turn);
}

/* The wait is over, for a lock or anything below, and it was not got. */
PROBE_INLINE void
probe_lock_giveup(uint64_t lock, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_lock_giveup, name, lock, 0);
}

PROBE_INLINE void
probe_cond_wait(uint64_t condition, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_cond_wait, name, condition, 0);
}

PROBE_INLINE void
probe_cond_wake(uint64_t condition, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_cond_wake, name, condition,
	    turn);
}

/* Just before one is, or all are, signalled. */
PROBE_INLINE void
probe_cond_signal(uint64_t condition, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_cond_signal, name, condition,
	    turn);
}

PROBE_INLINE void
probe_sem_wait(uint64_t semaphore, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_sem_wait, name, semaphore, 0);
}

PROBE_INLINE void
probe_sem_acquire(uint64_t semaphore, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_sem_acquire, name, semaphore,
	    turn);
}

/* Just before it is posted. */
PROBE_INLINE void
probe_sem_post(uint64_t semaphore, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_sem_post, name, semaphore, turn);
}

/* The n-th time that a barrier is passed is turn n, from 1, for everybody. */
PROBE_INLINE void
probe_barrier_enter(uint64_t barrier, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_barrier_enter, parties, barrier,
	    turn);
}

PROBE_INLINE void
probe_barrier_leave(uint64_t barrier, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_barrier_leave, parties, barrier,
	    turn);
}

/*
 * Objects: what has an identity, lives on a node and may move.  Request and
 * order ids come from probe_id(); 0 if nobody asked.
 */

/* Asks for an object to be made; creator 0 is no object. */
PROBE_INLINE void
probe_object_request(uint64_t creator, uint64_t request, uint32_t class_name)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_request, class_name,
	    creator, request);
}

/* An object starts its life here. */
PROBE_INLINE void
probe_object_create(uint64_t object, uint64_t request, uint32_t class_name)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_create, class_name,
	    object, request);
}

/* Orders an object to move; destination is the name of a node. */
PROBE_INLINE void
probe_object_order(uint64_t object, uint64_t order, uint32_t destination)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_order, destination,
	    object, order);
}

/* An object takes an order to move. */
PROBE_INLINE void
probe_object_obey(uint64_t object, uint64_t order, uint32_t destination)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_obey, destination,
	    object, order);
}

/* An object leaves this node; hop counts its moves from 1, and goes along. */
PROBE_INLINE void
probe_object_depart(uint64_t object, uint64_t hop, uint32_t destination)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_depart, destination,
	    object, hop);
}

/* An object is on this node now; source is the name of a node. */
PROBE_INLINE void
probe_object_arrive(uint64_t object, uint64_t hop, uint32_t source)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_arrive, source, object,
	    hop);
}

/* An object's life is over. */
PROBE_INLINE void
probe_object_dispose(uint64_t object)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_dispose, 0, object, 0);
}

/*
 * Memory.  place names where in the program, 0 if that does not matter.
 */

/* Just after memory has been given out. */
PROBE_INLINE void
probe_mem_alloc(const void *address, uint64_t size_bytes, uint32_t place)
{
	PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_alloc, place,
	    (uint64_t)(uintptr_t)address, size_bytes);
}

/* Just before it is taken back. */
PROBE_INLINE void
probe_mem_free(const void *address, uint32_t place)
{
	PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_free, place,
	    (uint64_t)(uintptr_t)address, 0);
}

/*
 * Phases: stretches of work that mean something to you.  They nest; the end
 * belongs to the innermost.  units is the work done, in a unit of your own.
 */
PROBE_INLINE void
probe_phase_begin(uint32_t phase)
{
	PROBE_EVENT(PROBE_CLASS_phase, 0, PROBE_phase_begin, phase, 0, 0);
}

PROBE_INLINE void
probe_phase_end(uint32_t phase, uint64_t units)
{
	PROBE_EVENT(PROBE_CLASS_phase, 0, PROBE_phase_end, phase, units, 0);
}

/* A counter has a new value. */
PROBE_INLINE void
probe_counter(uint32_t counter, int64_t value)
{
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_counter, counter,
	    (uint64_t)value, 0);
}

/* The same of one that is no whole number. */
PROBE_INLINE void
probe_counter_real(uint32_t counter, double value)
{
	uint64_t bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_counter_real, counter, bits, 0);
}

/* The state that this thread is in from now on. */
PROBE_INLINE void
probe_state(uint32_t state)
{
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_state, state, 0, 0);
}

/* The program has something to say. */
PROBE_INLINE void
probe_note(uint32_t text, int64_t value)
{
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_note, text, (uint64_t)value, 0);
}

/* A sampler found this thread at address, having used cpu_ns so far. */
PROBE_INLINE void
probe_sample(const void *address, uint64_t cpu_ns, uint32_t function)
{
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_sample, function,
	    (uint64_t)(uintptr_t)address, cpu_ns);
}

/*
 * enter here and leave at the end of the enclosing scope, however it ends
 * (but for longjmp and exit).  PROBE_SCOPE() is called like the function,
 * PROBE_SCOPE_NAMED(PROBE_NAME("...")) as you like.  C++ has probe.hpp.
 */
#define PROBE_SCOPE() PROBE_SCOPE_NAMED(PROBE_FUNCTION())
#define PROBE_SCOPE_NAMED(name_)                                               \
	uint32_t PROBE_JOIN(probe_scope_, __LINE__)                            \
	    __attribute__((cleanup(probe_scope_end), unused)) = (name_) | 0;   \
	probe_enter(NULL, PROBE_JOIN(probe_scope_, __LINE__))
#define PROBE_JOIN(a, b)  PROBE_JOIN_(a, b)
#define PROBE_JOIN_(a, b) a##b

PROBE_INSIDE void
probe_scope_end(const uint32_t *name)
{
	probe_leave(NULL, *name);
	(void)name;
}

/*
 * What would become a number without a word in C: the address of a string, or
 * what is before the point of a fraction.  Neither has an |.  In C++ the former
 * is an error anyway.
 */
/* clang-format off */
#ifndef __cplusplus
#define PROBE_NUMBER(number) ((number) | 0)
#define probe_thread_create(name) (probe_thread_create)(PROBE_NUMBER(name))
#define probe_thread_begin(creation, name) \
	(probe_thread_begin)(creation, PROBE_NUMBER(name))
#define probe_task_spawn(task, parent, name) \
	(probe_task_spawn)(task, parent, PROBE_NUMBER(name))
#define probe_task_begin(task, pe, name) \
	(probe_task_begin)(task, pe, PROBE_NUMBER(name))
#define probe_task_resume(task, pe, name) \
	(probe_task_resume)(task, pe, PROBE_NUMBER(name))
#define probe_block_begin(block, width, name) \
	(probe_block_begin)(block, width, PROBE_NUMBER(name))
#define probe_member_begin(block, member, name) \
	(probe_member_begin)(block, member, PROBE_NUMBER(name))
#define probe_enter(address, name) (probe_enter)(address, PROBE_NUMBER(name))
#define probe_leave(address, name) (probe_leave)(address, PROBE_NUMBER(name))
#define probe_rpc_call(rpc, size, name) \
	(probe_rpc_call)(rpc, size, PROBE_NUMBER(name))
#define probe_rpc_begin(rpc, size, name) \
	(probe_rpc_begin)(rpc, size, PROBE_NUMBER(name))
#define probe_rpc_end(rpc, size, name) \
	(probe_rpc_end)(rpc, size, PROBE_NUMBER(name))
#define probe_rpc_return(rpc, size, name) \
	(probe_rpc_return)(rpc, size, PROBE_NUMBER(name))
#define probe_lock_wait(lock, name) (probe_lock_wait)(lock, PROBE_NUMBER(name))
#define probe_lock_acquire(lock, turn, name) \
	(probe_lock_acquire)(lock, turn, PROBE_NUMBER(name))
#define probe_lock_release(lock, turn, name) \
	(probe_lock_release)(lock, turn, PROBE_NUMBER(name))
#define probe_cond_wait(condition, name) \
	(probe_cond_wait)(condition, PROBE_NUMBER(name))
#define probe_cond_wake(condition, turn, name) \
	(probe_cond_wake)(condition, turn, PROBE_NUMBER(name))
#define probe_cond_signal(condition, turn, name) \
	(probe_cond_signal)(condition, turn, PROBE_NUMBER(name))
#define probe_sem_wait(semaphore, name) \
	(probe_sem_wait)(semaphore, PROBE_NUMBER(name))
#define probe_sem_acquire(semaphore, turn, name) \
	(probe_sem_acquire)(semaphore, turn, PROBE_NUMBER(name))
#define probe_sem_post(semaphore, turn, name) \
	(probe_sem_post)(semaphore, turn, PROBE_NUMBER(name))
#define probe_object_request(creator, request, name) \
	(probe_object_request)(creator, request, PROBE_NUMBER(name))
#define probe_object_create(object, request, name) \
	(probe_object_create)(object, request, PROBE_NUMBER(name))
#define probe_object_order(object, order, name) \
	(probe_object_order)(object, order, PROBE_NUMBER(name))
#define probe_object_obey(object, order, name) \
	(probe_object_obey)(object, order, PROBE_NUMBER(name))
#define probe_object_depart(object, hop, name) \
	(probe_object_depart)(object, hop, PROBE_NUMBER(name))
#define probe_object_arrive(object, hop, name) \
	(probe_object_arrive)(object, hop, PROBE_NUMBER(name))
#define probe_mem_alloc(address, size, name) \
	(probe_mem_alloc)(address, size, PROBE_NUMBER(name))
#define probe_mem_free(address, name) \
	(probe_mem_free)(address, PROBE_NUMBER(name))
#define probe_phase_begin(name) (probe_phase_begin)(PROBE_NUMBER(name))
#define probe_phase_end(name, units) \
	(probe_phase_end)(PROBE_NUMBER(name), units)
#define probe_counter(name, value) \
	(probe_counter)(PROBE_NUMBER(name), PROBE_NUMBER(value))
#define probe_counter_real(name, value) \
	(probe_counter_real)(PROBE_NUMBER(name), value)
#define probe_state(name) (probe_state)(PROBE_NUMBER(name))
#define probe_note(name, value) \
	(probe_note)(PROBE_NUMBER(name), PROBE_NUMBER(value))
#define probe_sample(address, cpu_ns, name) \
	(probe_sample)(address, cpu_ns, PROBE_NUMBER(name))
#elif __cplusplus >= 201103L
extern "C++" {
template <class T> struct probe_is_real {};
template <> struct probe_is_real<float> { typedef void type; };
template <> struct probe_is_real<double> { typedef void type; };
template <> struct probe_is_real<long double> { typedef void type; };
/* probe_counter_real() takes these */
template <class T> typename probe_is_real<T>::type
probe_counter(uint32_t, T) = delete;
template <class T> typename probe_is_real<T>::type
probe_note(uint32_t, T) = delete;
}
#endif
/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
