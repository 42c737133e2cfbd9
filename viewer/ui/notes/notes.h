/*
 * What the user has written down about a run: text at an instant or on a range
 * of time, on all rows or on one.  Kept in a file, of which notefile.h tells,
 * that is read when the run is seen first and written at each change.
 *
 * UI thread only.
 */
#ifndef VIEWER_NOTES_H
#define VIEWER_NOTES_H

#include "ui/desk/desk.h"

#define NOTES_MAX 1000
#define NOTE_TEXT 192 /* bytes, with its end */
#define NOTE_ALL  UINT32_MAX

struct note {
	int64_t t0_ns, t1_ns; /* from the run's origin; the same: an instant */
	uint32_t row;         /* a lane; NOTE_ALL: it is about all of them */
	uint32_t line;        /* in the strip, from 0 on, at whose end others
				 that lie upon it stand */
	bool beside;          /* it is in the file beside the log */
	char text[NOTE_TEXT];
};

struct hand;
struct notes {
	char run[40];      /* that they are of; "": none yet */
	struct note *note; /* in order of time; owned */
	size_t n, cap;
	size_t chosen;     /* where one is; n or more: at none */
	char *kept;        /* lines beside the log that are no notes; owned */
	size_t kept_bytes; /* without its end */
	bool not_ours;     /* what is beside the log is not to be written to */
	bool was_beside;   /* what is changed now stands there */
	struct hand *hand; /* groups and names (groups.h); owned */
	uint32_t marked;   /* rows that know whether they are in one */
};
#define NOTE_LINES 3 /* in the strip; more lie in the last */

struct notes *notes_new(void);   /* NULL: out of memory */
void notes_free(struct notes *); /* NULL is fine */
/*
 * The run is known now, or is another one: its notes are read.  -1: some of
 * them cannot be, why says what and where, the rest is there.
 */
int notes_arrive(struct ui *, char *why, size_t n);
/*
 * A new one, or another text for the one that is there; it is written down.
 * Returns its place, -1: it is said.
 */
int notes_add(struct ui *, int64_t t0_ns, int64_t t1_ns, uint32_t row,
    const char *text);
/* For groups.h: as the files have them now; and back to them.  -1: with why. */
void notes_read_again(struct ui *);
int notes_write(struct ui *, char *why, size_t n);
int notes_remove(struct ui *, size_t i); /* -1: it is said */
/* "worker-03", or "all rows"; into buf, which is returned. */
char *notes_row(const struct ui *, const struct note *, char *buf, size_t n);
/* The nearest to this instant (from the origin); SIZE_MAX: there is none. */
size_t notes_near(const struct ui *, int64_t t_ns);

#endif
