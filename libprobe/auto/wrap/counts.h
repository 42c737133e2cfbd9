/*
 * Counts of the operations of a thread, in a line of its own: most of what a
 * program does is counted at the price of an addition, and told now and then.
 *
 * The lines lie in a table and not in the threads' own memory, so that whoever
 * ends the process can tell what the others have not.  Who comes when all are
 * taken gets that of a thread that is no more.
 *
 * How long it is since a thread has told is looked at now and then only: at
 * first after some calls, of a thread that makes few, soon after each one.
 */
#ifndef LIBPROBE_AUTO_COUNTS_H
#define LIBPROBE_AUTO_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What each line begins with; no two lie in one line of a processor's cache. */
#define COUNTS_ALIGN 64
struct counts_line {
	/* thread of the system; 0: nobody's */
	_Alignas(COUNTS_ALIGN) uint32_t owner;
	int32_t until; /* calls until somebody looks at the clock */
	int32_t calls; /* how many these were at first */
	int64_t looked_ns, told_ns;
};

#define COUNTS_CALLS 64 /* between two looks at the clock, at most */
#define COUNTS_LINES 1024u

struct counts {
	size_t size; /* of a line */
	void *first; /* a line with words that each child writes to */
	void *more;  /* the others: COUNTS_LINES - 1 */
	/* What its thread, which is no more, has not told is nobody's. */
	void (*bequeath)(struct counts_line *);
	uint32_t used; /* the first that nobody has ever had */
	uint32_t hint;
};

/*
 * A line for the calling thread, whose owner is set and whose counts are what
 * they were; NULL: all are taken.  Keeps errno.
 */
void *counts_take(struct counts *);
/* It has not told and not looked at the clock yet. */
void counts_begin(struct counts_line *);
/* Its thread is over. */
void counts_give(struct counts_line *);
/*
 * Called when `until` is below 0, or sooner: is it apart_ns since it was true,
 * or told to be so?  Sets `until`.
 */
bool counts_due(struct counts_line *, int64_t apart_ns, bool now);
/* The i-th that has, or had, a thread; NULL: there are no more. */
struct counts_line *counts_line(const struct counts *, uint32_t i);
/* In a child: only this one has a thread; NULL: none is in use any more. */
void counts_after_fork(struct counts *, struct counts_line *mine);

#endif
