/*
 * Messages and calls whose effect has not come: they touch no time but their
 * own, so that who looks at a later time must have seen them.  UI thread only.
 */
#ifndef VIEWER_OPENLINKS_H
#define VIEWER_OPENLINKS_H

#include "model/model.h"

/* All 0: nothing has been looked at. */
struct open_links {
	const struct model *model;
	uint64_t rewritten;
	int64_t at_ns, step_ns; /* looked at up to here */
	struct link *link;
	size_t n, cap;
	bool failed; /* memory is out */
};

/* Some more of the run; true: all so far.  Another model begins anew. */
bool open_links_step(struct open_links *, const struct model *);
/* Those that have got their effect since go; how many are left. */
size_t open_links_check(struct open_links *);
void open_links_clear(struct open_links *);

#endif
