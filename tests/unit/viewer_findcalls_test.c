/*
 * Calls of a name, of a length, on some threads: as many, as long and in the
 * order that a replay of the events gives.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "model/asked/findcalls.h"
#include "model/keep/slowest.h"
#include "tests/rnd.h"
#include "tests/unit/make_model.h"

#define THREADS 3
#define FUNCS   3
#define DEEP    6
#define STEPS   4000
#define CALLS   (THREADS * STEPS)
#define END     100000

struct one {
	int64_t t0, t1;
	uint32_t thread, name;
};

struct run {
	uint32_t at[THREADS], name[FUNCS], lock;
	struct one one[CALLS];
	size_t n;
	struct model *m;
};

struct thread {
	size_t open[DEEP]; /* numbers of calls */
	unsigned n;
	bool waits;
};

static unsigned
below(unsigned n)
{
	return ((unsigned)(rnd() % n));
}

/* Something that the thread can do now. */
static void
step(struct run *r, struct make_log *l, struct thread *s, uint32_t i, int64_t t)
{
	uint32_t name = r->name[below(FUNCS)];

	if (s->waits || below(6) == 0) {
		make_log_event(l, r->at[i],
		    s->waits ? EV_lock_acquire : EV_lock_wait, t, 7, 0,
		    r->lock);
		if (s->waits)
			make_log_event(l, r->at[i], EV_lock_release, t, 7, 0,
			    r->lock);
		s->waits = !s->waits;
	} else if (s->n < DEEP && below(2) == 0) {
		r->one[r->n] = (struct one){ t, INT64_MAX, i, name };
		s->open[s->n++] = r->n++;
		make_log_event(l, r->at[i], EV_enter, t, 0, 0, name);
	} else if (s->n > (i == 0)) { /* the first call of all goes on */
		make_log_event(l, r->at[i], EV_leave, t, 0, 0, 0);
		r->one[s->open[--s->n]].t1 = t;
	}
}

static void
make(struct run *r)
{
	static const char *const function[FUNCS] = { "f", "g", "h" };
	struct thread thread[THREADS] = { 0 };
	struct make_log l = { 0 };

	memset(r, 0, sizeof(*r));
	make_log_head(&l, "calls");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	for (uint32_t i = 0; i < THREADS; i++)
		r->at[i] = make_log_thread(&l, 1, 1, i + 1, "");
	for (unsigned i = 0; i < FUNCS; i++)
		r->name[i] = make_log_name(&l, function[i]);
	r->lock = make_log_name(&l, "till");
	for (int64_t t = 1; t < END; t += 1 + (int64_t)below(20)) {
		uint32_t i = below(THREADS);

		if (r->n < CALLS - 1)
			step(r, &l, &thread[i], i, t);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		make_log_event(&l, r->at[i], EV_note, END, 0, 0, r->name[0]);
	make_log_sort(&l);
	r->m = make_model(&l);
}

static int
longest_first(const void *a, const void *b)
{
	const struct one *x = a, *y = b;
	int64_t p = x->t1 - x->t0, q = y->t1 - y->t0;

	if (p != q)
		return (p < q ? 1 : -1);
	return ((x->t0 > y->t0) - (x->t0 < y->t0));
}

/* Those that are meant, by hand. */
static size_t
truth(const struct run *r, const struct find_ask *ask, struct one *out)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct one x = r->one[i];
		uint32_t lane = model_location_lane(r->m, r->at[x.thread]);

		if (x.t1 > ask->head_ns)
			x.t1 = ask->head_ns;
		if (ask->name[x.name] && x.t0 >= ask->t0 && x.t0 < ask->t1 &&
		    x.t1 - x.t0 >= ask->least_ns &&
		    x.t1 - x.t0 <= ask->most_ns &&
		    (ask->lane == NULL || ask->lane[lane]))
			out[n++] = x;
	}
	qsort(out, n, sizeof(*out), longest_first);
	return (n);
}

static void
check(const struct run *r, struct find_calls *f, const struct find_ask *ask)
{
	static struct one want[CALLS];
	size_t n = truth(r, ask, want), got;
	const struct found_call *c;
	int64_t sum = 0, at;

	assert_int_equal(find_begin(f, r->m, ask), 0);
	while (!find_step(f))
		continue;
	assert_true(find_exact(f));
	assert_int_equal(find_count(f), n);
	got = find_list(f, &c);
	assert_int_equal(got, n > FOUND_MOST ? FOUND_MOST : n);
	for (size_t i = 0; i < got; i++) {
		assert_int_equal(c[i].ns, want[i].t1 - want[i].t0);
		assert_int_equal(c[i].t0_mon_ns, want[i].t0);
		assert_int_equal(c[i].name, want[i].name);
		assert_int_equal(c[i].lane,
		    model_location_lane(r->m, r->at[want[i].thread]));
	}
	for (size_t i = 0; i < n; i++)
		sum += want[i].t1 - want[i].t0;
	assert_int_equal(find_sum_ns(f), sum);
	for (int q = 1; q <= 100 && n > 0; q++) {
		/* the ceil(q n)-th shortest; it may be told too long by 3.1 %
		 */
		at = (int64_t)n - ((int64_t)n * q + 99) / 100;
		sum = want[at].t1 - want[at].t0;
		assert_int_equal(find_quantile(f, (unsigned)q * 10), sum);
		at = durations_quantile(find_durations(f), (unsigned)q * 10);
		assert_in_range(at, sum, sum + sum / 32);
	}
}

