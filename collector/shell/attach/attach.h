/*
 * The bond between a core and real processes: the attach and query port, the
 * memory files, the ends of processes, and the keeper.
 */
#ifndef COLLECTOR_ATTACH_H
#define COLLECTOR_ATTACH_H

#include "collector/core.h"
#include "collector/shell/self/options.h"

struct attach;

/*
 * keeper_fd: the pair's end to the keeper; listen_fd: the port, listening.
 * Waits for the segments that the keeper has.  NULL with errno set.
 */
struct attach *attach_new(struct env *, const struct options *, int keeper_fd,
    int listen_fd);
void attach_free(struct attach *); /* after the core; NULL is fine */

/* Gives the segments to the core and starts to serve.  -1 with errno set. */
int attach_start(struct attach *, struct collector_core *);
/*
 * The core's question for a PO that nobody has handed on.  Finds its memory in
 * its process and has it adopted, which takes root or CAP_CHECKPOINT_RESTORE.
 * True: it has not, but the process has the memory and may be asked again.
 */
bool attach_missing(struct attach *, const struct po *);
/* The node has a number: who waits for it is answered. */
void attach_welcomed(struct attach *);
/* A process is sampled so often from now on, 0: not at all. */
void attach_sampling(struct attach *, struct drain_po *, uint32_t rate_hz);
/* Switches of the processes' threads: as sched_read. */
size_t attach_sched(struct attach *, struct chains *, struct sched_record *,
    size_t max);
/* Where processes ask. */
const char *attach_socket(const struct attach *);
/* The port answers at once: who waits for a collector may be told. */
void attach_opened(struct attach *);
/* Clean end: tells the keeper so. */
void attach_stopped(struct attach *);

/* Tells the core what code is in the memory of this PO's process. */
void attach_code(struct attach *, struct drain_po *);

#endif
