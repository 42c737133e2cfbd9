/*
 * The memory that a process and its collector share.
 *
 * The collector makes one memory file per PO, sealed against shrinking and
 * growing, and passes its descriptor to the process.  It holds a header, the
 * names that the process interns, and a fixed number of rings.  A ring has one
 * writer, a thread, and one reader, the collector.
 *
 *	offset 0		struct ring_segment
 *	names_offset		names, one after the other
 *	rings_offset		nrings times { struct ring, records }, each
 *				ring_bytes long
 *
 * The reader trusts nothing in here: it keeps its own copy of the sizes that
 * it has laid out and of its place in each ring, copies a record before it
 * looks at it, and treats what makes no sense as lost.
 *
 * Who may write what is said at each field: P the process, C the collector.
 */
#ifndef PROTO_RING_H
#define PROTO_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define RING_MAGIC  0x6f727231u
#define RING_LAYOUT 1u /* grows with every incompatible change */

#define RING_NAME_BYTES 32

/* What time stamps are. */
enum ring_clock {
	RING_CLOCK_TSC = 1, /* cycles of an invariant counter */
	RING_CLOCK_RAW = 2, /* CLOCK_MONOTONIC_RAW in ns */
};

/* 32 bytes, one event.  kind is an EV_... id; c, a, b as in events.def. */
struct ring_record {
	uint64_t t_cycles;
	uint16_t kind;
	uint16_t zero;
	uint32_t c;
	uint64_t a, b;
};

/*
 * Life of a ring.  FREE -> TAKEN by the process (compare and swap), TAKEN ->
 * LIVE by the process once thread, tid and clock are set, LIVE -> CLOSED by
 * the process when its thread ends or by the collector when it finds the
 * thread or the process gone, CLOSED -> FREE by the collector when drained.
 */
enum ring_state {
	RING_FREE,
	RING_TAKEN,
	RING_LIVE,
	RING_CLOSED
};

struct ring {
	/* read by both, seldom changed */
	_Atomic uint32_t state;     /* enum ring_state */
	_Atomic uint32_t thread;    /* P: number in the PO, from 1 */
	_Atomic uint32_t tid;       /* P: of the operating system */
	_Atomic uint32_t populated; /* P: its pages have been touched */
	char name[RING_NAME_BYTES]; /* P: thread name, may lack a NUL */
	char pad0[16];

	/* written by the process on every event */
	_Alignas(64) _Atomic uint64_t head; /* P: records published so far */
	_Atomic uint32_t active; /* P: set while one is being written */
	uint32_t pad1;
	_Atomic uint64_t lost_total;   /* P: events that had no room */
	_Atomic uint64_t lost_records; /* P: EV_lost records among head */
	char pad2[32];

	/* written by the collector after each sweep */
	_Alignas(64) _Atomic uint64_t tail; /* C: records taken so far */
	char pad3[56];

	/* struct ring_record records[ring_records] follow, 64-aligned */
};

/*
 * In a mask, beside classes: something has changed, look before recording.
 * A segment in use must not have it set, or every event takes the slow path.
 */
#define RING_LOOK 0x80000000u

struct ring_segment {
	uint32_t magic;           /* C: RING_MAGIC */
	uint32_t layout;          /* C: RING_LAYOUT */
	uint64_t segment_bytes;   /* C: of all this */
	uint32_t node, po;        /* C */
	uint32_t nrings;          /* C */
	uint32_t ring_records;    /* C: a power of two, for every ring */
	uint64_t rings_offset;    /* C */
	uint64_t ring_bytes;      /* C: from one ring to the next */
	uint64_t names_offset;    /* C */
	uint64_t names_bytes;     /* C: room for names */
	uint32_t reserve_records; /* C: kept for structural events */
	uint32_t pad0;

	/*
	 * bit CLASS_... set: the class is recorded; 0: nothing is.  RING_LOOK
	 * only when the segment is given up: first gone, then mask = ~0.
	 */
	_Alignas(64) _Atomic uint32_t mask; /* C */
	_Atomic uint32_t wait_ms; /* C: full ring: wait so long before losing */
	_Atomic uint32_t gone;    /* C: 1: this segment is given up */

	_Alignas(64) _Atomic uint32_t rings_used; /* P: first one never taken */
	_Atomic uint32_t threads;      /* P: threads numbered so far */
	_Atomic uint64_t names_used;   /* P: published bytes of names */
	_Atomic uint64_t lost_no_ring; /* P: events of threads without a ring */
	_Atomic uint32_t bye; /* P: 1: the process ends in good order */
	char pad1[36];
};

/*
 * A name: its number is its ordinal, from 1.  text and file are not
 * terminated; entries start at multiples of 4.
 */
struct ring_name {
	uint32_t line;
	uint16_t text_bytes, file_bytes;
	/* char text[text_bytes], file[file_bytes] */
};

_Static_assert(sizeof(struct ring_record) == 32, "a record is 32 bytes");
_Static_assert(sizeof(struct ring) == 192, "three cache lines");

static inline struct ring *
ring_at(struct ring_segment *s, uint64_t rings_offset, uint64_t ring_bytes,
    uint32_t i)
{
	return (
	    (struct ring *)(void *)((char *)s + rings_offset + ring_bytes * i));
}

static inline struct ring_record *
ring_records(struct ring *r)
{
	return ((struct ring_record *)(void *)(r + 1));
}

#endif
