/* Definitions are found again, and events read as they should. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "log/tracefile.h"

static void
define(struct defs *d, enum msg_type type, const void *msg)
{
	struct frame f;
	size_t n;
	uint8_t *p = frame_message(type, msg, &n);

	assert_int_equal(frame_parse(p, n, &f), FRAME_OK);
	assert_int_equal(defs_add(d, &f), 0);
	/* nothing may point into the frame */
	memset(p, 0xaa, n);
	free(p);
}

static struct defs *
make(void)
{
	struct msg_node node = { .node = 1,
		.name = BYTES_STR("n1"),
		.machine = BYTES_STR("boot@host") };
	struct msg_po po = { .node = 1,
		.po = 3,
		.pid = 4711,
		.program = BYTES_STR("pascal"),
		.command = BYTES_STR("pascal 35") };
	struct msg_thread th = { .location = 7,
		.node = 1,
		.po = 3,
		.thread = 1,
		.tid = 4712,
		.name = BYTES_STR("pe 2") };
	struct msg_name names[] = {
		{ .name = 5,
		    .text = BYTES_STR("bigp"),
		    .file = BYTES_STR("pascal.c"),
		    .line = 12,
		    .program = BYTES_STR("pascal") },
		{ .name = 6, .text = BYTES_STR("a \"b\"\n\\") },
	};
	struct defs *d = defs_new();

	define(d, MSG_node, &node);
	define(d, MSG_po, &po);
	define(d, MSG_thread, &th);
	define(d, MSG_name, &names[0]);
	define(d, MSG_name, &names[1]);
	return (d);
}

static void
definitions_are_found_again(void **state)
{
	struct defs *d = make();

	(void)state;
	assert_string_equal(defs_node(d, 1)->machine, "boot@host");
	assert_string_equal(defs_po(d, 1, 3)->command, "pascal 35");
	assert_int_equal(defs_po(d, 1, 3)->pid, 4711);
	assert_string_equal(defs_thread(d, 7)->name, "pe 2");
	assert_string_equal(defs_name(d, 5)->file, "pascal.c");
	assert_string_equal(defs_name(d, 5)->program, "pascal");
	assert_int_equal(defs_name(d, 5)->line, 12);
	assert_null(defs_node(d, 2));
	assert_null(defs_po(d, 3, 1));
	assert_null(defs_thread(d, 0));
	assert_null(defs_name(d, 99));
	assert_int_equal(defs_nodes(d), 1);
	assert_int_equal(defs_locations(d), 7);
	assert_int_equal(defs_names(d), 6);
	assert_string_equal(defs_name_text(d, 5), "bigp");
	assert_string_equal(defs_name_text(d, 17), "?17");
	assert_string_equal(defs_name_text(d, 0), "");
	defs_free(d);
}

static void
a_second_definition_replaces_the_first(void **state)
{
	struct msg_name nm = { .name = 5, .text = BYTES_STR("bigger") };
	struct defs *d = make();
	const struct def_name *before = defs_name(d, 5);

	(void)state;
	define(d, MSG_name, &nm);
	assert_ptr_equal(defs_name(d, 5), before);
	assert_string_equal(before->text, "bigger");
	assert_int_equal(defs_names(d), 6);
	defs_free(d);
}

static void
high_numbers_cost_nothing(void **state)
{
	struct defs *d = defs_new();

	(void)state;
	for (uint32_t i = 0; i < 100000; i++) {
		struct msg_thread th = { .location = DEFS_NUMBER_MAX - i * 97,
			.node = i };
		struct msg_name nm = { .name = DEFS_NUMBER_MAX - i,
			.text = BYTES_STR("x") };

		define(d, MSG_thread, &th);
		define(d, MSG_name, &nm);
	}
	assert_int_equal(defs_names(d), DEFS_NUMBER_MAX);
	for (uint32_t i = 0; i < 100000; i++) {
		assert_int_equal(defs_thread(d, DEFS_NUMBER_MAX - i * 97)->node,
		    i);
		assert_non_null(defs_name(d, DEFS_NUMBER_MAX - i));
	}
	defs_free(d);
}

static void
numbers_beyond_the_limit_are_refused(void **state)
{
	static const uint8_t name[] = { 1, 0, 0, 1 };
	static const uint8_t po[] = { 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0 };
	struct frame f = { .type = MSG_name,
		.body = name,
		.body_bytes = sizeof(name) };
	struct defs *d = defs_new();

	(void)state;
	assert_int_equal(defs_add(d, &f), -1);
	f = (struct frame){ .type = MSG_po,
		.body = po,
		.body_bytes = sizeof(po) };
	assert_int_equal(defs_add(d, &f), -1);
	assert_int_equal(defs_names(d), 0);
	defs_free(d);
}

