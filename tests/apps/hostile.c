/*
 * A program that attaches like any other and then writes garbage over the
 * memory it shares with the collector.
 *
 *	hostile [--seconds S] [--seed N] [--only heads|records|times]
 *
 * It finds the segment in its own /proc/self/maps.  Two threads scribble, one
 * over the heads of the rings, one over records, while both publish; with times
 * both only over those, which could be, but go to and fro.
 */
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"
#include "ring.h"

struct scribbler {
	pthread_t thread;
	uint64_t random;
	bool heads, times;
};

static unsigned char *segment;
static struct ring_segment was; /* before anything was written over */
static atomic_int stop;

/* xorshift64* */
static uint64_t
next(struct scribbler *s)
{
	s->random ^= s->random >> 12;
	s->random ^= s->random << 25;
	s->random ^= s->random >> 27;
	return (s->random * 0x2545f4914f6cdd1du);
}

static bool
find_segment(void)
{
	unsigned long long start, end;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "r");

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		if (strstr(line, "/memfd:") == NULL ||
		    strstr(line, "rw-s") == NULL ||
		    sscanf(line, "%llx-%llx", &start, &end) != 2)
			continue;
		/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		segment = (unsigned char *)(uintptr_t)start;
		memcpy(&was, segment, sizeof(was));
		if (was.magic == RING_MAGIC)
			break;
		segment = NULL;
	}
	if (f != NULL)
		fclose(f);
	return (segment != NULL);
}

/*
 * A word of the segment's head, of the head of one of the first rings, or of
 * this thread's records.
 */
static unsigned char *
some_place(struct scribbler *s)
{
	uint64_t r = next(s), at = (r >> 8) & ~UINT64_C(7);

	if (!s->heads)
		return ((unsigned char *)probe_self->records +
			at % (64 * sizeof(struct ring_record)));
	if (r % 8 == 0)
		return (segment + at % sizeof(struct ring_segment));
	return (segment + was.rings_offset + (r % 4) * sizeof(struct ring) +
		at % sizeof(struct ring));
}

/* The first records were up to 0.2 s or so before they were. */
static void
to_and_fro(struct scribbler *s)
{
	struct probe_record *r = probe_self->records;

	for (int i = 0; r != NULL && i < 64; i++)
		r[i].t_cycles -= next(s) >> 35;
}

static void *
scribble(void *arg)
{
	struct scribbler *s = arg;
	uint32_t name = PROBE_NAME("innocent");
	uint64_t v;

	while (!atomic_load(&stop)) {
		for (int i = 0; i < 100; i++)
			probe_note(name, i);
		v = next(s) >> (next(s) % 64);
		if (s->times)
			to_and_fro(s);
		else if (s->heads || probe_self->records != NULL)
			memcpy(some_place(s), &v, sizeof(v));
		if (next(s) % 16 == 0)
			usleep(1000);
	}
	return (NULL);
}

int
main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seconds", 1, NULL, 's' },
		{ "seed", 1, NULL, 'r' },
		{ "only", 1, NULL, 'o' },
		{ NULL, 0, NULL, 0 },
	};
	struct scribbler two[2] = { { .heads = true } };
	unsigned long long seed = 1;
	double seconds = 1;
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == 's')
			seconds = atof(optarg);
		else if (c == 'r')
			seed = strtoull(optarg, NULL, 10);
		else if (c == 'o') {
			two[0].heads = two[1].heads =
			    strcmp(optarg, "heads") == 0;
			two[0].times = two[1].times =
			    strcmp(optarg, "times") == 0;
		} else
			return (64);
	}
	while (!probe_attached()) {
		probe_note(0, 0);
		usleep(1000);
	}
	if (!find_segment()) {
		fprintf(stderr, "hostile: finds nothing to write over\n");
		return (1);
	}
	for (int i = 0; i < 2; i++) {
		two[i].random = seed * 2 + (uint64_t)i + 0x9e3779b97f4a7c15u;
		if (pthread_create(&two[i].thread, NULL, scribble, &two[i]))
			return (71);
	}
	usleep((useconds_t)(seconds * 1e6));
	atomic_store(&stop, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(two[i].thread, NULL);
	_exit(0); /* what libprobe would do at the end makes no difference */
}
