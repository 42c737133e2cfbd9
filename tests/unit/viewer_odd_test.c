/*
 * What refers to something that is not there, or has a number that cannot be,
 * is left out and told of, whatever it is; it costs next to nothing.
 */
#include "tests/unit/make_model.h"

#include "model/detail.h"
#include "tests/check.h"
#include "ui/out/out.h"

#define MEMORY_MOST (8u << 20) /* of a model of such a log, bytes */

static struct model *
begin(struct make_log *l)
{
	struct model *m = model_new();
	size_t fed = 0;

	memset(l, 0, sizeof(*l));
	make_log_head(l, "odd");
	make_log_node(l, 1, "n1");
	make_log_po(l, 1, 1, "p");
	make_log_thread(l, 1, 1, 1, "main");
	make_model_tell(m, l, &fed);
	return (m);
}

/* One frame, whether it is taken or not. */
static int
tell(struct model *m, enum msg_type type, const void *msg)
{
	struct buf b = { 0 };
	struct frame f;
	int r;

	assert_int_equal(frame_append(&b, type, msg), 0);
	assert_int_equal(frame_parse(b.p, b.n, &f), FRAME_OK);
	r = model_add_frame(m, &f);
	buf_free(&b);
	return (r);
}

static void
says(const struct model *m, const char *what)
{
	char odd[200];

	if (!model_odd(m, odd, sizeof(odd)) || strstr(odd, what) == NULL)
		fail_msg("it says \"%s\", not \"%s\"", odd, what);
}

