/*
 * The fault matrix of the reorderer: every fault x number of streams x clocks
 * good and bad, in virtual time, judged by ordercheck.c.  Prints a line for
 * each cell.
 *
 *	orderfault [--messages N] [--jobs N] [--seed N] [--cell TEXT]
 */
#include <sys/wait.h>

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "tests/sim/orderworld.h"

#define RUN_MESSAGES 200000 /* then a new world, with another seed */
#define DELAY_NS     (200 * WORLD_MS)

static uint32_t
any_node(struct world *w)
{
	return ((uint32_t)chance_below(&w->chance, w->nodes));
}

static bool
at(int64_t now_ns, double seconds)
{
	return (now_ns == (int64_t)(seconds * 1000) * WORLD_MS);
}

static bool
every(int64_t now_ns, int64_t ms)
{
	return (now_ns / WORLD_MS % ms == 0);
}

static void
kill_nodes(struct world *w, int64_t now)
{
	if (every(now, 170))
		world_kill(w, any_node(w), 60 * WORLD_MS);
}

static void
stop_collector(struct world *w, int64_t now)
{
	if (!at(now, 1.5))
		return;
	w->node[any_node(w)].still_ns = now + 10 * WORLD_SEC;
	w->faults++;
}

static void
stop_monitord(struct world *w, int64_t now)
{
	if (!at(now, 1.5))
		return;
	w->away_ns = now + 10 * WORLD_SEC;
	w->faults++;
}

static void
half_open(struct world *w, int64_t now)
{
	uint32_t n = any_node(w);

	if (!every(now, 3500))
		return;
	w->node[n].cut_ns = now + 3 * WORLD_SEC;
	world_repeat(w, n, 400);
}

static void
two_sockets(struct world *w, int64_t now)
{
	uint32_t n = any_node(w);

	if (!every(now, 90))
		return;
	/* the later batch is refused for its gap, then both are repeated */
	w->node[n].cut_ns = now + 20 * WORLD_MS;
	world_repeat(w, n, 60);
}

static void
overlap(struct world *w, int64_t now)
{
	if (every(now, 10))
		world_repeat(w, any_node(w), 500);
}

static void
step_clock(struct world *w, int64_t now)
{
	struct world_node *n = &w->node[w->nodes - 1];

	for (int i = 0; i < 4; i++) {
		int64_t by = i % 2 == 0 ? WORLD_SEC : -WORLD_SEC;

		if (at(now, 2 + 3 * i)) {
			n->off_ns += by;
			w->faults++;
		} else if (at(now, 2.3 + 3 * i)) {
			n->off_ns -= by; /* it has been noticed */
		}
	}
}

static void
all_idle(struct world *w, int64_t now)
{
	int64_t phase = now / WORLD_MS % 4000;

	if (phase == 1000) {
		w->idle = true;
		for (uint32_t i = 0; i < w->nodes; i++)
			w->node[i].still_ns = now + 2 * WORLD_SEC;
		w->faults++;
	} else if (phase == 3010) {
		w->idle = false;
	}
}

static void
come_and_go(struct world *w, int64_t now)
{
	(void)now;
	world_reopen(w, (uint32_t)chance_below(&w->chance, w->streams));
	w->faults++;
}

