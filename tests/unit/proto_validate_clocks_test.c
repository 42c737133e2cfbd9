/* Maps of clocks: those that cannot be are found, the others are none. */
#include "tests/unit/proto_validate.h"

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* The first piece of a map is { 1, 0, 0, 0, 0 } and then these. */
static void
clock_maps_go_on(void **state)
{
	static const struct {
		const char *what, *says; /* NULL: good */
		struct msg_segment s[2];
	} cases[] = {
		{ "goes on", NULL, { { 1, 0, 1000, 1000, 100, 5 } } },
		{ "bends twice", NULL,
		    { { 1, 0, 1000, 1000, 1 << 20, 5 },
			{ 1, 0, 2000, 2000, 0, 5 } } },
		{ "steps ahead", NULL, { { 1, 1, 1000, 9000, 0, 5, 4 } } },
		{ "is another clock's", NULL, { { 1, 1, -5, 9000, 0, 5 } } },
		{ "falls", "goes back from where", { { 1, 0, 1000, 900 } } },
		{ "jumps", "without a new epoch", { { 1, 0, 1000, 1100 } } },
		{ "jumps behind a bend", "without a new epoch",
		    { { 1, 0, 1000, 1000, 1 << 29 },
			{ 1, 0, 1000000, 1001000 } } },
		{ "begins before", "begins before", { { 1, 0, -5, 1000 } } },
		{ "steps back", "goes back in time",
		    { { 1, 1, 1000, -100, 0, 5, 4 } } },
		{ "an epoch is missing", "leaves out",
		    { { 1, 2, 1000, 1000, 0, 5, 4 } } },
		{ "another clock leaves one out", "leaves out",
		    { { 1, 2, 1000, 1000 } } },
		{ "too steep", "steeper than any clock",
		    { { 1, 0, 1000, 1000, 1 << 30 } } },
		{ "a bound below 0", "no sense", { { 1, 0, 9, 9, 0, -1 } } },
		{ "no state", "no sense", { { 1, 0, 9, 9, 0, 5, 99 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct heard h;
		struct validate *v = begin(&h);

		for (int k = 0; k < 2 && cases[i].s[k].node != 0; k++)
			define(v, MSG_segment, &cases[i].s[k]);
		if (h.n != (cases[i].says != NULL) ||
		    (h.n > 0 && (h.last != VIOLATION_MAP ||
				    strstr(h.text, cases[i].says) == NULL)))
			fail_msg("%s: %u violations, %s", cases[i].what, h.n,
			    h.text);
		validate_free(v);
	}
}

static void
a_step_must_be_told(void **state)
{
	const struct msg_segment s = { 1, 1, 1000, 9000, .error_ns = 5 };
	struct event e = { .kind = EV_clock_step, .a = 8000, .b = 1, .c = 1 };
	struct heard h;
	struct validate *v = begin(&h);

	(void)state;
	define(v, MSG_segment, &s);
	validate_end(v);
	assert_int_equal(h.n, 1);
	assert_int_equal(h.last, VIOLATION_MONITOR);
	assert_int_equal(validate_event(v, &e), 0);
	validate_end(v);
	assert_int_equal(h.n, 1);
	validate_free(v);
}

/* A node that was booted: its times come again, on the map of either clock. */
static void
two_clocks(uint64_t start)
{
	static const struct {
		int64_t t_node_ns, t_mon_ns;
		unsigned wrong;
	} events[] = { { 1000, 2000, 0 }, { 1500, 2500, 0 }, { 100, 9100, 0 },
		{ 1000, 10000, 0 }, { 1000, 10001, 1 } };
	const struct msg_segment s[] = {
		{ .node = 2, .base_mon_ns = 1000, .start = 1, .epoch = 1 },
		{ .node = 2,
		    .base_node_ns = 50,
		    .base_mon_ns = 9050,
		    .start = start,
		    .epoch = 2 },
	};
	struct event told = { .kind = EV_clock_step,
		.a = 8000,
		.b = 2,
		.c = 2 };
	struct heard h;
	struct validate *v = begin(&h);

	define(v, MSG_segment, &s[0]);
	define(v, MSG_segment, &s[1]);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct event e = { .t_mon_ns = events[i].t_mon_ns,
			.t_node_ns = events[i].t_node_ns,
			.location = 3,
			.kind = EV_note,
			.seq = i };

		h.n = 0;
		assert_int_equal(validate_event(v, &e), 0);
		assert_int_equal(h.n, events[i].wrong);
	}
	h.n = 0;
	validate_end(v);
	assert_int_equal(h.n, 1); /* nobody has told of it */
	told.t_mon_ns = 10001;
	assert_int_equal(validate_event(v, &told), 0);
	h.n = 0;
	validate_end(v);
	assert_int_equal(h.n, 0);
	validate_free(v);
}

static void
a_node_may_have_had_several_clocks(void **state)
{
	(void)state;
	two_clocks(3);
	two_clocks(1); /* its spool was gone after the boot */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clock_maps_go_on),
		cmocka_unit_test(a_step_must_be_told),
		cmocka_unit_test(a_node_may_have_had_several_clocks),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
