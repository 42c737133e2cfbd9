/* monitorctl refit: events in causal order, a whole log. */
#include "tests/check.h"

#include <sysexits.h>

#include "check/validate.h"
#include "clockmap.h"
#include "tests/sim/model.h"
#include "tests/unit/tools_log.h"
#include "tools/logs/logout.h"
#include "tools/refit/refit_order.h"

#define US  1000
#define MS  1000000
#define SEC ((int64_t)1000000000)

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

static int64_t
given(struct refit_order *o, uint16_t kind, uint32_t lane, int64_t mapped_ns)
{
	struct event e = { .kind = kind, .location = lane, .a = 7 };
	struct refit_met met;
	int64_t corrected = 0;

	assert_int_equal(refit_order_next(o, &e, event_desc(kind), lane,
			     mapped_ns, mapped_ns, &corrected, &met),
	    0);
	return (corrected);
}

/* A program has written nonsense over its ring: 4 s to and fro, all the time.
 */
static void
who_goes_to_and_fro_does_not_run_away(void **state)
{
	struct refit_order *o = refit_order_new();

	(void)state;
	assert_non_null(o);
	given(o, EV_send, 2, 5 * SEC + US);
	given(o, EV_receive, 1, 5 * SEC); /* which is shifted */
	for (int i = 0; i < 60; i++) {
		given(o, EV_note, 1, SEC - i);
		assert_in_range(given(o, EV_note, 1, 5 * SEC), 5 * SEC,
		    6 * SEC);
	}
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
		cmocka_unit_test(
		    effects_follow_their_causes_and_threads_themselves),
		cmocka_unit_test(who_goes_to_and_fro_does_not_run_away),
		cmocka_unit_test(a_barrier_is_left_after_the_last_has_come),
		cmocka_unit_test(a_refitted_log_is_whole_and_nearer_the_truth),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
