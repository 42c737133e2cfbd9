/*
 * Whether a thread has a processor, and what that makes of the sums of the
 * functions that it is in.  The scheduler tells of a thread that it was taken
 * off one, or put onto it; one of which nothing has been told since its
 * process is recorded has had one all the time if it does something.
 */
#ifndef VIEWER_CPU_H
#define VIEWER_CPU_H

#include "model/run/take.h"

enum cpu_is {
	CPU_UNKNOWN,
	CPU_UNTOLD, /* its process is recorded: something will be told */
	CPU_ON,
	CPU_OFF
};

/* cpu.c: writer; it is now known to have one, or not, since then. */
void cpu_set(struct location *, bool on, int64_t since_ns);

/* Writer: it begins or ends a span, so it has one. */
static inline void
cpu_seen(struct location *l)
{
	if (l->cpu.is == CPU_UNTOLD)
		cpu_set(l, true, l->cpu.from_ns);
}

#endif
