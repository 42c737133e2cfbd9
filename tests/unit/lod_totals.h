/* Shared by the tests of lanes: exact sums by class. */
#ifndef TESTS_UNIT_LOD_TOTALS_H
#define TESTS_UNIT_LOD_TOTALS_H

#include "model/lod/lodtree.h"

static inline bool
totals_by_class(const struct lod *l, const struct lod_state *states, int64_t t0,
    int64_t t1, int64_t end_ns, int64_t by_class[LOD_CLASSES], uint64_t *spans)
{
	struct lod_sum sum;
	bool exact = lod_totals_sum(l, states, t0, t1, end_ns, &sum);

	for (unsigned p = 0; p < LOD_PLACES; p++)
		by_class[lod_class(l->kind, p)] += (int64_t)sum.ns[p];
	*spans += sum.begun;
	return (exact);
}

#endif
