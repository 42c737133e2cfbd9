/*
 * bench: what a refit makes of the clocks, against the truth: the same pings
 * on line and afterwards, without and with messages.  Prints lines of
 * bench.tsv; --seconds N for longer runs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitord/clocksync.h"
#include "tests/sim/model.h"
#include "tools/refit_clock.h"
#include "tools/refit_talk.h"

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
	struct clock_model clock;
	struct path_model there, back;
	struct clocksync *sync;
	struct refit_clock refit;
	struct sample *samples;
	size_t nsamples;
	int64_t now;
};

struct message {
	int64_t sent_node_ns, taken_node_ns;
	uint32_t from, to;
};

static void *
need(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (p == NULL)
		exit(71);
	return (p);
}

static void
segment_cb(void *arg, const struct clock_segment *s, int64_t step_ns)
{
	struct node *n = arg;
	const struct clock_burst *b = clocksync_burst_of_segment(n->sync);
	struct msg_segment m = { .epoch = s->epoch,
		.base_node_ns = s->base_node_ns,
		.base_mon_ns = s->base_mon_ns,
		.skew_q40 = s->skew_q40,
		.error_ns = s->error_ns,
		.state = (uint8_t)s->state };

	(void)step_ns;
	if (b != NULL) {
		m.burst = 1;
		m.low_node_ns = b->low_node_ns;
		m.low_ns = b->low_ns;
		m.high_node_ns = b->high_node_ns;
		m.high_ns = b->high_ns;
	}
	if (refit_clock_add(&n->refit, &m) == -1)
		exit(71);
}

static void
node_pings(struct node *r, int64_t until)
{
	while (clocksync_due(r->sync) < until && r->now < until) {
		int64_t due = clocksync_due(r->sync), t1, t2, t3, t4;
		uint32_t seq;

		t1 = due > r->now ? due : r->now;
		seq = clocksync_ping(r->sync, t1);
		r->now = t1 + path_model_delay(&r->there, t1);
		t2 = clock_model_node(&r->clock, r->now);
		r->now += 3000;
		t3 = clock_model_node(&r->clock, r->now);
		t4 = r->now = r->now + path_model_delay(&r->back, r->now);
		clocksync_pong(r->sync, seq, t1, t2, t3, t4);
	}
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
		m->sent_node_ns = clock_model_node(&w->nodes[from].clock, sent);
		m->taken_node_ns = clock_model_node(&w->nodes[to].clock, taken);
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

		clock_model_init(&n->clock, &sc->clock, &w->chance);
		path_model_init(&n->there, &sc->path, &w->chance);
		path_model_init(&n->back, &sc->path, &w->chance);
		n->samples = need((size_t)seconds * (size_t)(SEC / EVERY) + 1,
		    sizeof(*n->samples));
		n->sync = clocksync_new(chance_next(&w->chance), segment_cb, n);
		clocksync_connected(n->sync, 0);
	}
	for (int64_t at = 0; at < seconds * SEC; at += step) {
		for (size_t i = 0; i < NODES; i++) {
			struct node *n = &w->nodes[i];
			int64_t node;

			node_pings(n, at);
			if (at % EVERY != 0 || at < WARM_NS)
				continue;
			node = clock_model_node(&n->clock, at);
			n->samples[n->nsamples++] = (struct sample){ at, node,
				clocksync_mon(n->sync, node) };
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
			exit(71);
	}
	if (refit_talk_end(t) == -1)
		exit(71);
	refit_talk_free(t);
	for (size_t i = 0; i < NODES; i++) {
		w->nodes[i].refit = clocks[i];
		if (refit_clock_map(&w->nodes[i].refit) == -1)
			exit(71);
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
			exit(71);
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
		clocksync_free(w->nodes[i].sync);
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
