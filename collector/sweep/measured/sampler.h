/*
 * Counters of processes and of the node, told as events (EV_measure) in the
 * collector's word about a process.
 *
 * Everything comes in with the calls: when it is, and how to read.
 */
#ifndef COLLECTOR_SAMPLER_H
#define COLLECTOR_SAMPLER_H

#include "collector/sweep/drain.h"
#include "collector/sweep/measure.h"

struct sampler;

#define SAMPLER_PERIOD_NS (100 * ENV_MS)
#define SAMPLER_REST_NS   (1 * ENV_SEC)   /* while nothing happens */
#define SAMPLER_SLICE_NS  INT64_C(200000) /* of reading, in one tick */
#define SAMPLER_SHARE     100 /* at most this part of the time is reading */

/*
 * period_ns: between two readings of one thing; 0: never.  read_node: counters
 * of the node; false, or NULL: there are none.  NULL: ENOMEM.
 */
struct sampler *sampler_new(struct env *, struct drain *, int64_t period_ns,
    bool (*read_node)(void *arg, struct measures *), void *arg);
void sampler_free(struct sampler *); /* NULL is fine */
/*
 * Reads what is due, as long as there is time for it, and tells what has
 * changed.  busy: events have come since.
 */
void sampler_step(struct sampler *, int64_t now_node_ns, bool busy);
/* Its process has gone: its last counters, if the system still has them. */
void sampler_last(struct sampler *, struct drain_po *, int64_t now_node_ns);

#endif
