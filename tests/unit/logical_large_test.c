/* Happens-before in large runs that grow, beside a vector clock an event. */
#include "tests/unit/make_run.h"

#include <stdbool.h>

/* Of each event, of each stream 1 + seq of the last one before it. */
static uint64_t *
vector_clocks(const struct run *r)
{
	uint64_t *v = calloc((size_t)r->n * STREAMS_MAX, sizeof(*v));

	for (uint32_t i = 0; i < r->n; i++) {
		const struct made *m = &r->made[i];
		uint64_t *at = &v[(size_t)i * STREAMS_MAX];

		for (uint32_t c = 0; c <= m->ncauses; c++) {
			uint32_t from =
			    c < m->ncauses ? m->causes[c] + 1 : m->before;

			for (uint32_t s = 0; from > 0 && s < r->streams; s++) {
				uint64_t x =
				    v[(size_t)(from - 1) * STREAMS_MAX + s];

				at[s] = at[s] < x ? x : at[s];
			}
		}
		at[m->event.location / 3] = m->event.seq + 1;
	}
	return (v);
}

static bool
clock_before(const struct run *r, const uint64_t *v, uint32_t a, uint32_t b)
{
	const struct event *e = &r->made[a].event;

	return (
	    a != b && v[(size_t)b * STREAMS_MAX + e->location / 3] > e->seq);
}

static void
ask_at_random(struct run *r, struct logical *l, const uint64_t *v, uint32_t fed,
    uint32_t times)
{
	for (uint32_t i = 0; i < times; i++) {
		uint32_t a = random_below(r, fed), b = random_below(r, fed);
		bool want = clock_before(r, v, a, b);

		if (i % 2 == 0) { /* close by */
			b = a + random_below(r, 100);
			b = b < fed ? b : fed - 1;
			want = clock_before(r, v, a, b);
		}
		assert_int_equal(logical_before(l, name(&r->made[a]),
				     name(&r->made[b])),
		    want);
	}
}

static void
large_cuts(struct run *r, struct logical *l, const uint64_t *v)
{
	struct logical_cut cut[STREAMS_MAX];
	uint32_t x = random_below(r, r->n);
	size_t n = logical_locations(l);

	assert_int_equal(logical_past_cut(l, name(&r->made[x]), cut), 0);
	for (size_t s = 0; s < n; s++) {
		uint64_t want =
		    v[(size_t)x * STREAMS_MAX + cut[s].location / 3];

		assert_int_equal(cut[s].any ? cut[s].seq + 1 : 0, want);
	}
	assert_int_equal(logical_future_cut(l, name(&r->made[x]), cut), 0);
	for (size_t s = 0; s < n; s++) {
		uint64_t want = 0;

		for (uint32_t i = x; i < r->n && want == 0; i++)
			if (r->made[i].event.location == cut[s].location &&
			    (i == x || clock_before(r, v, x, i)))
				want = r->made[i].event.seq + 1;
		assert_int_equal(cut[s].any ? cut[s].seq + 1 : 0, want);
	}
}

static void
large_runs_while_they_grow(void **state)
{
	static const struct {
		uint32_t streams, events;
	} cases[] = { { 2, 8000 }, { 3, 8000 }, { 7, 20000 }, { 48, 40000 } };
	struct logical_stats stats;

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct logical *l = logical_new();
		struct run r;
		uint64_t *v;

		make_run(&r, 1000 + k, cases[k].streams, cases[k].events);
		v = vector_clocks(&r);
		for (uint32_t i = 0; i < r.n; i++) {
			feed(l, &r.made[i]);
			if (i % 500 == 499)
				ask_at_random(&r, l, v, i, 50);
		}
		ask_at_random(&r, l, v, r.n, 20000);
		for (int i = 0; i < 40; i++)
			large_cuts(&r, l, v);
		logical_stats(l, &stats);
		assert_true(stats.vectors > 20);
		assert_int_equal(stats.events, r.n);
		free(v);
		free_run(&r);
		logical_free(l);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_runs_while_they_grow),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
