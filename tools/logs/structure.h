/*
 * Is this file built as a log is?  What comes first and last, what is defined
 * before it is used, that the blocks of a location follow one another, that
 * their summaries say what is in them and the index where things are.  What
 * the events mean is proto/check/validate.h's.
 */
#ifndef TOOLS_STRUCTURE_H
#define TOOLS_STRUCTURE_H

#include <stdbool.h>

#include "log/tracefile.h"

struct structure {
	uint64_t frames, blocks, late_blocks, events, violations;
	bool finished; /* ends with a receipt */
};

/* One sentence about each violation. */
typedef void structure_violation_cb(void *arg, const char *text);

/* -1 with errno set when the file cannot be read, or ENOMEM. */
int structure_check(struct tracefile *, structure_violation_cb *, void *arg,
    struct structure *);

#endif
