/*
 * What the files of libprobe share.
 *
 * Three rules hold for all of them.  Nothing prints, allocates with malloc or
 * keeps a descriptor.  What is not one plain store is done between hold() and
 * let_go(): one thread at a time, all signals blocked, no cancellation; so a
 * handler never finds anything half done.  And errno is kept.
 */
#ifndef LIBPROBE_INTERNAL_H
#define LIBPROBE_INTERNAL_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "probe.h"
#include "ring.h"

/* What is open of a class, from the first on that was not told (choice.c). */
#define SPANS_MAX   1024u
#define SPAN_STACKS 5u
struct spans {
	uint32_t depth, untold; /* bits in use; of these, 0 */
	uint32_t beyond;        /* deeper ones, which are not told */
	uint8_t told[SPANS_MAX / 8];
};

/* A thread and its ring: the part that is inlined first. */
struct thread {
	struct probe_thread hot;
	/* no room from here on; the limits of `hot` are these, or 0 when all
	 * events have to come by */
	uint64_t limit, limit_hard;
	struct ring *ring;
	struct ring_segment *segment; /* that it is in */
	struct probe_record *memory;  /* of all generations */
	uint32_t first, last; /* records of the first; number of the last */
	uint32_t generation, target; /* the present one; what it becomes */
	uint64_t reserve;            /* records, of the last */
	uint64_t touched;          /* has memory up to here; UINT64_MAX: all */
	uint64_t reported;         /* losses that EV_lost records have told */
	uint64_t since_cycles;     /* when the ring was taken */
	uint64_t held, held_since; /* head that does not move, and since when */
	uint32_t serial;           /* of the attachment that it belongs to */
	uint16_t lossy;            /* full, and not a quarter free since */
	uint16_t busy;             /* writing an EV_lost just now */
	uint32_t comes_by;         /* all events of it do */
	uint32_t muted;            /* classes, by its own will */
	struct spans spans[SPAN_STACKS];
};

/* The collector that knows this PO knows our first names. */
struct names_known {
	uint32_t po, names;
	int64_t t_node_ns; /* when it attached */
};

/* The connection with a collector: sizes are checked and copied. */
struct attachment {
	struct ring_segment *segment; /* NULL: not attached */
	uint64_t rings_offset, names_offset, names_bytes;
	uint64_t records_offset, ring_bytes;
	uint64_t choice_offset;     /* 0: nothing is chosen by name */
	struct ring_choice *choice; /* there, or NULL; read at any time */
	uint32_t nrings, ring_first, generations, reserve_records;
	uint32_t node, po;
	char node_name[64];
	struct names_known known;
	struct thread *threads;        /* one for each ring */
	struct probe_record **records; /* of each ring that is mapped */
	uint32_t serial;               /* counts attachments, from 1; 0: none */
	uint32_t hint;                 /* ring where the last search ended */
};

extern struct attachment attachment __attribute__((visibility("hidden")));
/* What a thread has before its first ring and after its last. */
extern struct thread thread_none;

/*
 * No cancellation from here to there.  An asynchronous one that has come
 * meanwhile is let in by the type, not by the state: the state of glibc 2.36
 * ends the thread at once too, but then it has returned NULL to those who
 * join it.
 */
struct uncancelled {
	int state, type;
};

static inline void
cancel_off(struct uncancelled *u)
{
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &u->type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &u->state);
}

static inline void
cancel_back(const struct uncancelled *u)
{
	pthread_setcancelstate(u->state, NULL);
	pthread_setcanceltype(u->type, NULL);
}

/* One thread at a time; see above. */
struct hold {
	struct uncancelled cancel;
	sigset_t signals;
	int saved_errno;
};
void hold(struct hold *);
void let_go(const struct hold *);
/*
 * This thread is between the two.  What it calls there of the C library may be
 * another library's, which calls us: then nothing is recorded that is not
 * recorded by the plain path, and nothing waits.
 */
extern __thread bool held_here __attribute__((visibility("hidden")));

/* process.c: a process without, with, and after a collector */
/*
 * Before main, or at the first name or id if that is even earlier.  false:
 * nothing will be recorded, or another thread is just finding that out.
 */
bool process_start(void);
bool process_is_child(void);
bool process_gone(void); /* the collector has given us up */
/* Attaches if that can be, and has not been tried just now. */
void process_look(void);
uint32_t process_serial(void);
uint32_t process_full_wait_ms(void);
/* Fresh zeroed memory; wiped: zero again in a child.  NULL if there is none. */
void *process_map(size_t bytes, bool wiped);
void process_debug(const char *what, const char *detail);

/*
 * linked.c, or auto/start.c in libprobe-auto.so: false means to stay inert; and
 * whether to attach now or with the first event.
 */
bool process_may_start(void);
bool process_attaches_first(void);
/* This thread, the process: while there may still be events. */
void process_thread_ends(void);
void process_ends(void);
#define PROCESS_NOTE "Orrery" /* in an ELF note: libprobe is in here */

/* thread.c: rings are taken and handed back */
/* This thread with a ring that has a collector, or NULL. */
struct thread *thread_ready(void);
/* Then an event cannot be recorded: counted if there is a collector. */
void thread_miss(void);
void thread_start(void); /* once a process */
/* In a child: what is still looked up leads to the ring that is left. */
void thread_strand(void);
void thread_forked(void);
/* Where this thread's events go, also in a child of it; NULL: nowhere. */
const struct probe_record *thread_records(void);

/* room.c */
#define ROOM_TOUCH_RECORDS 4096u /* 128 KiB at a time */
/* Nothing may be written without a look at the ring; so much may be. */
void limits_close(struct thread *);
/* Those of `hot` again, since comes_by has changed. */
void limits_again(struct thread *);
/* Sees to it that the next records have memory; safe in handlers. */
void room_touch(struct thread *);
/* Publishes what an interrupted event, never to be resumed, holds back. */
void room_repair(struct thread *);

/* names.c */
struct names_known names_known(void); /* also in a child, of its parent */
/* Those that are not known there yet. */
void names_publish(struct attachment *);
/* Each is recorded as the rules say that come with the segment. */
void names_choose(void);

/* function.c: where a function's name is in what the compiler spells */
const char *function_name(const char *pretty, size_t *bytes);

/* ids.c */
void ids_forked(void);

/* clock.c: RING_CLOCK_TSC or RING_CLOCK_RAW; with the lock held */
uint32_t clock_kind(void);

#endif