static void
what_is_found_is_what_a_replay_says(void **state)
{
	static const unsigned least[] = { 1, 3000, 20000, 60000 };
	static struct run r;
	struct find_calls *f = find_new();
	uint8_t name[16], *lane;
	uint32_t lanes;

	(void)state;
	rnd_state = 4;
	make(&r);
	lanes = model_lanes(r.m);
	lane = calloc(lanes, 1);
	assert_non_null(f);
	assert_non_null(lane);
	for (int i = 0; i < 400; i++) {
		struct find_ask ask = { .name = name,
			.nnames = sizeof(name),
			.nlanes = lanes,
			.kinds = 1u << SPAN_call,
			.least_ns = (int64_t)below(least[below(4)]),
			.most_ns =
			    below(3) == 0 ? (int64_t)below(9000) : INT64_MAX,
			.t0 =
			    below(2) == 0 ? INT64_MIN / 4 : (int64_t)below(END),
			.t1 = below(2) == 0 ? END + 1 : (int64_t)below(END),
			.head_ns = END };

		for (unsigned k = 0; k < sizeof(name); k++)
			name[k] = below(2) == 0;
		for (uint32_t k = 0; k < lanes; k++)
			lane[k] = below(2) == 0;
		ask.lane = below(2) == 0 ? lane : NULL;
		if (below(3) == 0) /* what goes on then is so long so far */
			ask.t1 = ask.head_ns = 1 + (int64_t)below(END);
		check(&r, f, &ask);
	}
	find_free(f);
	free(lane);
	model_free(r.m);
}

/* Of the whole run the model knows them, of a part they are looked for. */
static void
the_slowest_are_the_first_of_all(void **state)
{
	static struct one want[CALLS];
	static struct run r;
	struct find_calls *f = find_new();
	const struct found_call *c;
	uint8_t name[16];
	size_t n;

	(void)state;
	rnd_state = 6;
	make(&r);
	for (int i = 0; i < 400; i++) {
		bool whole = below(2) == 0;
		struct find_ask ask = { .name = name,
			.nnames = sizeof(name),
			.kinds = 1u << SPAN_call,
			.least_ns = below(3) == 0 ? (int64_t)below(3000) : 0,
			.most_ns = INT64_MAX,
			.t0 = whole ? INT64_MIN / 4 : (int64_t)below(END),
			.t1 = whole ? END + 1 : (int64_t)below(END),
			.head_ns = END,
			.now = whole,
			.slowest = 1 + below(whole ? SLOWEST : 64) };

		for (unsigned k = 0; k < sizeof(name); k++)
			name[k] = below(2) == 0;
		if (!whole && below(2) == 0)
			ask.t1 = ask.head_ns = 1 + (int64_t)below(END);
		n = truth(&r, &ask, want);
		n = n < ask.slowest ? n : ask.slowest;
		assert_int_equal(find_begin(f, r.m, &ask), 0);
		while (!find_step(f))
			continue;
		assert_true(find_exact(f));
		assert_int_equal(find_count(f), n);
		assert_int_equal(find_list(f, &c), n);
		if (whole)
			assert_int_equal(find_looked(f), 0);
		for (size_t k = 0; k < n; k++) {
			assert_int_equal(c[k].ns, want[k].t1 - want[k].t0);
			assert_int_equal(c[k].t0_mon_ns, want[k].t0);
			assert_int_equal(c[k].name, want[k].name);
		}
	}
	find_free(f);
	model_free(r.m);
}

static void
of_equally_slow_ones_the_first_is_told(void **state)
{
	struct find_calls *f = find_new();
	struct make_log l = { 0 };
	const struct found_call *c;
	uint8_t name[8] = { 0 };
	struct find_ask ask = { .name = name,
		.nnames = 8,
		.kinds = 1u << SPAN_call,
		.most_ns = INT64_MAX,
		.t0 = 0,
		.t1 = 1000,
		.head_ns = 900,
		.slowest = 1 };
	struct model *m;
	uint32_t at[2], g;

	(void)state;
	make_log_head(&l, "calls");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	for (uint32_t i = 0; i < 2; i++)
		at[i] = make_log_thread(&l, 1, 1, i + 1, "");
	g = make_log_name(&l, "g");
	name[g] = 1;
	for (int64_t t = 100; t < 800; t += 200) {
		make_log_event(&l, at[t == 100], EV_enter, t, 0, 0, g);
		make_log_event(&l, at[t == 100], EV_leave, t + 100, 0, 0, 0);
	}
	m = make_model(&l);
	for (int way = 0; way < 4; way++) {
		ask.now = way % 2 == 1;
		ask.t0 = way < 2 ? 0 : 250;
		ask.now &= ask.t0 == 0;
		assert_int_equal(find_begin(f, m, &ask), 0);
		while (!find_step(f))
			continue;
		assert_int_equal(find_list(f, &c), 1);
		assert_int_equal(c->t0_mon_ns, way < 2 ? 100 : 300);
	}
	find_free(f);
	model_free(m);
}

