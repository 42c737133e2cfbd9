/* What strangers send to the attach and query port. */
#ifndef COLLECTOR_REQUEST_H
#define COLLECTOR_REQUEST_H

#include <sys/types.h>

#include "frame.h"

#define REQUEST_BYTES_MAX (64u << 10) /* a whole frame */

struct request {
	unsigned type; /* MSG_attach, MSG_unheard or MSG_query */
	union {
		struct msg_attach attach; /* strings point into the buffer */
		struct msg_unheard unheard;
		struct msg_query query;
	} m;
};

/*
 * Reads one request from the start of buf.  Returns the bytes that it takes,
 * 0 when more are needed, -1 with *why set when this is none of ours.
 */
ssize_t request_parse(const void *buf, size_t n, struct request *,
    const char **why);

#endif
