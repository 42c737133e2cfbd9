/* See counted.h. */
#include "counted.h"

#include <string.h>

#define COARSE 8 /* columns as wide as so many of those that are wanted */
#define PART   32

const struct count_row count_rows[COUNT_STATES] = {
	{ LANE_running, "running" },
	{ LANE_overhead, "overhead" },
	{ LANE_wait_message, "message" },
	{ LANE_wait_sync, "barrier, join" },
	{ LANE_wait_rpc, "remote call" },
	{ LANE_wait_cond, "condition" },
	{ LANE_wait_lock, "lock" },
	{ LANE_lost, "lost" },
};

bool
counted_is(const struct counted *k, const struct counted_of *of)
{
	return (!k->busy && k->of.model == of->model && k->of.t0 == of->t0 &&
		k->of.t1 == of->t1 && k->of.columns == of->columns &&
		k->of.events == of->events);
}

/* The sums are of so many columns: now they are what is there. */
static void
show(struct counted *k, unsigned columns)
{
	uint32_t threads = 0;

	for (uint32_t i = 0; i < model_lanes(k->next.model); i++)
		threads += model_lane(k->next.model, i)->kind == LANE_THREAD;
	k->of = k->next;
	k->columns = columns;
	k->each = model_overview_each(threads);
	for (unsigned i = 0; i < columns; i++)
		for (size_t s = 0; s < COUNT_STATES; s++)
			k->mean[s][i] =
			    (double)
				k->sum[i * LANE_CLASSES + count_rows[s].class] *
			    k->each / MODEL_PIXEL;
}

void
counted_begin(struct counted *k, const struct counted_of *of, bool coarse)
{
	unsigned n = (of->columns + COARSE - 1) / COARSE;

	k->next = *of;
	k->busy = true;
	k->at = 0;
	memset(k->sum, 0, sizeof(k->sum));
	if (!coarse)
		return;
	model_overview_sums(of->model, of->t0, of->t1, n, 0, n, k->sum);
	show(k, n);
	memset(k->sum, 0, sizeof(k->sum));
}

bool
counted_step(struct counted *k)
{
	const struct counted_of *of = &k->next;
	unsigned until;

	if (!k->busy)
		return (true);
	until = of->columns - k->at < PART ? of->columns : k->at + PART;
	model_overview_sums(of->model, of->t0, of->t1, of->columns, k->at,
	    until, k->sum);
	k->at = until;
	if (until < of->columns)
		return (false);
	show(k, of->columns);
	k->busy = false;
	return (true);
}
