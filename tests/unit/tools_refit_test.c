/* monitorctl refit: clocks from both sides, events in causal order, a whole
 * log. */
#include "tests/check.h"

#include <math.h>
#include <sysexits.h>

#include "tests/sim/pinged.h"
#include "tests/unit/tools_log.h"
#include "tools/logout.h"
#include "tools/refit_clock.h"
#include "tools/refit_order.h"
#include "tools/spread.h"
#include "validate.h"

#define US  1000
#define MS  1000000
#define SEC ((int64_t)1000000000)

/* --- one clock, against the truth --- */

#define SECONDS 240
#define STEP_AT (21 * SEC)
#define STEP_BY (20 * MS)

struct node {
	struct clocksync *sync;
	struct refit_clock refit;
	unsigned steps;
};

static void
segment_cb(void *arg, const struct clock_segment *s, int64_t step_ns)
{
	struct node *n = arg;
	struct msg_segment m =
	    pinged_message(s, clocksync_burst_of_segment(n->sync));

	n->steps += step_ns != 0;
	assert_int_equal(refit_clock_add(&n->refit, &m), 0);
}

struct sample {
	int64_t node_ns, true_ns, live_ns;
};

/* A clock on the wandering path; steps once.  Returns how many samples. */
static size_t
node_run(struct node *n, uint64_t seed, double asymmetry, struct sample *out)
{
	struct chance c = { seed };
	struct scenario sc = scenarios[2];
	struct clock_model clock;
	struct path_model there, back;
	int64_t now = 0, sample = SEC;
	bool stepped = false;
	size_t k = 0;

	memset(n, 0, sizeof(*n));
	clock_model_init(&clock, &sc.clock, &c);
	path_model_init(&there, &sc.path, &c);
	sc.path.asymmetry = asymmetry;
	path_model_init(&back, &sc.path, &c);
	n->sync = clocksync_new(seed, segment_cb, n);
	clocksync_connected(n->sync, 0);
	while (now < SECONDS * SEC) {
		int64_t due = clocksync_due(n->sync), t1, t2, t3;
		uint32_t seq;

		for (; sample < due && sample < SECONDS * SEC;
		     sample += 20 * MS) {
			if (sample >= STEP_AT && !stepped) {
				clock_model_step(&clock, sample, STEP_BY);
				stepped = true;
			}
			out[k].true_ns = sample;
			out[k].node_ns = clock_model_node(&clock, sample);
			out[k].live_ns = clocksync_mon(n->sync, out[k].node_ns);
			k++;
		}
		t1 = due > now ? due : now;
		seq = clocksync_ping(n->sync, t1);
		now = t1 + path_model_delay(&there, t1);
		t2 = clock_model_node(&clock, now);
		t3 = clock_model_node(&clock, now + 3 * US);
		now += 3 * US + path_model_delay(&back, now);
		clocksync_pong(n->sync, seq, t1, t2, t3, now);
	}
	return (k);
}

/* How far from the truth, on line and afterwards, in ns; all within bounds. */
static size_t
node_errors(uint64_t seed, double asymmetry, double *was, double *is)
{
	static struct sample s[SECONDS * 50];
	size_t k, n = 0;
	struct node o;
	const struct clockmap *m = &o.refit.map;

	k = node_run(&o, seed, asymmetry, s);
	assert_int_equal(refit_clock_fit(&o.refit), 0);
	assert_true(refit_clock_fitted(&o.refit));
	assert_int_equal(o.steps, 1);
	assert_int_equal(m->segments[m->n - 1].epoch, 1);
	for (size_t i = 1; i < m->n; i++) {
		const struct clock_segment *a = &m->segments[i - 1];

		if (a->epoch == a[1].epoch)
			assert_true(llabs(a[1].base_mon_ns -
					  clock_segment_mon(a,
					      a[1].base_node_ns)) <= 1);
	}
	for (size_t i = 0; i < k; i++) {
		int64_t mon = clockmap_mon(m, s[i].node_ns);

		/* until the step is seen nobody knows */
		if (s[i].true_ns >= STEP_AT - SEC &&
		    s[i].true_ns < STEP_AT + 2 * SEC)
			continue;
		was[n] = fabs((double)(s[i].live_ns - s[i].true_ns));
		is[n] = fabs((double)(mon - s[i].true_ns));
		assert_true(
		    is[n] <= (double)clockmap_find(m, s[i].node_ns)->error_ns);
		n++;
	}
	clocksync_free(o.sync);
	refit_clock_clear(&o.refit);
	return (n);
}

