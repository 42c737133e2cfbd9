/*
 * bench: what a refit makes of the clocks, against the truth: the same pings
 * on line and afterwards, without and with messages.  Prints lines of
 * bench.tsv; --seconds N for longer runs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitord/clock/clocksync.h"
#include "tests/bench/bench.h"
#include "tests/sim/pinged.h"
#include "tools/refit/refit_clock.h"
#include "tools/refit/refit_talk.h"

#define MS      1000000
#define SEC     ((int64_t)1000000000)
#define NODES   16
#define EVERY   (50 * MS)
#define WARM_NS (10 * SEC)
#define PER_S   30

struct sample {
	int64_t true_ns, node_ns, mon_ns;
};

struct node {
	struct pinged pinged;
	struct refit_clock refit;
	struct sample *samples;
	size_t nsamples;
};

struct message {
	int64_t sent_node_ns, taken_node_ns;
	uint32_t from, to;
};

static void
segment_cb(void *arg, const struct clock_segment *s, int64_t step_ns)
{
	struct node *n = arg;
	struct msg_segment m =
	    pinged_message(s, clocksync_burst_of_segment(n->pinged.sync));

	(void)step_ns;
	if (refit_clock_add(&n->refit, &m) == -1)
		err(EX_OSERR, NULL);
}

struct world {
	struct node nodes[NODES];
	struct message *messages;
	size_t nmessages, cap;
	struct chance chance;
};

static void
talk(struct world *w, int64_t at, int64_t step)
{
	for (uint32_t k = 0; k < NODES * 2; k++) {
		uint32_t from = k / 2, to = (from + 1) % NODES;
		int64_t sent, taken;
		struct message *m;

		if (!chance_is(&w->chance, PER_S * (double)step / 1e9) ||
		    w->nmessages == w->cap)
			continue;
		if (k % 2 == 1) {
			to = from;
			from = (to + 1) % NODES;
		}
		sent = at + (int64_t)chance_below(&w->chance, (uint64_t)step);
		taken = sent + 2000 + (int64_t)chance_exp(&w->chance, 3000);
		m = &w->messages[w->nmessages++];
		m->from = from;
		m->to = to;
		m->sent_node_ns =
		    clock_model_node(&w->nodes[from].pinged.clock, sent);
		m->taken_node_ns =
		    clock_model_node(&w->nodes[to].pinged.clock, taken);
	}
}

static struct world *
world_run(const struct scenario *sc, int seconds)
{
	struct world *w = need(1, sizeof(*w));
	const int64_t step = 5 * MS;

	w->chance.state = 17;
	w->cap = (size_t)seconds * NODES * 2 * PER_S * 11 / 10;
	w->messages = need(w->cap, sizeof(*w->messages));
	for (size_t i = 0; i < NODES; i++) {
		struct node *n = &w->nodes[i];

		n->samples = need((size_t)seconds * (size_t)(SEC / EVERY) + 1,
		    sizeof(*n->samples));
		if (pinged_start(&n->pinged, sc, &w->chance, segment_cb, n) ==
		    -1)
			err(EX_OSERR, NULL);
	}
	for (int64_t at = 0; at < seconds * SEC; at += step) {
		for (size_t i = 0; i < NODES; i++) {
			struct node *n = &w->nodes[i];
			int64_t node;

			pinged_run(&n->pinged, at);
			if (at % EVERY != 0 || at < WARM_NS)
				continue;
			node = clock_model_node(&n->pinged.clock, at);
			n->samples[n->nsamples++] = (struct sample){ at, node,
				clocksync_mon(n->pinged.sync, node) };
		}
		if (at > SEC)
			talk(w, at, step);
	}
	return (w);
}

/* p99 of the error in us; *outside: share of samples beyond the bound, %. */
static double
errors(const struct world *w, bool refit, double *outside)
{
	size_t n = 0, all = w->nodes[0].nsamples * NODES;
	double *v = need(all, sizeof(*v)), p99;

	*outside = 0;
	for (size_t i = 0; i < NODES; i++) {
		const struct node *o = &w->nodes[i];

		for (size_t k = 0; k < o->nsamples; k++) {
			const struct sample *s = &o->samples[k];
			int64_t mon =
			    refit ? clockmap_mon(&o->refit.map, s->node_ns)
				  : s->mon_ns;

			*outside += refit &&
				    llabs(mon - s->true_ns) >
					clockmap_find(&o->refit.map, s->node_ns)
					    ->error_ns;
			v[n++] = fabs((double)(mon - s->true_ns)) / 1e3;
		}
	}
	*outside *= 100 / (double)n;
	p99 = percentile(v, n, 0.99);
	free(v);
	return (p99);
}

static void
with_messages(struct world *w)
{
	struct refit_clock *clocks = need(NODES, sizeof(*clocks));
	struct refit_talk *t;

	for (size_t i = 0; i < NODES; i++)
		clocks[i] = w->nodes[i].refit;
	t = refit_talk_new(clocks, NODES);
	for (size_t k = 0; k < w->nmessages; k++) {
		const struct message *m = &w->messages[k];

		if (refit_talk_message(t, m->from, m->to,
			clockmap_mon(&clocks[m->from].map, m->sent_node_ns),
			clockmap_mon(&clocks[m->to].map, m->taken_node_ns)) ==
		    -1)
			err(EX_OSERR, NULL);
	}
	if (refit_talk_end(t) == -1)
		err(EX_OSERR, NULL);
	refit_talk_free(t);
	for (size_t i = 0; i < NODES; i++) {
		w->nodes[i].refit = clocks[i];
		if (refit_clock_map(&w->nodes[i].refit) == -1)
			err(EX_OSERR, NULL);
	}
	free(clocks);
}

static void
bench(const struct scenario *sc, int seconds)
{
	struct world *w = world_run(sc, seconds);
	double live, outside, p99;

	live = errors(w, false, &outside);
	for (size_t i = 0; i < NODES; i++)
		if (refit_clock_fit(&w->nodes[i].refit) == -1)
			err(EX_OSERR, NULL);
	p99 = errors(w, true, &outside);
	printf("refit clock p99, %s\t%.3g\tus\ton line\t%.3g\t%.3g\n", sc->name,
	    p99, live, p99 / live);
	printf("refit outside the bound, %s\t%.4g\t%%\tgoal\t0.001\t%.3g\n",
	    sc->name, outside, outside / 0.001);
	with_messages(w);
	p99 = errors(w, true, &outside);
	printf("refit clock p99 with messages, %s\t%.3g\tus\ton line, without"
	       "\t%.3g\t%.3g\n",
	    sc->name, p99, live, p99 / live);
	printf("refit outside the bound with messages, %s\t%.4g\t%%\tgoal"
	       "\t0.001\t%.3g\n",
	    sc->name, outside, outside / 0.001);
	fflush(stdout);
	for (size_t i = 0; i < NODES; i++) {
		pinged_stop(&w->nodes[i].pinged);
		refit_clock_clear(&w->nodes[i].refit);
		free(w->nodes[i].samples);
	}
	free(w->messages);
	free(w);
}

int
main(int argc, char **argv)
{
	int seconds = 120;

	if (argc == 3 && strcmp(argv[1], "--seconds") == 0)
		seconds = atoi(argv[2]);
	if (seconds < 20) {
		fputs("usage: refit [--seconds N], at least 20\n", stderr);
		return (64);
	}
	for (size_t i = 0; i < 4; i++)
		bench(&scenarios[i], seconds);
	return (0);
}
