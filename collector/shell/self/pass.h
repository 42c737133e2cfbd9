/*
 * What keeper and worker tell each other, over a SOCK_SEQPACKET pair: one
 * packet is one struct pass, with descriptors.
 */
#ifndef COLLECTOR_PASS_H
#define COLLECTOR_PASS_H

#include <stdint.h>

#include "collector/sweep/segment.h"

enum pass_type {
	PASS_SEGMENT = 1, /* a segment: its memory, its process */
	PASS_END,         /* to a worker: that was all of them */
	PASS_GONE,        /* by a worker: it is drained; close it */
	PASS_READY,       /* by a worker: it listens */
	PASS_STOP,        /* to a worker: stop; by a worker: it has */
	PASS_LISTENER,    /* to a successor: the attach socket */
	PASS_BUSY,        /* to a successor: there is nothing to take over */
	PASS_OPEN,        /* by a worker: who asks is answered at once */
};

struct pass {
	uint32_t type;
	uint32_t po, pid, parent;
	uint32_t clock; /* enum ring_clock */
	int64_t t_node_ns;
	uint32_t names_po, names; /* inherited */
	struct segment_layout layout;
	char program[64], command[256];
};

#define PASS_FDS 2 /* memory, process */

/* fds may hold -1s at its end.  -1 with errno set. */
int pass_send(int sock, const struct pass *, const int fds[PASS_FDS]);
/*
 * 1: a packet, fds[] set (-1 for none; the caller's).  0: the other side is
 * gone.  -1: errno is set, EAGAIN when there is none, EPROTO when it is none
 * of ours.
 */
int pass_receive(int sock, struct pass *, int fds[PASS_FDS]);

#endif
