/*
 * Chance, clocks and paths, from a seed.
 *
 * A clock runs at a constant rate within cells of 10 ms; between them the
 * frequency walks, follows a sine and jumps, as its kind says.  A path is a
 * base delay, gamma distributed jitter, spikes, and busy periods of a second or
 * so in which every packet waits.
 */
#include "model.h"

#include <math.h>
#include <stdlib.h>

#define CELL_NS 10000000
#define PI      3.14159265358979323846

uint64_t
chance_next(struct chance *c)
{
	uint64_t z = c->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (z ^ z >> 31);
}

uint64_t
chance_below(struct chance *c, uint64_t n)
{
	return (n == 0 ? 0 : chance_next(c) % n);
}

double
chance_unit(struct chance *c)
{
	return ((double)(chance_next(c) >> 11) * 0x1p-53);
}

double
chance_exp(struct chance *c, double mean)
{
	return (-mean * log(1 - chance_unit(c)));
}

double
chance_normal(struct chance *c)
{
	double r = sqrt(-2 * log(1 - chance_unit(c)));

	return (r * cos(2 * PI * chance_unit(c)));
}

bool
chance_is(struct chance *c, double probability)
{
	return (chance_unit(c) < probability);
}

struct chance
chance_fork(struct chance *c)
{
	return ((struct chance){ chance_next(c) });
}

static double
clock_model_rate(const struct clock_model *m)
{
	double rate = m->frequency;

	if (m->kind.sine_s > 0)
		rate += m->kind.sine_ppm * 1e-6 *
			sin(2 * PI * (double)m->at_ns / 1e9 / m->kind.sine_s +
			    m->phase);
	if (m->kind.slew_every_s > 0 &&
	    fmod((double)m->at_ns / 1e9, m->kind.slew_every_s) < 1)
		rate += m->kind.slew_ppm * 1e-6;
	return (rate);
}

void
clock_model_init(struct clock_model *m, const struct clock_kind *kind,
    struct chance *c)
{
	*m = (struct clock_model){ .chance = chance_fork(c), .kind = *kind };
	m->frequency =
	    (2 * chance_unit(&m->chance) - 1) * kind->drift_ppm * 1e-6;
	m->phase = 2 * PI * chance_unit(&m->chance);
	m->node_ns =
	    (int64_t)((2 * chance_unit(&m->chance) - 1) * kind->offset_s * 1e9);
	m->rate = m->was_rate = clock_model_rate(m);
	m->was_ns = m->at_ns;
	m->was_node_ns = m->node_ns;
}

static void
clock_model_cell(struct clock_model *m)
{
	double gained = m->rate * CELL_NS + m->rest;
	double whole = floor(gained);

	m->was_ns = m->at_ns;
	m->was_node_ns = m->node_ns;
	m->was_rate = m->rate;
	m->at_ns += CELL_NS;
	m->node_ns += CELL_NS + (int64_t)whole;
	m->rest = gained - whole;
	if (m->kind.walk > 0)
		m->frequency += m->kind.walk * sqrt(CELL_NS / 1e9) *
				chance_normal(&m->chance);
	if (m->kind.jump_every_s > 0 &&
	    chance_is(&m->chance, CELL_NS / 1e9 / m->kind.jump_every_s))
		m->frequency +=
		    (2 * chance_unit(&m->chance) - 1) * m->kind.jump_ppm * 1e-6;
	m->rate = clock_model_rate(m);
}

int64_t
clock_model_node(struct clock_model *m, int64_t true_ns)
{
	int64_t d;

	while (true_ns >= m->at_ns + CELL_NS)
		clock_model_cell(m);
	if (true_ns >= m->at_ns) {
		d = true_ns - m->at_ns;
		return (m->node_ns + d + (int64_t)floor((double)d * m->rate));
	}
	d = true_ns - m->was_ns;
	return (m->was_node_ns + d + (int64_t)floor((double)d * m->was_rate));
}

void
clock_model_step(struct clock_model *m, int64_t true_ns, int64_t by_ns)
{
	clock_model_node(m, true_ns);
	m->node_ns += by_ns;
}

void
path_model_init(struct path_model *m, const struct path_kind *kind,
    struct chance *c)
{
	*m = (struct path_model){ .chance = chance_fork(c), .kind = *kind };
}

int64_t
path_model_delay(struct path_model *m, int64_t true_ns)
{
	const struct path_kind *k = &m->kind;
	double us = k->base_us * (1 + k->asymmetry);

	while (k->busy > 0 && true_ns >= m->until_ns) {
		double mean = m->busy ? (1 - k->busy) / k->busy : 1;

		m->busy = !m->busy;
		m->until_ns +=
		    (int64_t)(chance_exp(&m->chance, m->busy ? 1 : mean) * 1e9);
	}
	us += chance_exp(&m->chance, k->jitter_us / 2) +
	      chance_exp(&m->chance, k->jitter_us / 2);
	if (chance_is(&m->chance, k->spike))
		us += chance_unit(&m->chance) * k->spike_us;
	if (m->busy)
		us += chance_exp(&m->chance, k->busy_us);
	return ((int64_t)(us * 1000));
}

/* clang-format off */
#define STEADY { .offset_s = 1, .drift_ppm = 100, .walk = 1e-9 }
#define WANDERING { .offset_s = 1, .drift_ppm = 100, .walk = 1e-7, \
	.sine_ppm = 0.5, .sine_s = 120, .jump_ppm = 1, .jump_every_s = 50 }
/* clang-format on */

const struct scenario scenarios[SCENARIOS] = {
	{ "A quiet", STEADY, { 30, 10, 0.01, 5000, 0, 0, 0 }, 2 },
	{ "B noisy", STEADY, { 30, 50, 0.02, 5000, 0.2, 300, 0 }, 7 },
	{ "C wander",
	    { .offset_s = 1,
		.drift_ppm = 100,
		.walk = 1e-8,
		.sine_ppm = 0.5,
		.sine_s = 300 },
	    { 30, 20, 0.01, 5000, 0.1, 300, 0 }, 4 },
	{ "D heavy wander", WANDERING, { 30, 20, 0.01, 5000, 0.1, 300, 0 }, 7 },
	{ "E asymmetric", STEADY, { 30, 20, 0.01, 5000, 0.1, 300, 0.2 }, 0 },
	{ "F slewed",
	    { .offset_s = 1,
		.drift_ppm = 100,
		.walk = 1e-9,
		.slew_ppm = 500,
		.slew_every_s = 20 },
	    { 30, 10, 0.01, 5000, 0, 0, 0 }, 0 },
	/* the truth is always near the edge of what the bounds allow */
	{ "G one-sided", WANDERING, { 1, 20, 0.01, 5000, 0.1, 300, 60 }, 0 },
};

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return ((x > y) - (x < y));
}

double
percentile(double *v, size_t n, double p)
{
	if (n == 0)
		return (0);
	qsort(v, n, sizeof(*v), compare);
	return (v[(size_t)((double)(n - 1) * p)]);
}
