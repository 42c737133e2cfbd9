/*
 * Call paths and functions of any range are exact to the integer, also where
 * single changes were given up, and in a model that was kept in a file: as a
 * model says that never gave anything up.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "model/keep/durations.h"
#include "tests/unit/make_again.h"

#define RANGES    TRIES(40)
#define PART      20000 /* events read at once */
#define NAMES_MAX 64

/* Reads again what is needed; returns in how many parts. */
static unsigned
settle(struct made *w, struct model *m, struct range r)
{
	int parts = settle_sums(w, m, SUMS_CALLS, r.t0, r.t1, PART);

	assert_true(parts >= 0);
	return ((unsigned)parts);
}

static void
add_up(struct calls *k, const struct model *m, struct range r, uint32_t lane)
{
	calls_begin(k, m, r.t0, r.t1, lane);
	while (!calls_step(k))
		continue;
}

static uint32_t
path_of(const struct call *c, size_t n, uint32_t up, const struct call *x)
{
	for (uint32_t i = 0; i < n; i++)
		if (c[i].parent == up && c[i].name == x->name &&
		    c[i].kind == x->kind)
			return (i);
	return (CALL_NONE);
}

/* All paths of a have their like in b, with the same sums. */
static void
same_paths(const struct calls *a, const struct calls *b)
{
	const struct call *x, *y, *q;
	size_t n = calls_paths(a, &x), m = calls_paths(b, &y);
	uint32_t *to = calloc(n + 1, sizeof(*to)), up;

	for (size_t i = 0; i < n; i++) {
		up = x[i].parent == CALL_NONE ? CALL_NONE : to[x[i].parent];
		to[i] = x[i].parent != CALL_NONE && up == CALL_NONE
			    ? CALL_NONE
			    : path_of(y, m, up, &x[i]);
		if (x[i].total_ns == 0 && x[i].calls == 0)
			continue;
		assert_true(to[i] != CALL_NONE);
		q = &y[to[i]];
		assert_int_equal(x[i].calls, q->calls);
		assert_int_equal(x[i].total_ns, q->total_ns);
		assert_int_equal(x[i].self_ns, q->self_ns);
		assert_int_equal(x[i].blocked_ns, q->blocked_ns);
		assert_int_equal(x[i].longest_ns, q->longest_ns);
		assert_int_equal(x[i].first_ns, q->first_ns);
		assert_int_equal(x[i].last_ns, q->last_ns);
		assert_int_equal(x[i].threads, q->threads);
		assert_int_equal(x[i].lane, q->lane);
	}
	free(to);
}

static void
same_durations(const struct durations *a, const struct durations *b)
{
	int64_t lo[2], hi[2];
	unsigned at[2] = { 0, 0 };
	uint64_t n;

	assert_int_equal(a == NULL, b == NULL);
	if (a == NULL)
		return;
	do {
		n = durations_next(a, &at[0], &lo[0], &hi[0]);
		assert_int_equal(durations_next(b, &at[1], &lo[1], &hi[1]), n);
		assert_true(n == 0 || lo[0] == lo[1]);
	} while (n > 0);
}

static void
same_names(const struct calls *a, const struct calls *b)
{
	struct name_stats x[NAMES_MAX], y[NAMES_MAX];
	size_t n = calls_names(a, x, NAMES_MAX);

	assert_true(n > 0 && n <= NAMES_MAX);
	assert_int_equal(calls_names(b, y, NAMES_MAX), n);
	assert_memory_equal(x, y, n * sizeof(*x));
	for (size_t i = 0; i < n; i++)
		same_durations(calls_durations(a, x[i].number),
		    calls_durations(b, x[i].number));
}

#define STACK 128

/* Where each thread is just behind what was given up. */
static void
same_stacks(struct made *w, const struct model *m)
{
	struct span a[STACK], b[STACK];
	int64_t from = model_detail_ns(m), t;
	size_t n;

	for (uint32_t lane = 0; lane < model_lanes(m); lane++) {
		if (model_lane(m, lane)->kind != LANE_THREAD)
			continue;
		t = from + 1 + below(w, 20000);
		n = model_stack(w->all, lane, t, a, STACK);
		assert_int_equal(model_stack(m, lane, t, b, STACK), n);
		for (size_t i = 0; i < n && i < STACK; i++) {
			assert_int_equal(a[i].kind, b[i].kind);
			assert_int_equal(a[i].name, b[i].name);
			assert_int_equal(a[i].class, b[i].class);
		}
	}
}

struct counts {
	unsigned rough, parts, most;
};

