/*
 * A direction of a connection, or a pipe, as in the table that all processes
 * share (proto/streamtable.h): what is written and read there, as messages.
 * These functions ask nobody; descriptors and events are in streams.c.
 */
#ifndef LIBPROBE_AUTO_STREAM_H
#define LIBPROBE_AUTO_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "streamtable.h"

enum stream_end {
	STREAM_WRITER,
	STREAM_READER
};

/*
 * The stream of this key, or a fresh one, in the place of that which nobody
 * has looked up for the longest time.  NULL: the table is in use for too long.
 */
struct stream *stream_find(struct streamtable *, uint64_t key);

/* In a call that writes or reads, from here to stream_leave(); false: another
 * one is, or the stream has been given up. */
bool stream_enter(struct stream *, enum stream_end);
/* The same for a moment, for who wants to know where the stream stands; and of
 * the other end, inside of that, if nobody is there. */
bool stream_look(struct stream *, enum stream_end);
bool stream_look_beside(struct stream *, enum stream_end);
void stream_leave(struct stream *, enum stream_end);
/* Gives it up; true: it was good before. */
bool stream_give_up(struct stream *, enum stream_gap);

/*
 * This process (not 0) is to write n bytes.  Those that it has told of already,
 * and did not go, are part of the message that they were in.  Returns how many
 * are a message of their own, from *start on.
 */
uint64_t stream_write(struct stream *, uint64_t process, uint64_t n,
    uint64_t *start);
/* That has this number; false: there is no room for the mark. */
bool stream_mark(struct stream *, uint64_t start, uint64_t n, uint64_t id);
/* So many of them have gone. */
void stream_wrote(struct stream *, uint64_t n);

/* n bytes have been read. */
void stream_read(struct stream *, uint64_t n);
/* The next message of which all has been read; false: there is none. */
bool stream_next(struct stream *, struct stream_mark *);
/* More has been read than was written, as far as it is known here. */
bool stream_unseen(const struct stream *);

/*
 * Of TCP: this end belongs to the connection that has this cookie; if it was
 * another one's before, its addresses are used again, and it begins anew.
 */
void stream_renew(struct stream *, enum stream_end, uint64_t cookie);

/*
 * Inside both ends: the kernel says how many bytes have been written and read;
 * if that is not what is known here, messages in between are not matched.
 * Returns true then.
 */
bool stream_set(struct stream *, uint64_t written, uint64_t read);
/* The same for one end, inside of that. */
bool stream_set_written(struct stream *, uint64_t written);
bool stream_set_read(struct stream *, uint64_t read);

#endif
