/*
 * clock: node-days of clock synchronisation in virtual time, against the truth.
 *
 * Four campaigns, each over the scenarios of model.c with the one set of
 * parameters that there is: how far the map is off and whether its bound holds;
 * how soon it is good after connecting; steps and suspends, which must be found
 * by the next burst; and steps that were none.  Fails when a promise is broken,
 * and prints what was seen beside what was promised.
 */
#include <err.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tests/sim/clockbed.h"

#define US   1000
#define MS   ((int64_t)1000000)
#define SEC  ((int64_t)1000000000)
#define WARM (60 * SEC)

#define GOOD_NS       (10 * US)
#define WATCH_S       1800 /* one node's part of the node-days */
#define BEYOND_MOST   1e-5 /* of the looks */
#define BEYOND_FEW    60   /* two seconds of a node, in a short run */
#define GOOD_AFTER_US 100.0
#define EARLY_S       20        /* looked at after connecting */
#define KEPT          (1 << 22) /* errors kept for percentiles */
#define HIST_PER_US   50
#define HIST          (1000 * HIST_PER_US)

static unsigned broken;

static void
promise(bool kept, const char *what, const char *scenario)
{
	if (kept)
		return;
	broken++;
	printf("BROKEN: %s, %s\n", what, scenario);
}

/* --- errors, as a histogram: a long run has too many to keep --- */

struct errors {
	uint64_t bin[HIST + 1], n;
	double max_us, sum_us;
};

static void
errors_add(struct errors *e, double us)
{
	double at = us * HIST_PER_US;

	e->bin[at < HIST ? (size_t)at : HIST]++;
	e->n++;
	e->sum_us += us;
	e->max_us = fmax(e->max_us, us);
}

static double
errors_at(const struct errors *e, double share)
{
	uint64_t want = (uint64_t)((double)e->n * share), sum = 0;

	for (size_t i = 0; i <= HIST; i++) {
		sum += e->bin[i];
		if (sum > want)
			return ((double)(i + 1) / HIST_PER_US);
	}
	return (e->max_us);
}

static struct errors errors;

static void
keep_cb(void *arg, int64_t t, int64_t node, int64_t mon, int64_t error)
{
	(void)arg;
	(void)node;
	(void)error;
	if (t >= WARM)
		errors_add(&errors, fabs((double)(mon - t)) / US);
}

/* --- watching: errors, bounds, steps that were none --- */

static void
watch(const struct scenario *sc, double days, bool crowd, struct chance *c)
{
	int64_t nodes = (int64_t)ceil(days * 86400 / WATCH_S);
	uint64_t looks = 0, beyond = 0, alarms = 0, fallen = 0;
	double bound_us = 0;
	bool stable = sc->clock.slew_every_s == 0;

	memset(&errors, 0, sizeof(errors));
	for (int64_t i = 0; i < (nodes > 0 ? nodes : 1); i++) {
		struct clocksync_stats st;
		struct clockbed b;

		if (clockbed_start(&b, sc, c, NULL, NULL) == -1)
			err(EX_OSERR, NULL);
		b.look = keep_cb;
		b.sample_every_ns = 37 * MS;
		clocksync_crowd(b.sync, crowd ? 4096 : 1);
		clockbed_run(&b, WATCH_S * SEC);
		clocksync_stats(b.sync, 0, &st);
		looks += b.samples;
		beyond += b.beyond;
		fallen += b.fallen;
		bound_us += b.bound_sum_us;
		alarms += st.steps;
		clockbed_stop(&b);
	}
	printf("%s\t%-14s\t%.2f node-days\tp50 %.2f\tp99 %.2f\tp99.9 %.2f\t"
	       "max %.1f us\tmean %.2f, bound %.1f us\tbeyond %.2g\t"
	       "alarms %llu\n",
	    crowd ? "crowd" : "watch", sc->name,
	    (double)nodes * WATCH_S / 86400, errors_at(&errors, 0.5),
	    errors_at(&errors, 0.99), errors_at(&errors, 0.999), errors.max_us,
	    errors.sum_us / (double)errors.n, bound_us / (double)looks,
	    (double)beyond / (double)looks, (unsigned long long)alarms);
	if (!stable)
		return; /* no promise: nothing helps but a clock left alone */
	promise(sc->p99_us == 0 || crowd ||
		    errors_at(&errors, 0.99) <= sc->p99_us,
	    "p99", sc->name);
	promise((double)beyond <= BEYOND_MOST * (double)looks + BEYOND_FEW,
	    "bound", sc->name);
	promise(alarms == 0, "false alarms", sc->name);
	promise(fallen == 0, "a map that goes back", sc->name);
}

