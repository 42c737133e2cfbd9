/*
 * How many threads run at once, and for how long each PO and node has one that
 * does: the same as when one looks at each ns by itself.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_mixed.h"
#include "ui/traffic/running.h"

#define LONG   3000 /* ns of a range */
#define RANGES 60
#define SPANS  4096
#define LANES  2048

struct looked {
	int64_t by_k[THREADS + 1], of_node[NODES + 1];
};

/* Threads of each node that run at a ns. */
static void
look(const struct model *m, int64_t t0, int64_t t1, struct looked *l)
{
	static uint8_t runs[LANES][LONG];
	static struct span spans[SPANS];
	uint32_t lanes = model_lanes(m);
	size_t n;

	memset(l, 0, sizeof(*l));
	memset(runs, 0, sizeof(runs));
	assert_true(lanes <= LANES);
	for (uint32_t i = 0; i < lanes; i++) {
		if (model_lane(m, i)->kind != LANE_THREAD)
			continue;
		n = model_lane_spans(m, i, t0, t1, spans, SPANS);
		assert_true(n <= SPANS);
		for (size_t k = 0; k < n; k++)
			for (int64_t t = t0; t < t1; t++)
				runs[i][t - t0] |=
				    spans[k].class == LANE_running &&
				    t >= spans[k].t0_mon_ns &&
				    t < spans[k].t1_mon_ns;
	}
	for (int64_t t = 0; t < t1 - t0; t++) {
		uint32_t k = 0, of[NODES + 1] = { 0 };

		for (uint32_t i = 0; i < lanes; i++) {
			k += runs[i][t];
			if (runs[i][t])
				of[model_lane(m, i)->node]++;
		}
		l->by_k[k]++;
		for (int i = 1; i <= NODES; i++)
			l->of_node[i] += of[i] > 0;
	}
}

static void
it_is_as_one_looks_at_each_ns(void **state)
{
	struct made *w = made_new(3);
	struct running r = { 0 };
	struct looked l;
	int64_t t0, sum;
	double ran, at_once;

	(void)state;
	for (int i = 0; i < RANGES; i++) {
		t0 = (int64_t)below(w, (uint32_t)w->now);
		look(w->all, t0, t0 + LONG, &l);
		assert_true(running_begin(&r, w->all, t0, t0 + LONG));
		if (i % 2 == 0) /* many pieces */
			r.step_ns = 1 + (int64_t)below(w, 40);
		while (!running_step(&r))
			continue;
		assert_true(running_known(&r));
		sum = 0;
		for (uint32_t k = 0; k <= r.threads; k++) {
			assert_int_equal(r.by_k[k], l.by_k[k]);
			sum += r.by_k[k];
		}
		assert_int_equal(sum, LONG);
		ran = at_once = 0;
		for (uint32_t k = 0; k <= r.threads; k++)
			at_once += k * (double)r.by_k[k];
		for (unsigned k = 0; k < RUNNING_COLUMNS; k++) {
			ran += r.ran.v[k] * LONG / RUNNING_COLUMNS;
			assert_true(r.ran.v[k] <= r.threads + 1e-9);
			assert_true(r.ran.v[k] <= r.lived.v[k] + 1e-9);
		}
		assert_true(ran > at_once - 1e-6 && ran < at_once + 1e-6);
		for (uint32_t k = 1; k <= NODES; k++)
			assert_int_equal(r.of_node[k], l.of_node[k]);
	}
	running_clear(&r);
	made_free(w);
}

/* Of what has been given up there is no figure, and it is not made up. */
static void
what_is_gone_is_not_known(void **state)
{
	struct made *w = made_new(5);
	struct running r = { 0 };

	(void)state;
	assert_true(running_begin(&r, w->small, 1000, w->now));
	while (!running_step(&r))
		continue;
	assert_true(r.gone);
	assert_false(running_known(&r));
	running_clear(&r);
	made_free(w);
}

/* A thread that has ended, or has not begun, is not idle: it does not live. */
static void
a_life_is_clipped(void **state)
{
	struct made *w = made_new(7);
	uint32_t lane = model_location_lane(w->all, w->th[1].location);
	int64_t first, last;

	(void)state;
	assert_true(model_lane_life(w->all, lane, &first, &last));
	assert_int_equal(running_life(w->all, lane, 0, first), 0);
	assert_int_equal(running_life(w->all, lane, first - 50, first + 70),
	    70);
	assert_int_equal(running_life(w->all, lane, first, last), last - first);
	made_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_as_one_looks_at_each_ns),
		cmocka_unit_test(what_is_gone_is_not_known),
		cmocka_unit_test(a_life_is_clipped),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
