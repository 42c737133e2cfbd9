/*
 * Segments that a worker holds: the memory, the process, and our end of them.
 */
#ifndef COLLECTOR_HELD_H
#define COLLECTOR_HELD_H

#include <sys/types.h>

#include "collector/shell/self/pass.h"
#include "collector/sweep/source.h"

struct held {
	struct pass m; /* as the keeper has it */
	int fds[PASS_FDS];
	struct ring_segment *seg;
	struct drain_po *dp;
	struct event *died; /* the process's end */
	struct attach *at;
	struct perf_process *perf;    /* NULL: its switches are not known */
	struct perf_process *samples; /* NULL: it is not sampled */
	struct procfs *procfs;        /* NULL: never measured */
	struct held *next;
	struct share *share; /* of the memory of its group; NULL: none */
	struct held *shares_next, *shares_before;
};

/*
 * A fresh segment for a process: memory file, sealed, formatted and mapped.
 * NULL with errno set.
 */
struct held *held_new(const struct pass *, const char *tag, uint32_t node,
    uint32_t mask, uint32_t wait_ms);
/* Maps one that is there.  Takes fds. */
struct held *held_map(const struct pass *, const int fds[PASS_FDS]);
void held_free(struct held *); /* unmaps and closes; not the event */

/*
 * What /proc says of a process behind its name, from its state on: in text.
 * NULL: there is none such.
 */
#define HELD_STAT 1024 /* bytes */
char *held_stat(uint32_t pid, char text[HELD_STAT]);

/* Still the same process?  Its descriptor says so. */
bool held_alive(const struct held *);
/* How it has ended: enum ending. */
uint32_t held_ending(const struct held *);
/*
 * The system's counters of it; false: there are none.  Those of one that has
 * ended are as long there as nobody has waited for it.
 */
bool held_measure(struct held *, struct measures *);
bool held_thread_alive(const struct held *, uint32_t tid);

#endif