/* --- connecting --- */

static int64_t bad_until_ns;

static void
bad_cb(void *arg, int64_t t, int64_t node, int64_t mon, int64_t error)
{
	(void)arg;
	(void)node;
	(void)error;
	if (llabs(mon - t) > GOOD_NS)
		bad_until_ns = t;
}

static void
connects(const struct scenario *sc, int nodes, struct chance *c)
{
	double *after = calloc((size_t)nodes, sizeof(*after)), p50, p99;
	bool promised = sc->name[0] == 'A' || sc->name[0] == 'C';

	if (after == NULL)
		err(EX_OSERR, NULL);
	for (int i = 0; i < nodes; i++) {
		struct clockbed b;

		if (clockbed_start(&b, sc, c, NULL, NULL) == -1)
			err(EX_OSERR, NULL);
		/* the path has been there for long */
		b.second_ns = 10 * SEC;
		b.now_ns = 10 * SEC + (int64_t)chance_below(c, 1000) * MS;
		clocksync_disconnected(b.sync, b.now_ns);
		clocksync_connected(b.sync, b.now_ns);
		b.look = bad_cb;
		b.sample_ns = b.now_ns;
		b.sample_every_ns = 2 * MS;
		bad_until_ns = b.now_ns + 32 * MS; /* the first burst */
		after[i] = (double)-b.now_ns;
		clockbed_run(&b, b.now_ns + EARLY_S * SEC);
		after[i] = (after[i] + (double)bad_until_ns) / 1e9;
		clockbed_stop(&b);
	}
	p50 = percentile(after, (size_t)nodes, 0.5);
	p99 = percentile(after, (size_t)nodes, 0.99);
	printf("connect\t%-14s\t%d nodes\tbelow 10 us and stays: p50 %.2f s\t"
	       "p99 %.2f s\n",
	    sc->name, nodes, p50, p99);
	promise(!promised || (p50 <= 0.5 && p99 <= 3), "time to 10 us",
	    sc->name);
	free(after);
}

/* --- steps and suspends --- */

static const int64_t step_ns[] = { 20 * US, 50 * US, 100 * US, 200 * US, MS,
	20 * MS, SEC, 100 * SEC, 86400 * SEC, 100000000 * SEC };
#define STEP_KINDS (sizeof(step_ns) / sizeof(step_ns[0]))

static int64_t good_from_ns;

static void
after_cb(void *arg, int64_t t, int64_t node, int64_t mon, int64_t error)
{
	(void)arg;
	(void)node;
	(void)error;
	if (t >= good_from_ns)
		errors_add(&errors, fabs((double)(mon - t)) / US);
}

/* Whether the next burst finds it; suspend: the clock stops for as long. */
static bool
step_found(const struct scenario *sc, int64_t by_ns, bool suspend,
    struct chance *c, bool *once)
{
	struct clocksync_stats st;
	struct clockbed b;
	bool found;

