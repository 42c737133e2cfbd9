/* A collector's words, from its hello to the log. */
#include "tests/unit/monitord_asker.h"
#include "tests/unit/monitord_found.h"

static void
events_reach_the_log_once_and_in_order(void **state)
{
	struct world w;
	struct fake a, b;
	struct found f;
	struct msg_receipt r;

	(void)state;
	world_open(&w);
	assert_int_equal(world_start(&w), 0);
	fake_open(&a, &w, "n1");
	fake_open(&b, &w, "n2");
	b.offset_ns = 5 * ENV_SEC;
	WAIT_FOR(&w, a.welcomed && b.welcomed);
	fake_define(&a);
	fake_define(&b);
	for (int i = 0; i < 5; i++) {
		fake_publish(&a, 100);
		fake_publish(&b, 70);
	}
	WAIT_FOR(&w, a.acked == 5 && b.acked == 5);
	assert_int_equal(world_finish(&w), 0);
	read_log(&w, &f);
	assert_int_equal(f.notes, 850);
	assert_false(f.wrong);
	assert_int_equal(f.falls, 0);
	assert_true(read_receipt(&w, &r));
	assert_int_equal(r.published, 850);
	assert_int_equal(r.stored, 850);
	assert_int_equal(r.lost, 0);
	assert_int_equal(r.unknown, 0);
	fake_free(&a);
	fake_free(&b);
	world_close(&w);
}

static void
what_is_repeated_is_stored_once(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	fake_batch(&f, 1, 0, 10); /* the same */
	fake_batch(&f, 1, 5, 5);  /* a part of it */
	fake_publish(&f, 10);
	fake_batch(&f, 3, 5, 20); /* half old, half new */
	f.number = 3;
	f.next_seq = f.published = 25;
	WAIT_FOR(&w, f.acked == 3);
	/* a lost connection: it repeats from the beginning */
	fake_again(&f);
	fake_batch(&f, 1, 0, 10);
	fake_batch(&f, 2, 10, 10);
	fake_batch(&f, 3, 5, 20);
	fake_publish(&f, 7);
	WAIT_FOR(&w, f.acked == 4);
	close_exact(&w, &f);
}

static void
a_gap_closes_the_connection_and_is_repeated(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	fake_batch(&f, 2, 15, 5);
	WAIT_FOR(&w, f.lost);
	fake_again(&f);
	fake_batch(&f, 1, 0, 10);
	f.number = 1;
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 2);
	close_exact(&w, &f);
}

struct gone {
	uint64_t records, at_seq, total;
	unsigned n;
};

static int
gone_event(void *arg, const struct event *e)
{
	struct gone *g = arg;

	if (e->kind != EV_lost || e->c != LOST_GONE)
		return (0);
	g->records += e->a;
	g->at_seq = e->seq;
	g->total = e->b;
	g->n++;
	return (0);
}

/* What nobody has any more is a loss of so many, and the node goes on. */
/*
 * Frames that are lost on the way are in the spool, as often as it happens.
 * What is on disk of those before them need not be repeated again and again.
 */
static void
what_the_way_has_swallowed_is_asked_for_again(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	for (int i = 0; i < 4 || (i < 200 && f.acked == 0); i++) {
		fake_spooled(&f, 1);
		fake_batch(&f, 1, 0, 10);
		fake_batch(&f, 3, 20, 10); /* and where is the second? */
		WAIT_FOR(&w, f.lost);
		assert_false(f.refused);
		fake_again(&f);
	}
	assert_int_equal(f.acked, 1);
	fake_batch(&f, 2, 10, 10); /* which it is, has been swallowed, too */
	WAIT_FOR(&w, f.lost);
	fake_again(&f);
	fake_spooled(&f, 1);
	for (uint64_t i = 0; i < 3; i++)
		fake_batch(&f, 1 + i, 10 * i, 10);
	f.number = 3;
	f.published = f.next_seq = 30;
	close_exact(&w, &f);
}

/* A sender that has not heard of the first repeats it in the same session. */
static void
what_comes_twice_is_no_hole(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	fake_spooled(&f, 1);
	for (uint64_t i = 0; i < 3; i++) {
		fake_batch(&f, 1 + i, 10 * i, 10);
		fake_batch(&f, 1 + i, 10 * i, 10);
	}
	f.number = 3;
	f.published = f.next_seq = 30;
	close_exact(&w, &f);
	assert_false(f.lost);
}

