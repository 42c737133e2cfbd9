/*
 * Call paths of an interval, against what a replay of the events says; of a
 * whole run, against the sums that the model keeps.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "model/calls/calls.h"
#include "tests/unit/make_model.h"

#define DEEP    5
#define STEPS   3000
#define FUNCS   4
#define THREADS 3
#define PATHS   4096

static uint64_t seed;

static unsigned
dice(unsigned n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((unsigned)(seed >> 33) % n);
}

/* A path by hand. */
struct sum {
	uint32_t names[DEEP], depth;
	uint64_t calls;
	int64_t total_ns, self_ns, blocked_ns, longest_ns;
};

struct replay {
	int64_t t0, t1;
	struct sum sum[PATHS];
	size_t n;
};

struct thread {
	uint32_t names[DEEP], n;
	int64_t run_ns[DEEP];
	bool waits;
	int64_t t;
};

static struct sum *
sum_of(struct replay *r, const uint32_t *names, uint32_t depth)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->sum[i].depth == depth &&
		    memcmp(r->sum[i].names, names, depth * sizeof(*names)) == 0)
			return (&r->sum[i]);
	assert_true(r->n < PATHS);
	memset(&r->sum[r->n], 0, sizeof(r->sum[0]));
	memcpy(r->sum[r->n].names, names, depth * sizeof(*names));
	r->sum[r->n].depth = depth;
	return (&r->sum[r->n++]);
}

/* The thread is as it is until t. */
static void
replay_to(struct replay *r, struct thread *s, int64_t t)
{
	int64_t a = s->t > r->t0 ? s->t : r->t0, b = t < r->t1 ? t : r->t1;

	for (uint32_t d = 0; d < s->n && b > a; d++) {
		struct sum *x = sum_of(r, s->names, d + 1);

		x->total_ns += b - a;
		s->run_ns[d] += b - a;
		if (s->run_ns[d] > x->longest_ns)
			x->longest_ns = s->run_ns[d];
		if (d + 1 == s->n) {
			x->self_ns += b - a;
			x->blocked_ns += s->waits ? b - a : 0;
		}
	}
	s->t = t;
}

/* Goes on by one event; false: it does nothing here. */
static bool
step(struct thread *s, struct replay *r, const uint32_t *names, unsigned *kind,
    uint32_t *name)
{
	*name = 0;
	if (s->waits) {
		s->waits = false;
		*kind = EV_lock_acquire;
	} else if (dice(5) == 0) {
		s->waits = true;
		*kind = EV_lock_wait;
	} else if (s->n < DEEP && dice(2) == 0) {
		*kind = EV_enter;
		*name = s->names[s->n] = names[dice(FUNCS)];
		s->run_ns[s->n++] = 0;
		if (s->t >= r->t0 && s->t < r->t1)
			sum_of(r, s->names, s->n)->calls++;
	} else if (s->n > 0) {
		s->n--;
		*kind = EV_leave;
	} else {
		return (false);
	}
	return (true);
}

static const struct call *
path_at(const struct call *c, size_t n, const struct sum *x)
{
	uint32_t up = CALL_NONE, d = 0;

	for (size_t i = 0; i < n && d < x->depth; i++)
		if (c[i].parent == up && c[i].name == x->names[d]) {
			up = (uint32_t)i; /* parents come first */
			d++;
		}
	return (d == x->depth ? &c[up] : NULL);
}

static void
compare(struct calls *k, const struct replay *r)
{
	const struct call *c, *got;
	size_t n = calls_paths(k, &c), some = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct sum *x = &r->sum[i];

		if (x->total_ns == 0 && x->calls == 0)
			continue;
		some++;
		got = path_at(c, n, x);
		assert_non_null(got);
		assert_int_equal(got->calls, x->calls);
		assert_int_equal(got->total_ns, x->total_ns);
		assert_int_equal(got->self_ns, x->self_ns);
		assert_int_equal(got->blocked_ns, x->blocked_ns);
		assert_int_equal(got->longest_ns, x->longest_ns);
	}
	for (size_t i = 0; i < n; i++)
		some -= c[i].total_ns != 0 || c[i].calls != 0;
	assert_int_equal(some, 0); /* and no path more */
}

/* Of a clock that ticks seldom most happens at the instant of what was before.
 */
static int64_t
pause_ns(bool coarse)
{
	return (!coarse ? 1 + dice(5) : dice(8) == 0 ? 20 : 0);
}

