/*
 * One row of the list of spans, as it is drawn, described and written to a
 * file.  UI thread only.
 */
#ifndef VIEWER_LIST_H
#define VIEWER_LIST_H

#include "ui/things/waitfor.h"

struct listed {
	struct span s; /* whole: t1 INT64_MAX while it goes on */
	struct whole w;
	/* So long the row was in that state in the panels' range, until the end
	 * of this one; -1: this one is not in the range. */
	int64_t so_far_ns;
	bool about;       /* of that, not all is known exactly */
	uint32_t in;      /* of a wait: name of the function; 0: in none */
	struct wait wait; /* for whom, if s is a wait; else of UINT32_MAX */
};

/* Whose list, and which range times are added up in; t1 < t0: none. */
struct list_of {
	uint32_t lane;
	int64_t t0, t1;
};
struct list_of list_selected(const struct ui *); /* and the panels' range */

/* What began there on the lane, as model_lane_list() has it. */
void list_row(const struct ui *, const struct list_of *,
    const struct span *piece, struct listed *);
/* Its name, or what it is; into buf "evict, 3 within, waits 1.2 ms", or
 * "cache lock, in evict, for worker 2". */
const char *list_word(const struct ui *, uint32_t lane, const struct span *);
char *list_words(const struct ui *, uint32_t lane, const struct listed *,
    char *buf, size_t);
/* ", in evict, for worker 2", of a wait, or "". */
char *list_wait_words(const struct ui *, const struct listed *, char *buf,
    size_t);

#endif