	if (clockbed_start(&b, sc, c, NULL, NULL) == -1)
		err(EX_OSERR, NULL);
	b.sample_ns = INT64_MAX;
	clockbed_run(&b, 100 * SEC + (int64_t)chance_below(c, 3000) * MS);
	if (suspend)
		clockbed_suspend(&b, by_ns);
	else
		clockbed_step(&b, by_ns);
	if (suspend)
		clockbed_run(&b, b.held_until_ns);
	clockbed_run(&b, b.now_ns + 1150 * MS);
	clocksync_stats(b.sync, 0, &st);
	found = st.steps == 1;
	b.sample_ns = b.now_ns;
	b.look = after_cb;
	good_from_ns = b.now_ns + 5 * SEC;
	clockbed_run(&b, b.now_ns + 30 * SEC);
	clocksync_stats(b.sync, 0, &st);
	*once = st.steps == 1;
	clockbed_stop(&b);
	return (found);
}

static void
steps(const struct scenario *sc, int trials, struct chance *c)
{
	/* noise of a busy path may hide less from one burst */
	int64_t sure_ns = sc->path.busy == 0 ? 50 * US : 200 * US;

	for (size_t k = 0; k < STEP_KINDS; k++) {
		int found = 0, once = 0, n = 0;

		memset(&errors, 0, sizeof(errors));
		for (; n < trials; n++) {
			bool one, suspend = step_ns[k] >= SEC && n % 3 == 2;
			int64_t by =
			    n % 2 == 0 || suspend ? step_ns[k] : -step_ns[k];

			if (suspend && by > 1000 * SEC)
				by = 1000 * SEC;
			found += step_found(sc, by, suspend, c, &one);
			once += one;
		}
		printf("step\t%-14s\t+-%.6g s\tby the next burst %d of %d\t"
		       "once %d\tp99 afterwards %.1f us\n",
		    sc->name, (double)step_ns[k] / 1e9, found, n, once,
		    errors_at(&errors, 0.99));
		/* small ones mostly, where nothing is in the way */
		promise(sc->path.busy > 0 || found > n * 3 / 4,
		    "small steps found", sc->name);
		if (step_ns[k] >= sure_ns) {
			promise(found == n, "step found by the next burst",
			    sc->name);
			promise(once == n, "a step is one epoch", sc->name);
			promise(errors_at(&errors, 0.99) < GOOD_AFTER_US,
			    "the map after a step", sc->name);
		}
	}
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "days", required_argument, NULL, 'd' },
		{ "seed", required_argument, NULL, 's' },
		{ "only", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct chance c = { 1 };
	double days = 0.5;
	const char *only = "";
	int o, nodes, trials;

	while ((o = getopt_long(argc, argv, "d:s:o:h", options, NULL)) != -1) {
		if (o == 'd') {
			days = strtod(optarg, NULL);
		} else if (o == 's') {
			c.state = strtoull(optarg, NULL, 10);
		} else if (o == 'o') {
			only = optarg;
		} else {
			fprintf(o == 'h' ? stdout : stderr,
			    "usage: clock [--days N] [--seed N] [--only ABC..]\n"
			    "Node-days of clocks in virtual time, shared by the "
			    "scenarios\n(only these).\n");
			return (o == 'h' ? 0 : EX_USAGE);
		}
	}
	nodes = (int)fmin(2000, 100 + days * 100);
	trials = (int)fmin(120, 6 + days * 6);
	for (int i = 0; i < SCENARIOS; i++) {
		const struct scenario *sc = &scenarios[i];

		if (only[0] != '\0' && strchr(only, sc->name[0]) == NULL)
			continue;
		watch(sc, days / SCENARIOS * 7 / 8, false, &c);
		watch(sc, days / SCENARIOS / 8, true, &c);
		fflush(stdout);
		if (sc->clock.slew_every_s > 0)
			continue;
		connects(sc, nodes, &c);
		steps(sc, trials, &c);
		fflush(stdout);
	}
	printf("node-days=%.2f broken=%u\n", days, broken);
	return (broken > 0 ? EX_SOFTWARE : 0);
}
