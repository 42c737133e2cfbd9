/*
 * Exact statistics of a range, of 1,024 lanes: with all in memory, and where
 * single changes were given up.
 */
#include "tests/bench/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "model/asked/findcalls.h"
#include "model/detail.h"
#include "model/keep/slowest.h"
#include "model/past/sums.h"

#define GIVEN_UP   1e7              /* events, of which little stays */
#define GIVEN_UP_B (24 * 1048576.0) /* memory for those */

/* All lanes, the best of ten; *wrong: how many are. */
static double
ask(const struct model *m, const struct feed_made *f, uint32_t *wrong)
{
	int64_t by_class[LANE_CLASSES];
	uint64_t spans;
	double best = 1e9, t;

	for (int r = 0; r < 10; r++) {
		*wrong = 0;
		t = clock_ms(CLOCK_MONOTONIC);
		for (uint32_t i = 0; i < 1024; i++) {
			model_lane_totals(m, model_location_lane(m, 1 + i),
			    f->t0, f->t1, by_class, &spans);
			*wrong += by_class[LANE_running] != f->ran[i] ||
				  spans != f->calls[i];
		}
		t = clock_ms(CLOCK_MONOTONIC) - t;
		best = t < best ? t : best;
	}
	return (best);
}

/* Reads what the ends of the range need. */
static void
settle(struct model *m, const struct feed_made *f, const struct buf *blocks)
{
	struct sums *s = sums_new(m, SUMS_LANES, f->t0, f->t1);
	struct detail_plan p;
	struct model *d;

	if (s == NULL)
		exit(EX_OSERR);
	while (sums_plan(s, UINT64_MAX, &p)) {
		d = detail_new(m, &p);
		if (d == NULL || sums_begin(s, d) == -1)
			exit(EX_OSERR);
		for (size_t at = p.from; at < p.until;)
			at = block_feed(d, blocks, at);
		detail_ready(d);
		if (sums_take(s, d) == -1)
			exit(EX_OSERR);
		detail_free(d);
	}
	if (!sums_whole(s))
		exit(EX_SOFTWARE);
	model_set_sums(m, s);
}

/* The slowest 16 of all, as they are asked for: of the run, and of a part. */
static void
ask_slowest(const struct model *m, bool now, const char *what)
{
	struct find_calls *f = find_new();
	uint32_t names = model_names(m) + 1;
	uint8_t *name = malloc(names);
	int64_t first = model_first_ns(m), last = model_last_ns(m);
	struct find_ask ask = { .name = name,
		.nnames = names,
		.kinds = ~0u,
		.most_ns = INT64_MAX,
		.t0 = now ? INT64_MIN / 4 : first + (last - first) / 3,
		.t1 = now ? last + 1 : first + (last - first) / 3 * 2,
		.head_ns = last,
		.now = now,
		.slowest = 16 };
	double t = clock_ms(CLOCK_MONOTONIC);

	if (f == NULL || name == NULL)
		exit(EX_OSERR);
	memset(name, 1, names);
	ask.kinds = 1u << SPAN_call | 1u << SPAN_task | 1u << SPAN_block;
	if (find_begin(f, m, &ask) == -1)
		exit(EX_OSERR);
	while (!find_step(f))
		continue;
	line(what, clock_ms(CLOCK_MONOTONIC) - t, "ms", "goal", 50);
	find_free(f);
	free(name);
}

/* The ceil(n mille / 1000)-th shortest; sorted: they are. */
static double
rank_of(double *ns, size_t n, unsigned mille, bool sorted)
{
	if (!sorted)
		percentile(ns, n, 0);
	return (ns[(n * mille + 999) / 1000 - 1]);
}

/* Percentiles of one function, beside those of its calls one by one. */
static void
ask_percentiles(uint32_t lanes)
{
	static const unsigned mille[] = { 1, 500, 900, 990, 999, 1000 };
	struct feed_made *f = calloc(1, sizeof(*f));
	struct event *e = malloc(BATCH * sizeof(*e));
	size_t most = (size_t)(option.events / 2) + BATCH, n = 0;
	double *ns = malloc(most * sizeof(*ns)), worst = 0, t;
	struct model *m = feed_model(lanes);
	const struct durations *d;
	int64_t told[6];

	if (f == NULL || e == NULL || ns == NULL)
		exit(EX_OSERR);
	f->lanes = lanes;
	f->now = 1000;
	f->names = 1;
	for (uint64_t b = batches(option.events); b > 0; b--) {
		feed_fill(f, e, BATCH);
		for (size_t i = 0; i + 1 < BATCH && n < most; i += 2)
			ns[n++] = (double)(e[i + 1].t_mon_ns - e[i].t_mon_ns);
		model_add_events(m, e, BATCH);
	}
	t = clock_ms(CLOCK_MONOTONIC);
	d = model_durations(m, 1);
	for (int i = 0; i < 6; i++)
		told[i] = durations_quantile(d, mille[i]);
	line("percentiles of one function", clock_ms(CLOCK_MONOTONIC) - t, "ms",
	    "goal", 50);
	line("percentiles, calls", (double)atomic_load(&d->n), "calls", "made",
	    (double)n);
	for (int i = 0; i < 6; i++) {
		double right = rank_of(ns, n, mille[i], i > 0);

		worst = fmax(worst, fabs((double)told[i] - right) / right);
	}
	line("percentiles, most wrong", worst * 100, "%", "goal", 3.1);
	free(ns);
	free(e);
	free(f);
	model_free(m);
}

