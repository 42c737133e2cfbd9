/* The lines from cycles to node time, kept through the death of a worker. */
#ifndef COLLECTOR_LINEFILE_H
#define COLLECTOR_LINEFILE_H

#include "collector/sweep/nodeclock.h"
#include "env.h"

/*
 * DRAIN_CLOCKS lines, as the last worker on this clock of this machine has left
 * them or all zero; written by the one process that holds the spool's lock.
 * NULL, after a warning: there is no room for the file.
 */
struct nodeclock *linefile_map(struct env *, const char *spool_dir);

#endif
