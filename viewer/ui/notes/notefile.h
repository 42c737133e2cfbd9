/*
 * The file of notes.  LOG.notes beside the log; where that cannot be written,
 * or is something else, RUN.notes in $XDG_STATE_HOME/orrery, else in
 * ~/.local/state/orrery.  A line each, # begins a remark:
 *
 *	run IDENTITY
 *	note 1.200000000s:1.300000000s all TEXT
 *	note 1.250000000s row 12 TEXT
 *	group 3,5:8 NAME
 *	name row 12 NAME
 *	name function 7 NAME
 *	afresh
 *
 * Times count from the run's start.  Lines of a group add up; what stands of
 * groups and names before "afresh" does not count, so that the second file can
 * say that there is less of them than the first one says.  Lines that are none
 *of these are told of and kept.
 */
#ifndef VIEWER_NOTEFILE_H
#define VIEWER_NOTEFILE_H

#include "ui/notes/notes.h"

/* Room for one more, at its place in time; NULL: there are too many. */
struct note *notes_insert(struct notes *, const struct note *);
void notes_drop(struct notes *, size_t i);

/*
 * Reads both files into empty notes of this run; log "": there is none beside.
 * -1: why says what is wrong first, and where.
 */
int notefile_read(struct notes *, const char *log, char *why, size_t n);
/* -1: with why. */
int notefile_write(struct notes *, const char *log, char *why, size_t n);
/* As in the file; into buf, which is returned. */
char *notefile_spell(const struct note *, char *buf, size_t n);
/* -1: *why says what a note is.  */
int notefile_parse(const char *line, struct note *, const char **why);

#endif
