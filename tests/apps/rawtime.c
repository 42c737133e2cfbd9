/*
 * Is an event ever stamped before what its program had read from the clock
 * already?
 *
 *	rawtime THREADS EVENTS EVENTS_PER_S
 *	rawtime --check <`monitorctl dump --raw --kind note`
 *
 * The first makes notes whose value is CLOCK_MONOTONIC_RAW as it was just
 * before (rate 0: flat out); the other compares these with the node times in
 * the dump, whose node must not have a --test-clock, and ends with 1 when one
 * is earlier.
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

/* time, node time, location, sequence, kind, flags, shift, a, ... */
static int
check(void)
{
	char line[1024];
	uint64_t n = 0, early = 0;
	int64_t least = INT64_MAX, node_ns, read_ns;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line,
			"%*s %" SCNd64 " %*s %*s note %*s %*s %" SCNd64,
			&node_ns, &read_ns) != 2)
			continue;
		n++;
		early += node_ns < read_ns;
		if (node_ns - read_ns < least)
			least = node_ns - read_ns;
	}
	printf("events %" PRIu64 ", stamped before the clock was read %" PRIu64
	       ", least %" PRId64 " ns after\n",
	    n, early, n > 0 ? least : 0);
	return (n > 0 && early == 0 ? 0 : 1);
}

int
main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	long n;

	if (argc == 2 && strcmp(argv[1], "--check") == 0)
		return (check());
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