static double live[8 * SECONDS * 50], after[8 * SECONDS * 50];

static void
a_clock_is_better_known_from_both_sides(void **state)
{
	size_t n = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++)
		n += node_errors(seed, 0, live + n, after + n);
	assert_true(
	    percentile(after, n, 0.99) < 0.6 * percentile(live, n, 0.99));
	assert_true(percentile(after, n, 0.5) < 0.8 * percentile(live, n, 0.5));
}

static void
the_bound_holds_on_a_lopsided_path(void **state)
{
	size_t n;

	(void)state;
	n = node_errors(1, 0.8, live, after); /* asserts that it does */
	assert_true(percentile(after, n, 0.5) > 10 * US);
}

static void
a_clock_without_pings_stays_as_it_was(void **state)
{
	struct refit_clock c = { 0 };
	struct msg_segment m = { .base_node_ns = 5, .base_mon_ns = 1000 };

	(void)state;
	for (int i = 0; i < 10; i++) {
		assert_int_equal(refit_clock_add(&c, &m), 0);
		m.base_node_ns += SEC;
		m.base_mon_ns += SEC;
	}
	assert_int_equal(refit_clock_fit(&c), 0);
	assert_false(refit_clock_fitted(&c));
	assert_int_equal(c.map.n, 10);
	for (size_t i = 0; i < 10; i++)
		assert_memory_equal(&c.map.segments[i], &c.was.segments[i],
		    sizeof(c.map.segments[i]));
	assert_false(c.broken);
	m.base_node_ns -= 5 * SEC; /* goes back: another machine's */
	assert_int_equal(refit_clock_add(&c, &m), 0);
	assert_true(c.broken);
	refit_clock_clear(&c);
}

static void
hostile_segments_do_no_harm(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct chance c = { seed };
		struct refit_clock r = { 0 };

		for (int i = 0; i < 60; i++) {
			unsigned down = (unsigned)chance_below(&c, 63);
			struct msg_segment m = {
				.epoch = (uint32_t)chance_below(&c, 3),
				.base_node_ns =
				    (int64_t)chance_next(&c) >> down,
				.base_mon_ns = (int64_t)chance_next(&c) >> down,
				.skew_q40 = (int64_t)chance_next(&c) >>
					    chance_below(&c, 63),
				.error_ns = (int64_t)chance_next(&c),
				.state = (uint8_t)chance_below(&c, 6),
				.burst = 1,
				.low_node_ns = (int64_t)chance_next(&c) >> down,
				.low_ns = (int64_t)chance_next(&c) >> down,
				.high_node_ns =
				    (int64_t)chance_next(&c) >> down,
				.high_ns = (int64_t)chance_next(&c) >> down,
			};

			assert_int_equal(refit_clock_add(&r, &m), 0);
		}
		refit_clock_fit(&r); /* may say no, must end */
		refit_clock_clear(&r);
	}
}

/* --- order --- */

#define LANES 6

static void
effects_follow_their_causes_and_threads_themselves(void **state)
{
	struct refit_order *o = refit_order_new();
	struct chance c = { 9 };
	int64_t last[LANES] = { 0 }, sent[64] = { 0 };
	uint64_t pending[64], n = 0, id = 0;
	unsigned shifted = 0;

	(void)state;
	assert_non_null(o);
	for (int64_t t = MS; t < 200 * MS;
	     t += (int64_t)chance_below(&c, 40000)) {
		struct event e = { .location =
				       (uint32_t)chance_below(&c, LANES) };
		int64_t mapped = t + (int64_t)chance_below(&c, 10 * US);
		size_t which = chance_below(&c, n + 1);
		struct refit_met met;
		int64_t corrected;

		e.kind = EV_note;
		if (which < n && chance_is(&c, 0.6)) {
			e.kind = EV_receive;
			e.a = pending[which];
		} else if (n < 64) {
			e.kind = EV_send;
			e.a = ++id;
		}
		assert_int_equal(refit_order_next(o, &e, event_desc(e.kind),
				     e.location, mapped, mapped, &corrected,
				     &met),
		    0);
		assert_true(corrected >= mapped);
		assert_true(corrected >= last[e.location]);
		last[e.location] = corrected;
		shifted += corrected > mapped;
		if (e.kind == EV_send) {
			sent[n] = corrected;
			pending[n++] = e.a;
		} else if (e.kind == EV_receive) {
			assert_true(corrected > sent[which]);
			pending[which] = pending[--n];
			sent[which] = sent[n];
		}
	}
	assert_true(shifted > 50);
	refit_order_free(o);
}

