/*
 * bench: clocks in virtual time.  Every scenario of the simulator, with our
 * synchronisation and other methods on the same pings of the same run; the
 * cost of a fit, of a node and of many.  Prints lines of bench.tsv.
 *
 *	clock [--nodes N] [--seconds N]
 */
#include <err.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "common/clock/clockfit.h"
#include "message.h"
#include "tests/bench/bench.h"
#include "tests/bench/clock_peers.h"
#include "tests/sim/clockbed.h"

#define MS   ((int64_t)1000000)
#define SEC  ((int64_t)1000000000)
#define WARM (60 * SEC)

#define SAMPLE_EVERY (50 * MS)
#define BURST_GAP_S  0.003 /* a longer pause, and another burst begins */
#define FRAME_HEAD   16    /* of ours */
#define WIRE_HEAD    66    /* Ethernet, IP, TCP with time stamps */
#define GOAL_FIT_US  5.0
#define GOAL_BYTES   2000.0
#define GOAL_CORE    0.25
#define COMPARED     6 /* A to F */
#define MANY         4096
#define MANY_EVERY_S 4

/* --- one node, everything about it kept --- */

struct sample {
	int64_t true_ns, node_ns;
	double ours_us;
	size_t seen; /* probes before it */
};

struct node_run {
	struct peer_run run;
	struct sample *sample;
	size_t samples, probes_cap, samples_cap;
	int64_t node0_ns, offset0_ns;
};

static void
probe_cb(void *arg, int64_t t1, int64_t t2, int64_t t3, int64_t t4)
{
	struct node_run *r = arg;
	struct peer_probe *p = &r->run.probe[r->run.n];

	if (r->run.n == r->probes_cap)
		return;
	if (r->run.n == 0) {
		r->node0_ns = t2;
		r->offset0_ns = t1 - t2;
	}
	*p = (struct peer_probe){
		.t1_mon_ns = t1,
		.t2_node_ns = t2,
		.t3_node_ns = t3,
		.t4_mon_ns = t4,
		.node_s =
		    ((double)(t2 - r->node0_ns) + (double)(t3 - t2) / 2) / 1e9,
		.offset_ns = ((double)(t1 - t2 - r->offset0_ns) +
				 (double)(t4 - t3 - r->offset0_ns)) /
			     2,
		.delay_ns = (double)((t4 - t1) - (t3 - t2)),
	};
	if (r->run.n > 0 && p->node_s - p[-1].node_s < BURST_GAP_S)
		p->in_burst = p[-1].in_burst + 1;
	r->run.n++;
}

static void
look_cb(void *arg, int64_t t, int64_t node, int64_t mon, int64_t error)
{
	struct node_run *r = arg;

	(void)error;
	if (t < WARM || r->samples == r->samples_cap)
		return;
	r->sample[r->samples++] =
	    (struct sample){ t, node, fabs((double)(mon - t)) / 1e3, r->run.n };
}

/* --- all of a scenario --- */

struct errors {
	double *us[CLOCK_PEERS + 1]; /* ours last */
	size_t n;
};

static void
peers_add(struct errors *e, struct node_run *r, size_t at)
{
	for (size_t k = 0; k < CLOCK_PEERS; k++) {
		r->run.fitted = 0;
		for (size_t i = 0; i < r->samples; i++) {
			const struct sample *s = &r->sample[i];
			double node_s =
			    (double)(s->node_ns - r->node0_ns) / 1e9;
			double offset =
			    clock_peers[k].offset(&r->run, s->seen, node_s);
			double is =
			    (double)(s->true_ns - s->node_ns - r->offset0_ns);

			e->us[k][at + i] = fabs(offset - is) / 1e3;
		}
	}
	for (size_t i = 0; i < r->samples; i++)
		e->us[CLOCK_PEERS][at + i] = r->sample[i].ours_us;
}

static void
scenario_lines(const struct scenario *sc, struct errors *e)
{
	static const struct {
		const char *name;
		double share;
	} what[] = { { "p50", 0.5 }, { "p99", 0.99 }, { "p999", 0.999 },
		{ "max", 1 } };
	char name[64];

	for (size_t w = 0; w < sizeof(what) / sizeof(what[0]); w++) {
		double ours =
		    percentile(e->us[CLOCK_PEERS], e->n, what[w].share);

		snprintf(name, sizeof(name), "clock_%c_%s_us", sc->name[0],
		    what[w].name);
		if (what[w].share == 0.99 && sc->p99_us > 0)
			line(name, ours, "us", "goal", sc->p99_us);
		for (size_t k = 0; k < CLOCK_PEERS; k++)
			line(name, ours, "us", clock_peers[k].name,
			    percentile(e->us[k], e->n, what[w].share));
	}
}

