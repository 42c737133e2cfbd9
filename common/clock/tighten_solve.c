/*
 * All clocks together.
 *
 * Each pair that has talked both ways wants its difference in the middle of
 * its bounds, each clock wants to stay with its pings; wishes weigh as the
 * inverse square of what they leave open.  Gauss-Seidel: one clock after
 * another is put where its wishes balance, starting from the last solution, so
 * that few rounds do.  A pair that the others contradict loses its weight, and
 * so does a clock that they want far from its pings.
 *
 * The bounds of the pings are carried to the neighbours as well: if a must be
 * so high and b at most so much lower, then b must be so high.
 */
#include <math.h>
#include <stdlib.h>

#include "tighten_inside.h"

#define ROUNDS      24
#define ROUNDS_MORE 12 /* once those at odds are known */
#define REWEIGHTS   3
#define SMALL       0.2   /* of the room: pings are better, as a rule */
#define SETTLED_NS  2.0   /* a round that moves less is the last */
#define FORBIDDEN   100.0 /* weight of what one-way messages forbid */
#define ODDS_LEAST  1e-6

/* The pairs of each clock, one after another. */
static int
edges_make(struct tighten *t)
{
	size_t n = 0;

	if (t->edges_cap < 2 * t->npairs) {
		size_t cap = 2 * t->pairs_cap;
		uint32_t *p = realloc(t->edges, cap * sizeof(*p));

		if (p == NULL)
			return (-1);
		t->edges = p;
		t->edges_cap = cap;
	}
	for (size_t i = 0; i < t->nclocks; i++)
		t->clocks[i].pairs = 0;
	for (size_t i = 0; i < t->npairs; i++) {
		if (!t->pairs[i].low_known && !t->pairs[i].high_known)
			continue;
		t->clocks[t->pairs[i].a].pairs++;
		t->clocks[t->pairs[i].b].pairs++;
	}
	for (size_t i = 0; i < t->nclocks; i++) {
		t->clocks[i].first = n;
		n += t->clocks[i].pairs;
		t->clocks[i].pairs = 0;
	}
	for (size_t i = 0; i < t->npairs; i++) {
		struct tighten_clock *a = &t->clocks[t->pairs[i].a];
		struct tighten_clock *b = &t->clocks[t->pairs[i].b];

		if (!t->pairs[i].low_known && !t->pairs[i].high_known)
			continue;
		t->edges[a->first + a->pairs++] = (uint32_t)i;
		t->edges[b->first + b->pairs++] = (uint32_t)i;
	}
	return (0);
}

static double
prior(const struct tighten_clock *c)
{
	return (1 / (PINGS_OFF * PINGS_OFF * c->room * c->room));
}

static void
clocks_begin(struct tighten *t)
{
	for (size_t i = 0; i < t->nclocks; i++) {
		struct tighten_clock *c = &t->clocks[i];

		if (!c->told || c->pairs == 0)
			continue;
		c->weight = prior(c);
		c->slope_weight = c->weight * c->over_s * c->over_s;
		c->from = -c->proven;
		c->to = c->proven;
		c->best = HUGE_VAL;
		if (!c->solved)
			c->c = c->s = 0;
	}
}

/* Where the pair wants this clock, given the other one. */
static double
wish(const struct tighten *t, const struct tighten_pair *p, uint32_t self,
    double d)
{
	bool is_a = p->a == self;
	double other = t->clocks[is_a ? p->b : p->a].c;

	return (is_a ? other - d : other + d);
}

/* How far d is outside of what messages one way allow. */
static double
forbidden(const struct tighten *t, const struct tighten_pair *p, uint32_t self,
    double own)
{
	bool is_a = p->a == self;
	double other = t->clocks[is_a ? p->b : p->a].c;
	double d = is_a ? other - own : own - other;

	if (p->low_known && d < p->low)
		return (p->low);
	if (p->high_known && d > p->high)
		return (p->high);
	return (d);
}

static double
balance(const struct tighten *t, uint32_t self)
{
	const struct tighten_clock *c = &t->clocks[self];
	double sum = 0, weights = c->weight, v, want;

	for (size_t k = 0; k < c->pairs; k++) {
		const struct tighten_pair *p =
		    &t->pairs[t->edges[c->first + k]];

		if (!p->both)
			continue;
		sum += p->weight * wish(t, p, self, p->middle);
		weights += p->weight;
	}
	v = sum / weights;
	for (size_t k = 0; k < c->pairs; k++) {
		const struct tighten_pair *p =
		    &t->pairs[t->edges[c->first + k]];

		if (p->both)
			continue;
		want = wish(t, p, self, forbidden(t, p, self, v));
		if (want == v)
			continue;
		sum += FORBIDDEN * c->weight * want;
		weights += FORBIDDEN * c->weight;
	}
	return (sum / weights);
}