static void
damaged_definitions_are_refused(void **state)
{
	static const uint8_t body[] = { 1, 0, 0, 0, 9, 0, 'x' };
	struct frame f = { .type = MSG_node,
		.body = body,
		.body_bytes = sizeof(body) };
	struct defs *d = defs_new();

	(void)state;
	assert_int_equal(defs_add(d, &f), -1);
	assert_null(defs_node(d, 1));
	f.type = MSG_block; /* none of ours: ignored */
	assert_int_equal(defs_add(d, &f), 0);
	f.type = 9999;
	assert_int_equal(defs_add(d, &f), 0);
	defs_free(d);
}

static void
events_read_as_they_should(void **state)
{
	/* clang-format off */
	static const struct {
		const char *want;
		struct event e;
	} cases[] = {
		{ "12.400312345 n1/3.1 task_begin task=0x1f pe=2 procedure=bigp",
		    { .t_mon_ns = 12400312345, .location = 7, .kind = EV_task_begin, .a = 31, .b = 2, .c = 5 } },
		{ "-0.000000001 n1/3.1 task_end task=0x0",
		    { .t_mon_ns = -1, .location = 7, .kind = EV_task_end } },
		{ "0.000000000 monitord stall silent=77 node=n1",
		    { .location = 0, .kind = EV_stall, .a = 77, .c = 1 } },
		{ "0.000000000 ?8 counter value=-3 counter=?9",
		    { .location = 8, .kind = EV_counter, .a = (uint64_t)-3, .c = 9 } },
		{ "0.000000000 n1/3.1 counter_real value=0.1 counter=bigp",
		    { .location = 7, .kind = EV_counter_real, .a = 0x3fb999999999999a, .c = 5 } },
		{ "0.000000000 n1/3.1 counter_real value=-0.30000000000000004 counter=bigp",
		    { .location = 7, .kind = EV_counter_real, .a = 0xbfd3333333333334, .c = 5 } },
		{ "0.000000000 n1/3.1 po_end process=9 clean=1 ending=\"exited 3\"",
		    { .location = 7, .kind = EV_po_end, .a = 9, .b = 1, .c = ENDING_EXITED | 3 } },
		{ "0.000000000 n1/3.1 po_end process=9 clean=0 ending=vanished",
		    { .location = 7, .kind = EV_po_end, .a = 9 } },
		{ "0.000000000 n1/3.1 note value=0 text=\"a \\\"b\\\"\\x0a\\\\\"",
		    { .location = 7, .kind = EV_note, .c = 6 } },
		{ "0.000000000 n1/3.1 lost records=4 total=9 reason=\"ring full\"",
		    { .location = 7, .kind = EV_lost, .a = 4, .b = 9, .c = LOST_RING_FULL } },
		{ "0.000000000 monitord orphan key=0x5 kind=receive",
		    { .kind = EV_orphan, .a = 5, .c = EV_receive } },
		{ "0.000000000 n1/3.1 receive message=0x7 size=10 tag=0 late orphan shifted=300ns",
		    { .location = 7, .kind = EV_receive, .a = 7, .b = 10, .shift_ns = 300,
		      .flags = EVENT_LATE | EVENT_ORPHAN | EVENT_SHIFTED } },
		{ "0.000000000 n1/3.1 enter address=0xffffffffffffffff caller=0x0 function=-",
		    { .location = 7, .kind = EV_enter, .a = UINT64_MAX } },
		{ "0.000000000 n1/3.1 kind99 a=0x1 b=0x2 c=3",
		    { .location = 7, .kind = 99, .a = 1, .b = 2, .c = 3 } },
		{ "9223372036.854775807 n1/3.1 state state=bigp",
		    { .t_mon_ns = INT64_MAX, .location = 7, .kind = EV_state, .c = 5 } },
	};
	/* clang-format on */
	struct defs *d = make();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char buf[200], part[20];
		int n = event_print(buf, sizeof(buf), &cases[i].e, d, 0);

		assert_string_equal(buf, cases[i].want);
		assert_int_equal(n, strlen(cases[i].want));
		assert_int_equal(event_print(part, sizeof(part), &cases[i].e, d,
				     0),
		    n);
		assert_int_equal(strlen(part), sizeof(part) - 1);
		assert_memory_equal(part, buf, sizeof(part) - 1);
		assert_int_equal(event_print(NULL, 0, &cases[i].e, d, 0), n);
	}
	defs_free(d);
}

