/* An object's handle: what it tells, and that it comes through a move whole. */
#include "tests/unit/libprobe_streams.h"

#include <stdlib.h>
#include <string.h>

struct want {
	unsigned kind;
	uint64_t a, b;
	const char *c; /* NULL: 0 */
};

static void
all_is_told(struct hub *h, const struct want *w, size_t n)
{
	struct hub_po *p = hub_wait_po(h, 0);
	struct hub_stream *s = only_stream(h);

	check_accounts(h);
	assert_int_equal(s->n, 1 + n); /* thread_begin */
	for (size_t i = 0; i < n; i++) {
		const struct ring_record *r = record_at(s, 1 + i, w[i].kind);

		assert_int_equal(r->a, w[i].a);
		assert_int_equal(r->b, w[i].b);
		if (w[i].c == NULL)
			assert_int_equal(r->c, 0);
		else
			assert_string_equal(hub_name(p, r->c), w[i].c);
	}
}

static void
a_life_is_told_by_its_handle(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	unsigned char way[PROBE_OBJECT_PACKED] = { 0 };
	struct probe_object chief, pawn, there;
	struct probe_request r;
	uint64_t order;
	size_t n;

	(void)state;
	probe_object_init(&chief, "controller", "chief");
	probe_object_begin(&chief, NULL);
	probe_object_ask(&chief, "pawn", &r);
	probe_object_init(&pawn, "pawn", NULL);
	probe_object_begin(&pawn, &r);
	probe_object_pause(&pawn, PROBE_NAME("order"));
	order = probe_object_command(&chief, pawn.id, "n2");
	probe_object_resume(&pawn);
	probe_object_follow(&pawn, order, "n2");
	n = probe_object_pack(&pawn, "n2", way, sizeof(way));
	assert_in_range(n, 28, PROBE_OBJECT_PACKED);
	probe_object_pause(&pawn, 1); /* it has gone: not a word */
	probe_object_end(&pawn);
	assert_int_equal(probe_object_pack(&pawn, "n3", way, sizeof(way)), 0);
	assert_int_equal(probe_object_unpack(&there, way, n), n);
	assert_int_equal(there.id, pawn.id);
	assert_int_equal(there.creator, chief.id);
	assert_int_equal(there.hops, 1);
	assert_string_equal(there.class_name, "pawn");
	assert_string_equal(there.home, "n1");
	assert_string_equal(chief.nickname, "chief");
	assert_string_equal(chief.home, "n1"); /* though it attached us */
	probe_object_end(&there);
	probe_object_end(&there);
	all_is_told(h,
	    (struct want[]){ { EV_object_create, chief.id, 0, "controller" },
		{ EV_object_nickname, chief.id, 0, "chief" },
		{ EV_object_request, chief.id, r.id, "pawn" },
		{ EV_object_create, pawn.id, r.id, "pawn" },
		{ EV_object_wait, pawn.id, 0, "order" },
		{ EV_object_orders, chief.id, order, NULL },
		{ EV_object_order, pawn.id, order, "n2" },
		{ EV_object_go, pawn.id, 0, NULL },
		{ EV_object_obey, pawn.id, order, "n2" },
		{ EV_object_depart, pawn.id, 1, "n2" },
		{ EV_object_arrive, pawn.id, 1, "n1" },
		{ EV_object_dispose, pawn.id, 0, NULL } },
	    12);
	hub_close(h, true);
}

/* Off, and still off behind a move; on again, and it speaks. */
static void
who_is_silent_tells_nothing(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	unsigned char way[PROBE_OBJECT_PACKED] = { 0 };
	struct probe_object o, there;
	struct probe_request r;

	(void)state;
	probe_note(0, 0);
	probe_object_init(&o, "spy", "007");
	probe_object_trace(&o, 0);
	probe_object_begin(&o, NULL);
	probe_object_ask(&o, "helper", &r);
	assert_int_equal(r.id, 0);
	assert_int_equal(r.creator, o.id);
	assert_int_equal(probe_object_command(&o, 5, "n2"), 0);
	probe_object_follow(&o, 5, "n2");
	probe_object_pause(&o, 1);
	probe_object_resume(&o);
	assert_true(probe_object_pack(&o, "n2", way, sizeof(way)) > 0);
	assert_true(probe_object_unpack(&there, way, sizeof(way)) > 0);
	assert_int_equal(there.silent, 1);
	assert_int_equal(there.hops, 1);
	assert_string_equal(there.nickname, "007");
	probe_object_trace(&there, 1);
	probe_object_end(&there);
	all_is_told(h,
	    (struct want[]){ { EV_note, 0, 0, NULL },
		{ EV_object_dispose, o.id, 0, NULL } },
	    2);
	hub_close(h, true);
}

/* Whatever comes in its place: refused, without reading beyond it. */
static void
what_is_no_handle_is_refused(void **state)
{
	unsigned char way[PROBE_OBJECT_PACKED], *part;
	struct probe_object o, there;
	size_t n;

	(void)state;
	probe_object_init(&o, "drone", NULL);
	assert_int_equal(probe_object_pack(&o, NULL, way, sizeof(way) - 1), 0);
	assert_int_equal(o.gone, 0);
	n = probe_object_pack(&o, NULL, way, sizeof(way));
	for (size_t i = 0; i < n; i++) {
		part = malloc(i + 1); /* for AddressSanitizer */
		assert_non_null(part);
		memcpy(part, way, i);
		assert_int_equal(probe_object_unpack(&there, part, i), 0);
		assert_int_equal(there.gone, 1);
		free(part);
	}
	for (size_t i = 0; i < 4; i++) {
		way[i] ^= 2;
		assert_int_equal(probe_object_unpack(&there, way, n), 0);
		way[i] ^= 2;
	}
	way[28] = 200;
	assert_int_equal(probe_object_unpack(&there, way, n), 0);
	way[28] = 5;
	assert_int_equal(probe_object_unpack(&there, way, n), n);
	assert_string_equal(there.class_name, "drone");
}

/* The longest names fit, and are cut between characters. */
static void
long_names_are_cut(void **state)
{
	unsigned char way[PROBE_OBJECT_PACKED] = { 0 };
	struct probe_object o, there;
	char text[200];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	memcpy(text + 62, "\xc3\xa4", 2);
	probe_object_init(&o, text, text + 1);
	assert_int_equal(strlen(o.class_name), 62);
	assert_int_equal(strlen(o.nickname), 63);
	memset(o.home, 'h', sizeof(o.home) - 1);
	o.home[sizeof(o.home) - 1] = '\0';
	assert_true(probe_object_pack(&o, text, way, sizeof(way)) > 0);
	assert_true(probe_object_unpack(&there, way, sizeof(way)) > 0);
	assert_string_equal(there.class_name, o.class_name);
	assert_string_equal(there.nickname, o.nickname);
	assert_string_equal(there.home, o.home);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_life_is_told_by_its_handle),
		cmocka_unit_test(who_is_silent_tells_nothing),
		cmocka_unit_test(what_is_no_handle_is_refused),
		cmocka_unit_test(long_names_are_cut),
	};

	(void)argc;
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
