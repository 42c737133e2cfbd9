/* The events that bytes.c weighs. */
#ifndef TESTS_BENCH_BYTES_H
#define TESTS_BENCH_BYTES_H

#include <stddef.h>

#include "batch.h"
#include "event.h"

enum {
	THREADS = 8,
	EVENTS = 2000000
};

/* All events in order of time, and each thread's; free(3) each. */
extern struct event *all;
extern struct node_event *of[THREADS];
extern size_t of_n[THREADS];

void generate(void);

#endif