static void
definitions_that_cannot_be_are_left_out(void **state)
{
	static const struct msg_node node = { 65536, { "n", 1 }, { "m", 1 } };
	static const struct msg_node far_node = { 5000, { "n", 1 },
		{ "m", 1 } };
	static const struct msg_po po = { .node = 1u << 31, .po = 1 };
	static const struct msg_thread thread = { .location = 1u << 25,
		.node = 1,
		.po = 1,
		.thread = 2 };
	static const struct msg_thread elsewhere = { .location = 2,
		.node = UINT32_MAX,
		.po = 1,
		.thread = 2 };
	static const struct msg_name name = { .name = 67108863,
		.text = { "x", 1 } };
	static const struct msg_name sparse = { .name = 100000,
		.text = { "x", 1 } };
	static const struct msg_segment segment = { .node = 2, .error_ns = -1 };
	static const struct msg_segment far = { .node = UINT32_MAX };
	static const struct msg_kind kind = { .kind = 256, .class = 200 };
	static const struct msg_kind none = { .kind = 0 };
	static const struct {
		enum msg_type type;
		const void *msg;
		const char *says;
	} cases[] = {
		{ MSG_node, &node, "too high for this log, 65536" },
		{ MSG_node, &far_node, "too high for this log, 5000" },
		{ MSG_po, &po, "too high for this log, 2147483648" },
		{ MSG_thread, &thread, "too high for this log, 33554432" },
		{ MSG_thread, &elsewhere, "too high for this log, 4294967295" },
		{ MSG_name, &name, "too high for this log, 67108863" },
		{ MSG_name, &sparse, "too high for this log, 100000" },
		{ MSG_segment, &segment, "node that is not defined, 2" },
		{ MSG_segment, &far, "node that is not defined, 4294967295" },
		{ MSG_kind, &kind, "a kind of event that cannot be, 256" },
		{ MSG_kind, &none, "a kind of event that cannot be, 0" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct make_log l;
		struct model *m = begin(&l);

		assert_false(model_odd(m, NULL, 0));
		for (int again = 0; again < 50; again++)
			assert_int_equal(tell(m, cases[i].type, cases[i].msg),
			    -1);
		says(m, "makes no sense in 50 places");
		says(m, cases[i].says);
		assert_true(model_bytes(m) < MEMORY_MOST);
		assert_int_equal(model_nodes(m), 1);
		assert_true(model_names(m) <= 1);
		make_log_free(&l);
		model_free(m);
	}
}

/* The clock of node 2 comes before node 2 does, as in a log out of order. */
static void
a_segment_before_its_node_does_no_harm(void **state)
{
	struct msg_segment s = { .node = 2,
		.base_mon_ns = 0x4141414141414141,
		.error_ns = 0x4242424242424242 };
	struct msg_node node = { 2, { "n2", 2 }, { "m", 1 } };
	struct node_health h;
	struct make_log l;
	struct model *m = begin(&l);

	(void)state;
	s.base_mon_ns = 1000;
	for (int i = 0; i < 40; i++) {
		s.state = i % 2;
		assert_int_equal(tell(m, MSG_segment, &s), -1);
	}
	model_node_health(m, 2, &h);
	assert_int_equal(h.error_ns, 0);
	assert_int_equal(tell(m, MSG_node, &node), 0);
	assert_int_equal(tell(m, MSG_segment, &s), 0);
	model_node_health(m, 2, &h);
	assert_int_equal(h.error_ns, s.error_ns);
	assert_string_equal(model_node_name(m, 2), "n2");
	make_log_free(&l);
	model_free(m);
}

static void
events_of_what_is_not_there(void **state)
{
	static const struct {
		const char *what, *says;
		struct event e;
	} cases[] = {
		{ "a thread that could be", "thread that is not defined, 7",
		    { .location = 7, .kind = EV_enter, .a = 1 } },
		{ "a thread that cannot be",
		    "thread that is not defined, 4000000000",
		    { .location = 4000000000, .kind = EV_enter } },
		{ "a node that is not there", "a node that cannot be, 9",
		    { .kind = EV_stall, .a = UINT64_MAX, .c = 9 } },
		{ "a node that cannot be", "a node that cannot be, 4294967295",
		    { .kind = EV_distrust, .a = UINT64_MAX, .c = UINT32_MAX } },
		{ "a silence longer than all time", NULL,
		    { .kind = EV_stall, .a = UINT64_MAX, .c = 1 } },
		{ "a name that is not there", NULL,
		    { .location = 1, .kind = EV_enter, .c = 4000000000 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct make_log l;
		struct model *m = begin(&l);
		uint32_t lanes = model_lanes(m);
		struct event e = cases[i].e;

		e.t_mon_ns = -TIME_NS_MAX;
		model_add_events(m, &e, 1);
		if (cases[i].says != NULL)
			says(m, cases[i].says);
		else
			assert_false(model_odd(m, NULL, 0));
		/* the row of monitord itself is all that may be new */
		if (model_lanes(m) > lanes + 1)
			fail_msg("%s: %u rows more", cases[i].what,
			    model_lanes(m) - lanes);
		assert_true(model_bytes(m) < MEMORY_MOST);
		make_log_free(&l);
		model_free(m);
	}
}

/* By decades: as a damaged block may have it, and nobody's clock. */
static void
a_time_far_from_all_others_is_left_out(void **state)
{
	static const int64_t far[] = { ((int64_t)1 << 59) + 1,
		-((int64_t)1 << 59) - 1, TIME_NS_MAX, -TIME_NS_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		struct make_log l;
		struct model *m = begin(&l);
		struct msg_segment s = { .node = 1, .base_mon_ns = far[i] };
		struct frame f;
		size_t at = l.out.n;

		make_log_event(&l, 1, EV_enter, far[i], 1, 0, 0);
		make_log_blocks(&l, 0);
		assert_int_equal(frame_parse(l.out.p + at, l.out.n - at, &f),
		    FRAME_OK);
		assert_int_equal(model_add_frame_at(m, &f, at), -1);
		says(m, "years from all others, in a frame of type 37");
		assert_int_equal(tell(m, MSG_segment, &s), -1);
		says(m, "makes no sense in 2 places");
		assert_int_equal(model_events(m), 0);
		make_log_free(&l);
		model_free(m);
	}
}

static void
the_window_says_so(void **state)
{
	static const struct msg_segment s = { .node = 3 };
	struct make_log l;
	struct model *m = begin(&l);
	struct canvas c;
	char want[200];
	uint32_t *px;
	struct ui *ui;

	(void)state;
	snprintf(want, sizeof(want),
	    "the log makes no sense in 1 place, which is left out; the first, "
	    "at byte %zu: the clock of a node that is not defined, 3",
	    l.out.n);
	tell(m, MSG_segment, &s);
	ui = make_ui(m, &c, &px, 640, 400);
	assert_string_equal(ui->told.message, want);
	ui->told.message[0] = '\0'; /* as a key does */
	ui_refresh(ui, m, &ui->feed);
	assert_string_equal(ui->told.message, "");
	ui_free(ui);
	free(px);
	make_log_free(&l);
	model_free(m);
}

/* Nodes 2 to 699 are nowhere in the log: no clock of theirs is the worst. */
static void
numbers_that_are_left_out_are_no_nodes(void **state)
{
	static const struct msg_node node = { 700, { "n700", 4 }, { "m", 1 } };
	struct make_log l;
	struct model *m = begin(&l);
	struct canvas c;
	uint32_t *px;
	struct ui *ui;
	char *text;
	size_t n;
	FILE *out;

	(void)state;
	assert_int_equal(tell(m, MSG_node, &node), 0);
	assert_true(model_node_told(m, 1) && model_node_told(m, 700));
	assert_false(model_node_told(m, 2) || model_node_told(m, 701));
	ui = make_ui(m, &c, &px, 640, 400);
	out = open_memstream(&text, &n);
	assert_non_null(out);
	ui_describe(ui, out);
	assert_int_equal(fclose(out), 0);
	assert_non_null(strstr(text, "nodes: 2\n"));
	assert_non_null(strstr(text, "  n700: clock"));
	assert_null(strstr(text, "?: "));
	assert_null(strstr(text, "activity of ?"));
	free(text);
	ui_free(ui);
	free(px);
	make_log_free(&l);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definitions_that_cannot_be_are_left_out),
		cmocka_unit_test(a_segment_before_its_node_does_no_harm),
		cmocka_unit_test(events_of_what_is_not_there),
		cmocka_unit_test(a_time_far_from_all_others_is_left_out),
		cmocka_unit_test(the_window_says_so),
		cmocka_unit_test(numbers_that_are_left_out_are_no_nodes),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
