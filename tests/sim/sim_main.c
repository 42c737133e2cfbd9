/*
 * sim: runs the real collector and monitord in the simulated world, one seed
 * after another, and checks every log against the truth.  The closing line is
 * for scripts; a failure names its seed, which repeats it exactly, and is made
 * as small as it gets.
 */
#include <err.h>
#include <getopt.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "common/log.h"
#include "tests/sim/campaign.h"

#define MS 1000000

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec + (double)ts.tv_nsec / 1e9);
}

static void
print_totals(const struct totals *t, double took)
{
	const struct world_result *r = &t->sum;
	uint64_t faults = 0;

	for (enum fault k = 0; k < FAULTS; k++) {
		faults += r->faults[k];
		printf("%s %llu%s", fault_name[k],
		    (unsigned long long)r->faults[k],
		    k + 1 < FAULTS ? ", " : "\n");
	}
	printf("%llu nodes, %llu messages, %llu late, %llu orphans; %llu of "
	       "%llu clock samples outside their bound; p99 of %llu samples of "
	       "settled clocks %.2f us, of all %.2f us\n",
	    (unsigned long long)r->nodes, (unsigned long long)r->messages,
	    (unsigned long long)r->late, (unsigned long long)r->orphans,
	    (unsigned long long)r->outside, (unsigned long long)r->bounded,
	    (unsigned long long)r->settled.n,
	    errors_percentile(&r->settled, 0.99) / 1e3,
	    errors_percentile(&r->all, 0.99) / 1e3);
	printf("%.1f seeds/s, %.0f x real time; %llu seeds failed\n",
	    (double)t->seeds / took, (double)r->ran_ns / 1e9 / took,
	    (unsigned long long)t->failed);
	printf("seeds=%llu faults=%llu events=%llu violations=%llu "
	       "unaccounted=%llu clock_p99_us=%.2f\n",
	    (unsigned long long)t->seeds, (unsigned long long)faults,
	    (unsigned long long)r->events, (unsigned long long)r->violations,
	    (unsigned long long)r->unaccounted,
	    errors_percentile(&r->settled, 0.99) / 1e3);
}

static void
print_case(const char *program, const struct world_options *o, const char *why)
{
	printf("to repeat: %s --first %llu --seeds 1 --faults 0x%x", program,
	    (unsigned long long)o->seed, o->faults);
	if (o->nodes != 0)
		printf(" --nodes %u", o->nodes);
	if (o->run_ns != 0)
		printf(" --milliseconds %lld", (long long)(o->run_ns / MS));
	if (o->from_ns != 0)
		printf(" --from %lld", (long long)(o->from_ns / MS));
	if (o->until_ns != 0)
		printf(" --until %lld", (long long)(o->until_ns / MS));
	printf(" --verbose\n\twith:");
	for (enum fault k = 0; k < FAULTS; k++) {
		if ((o->faults >> k & 1) != 0)
			printf(" %s;", fault_name[k]);
	}
	printf("\n\t%s\n", why);
	fflush(stdout);
}

static void
usage(int code)
{
	fprintf(code == EX_OK ? stdout : stderr,
	    "usage: sim [--seeds N] [--first SEED] [--jobs N] [--until-failure]"
	    "\n"
	    "           [--calm] [--no-shrink] [--pings-only] [--verbose]\n"
	    "           [--faults MASK] [--nodes N] [--milliseconds N]\n"
	    "           [--from MS] [--until MS]\n"
	    "  --calm    only seeds of worlds in which nothing goes wrong\n"
	    "  --faults  kinds of faults that may happen, a bit each, in the "
	    "order in\n"
	    "            which they are counted at the end\n"
	    "  --nodes, --milliseconds, --from, --until\n"
	    "            make a seed smaller: nodes, length, when faults "
	    "happen\n");
	exit(code);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seeds", required_argument, NULL, 'n' },
		{ "first", required_argument, NULL, 's' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "until-failure", no_argument, NULL, 'x' },
		{ "calm", no_argument, NULL, 'c' },
		{ "no-shrink", no_argument, NULL, 'q' },
		{ "faults", required_argument, NULL, 'k' },
		{ "nodes", required_argument, NULL, 'o' },
		{ "milliseconds", required_argument, NULL, 'm' },
		{ "from", required_argument, NULL, 'f' },
		{ "until", required_argument, NULL, 'u' },
		{ "pings-only", no_argument, NULL, 'p' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct campaign c = { .options = { .faults = FAULTS_ALL },
		.first = 1,
		.seeds = 200,
		.jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN) };
	struct world_options *o = &c.options;
	struct totals *t = calloc(1, sizeof(*t));
	bool shrink = true;
	double began = seconds();
	char why[200] = "";
	int opt;

	if (t == NULL)
		err(EX_OSERR, NULL);
	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		long long v = optarg != NULL ? strtoll(optarg, NULL, 0) : 0;

		switch (opt) {
		case 'n':
			c.seeds = (uint64_t)v;
			break;
		case 's':
			c.first = (uint64_t)v;
			break;
		case 'j':
			c.jobs = v > 0 ? (unsigned)v : 1;
			break;
		case 'x':
			c.until_failure = true;
			break;
		case 'c':
			c.calm = true;
			break;
		case 'q':
			shrink = false;
			break;
		case 'k':
			o->faults = (unsigned)v;
			break;
		case 'o':
			o->nodes = (unsigned)v;
			break;
		case 'm':
			o->run_ns = v * MS;
			break;
		case 'f':
			o->from_ns = v * MS;
			break;
		case 'u':
			o->until_ns = v * MS;
			break;
		case 'p':
			o->pings_only = true;
			break;
		case 'v':
			o->verbose = true;
			break;
		default:
			usage(opt == 'h' ? EX_OK : EX_USAGE);
		}
	}
	log_init("sim", o->verbose ? 2 : -1);
	/* the same memory again and again, not from the system each time */
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	if (!o->verbose && freopen("/dev/null", "w", stderr) == NULL)
		err(EX_OSERR, "/dev/null");
	o->seed = campaign_run(&c, t);
	if (t->failed > 0 && shrink && !o->verbose) {
		campaign_shrink(o);
		if (campaign_fails(o, why, sizeof(why), NULL))
			print_case(argv[0], o, why);
	}
	print_totals(t, seconds() - began);
	return (t->failed > 0 ? EX_SOFTWARE : 0);
}
