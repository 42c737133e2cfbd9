/*
 * A log of a storm, held against what its processes know of themselves.
 *
 *	monitorctl dump --raw LOG | outside [--lossy] [--growing]
 *	    [--clocks "S,PPM,WANDER ..."] DIR
 *
 * Sees the log from outside: nothing of the sources that made it, or read it,
 * is in here, and no flag of it is believed.  Every effect stands behind its
 * cause, in order and in time; each pair of processes has as many messages,
 * each thread the events, in its order, with the contents, that it says it
 * made; no time is before the reading of the clock that the thread made just
 * before the event, or after the one just after it.
 *
 *	--lossy		some were lost: what is there and what is told as lost
 *			make what was done; effects may miss their causes
 *	--growing	as a viewer gets it: effects may be told as orphans
 *			while their causes are on their way, and nobody knows
 *			yet how many of what there will be.  A last line "cut"
 *			says that there was more: causes may be in that, too
 *	--clocks	the clocks of the nodes, in their order, where they are
 *			not true: the test_clock of each
 *
 * Exits 1 when anything is wrong.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/outside/causes.h"
#include "tests/outside/lanes.h"
#include "tests/outside/wrong.h"

struct outside {
	bool lossy, growing, cut;
	const char *dir;
	struct skewed clocks[CLOCKS_MAX];
	unsigned nclocks;
	struct causes *causes;
	struct lanes *lanes;
	uint64_t rows, late, orphans, lost;
};

/* What process P has written down.  -1: nothing, or nonsense. */
static int
compare_process(struct outside *o, unsigned p)
{
	unsigned long long a, b, c, was_sent, was_received;
	uint64_t sent, received;
	struct storm_said said;
	char path[600], text[200];
	unsigned n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/storm.%u", o->dir, p);
	if ((f = fopen(path, "r")) == NULL)
		return (-1);
	while (fgets(text, sizeof(text), f) != NULL) {
		if (sscanf(text, "thread %u %llu %llx %llu", &n, &a, &b, &c) ==
		    4) {
			said = (struct storm_said){ a, b, c };
			o->lost += lanes_said(o->lanes, p, n, &said, o->lossy);
		} else if (sscanf(text, "pair %u %llu %llu", &n, &was_sent,
			       &was_received) == 3 &&
			   n < STORM_PROCESSES && !o->lossy) {
			causes_pair(o->causes, p, n, &sent, &received);
			if (sent != was_sent)
				wrong_say(WRONG_COUNT,
				    "%u has sent %llu to %u, there are %" PRIu64,
				    p, was_sent, n, sent);
			causes_pair(o->causes, n, p, &sent, &received);
			if (received != was_received)
				wrong_say(WRONG_COUNT,
				    "%u has %llu from %u, there are %" PRIu64,
				    p, was_received, n, received);
		}
	}
	fclose(f);
	return (0);
}

/* The number of processes, which each of them knows; 0: nobody has written. */
static unsigned
processes(const struct outside *o)
{
	char path[600];
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/storm.0", o->dir);
	if ((f = fopen(path, "r")) == NULL)
		return (0);
	if (fscanf(f, "processes %u", &n) != 1 || n > STORM_PROCESSES)
		n = 0;
	fclose(f);
	return (n);
}

static void
compare(struct outside *o)
{
	unsigned n = processes(o);

	if (n == 0)
		wrong_say(WRONG_COUNT, "%s says nothing of a storm", o->dir);
	for (unsigned p = 0; p < n; p++)
		if (compare_process(o, p) == -1)
			wrong_say(WRONG_COUNT, "process %u says nothing", p);
}

static int
look(struct outside *o)
{
	struct rows *rows = rows_new(STDIN_FILENO);
	struct row r;
	int code = rows == NULL ? -1 : 0;

	while (code == 0 && rows_next(rows, &r)) {
		o->rows++;
		o->late += (r.flags & ROW_LATE) != 0;
		o->orphans += (r.flags & ROW_ORPHAN) != 0;
		if (lanes_row(o->lanes, &r) == -1 ||
		    causes_row(o->causes, &r) == -1)
			code = -1;
	}
	if (code == -1)
		fprintf(stderr, "outside: out of memory\n");
	else if (rows_wrong(rows) != NULL) {
		fprintf(stderr, "outside: %s\n", rows_wrong(rows));
		code = -1;
	} else if (rows_cut(rows) && !o->growing) {
		fprintf(stderr, "outside: the log is cut\n");
		code = -1;
	} else
		o->cut = rows_cut(rows);
	rows_free(rows);
	return (code);
}

/* -1: no such clocks. */
static int
set_clocks(struct outside *o, char *list)
{
	char *at;

	while ((at = strsep(&list, " ")) != NULL) {
		if (o->nclocks == CLOCKS_MAX ||
		    skewed_parse(&o->clocks[o->nclocks++], at) == -1)
			return (-1);
	}
	return (0);
}

static void
print_times(const struct lanes_times *ts)
{
	printf(
	    "%" PRIu64 " readings of clocks: node times up to %.3f us early, "
	    "%.3f us late; the monitor's up to %.3f us early, %.3f us late\n",
	    ts->readings, (double)ts->node_early_ns / 1e3,
	    (double)ts->node_late_ns / 1e3, (double)ts->mon_early_ns / 1e3,
	    (double)ts->mon_late_ns / 1e3);
}

static int
usage(void)
{
	fprintf(stderr, "usage: monitorctl dump --raw LOG | outside [--lossy] "
			"[--growing]\n\t[--clocks \"S,PPM,WANDER ...\"] DIR\n");
	return (64);
}

int
main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "lossy", 0, NULL, 'l' },
		{ "growing", 0, NULL, 'g' },
		{ "clocks", 1, NULL, 'c' },
		{ NULL, 0, NULL, 0 },
	};
	struct outside o = { 0 };
	uint64_t wrong;
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == 'l')
			o.lossy = true;
		else if (c == 'g')
			o.growing = true;
		else if (c != 'c' || set_clocks(&o, optarg) == -1)
			return (usage());
	}
	if (argc - optind != 1)
		return (usage());
	o.dir = argv[optind];
	if (o.nclocks == 0)
		o.nclocks = 1; /* the true one */
	o.causes = causes_new(o.growing, o.lossy);
	o.lanes = lanes_new(o.growing, o.clocks, o.nclocks);
	if (o.causes == NULL || o.lanes == NULL || look(&o) == -1)
		return (71);
	causes_end(o.causes, o.cut);
	if (!o.growing)
		compare(&o);
	print_times(lanes_times(o.lanes));
	wrong = wrong_sum();
	printf("%" PRIu64 " rows, %" PRIu64 " late, %" PRIu64 " flagged "
	       "orphans, %" PRIu64 " lost%s; %" PRIu64 " wrong\n",
	    o.rows, o.late, o.orphans, o.lost, o.cut ? ", then cut" : "",
	    wrong);
	causes_free(o.causes);
	lanes_free(o.lanes);
	return (wrong == 0 ? 0 : 1);
}
