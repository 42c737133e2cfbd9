/*
 * What a sampler finds of a process, as events: stacks (EV_sample_stack) before
 * the samples that are of them (EV_sample_found), and with each of these how
 * long its thread has had a processor since the last one.
 */
#ifndef COLLECTOR_SAMPLED_H
#define COLLECTOR_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct drain_po;
struct node_event;
struct sampled;
struct sched_record;

/* From then on its switches are known.  NULL: ENOMEM. */
struct sampled *sampled_new(int64_t since_node_ns);
void sampled_free(struct sampled *); /* NULL is fine */
/* What comes when it is off is of before, and left out. */
void sampled_on(struct sampled *, bool on);
/*
 * Stacks of those of its records that are not before a time, as far as nobody
 * has told them; as of the first of these.  -1: ENOMEM, or no room in the
 * batch; to be called again.
 */
int sampled_tell(struct drain_po *, const struct sched_record *, size_t n,
    int64_t from_node_ns);
/*
 * Each record of its threads, in order of time.  True: it is a sample to be
 * told, and that is the event.
 */
bool sampled_take(struct sampled *, const struct sched_record *,
    struct node_event *);

#endif
