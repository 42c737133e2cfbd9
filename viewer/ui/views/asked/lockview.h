/*
 * Locks in the panels' range (model/asked/locksums.h), and who waits for whom
 * at an instant.  UI thread only.
 */
#ifndef VIEWER_LOCKVIEW_H
#define VIEWER_LOCKVIEW_H

#include "model/asked/locksums.h"
#include "ui/desk/desk.h"
#include "ui/things/waitfor.h"

/* The sums of what is shown; NULL: nothing is known yet. */
const struct lock_sums *locks_shown(const struct ui *);
bool locks_busy(const struct ui *);
int64_t locks_range_ns(const struct ui *); /* so long they are of */
/* By what: the i-th; NULL: no more. */
const char *locks_by_name(const struct ui *, unsigned i);

struct waits {
	struct wait *wait; /* by lane */
	size_t n;
	/*
	 * In the order in which they are shown: who holds the others up, then
	 * who waits for that, and so on; the largest trees first.
	 */
	struct wait_row {
		uint32_t lane, depth;
		size_t wait;      /* n: it does not wait */
		uint32_t waiting; /* below it */
	} * row;
	size_t nrows;
	bool deadlock; /* a circle of locks */
};
/* All of the run at t; false: no memory.  To be cleared. */
bool waits_find(const struct ui *, int64_t t_mon_ns, struct waits *);
void waits_clear(struct waits *);
/*
 * The last instant before t at which a thread waited, if nobody does at t;
 * INT64_MIN: there is none.
 */
int64_t waits_last(const struct ui *, int64_t t_mon_ns);
/* "runs evict", of a thread that does not wait */
char *wait_runs(const struct ui *, uint32_t lane, int64_t t_mon_ns, char *buf,
    size_t);
/* "waits for a lock: cache lock, held by worker-06 in evict" */
char *wait_words(const struct ui *, const struct wait *, char *buf, size_t);

#endif
