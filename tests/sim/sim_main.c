/*
 * sim: runs the real collector and monitord in the simulated world, one seed
 * after another, and checks every log against the truth.  The closing line is
 * for scripts; a failure names its seed, which repeats it exactly.
 */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "common/log.h"
#include "tests/sim/model.h"
#include "tests/sim/world.h"

struct totals {
	uint64_t seeds, faults, events, messages, violations, unaccounted;
	uint64_t failed, late, orphans;
	double *error_us;
	size_t errors, cap;
	double virtual_s;
};

static void
totals_add(struct totals *t, const struct world_result *r)
{
	t->seeds++;
	t->faults += r->faults;
	t->events += r->events;
	t->messages += r->messages;
	t->violations += r->violations;
	t->unaccounted += r->unaccounted;
	t->late += r->late;
	t->orphans += r->orphans;
	t->virtual_s += (double)r->ran_ns / 1e9;
	/* every sixteenth is enough */
	if (t->errors + r->errors / 16 + 1 > t->cap) {
		t->cap = (t->cap + r->errors) * 2;
		t->error_us = realloc(t->error_us, t->cap * sizeof(double));
		if (t->error_us == NULL)
			err(EX_OSERR, NULL);
	}
	for (size_t i = 0; i < r->errors; i += 16)
		t->error_us[t->errors++] = r->error_us[i];
}

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec + (double)ts.tv_nsec / 1e9);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seeds", required_argument, NULL, 'n' },
		{ "first", required_argument, NULL, 'f' },
		{ "milliseconds", required_argument, NULL, 'm' },
		{ "faults", required_argument, NULL, 'k' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct world_options o = { .run_ns = 2000000000, .faults = ~0u };
	struct totals t = { 0 };
	uint64_t seeds = 200, first = 1;
	double began = seconds(), took;
	int c;

	while (
	    (c = getopt_long(argc, argv, "n:f:m:k:vh", options, NULL)) != -1) {
		if (c == 'n') {
			seeds = strtoull(optarg, NULL, 10);
		} else if (c == 'f') {
			first = strtoull(optarg, NULL, 10);
		} else if (c == 'm') {
			o.run_ns = strtoll(optarg, NULL, 10) * 1000000;
		} else if (c == 'k') {
			o.faults = (unsigned)strtoul(optarg, NULL, 0);
		} else if (c == 'v') {
			o.verbose = true;
		} else {
			fprintf(c == 'h' ? stdout : stderr,
			    "usage: sim [--seeds N] [--first SEED] "
			    "[--milliseconds N] [--faults MASK] [--verbose]\n");
			return (c == 'h' ? 0 : EX_USAGE);
		}
	}
	log_init("sim", o.verbose ? 2 : -1);
	if (!o.verbose && freopen("/dev/null", "w", stderr) == NULL)
		err(EX_OSERR, "/dev/null");
	for (uint64_t i = 0; i < seeds; i++) {
		struct world_result r;

		o.seed = first + i;
		if (world_run(&o, &r) == -1) {
			t.failed++;
			printf("seed %llu: %s\n", (unsigned long long)o.seed,
			    r.why);
			fflush(stdout);
		}
		totals_add(&t, &r);
		free(r.error_us);
	}
	took = seconds() - began;
	printf("%.1f seeds/s, %.0f x real time; %llu messages, %llu late, "
	       "%llu orphans; %llu seeds failed\n",
	    (double)t.seeds / took, t.virtual_s / took,
	    (unsigned long long)t.messages, (unsigned long long)t.late,
	    (unsigned long long)t.orphans, (unsigned long long)t.failed);
	printf("seeds=%llu faults=%llu events=%llu violations=%llu "
	       "unaccounted=%llu clock_p99_us=%.2f\n",
	    (unsigned long long)t.seeds, (unsigned long long)t.faults,
	    (unsigned long long)t.events, (unsigned long long)t.violations,
	    (unsigned long long)t.unaccounted,
	    percentile(t.error_us, t.errors, 0.99));
	free(t.error_us);
	return (t.failed > 0 ? EX_SOFTWARE : 0);
}
