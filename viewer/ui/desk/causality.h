/*
 * What may have caused an event, and what it may have affected.  Plain data.
 */
#ifndef VIEWER_CAUSALITY_H
#define VIEWER_CAUSALITY_H

#include <stdbool.h>
#include <stdint.h>

enum causality_show {
	CAUSALITY_OFF,
	CAUSALITY_BOTH,
	CAUSALITY_BEFORE,
	CAUSALITY_AFTER,
	CAUSALITY_SHOWN
};
extern const char *const causality_name[CAUSALITY_SHOWN];

struct causality {
	enum causality_show show;
	struct cone *cone; /* what was read of the log; NULL: nothing yet */
	uint32_t row;      /* that is asked about; its thread; and when */
	uint32_t lane;
	int64_t t_mon_ns;
	unsigned percent; /* that have been read */
	char why[128];   /* it could not be told; "": it can, as far as known */
	uint64_t events; /* of the run, when it was asked; of a live one that */
	uint64_t due;    /* grows it is asked again from this frame on */
	/* by lane; NULL: not known yet */
	struct causality_cut {
		int64_t past, future; /* INT64_MIN, INT64_MAX: there is none */
	} * cut;
	uint32_t ncut;
};

#endif
