/*
 * How many threads run at once, and how long each PO and each node has one that
 * does: added up state by state, in steps.  Plain data.
 */
#ifndef VIEWER_RUNNING_H
#define VIEWER_RUNNING_H

#include "model/model.h"

#define RUNNING_COLUMNS 64

/* Of [t0, t1). */
struct running {
	const struct model *model;
	int64_t t0, t1;
	uint64_t events, details; /* of the run, when it was begun */
	int64_t at_ns, step_ns;   /* added up to here */
	uint32_t lanes, pos, nodes, threads;
	uint32_t *place;             /* number of the PO, of each lane */
	int64_t *by_k;               /* ns at exactly k; threads + 1 long */
	int64_t *of_po, *of_node;    /* ns of the union; by number */
	uint32_t *now_po, *now_node; /* while a step is made */
	/* in columns of equal length: threads that ran and that lived, means;
	 * while steps are made: changes of it */
	struct running_line {
		double v[RUNNING_COLUMNS + 1], change[RUNNING_COLUMNS + 1];
	} ran, lived;
	bool gone;   /* single states are not there: there are no figures */
	bool failed; /* memory is out */
};

/* All of it is 0, or was used before.  False: ENOMEM. */
bool running_begin(struct running *, const struct model *, int64_t t0,
    int64_t t1);
bool running_step(struct running *); /* true: all is added up */
void running_clear(struct running *);
bool running_known(const struct running *); /* there are figures */

/*
 * From its first event on, until it has ended or so far; of [t0, t1).  A PO
 * lives as long as one of its threads, a node as one of its POs.
 */
int64_t running_life(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1);

#endif
