/*
 * A framed connection: whole messages in, whole messages out, every fault of
 * the other side answered by one line in the log and a close.
 */
#ifndef COMMON_PEER_H
#define COMMON_PEER_H

#include <stdbool.h>

#include "env.h"
#include "frame.h"

struct peer;

/*
 * A whole message of a known type has come, decoded into msg (a struct
 * msg_...; its strings live until the call returns).  at_ns: node clock just
 * after it was read.  Returns 0, or -1 to close this peer, having said why.
 * The handler may also peer_close() it; then it must return 0.
 */
struct peer_ops {
	int (*message)(void *arg, unsigned type, const void *msg,
	    const struct frame *, int64_t at_ns);
	void (*connected)(void *arg);
	void (*drained)(void *arg);
	/* the peer is gone and has been freed; why is NULL for a normal end */
	void (*closed)(void *arg, const char *why);
};

/* Takes the connection.  what names the peer in the log ("node n1"). */
struct peer *peer_new(struct env *, struct env_conn *, const char *what,
    const struct peer_ops *, void *arg);
struct peer *peer_connect(struct env *, const char *address, const char *what,
    const struct peer_ops *, void *arg);
/* It may send no message longer than this, head and all; at first, any. */
void peer_limit(struct peer *, size_t bytes);
void peer_rename(struct peer *, const char *what);
const char *peer_what(const struct peer *);
struct env_conn *peer_conn(struct peer *);
/* 0, or -1 with errno set; the peer stays. */
int peer_send(struct peer *, enum msg_type, const void *msg);
/* Sends bytes that are whole frames already. */
int peer_send_raw(struct peer *, const void *, size_t);
size_t peer_queued(const struct peer *);
/* No call-back follows.  flush: what is queued is still sent. */
void peer_close(struct peer *, bool flush); /* NULL is fine */

#endif