/*
 * Something holds its watermark and its spool has no more room, so that nothing
 * can come that would let it go on: what is here goes to the log.
 */
static void
a_node_whose_spool_is_full_is_not_stuck(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 1);
	f.vouched_ns = fake_now(&f);
	fake_publish(&f, 10);
	fake_publish(&f, 10);
	f.spool_bytes = f.spool_limit_bytes = 16 << 20;
	WAIT_FOR(&w, f.acked == 3);
	f.vouched_ns = 0; /* it goes on */
	f.spool_bytes = 0;
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 4);
	close_exact(&w, &f);
}

/* While it has room it is waited for, or what it tells would be late. */
static void
a_node_whose_spool_has_room_is_waited_for(void **state)
{
	struct world w;
	struct fake f;
	unsigned beats;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 1);
	f.vouched_ns = fake_now(&f);
	fake_publish(&f, 10);
	f.spool_bytes = 1 << 20;
	f.spool_limit_bytes = 16 << 20;
	beats = f.beats;
	WAIT_FOR(&w, f.beats == beats + 50); /* half a second */
	assert_int_equal(f.acked, 1);
	f.vouched_ns = 0;
	close_exact(&w, &f);
}

/* The spool has a hole, and says so. */
static void
what_the_spool_has_lost_is_a_counted_loss(void **state)
{
	struct world w;
	struct fake f;
	struct msg_receipt r;

	(void)state;
	open_one(&w, &f);
	for (int i = 0; i < 2; i++) {
		fake_spooled(&f, 1);
		fake_batch(&f, 1, 0, 10);
		fake_spooled(&f, 3);
		fake_batch(&f, 3, 20, 10);
		if (i == 1)
			break;
		WAIT_FOR(&w, f.lost);
		fake_again(&f);
	}
	f.number = 3;
	f.published = f.next_seq = 30;
	WAIT_FOR(&w, f.acked == 3);
	finish_with(&w, 0, &r);
	assert_int_equal(r.lost, 10);
	assert_int_equal(r.stored, 20);
	close_one(&w, &f);
}

static void
a_gap_that_stays_is_a_counted_loss(void **state)
{
	static const struct trace_sink sink = { .event = gone_event };
	const char *why = NULL;
	struct gone gone = { 0 };
	struct world w;
	struct fake f;
	struct found found;
	struct msg_receipt r;
	struct tracefile *t;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 1);
	/* another spool, from 1 on: events 10 to 14 are nowhere */
	for (int i = 0; i < 2; i++) {
		fake_again(&f);
		f.acked = 0;
		fake_batch(&f, 1, 15, 5);
		if (i == 0)
			WAIT_FOR(&w, f.lost);
	}
	WAIT_FOR(&w, f.acked == 1);
	assert_false(f.lost);
	/* monitord forgets nothing of it when it is started again */
	core_free(w.core);
	assert_int_equal(world_start(&w), 0);
	fake_again(&f);
	f.next_seq = f.published = 20;
	f.number = 1;
	fake_publish(&f, 5);
	WAIT_FOR(&w, f.acked == 2);
	finish_with(&w, 0, &r);
	assert_int_equal(r.published, 25);
	assert_int_equal(r.stored, 20);
	assert_int_equal(r.lost, 5);
	assert_int_equal(r.unknown, 0);
	read_log(&w, &found);
	assert_int_equal(found.notes, 20);
	t = tracefile_open(w.log, &why);
	assert_non_null(t);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &gone),
	    0);
	tracefile_close(t);
	assert_int_equal(gone.n, 1);
	assert_int_equal(gone.records, 5);
	assert_int_equal(gone.total, 5);
	assert_int_equal(gone.at_seq, 14);
	close_one(&w, &f);
}

