/*
 * What goes through connections and pipes, as messages: a send for each write,
 * a receive when the last of its bytes has been read, with the same number.
 */
#ifndef LIBPROBE_AUTO_STREAMS_H
#define LIBPROBE_AUTO_STREAMS_H

#include <stdbool.h>
#include <sys/types.h>

#include "libprobe/auto/descriptors/stream.h"
#include "probe.h"

extern struct streamtable *streams_table; /* NULL: there is none */

/* Once this process has a collector. */
void streams_start(void);
/* Before that: this process follows none. */
void streams_off(void);
bool streams_late(void);

/* There is something to do here; the first time that there is a collector. */
static inline bool
streams_on(void)
{
	return (PROBE_LOAD(&streams_table) != NULL || streams_late());
}

/* A call that moves bytes, between streams_begin() and streams_end(). */
struct streams_call {
	struct stream *stream; /* NULL: it is none, or is not followed */
	enum stream_end end;
	int fd;
	size_t asked; /* bytes to move; 0: not known */
	bool alone;   /* no message of it can be matched */
	bool whole;   /* datagrams: what moves is a message of its own */
};

/* n: bytes to write, or that there is room for; 0: that is not known. */
void streams_begin(struct streams_call *, int fd, enum stream_end, size_t n);
/* So many bytes have moved, or none if it is negative. */
void streams_end(const struct streams_call *, ssize_t moved);

/*
 * Datagrams, and messages of a connection that keeps them apart: the kernel may
 * drop them, or cut what has no room, and gives them no number that both ends
 * could know.  So each that a call has moved is told, without a partner.
 */
bool streams_is_whole(int fd);
/* One of them has moved: n bytes, or -1 if it has not. */
void streams_whole(int fd, enum stream_end, ssize_t n);

/* Bytes are moved in a way that is not followed: the stream is given up. */
void streams_give_up(int fd, enum stream_end);
void streams_forget(int fd);

#endif
