/* How numbers are spread: mean, quantiles to 3 %, the greatest.  No memory. */
#ifndef TOOLS_SPREAD_H
#define TOOLS_SPREAD_H

#include <stdint.h>

#define SPREAD_STEPS 32 /* for each power of two */

struct spread {
	uint64_t n, most;
	double sum;
	uint64_t count[64 * SPREAD_STEPS];
};

void spread_add(struct spread *, uint64_t);
double spread_mean(const struct spread *); /* 0 when there is none */
double spread_quantile(const struct spread *, double share);

#endif