static void
batches_wait_for_the_clock(void **state)
{
	struct world w;
	struct fake f;
	struct asker a;

	(void)state;
	world_open(&w);
	assert_int_equal(world_start(&w), 0);
	fake_init(&f, &w, "n1");
	f.silent_clock = true;
	f.offset_ns = -1000 * ENV_SEC;
	fake_connect(&f);
	WAIT_FOR(&w, f.welcomed);
	fake_define(&f);
	fake_publish(&f, 10);
	fake_publish(&f, 10);
	asker_open(&a, &w, "status");
	WAIT_FOR(&w, a.code != -1);
	assert_non_null(strstr(a.text, "state: syncing"));
	assert_int_equal(f.acked, 0);
	peer_close(a.peer, false);
	/* the clock comes back to life */
	f.silent_clock = false;
	fake_again(&f);
	fake_batch(&f, 1, 0, 10);
	fake_batch(&f, 2, 10, 10);
	WAIT_FOR(&w, f.acked == 2);
	close_exact(&w, &f);
}

static void
a_restarted_monitord_goes_on_with_the_log(void **state)
{
	struct world w;
	struct fake f, g;
	struct found found;
	struct msg_receipt r;

	(void)state;
	open_one(&w, &f);
	fake_open(&g, &w, "n2");
	WAIT_FOR(&w, g.welcomed);
	fake_define(&g);
	for (unsigned i = 0; i < 5; i++) {
		fake_publish(&f, 50);
		fake_publish(&g, 30);
		WAIT_FOR(&w, f.acked == i + 1);
		fake_publish(&f, 20); /* not acknowledged when it dies */
		core_free(w.core);
		w.core = NULL;
		WAIT_FOR(&w, f.lost && g.lost);
		fake_close(&f);
		fake_close(&g);
		assert_int_equal(world_start(&w), 0);
		fake_connect(&f);
		fake_connect(&g);
		WAIT_FOR(&w, f.welcomed && g.welcomed);
		fake_define(&f);
		fake_define(&g);
		fake_batch(&f, i + 1, 0, f.next_seq);
		fake_batch(&g, i + 1, 0, g.next_seq);
		f.number = g.number = i + 1;
		WAIT_FOR(&w, f.acked == i + 1 && g.acked == i + 1);
	}
	assert_int_equal(world_finish(&w), 0);
	read_log(&w, &found);
	assert_int_equal(found.notes, f.published + g.published);
	assert_false(found.wrong);
	assert_int_equal(found.falls, 0);
	assert_true(read_receipt(&w, &r));
	assert_int_equal(r.published, f.published + g.published);
	fake_free(&f);
	fake_free(&g);
	world_close(&w);
}

static void
names_are_one_when_their_texts_are(void **state)
{
	struct world w;
	struct fake f, g;
	struct asker a;

	(void)state;
	open_one(&w, &f);
	fake_open(&g, &w, "n2");
	WAIT_FOR(&w, g.welcomed);
	fake_define(&g);
	fake_publish(&f, 1);
	fake_publish(&g, 1);
	WAIT_FOR(&w, f.acked == 1 && g.acked == 1);
	asker_open(&a, &w, "status");
	WAIT_FOR(&w, a.code != -1);
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(a.text, "\nnames: 1\n"));
	assert_non_null(strstr(a.text, "\nlocations: 3\n"));
	assert_non_null(strstr(a.text, "state: running"));
	peer_close(a.peer, false);
	assert_int_equal(world_finish(&w), 0);
	fake_free(&f);
	fake_free(&g);
	world_close(&w);
}

/* Functions of one name, and one that two programs share. */
static void
define_steps(struct fake *f)
{
	static const struct {
		const char *file;
		uint32_t po, line;
	} at[] = { { "a.c", 1, 3 }, { "a.c", 1, 9 }, { "b.c", 1, 3 },
		{ "", 1, 0 }, { "a.c", 2, 3 }, { "", 2, 0 },
		/* app is the same program here, too */
		{ "a.c", 3, 9 } };
	uint32_t names[4] = { 0, 1, 0, 0 };

	for (uint32_t po = 2; po <= 3; po++)
		peer_send(f->data, MSG_po,
		    &(struct msg_po){ .po = po,
			.program = BYTES_STR(po == 2 ? "other" : "app") });
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		peer_send(f->data, MSG_name,
		    &(struct msg_name){ .po = at[i].po,
			.name = ++names[at[i].po],
			.text = BYTES_STR("bigp"),
			.file = BYTES_STR(at[i].file),
			.line = at[i].line });
}

static unsigned
names_now(struct world *w)
{
	struct asker a;
	unsigned n = 0;

	asker_open(&a, w, "status");
	WAIT_FOR(w, a.code != -1);
	assert_int_equal(sscanf(strstr(a.text, "\nnames: "), "\nnames: %u", &n),
	    1);
	peer_close(a.peer, false);
	return (n);
}

