/*
 * Files for pictures: new ones beside those that are meant (beside.h).  When
 * one is whole it takes the other's place, if there is none or it is a picture
 * of ours: whoever mistypes a name, or is made to, loses nothing.
 */
#ifndef VIEWER_OUTFILE_H
#define VIEWER_OUTFILE_H

#include <stdio.h>

#include "log/beside.h"

struct outfile {
	FILE *f;
	const char *path; /* the caller's */
	char part[BESIDE_BYTES];
};

/*
 * 0, or -1 with errno set; EEXIST: there is something else by that name, or a
 * link.
 */
int outfile_open(struct outfile *, const char *path);
/* good: it takes its place; else it goes.  0, or -1 with errno set. */
int outfile_close(struct outfile *, int good);
/* What is wrong by this errno, for a person. */
const char *outfile_trouble(int error);

/* As a table and a list of spans begin: how they are known as ours. */
#define TABLE_HEAD "view\tpart\trange_begins_ns\trange_ends_ns\trow\t"
#define LIST_HEAD  "row\tnumber\tbegins_ns\tfor_ns\tcumulative_ns"

#endif
