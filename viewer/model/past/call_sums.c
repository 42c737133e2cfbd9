/* Sums of call paths (swept.h); parts end where checkpoints are. */
#include "model/calls/swept.h"
#include "model/past/sums_inside.h"

#define PART_EVENTS (UINT64_C(1) << 18) /* read at once, about */

struct call_sums {
	struct sums sums;
	struct sweep *sweep;
};

static int
init(struct sums *s)
{
	struct call_sums *c = (struct call_sums *)s;

	c->sweep = sweep_new(s->m, s->at[0].t_ns, s->at[1].t_ns);
	return (c->sweep == NULL ? -1 : 0);
}

static void
clear(struct sums *s)
{
	sweep_free(((struct call_sums *)s)->sweep);
}

static bool
plan(struct sums *s, uint64_t most, struct detail_plan *p)
{
	struct sweep *w = ((struct call_sums *)s)->sweep;
	uint64_t want = PART_EVENTS < most / 2 ? PART_EVENTS : most / 2;
	int64_t from, until, part;

	if (!sweep_missing(w, &from, &until))
		return (false);
	for (;; want /= 2) {
		part = detail_part_end(s->m, from, want);
		part = part < until ? part : until;
		sweep_part(w, part);
		if (detail_plan_at(s->m, from, part, 1, most, p))
			return (true);
		if (want == 0)
			return (false);
	}
}

static int
take(struct sums *s, const struct model *detail)
{
	return (sweep_take(((struct call_sums *)s)->sweep, detail));
}

static bool
whole(const struct sums *s)
{
	int64_t from, until;

	return (!sweep_missing(((const struct call_sums *)s)->sweep, &from,
	    &until));
}

static void
set(struct model *m, struct sums *s)
{
	struct call_sums *c = (struct call_sums *)s;

	model_set_sweep(m, c->sweep);
	c->sweep = NULL;
	sums_free(s);
}

const struct sums_ops call_sums_ops = { sizeof(struct call_sums), init, clear,
	plan, take, whole, set, NULL, NULL, NULL };
