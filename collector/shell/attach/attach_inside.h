/* What the files of struct attach share. */
#ifndef COLLECTOR_ATTACH_INSIDE_H
#define COLLECTOR_ATTACH_INSIDE_H

#include <event2/event.h>

#include "attach.h"
#include "held.h"
#include "share.h"

#define WAY "perf_event" /* in which switches are known */

struct attach {
	struct env *env;
	struct event_base *base;
	const struct options *opt;
	struct collector_core *core;
	struct port *port;
	int keeper_fd, listen_fd;
	struct event *keeper_ev, *retry;
	struct held *held;
	struct share *shares; /* by control group */
	struct perf *perf;    /* NULL: it is not wanted, or not possible */
	bool no_perf;         /* the latter */
	bool stopped, open;
};

void held_enter(struct attach *, struct held *); /* among those */

/* attach_creator.c: the PO that made its process, or became it; 0: not known */
uint32_t attach_creator(const struct attach *, const struct held *);

/* attach_perf.c: what can be had of the kernel; why it cannot is said once. */
bool attach_perf_there(struct attach *);
void held_sched_usual(struct held *); /* as the options have it */
/* From now on; its switches are known, or will be. */
void held_sample_begin(struct held *);
void held_sched_end(struct held *);

/* attach_keeper.c: the keeper's packets before PASS_END.  -1: errno */
int attach_keeper_inherit(struct attach *);
int attach_keeper_watch(struct attach *); /* what it says.  -1: errno */
void attach_keeper_retry_cb(evutil_socket_t, short, void *);

#endif
