/*
 * The critical path of a range of time: from its last event back, along what
 * was waited for.  On a thread it goes back to the last effect that ended a
 * wait, or a time without work, which had begun before the cause; from there to
 * the cause on the other thread, and so on; of several at one instant the last
 * cause counts, of these the thread with the highest number.  Only what lies on
 * it can make the run end sooner.  With it, what all threads waited for, by kind
 * and by whom.
 *
 * Times of pieces and of the ways between them add up to the length exactly.
 * The method is the backward walk of Scalasca and others over the links of the
 * run, a window of links at a time.
 *
 * All calls by one thread; the model may grow meanwhile.
 */
#ifndef VIEWER_CRITICAL_H
#define VIEWER_CRITICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;
struct critical;

#define CRITICAL_PIECES (1u << 20) /* that are kept, from the end back */

/* The path is on a thread. */
struct critical_piece {
	int64_t t0_mon_ns, t1_mon_ns;
	uint32_t lane;
	uint16_t kind; /* of the cause by which it came here; 0: it begins */
};

/* So long the path was in this; lane has the most of it. */
struct critical_part {
	uint8_t class, kind; /* as of a span */
	uint32_t name;
	int64_t ns, lane_ns;
	uint32_t lane;
	int64_t all_ns; /* of all threads in that function itself; 0: in none */
};

enum critical_wait {
	CRITICAL_SENDER,   /* late sender: it waited before that was sent */
	CRITICAL_TOGETHER, /* barrier, collective, block: for who comes last */
	CRITICAL_LOCK,     /* lock, semaphore, condition; idle threads not */
	CRITICAL_JOIN,     /* the end of a thread */
	CRITICAL_SERVER,   /* of a remote call, until it was begun */
	CRITICAL_WAY,      /* for messages and answers under way */
	CRITICAL_RECEIVER, /* late receiver: a message lay, nobody waited */
	CRITICAL_WAITS
};
/* Of all threads, as far as it is in the range. */
struct critical_waited {
	int64_t ns;
	uint64_t times;
	uint32_t at;          /* name of the call in which it was the most; 0 */
	uint32_t by, by_name; /* lane that caused the most, and in what call */
	int64_t at_ns, by_ns; /* UINT32_MAX, 0: nobody */
};

struct critical *critical_new(void);   /* NULL: ENOMEM */
void critical_free(struct critical *); /* NULL is fine */
/*
 * Begins anew: the path to the last event before t1 of all threads, or of this
 * one (lane UINT32_MAX: of all).
 */
void critical_begin(struct critical *, const struct model *, int64_t t0,
    int64_t t1, uint32_t lane);
/* Some thousand links more; true: all is done, or memory is out. */
bool critical_step(struct critical *);

/* When it is done. */
/* False: some was given up for want of memory. */
bool critical_exact(const struct critical *);
/* From where to where it goes; equal: there is none. */
void critical_range(const struct critical *, int64_t *t0, int64_t *t1);
/* The latest first; those behind CRITICAL_PIECES are only counted, in *all. */
size_t critical_pieces(const struct critical *, const struct critical_piece **,
    uint64_t *all);
/* On the way between two pieces, in sum. */
int64_t critical_way_ns(const struct critical *);
/* The longest first. */
size_t critical_parts(const struct critical *, const struct critical_part **);
void critical_waited(const struct critical *, enum critical_wait,
    struct critical_waited *);

#endif
