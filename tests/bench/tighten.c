/*
 * bench: what messages add to pings.  First clocks whose pings are wrong by a
 * fixed, normal error; then the real clock synchronisation on the paths of
 * the model.  Prints lines of bench.tsv; with --seconds N the second part is
 * longer.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock/tighten.h"
#include "monitord/clock/clocksync.h"
#include "tests/bench/bench.h"
#include "tests/sim/pinged.h"

#define US      1e3
#define MS      1000000
#define SEC     ((int64_t)1000000000)
#define WARM_NS (20 * SEC)

enum graph {
	HALO,
	STAR,
	ALL
};
static const char *const graph_name[] = { "halo", "star", "all to all" };

struct edge {
	uint32_t a, b;
	double base_us[2]; /* of each way */
};

struct world {
	size_t n, nedges;
	struct edge *edges;
	struct chance chance;
};

/* What is measured, before and after. */
struct errors {
	double *pair, *own;
	size_t npair, nown, cap;
	uint64_t messages, reversed, outside;
};

static void
figure(const char *what, const char *of, double value, const char *unit,
    const char *reference, double other)
{
	char name[160];

	snprintf(name, sizeof(name), "tighten %s, %s", what, of);
	line_digits(4, name, value, unit, reference, other);
}

/* --- who talks to whom --- */

static void
edge_add(struct world *w, size_t a, size_t b)
{
	struct edge *e = &w->edges[w->nedges++];

	e->a = (uint32_t)a;
	e->b = (uint32_t)b;
	for (int k = 0; k < 2; k++)
		e->base_us[k] = 2 * (0.8 + 0.4 * chance_unit(&w->chance));
}

static void
world_make(struct world *w, size_t n, enum graph g, uint64_t seed)
{
	size_t side = (size_t)sqrt((double)n);

	*w = (struct world){ .n = n, .chance = { seed } };
	w->edges = need(g == ALL ? n * n / 2 : n * 2, sizeof(*w->edges));
	for (size_t i = 0; i < n; i++) {
		size_t x = i % side, y = i / side;

		if (g == HALO) {
			edge_add(w, i, y * side + (x + 1) % side);
			edge_add(w, i, (y + 1) % side * side + x);
		} else if (g == STAR && i > 0) {
			edge_add(w, 0, i);
		} else if (g == ALL) {
			for (size_t k = 0; k < i; k++)
				edge_add(w, i, k);
		}
	}
}

static double
message_us(struct world *w, const struct edge *e, int way)
{
	return (e->base_us[way] + chance_exp(&w->chance, 3));
}

static void
keep(double **v, size_t *n, double x, size_t limit)
{
	if (*v == NULL)
		*v = need(limit, sizeof(**v));
	if (*n < limit)
		(*v)[(*n)++] = fabs(x) / US;
}

#define KEPT 2000000

static void
report(const char *of, struct errors *was, struct errors *is)
{
	double p[2];

	figure("reversed messages", of,
	    100.0 * (double)is->reversed / (double)(is->messages + 1), "%",
	    "without",
	    100.0 * (double)was->reversed / (double)(was->messages + 1));
	for (int k = 0; k < 2; k++)
		p[k] = percentile(was->pair, was->npair, k == 0 ? 0.5 : 0.99);
	figure("pair error p50", of, percentile(is->pair, is->npair, 0.5), "us",
	    "without", p[0]);
	figure("pair error p99", of, percentile(is->pair, is->npair, 0.99),
	    "us", "without", p[1]);
	figure("pair error p99", of, percentile(is->pair, is->npair, 0.99),
	    "us", "goal", 1);
	for (int k = 0; k < 2; k++)
		p[k] = percentile(was->own, was->nown, k == 0 ? 0.5 : 0.99);
	figure("own error p50", of, percentile(is->own, is->nown, 0.5), "us",
	    "without", p[0]);
	figure("own error p99", of, percentile(is->own, is->nown, 0.99), "us",
	    "without", p[1]);
	free(was->pair);
	free(was->own);
	free(is->pair);
	free(is->own);
}

/* --- fixed errors of the pings --- */

