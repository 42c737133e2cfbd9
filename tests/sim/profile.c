/*
 * What a seed is like: how many nodes, how busy, which clocks and paths, which
 * faults.  Most seeds are short and rough; some are calm (then nothing may be
 * late), some have hundreds of nodes, some are long, for the clocks, and in
 * some programs come and go faster than faults leave them time to.
 */
#include "tests/sim/world_inside.h"

/* offset, drift, walk, sine, frequency jumps, slews: see model.h */
static const struct clock_kind clocks[] = {
	{ 1, 100, 1e-9, 0, 0, 0, 0, 0, 0 },
	{ 1, 100, 1e-8, 0.5, 300, 0, 0, 0, 0 },
	{ 1000, 100, 1e-7, 0.5, 120, 1, 50, 0, 0 },
	{ 0.001, 5, 0, 0, 0, 0, 0, 0, 0 },
};
/* base, jitter, spikes, busy times, asymmetry */
static const struct path_kind paths[] = {
	{ 30, 10, 0.01, 3000, 0, 0, 0 },
	{ 30, 50, 0.02, 5000, 0.2, 300, 0 },
	{ 30, 20, 0.01, 5000, 0.1, 300, 0.2 },
	{ 200, 100, 0.02, 5000, 0.1, 300, 0 },
	{ 5, 2, 0.001, 500, 0, 0, 0 },
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void
profile_rough(struct profile *p, struct chance *c)
{
	p->nodes = 1 + chance_below(c, 6);
	p->run_ns = (400 + (int64_t)chance_below(c, 500)) * ENV_MS;
	p->gap_ns = (8 + (int64_t)chance_below(c, 30)) * ENV_MS;
	p->every_ns = 200000 + (int64_t)chance_below(c, 2000000);
	p->kinds = (unsigned)chance_next(c) & FAULTS_ALL;
}

static void
profile_big(struct profile *p, struct chance *c)
{
	p->nodes = 100 + chance_below(c, 201);
	p->run_ns = 150 * ENV_MS;
	p->gap_ns = 3 * ENV_MS;
	p->every_ns = 20 * ENV_MS;
}

static void
profile_long(struct profile *p, struct chance *c)
{
	p->nodes = 2 + chance_below(c, 3);
	p->run_ns = (10 + (int64_t)chance_below(c, 20)) * ENV_SEC;
	p->gap_ns = ENV_SEC;
	p->every_ns = 30 * ENV_MS;
}

#define CLOCK_FAULTS (1u << FAULT_STEP | 1u << FAULT_SLEW | 1u << FAULT_SUSPEND)

/* One node or two, where programs come and go: few kinds of faults, often. */
static void
profile_busy(struct profile *p, struct chance *c)
{
	p->nodes = 1 + chance_below(c, 2);
	p->programs = 1 + (unsigned)chance_below(c, 4);
	p->gap_ns = (2 + (int64_t)chance_below(c, 6)) * ENV_MS;
	if (chance_is(c, 0.6))
		p->every_ns *= 10;
	p->kinds &= (unsigned)chance_next(c) & ~CLOCK_FAULTS;
	p->kinds |= 1u << FAULT_PROGRAM_KILL;
	if (chance_is(c, 0.5))
		p->kinds |= 1u << FAULT_DISK_FULL | 1u << FAULT_CRASH;
}

/* Clocks wander for minutes, and nothing else happens. */
static void
profile_wander(struct profile *p)
{
	p->nodes = 2;
	p->run_ns = 240 * ENV_SEC;
	p->every_ns = 400 * ENV_MS;
	p->clock = scenarios[3].clock; /* heavy wander */
	p->path = scenarios[3].path;
	p->calm = p->exact = true;
}

void
profile_of(struct profile *p, const struct world_options *o)
{
	struct chance c = { o->seed ^ 0x6f72727279u };

	chance_next(&c);
	*p = (struct profile){ .clock = clocks[chance_below(&c, COUNT(clocks))],
		.path = paths[chance_below(&c, COUNT(paths))] };
	profile_rough(p, &c);
	p->calm = chance_is(&c, 0.1);
	if (o->seed % 100 == 7)
		profile_big(p, &c);
	else if (o->seed % 50 == 3)
		profile_long(p, &c);
	else if (o->seed % 20 == 11)
		profile_busy(p, &c);
	else if (o->seed % 100 == 49)
		profile_wander(p);
	if (p->calm)
		p->kinds = 0;
	p->kinds &= o->faults;
	if (o->nodes != 0 && o->nodes < p->nodes)
		p->nodes = o->nodes;
	if (o->run_ns != 0 && o->run_ns < p->run_ns)
		p->run_ns = o->run_ns;
}
