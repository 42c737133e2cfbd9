/*
 * Events in a batch, as a collector sends them.
 *
 * The `streams` field of a batch is a sequence of items: a definition (a whole
 * frame of type po, thread or name) or a run of events of one stream.  Within
 * a batch everything is decodable by itself: differences start from the
 * values that the run header carries or from zero, so that a batch can be
 * repeated, dropped or decoded alone.
 *
 *	item	u8 tag (1 definition, 2 run)
 *	run	varint stream, varint first seq, varint events,
 *		varint t_node_ns of the first event, then the events
 *	event	u8 kind, varint t delta, then those of c, a, b that its
 *		descriptor gives a meaning: c as a zigzag difference from the
 *		last c of that kind in the run, a and b by the value coder
 *
 * The value coder keeps small caches so that ids that count, ids that come
 * from several sources and addresses that recur all cost a byte or two:
 * see batch.c.  The same coder serves the blocks of the log.
 */
#ifndef PROTO_BATCH_H
#define PROTO_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "frame.h"

/* An event on its node's clock, as a collector sends it. */
struct node_event {
	int64_t t_node_ns;
	uint64_t a, b;
	uint32_t c; /* a name's number is the PO's */
	uint16_t kind;
	uint16_t zero;
};

#define BATCH_EVENT_BYTES_MAX 40 /* one encoded event is never longer */

/*
 * Encoder.  One batch at a time: add definitions and runs, then take
 * w->out, whose bytes are the streams field.
 */
struct batch_writer;
struct batch_writer *batch_writer_new(void); /* NULL: ENOMEM */
void batch_writer_free(struct batch_writer *);
void batch_writer_reset(struct batch_writer *);
/* A definition: one of MSG_po, MSG_thread, MSG_name. */
int batch_add_definition(struct batch_writer *, enum msg_type, const void *msg);
/*
 * n events of one stream; times must not fall; kinds must have a descriptor;
 * words without a meaning are dropped.  Returns 0, or -1 with ENOMEM.
 */
int batch_add_run(struct batch_writer *, uint32_t stream, uint64_t first_seq,
    const struct node_event *, size_t n);
struct bytes batch_bytes(const struct batch_writer *);
uint32_t batch_events(const struct batch_writer *);

/*
 * Decoder.  Call back for each definition and each run; the run's events are
 * handed over in pieces of at most BATCH_PIECE, in order.
 */
#define BATCH_PIECE 1024
struct batch_sink {
	/* a non-zero return stops the decoding and is returned */
	int (*definition)(void *arg, const struct frame *);
	int (*events)(void *arg, uint32_t stream, uint64_t first_seq,
	    const struct node_event *, size_t n);
};
/* Returns 0, -1 when the bytes make no sense, or what the sink returned. */
int batch_decode(struct bytes streams, const struct batch_sink *, void *arg);

/* Varints: little endian, 7 bits a byte, at most 10 bytes. */
size_t varint_put(uint8_t *, uint64_t);
/* NULL when cut or too long. */
const uint8_t *varint_get(const uint8_t *p, const uint8_t *end, uint64_t *);

static inline uint64_t
zigzag(int64_t v)
{
	return (((uint64_t)v << 1) ^ (uint64_t)(v >> 63));
}

static inline int64_t
unzigzag(uint64_t v)
{
	return ((int64_t)(v >> 1) ^ -(int64_t)(v & 1));
}

/*
 * The value coder: a state per (kind, word) on each side.  Both sides start
 * from zeroed states.
 */
struct value_coder {
	uint64_t last;	     /* for small differences */
	uint64_t recent[16]; /* by hash of the value */
	uint64_t high[16];   /* last value by hash of its upper half */
};
size_t value_put(struct value_coder *, uint8_t *, uint64_t); /* <= 11 bytes */
const uint8_t *value_get(struct value_coder *, const uint8_t *p,
    const uint8_t *end, uint64_t *);

#endif