static double
round_offsets(struct tighten *t)
{
	double moved = 0, v;

	for (uint32_t i = 0; i < t->nclocks; i++) {
		struct tighten_clock *c = &t->clocks[i];

		if (!c->told || c->pairs == 0)
			continue;
		v = fmin(fmax(balance(t, i), -c->room), c->room);
		moved = fmax(moved, fabs(v - c->c));
		c->c = v;
	}
	return (moved);
}

static void
round_slopes(struct tighten *t)
{
	for (uint32_t i = 0; i < t->nclocks; i++) {
		struct tighten_clock *c = &t->clocks[i];
		double sum = 0, weights = c->slope_weight;

		if (!c->told || c->pairs == 0)
			continue;
		for (size_t k = 0; k < c->pairs; k++) {
			const struct tighten_pair *p =
			    &t->pairs[t->edges[c->first + k]];
			bool is_a = p->a == i;
			double other = t->clocks[is_a ? p->b : p->a].s;

			sum += p->slope_weight *
			       (is_a ? other - p->slope : other + p->slope);
			weights += p->slope_weight;
		}
		c->s = sum / weights;
	}
}

/* Pairs whose bounds the others do not leave room for weigh less. */
static void
weigh_odds(struct tighten *t)
{
	for (size_t i = 0; i < t->npairs; i++) {
		struct tighten_pair *p = &t->pairs[i];
		double off, by;

		if (!p->both)
			continue;
		off = fabs(t->clocks[p->b].c - t->clocks[p->a].c - p->middle);
		if (off <= p->half)
			continue;
		t->stats.contradictions++;
		by = fmax(pow(p->half / off, 4), ODDS_LEAST);
		p->weight *= by;
		p->slope_weight *= by;
		p->trusted = false; /* nor does it bound others */
	}
}

/*
 * A clock that is far from its pings is likely to be the one that is wrong, so
 * the others shall not go half way towards it: what is more than a small part
 * of the room weighs as its size, not as its square.
 */
static void
weigh_clocks(struct tighten *t)
{
	for (size_t i = 0; i < t->nclocks; i++) {
		struct tighten_clock *c = &t->clocks[i];
		double small = SMALL * c->room, by;

		if (!c->told || c->pairs == 0)
			continue;
		by = fabs(c->c) > small ? small / fabs(c->c) : 1;
		c->weight = by * prior(c);
	}
}

/* Keeps the two tightest. */
static void
bound_by(double bound[2], double v)
{
	if (v < bound[0]) {
		bound[1] = bound[0];
		bound[0] = v;
	} else if (v < bound[1]) {
		bound[1] = v;
	}
}

/*
 * A bound holds when two neighbours say so, by their own pings: one whose
 * clock misbehaves does not make those of others false.
 */
static void
carry_bounds(struct tighten *t, uint32_t self)
{
	struct tighten_clock *c = &t->clocks[self];
	double to[2] = { HUGE_VAL, HUGE_VAL }, from[2] = { HUGE_VAL, HUGE_VAL };

	for (size_t k = 0; k < c->pairs; k++) {
		const struct tighten_pair *p =
		    &t->pairs[t->edges[c->first + k]];
		bool is_a = p->a == self;
		double room = t->clocks[is_a ? p->b : p->a].proven;

		if (!p->trusted)
			continue;
		bound_by(to, room + (is_a ? -p->low : p->high));
		bound_by(from, room + (is_a ? p->high : -p->low));
		c->best = fmin(c->best, p->half);
	}
	c->to = fmin(c->to, to[1]);
	c->from = fmax(c->from, -from[1]);
}

static void
clocks_end(struct tighten *t)
{
	for (size_t i = 0; i < t->nclocks; i++) {
		struct tighten_clock *c = &t->clocks[i];

		c->solved = c->told && c->pairs > 0 &&
			    (c->best < HUGE_VAL || fabs(c->c) > SETTLED_NS);
		if (!c->solved)
			continue;
		if (c->from > c->to) { /* at odds: the pings alone hold */
			c->from = -c->proven;
			c->to = c->proven;
		}
		c->c = fmin(fmax(c->c, c->from), c->to);
	}
}

static void
settle(struct tighten *t, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		round_slopes(t);
		if (round_offsets(t) < SETTLED_NS)
			break;
	}
}

void
tighten_solve_clocks(struct tighten *t)
{
	if (edges_make(t) == -1)
		return; /* the last solution ages and is dropped */
	clocks_begin(t);
	settle(t, ROUNDS);
	weigh_odds(t);
	for (int i = 0; i < REWEIGHTS; i++) {
		if (i > 0)
			weigh_clocks(t);
		settle(t, ROUNDS_MORE);
	}
	for (uint32_t i = 0; i < t->nclocks; i++) {
		if (t->clocks[i].told)
			carry_bounds(t, i);
	}
	clocks_end(t);
}