static void
a_barrier_is_left_after_the_last_has_come(void **state)
{
	struct refit_order *o = refit_order_new();
	struct refit_met met;
	int64_t corrected;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		struct event e = { .kind = EV_barrier_enter,
			.a = 1,
			.b = 2,
			.c = 3,
			.location = i };

		refit_order_next(o, &e, event_desc(e.kind), i,
		    1000 - 100 * (int64_t)i, 0, &corrected, &met);
	}
	for (uint32_t i = 0; i < 3; i++) {
		struct event e = { .kind = EV_barrier_leave,
			.a = 1,
			.b = 2,
			.c = 3,
			.location = i };

		refit_order_next(o, &e, event_desc(e.kind), i, 900, 0,
		    &corrected, &met);
		assert_true(corrected > 1000);
		assert_false(met.met); /* of several nodes: bounds no clock */
	}
	refit_order_free(o);
}

static void
spreads_are_right_to_three_percent(void **state)
{
	static struct spread s;

	(void)state;
	assert_true(spread_mean(&s) == 0 && spread_quantile(&s, 0.5) == 0);
	for (uint64_t v = 1; v <= 100000; v++)
		spread_add(&s, v);
	assert_true(fabs(spread_mean(&s) - 50000.5) < 1);
	for (int p = 1; p < 100; p++)
		assert_true(fabs(spread_quantile(&s, p / 100.0) / (1000.0 * p) -
				 1) < 0.033);
	spread_add(&s, UINT64_MAX);
	assert_true(s.most == UINT64_MAX);
}

/* --- a whole log --- */

#define WRONG (8 * US) /* that the map of the second node is fast by */

static void
add_segment(struct make_log *l, uint32_t node, int64_t at, int64_t off)
{
	struct msg_segment m = { .node = node,
		.base_node_ns = at,
		.base_mon_ns = at + off,
		.error_ns = 30 * US,
		.state = CLOCK_LOCKED,
		.burst = 1,
		.low_node_ns = at - 20 * MS,
		.low_ns = (node == 1 ? -30 : -20) * US,
		.high_node_ns = at - 20 * MS + 5,
		.high_ns = (node == 1 ? 30 : 40) * US };

	assert_int_equal(frame_append(&l->out, MSG_segment, &m), 0);
}

/*
 * Two nodes that answer one another; clocks run true, one map does not, and
 * its pings say that it should be later still.
 */
static void
make(struct make_log *l)
{
	uint32_t at[3];

	memset(l, 0, sizeof(*l));
	make_log_head(l, "refit");
	for (uint32_t i = 0; i < 2; i++) {
		make_log_node(l, i + 1, i == 0 ? "n1" : "n2");
		make_log_po(l, i + 1, 1, "app");
	}
	at[0] = make_log_thread(l, 1, 1, 1, "main");
	at[1] = make_log_thread(l, 2, 1, 1, "main");
	at[2] = make_log_thread(l, 1, 1, 2, "other");
	for (int s = 0; s < 30; s++) {
		add_segment(l, 1, s * SEC, 0);
		add_segment(l, 2, s * SEC, WRONG);
	}
	for (int64_t k = 0; k < 2000; k++) {
		int64_t t = SEC + k * 10 * MS;
		size_t to = k % 2 == 0 ? 1 : 0;
		int64_t sent = t + (to == 0 ? WRONG : 0);
		int64_t taken = t + 5 * US + (to == 1 ? WRONG : 0);
		struct event *e;

		make_log_event(l, at[1 - to], EV_send, sent, 1 + (uint64_t)k, 8,
		    0);
		l->events[l->n - 1].t_node_ns = t;
		/* these were really later, the last of them by much */
		for (int64_t d = US; to == 0 && d < WRONG; d += 3 * US) {
			make_log_event(l, at[2], EV_note, t + d, 1, 0, 0);
			l->events[l->n - 1].t_node_ns = t + d;
		}
		make_log_event(l, at[to], EV_receive,
		    taken < sent ? sent + 500 : taken, 1 + (uint64_t)k, 8, 0);
		e = &l->events[l->n - 1];
		e->t_node_ns = t + 5 * US;
		if (taken < sent) {
			e->flags = EVENT_SHIFTED;
			e->shift_ns = (uint32_t)(sent + 500 - taken);
		}
	}
	l->block_events = 500;
	make_log_blocks(l, 0);
	make_log_finish(l);
}

