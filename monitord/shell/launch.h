/*
 * Starting collectors, and starting them again.  This is the part of monitord
 * that makes processes; the core knows nothing of it.
 */
#ifndef MONITORD_LAUNCH_H
#define MONITORD_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "conf.h"

struct event_base;
struct launch;

struct launch_ops {
	/* something that status should show about a node */
	void (*note)(void *arg, const char *node, const char *note);
	/* the run is over: an exit is what was asked for */
	bool (*ending)(void *arg);
	/* this node's collector is connected; and how often it has joined */
	bool (*connected)(void *arg, const char *node);
	unsigned (*connects)(void *arg, const char *node);
};

/*
 * Starts the collectors of all nodes that are to be started.  socket: path of
 * monitord's, which ssh carries to the other side.  NULL with errno set.
 */
struct launch *launch_new(struct event_base *, const struct conf *,
    const char *socket, int verbose, const struct launch_ops *, void *arg);
/* The run is over: processes that are still there are asked to stop. */
void launch_free(struct launch *); /* NULL is fine */

#endif
