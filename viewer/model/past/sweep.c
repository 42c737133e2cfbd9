/* See sweep.h.  Parts end where checkpoints are: little is read twice. */
#include "model/past/sweep.h"

#include "model/past/part.h"
#include "model/past/plan.h"
#include "model/run/take.h"

#define PART_EVENTS (UINT64_C(1) << 18) /* read at once, about */

bool
sweep_plan(struct sweep *s, uint64_t most, struct detail_plan *p)
{
	uint64_t want = PART_EVENTS < most / 2 ? PART_EVENTS : most / 2;
	int64_t from, until, part;
	const struct model *m = sweep_missing(s, &from, &until);

	if (m == NULL)
		return (false);
	for (;; want /= 2) {
		part = detail_part_end(m, from, want);
		part = part < until ? part : until;
		sweep_part(s, part);
		if (detail_plan_at(m, from, part, 1, most, p))
			return (true);
		if (want == 0)
			return (false);
	}
}
