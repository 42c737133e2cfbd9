/*
 * Asking a daemon: whole messages over a blocking socket, each within a limit.
 * What fails says why on stderr and gives an exit code of sysexits.h.
 */
#ifndef TOOLS_ASK_H
#define TOOLS_ASK_H

#include <stdbool.h>

#include "frame.h"

struct ask {
	int fd;       /* -1: not connected */
	int code;     /* after a failure: the exit code that says best what */
	bool may_end; /* the other side may go: no message, EX_UNAVAILABLE */
	struct buf in;
	size_t used; /* of in, by the message that was returned last */
};

#define ASK_TIMEOUT_MS 10000

/*
 * Connects to a Unix socket.  -1 with a->code set; errno says why; nothing is
 * printed.
 */
int ask_connect(struct ask *, const char *path);
/* Connects to monitord and says hello; path NULL: the usual place. */
int ask_monitord(struct ask *, const char *path);
void ask_close(struct ask *);

int ask_send(struct ask *, enum msg_type, const void *msg);
/*
 * Waits for a message of this type and decodes it; its strings are valid until
 * the next call.  timeout_ms -1: waits for ever.  0, or -1.
 */
int ask_receive(struct ask *, enum msg_type, void *msg, int timeout_ms);

/* monitord's status, all pieces of it, as YAML; -1 with a->code set. */
int status_ask(struct ask *, struct buf *, int *code);

#endif
