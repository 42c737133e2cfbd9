/* What events.def becomes: kinds, their descriptors, and the event itself. */
#ifndef PROTO_EVENT_H
#define PROTO_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "needs.h"

/* clang-format off */
enum event_kind {
#define EVENT(name, id, ...) EV_##name = id,
#include "events.def"
#undef EVENT
	EV_none = 0,
	EVENT_KINDS = 256 /* ids are below this */
};

enum event_class {
	CLASS_life, CLASS_task, CLASS_block, CLASS_call, CLASS_message,
	CLASS_rpc, CLASS_lock, CLASS_object, CLASS_memory, CLASS_phase,
	CLASS_note, CLASS_monitor, CLASS_sample, EVENT_CLASSES
};

enum event_span {
	SPAN_none, SPAN_task, SPAN_call, SPAN_block, SPAN_serve, SPAN_phase,
	SPAN_wait_message, SPAN_wait_lock, SPAN_wait_sync, SPAN_wait_rpc,
	EVENT_SPANS
};
/* clang-format on */

enum event_shape {
	SHAPE_POINT,
	SHAPE_BEGIN,
	SHAPE_END
};
enum event_role {
	ROLE_NONE,
	ROLE_CAUSE,
	ROLE_EFFECT
};
enum event_key {
	KEY_A,
	KEY_B,
	KEY_AB
};
enum event_match {
	MATCH_one,
	MATCH_many,
	MATCH_all
};

/* Why records were lost: word c of EV_lost. */
enum lost_reason {
	LOST_RING_FULL = 1, /* the thread's ring had no room */
	LOST_NO_RING,       /* more threads than rings in this PO */
	LOST_INVALID,       /* a record that made no sense */
	LOST_GONE,          /* everything that knew the ring has died */
	LOST_NOT_ATTACHED,  /* the process had no collector's ear yet */
	LOST_SCHED, /* the kernel had no room for what its scheduler did */
	LOST_REASONS
};

struct event_desc {
	const char *name;      /* NULL: no such kind */
	const char *a, *b, *c; /* "label:type", "" when always 0 */
	const char *what;
	uint16_t kind, partner; /* partner 0: none */
	uint8_t class, shape, span, role, key, match;
};

extern const struct event_desc event_table[EVENT_KINDS];
extern const char *const event_class_name[EVENT_CLASSES];
extern const char *const event_span_name[EVENT_SPANS];
extern const char *const lost_reason_name[LOST_REASONS];

/*
 * How a process has ended: one of these and, of the first two, the number of
 * its exit status or signal.
 */
enum ending {
	ENDING_VANISHED = 0, /* nobody knows */
	ENDING_EXITED = 0x100,
	ENDING_SIGNAL = 0x200,
	ENDING_BECAME = 0x300, /* another program, by exec */
	ENDING_RAN_ON = 0x400, /* it has not: the run has */
};
#define ENDING_WORDS_BYTES 32
/* "exited 0", "signal 9", "vanished"... */
const char *ending_words(uint32_t ending, char buf[ENDING_WORDS_BYTES]);

/*
 * What the value of an EV_measure is: of whom, whether it only grows, in which
 * unit.  Kinds that programs make are of a thread, in no unit.
 */
enum measure {
	MEASURE_THREAD = 0, /* of whom: the lowest two bits */
	MEASURE_PROCESS = 1,
	MEASURE_NODE = 2,
	MEASURE_OF = 3,
	MEASURE_TOTAL = 4, /* so much so far: what it grows by is of interest */
	MEASURE_COUNT = 0 << 4, /* unit: from bit 4 on */
	MEASURE_NS = 1 << 4,
	MEASURE_BYTES = 2 << 4,
	MEASURE_THOUSANDTHS = 3 << 4,
	MEASURE_UNIT = 15 << 4,
};
#define MEASURE_WORDS_BYTES 40
/* "process, total, ns"; "thread"... */
const char *measure_words(uint64_t measure, char buf[MEASURE_WORDS_BYTES]);

/* NULL when there is no such kind. */
const struct event_desc *event_desc(unsigned kind);
const struct event_desc *event_desc_by_name(const char *name);
/* What a word is, by the type of its field.  From WORD_name on it has a text.
 */
enum word_type {
	WORD_none, /* "": always 0 */
	WORD_number,
	WORD_hex, /* identities and addresses */
	WORD_signed,
	WORD_real, /* the bits of a double */
	WORD_flag,
	WORD_name,
	WORD_node,
	WORD_kind,
	WORD_reason,
	WORD_ending,
	WORD_measure,
};
/* Of "label:type"; a type that is not known here is a number. */
enum word_type event_word_type(const char *field);

/* A real as a word has it, by its bits, and back. */
static inline double
event_real(uint64_t bits)
{
	double v;

	__builtin_memcpy(&v, &bits, sizeof(v));
	return (v);
}
static inline uint64_t
event_real_bits(double v)
{
	uint64_t bits;

	__builtin_memcpy(&bits, &v, sizeof(bits));
	return (bits);
}

/* "name" of "label:type"; true when the type of this field is `type`. */
bool event_field_is(const char *field, const char *type);

/* Flags of an event in the log. */
#define EVENT_LATE    0x01 /* came after its time had been passed */
#define EVENT_ORPHAN  0x02 /* an effect whose cause is not there */
#define EVENT_SHIFTED 0x04 /* moved behind its cause, by shift_ns */
#define EVENT_AHEAD   0x08 /* of a time to come, by its map: stands before */

/*
 * One event on the monitor's clock, as it is in the log.  t_mon_ns is the
 * corrected time by which the log is ordered; t_node_ns is what the node's
 * clock said and is never changed; shift_ns (>= 0) is what causal repair has
 * added, so that t_mon_ns - shift_ns is the mapped time.  Of an event that is
 * flagged as ahead it is no later than when the event had come: by the map it
 * was to happen more than a second later, so its node's clock or the map is
 * wrong.
 */
struct event {
	int64_t t_mon_ns;
	int64_t t_node_ns;
	uint64_t seq; /* position in its thread's stream, from 0 */
	uint64_t a, b;
	uint32_t c;
	uint32_t
	    location; /* number of a (node, PO, thread), from definitions */
	uint32_t shift_ns; /* saturates at UINT32_MAX */
	uint16_t kind;
	uint16_t flags;
};

#endif
