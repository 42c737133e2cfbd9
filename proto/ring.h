/*
 * The memory that a process and its collector share.
 *
 * The collector makes one memory file per PO, sealed against shrinking and
 * growing, and passes its descriptor to the process.  It holds a header, a
 * fixed number of rings, and the names that the process interns.  A ring has
 * one writer, a thread, and one reader, the collector.
 *
 *	offset 0		struct ring_segment
 *	rings_offset		nrings times struct ring
 *	choice_offset		struct ring_choice: what is recorded, by name
 *	names_offset		names, one after the other
 *	records_offset		nrings times the records of a ring, each
 *				ring_bytes long
 *
 * The file is large and mostly holes.  The process maps what comes before the
 * names, the records of a ring while a thread has it, and of the names the
 * part that it writes to.
 *
 * A ring begins small and grows when it is full, since most threads never
 * need much.  It does not move: behind the memory of its first generation,
 * `first` records, is that of the next, four times as large, and so on.
 * Record i is in the last generation that starts at i or before, at its place
 * modulo the size of that generation.  What is in earlier ones is read first,
 * then nobody looks there again.  All rings of a process together grow by no
 * more than growth.may.
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
#define RING_LAYOUT 4u /* grows with every incompatible change */

#define RING_NAME_BYTES  32
#define RING_GENERATIONS 8u /* at most */

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
	_Atomic uint32_t state;  /* enum ring_state */
	_Atomic uint32_t thread; /* P: number in the PO, from 1 */
	_Atomic uint32_t tid;    /* P: of the operating system */
	_Atomic uint32_t
	    unwanted; /* C, P: classes not recorded of the thread */
	char name[RING_NAME_BYTES]; /* P: thread name, may lack a NUL */
	char pad1[16];

	/*
	 * P: the record with which a generation starts; 0: it has not, but for
	 * the first.  Set before that record is published.
	 */
	_Alignas(64) _Atomic uint64_t start[RING_GENERATIONS];

	/* written by the process on every event */
	_Alignas(64) _Atomic uint64_t head; /* P: records published so far */
	_Atomic uint32_t active; /* P: set while one is being written */
	uint32_t pad2;
	_Atomic uint64_t lost_total;   /* P: events that had no room */
	_Atomic uint64_t lost_records; /* P: EV_lost records among head */
	char pad3[32];

	/* written by the collector after each sweep */
	_Alignas(64) _Atomic uint64_t tail; /* C: records taken so far */
	_Atomic uint32_t emptied; /* C: generations given back so far */
	char pad4[52];
};

/*
 * In a mask, beside classes: look before recording.  The segment has been given
 * up, or less is recorded than the mask says: then every event takes the slow
 * path, which knows `unwanted', `stopped' and the choice by name.
 */
#define RING_LOOK 0x80000000u

/*
 * What is recorded by name (choice.h).  The collector writes the rules, and the
 * slots of names and functions that it knows; the process those of names that
 * it makes.  A slot that is not there says nothing.
 */
#define RING_RULES        64u
#define RING_SLOTS        4096u /* 2^n */
#define RING_SLOT_STEPS   64u   /* so far from its place a slot may be */
#define RING_RULE_PATTERN 120

struct ring_rule {
	uint32_t classes;
	uint32_t flags;                  /* RULE_... */
	char pattern[RING_RULE_PATTERN]; /* may lack a NUL */
};
enum {
	RULE_ON = 1,
	RULE_THREAD = 2, /* of names of threads, not of what they tell of */
};

struct ring_slot {
	_Atomic uint64_t key;     /* number of a name, or address; 0: free */
	_Atomic uint32_t off;     /* C, P: classes that are not recorded */
	_Atomic uint32_t on;      /* C, P: that are, although unwanted */
	_Atomic uint64_t window;  /* P: second << 32 | calls in it, at a cap */
	_Atomic uint64_t counted; /* P: calls beyond it, which are not told */
};

struct ring_choice {
	_Atomic uint32_t serial; /* C: odd while rules are being written */
	_Atomic uint32_t nrules; /* C */
	_Atomic uint32_t cap;    /* C: calls of a function a second; 0: none */
	_Atomic uint32_t second; /* C: counts seconds while there is a cap */
	char pad[48];
	struct ring_rule rules[RING_RULES];
	struct ring_slot slots[RING_SLOTS];
};

