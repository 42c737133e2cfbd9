/* What a log that is made up has in it, besides the small programs. */
#ifndef MAKELOG_H
#define MAKELOG_H

#include "tests/unit/make_log.h"

/* The next number of a to b, both too, of the one sequence of a log. */
int64_t between(int64_t a, int64_t b);

/* The number of the next message of a log. */
uint64_t message_next(void);

/*
 * About n events of 16 processes of 4 threads each on 4 nodes, from start_ns
 * on, slow times as slow as usual (9 million a second).  Without varied: calls,
 * one lock, messages, tasks.  With varied everything that a view is made of:
 * calls in calls, many locks, waits, messages by tag, remote calls, tasks,
 * memory, counters, barriers, phases, what threads say of themselves, the
 * scheduler and samples.  No effect stands before its cause.
 */
void make_load(struct make_log *, long n, long slow, int64_t start_ns,
    bool varied);

#endif