static void
a_newer_kind_reads_by_its_own_names(void **state)
{
	struct msg_kind k = { .kind = 99,
		.name = BYTES_STR("teleport"),
		.class = 250,
		.shape = 9,
		.span = 99,
		.role = 7,
		.partner = 60000,
		.key = 9,
		.match = 9,
		.a = BYTES_STR("cargo:bytes"),
		.c = BYTES_STR("to:name"),
		.what = BYTES_STR("not yet") };
	struct event e = { .location = 7, .kind = 99, .a = 12, .c = 5 };
	struct defs *d = make();
	char buf[200];

	(void)state;
	define(d, MSG_kind, &k);
	event_print(buf, sizeof(buf), &e, d, 0);
	assert_string_equal(buf,
	    "0.000000000 n1/3.1 teleport cargo=12 to=bigp");
	assert_true(defs_kind(d, 99)->class < EVENT_CLASSES);
	assert_true(defs_kind(d, 99)->span < EVENT_SPANS);
	assert_int_equal(defs_kind(d, 99)->shape, SHAPE_POINT);
	assert_string_equal(defs_kind(d, EV_send)->name, "send");
	assert_null(defs_kind(d, 98));
	defs_free(d);
}

static void
a_name_of_code_is_what_is_found_there(void **state)
{
	struct msg_name place = { .name = 8, .text = BYTES_STR("x#01+0x1139") };
	struct msg_symbol s[] = {
		{ .name = 8,
		    .function = BYTES_STR("inner"),
		    .file = BYTES_STR("x.h"),
		    .line = 3,
		    .first = 1 },
		{ .name = 8,
		    .level = 1,
		    .function = BYTES_STR("outer"),
		    .file = BYTES_STR("x.c"),
		    .line = 70 },
		{ .name = 8, .level = 9, .function = BYTES_STR("no such") },
		{ .name = 8, .function = BYTES_STR("told twice") },
	};
	struct defs *d = make();
	const struct def_name *n;

	(void)state;
	define(d, MSG_name, &place);
	assert_string_equal(defs_name_text(d, 8), "x#01+0x1139");
	for (size_t i = 0; i < sizeof(s) / sizeof(s[0]); i++)
		define(d, MSG_symbol, &s[i]);
	define(d, MSG_name, &place);
	n = defs_name(d, 8);
	assert_string_equal(n->text, "inner");
	assert_string_equal(n->file, "x.h");
	assert_int_equal(n->line, 3);
	assert_string_equal(n->place, "x#01+0x1139");
	assert_string_equal(n->symbol->into->function, "outer");
	assert_int_equal(n->symbol->into->line, 70);
	assert_null(n->symbol->into->into);
	assert_null(defs_name(d, 5)->symbol);
	defs_free(d);
}

static void
an_address_is_in_the_module_that_came_last(void **state)
{
	struct msg_module m[] = {
		{ .node = 1,
		    .po = 3,
		    .start = 0x1000,
		    .end = 0x3000,
		    .path = BYTES_STR("/a") },
		{ .node = 1,
		    .po = 3,
		    .start = 0x2000,
		    .end = 0x4000,
		    .path = BYTES_STR("/b") },
		{ .node = 2,
		    .po = 3,
		    .start = 0x1000,
		    .end = 0x2000,
		    .path = BYTES_STR("/c") },
	};
	struct defs *d = make();

	(void)state;
	assert_null(defs_modules(d));
	for (size_t i = 0; i < sizeof(m) / sizeof(m[0]); i++)
		define(d, MSG_module, &m[i]);
	assert_string_equal(defs_module(d, 1, 3, 0x1fff)->path, "/a");
	assert_string_equal(defs_module(d, 1, 3, 0x2000)->path, "/b");
	assert_null(defs_module(d, 1, 3, 0x4000));
	assert_null(defs_module(d, 1, 2, 0x1000));
	assert_string_equal(defs_module(d, 2, 3, 0x1000)->path, "/c");
	assert_string_equal(defs_modules(d)->next->next->path, "/c");
	defs_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definitions_are_found_again),
		cmocka_unit_test(a_second_definition_replaces_the_first),
		cmocka_unit_test(high_numbers_cost_nothing),
		cmocka_unit_test(numbers_beyond_the_limit_are_refused),
		cmocka_unit_test(damaged_definitions_are_refused),
		cmocka_unit_test(events_read_as_they_should),
		cmocka_unit_test(a_newer_kind_reads_by_its_own_names),
		cmocka_unit_test(a_name_of_code_is_what_is_found_there),
		cmocka_unit_test(an_address_is_in_the_module_that_came_last),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
