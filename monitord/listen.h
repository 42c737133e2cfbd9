/*
 * Who comes to monitord: collectors, their clock connections, viewers and
 * control tools, told apart by their hello.
 */
#ifndef MONITORD_LISTEN_H
#define MONITORD_LISTEN_H

#include <stdbool.h>

#include "message.h"
#include "peer.h"

struct monitord_core;
struct listen;
struct guest; /* one connection */

#define MESSAGE_USUAL ((size_t)4 << 10)

/* What a guest does once its hello was accepted.  See peer.h. */
struct guest_role {
	size_t message_max; /* bytes of a message; 0: MESSAGE_USUAL */
	int (*message)(void *object, unsigned type, const void *msg,
	    const struct frame *, int64_t at_ns);
	void (*drained)(void *object);
	void (*closed)(void *object, const char *why);
};

/* Listens at an address; the core's socket is `listen'.  -1 with errno. */
struct listen *listen_new(struct monitord_core *);
int listen_add(struct listen *, const char *address);
void listen_free(struct listen *); /* closes everybody; NULL is fine */

/* Turns a guest into what it said it is, and welcomes it. */
void guest_become(struct guest *, const struct guest_role *, void *object);
int guest_welcome(struct guest *, uint32_t node, uint32_t next_po);
/* Says why not; returns -1, for the message handler to return. */
int guest_refuse(struct guest *, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* It is to be closed for something that it did: let it not hurry back. */
void guest_blame(struct guest *);
int guest_send(struct guest *, enum msg_type, const void *msg);
struct peer *guest_peer(struct guest *);
void guest_pause(struct guest *, bool pause);
/* No call-back follows. */
void guest_close(struct guest *, bool flush);

#endif
