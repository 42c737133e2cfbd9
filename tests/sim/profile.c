/*
 * What a seed is like: how many nodes, how busy, which clocks and paths, which
 * faults.  Most seeds are short and rough; some are calm (then nothing may be
 * late), some have hundreds of nodes, some are long, for the clocks, and in
 * some programs come and go faster than faults leave them time to, by the
 * thousand, or have names by the hundred thousand.  Some are
 * there for one thing that can only go wrong slowly: clocks that wander, or
 * that messages have brought together and then nobody sends any more, or that
 * are in use while who measures them is stopped for seconds.
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

#define CALM_OUTSIDE 0.01
#define WANDER_P99   25e3 /* 14e3 is the worst of 100 seeds */
#define SILENT_WORST 80e3 /* 38e3 is the worst of 60 seeds */
#define STOPS_MOST   1e-4

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

/* Many, for long enough that all of them have clocks and meet faults. */
static void
profile_cluster(struct profile *p)
{
	p->nodes = 400;
	p->run_ns = 2 * ENV_SEC;
	p->gap_ns = 10 * ENV_MS;
	p->every_ns = 60 * ENV_MS;
	p->prompt = true;
	p->calm = false;
}

static void
profile_long(struct profile *p, struct chance *c)
{
	p->nodes = 2 + chance_below(c, 3);
	p->run_ns = (10 + (int64_t)chance_below(c, 20)) * ENV_SEC;
	p->gap_ns = ENV_SEC;
	p->every_ns = 30 * ENV_MS;
	p->prompt = chance_is(c, 0.5);
}

/* Programs by the thousand, that fork, live for a moment and end in all ways.
 */
static void
profile_swarm(struct profile *p, struct chance *c)
{
	p->nodes = 1 + chance_below(c, 2);
	p->programs = 4 + (unsigned)chance_below(c, 28);
	p->programs_most = 3000;
	p->life_ns = (1 + (int64_t)chance_below(c, 8)) * ENV_MS;
	p->every_ns = p->life_ns / 4;
	p->kinds &= ~CLOCK_FAULTS;
}

/* Names by the hundred thousand, each program with all those of its parent. */
static void
profile_names(struct profile *p, struct chance *c)
{
	p->nodes = 1;
	p->programs = 2 + (unsigned)chance_below(c, 3);
	p->programs_most = 4;
	p->names = 30000 + (uint32_t)chance_below(c, 220000);
	p->run_ns = 300 * ENV_MS;
	p->life_ns = 4 * ENV_MS; /* so that several fork at once */
	p->kinds &= ~CLOCK_FAULTS;
}

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

/*
 * A relay between collectors and monitord does what it likes, very often, to
 * the end; half of them nothing that anybody need notice.
 */
static void
profile_relay(struct profile *p, struct chance *c)
{
	p->calm = false;
	p->kinds = (unsigned)chance_next(c) & RELAY_FAULTS;
	if (chance_is(c, 0.5))
		p->kinds |= 1u << FAULT_DROP;
	else
		p->kinds = (p->kinds & HARMLESS_FAULTS) | 1u << FAULT_DUPLICATE;
	p->hurried = chance_is(c, 0.5);
	p->relay_times = 5 + (double)chance_below(c, 60);
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
	p->calm = true;
	p->promise.p99_ns = WANDER_P99;
}

/* They talk, so that messages tighten the map, and then for a minute do not. */
static void
profile_silent(struct profile *p, struct chance *c)
{
	p->nodes = 2 + chance_below(c, 2);
	p->clock = clocks[chance_below(c, 2)]; /* those that stay near */
	p->every_ns = 8 * ENV_MS;
	p->prompt = true;
	p->silent_from_ns = (15 + (int64_t)chance_below(c, 10)) * ENV_SEC;
	p->silent_every_ns = 150 * ENV_MS;
	p->run_ns = p->silent_from_ns + 60 * ENV_SEC;
	p->calm = true;
	p->promise.worst_ns = SILENT_WORST;
}

/* Seconds in which nobody looks at the clocks, while messages tighten them. */
static void
profile_stops(struct profile *p, const struct world_options *o,
    struct chance *c)
{
	p->nodes = 2 + chance_below(c, 3);
	p->every_ns = (5 + (int64_t)chance_below(c, 60)) * ENV_MS;
	p->prompt = true;
	/* long ones, or many that begin while little is known of the clocks */
	p->run_ns = (o->seed % 1000 == 87 ? 60 : 8) * ENV_SEC;
	p->stop_ns = ENV_SEC;
	p->gap_ns = (2 + (int64_t)chance_below(c, 8)) * ENV_SEC;
	p->calm = false;
	p->kinds = 1u << FAULT_COLLECTOR_STOP | 1u << FAULT_MONITORD_STOP;
	p->promise.outside = STOPS_MOST;
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
	if (o->seed % 1000 == 707)
		profile_cluster(p);
	else if (o->seed % 100 == 7)
		profile_big(p, &c);
	else if (o->seed % 50 == 3)
		profile_long(p, &c);
	else if (o->seed % 20 == 11)
		profile_busy(p, &c);
	else if (o->seed % 100 == 49)
		profile_wander(p);
	else if (o->seed % 100 == 73)
		profile_silent(p, &c);
	else if (o->seed % 100 == 87)
		profile_stops(p, o, &c);
	else if (o->seed % 50 == 29)
		profile_relay(p, &c);
	else if (o->seed % 500 == 257)
		profile_swarm(p, &c);
	else if (o->seed % 1000 == 301)
		profile_names(p, &c);
	p->viewer = p->nodes < 50 && chance_is(&c, 0.5);
	p->control = chance_is(&c, 0.5);
	if (p->calm) {
		p->kinds = 0;
		p->promise.outside = CALM_OUTSIDE;
	}
	p->kinds &= o->faults;
	if (o->nodes != 0 && o->nodes < p->nodes)
		p->nodes = o->nodes;
	if (o->run_ns != 0 && o->run_ns < p->run_ns)
		p->run_ns = o->run_ns;
}
