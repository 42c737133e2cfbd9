/*
 * Events in a batch, as a collector sends them.
 *
 * The `streams` field of a batch is a sequence of items: a definition (a whole
 * frame of type po, thread, name, module or symbol) or a run of events of one stream.  Within
 * a batch everything is decodable by itself: differences start from the
 * values that the run header carries or from zero, so that a batch can be
 * repeated, dropped or decoded alone.
 *
 *	item	u8 tag (1 definition, 2 run)
 *	run	varint stream, varint first seq, varint events,
 *		zigzag t_node_ns of the first event, then the events
 *	event	u8 tag, varint t difference, words (see words.h)
 *
 * The coder of the words keeps small caches so that ids that count, ids that
 * come from several senders and addresses that recur cost a byte or nothing.
 * The same coder serves the blocks of the log.
 */
#ifndef PROTO_BATCH_H
#define PROTO_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "frame.h"
#include "varint.h"

/* An event on its node's clock, as a collector sends it. */
struct node_event {
	int64_t t_node_ns;
	uint64_t a, b;
	uint32_t c; /* a name's number is the PO's */
	uint16_t kind;
	uint16_t zero;
};

/*
 * A PO's names count from 1.  Those that its collector gives to places in the
 * code count from here.
 */
#define NAME_PLACES 0x80000100u

#define BATCH_EVENT_BYTES_MAX 40 /* one encoded event is never longer */

/*
 * Encoder.  One batch at a time: add definitions and runs, then take
 * w->out, whose bytes are the streams field.
 */
struct batch_writer;
struct batch_writer *batch_writer_new(void); /* NULL: ENOMEM */
void batch_writer_free(struct batch_writer *);
void batch_writer_reset(struct batch_writer *);
/* A definition: one of MSG_po, MSG_thread, MSG_name, MSG_module, MSG_symbol. */
int batch_add_definition(struct batch_writer *, enum msg_type, const void *msg);
/*
 * n events of one stream; kinds must have a descriptor; words without a
 * meaning are dropped.  Where a time falls, a run of its own begins.  Returns
 * 0, or -1 with ENOMEM, or EINVAL when kinds are not so; then nothing is added.
 */
int batch_add_run(struct batch_writer *, uint32_t stream, uint64_t first_seq,
    const struct node_event *, size_t n);
struct bytes batch_bytes(const struct batch_writer *);
uint32_t batch_events(const struct batch_writer *);

/*
 * Decoder.  Call back for each definition and each run; the run's events are
 * handed over in pieces of at most BATCH_PIECE, in order.  Their kinds have a
 * descriptor.
 */
#define BATCH_PIECE 128 /* they stay in the nearest cache */
struct batch_sink {
	/* a non-zero return stops the decoding and is returned */
	int (*definition)(void *arg, const struct frame *);
	int (*events)(void *arg, uint32_t stream, uint64_t first_seq,
	    const struct node_event *, size_t n);
};
/* Returns 0, -1 when the bytes make no sense, or what the sink returned. */
int batch_decode(struct bytes streams, const struct batch_sink *, void *arg);

#endif
