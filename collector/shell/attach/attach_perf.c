/*
 * What the kernel says of the processes that are held: switches of their
 * threads, and samples.
 */
#include "attach_inside.h"

#include <errno.h>

#include "collector/shell/system/perf.h"
#include "log.h"

void
held_sched_end(struct held *h)
{
	if (h->perf != NULL)
		perf_close(h->at->perf, h->perf);
	if (h->samples != NULL)
		perf_close(h->at->perf, h->samples);
	h->perf = h->samples = NULL;
}

/* Once it is said why this cannot be had, or not of all processes. */
static void
held_sched_say(const struct held *h)
{
	static bool said;

	if (errno == ENOENT || errno == ESRCH || said)
		return;
	said = true;
	log_warn("process %u (%s): what the scheduler does with it cannot be "
		 "recorded",
	    h->m.pid, h->m.program);
}

bool
attach_perf_there(struct attach *at)
{
	if (at->perf == NULL && !at->no_perf &&
	    (at->perf = perf_new(at->env)) == NULL) {
		at->no_perf = true;
		log_warn("what the scheduler does cannot be recorded");
	}
	return (at->perf != NULL);
}

static void
held_sched_begin(struct held *h)
{
	if (h->at->perf == NULL)
		return;
	h->perf = perf_open(h->at->perf, h->m.pid);
	if (h->perf == NULL)
		held_sched_say(h);
}

void
held_sched_usual(struct held *h)
{
	if (h->at->opt->sched || h->at->opt->sample_hz > 0)
		held_sched_begin(h);
}

void
held_sample_begin(struct held *h)
{
	uint32_t rate_hz = collector_core_sample_hz(h->at->core, h->dp);
	bool kernel;

	if (rate_hz == 0)
		return;
	if (h->perf == NULL && attach_perf_there(h->at))
		held_sched_begin(h);
	if (h->perf == NULL)
		return;
	h->samples = perf_sample(h->at->perf, h->m.pid, rate_hz, &kernel);
	if (h->samples == NULL) {
		held_sched_say(h);
		return;
	}
	collector_core_sampling(h->at->core, h->dp, WAY, rate_hz, kernel);
}

void
attach_sampling(struct attach *at, struct drain_po *dp, uint32_t rate_hz)
{
	struct held *h = at->held;

	while (h != NULL && h->dp != dp)
		h = h->next;
	if (h == NULL || (h->samples != NULL) == (rate_hz != 0) ||
	    !held_alive(h))
		return;
	if (rate_hz != 0) {
		held_sample_begin(h);
		return;
	}
	perf_close(at->perf, h->samples);
	h->samples = NULL;
	collector_core_sampling(at->core, dp, WAY, 0, false);
}

size_t
attach_sched(struct attach *at, struct chains *chains, struct sched_record *r,
    size_t max)
{
	return (at->perf == NULL ? 0 : perf_read(at->perf, chains, r, max));
}
