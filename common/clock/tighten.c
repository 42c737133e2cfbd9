/*
 * Clocks that are tightened by messages: what is known of each, and the solve.
 *
 * A node is told of with the line of its pings before every solve.  Then the
 * window of each pair is closed (tighten_way.c), each pair is fitted
 * (tighten_fit.c), all clocks are solved together (tighten_solve.c), and what
 * was found is kept as a line by the node's own clock, so that it goes on when
 * the line of the pings is another one.
 */
#include "tighten.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tighten_inside.h"

#define PERIOD_NS     INT64_C(250000000)
#define PERIOD_PAIRS  4096 /* up to so many; twice as many, twice as long */
#define PERIOD_MAX_NS INT64_C(1000000000)
#define PINGS_LONG_S  150.0

struct tighten *
tighten_new(void)
{
	return (calloc(1, sizeof(struct tighten)));
}

void
tighten_free(struct tighten *t)
{
	if (t == NULL)
		return;
	free(t->clocks);
	free(t->pairs);
	free(t->slots);
	free(t->edges);
	free(t);
}

static int
clocks_reach(struct tighten *t, size_t n)
{
	size_t cap = t->clocks_cap == 0 ? 16 : t->clocks_cap;
	struct tighten_clock *p;

	while (cap < n)
		cap *= 2;
	if (cap > t->clocks_cap) {
		p = realloc(t->clocks, cap * sizeof(*p));
		if (p == NULL)
			return (-1);
		t->clocks = p;
		t->clocks_cap = cap;
	}
	if (n > t->nclocks) {
		memset(&t->clocks[t->nclocks], 0,
		    (n - t->nclocks) * sizeof(*t->clocks));
		t->nclocks = n;
	}
	return (0);
}

void
tighten_forget(struct tighten *t, uint32_t node)
{
	if (node >= t->nclocks)
		return;
	for (size_t i = 0; i < t->npairs; i++) {
		if (t->pairs[i].a == node || t->pairs[i].b == node)
			tighten_pair_forget(&t->pairs[i]);
	}
	t->clocks[node].solved = false;
}

int
tighten_node(struct tighten *t, uint32_t node, const struct clock_line *line,
    double beta, uint32_t epoch, const struct clockmap *map)
{
	struct tighten_clock *c;

	if (node >= TIGHTEN_NODES_MAX)
		return (0);
	if (clocks_reach(t, (size_t)node + 1) == -1)
		return (-1);
	c = &t->clocks[node];
	if (c->epoch != epoch)
		tighten_forget(t, node);
	c->told = true;
	c->line = *line;
	c->beta = beta;
	c->epoch = epoch;
	c->map = map;
	c->doubt = c->turn = 0;
	return (0);
}

void
tighten_doubt(struct tighten *t, uint32_t node, double off_ns, double turn)
{
	if (node >= t->nclocks)
		return;
	t->clocks[node].doubt = off_ns;
	t->clocks[node].turn = turn;
}

int64_t
tighten_period_ns(const struct tighten *t)
{
	int64_t period = PERIOD_NS;

	for (size_t n = PERIOD_PAIRS; n < t->npairs && period < PERIOD_MAX_NS;
	     n *= 2)
		period *= 2;
	return (period);
}

/* The node time that a line maps to mon_ns. */
static int64_t
line_node(const struct clock_line *l, int64_t mon_ns)
{
	int64_t node = mon_ns - l->offset_ns;

	for (int i = 0; i < 3; i++)
		node += mon_ns - clock_line_mon(l, node);
	return (node);
}

static void
clock_aim(struct tighten_clock *c)
{
	if (!c->solved)
		return;
	c->aim = (struct clock_line){ .base_node_ns = c->at_node_ns,
		.offset_ns = clock_line_mon(&c->line, c->at_node_ns) -
			     c->at_node_ns + llround(c->c),
		.skew = c->line.skew + c->s,
		.gap_ns = c->to - c->from };
}

void
tighten_solve(struct tighten *t, int64_t at_mon_ns)
{
	t->stats.both_ways = 0;
	for (size_t i = 0; i < t->nclocks; i++) {
		struct tighten_clock *c = &t->clocks[i];

		if (!c->told)
			continue;
		c->at_node_ns = line_node(&c->line, at_mon_ns);
		c->room = fmax(c->line.gap_ns, 1) / 2;
		c->proven = fmax(c->room, c->doubt);
		c->over_s = fmin(PINGS_LONG_S,
		    sqrt(2 * c->room / SEC / (c->beta + 1e-12)));
		if (!c->solved)
			continue;
		/* what was found goes on, as seen from the new line */
		c->c = (double)(clock_line_mon(&c->aim, c->at_node_ns) -
				clock_line_mon(&c->line, c->at_node_ns));
		c->s = c->aim.skew - c->line.skew;
	}
	for (size_t i = 0; i < t->npairs; i++) {
		struct tighten_pair *p = &t->pairs[i];
		bool ab = tighten_way_close(&p->ways[0], &t->clocks[p->a],
		    &t->clocks[p->b]);
		bool ba = tighten_way_close(&p->ways[1], &t->clocks[p->b],
		    &t->clocks[p->a]);

		p->quiet = ab || ba ? 0 : p->quiet + 1;
		tighten_pair_fit(t, p, at_mon_ns);
		t->stats.both_ways += p->both;
	}
	tighten_solve_clocks(t);
	for (size_t i = 0; i < t->nclocks; i++)
		clock_aim(&t->clocks[i]);
	tighten_pairs_drop(t);
	for (size_t i = 0; i < t->nclocks; i++)
		t->clocks[i].told = false;
}

bool
tighten_says(const struct tighten *t, uint32_t node, struct tighten_says *says)
{
	const struct tighten_clock *c;

	if (node >= t->nclocks || !t->clocks[node].solved)
		return (false);
	c = &t->clocks[node];
	says->aim = c->aim;
	says->error_ns = llround(fmax(c->to - c->c, c->c - c->from)) + 1;
	says->pair_ns = c->best < (double)TIGHTEN_TOOK_MAX_NS
			    ? llround(c->best) + 1
			    : TIGHTEN_TOOK_MAX_NS;
	says->pairs = c->pairs;
	return (true);
}

void
tighten_stats(const struct tighten *t, struct tighten_stats *s)
{
	*s = t->stats;
	s->pairs = t->npairs;
}
