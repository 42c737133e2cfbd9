/* The system's counters of processes and of this node, from /proc. */
#ifndef COLLECTOR_PROCFS_H
#define COLLECTOR_PROCFS_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/sweep/measure.h"

struct procfs;

/* What is remembered of a process from one reading to the next; NULL: ENOMEM.
 */
struct procfs *procfs_new(uint32_t pid);
void procfs_free(struct procfs *); /* NULL is fine */
/*
 * Adds what can be read of a process that lives: 50 us, and 10 for each of its
 * threads, of which at most PROCFS_TASKS are read at a time.
 */
#define PROCFS_TASKS 32
void procfs_process(struct procfs *, struct measures *);
/* The same of one that has ended and was read before; false: it is gone. */
bool procfs_ended(struct procfs *, struct measures *);
/* Of the node; false: there is no /proc. */
bool procfs_node(struct measures *);

#endif