static void
functions_of_one_name_are_told_apart(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	define_steps(&f);
	fake_publish(&f, 1);
	WAIT_FOR(&w, f.acked == 1);
	/* app: a.c:3, a.c:9, b.c:3; other: a.c:3; and one without a place */
	assert_int_equal(names_now(&w), 5);
	core_free(w.core);
	w.core = NULL;
	WAIT_FOR(&w, f.lost);
	fake_close(&f);
	assert_int_equal(world_start(&w), 0);
	fake_connect(&f);
	WAIT_FOR(&w, f.welcomed);
	fake_define(&f);
	define_steps(&f);
	fake_publish(&f, 1);
	WAIT_FOR(&w, f.acked == 2);
	assert_int_equal(names_now(&w), 5);
	assert_int_equal(world_finish(&w), 0);
	fake_free(&f);
	world_close(&w);
}

/* What the log says of its nodes: their names by number. */
static void
nodes_of_the_log(const struct world *w, char name[4][16])
{
	const char *why;
	struct tracefile *t = tracefile_open(w->log, &why);
	struct msg_node m;
	struct frame f;
	uint64_t at = 0;

	memset(name, 0, 4 * sizeof(name[0]));
	assert_non_null(t);
	while (tracefile_next(t, &at, &f) == 1) {
		if (f.type != MSG_node)
			continue;
		assert_int_equal(msg_decode(MSG_node, f.body, f.body_bytes, &m),
		    0);
		assert_in_range(m.node, 0, 3);
		assert_in_range(m.name.n, 1, 15);
		memset(name[m.node], 0, sizeof(name[0]));
		memcpy(name[m.node], m.name.p, m.name.n);
	}
	tracefile_close(t);
}

/* Whoever comes first: n1 is 1, and is so after a restart. */
static void
nodes_are_numbered_as_in_the_file(void **state)
{
	char name[4][16];
	struct world w;
	struct fake b;

	(void)state;
	world_open(&w);
	w.nodes[0] = "n1";
	w.nodes[1] = "n2";
	w.nnodes = 2;
	assert_int_equal(world_start(&w), 0);
	fake_open(&b, &w, "n2");
	WAIT_FOR(&w, b.welcomed);
	fake_define(&b);
	fake_publish(&b, 10);
	WAIT_FOR(&w, b.acked == 1);
	fake_close(&b);
	core_free(w.core);
	w.core = NULL;

	w.nodes[0] = "n0"; /* a new one in front takes no number away */
	w.nodes[1] = "n1";
	w.nodes[2] = "n2";
	w.nnodes = 3;
	assert_int_equal(world_start(&w), 0);
	assert_false(core_node_connected(w.core, "n1"));
	fake_connect(&b);
	WAIT_FOR(&w, b.welcomed);
	assert_int_equal(world_finish(&w), 0);
	nodes_of_the_log(&w, name);
	assert_string_equal(name[1], "n1");
	assert_string_equal(name[2], "n2");
	assert_string_equal(name[3], "n0");
	fake_free(&b);
	world_close(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_reach_the_log_once_and_in_order),
		cmocka_unit_test(what_is_repeated_is_stored_once),
		cmocka_unit_test(a_gap_closes_the_connection_and_is_repeated),
		cmocka_unit_test(what_the_way_has_swallowed_is_asked_for_again),
		cmocka_unit_test(what_comes_twice_is_no_hole),
		cmocka_unit_test(a_node_whose_spool_is_full_is_not_stuck),
		cmocka_unit_test(a_node_whose_spool_has_room_is_waited_for),
		cmocka_unit_test(what_the_spool_has_lost_is_a_counted_loss),
		cmocka_unit_test(a_gap_that_stays_is_a_counted_loss),
		cmocka_unit_test(batches_wait_for_the_clock),
		cmocka_unit_test(a_restarted_monitord_goes_on_with_the_log),
		cmocka_unit_test(names_are_one_when_their_texts_are),
		cmocka_unit_test(functions_of_one_name_are_told_apart),
		cmocka_unit_test(nodes_are_numbered_as_in_the_file),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (
	    cmocka_run_group_tests_name("monitord node", tests, NULL, NULL));
}
