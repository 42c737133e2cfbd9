/*
 * The ten functions in which each node, process or thread was most of the time
 * itself, in the panels' range.  UI thread only.
 */
#ifndef VIEWER_TOP_H
#define VIEWER_TOP_H

#include "model/asked/selfsums.h"
#include "ui/desk/desk.h"

#define TOP_MOST 10 /* the rest is one part */

struct top_part {
	uint32_t name;
	uint8_t kind;
	int64_t ns;
};
struct top_row {
	uint32_t lane;                  /* of the node, process or thread */
	int64_t all_ns;                 /* in functions */
	struct top_part part[TOP_MOST]; /* the largest first */
	uint32_t nparts, functions;     /* functions: that it was in */
};

extern const char *const topten_by_name[];
#define TOP_BY 3
/* The sums of what is shown; NULL: nothing is known yet. */
const struct self_sums *topten_shown(const struct ui *);
/* The rows, in the order of the lanes, at *rows: to be freed.  How many. */
size_t topten_rows(const struct ui *, struct top_row **rows);
const char *topten_by_word(const struct ui *, unsigned i); /* NULL: no more */

#endif
