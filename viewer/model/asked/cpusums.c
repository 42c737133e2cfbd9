/*
 * See cpusums.h.  A thread is on one processor from one of its moves to the
 * next; how long it ran in between is what its sums differ by.
 */
#include "model/asked/cpusums.h"

#include <stdlib.h>

#include "model/measured/scheds.h"
#include "model/run/run.h"

#define INSTANTS_PART 4096 /* of which sums are asked in a step */

struct cpu_sums {
	const struct model *model;
	int64_t t0, t1;
	uint32_t at, n_scheds;
	int64_t t; /* of thread `at`, up to here */
	struct cpu_sum **sum;
	size_t n, cap;
	bool done, failed, more;
};

struct cpu_sums *
cpu_sums_new(void)
{
	struct cpu_sums *k = calloc(1, sizeof(*k));

	if (k != NULL)
		k->done = true;
	return (k);
}

static void
drop_all(struct cpu_sums *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->sum[i]);
	k->n = 0;
}

void
cpu_sums_free(struct cpu_sums *k)
{
	if (k == NULL)
		return;
	drop_all(k);
	free(k->sum);
	free(k);
}

void
cpu_sums_begin(struct cpu_sums *k, const struct model *m, int64_t t0,
    int64_t t1)
{
	drop_all(k);
	k->model = m;
	k->t0 = k->t = t0;
	k->t1 = t1;
	k->at = 0;
	k->n_scheds = model_scheds(m);
	k->failed = k->more = false;
	k->done = t1 <= t0;
}

int64_t
cpu_sums_at(const struct cpu_sums *k, unsigned i)
{
	return (k->t0 + (int64_t)((double)(k->t1 - k->t0) * i / CPU_STRIP));
}

/* Its place among them, by rank of the node, node and number. */
static int
order(const struct model *m, const struct cpu_sum *s, uint32_t node,
    uint32_t cpu)
{
	uint32_t a = model_node_rank(m, s->node), b = model_node_rank(m, node);

	if (a != b)
		return (a < b ? -1 : 1);
	if (s->node != node)
		return (s->node < node ? -1 : 1);
	return ((s->cpu > cpu) - (s->cpu < cpu));
}

static bool
grow(struct cpu_sums *k)
{
	size_t cap = k->cap == 0 ? 16 : k->cap * 2;
	struct cpu_sum **v;

	if (k->n < k->cap)
		return (true);
	v = realloc(k->sum, cap * sizeof(struct cpu_sum *));
	if (v == NULL)
		return (false);
	k->sum = v;
	k->cap = cap;
	return (true);
}

/* NULL: memory is out, or there are too many. */
static struct cpu_sum *
sum_of(struct cpu_sums *k, uint32_t node, uint32_t cpu)
{
	size_t lo = 0, hi = k->n, mid;
	struct cpu_sum *s;
	int by;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		by = order(k->model, k->sum[mid], node, cpu);
		if (by == 0)
			return (k->sum[mid]);
		if (by < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (k->n == CPUS_MAX) {
		k->more = true;
		return (NULL);
	}
	s = grow(k) ? calloc(1, sizeof(*s)) : NULL;
	if (s == NULL) {
		k->failed = true;
		return (NULL);
	}
	s->node = node;
	s->cpu = cpu;
	s->now = s->most = UINT32_MAX;
	for (size_t i = k->n++; i > lo; i--)
		k->sum[i] = k->sum[i - 1];
	k->sum[lo] = s;
	return (s);
}

/* The thread that is looked at had it for so long. */
static void
had(struct cpu_sum *s, uint32_t thread, int64_t ns)
{
	if (s->now != thread) {
		s->now = thread;
		s->now_ns = 0;
	}
	s->threads += s->now_ns == 0 && ns > 0;
	s->now_ns += ns;
	s->ns += ns;
	if (s->now_ns > s->most_ns) {
		s->most_ns = s->now_ns;
		s->most = thread;
	}
}

/* The part of the range in which an instant of it is. */
static unsigned
part_of(const struct cpu_sums *k, int64_t t)
{
	unsigned i = (unsigned)((double)(t - k->t0) * CPU_STRIP /
				(double)(k->t1 - k->t0));

	i = i < CPU_STRIP ? i : CPU_STRIP - 1;
	while (i > 0 && cpu_sums_at(k, i) > t)
		i--;
	while (i + 1 < CPU_STRIP && cpu_sums_at(k, i + 1) <= t)
		i++;
	return (i);
}

/* From a to b it was on this one; returns of how many instants it has asked. */
static unsigned
stretch(struct cpu_sums *k, struct cpu_sum *s, int64_t a, int64_t b)
{
	int64_t t[CPU_STRIP + 1];
	struct sched_then then[CPU_STRIP + 1];
	unsigned first = part_of(k, a), n = 0;

	t[n++] = a;
	for (unsigned i = first + 1; i < CPU_STRIP && cpu_sums_at(k, i) < b;
	     i++)
		t[n++] = cpu_sums_at(k, i);
	t[n++] = b;
	model_sched_then(k->model, k->at, t, n, then);
	for (unsigned i = 0; i + 1 < n; i++)
		s->part[first + i] += then[i + 1].in_ns[SCHED_RUNNING] -
				      then[i].in_ns[SCHED_RUNNING];
	had(s, k->at,
	    then[n - 1].in_ns[SCHED_RUNNING] - then[0].in_ns[SCHED_RUNNING]);
	return (n);
}

/* It has come to another one at t, to several if it stayed for no time. */
static void
came(struct cpu_sums *k, uint32_t node, uint32_t moves)
{
	struct sched_on before;
	struct cpu_sum *s;

	model_sched_on(k->model, k->at, k->t - 1, &before);
	for (uint32_t i = before.moves + 1; i <= moves; i++) {
		s = sum_of(k, node, model_sched_moved(k->model, k->at, i));
		if (s != NULL)
			s->came++;
	}
}

/* Thread `at`, from t until it moves, or to the end; what that has cost. */
static unsigned
go_on(struct cpu_sums *k)
{
	const struct model *m = k->model;
	struct sched_on on;
	struct sched_thread th;
	struct cpu_sum *s;
	uint32_t node;
	int64_t until;
	unsigned cost = 1;

	model_sched_on(m, k->at, k->t, &on);
	until = on.until_mon_ns < k->t1 ? on.until_mon_ns : k->t1;
	if (on.cpu != SCHED_NO_CPU && model_sched(m, k->at, &th)) {
		node = model_lane(m, th.po_lane)->node;
		came(k, node, on.moves);
		s = sum_of(k, node, on.cpu);
		cost += s == NULL ? 0 : stretch(k, s, k->t, until);
	}
	k->t = until;
	if (k->t >= k->t1) {
		k->at++;
		k->t = k->t0;
	}
	return (cost);
}

bool
cpu_sums_step(struct cpu_sums *k)
{
	unsigned cost = 0;

	while (cost < INSTANTS_PART && k->at < k->n_scheds && !k->failed &&
	       !k->done)
		cost += go_on(k);
	k->done = k->done || k->failed || k->at == k->n_scheds;
	return (k->done);
}

bool
cpu_sums_whole(const struct cpu_sums *k)
{
	return (!k->failed && !k->more);
}

size_t
cpu_sums_list(const struct cpu_sums *k, struct cpu_sum *const **out)
{
	*out = k->sum;
	return (k->done ? k->n : 0);
}
