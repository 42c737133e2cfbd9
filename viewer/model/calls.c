/*
 * Adding up call paths, as it is asked for: the beginning, one step after the
 * other, the results.  What is read of a thread is in calls_thread.c, what its
 * pieces mean in calls_walk.c, the paths are in calls_path.c.
 */
#include "model/calls_inside.h"

#include <stdlib.h>
#include <string.h>

struct calls *
calls_new(void)
{
	struct calls *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return (NULL);
	k->level = calloc(DEPTH_LANES, sizeof(*k->level));
	k->done = true;
	if (k->level == NULL) {
		free(k);
		return (NULL);
	}
	return (k);
}

void
calls_free(struct calls *k)
{
	if (k == NULL)
		return;
	free(k->level);
	free(k->path);
	free(k->slot);
	free(k->name);
	free(k->here_ns);
	free(k->touched);
	free(k);
}

void
calls_begin(struct calls *k, const struct model *m, int64_t t0, int64_t t1,
    uint32_t lane)
{
	k->m = k->of = m;
	k->detail = detail_for(m, t0, t1);
	k->t0 = k->from_ns = t0;
	k->t1 = t1;
	k->lane = lane;
	k->at = 0;
	k->lanes = model_lanes(m);
	k->at_ns = INT64_MIN;
	k->task = 0;
	k->tasks = model_tasks(m);
	k->failed = k->done = t1 <= t0;
	k->npaths = 0;
	if (k->slot != NULL)
		memset(k->slot, 0, (k->mask + 1) * sizeof(*k->slot));
	free(k->name);
	free(k->here_ns);
	free(k->touched);
	k->ntouched = 0;
	k->names = model_names(m) + 1;
	k->name = calloc(k->names, sizeof(*k->name));
	k->here_ns = calloc(k->names, sizeof(*k->here_ns));
	k->touched = calloc(k->names, sizeof(*k->touched));
	if (k->name == NULL || k->here_ns == NULL || k->touched == NULL)
		k->failed = k->done = true;
}

bool
calls_step(struct calls *k)
{
	struct retired *r;
	unsigned door, inner;

	if (k->done)
		return (true);
	if (k->detail != detail_for(k->m, k->t0, k->t1)) /* another one */
		calls_begin(k, k->m, k->t0, k->t1, k->lane);
	door = model_enter(k->m);
	r = (struct retired *)&k->detail->retired;
	inner = retired_enter(r);
	for (k->work = 0; k->work < WORK_PART && !k->done;)
		k->done = calls_go_on(k);
	retired_leave(r, inner);
	model_leave(k->m, door);
	return (k->done);
}

const void *
calls_source(const struct model *m, int64_t t0, int64_t t1)
{
	return (detail_for(m, t0, t1));
}

double
calls_done(const struct calls *k)
{
	double lane = 0;

	if (k->done)
		return (1);
	if (k->at_ns != INT64_MIN && k->t1 > k->t0)
		lane = (double)(k->at_ns - k->t0) / (double)(k->t1 - k->t0);
	return ((k->at + lane) / (k->lanes + 1));
}

int64_t
calls_from_ns(const struct calls *k)
{
	return (k->from_ns);
}

size_t
calls_paths(const struct calls *k, const struct call **out)
{
	*out = k->path;
	return (k->npaths);
}

size_t
calls_names(const struct calls *k, struct name_stats *out, size_t max)
{
	const struct name_stats *s;
	size_t n = 0;

	for (uint32_t i = 1; i < k->names; i++) {
		s = &k->name[i];
		if (s->calls == 0 && s->total_ns == 0 && s->blocked_ns <= 0)
			continue;
		if (n++ >= max)
			continue;
		out[n - 1] = *s;
		out[n - 1].name = i;
		if (s->blocked_ns < 0)
			out[n - 1].blocked_ns = 0;
	}
	return (n);
}
