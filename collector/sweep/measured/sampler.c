/*
 * When counters are read.
 *
 * A round reads the node and then each process in turn, a slice of some
 * processes in one tick, so that rings never wait for it; and slices are so
 * far apart that reading takes at most one part in a hundred of the time.  A
 * round over thousands of processes therefore takes longer than the period:
 * then counters come more seldom, and events as quickly as before.
 *
 * Only what has changed is told.  When neither events come nor any process
 * computes, rounds become rare.
 */
#include "sampler.h"

#include <stdlib.h>

struct sampler {
	struct env *env;
	struct drain *drain;
	int64_t period_ns, rest_ns; /* between rounds: as wished; now */
	int64_t due_ns;             /* the next round */
	int64_t slice_ns;           /* not before this: the next slice */
	size_t at;                  /* next process of this round */
	bool in_round, busy;
	struct measures node; /* as told */
	bool (*read_node)(void *, struct measures *);
	void *arg;
};

struct sampler *
sampler_new(struct env *env, struct drain *drain, int64_t period_ns,
    bool (*read_node)(void *, struct measures *), void *arg)
{
	struct sampler *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->env = env;
	s->drain = drain;
	s->period_ns = s->rest_ns = period_ns;
	s->read_node = read_node;
	s->arg = arg;
	return (s);
}

void
sampler_free(struct sampler *s)
{
	free(s);
}

/* Some process has computed for more than a hundredth of the time. */
static bool
computes(const struct measures *now, const struct measures *told,
    int64_t period_ns)
{
	uint64_t bit = UINT64_C(1) << MEASURE_cpu;

	return ((now->set & told->set & bit) != 0 &&
		now->value[MEASURE_cpu] - told->value[MEASURE_cpu] >
		    (uint64_t)period_ns / 100);
}

static void
sample_node(struct sampler *s, struct drain_po *dp, int64_t now_node_ns)
{
	struct measures m = { .set = 0 };

	if (s->read_node != NULL && s->read_node(s->arg, &m))
		(void)drain_measured(dp, &m, &s->node, now_node_ns);
}

static void
sample_po(struct sampler *s, struct drain_po *dp, int64_t now_node_ns)
{
	struct measures m = { .set = 0 }, *told = drain_po_told(dp);

	if (told == NULL || !drain_po_read(dp, &m))
		return;
	s->busy |= computes(&m, told, s->rest_ns);
	(void)drain_measured(dp, &m, told, now_node_ns);
}

static void
round_end(struct sampler *s)
{
	s->in_round = false;
	if (s->busy)
		s->rest_ns = s->period_ns;
	else if (s->rest_ns < SAMPLER_REST_NS)
		s->rest_ns *= 2;
	s->busy = false;
}

static void
round_begin(struct sampler *s, int64_t now_node_ns)
{
	struct drain_po *dp = drain_po_at(s->drain, 0);

	s->due_ns = now_node_ns + s->rest_ns;
	s->in_round = true;
	s->at = 0;
	if (dp != NULL)
		sample_node(s, dp, now_node_ns);
}

void
sampler_step(struct sampler *s, int64_t now_node_ns, bool busy)
{
	int64_t spent_ns = 0;
	struct drain_po *dp;

	if (s->period_ns == 0 || drain_pos(s->drain) == 0)
		return;
	if (busy && !s->busy && s->rest_ns > s->period_ns) {
		s->due_ns -= s->rest_ns - s->period_ns;
		s->rest_ns = s->period_ns;
	}
	s->busy |= busy;
	if (now_node_ns < s->slice_ns ||
	    (!s->in_round && now_node_ns < s->due_ns))
		return;
	if (!s->in_round)
		round_begin(s, now_node_ns);
	/* a PO that has gone leaves its place to the last: one round later */
	while (spent_ns < SAMPLER_SLICE_NS &&
	       (dp = drain_po_at(s->drain, s->at)) != NULL) {
		s->at++;
		sample_po(s, dp, now_node_ns);
		spent_ns = s->env->ops->now_ns(s->env) - now_node_ns;
	}
	if (spent_ns > 0)
		s->slice_ns = now_node_ns + spent_ns * SAMPLER_SHARE;
	if (drain_po_at(s->drain, s->at) == NULL)
		round_end(s);
}

void
sampler_last(struct sampler *s, struct drain_po *dp, int64_t now_node_ns)
{
	struct measures *told = drain_po_told(dp);

	if (s->period_ns != 0 && told != NULL && told->set != 0)
		sample_po(s, dp, now_node_ns);
}