static void
fixed_windows(struct world *w, struct tighten *t, const double *e,
    unsigned per_s, unsigned seconds)
{
	struct clockmap *maps = need(w->n, sizeof(*maps));
	struct clock_line *lines = need(w->n, sizeof(*lines));

	for (uint32_t i = 0; i < w->n; i++) {
		struct clock_segment seg = { .base_mon_ns = llround(e[i]),
			.state = CLOCK_LOCKED };

		clockmap_add(&maps[i], &seg);
		lines[i] = (struct clock_line){ .offset_ns = llround(e[i]),
			.gap_ns = 30 * US };
		tighten_node(t, i, &lines[i], 3e-9, 0, &maps[i]);
	}
	for (unsigned s = 0; s < seconds; s++) {
		for (size_t k = 0; k < w->nedges * per_s * 2; k++) {
			const struct edge *g = &w->edges[k / 2 / per_s];
			uint32_t from = k % 2 == 0 ? g->a : g->b;
			uint32_t to = k % 2 == 0 ? g->b : g->a;
			double at = ((double)s + chance_unit(&w->chance)) * 1e9;

			tighten_message(t, from, to, llround(at + e[from]),
			    llround(at + e[to] +
				    message_us(w, g, k % 2 == 1) * US));
		}
		for (uint32_t i = 0; i < w->n; i++)
			tighten_node(t, i, &lines[i], 3e-9, 0, &maps[i]);
		tighten_solve(t, (s + 1) * SEC);
	}
	for (size_t i = 0; i < w->n; i++)
		clockmap_clear(&maps[i]);
	free(maps);
	free(lines);
}

static void
fixed_measure(struct world *w, const double *e, struct errors *r)
{
	for (size_t i = 0; i < w->n; i++)
		keep(&r->own, &r->nown, e[i], KEPT);
	for (size_t k = 0; k < w->nedges; k++) {
		const struct edge *g = &w->edges[k];
		double d = e[g->b] - e[g->a];

		keep(&r->pair, &r->npair, d, KEPT);
		for (int m = 0; m < 2000; m++) {
			double took = message_us(w, g, m % 2) * US;

			r->messages++;
			r->reversed += took + (m % 2 == 0 ? d : -d) < 0;
		}
	}
}

static void
bench_fixed(size_t n, enum graph g, unsigned per_s, double sigma_us)
{
	struct tighten *t = tighten_new();
	struct errors was = { 0 }, is = { 0 };
	struct tighten_says says;
	double *e = need(n, sizeof(*e));
	struct world w;
	char of[96];

	world_make(&w, n, g, 7 + n);
	for (size_t i = 0; i < n; i++)
		e[i] =
		    fmin(fmax(sigma_us * chance_normal(&w.chance), -15), 15) *
		    US;
	fixed_measure(&w, e, &was);
	fixed_windows(&w, t, e, per_s, 5);
	for (uint32_t i = 0; i < n; i++) {
		if (tighten_says(t, i, &says))
			e[i] = (double)(clock_line_mon(&says.aim, 5 * SEC) -
					5 * SEC);
	}
	fixed_measure(&w, e, &is);
	snprintf(of, sizeof(of), "fixed %.0f us, %zu nodes, %s, %u/s", sigma_us,
	    n, graph_name[g], per_s);
	report(of, &was, &is);
	tighten_free(t);
	free(w.edges);
	free(e);
}

/* --- the real thing --- */

static double
real_error(struct pinged *r, int64_t at, bool *outside)
{
	int64_t node = clock_model_node(&r->clock, at);
	int64_t e = clocksync_mon(r->sync, node) - at;

	*outside = llabs(e) > clocksync_error(r->sync, node);
	return ((double)e);
}

static void
real_messages(struct world *w, struct pinged *nodes, struct tighten *t,
    int64_t at, int64_t step, unsigned per_s, struct errors *r)
{
	double expect = (double)per_s * (double)step / 1e9;

	for (size_t k = 0; k < w->nedges * 2; k++) {
		const struct edge *g = &w->edges[k / 2];
		uint32_t from = k % 2 == 0 ? g->a : g->b;
		uint32_t to = k % 2 == 0 ? g->b : g->a;
		int64_t sent, taken, ms, mt;

		if (!chance_is(&w->chance, expect))
			continue;
		sent = at + (int64_t)chance_below(&w->chance, (uint64_t)step);
		taken = sent + llround(message_us(w, g, k % 2) * US);
		ms = clocksync_mon(nodes[from].sync,
		    clock_model_node(&nodes[from].clock, sent));
		mt = clocksync_mon(nodes[to].sync,
		    clock_model_node(&nodes[to].clock, taken));
		if (t != NULL)
			tighten_message(t, from, to, ms, mt);
		if (at < WARM_NS)
			continue;
		r->messages++;
		r->reversed += mt < ms;
	}
}

static double solve_s, solves;

static void
real_solve(struct world *w, struct pinged *nodes, struct tighten *t, int64_t at)
{
	struct clock_line line_of;
	struct tighten_says says;
	uint32_t epoch;
	double beta, off_ns, turn, began = cpu_s();

	for (uint32_t i = 0; i < w->n; i++) {
		if (!clocksync_line(nodes[i].sync, &line_of, &beta, &epoch))
			continue;
		tighten_node(t, i, &line_of, beta, epoch,
		    clocksync_map(nodes[i].sync));
		clocksync_proof(nodes[i].sync, at, &off_ns, &turn);
		tighten_doubt(t, i, off_ns, turn);
	}
	tighten_solve(t, at);
	solve_s += cpu_s() - began;
	solves++;
	for (uint32_t i = 0; i < w->n; i++) {
		if (tighten_says(t, i, &says))
			clocksync_tighten(nodes[i].sync, &says.aim,
			    says.error_ns, at);
	}
}

