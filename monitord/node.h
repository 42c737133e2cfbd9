/* What a node does; what it is: nodes.h. */
#ifndef MONITORD_NODE_H
#define MONITORD_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "monitord/run/nodes.h"

extern const char *const node_state_name[NODE_STATES];

struct node *node_new(struct monitord_core *, const char *name);
void node_free(struct node *);
/* All events so far are on disk: tell the collector what it may forget. */
void node_acknowledge(struct node *);
/* Stops or resumes reading from it. */
void node_pause(struct node *, bool pause);
/* Asks for the rest and the accounts. */
void node_finish(struct node *);
/* Processes that could not attach there, in this run. */
uint64_t node_unattached(const struct node *);
/* Nobody waits for what it says, or somebody does again. */
void node_rest(struct node *, bool resting);
/* Once a second. */
void node_second(struct node *);
/*
 * Goes on with the clock map of the log, segment by segment; anew: with another
 * clock than before.  -1: out of memory.
 */
int node_restore(struct node *, const struct clock_segment *, uint64_t start,
    bool anew);

/* Bound of the error of its clock now; what it shows now (0: not known). */
int64_t node_clock_error(const struct node *);
int64_t node_clock_now(const struct node *);

/* node_clock.c, for node.c: the node's name is set.  -1: ENOMEM. */
int node_clock_new(struct node *);
void node_clock_free(struct node *);

/*
 * node_clocks.c: its collector was started, for the so manieth time, and since
 * which of them on this machine; moved: on another machine than before, or
 * after a reboot.  -1: ENOMEM.
 */
int node_clock_start(struct node *, uint64_t start, uint64_t since, bool moved);
/* It is not the clock that it was: a fresh one, in the next epoch. */
int node_clock_other(struct node *);
/* By which clock a batch of this start was made. */
struct clocksync *node_clock_of(const struct node *, uint64_t start);
void node_clocks_free(struct node *);
/* node_clock.c, for node_clocks.c: NULL: ENOMEM. */
struct clocksync *node_clock_sync(struct node *);
/* The guest is its clock connection from now on; or there is none. */
void node_clock_connected(struct node *, struct guest *, uint64_t start);
void node_clock_close(struct node *, const char *why);
/* Once a second. */
void node_clock_tick(struct node *);
void node_clock_rest(struct node *, bool resting);
/* node.c, for node_clock.c: its times can be mapped from now on. */
void node_run(struct node *);

/* node.c, for node_join.c: what it does as a guest; its connection is gone. */
extern const struct guest_role node_role;
void node_closed(void *arg, const char *why);

/* intake.c: a batch, its clock being usable.  -1: said why, close. */
int node_intake(struct node *, const struct msg_batch *);
void node_mark(struct node *, struct clocksync *, int64_t watermark_node_ns);

#endif
