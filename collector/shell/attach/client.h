/* The attach and query port: connections and their requests. */
#ifndef COLLECTOR_CLIENT_H
#define COLLECTOR_CLIENT_H

#include "attach.h"

struct event_base;
struct port;

/* listen_fd stays the caller's. */
struct port *port_new(struct event_base *, int listen_fd, struct attach *,
    struct collector_core *);
void port_free(struct port *); /* NULL is fine */
void port_welcomed(struct port *);
/* This process was served, has ended, and has never had its memory. */
void port_not_taken(struct port *, uint32_t pid);

/*
 * attach.c: makes this process a PO.  Returns the descriptor of its memory,
 * not to be closed, and fills in the answer; -1 with errno set.
 */
int attach_process(struct attach *, const struct msg_attach *, uint32_t pid,
    struct msg_attached *answer);

#endif
