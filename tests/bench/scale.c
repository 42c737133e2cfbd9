/*
 * The viewer's model and its frames at full size, from a made-up feed: what an
 * event costs and holds, what frames cost of a run that stands still and of
 * one that grows, exact statistics.  Lines of TSV:
 * name, value, unit, reference, reference value, ratio.
 */
#include "tests/bench/scale.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

struct scale_option option = { 1e6, 1e7, 2, 20000, 64, 100000, "" };
const char *of = "";

double
clock_ms(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
}

void
line(const char *name, double value, const char *unit, const char *reference,
    double ref)
{
	printf("%s%s %.0e\t%.4g\t%s\t%s\t%.4g\t%.3g\n", of, name, option.events,
	    value, unit, reference, ref, value / ref);
	fflush(stdout);
}

uint64_t
batches(double events)
{
	return ((uint64_t)ceil(events / BATCH));
}

static int
double_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x < *y ? -1 : *x > *y);
}

double
percentile(double *v, size_t n, double part)
{
	if (n == 0)
		return (0);
	qsort(v, n, sizeof(*v), double_compare);
	return (v[(size_t)((double)(n - 1) * part)]);
}

static void
bench_views(void)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	struct held h;
	bool frames, live;

	if (f == NULL)
		exit(EX_OSERR);
	f->mix = (struct feed_mix){ 0, 10, 1 };
	frames = strchr(option.only, 'f') != NULL || *option.only == '\0';
	live = strchr(option.only, 'l') != NULL || *option.only == '\0';
	h = hold(f, option.events);
	line("model mix", h.bytes / option.events, "B/event", "goal", 7);
	line("model mix ingest", h.ns, "ns/event", "10 M events/s", 100);
	line("model mix decoded", grow_decoded(h.m, f, 1 << 21), "ns/event",
	    "10 M events/s", 100);
	if (frames)
		bench_frames(h.m);
	if (live) {
		bench_live(h.m, f, "all", false);
		bench_live(h.m, f, "follow", true);
	}
	model_free(h.m);
	free(f);
}

static void
usage(void)
{
	printf(
	    "usage: scale [-n events] [-l lanes] [-t threads] [-b births/s] "
	    "[-r events/s] [-s seconds] [-o mflstbrv]\n"
	    "  -o: only memory, frames, live, statistics, very many threads, "
	    "births of those, a list of rows, views of very many\n");
}

int
main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "n:l:t:r:b:s:o:h")) != -1) {
		if (c == 'n')
			option.events = strtod(optarg, NULL);
		else if (c == 'l')
			option.lanes = (uint32_t)strtoul(optarg, NULL, 10);
		else if (c == 't')
			option.threads = (uint32_t)strtoul(optarg, NULL, 10);
		else if (c == 'r')
			option.rate = strtod(optarg, NULL);
		else if (c == 'b')
			option.births = strtod(optarg, NULL);
		else if (c == 's')
			option.seconds = strtod(optarg, NULL);
		else if (c == 'o')
			option.only = optarg;
		else {
			usage();
			return (c == 'h' ? 0 : EX_USAGE);
		}
	}
	if (option.events < BATCH || option.lanes < 1 ||
	    option.lanes > FEED_LANES || option.threads < 3 ||
	    option.threads > FEED_LANES || option.rate < 1000) {
		usage();
		return (EX_USAGE);
	}
	if (*option.only == '\0' || strchr(option.only, 'm') != NULL) {
		bench_memory();
		bench_cap();
	}
	if (*option.only == '\0' || strpbrk(option.only, "fl") != NULL)
		bench_views();
	if (*option.only == '\0' || strchr(option.only, 's') != NULL)
		bench_statistics();
	if (*option.only == '\0' || strchr(option.only, 't') != NULL)
		bench_threads();
	if (*option.only == '\0' || strchr(option.only, 'r') != NULL)
		bench_list();
	if (*option.only == '\0' || strchr(option.only, 'v') != NULL)
		bench_tables();
	if (*option.only == '\0' || strchr(option.only, 'b') != NULL)
		bench_births();
	return (0);
}