/* Many short calls, and some long ones: most are never looked at. */
static void
what_cannot_be_long_enough_is_passed_by(void **state)
{
	struct find_calls *f = find_new();
	struct make_log l = { 0 };
	const struct found_call *c;
	struct found_call first[2];
	uint8_t name[8] = { 0 };
	struct find_ask ask = { .name = name,
		.nnames = 8,
		.kinds = 1u << SPAN_call,
		.least_ns = 100000,
		.most_ns = INT64_MAX,
		.t0 = 0,
		.t1 = INT64_MAX / 4 };
	struct model *m;
	uint32_t at, g;
	int64_t t = 10;

	(void)state;
	make_log_head(&l, "calls");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	at = make_log_thread(&l, 1, 1, 1, "");
	g = make_log_name(&l, "g");
	name[g] = 1;
	for (int i = 0; i < 60000; i++) {
		make_log_event(&l, at, EV_enter, t, 0, 0, g);
		t += i % 20000 == 7777 ? 123456 : 7;
		make_log_event(&l, at, EV_leave, t, 0, 0, 0);
		t += i % 20000 == 9999 ? 1000000000 : 5;
	}
	m = make_model(&l);
	ask.head_ns = t;
	assert_int_equal(find_begin(f, m, &ask), 0);
	assert_int_equal(find_so_far(f, first, 2), 0);
	while (!find_step(f))
		continue;
	assert_true(find_exact(f));
	assert_int_equal(find_list(f, &c), 3);
	assert_int_equal(find_so_far(f, first, 2), 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(first[i].t0_mon_ns, c[i].t0_mon_ns);
	for (int i = 0; i < 3; i++)
		assert_int_equal(c[i].ns, 123456);
	assert_in_range(find_looked(f), 3, 3000); /* of 120000 */
	find_free(f);
	model_free(m);
}

static void
waits_are_found_by_the_lock(void **state)
{
	static struct run r;
	struct find_calls *f = find_new();
	struct find_ask ask = { .nnames = 16,
		.kinds = 1u << SPAN_wait_lock,
		.most_ns = INT64_MAX,
		.t0 = 0,
		.t1 = END,
		.head_ns = END };
	uint8_t name[16] = { 0 };
	const struct found_call *c;
	int64_t by_class[LANE_CLASSES], sum = 0;
	uint64_t spans;

	(void)state;
	rnd_state = 5;
	make(&r);
	name[r.lock] = 1;
	ask.name = name;
	assert_int_equal(find_begin(f, r.m, &ask), 0);
	while (!find_step(f))
		continue;
	assert_true(find_list(f, &c) > 100);
	for (uint32_t i = 0; i < THREADS; i++) {
		model_lane_totals(r.m, model_location_lane(r.m, r.at[i]), 0,
		    END, by_class, &spans);
		sum += by_class[LANE_wait_lock];
	}
	assert_int_equal(find_sum_ns(f), sum);
	find_free(f);
	model_free(r.m);
}

static void
buckets_say_no_less_and_little_more(void **state)
{
	struct durations d = { 0 };
	_Atomic uint64_t bytes = 0;
	int64_t v, lo, hi;

	(void)state;
	for (unsigned bit = 0; bit < 63; bit++) {
		for (int by = -1; by <= 1; by++) {
			unsigned at = 0;

			v = ((int64_t)1 << bit) + by;
			durations_zero(&d);
			assert_int_equal(durations_add(&d, v, &bytes), 0);
			assert_int_equal(durations_next(&d, &at, &lo, &hi), 1);
			assert_true(lo <= v && v <= hi);
			assert_true(hi - lo <= v / 32);
			assert_int_equal(durations_next(&d, &at, &lo, &hi), 0);
			assert_int_equal(durations_quantile(&d, 500), hi);
		}
	}
	durations_clear(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_found_is_what_a_replay_says),
		cmocka_unit_test(the_slowest_are_the_first_of_all),
		cmocka_unit_test(of_equally_slow_ones_the_first_is_told),
		cmocka_unit_test(what_cannot_be_long_enough_is_passed_by),
		cmocka_unit_test(waits_are_found_by_the_lock),
		cmocka_unit_test(buckets_say_no_less_and_little_more),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
