/* Part of probe.h: names, ids, and whether anything is recorded. */
#ifndef PROBE_NAMES_H
#define PROBE_NAMES_H

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

#endif
