/*
 * Makes a failing case smaller: fewer kinds of faults, fewer nodes, a shorter
 * run, faults in a shorter time.  Each try is a run; what still fails is kept.
 */
#include <stdio.h>
#include <string.h>

#include "tests/sim/campaign.h"

#define MS 1000000

static bool
try(struct world_options *o, const struct world_options *smaller)
{
	char why[200];

	if (memcmp(o, smaller, sizeof(*o)) == 0 ||
	    !campaign_fails(smaller, why, sizeof(why), NULL))
		return (false);
	*o = *smaller;
	return (true);
}

static void
fewer_kinds(struct world_options *o)
{
	for (unsigned half = FAULTS / 2; half > 0; half /= 2) {
		for (unsigned k = 0; k < FAULTS; k += half) {
			struct world_options t = *o;

			t.faults &= ~(((1u << half) - 1) << k);
			try(o, &t);
		}
	}
}

static void
fewer_nodes(struct world_options *o, unsigned nodes)
{
	struct world_options t = *o;

	for (unsigned n = 1; n < nodes && n < 400; n += n < 8 ? 1 : n / 2) {
		t.nodes = n;
		if (try(o, &t))
			return;
	}
}

/* Halves the distance of *v to `to' as long as it fails. */
static void
closer(struct world_options *o, int64_t *v, int64_t to)
{
	struct world_options was;

	for (int i = 0; i < 8; i++) {
		int64_t keep = *v, next = (keep + to) / 2 / MS * MS;

		if (next == keep)
			break;
		was = *o;
		*v = next;
		was = *o;
		*v = keep;
		if (!try(o, &was))
			to = next;
		if (to == next && *v == keep && keep - to < 10 * MS &&
		    to - keep < 10 * MS)
			break;
	}
}

void
campaign_shrink(struct world_options *o)
{
	struct world_result r;
	char why[200];

	if (!campaign_fails(o, why, sizeof(why), &r))
		return;
	if (o->run_ns == 0)
		o->run_ns = r.run_ns;
	o->until_ns = o->run_ns;
	fewer_kinds(o);
	fewer_nodes(o, (unsigned)r.nodes);
	closer(o, &o->until_ns, 0);
	if (o->run_ns > o->until_ns) {
		struct world_options t = *o;

		t.run_ns = o->until_ns + 20 * MS;
		try(o, &t);
	}
	closer(o, &o->run_ns, o->until_ns);
	closer(o, &o->from_ns, o->until_ns);
	fewer_kinds(o);
}