static void
real_run(size_t n, enum graph g, unsigned per_s, const struct scenario *sc,
    int seconds, bool tight, struct errors *r)
{
	struct tighten *t = tight ? tighten_new() : NULL;
	struct pinged *nodes = need(n, sizeof(*nodes));
	const int64_t step = 5 * MS;
	struct world w;
	double *e = need(n, sizeof(*e));
	bool outside;

	world_make(&w, n, g, 11 + n);
	for (size_t i = 0; i < n; i++) {
		if (pinged_start(&nodes[i], sc, &w.chance, NULL, NULL) == -1)
			err(EX_OSERR, NULL);
	}
	for (int64_t at = 0; at < seconds * SEC; at += step) {
		for (size_t i = 0; i < n; i++)
			pinged_run(&nodes[i], at);
		if (at > SEC)
			real_messages(&w, nodes, t, at, step, per_s, r);
		if (tight && at % tighten_period_ns(t) == 0)
			real_solve(&w, nodes, t, at + step);
		if (at < WARM_NS || at % (50 * MS) != 0)
			continue;
		for (size_t i = 0; i < n; i++) {
			e[i] = real_error(&nodes[i], at, &outside);
			keep(&r->own, &r->nown, e[i], KEPT);
			r->outside += outside;
		}
		for (size_t k = 0; k < w.nedges; k++)
			keep(&r->pair, &r->npair,
			    e[w.edges[k].b] - e[w.edges[k].a], KEPT);
	}
	for (size_t i = 0; i < n; i++)
		pinged_stop(&nodes[i]);
	tighten_free(t);
	free(nodes);
	free(e);
	free(w.edges);
}

static void
bench_real(size_t n, enum graph g, unsigned per_s, const struct scenario *sc,
    int seconds)
{
	struct errors was = { 0 }, is = { 0 };
	char of[96];

	snprintf(of, sizeof(of), "%s, %zu nodes, %s, %u/s", sc->name, n,
	    graph_name[g], per_s);
	real_run(n, g, per_s, sc, seconds, false, &was);
	real_run(n, g, per_s, sc, seconds, true, &is);
	figure("outside the bound", of,
	    100.0 * (double)is.outside / (double)is.nown, "%", "without",
	    100.0 * (double)was.outside / (double)was.nown);
	report(of, &was, &is);
}

/* --- cost --- */

static void
bench_cost(size_t n, enum graph g)
{
	struct tighten *t = tighten_new();
	struct tighten_stats st;
	struct world w;
	double *e = need(n, sizeof(*e)), began, message_s = 0;
	char of[96];

	world_make(&w, n, g, 5);
	for (size_t i = 0; i < n; i++)
		e[i] = 3 * US * chance_normal(&w.chance);
	fixed_windows(&w, t, e, 1, 3);
	began = cpu_s();
	for (int r = 0; r < 4; r++) {
		for (size_t k = 0; k < w.nedges; k++)
			tighten_message(t, w.edges[k].a, w.edges[k].b,
			    3 * SEC + (int64_t)k, 3 * SEC + (int64_t)k + 5000);
	}
	message_s = cpu_s() - began;
	began = cpu_s();
	fixed_windows(&w, t, e, 0, 16);
	tighten_stats(t, &st);
	snprintf(of, sizeof(of), "%zu nodes, %s, %zu pairs kept", n,
	    graph_name[g], st.pairs);
	figure("a solve", of, (cpu_s() - began) / 16 * 1e3, "ms", "a second",
	    1000);
	figure("a message", of, message_s / (4.0 * (double)w.nedges) * 1e9,
	    "ns", "an event at 10 M/s", 100);
	tighten_free(t);
	free(w.edges);
	free(e);
}

int
main(int argc, char **argv)
{
	int seconds = 60;

	if (argc == 3 && strcmp(argv[1], "--seconds") == 0)
		seconds = atoi(argv[2]);
	bench_fixed(64, HALO, 100, 3);
	bench_fixed(64, HALO, 10, 3);
	bench_fixed(64, STAR, 100, 3);
	bench_fixed(1024, HALO, 30, 3);
	bench_fixed(1024, STAR, 10, 3);
	for (size_t i = 0; i < 4; i++)
		bench_real(64, HALO, 30, &scenarios[i], seconds);
	bench_real(64, STAR, 10, &scenarios[1], seconds);
	bench_real(64, HALO, 100, &scenarios[3], seconds);
	bench_cost(1024, HALO);
	bench_cost(4096, HALO);
	bench_cost(4096, STAR);
	bench_cost(2048, ALL);
	return (0);
}
