/*
 * Where messages begin and end in the streams of a machine: TCP and Unix
 * connections and pipes, each direction for itself.  A table in a file of the
 * runtime directory, made by a collector and mapped by libprobe-auto.so in all
 * processes, so that who reads knows where who wrote has cut.
 *
 * A stream's bytes are counted from its beginning.  Who writes puts a mark
 * with a message's number before its bytes can be read, and who has read its
 * last byte takes the mark out; so a message is one write, however it is read.
 * A stream has one writer and one reader at a time, of whatever process: a
 * second one makes it unknown who has which bytes, and the stream is given up.
 *
 * Everything here may change at any time, and may have been written by a
 * process that was killed in the middle: who reads believes nothing but what
 * it can use whatever its value.
 */
#ifndef PROTO_STREAMTABLE_H
#define PROTO_STREAMTABLE_H

#include <stdint.h>

#define STREAMTABLE_FILE    ".streams"
#define STREAMTABLE_MAGIC   UINT64_C(0x3153746d7274734f)
#define STREAMTABLE_STREAMS 512u /* a power of two */
#define STREAMTABLE_MARKS   512u /* the same: messages on the way in one */
#define STREAMTABLE_BOOT    40u

struct stream_mark {
	uint64_t start, end; /* bytes */
	uint64_t id;         /* of the message; 0: it was not told */
};

struct stream {
	uint64_t key;            /* which; 0: free */
	uint64_t stamp;          /* when it was looked up last */
	uint64_t cookie[2];      /* of TCP: of the ends, writer's first */
	uint32_t inside[2];      /* somebody is in a call that writes, reads */
	uint32_t known[2];       /* writer, reader have been here */
	uint32_t gap;            /* enum stream_gap; not 0: given up */
	uint32_t full;           /* marks had no room, and that was told */
	uint64_t written, asked; /* bytes; asked: of which it was told */
	uint64_t asker;          /* process that told of what has not gone */
	uint64_t read;
	uint64_t head, tail; /* marks made, and taken out */
	struct stream_mark mark[STREAMTABLE_MARKS];
};

struct streamtable {
	uint64_t magic, bytes;
	char boot[STREAMTABLE_BOOT]; /* what it says is of this boot only */
	uint32_t lock;               /* while a stream is looked up */
	uint32_t unused;
	uint64_t clock;
	struct stream stream[STREAMTABLE_STREAMS];
};

/* Why it is not known any more which bytes are whose. */
enum stream_gap {
	STREAM_OK,
	STREAM_WRITERS, /* two at a time */
	STREAM_READERS,
	STREAM_UNSEEN, /* bytes that nobody has told of */
	STREAM_WAY,    /* they were moved in a way that is not followed */
	STREAM_FULL,   /* so many messages on the way: some are not matched */
	STREAM_GAPS
};

#endif
