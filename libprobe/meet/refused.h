/* A process that has a collector which does not take it, for the time being. */
#ifndef LIBPROBE_REFUSED_H
#define LIBPROBE_REFUSED_H

#include <stdbool.h>
#include <stdint.h>

/* It has tried in vain: what it does from now on is missed. */
void refused_begin(void);
/* Attached, or there is no collector: nothing more is counted, or due. */
void refused_end(void);
/* There is no hope that asking again would help. */
void refused_for_good(void);
/* A new process: none of this is its own. */
void refused_forked(void);

/* It has not been refused, or it is time, and for this thread only. */
bool refused_may_ask(void);
/* How long it may wait for an answer then. */
int refused_wait_ms(void);

/* An event that is not recorded: counted while there is a collector. */
void refused_count(void);
/* How many so far, and the same, to be told by the caller from now on. */
uint64_t refused_sum(void);
uint64_t refused_take(void);

#endif
