/*
 * Events that a user has named, found in a log, and the logical time of all
 * that comes before them.
 *
 * NODE/PO.THREAD:SEQ	as `monitorctl dump --names` prints it
 * NODE/PO.THREAD@S	the last event of that thread at S seconds or before
 * monitord:SEQ		the monitor's own
 */
#ifndef TOOLS_PICK_H
#define TOOLS_PICK_H

#include "log/tracefile.h"
#include "logical/logical.h"

struct pick {
	const char *text; /* as the user has said it */
	struct logical_event name;
	bool by_time, found;
	int64_t t_mon_ns; /* by_time: until then */
	struct event event;
};

/* A log with its definitions, and what was picked in it. */
struct picked {
	struct tracefile *tf;
	struct defs *defs;
	struct logical *logical;
	struct pick *pick;
	size_t n;
	bool all; /* read the whole log, not only up to the last pick */
};

/*
 * Opens the log, finds what was picked (only text is set) and feeds what
 * precedes it to logical.  Returns 0, or an exit code, having said why.
 */
int picked_open(struct picked *, const char *path);
void picked_close(struct picked *); /* also after a failure */

/* An event that is to be read again; event.location 0 and seq: set by name. */
struct fetched {
	struct logical_event name;
	struct event event;
};
/* Reads these from the log; sorts them by location and seq.  As above. */
int picked_fetch(struct picked *, struct fetched *, size_t n);
/* In such an array; NULL when it is not there. */
const struct event *fetched_find(const struct fetched *, size_t n,
    struct logical_event);

/* Prints a line of the event, with this before it. */
void picked_print(const struct picked *, const char *before,
    const struct event *);

#endif