static void
bench_scenario(const struct scenario *sc, size_t nodes, int64_t run_ns)
{
	size_t each = (size_t)((run_ns - WARM) / SAMPLE_EVERY) + 2;
	struct chance c = { (uint64_t)sc->name[0] };
	struct node_run r = { .samples_cap = each,
		.probes_cap = (size_t)(run_ns / SEC) * 40 + 4000 };
	struct errors e = { .n = 0 };
	uint64_t probes = 0;
	char name[64];

	r.sample = need(r.samples_cap, sizeof(*r.sample));
	r.run.probe = need(r.probes_cap, sizeof(*r.run.probe));
	for (size_t k = 0; k <= CLOCK_PEERS; k++)
		e.us[k] = need(nodes * each, sizeof(double));
	for (size_t i = 0; i < nodes; i++) {
		struct clocksync_stats early, st;
		struct clockbed b;

		if (clockbed_start(&b, sc, &c, NULL, NULL) == -1)
			err(EX_OSERR, NULL);
		r.run.n = r.samples = 0;
		b.arg = &r;
		b.look = look_cb;
		b.probe = probe_cb;
		b.sample_every_ns = SAMPLE_EVERY;
		clockbed_run(&b, WARM);
		clocksync_stats(b.sync, 0, &early);
		clockbed_run(&b, run_ns);
		clocksync_stats(b.sync, 0, &st);
		clockbed_stop(&b);
		probes += st.pings - early.pings;
		peers_add(&e, &r, e.n);
		e.n += r.samples;
	}
	scenario_lines(sc, &e);
	snprintf(name, sizeof(name), "clock_%c_bytes_per_s", sc->name[0]);
	line(name,
	    (double)probes / (double)nodes / ((double)(run_ns - WARM) / 1e9) *
		(double)(2 * (WIRE_HEAD + FRAME_HEAD) +
			 msg_size(MSG_ping, &(struct msg_ping){ 0 }) +
			 msg_size(MSG_pong, &(struct msg_pong){ 0 })),
	    "B/s", "goal, with all headers", GOAL_BYTES);
	for (size_t k = 0; k <= CLOCK_PEERS; k++)
		free(e.us[k]);
	free(r.run.probe);
	free(r.sample);
}

/* --- cost --- */

static double
bench_fit(void)
{
	struct clock_burst ring[CLOCKFIT_BURSTS];
	struct chance c = { 3 };
	struct clock_line got;
	double began, took, sum = 0;

	for (int i = 0; i < CLOCKFIT_BURSTS; i++) {
		int64_t at = i * SEC;

		clock_burst_add(&ring[i],
		    at - 30000 - (int64_t)chance_exp(&c, 20000), at, at,
		    at + 30000 + (int64_t)chance_exp(&c, 20000), 1);
	}
	began = cpu_s();
	for (int i = 0; i < 20000; i++) {
		ring[i % CLOCKFIT_BURSTS].low_ns -= i % 7;
		clockfit(ring, CLOCKFIT_BURSTS, CLOCKFIT_BURSTS * SEC, 1e-8, 0,
		    CLOCKFIT_SKEW, 0, &got);
		sum += got.gap_ns;
	}
	took = (cpu_s() - began) / 20000 * 1e6;
	line("clock_fit_us", took, "us", "goal", GOAL_FIT_US);
	return (sum);
}

/* All that a burst costs: reduction, fits on the ladder, the map. */
static void
bench_burst(void)
{
	struct scenario calm = scenarios[2];
	struct chance c = { 4 };
	struct clocksync_stats a, b;
	struct clocksync *s = clocksync_new(1, NULL, NULL);
	struct path_model path;
	int64_t now = 0;
	double began, took;

	if (s == NULL)
		err(EX_OSERR, NULL);
	path_model_init(&path, &calm.path, &c);
	clocksync_connected(s, 0);
	for (int round = 0; round < 2; round++) {
		int64_t until = (round + 1) * 300 * SEC;

		clocksync_stats(s, 0, &a);
		took = 0;
		while (now < until) {
			int64_t t1 = clocksync_due(s), t2, t4;
			uint32_t seq = clocksync_ping(s, t1);

			if (t1 < now)
				t1 = now;
			t2 = t1 + path_model_delay(&path, t1);
			now = t4 = t2 + path_model_delay(&path, t2);
			began = cpu_s();
			clocksync_pong(s, seq, t1, t2, t2, t4);
			took += cpu_s() - began;
		}
	}
	began = cpu_s();
	for (int i = 0; i < 10000; i++)
		(void)cpu_s();
	began = (cpu_s() - began) / 10000; /* of the reading itself */
	clocksync_stats(s, 0, &b);
	took -= began * (double)(b.pongs - a.pongs);
	took = took / (double)(b.fits - a.fits);
	line("clock_burst_us", took * 1e6, "us",
	    "goal of one fit (this is all of a burst)", GOAL_FIT_US);
	line("clock_4096_nodes_core", took * MANY / MANY_EVERY_S, "cores",
	    "goal, with the network", GOAL_CORE);
	clocksync_free(s);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "nodes", required_argument, NULL, 'n' },
		{ "seconds", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	size_t nodes = 16;
	int64_t run_s = 400;
	int o;

	while ((o = getopt_long(argc, argv, "n:s:h", options, NULL)) != -1) {
		if (o == 'n') {
			nodes = strtoul(optarg, NULL, 10);
		} else if (o == 's') {
			run_s = strtol(optarg, NULL, 10);
		} else {
			fprintf(o == 'h' ? stdout : stderr,
			    "usage: clock [--nodes N] [--seconds N]\n");
			return (o == 'h' ? 0 : EX_USAGE);
		}
	}
	if (nodes < 1 || run_s < 90)
		errx(EX_USAGE, "at least 1 node and 90 seconds");
	for (size_t i = 0; i < COMPARED; i++)
		bench_scenario(&scenarios[i], nodes, run_s * SEC);
	if (bench_fit() == 0)
		return (EX_SOFTWARE);
	bench_burst();
	return (0);
}
