/*
 * What the kernel's scheduler does with the threads of programs: its records,
 * as events (EV_sched_...) in the collector's word about their process.
 *
 * Records come with the calls; nothing here speaks to the kernel.
 */
#ifndef COLLECTOR_SCHED_H
#define COLLECTOR_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/sweep/sched_record.h"

/*
 * Copies at most max records that are there, of each processor in order of
 * time; returns how many.  Less than max: that was all.  Chains of samples are
 * from these.
 */
typedef size_t sched_read(void *arg, struct chains *, struct sched_record *,
    size_t max);

struct drain;
struct sched;

struct sched *sched_new(sched_read *, void *arg); /* NULL: ENOMEM */
void sched_free(struct sched *);                  /* NULL is fine */
/*
 * Tells all that happened before a time: from then on nothing may come that
 * is earlier.  false: not all of it, for want of room; to be called again
 * before anything later is vouched for.
 */
bool sched_tell(struct sched *, struct drain *, int64_t before_node_ns);
/* So many came with the last call that the kernel may run out of room. */
bool sched_busy(const struct sched *);

#endif
