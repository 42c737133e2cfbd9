/*
 * Adding up call paths, as it is asked for: the beginning, one step after the
 * other, the results.  What is read of a thread is in calls_thread.c, what its
 * pieces mean in calls_walk.c, the paths are in calls_path.c.
 */
#include "model/calls/calls_inside.h"

#include <stdlib.h>
#include <string.h>

struct calls *
calls_new(void)
{
	struct calls *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return (NULL);
	k->done = true;
	return (k);
}

void
calls_free(struct calls *k)
{
	if (k == NULL)
		return;
	free(k->thread.level);
	free(k->path);
	free(k->slot);
	calls_lasted_clear(k);
	free(k->row);
	free(k->thread.cell);
	instant_clear(&k->thread.instant);
	free(k->thread.here);
	free(k);
}

/* Tasks of the run have gone on after a pause. */
static bool
tasks_resumed(const struct model *m)
{
	const struct function *f;

	for (uint32_t i = 1; (f = function_at(m, i)) != NULL; i++)
		if (SEE(f->stats.suspensions) != 0)
			return (true);
	return (false);
}

void
calls_part(struct calls *k, const struct model *of, int64_t t0, int64_t t1)
{
	k->detail = k->of = of;
	k->read_ns = k->from_ns = k->t0 = t0;
	k->t1 = t1;
	k->at = 0;
	k->lanes = model_lanes(k->m);
	k->at_ns = INT64_MIN;
	k->done = k->failed || t1 <= t0;
}

void
calls_begin(struct calls *k, const struct model *m, int64_t t0, int64_t t1,
    uint32_t lane)
{
	k->m = m;
	k->lane = lane;
	k->task = 0;
	k->tasks = model_tasks(m);
	k->failed = false;
	k->npaths = k->thread.ncells = 0;
	if (k->slot != NULL)
		memset(k->slot, 0, (k->mask + 1) * sizeof(*k->slot));
	if (k->thread.here != NULL)
		memset(k->thread.here, 0,
		    k->path_cap * sizeof(*k->thread.here));
	calls_lasted_clear(k);
	free(k->row);
	k->rows = model_functions(m) + 1;
	k->row = calloc(k->rows, sizeof(*k->row));
	k->failed = k->row == NULL;
	k->about = model_tasks_gone(m) > 0 && tasks_resumed(m);
	k->swept = sweep_for(m, t0, t1);
	calls_part(k, detail_for(m, t0, t1), t0, t1);
	if (k->swept != NULL)
		k->read_ns = sweep_until(k->swept);
	if (!k->failed && k->swept != NULL)
		sweep_rest(k->swept, k);
}

static const void *
source(const struct calls *k)
{
	return (k->swept != NULL ? (const void *)k->swept : k->detail);
}

bool
calls_step(struct calls *k)
{
	struct retired *r;
	unsigned door, inner;

	if (k->done)
		return (true);
	if (k->sweep == NULL &&
	    calls_source(k->m, k->t0, k->t1) != source(k)) /* another one */
		calls_begin(k, k->m, k->t0, k->t1, k->lane);
	door = model_enter(k->m);
	r = (struct retired *)&held_of(k->detail)->retired;
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
	const struct sweep *s = sweep_for(m, t0, t1);

	return (s != NULL ? (const void *)s : detail_for(m, t0, t1));
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

bool
calls_exact(const struct calls *k)
{
	return (!k->about && k->from_ns <= k->t0);
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
	const struct name_stats *s, *of;
	size_t n = 0;

	for (uint32_t i = 1; i < k->rows; i++) {
		s = &k->row[i];
		if (s->calls == 0 && s->total_ns == 0 && s->suspended_ns <= 0)
			continue;
		if (n++ >= max)
			continue;
		of = &function_at(k->m, i)->stats;
		out[n - 1] = *s;
		out[n - 1].name = of->name;
		out[n - 1].kind = of->kind;
		out[n - 1].number = i;
		if (s->suspended_ns < 0)
			out[n - 1].suspended_ns = 0;
	}
	return (n);
}