struct ring_segment {
	uint32_t magic;           /* C: RING_MAGIC */
	uint32_t layout;          /* C: RING_LAYOUT */
	uint64_t segment_bytes;   /* C: of all this */
	uint32_t node, po;        /* C */
	uint32_t nrings;          /* C */
	uint32_t ring_first;      /* C: records of a first generation, 2^n */
	uint32_t generations;     /* C: of every ring, from 1 */
	uint32_t reserve_records; /* C: of the last, for structural events */
	uint64_t rings_offset;    /* C */
	uint64_t records_offset;  /* C */
	uint64_t ring_bytes;      /* C: from one ring's records to the next's */
	uint64_t names_offset;    /* C */
	uint64_t names_bytes;     /* C: room for names */
	uint32_t names_before;    /* C: names that are told elsewhere */
	uint64_t choice_offset;   /* C: of struct ring_choice; 0: none */

	/*
	 * bit CLASS_... set: the class is recorded; 0: nothing is.  RING_LOOK
	 * as said above; when the segment is given up: first gone, then mask
	 * = ~0.
	 */
	_Alignas(64) _Atomic uint32_t mask; /* C */
	_Atomic uint32_t wait_ms; /* C: full ring: wait so long before losing */
	_Atomic uint32_t gone;    /* C: 1: this segment is given up */
	/* C: of the classes in the mask, those of which only the ends of what
	 * has begun are recorded, and what a name lets in */
	_Atomic uint32_t unwanted;
	_Atomic uint32_t stopped; /* P: the same, by the program's own will */
	/*
	 * C: records that all rings together may have grown by (the second
	 * generation and on); 0: as many as they like.  And how many of all
	 * that they have ever grown by are given back.
	 */
	struct ring_growth {
		_Atomic uint64_t may, given_back;
	} growth;

	_Alignas(64) _Atomic uint32_t rings_used; /* P: first one never taken */
	_Atomic uint32_t threads;      /* P: threads numbered so far */
	_Atomic uint64_t names_used;   /* P: published bytes of names */
	_Atomic uint64_t lost_no_ring; /* P: events of threads without a ring */
	_Atomic uint32_t bye;   /* P: 1: the process ends in good order */
	_Atomic uint32_t taken; /* P: 1: the process has got this */
	_Atomic uint32_t names_missed; /* P: so often there was no room */
	_Atomic uint64_t grown; /* P: records that rings have ever grown by */
};

/*
 * A name: its number is its ordinal, from names_before + 1.  text and file are
 * not terminated; entries start at multiples of 4.
 */
struct ring_name {
	uint32_t line;
	uint16_t text_bytes, file_bytes;
	/* char text[text_bytes], file[file_bytes] */
};

_Static_assert(sizeof(struct ring_record) == 32, "a record is 32 bytes");
_Static_assert(sizeof(struct ring) == 256, "four cache lines");

static inline struct ring *
ring_at(struct ring_segment *s, uint64_t rings_offset, uint32_t i)
{
	return ((struct ring *)(void *)((char *)s + rings_offset) + i);
}

/* Records of a generation. */
static inline uint64_t
ring_size(uint32_t first, uint32_t generation)
{
	return ((uint64_t)first << 2 * generation);
}

/* Records of all generations before this one: where it is in the memory. */
static inline uint64_t
ring_before(uint32_t first, uint32_t generation)
{
	return ((ring_size(first, generation) - first) / 3);
}

/*
 * Where record i is in the memory of its ring; *n is set to how many follow
 * one after the other, itself included.  Whatever a program has written, the
 * place is one of the ring's and n is at least 1.
 */
static inline uint64_t
ring_find(const struct ring *r, uint32_t first, uint32_t generations,
    uint64_t i, uint64_t *n)
{
	uint64_t start, end = UINT64_MAX, at;
	uint32_t g = generations - 1;

	for (; g > 0; g--) {
		start =
		    atomic_load_explicit(&r->start[g], memory_order_relaxed);
		if (start != 0 && start <= i)
			break;
		if (start != 0)
			end = start;
	}
	at = i & (ring_size(first, g) - 1);
	*n = ring_size(first, g) - at;
	if (*n > end - i)
		*n = end - i;
	return (ring_before(first, g) + at);
}

#endif
