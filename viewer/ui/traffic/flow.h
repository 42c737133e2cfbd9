/*
 * Messages and calls on their way over time: how many at once, and for whom.
 * Counted from the links, in steps.  Plain data.
 */
#ifndef VIEWER_FLOW_H
#define VIEWER_FLOW_H

#include "openlinks.h"
#include "talk.h"

#define FLOW_COLUMNS 512
#define FLOW_ROWS    64

/* Of [t0, t1), in columns of equal length. */
struct flow {
	const struct model *model;
	int64_t t0, t1;
	int64_t at_ns, step_ns;  /* counted up to here */
	uint32_t lanes, *place;  /* row, of each lane; UINT32_MAX */
	struct talk_groups rows; /* receivers */
	/* mean number in each column; while steps are made: changes of it */
	struct flow_line {
		double *v, *change;  /* FLOW_COLUMNS + 1 */
		int64_t ns;          /* in the range, all together */
	} flight, *messages, *calls; /* in all; by rows */
	struct flow_line load; /* bytes in flight; its ns are those of flight */
	double bytes[FLOW_COLUMNS]; /* sent in each */
	uint64_t sent, sent_bytes;
	bool gone;   /* single links are not there: there are no figures */
	bool failed; /* memory is out */
};

/* All of it is 0, or was used before.  False: ENOMEM, or there are no POs. */
bool flow_begin(struct flow *, const struct ui *, int64_t t0, int64_t t1);
/* True: all is counted.  Those that are open have been looked for. */
bool flow_step(struct flow *, struct open_links *);
void flow_clear(struct flow *);
bool flow_known(const struct flow *); /* there are figures */

#endif
