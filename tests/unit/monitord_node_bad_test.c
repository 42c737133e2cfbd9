/* Whom monitord refuses, and what closes a connection and harms nobody. */
#include <sysexits.h>

#include "monitord/inside.h"
#include "monitord/registry/registry_inside.h"
#include "tests/unit/monitord_found.h"

static void
send_stream(struct fake *f, uint32_t stream, uint64_t number)
{
	struct batch_writer *bw = batch_writer_new();
	struct node_event e = { .t_node_ns = fake_now(f), .kind = EV_note };
	struct msg_batch m = { .number = number, .events = 1 };

	batch_add_run(bw, stream, 0, &e, 1);
	m.streams = batch_bytes(bw);
	peer_send(f->data, MSG_batch, &m);
	batch_writer_free(bw);
}

static void
send_garbage(struct fake *f, unsigned which)
{
	static const char junk[] = "\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff"
				   "\xff\xff\xff";
	struct msg_batch m = { .number = 9, .streams = { junk, 13 } };
	struct msg_pong pong = { .seq = 1 };
	struct msg_node node = { .node = 1, .name = BYTES_STR("n1") };
	struct msg_po po = { .po = UINT32_MAX };
	uint8_t frame[64] = { 0 };

	switch (which) {
	case 0:
		peer_send_raw(f->data, "GET / HTTP/1.0\r\n\r\n", 18);
		break;
	case 1:
		peer_send(f->data, MSG_batch, &m);
		break;
	case 2:
		peer_send(f->data, MSG_pong, &pong);
		break;
	case 3:
		send_stream(f, 77, 9);
		break;
	case 4:
		peer_send(f->data, MSG_node, &node);
		break;
	case 5:
		peer_send(f->data, MSG_po, &po);
		break;
	case 6: /* of unknown type */
		peer_send_raw(f->data, frame, frame_seal(frame, 99, 4));
		break;
	case 7: /* a body that is cut */
		peer_send_raw(f->data, frame, frame_seal(frame, MSG_batch, 4));
		break;
	case 8: /* a wrong checksum */
		frame_seal(frame, MSG_heartbeat, 20);
		frame[30] ^= 1;
		peer_send_raw(f->data, frame, 36);
		break;
	case 9: /* a second hello */
		peer_send(f->data, MSG_hello, &f->hello);
		break;
	}
}

static void
garbage_closes_one_connection_and_harms_nobody(void **state)
{
	struct world w;
	struct fake f, bad;
	char name[8];

	(void)state;
	open_one(&w, &f);
	for (unsigned i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "x%u", i);
		fake_open(&bad, &w, name);
		WAIT_FOR(&w, bad.welcomed);
		fake_define(&bad);
		/* wait until its clock is known: then batches are looked at */
		fake_publish(&bad, 1);
		WAIT_FOR(&w, bad.acked == 1);
		send_garbage(&bad, i);
		WAIT_FOR(&w, bad.lost);
		fake_publish(&f, 3);
		WAIT_FOR(&w, f.acked == i + 1);
		/* it comes back and says what it has */
		fake_again(&bad);
		fake_free(&bad);
	}
	/* of those who have gone for good, nobody knows the count */
	assert_int_equal(world_finish(&w), EX_SOFTWARE);
	close_one(&w, &f);
}

/* What is beyond that is not in it, and the receipt says so. */
static void
a_run_that_can_hold_no_more_stops_no_node(void **state)
{
	struct msg_thread t = { .location = 2, .po = 1, .thread = 2 };
	struct msg_name name = { .name = 2,
		.po = 1,
		.text = BYTES_STR("one more") };
	struct msg_po po = { .po = 2, .program = BYTES_STR("app") };
	struct msg_receipt r;
	struct found found;
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 1);
	w.core->registry->locations_max = w.core->registry->nlocations;
	w.core->registry->names_max = w.core->registry->nnames;
	w.core->registry->po_max = 1;
	for (uint64_t session = 0; session < 2; session++) {
		peer_send(f.data, MSG_thread, &t);
		peer_send(f.data, MSG_name, &name);
		peer_send(f.data, MSG_po, &po);
		send_stream(&f, t.location, ++f.number);
		fake_publish(&f, 10);
		WAIT_FOR(&w, f.acked == f.number);
		assert_false(f.lost);
		if (session == 0)
			fake_again(&f);
	}
	finish_with(&w, EX_SOFTWARE, &r);
	assert_int_equal(r.unknown, 1);
	assert_int_equal(r.stored, 30);
	read_log(&w, &found);
	assert_int_equal(found.notes, 30);
	assert_false(found.wrong);
	close_one(&w, &f);
}

static void
other_versions_and_strangers_are_refused_with_a_reason(void **state)
{
	static const struct {
		const char *what, *name;
		uint16_t min, max;
		uint8_t role;
		uint8_t run;
		int code;
	} cases[] = {
		{ "newer", "n1", PROTO_VERSION + 1, 99, ROLE_COLLECTOR, 0,
		    EX_PROTOCOL },
		{ "older", "n1", 0, 0, ROLE_COLLECTOR, 0, EX_PROTOCOL },
		{ "no such role", "n1", 1, 1, 77, 0, EX_PROTOCOL },
		{ "another run", "n1", 1, 1, ROLE_COLLECTOR, 5, EX_DATAERR },
		{ "not in the file", "n2", 1, 1, ROLE_COLLECTOR, 0, EX_CONFIG },
		{ "a bad name", "../n1", 1, 1, ROLE_COLLECTOR, 0, EX_DATAERR },
		{ "no name", "", 1, 1, ROLE_COLLECTOR, 0, EX_DATAERR },
	};
	struct world w;
	struct fake f;

	(void)state;
	world_open(&w);
	w.closed = true;
	w.nodes[0] = "n1";
	w.nnodes = 1;
	assert_int_equal(world_start(&w), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake_init(&f, &w, cases[i].name);
		f.hello.version_min = cases[i].min;
		f.hello.version_max = cases[i].max;
		f.hello.role = cases[i].role;
		f.hello.run.b[3] = cases[i].run;
		fake_connect(&f);
		WAIT_FOR(&w, f.lost);
		if (!f.refused || f.refuse_code != cases[i].code)
			fail_msg("%s: code %d", cases[i].what, f.refuse_code);
		fake_free(&f);
	}
	world_close(&w);
}

static void
one_machine_cannot_take_the_name_of_another(void **state)
{
	struct world w;
	struct fake f, g;

	(void)state;
	open_one(&w, &f);
	fake_init(&g, &w, "n1");
	g.hello.machine = BYTES_STR("another");
	fake_connect(&g);
	WAIT_FOR(&w, g.lost);
	assert_true(g.refused);
	assert_false(f.lost);
	fake_free(&g);
	/* but the same one may be back before its loss was noticed */
	fake_open(&g, &w, "n1");
	WAIT_FOR(&w, g.welcomed && f.lost);
	fake_free(&f);
	fake_define(&g);
	fake_publish(&g, 5);
	WAIT_FOR(&w, g.acked == 1);
	close_exact(&w, &g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    garbage_closes_one_connection_and_harms_nobody),
		cmocka_unit_test(a_run_that_can_hold_no_more_stops_no_node),
		cmocka_unit_test(
		    other_versions_and_strangers_are_refused_with_a_reason),
		cmocka_unit_test(one_machine_cannot_take_the_name_of_another),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (cmocka_run_group_tests_name("monitord node bad", tests, NULL,
	    NULL));
}