/* What histograms and the slowest calls of all functions take of the model. */
static void
weigh(const struct model *m)
{
	uint32_t n = model_functions(m);
	double bytes = 0;

	for (uint32_t i = 1; i <= n; i++) {
		const struct durations *d = model_durations(m, i);

		bytes += sizeof(*d) + sizeof(struct slowest);
		for (int o = 0; o < DURATIONS_OCTAVES; o++)
			if (atomic_load(&d->octave[o]) != NULL)
				bytes += DURATIONS_PARTS * sizeof(uint64_t);
	}
	line("statistics memory, a function", n > 0 ? bytes / n : 0, "bytes",
	    "functions", n);
	line("statistics memory", 100 * bytes / (double)model_bytes(m),
	    "% of the model", "goal", 10);
}

/* In f is what is right. */
static void
bench_given_up(struct feed_made *f, double events)
{
	struct model *m = feed_model(1024);
	struct buf blocks = { 0 };
	struct frame fr;
	uint32_t wrong;
	double t;

	f->lanes = 1024;
	f->now = 1000;
	blocks_make(f, events, &blocks);
	model_set_memory(m,
	    (uint64_t)((double)model_bytes(m) +
		       fmax(GIVEN_UP_B, events / GIVEN_UP * GIVEN_UP_B)));
	for (size_t at = 0; at < blocks.n; at += fr.frame_bytes)
		if (frame_parse(blocks.p + at, blocks.n - at, &fr) !=
			FRAME_OK ||
		    model_add_frame_at(m, &fr, at) == -1)
			exit(EX_SOFTWARE);
	t = ask(m, f, &wrong);
	line("statistics given up, at once", t, "ms", "goal", 5);
	line("statistics given up, at once wrong", wrong, "lanes", "of", 1024);
	t = clock_ms(CLOCK_MONOTONIC);
	settle(m, f, &blocks);
	line("statistics given up, ends read", clock_ms(CLOCK_MONOTONIC) - t,
	    "ms", "a frame", 16.6);
	t = ask(m, f, &wrong);
	line("statistics given up, exact", t, "ms", "goal", 5);
	line("statistics given up, exact wrong", wrong, "lanes", "goal 0; of",
	    1024);
	buf_free(&blocks);
	model_free(m);
}

static struct feed_made *
feed_counted(double events)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	int64_t span = (int64_t)(events * 99.5);

	if (f == NULL)
		exit(EX_OSERR);
	f->ran = calloc(1024, sizeof(*f->ran));
	f->calls = calloc(1024, sizeof(*f->calls));
	if (f->ran == NULL || f->calls == NULL)
		exit(EX_OSERR);
	f->t0 = span / 3 + 17;
	f->t1 = span / 3 * 2 + 11;
	return (f);
}

static void
feed_free(struct feed_made *f)
{
	free(f->ran);
	free(f->calls);
	free(f);
}

void
bench_statistics(void)
{
	struct feed_made *f = feed_counted(option.events);
	uint32_t lanes = option.lanes, wrong = 0;
	struct held h;
	double t;

	option.lanes = 1024;
	h = hold(f, option.events);
	t = ask(h.m, f, &wrong);
	line("statistics 1024 lanes", t, "ms", "goal", 5);
	line("statistics 1024 lanes wrong", wrong, "lanes", "goal 0; of", 1024);
	weigh(h.m);
	ask_slowest(h.m, true, "statistics the slowest 16 of the run");
	ask_slowest(h.m, false, "statistics the slowest 16 of a third");
	option.lanes = lanes;
	model_free(h.m);
	feed_free(f);
	ask_percentiles(64);
	f = feed_counted(fmax(option.events, GIVEN_UP));
	bench_given_up(f, fmax(option.events, GIVEN_UP));
	feed_free(f);
}
