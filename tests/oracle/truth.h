/*
 * What the programs of the oracle share.  They count what they do; what they
 * print at the end the oracle holds against the log.
 */
#ifndef ORACLE_TRUTH_H
#define ORACLE_TRUTH_H

#include <stdint.h>
#include <time.h>

#include "probe.h"

/* What goes over the sockets between the two programs. */
struct wire {
	uint64_t id, object, hop;
	uint32_t what, bytes;
};
enum {
	WIRE_CALL = 1,
	WIRE_MESSAGE,
	WIRE_OBJECT,
	WIRE_END
};

/* Busy for so long. */
static inline void
truth_spin(int64_t ns)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	do
		clock_gettime(CLOCK_MONOTONIC, &b);
	while ((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec < ns);
}

/* Waits without being busy. */
static inline void
truth_rest(int64_t ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&t, NULL);
}

/* Prints "calls NAME N"; counted by hand, by one thread at a time. */
void truth_told(const char *name, unsigned calls);

/* truth_same.c: calls of a static function that has the name of another. */
void same_steps(int n);

/* truth_tasks.c: tasks, nested, suspended, of several trees. */
void tasks_all(void);
/* truth_locks.c: locks, conditions, semaphores, barriers, threads. */
void locks_all(void);
/* truth_odd.c: ends without begins, spans that overlap, words. */
void odd_all(void);
void odd_exits(void); /* processes that end in every way */
/* truth_own.c: events of kinds that are declared. */
void own_all(void);

#endif
