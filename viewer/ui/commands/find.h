/* Where in time something of a name happens. */
#ifndef VIEWER_FIND_H
#define VIEWER_FIND_H

#include "ui/desk/ui.h"

/* In order of time, of lanes at one time, spans before marks. */
struct found {
	int64_t t_mon_ns;
	uint32_t lane; /* UINT32_MAX: before all lanes of that time */
	bool note;     /* a mark, not a span */
	struct span span;
	struct mark mark;
};

/*
 * The next (way 1 or -1) span or note after *at whose name has a 1 in names,
 * below n.  1: found; 0: there is none; -1: none up to *at, which is far enough
 * for once.
 */
int find_in_time(const struct ui *, const uint8_t *names, uint32_t n, int way,
    struct found *at);

#endif