/* With good clocks: strict, there is no orphan; timely, nothing is late. */
static const struct fault {
	const char *name;
	world_fault *each_ms;
	double lose_send, never_sent, future, twice;
	bool lopsided, strict, timely;
	int64_t delay_ns; /* more than DELAY_NS */
} faults[] = {
	{ "none", .strict = true, .timely = true },
	{ "kill of a node in a batch", .each_ms = kill_nodes },
	{ "collector stopped 10 s", .each_ms = stop_collector },
	{ "monitord stopped 10 s", .each_ms = stop_monitord, .strict = true,
	    .timely = true },
	{ "half-open link", .each_ms = half_open },
	{ "batches twice", .twice = 0.05, .strict = true, .timely = true },
	{ "two sockets swapped", .each_ms = two_sockets, .strict = true,
	    .timely = true },
	{ "sends lost", .lose_send = 0.02, .timely = true },
	{ "receives of nothing", .never_sent = 0.1, .timely = true },
	{ "clock steps 1 s", .each_ms = step_clock, .delay_ns = 2 * WORLD_SEC },
	{ "times of the future", .future = 0.001, .timely = true },
	{ "one stream nearly silent", .lopsided = true, .strict = true,
	    .timely = true },
	{ "all idle", .each_ms = all_idle },
	{ "1000 streams/s come and go", .each_ms = come_and_go, .strict = true,
	    .timely = true },
	{ "reconnect with overlap", .each_ms = overlap, .strict = true,
	    .timely = true },
};
#define FAULTS (sizeof(faults) / sizeof(faults[0]))
#define SIZES  3
#define CELLS  (FAULTS * SIZES * 2)

static const uint32_t sizes[SIZES] = { 4, 64, 1024 };

struct tally {
	uint64_t messages, events, faults, late, orphans, gone;
	uint64_t violations, unaccounted, failed_cells;
	int64_t slowest_ns;
};

static void
tally_add(struct tally *t, const struct tally *x)
{
	t->messages += x->messages;
	t->events += x->events;
	t->faults += x->faults;
	t->late += x->late;
	t->orphans += x->orphans;
	t->gone += x->gone;
	t->violations += x->violations;
	t->unaccounted += x->unaccounted;
	t->failed_cells += x->failed_cells;
	if (x->slowest_ns > t->slowest_ns)
		t->slowest_ns = x->slowest_ns;
}

static void
complain(const struct world *w, uint64_t seed)
{
	const struct ordercheck *k = &w->check;

	for (int i = 0; i < ORDER_RULES; i++) {
		if (k->broken[i] > 0)
			printf("  seed %" PRIu64 ": %s broken %" PRIu64
			       " times\n",
			    seed, order_rule_name[i], k->broken[i]);
	}
	printf("  first: %s by stream %u, event %" PRIu64 " (%s %" PRIu64
	       ") at %" PRId64 " ns, shift %u, flags %x\n",
	    order_rule_name[k->first_rule], k->first.location, k->first.seq,
	    k->first.kind == 0 ? "-" : event_table[k->first.kind].name,
	    k->first.a, k->first.t_mon_ns, k->first.shift_ns, k->first.flags);
}

static void
run_once(const struct fault *f, uint32_t streams, bool bad, uint64_t seed,
    uint64_t messages, struct tally *t)
{
	struct world w;

	if (world_init(&w, seed, streams, messages, bad) == -1)
		exit(EX_OSERR);
	w.lose_send = f->lose_send;
	w.never_sent = f->never_sent;
	w.future = f->future;
	w.twice = f->twice;
	w.lopsided = f->lopsided;
	w.check.strict = f->strict && !bad;
	w.check.timely = f->timely && !bad;
	w.check.delay_max_ns = f->delay_ns > 0 ? f->delay_ns : DELAY_NS;
	world_run(&w, f->each_ms);
	tally_add(t,
	    &(struct tally){ w.check.received, w.check.out, w.faults,
		w.check.late, w.check.orphans, w.gone,
		ordercheck_broken(&w.check),
		w.check.in > w.check.out ? w.check.in - w.check.out : 0, 0,
		w.check.slowest_ns });
	if (ordercheck_broken(&w.check) > 0)
		complain(&w, seed);
	world_clear(&w);
}