struct reading {
	struct validate *validate;
	uint64_t events, shifted;
	int64_t most_ns; /* from the truth */
};

static int
read_definition(void *arg, const struct frame *f)
{
	struct reading *r = arg;

	return (validate_definition(r->validate, f));
}

static int
read_event(void *arg, const struct event *e)
{
	struct reading *r = arg;

	r->events++;
	r->shifted += (e->flags & EVENT_SHIFTED) != 0;
	if (llabs(e->t_mon_ns - e->t_node_ns) > r->most_ns)
		r->most_ns = llabs(e->t_mon_ns - e->t_node_ns);
	return (validate_event(r->validate, e));
}

static void
read_log(const char *path, struct reading *r)
{
	static const struct trace_sink sink = { read_definition, read_event };
	struct msg_receipt receipt;
	struct tracefile *tf;
	const char *why;

	*r = (struct reading){ .validate = validate_new(NULL, NULL) };
	tf = tracefile_open(path, &why);
	assert_non_null(tf);
	assert_int_equal(tracefile_each(tf, INT64_MIN, INT64_MAX, &sink, r), 0);
	assert_int_equal(tracefile_receipt(tf, &receipt), 1);
	validate_receipt(r->validate, &receipt);
	assert_int_equal(tracefile_damaged_bytes(tf), 0);
	tracefile_close(tf);
	assert_int_equal(validate_counts(r->validate)->violations, 0);
	validate_free(r->validate);
}

static void
a_refitted_log_is_whole_and_nearer_the_truth(void **state)
{
	static char out[OUTPUT_BYTES];
	char path[32], option[48], new[44];
	struct make_log l;
	struct reading was, is;

	(void)state;
	make(&l);
	tools_log_write(&l, path);
	snprintf(new, sizeof(new), "%s.new", path);
	snprintf(option, sizeof(option), "-o%s", new);
	assert_int_equal(tools_run(refit_run, "refit", option, path, out), 0);
	assert_non_null(strstr(out, "clocks: 2 fitted again, 0 as they were"));
	assert_non_null(strstr(out, "messages between nodes 2000"));
	assert_non_null(strstr(out, "reversed messages                  50.000"
				    "        0.000 %"));
	read_log(path, &was);
	read_log(new, &is);
	assert_int_equal(was.events, is.events);
	assert_true(was.shifted > 900 && was.most_ns >= WRONG);
	assert_int_equal(is.shifted, 0);
	assert_true(is.most_ns < 6 * US); /* both by half of the 10 us */
	assert_int_equal(tools_run(check_run, "check", NULL, new, out), 0);
	/* it does not write over what is there */
	assert_int_equal(tools_run(refit_run, "refit", option, path, out),
	    EX_CANTCREAT);
	unlink(new);
	/* a log that lacks events is not passed on as whole */
	l.out.p[l.out.n / 2] ^= 1;
	unlink(path);
	tools_log_write(&l, path);
	assert_int_equal(tools_run(refit_run, "refit", option, path, out),
	    EX_DATAERR);
	assert_int_equal(access(new, F_OK), -1);
	unlink(path);
	make_log_free(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clock_is_better_known_from_both_sides),
		cmocka_unit_test(the_bound_holds_on_a_lopsided_path),
		cmocka_unit_test(a_clock_without_pings_stays_as_it_was),
		cmocka_unit_test(hostile_segments_do_no_harm),
		cmocka_unit_test(
		    effects_follow_their_causes_and_threads_themselves),
		cmocka_unit_test(a_barrier_is_left_after_the_last_has_come),
		cmocka_unit_test(spreads_are_right_to_three_percent),
		cmocka_unit_test(a_refitted_log_is_whole_and_nearer_the_truth),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