/* Many small parts; some intervals begin in the middle of a wait. */
static void
paths_are_those_of_the_program(void **state)
{
	static struct replay r;

	(void)state;
	for (uint64_t round = 1; round <= 40; round++) {
		struct model *m;
		struct calls *k = calls_new();
		struct make_log log = { 0 };
		uint32_t names[FUNCS], location[THREADS];
		char text[16];

		seed = round;
		assert_non_null(k);
		make_log_head(&log, "calls");
		make_log_node(&log, 1, "n1");
		make_log_po(&log, 1, 1, "prog");
		for (unsigned i = 0; i < THREADS; i++)
			location[i] = make_log_thread(&log, 1, 1, i + 1, "");
		for (int i = 0; i < FUNCS; i++) {
			snprintf(text, sizeof(text), "f%d", i);
			names[i] = make_log_name(&log, text);
		}
		r.n = 0;
		r.t0 = round == 1 ? 0 : 100 + dice(STEPS * 3);
		r.t1 = round == 1 ? 1000000 : r.t0 + 1 + dice(STEPS * 3);
		if (round > 20) { /* at events */
			r.t0 -= r.t0 % 20;
			r.t1 -= r.t1 % 20;
		}
		for (unsigned i = 0; i < THREADS; i++) {
			struct thread s = { .t = 100 };
			unsigned kind;
			uint32_t name;

			for (int e = 0; e < STEPS; e++) {
				replay_to(&r, &s, s.t + pause_ns(round > 12));
				if (step(&s, &r, names, &kind, &name))
					make_log_event(&log, location[i], kind,
					    s.t, 1, 1, name);
			}
			replay_to(&r, &s, STEPS * 8);
			make_log_event(&log, location[i], EV_thread_end, s.t, 0,
			    0, 0);
		}
		m = make_model(&log);
		calls_begin(k, m, r.t0, r.t1, UINT32_MAX);
		while (!calls_step(k))
			assert_true(calls_done(k) <= 1);
		assert_true(calls_exact(k));
		compare(k, &r);
		model_free(m);
		calls_free(k);
	}
}

/* Tasks are called once, however often they are suspended. */
static void
a_whole_run_is_what_the_model_keeps(void **state)
{
	struct name_stats is[64], want[64];
	struct model *m = make_pascal_model(20, 3, 1000000, 30000);
	struct calls *k = calls_new();
	size_t n, nwant = model_name_stats(m, want, 64);

	(void)state;
	calls_begin(k, m, INT64_MIN / 2, INT64_MAX / 2, UINT32_MAX);
	while (!calls_step(k))
		continue;
	n = calls_names(k, is, 64);
	assert_int_equal(n, nwant);
	assert_true(n > 5);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(is[i].name, want[i].name);
		assert_int_equal(is[i].calls, want[i].calls);
		assert_int_equal(is[i].outer, want[i].outer);
		assert_int_equal(is[i].total_ns, want[i].total_ns);
		assert_int_equal(is[i].blocked_ns, want[i].blocked_ns);
		assert_int_equal(is[i].waits_ns, want[i].waits_ns);
		assert_int_equal(is[i].suspended_ns, want[i].suspended_ns);
		for (int p = 0; p < 16; p++)
			assert_int_equal(is[i].by_pe[p], want[i].by_pe[p]);
	}
	calls_free(k);
	model_free(m);
}

/* Intervals that lie side by side add up to the whole, threads too. */
static void
parts_add_up(void **state)
{
	struct model *m = make_pascal_model(20, 3, 1000000, 30000);
	struct calls *k = calls_new();
	int64_t t0 = model_first_ns(m), t1 = model_last_ns(m) + 1, ns = 0;
	int64_t whole = 0;
	uint64_t calls = 0, all = 0;
	struct name_stats s[64];

	(void)state;
	for (int i = -1; i < 7; i++) {
		int64_t a = i < 0 ? t0 : t0 + (t1 - t0) * i / 7;
		int64_t b = i < 0 ? t1 : t0 + (t1 - t0) * (i + 1) / 7;
		size_t n;

		calls_begin(k, m, a, b, UINT32_MAX);
		while (!calls_step(k))
			continue;
		n = calls_names(k, s, 64);
		for (size_t p = 0; p < n; p++) {
			*(i < 0 ? &whole : &ns) += s[p].total_ns;
			*(i < 0 ? &all : &calls) += s[p].calls;
		}
	}
	assert_true(all == model_tasks(m));
	assert_true(calls == all);
	assert_true(ns == whole);
	for (uint32_t i = 0; i < model_lanes(m); i++) {
		const struct call *c;
		size_t n;

		if (model_lane(m, i)->kind != LANE_THREAD)
			continue;
		calls_begin(k, m, t0, t1, i);
		while (!calls_step(k))
			continue;
		n = calls_paths(k, &c);
		for (size_t p = 0; p < n; p++) {
			assert_int_equal(c[p].lane, i);
			assert_int_equal(c[p].threads, 1);
			whole -= c[p].parent == CALL_NONE ? c[p].total_ns : 0;
		}
	}
	assert_true(whole == 0);
	calls_free(k);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_those_of_the_program),
		cmocka_unit_test(a_whole_run_is_what_the_model_keeps),
		cmocka_unit_test(parts_add_up),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