static void
run_cell(size_t cell, uint64_t seed, uint64_t messages, struct tally *total)
{
	const struct fault *f = &faults[cell / (SIZES * 2)];
	uint32_t streams = sizes[cell / 2 % SIZES];
	bool bad = cell % 2 == 1;
	struct tally t = { 0 };

	while (t.messages < messages) {
		uint64_t n = messages - t.messages;

		run_once(f, streams, bad, seed * 1000003 + cell,
		    n < RUN_MESSAGES ? n + n / 50 + 100 : RUN_MESSAGES, &t);
		seed++;
	}
	t.failed_cells = t.violations > 0 || t.unaccounted > 0;
	printf("%-28s %5u %-4s messages=%" PRIu64 " events=%" PRIu64
	       " faults=%" PRIu64 " late=%" PRIu64 " orphans=%" PRIu64
	       " slowest_ms=%.1f violations=%" PRIu64 " unaccounted=%" PRIu64
	       "\n",
	    f->name, streams, bad ? "bad" : "good", t.messages, t.events,
	    t.faults, t.late, t.orphans, (double)t.slowest_ns / 1e6,
	    t.violations, t.unaccounted);
	fflush(stdout);
	tally_add(total, &t);
}

struct plan {
	uint64_t messages, seed;
	unsigned jobs;
	const char *cell; /* only those whose fault has this in its name */
};

/* One of the processes: every jobs-th cell. */
static void
run_share(const struct plan *p, unsigned share, size_t cells, int out)
{
	struct tally total = { 0 };
	size_t k = 0;

	for (size_t i = 0; i < CELLS; i++) {
		const char *name = faults[i / (SIZES * 2)].name;

		if (p->cell != NULL && strstr(name, p->cell) == NULL)
			continue;
		if (k++ % p->jobs == share)
			run_cell(i, p->seed, p->messages / cells + 1, &total);
	}
	if (write(out, &total, sizeof(total)) != sizeof(total))
		_exit(EX_OSERR);
}

static int
run_all(const struct plan *p)
{
	struct tally total = { 0 }, part;
	size_t cells = 0;
	int pair[2], status, lost = 0;

	for (size_t i = 0; i < CELLS; i++)
		cells += p->cell == NULL ||
			 strstr(faults[i / (SIZES * 2)].name, p->cell) != NULL;
	if (cells == 0 || pipe(pair) == -1)
		return (EX_USAGE);
	for (unsigned i = 0; i < p->jobs; i++) {
		if (fork() != 0)
			continue;
		run_share(p, i, cells, pair[1]);
		exit(0);
	}
	for (unsigned i = 0; i < p->jobs; i++) {
		wait(&status);
		lost += status != 0;
	}
	for (unsigned i = (unsigned)lost; i < p->jobs; i++)
		if (read(pair[0], &part, sizeof(part)) == sizeof(part))
			tally_add(&total, &part);
	printf("cells=%zu messages=%" PRIu64 " events=%" PRIu64
	       " faults=%" PRIu64 " violations=%" PRIu64 " unaccounted=%" PRIu64
	       "\n",
	    cells, total.messages, total.events, total.faults, total.violations,
	    total.unaccounted);
	if (lost > 0)
		fprintf(stderr, "orderfault: %d processes have died\n", lost);
	return (lost > 0 || total.failed_cells > 0 ? EXIT_FAILURE : 0);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "messages", required_argument, NULL, 'm' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "seed", required_argument, NULL, 's' },
		{ "cell", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct plan p = { 1000000, 1, 1, NULL };
	int o;

	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (o) {
		case 'm':
			p.messages = (uint64_t)strtod(optarg, NULL);
			break;
		case 'j':
			p.jobs = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 's':
			p.seed = strtoull(optarg, NULL, 10);
			break;
		case 'c':
			p.cell = optarg;
			break;
		default:
			fprintf(o == 'h' ? stdout : stderr,
			    "usage: orderfault [--messages N] [--jobs N] "
			    "[--seed N] [--cell TEXT]\n");
			return (o == 'h' ? 0 : EX_USAGE);
		}
	}
	if (p.jobs == 0 || p.jobs > 64 || optind < argc)
		return (EX_USAGE);
	return (run_all(&p));
}