static struct counts
ranges_are_exact(struct made *w, struct model *m)
{
	struct calls *a = calls_new(), *b = calls_new();
	struct counts n = { 0 };

	assert_non_null(a);
	assert_non_null(b);
	for (int i = 0; i < RANGES; i++) {
		struct range r = some_range(w, 12, 12, 5);
		uint32_t lane = UINT32_MAX;
		unsigned parts;

		if (below(w, 3) == 0)
			lane = below(w, model_lanes(m));
		add_up(b, m, r, lane);
		n.rough += !calls_exact(b);
		parts = settle(w, m, r);
		n.parts += parts;
		n.most = parts > n.most ? parts : n.most;
		add_up(a, w->all, r, lane);
		add_up(b, m, r, lane);
		assert_true(calls_exact(a));
		assert_true(calls_exact(b));
		same_paths(a, b);
		same_paths(b, a);
		if (lane == UINT32_MAX && r.t1 - r.t0 > 1 << 16)
			same_names(a, b);
	}
	calls_free(a);
	calls_free(b);
	return (n);
}

static void
what_was_given_up_is_exact(void **state)
{
	/* of 3, 7 and 12 a wait lies over the end of what was given up */
	static const uint64_t seed[] = { 1, 2, 3, 4, 5, 7, 12 };
	struct counts n;
	struct made *w;
	unsigned parts = 0, most = 0;

	(void)state;
	detail_apart_events = 2048;
	for (size_t i = 0; i < sizeof(seed) / sizeof(seed[0]); i++) {
		w = made_new(seed[i]);
		for (int k = 0; k < RANGES; k++)
			same_stacks(w, w->small);
		n = ranges_are_exact(w, w->small);
		assert_true(n.rough > RANGES / 3);
		parts += n.parts;
		most = n.most > most ? n.most : most;
		made_free(w);
	}
	assert_true(parts > 3 * RANGES && most > 2);
}

#define ROWS (NAMES_MAX * EVENT_SPANS)

/* Of its kind and name. */
static size_t
row(const struct name_stats *s)
{
	return (s->name * EVENT_SPANS + s->kind);
}

/* However a range is cut into parts, they add up to the same. */
static void
parts_may_end_anywhere(void **state)
{
	struct made *w = made_new(7);
	struct calls *whole = calls_new(), *part = calls_new();
	struct name_stats x[NAMES_MAX], y[NAMES_MAX];
	struct range r = { 0, 0 };

	(void)state;
	r.t1 = model_last_ns(w->all) + 1;
	add_up(whole, w->all, r, UINT32_MAX);
	for (int round = 0; round < 3; round++) {
		uint64_t calls[ROWS] = { 0 };
		int64_t ns[ROWS] = { 0 }, blocked[ROWS] = { 0 };
		int64_t waits[ROWS] = { 0 }, asleep[ROWS] = { 0 };
		size_t n = calls_names(whole, x, NAMES_MAX);

		for (size_t i = 0, next; i < EVENTS; i = next) {
			next = i + 1 + below(w, 9000);
			r.t0 = i == 0 ? 0 : w->log.events[i].t_mon_ns;
			r.t1 = next < EVENTS ? w->log.events[next].t_mon_ns
					     : model_last_ns(w->all) + 1;
			add_up(part, w->all, r, UINT32_MAX);
			for (size_t k = calls_names(part, y, NAMES_MAX);
			     k-- > 0;) {
				calls[row(&y[k])] += y[k].calls;
				ns[row(&y[k])] += y[k].total_ns;
				blocked[row(&y[k])] += y[k].blocked_ns;
				waits[row(&y[k])] += y[k].waits_ns;
				asleep[row(&y[k])] += y[k].suspended_ns;
			}
		}
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(x[i].calls, calls[row(&x[i])]);
			assert_int_equal(x[i].total_ns, ns[row(&x[i])]);
			assert_int_equal(x[i].blocked_ns, blocked[row(&x[i])]);
			assert_int_equal(x[i].waits_ns, waits[row(&x[i])]);
			assert_int_equal(x[i].suspended_ns, asleep[row(&x[i])]);
		}
	}
	calls_free(whole);
	calls_free(part);
	made_free(w);
}

static bool
kept_ranges(struct made *w, struct model *m)
{
	return (ranges_are_exact(w, m).rough > RANGES / 2);
}

static void
what_was_kept_is_exact(void **state)
{
	(void)state;
	kept_is_exact(kept_ranges);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_given_up_is_exact),
		cmocka_unit_test(parts_may_end_anywhere),
		cmocka_unit_test(what_was_kept_is_exact),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
