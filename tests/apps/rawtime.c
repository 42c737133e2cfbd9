/*
 * Is an event ever stamped before what its program had read from the clock
 * already?
 *
 *	rawtime THREADS EVENTS EVENTS_PER_S
 *	rawtime --check <`monitorctl dump --raw --kind note`
 *	rawtime --within NS <...
 *
 * The first makes notes whose value is CLOCK_MONOTONIC_RAW as it was just
 * before (rate 0: flat out); the second compares these with the node times in
 * the dump, whose node must not have a --test-clock, and ends with 1 when one
 * is earlier.  The third compares them with monitor times before correction,
 * where monitord runs on this machine, whatever clock its nodes have.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probe.h"

#define THREADS_MAX 64
#define AT_ONCE     100 /* events between looks at the rate */

static uint64_t events;
static double rate;

static int64_t
raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

static void *
write_events(void *arg)
{
	uint32_t name = probe_name("raw");
	int64_t from_ns = raw_ns(), ahead_ns;

	for (uint64_t i = 0; i < events; i++) {
		probe_note(name, raw_ns());
		if (rate == 0 || i % AT_ONCE != 0)
			continue;
		ahead_ns =
		    (int64_t)((double)i / rate * 1e9) - (raw_ns() - from_ns);
		if (ahead_ns > 0)
			nanosleep(&(struct timespec){ ahead_ns / 1000000000,
				      ahead_ns % 1000000000 },
			    NULL);
	}
	return (arg);
}

struct sums {
	uint64_t n, wrong;
	int64_t least_ns, most_ns;
};

/* time, node time, location, sequence, kind, flags, shift, a, ... */
static void
check_line(struct sums *sums, const char *line, int64_t within_ns)
{
	int64_t mon_ns, node_ns, shift_ns, read_ns, off_ns;

	if (sscanf(line,
		"%" SCNd64 " %" SCNd64 " %*s %*s note %*s %" SCNd64 " %" SCNd64,
		&mon_ns, &node_ns, &shift_ns, &read_ns) != 4)
		return;
	off_ns = (within_ns < 0 ? node_ns : mon_ns - shift_ns) - read_ns;
	if (sums->n == 0 || off_ns < sums->least_ns)
		sums->least_ns = off_ns;
	if (sums->n == 0 || off_ns > sums->most_ns)
		sums->most_ns = off_ns;
	sums->n++;
	sums->wrong += within_ns < 0
			   ? off_ns < 0
			   : off_ns < -within_ns || off_ns > within_ns;
}

/* within_ns < 0: node times, none of which is early. */
static int
check(int64_t within_ns)
{
	struct sums sums = { 0 };
	char line[1024];

	while (fgets(line, sizeof(line), stdin) != NULL)
		check_line(&sums, line, within_ns);
	printf("events %" PRIu64 ", wrong %" PRIu64 ", by %" PRId64
	       " to %" PRId64 " ns\n",
	    sums.n, sums.wrong, sums.least_ns, sums.most_ns);
	return (sums.n > 0 && sums.wrong == 0 ? 0 : 1);
}

int
main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	long n;

	if (argc == 2 && strcmp(argv[1], "--check") == 0)
		return (check(-1));
	if (argc == 3 && strcmp(argv[1], "--within") == 0)
		return (check(atoll(argv[2])));
	if (argc != 4 || (n = atol(argv[1])) < 1 || n > THREADS_MAX) {
		fprintf(stderr, "usage: rawtime THREADS EVENTS EVENTS_PER_S\n");
		return (2);
	}
	events = strtoull(argv[2], NULL, 10);
	rate = atof(argv[3]);
	for (long i = 0; i < n; i++) {
		if (pthread_create(&threads[i], NULL, write_events, NULL) != 0)
			return (1);
	}
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return (0);
}
