/*
 * Happens-before, past and future are those of the definition: beside the
 * transitive closure of small random runs, every pair of events.
 */
#include "tests/unit/make_run.h"

#include <errno.h>
#include <stdbool.h>

/* Each step is one that was made, and they hang together. */
static void
path_is_true(const struct run *r, struct logical *l, uint32_t a, uint32_t b)
{
	struct logical_event at = name(&r->made[a]), to = name(&r->made[b]);
	struct logical_edge *path;
	size_t n;

	assert_int_equal(logical_path(l, at, to, &path, &n), 1);
	for (size_t i = 0; i < n; i++) {
		const struct logical_edge *e = &path[i];
		bool found = false;

		assert_int_equal(e->cause.location, at.location);
		assert_true(e->cause.seq >= at.seq);
		for (uint32_t x = 0; x < r->n && !found; x++) {
			const struct made *m = &r->made[x];

			if (m->event.location != e->effect.location ||
			    m->event.seq != e->effect.seq)
				continue;
			for (uint32_t c = 0; c < m->ncauses; c++) {
				const struct made *k = &r->made[m->causes[c]];

				found |=
				    k->event.location == e->cause.location &&
				    k->event.seq == e->cause.seq;
			}
		}
		assert_true(found);
		at = e->effect;
	}
	assert_int_equal(at.location, to.location);
	assert_true(at.seq <= to.seq);
	free(path);
}

/* known[i][j]: j is i or happens before it. */
typedef uint8_t closure[400];

static closure *
close_run(const struct run *r)
{
	closure *known = calloc(r->n, sizeof(*known));

	assert_true(r->n <= sizeof(*known));
	for (uint32_t i = 0; i < r->n; i++)
		known[i][i] = 1;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct made *m = &r->made[i];

		for (uint32_t c = 0; c < m->ncauses; c++)
			known[i][m->causes[c]] = 1;
		if (m->before > 0)
			known[i][m->before - 1] = 1;
	}
	for (uint32_t k = 0; k < r->n; k++)
		for (uint32_t i = 0; i < r->n; i++)
			for (uint32_t j = 0; known[i][k] && j < r->n; j++)
				known[i][j] |= known[k][j];
	return (known);
}

static void
cuts_are_true(const struct run *r, struct logical *l, closure *known,
    uint32_t x)
{
	struct logical_cut past[STREAMS_MAX], future[STREAMS_MAX];
	size_t n = logical_locations(l);

	assert_int_equal(logical_past_cut(l, name(&r->made[x]), past), 0);
	assert_int_equal(logical_future_cut(l, name(&r->made[x]), future), 0);
	for (size_t s = 0; s < n; s++) {
		int64_t last = -1, first = -1;

		for (uint32_t i = 0; i < r->n; i++) {
			const struct event *e = &r->made[i].event;

			if (e->location != past[s].location)
				continue;
			if (known[x][i])
				last = (int64_t)e->seq;
			if (known[i][x] && first == -1)
				first = (int64_t)e->seq;
		}
		assert_int_equal(past[s].any ? (int64_t)past[s].seq : -1, last);
		assert_int_equal(future[s].any ? (int64_t)future[s].seq : -1,
		    first);
	}
}

static void
every_pair_of_small_runs(void **state)
{
	uint64_t pairs = 0, concurrent = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 150; seed++) {
		struct logical *l = logical_new();
		struct run r;
		closure *known;

		make_run(&r, seed, 2 + (uint32_t)seed % 7,
		    30 + (uint32_t)seed % 70);
		known = close_run(&r);
		for (uint32_t i = 0; i < r.n; i++)
			feed(l, &r.made[i]);
		for (uint32_t a = 0; a < r.n; a++) {
			for (uint32_t b = 0; b < r.n; b++) {
				int want = a == b        ? LOGICAL_SAME
					   : known[b][a] ? LOGICAL_BEFORE
					   : known[a][b] ? LOGICAL_AFTER
							 : LOGICAL_CONCURRENT;

				assert_int_equal(logical_order(l,
						     name(&r.made[a]),
						     name(&r.made[b])),
				    want);
				if (want == LOGICAL_BEFORE)
					path_is_true(&r, l, a, b);
				concurrent += want == LOGICAL_CONCURRENT;
				pairs++;
			}
			cuts_are_true(&r, l, known, a);
		}
		free(known);
		free_run(&r);
		logical_free(l);
	}
	/* the runs are worth asking about */
	assert_true(concurrent > pairs / 10 && concurrent < pairs * 9 / 10);
}

/* A number that is used again, an answer before its question, and so on. */
static void
what_it_does_not_take(void **state)
{
	struct logical *l = logical_new();
	struct logical_event here = { 1, 5 }, none = { 2, 5 }, later = { 1, 9 };
	struct event e = { .location = 1, .seq = 5, .kind = EV_note };
	struct logical_edge *path;
	struct logical_cut cut;
	size_t n;

	(void)state;
	assert_int_equal(logical_add(l, &e, NULL), 0);
	assert_int_equal(logical_add(l, &e, NULL), -1);
	assert_int_equal(errno, EINVAL);
	e.seq = UINT32_MAX;
	assert_int_equal(logical_add(l, &e, NULL), -1);
	assert_int_equal(errno, EOVERFLOW);
	assert_int_equal(logical_order(l, here, here), LOGICAL_SAME);
	assert_int_equal(logical_order(l, here, none), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(logical_order(l, later, here), -1);
	assert_int_equal(logical_path(l, here, later, &path, &n), -1);
	assert_int_equal(logical_past_cut(l, none, &cut), -1);
	assert_int_equal(logical_future_cut(l, later, &cut), -1);
	logical_free(l);
	logical_free(NULL);
}

/* An effect that comes before its cause is not caused by it. */
static void
no_circles(void **state)
{
	static const struct {
		uint32_t location;
		uint16_t kind;
		uint64_t a;
	} rows[] = {
		{ 1, EV_receive, 7 },
		{ 1, EV_send, 8 },
		{ 2, EV_receive, 8 },
		{ 2, EV_send, 7 },
	};
	struct logical *l = logical_new();
	struct logical_event last = { 2, 1 }, first = { 1, 0 };
	struct logical_stats stats;
	uint64_t seq[3] = { 0 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct event e = { .location = rows[i].location,
			.kind = rows[i].kind,
			.a = rows[i].a,
			.seq = seq[rows[i].location]++ };

		assert_int_equal(logical_add(l, &e, event_desc(e.kind)), 0);
	}
	assert_int_equal(logical_before(l, last, first), 0);
	assert_int_equal(logical_before(l, first, last), 1);
	logical_stats(l, &stats);
	assert_int_equal(stats.edges, 1);
	assert_int_equal(stats.missing, 1);
	logical_free(l);
}

/* Causes that are never taken cost bounded memory. */
static void
what_is_never_received_is_forgotten(void **state)
{
	struct logical *l = logical_new();
	struct logical_stats stats;

	(void)state;
	for (uint64_t i = 0; i < 3000000; i++) {
		struct event e = { .location = 1,
			.kind = EV_send,
			.a = i + 1,
			.seq = i };

		assert_int_equal(logical_add(l, &e, event_desc(e.kind)), 0);
	}
	logical_stats(l, &stats);
	assert_in_range(stats.pending_bytes, 1, (size_t)80 << 20);
	logical_free(l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pair_of_small_runs),
		cmocka_unit_test(what_it_does_not_take),
		cmocka_unit_test(no_circles),
		cmocka_unit_test(what_is_never_received_is_forgotten),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
