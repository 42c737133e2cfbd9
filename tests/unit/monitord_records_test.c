/*
 * What monitord says in the log about its own difficulties: a silent node, the
 * orphan that this makes, its late cause, the return.  Read back while the run
 * goes on and after its end, in the order in which every reader sees it.
 */
#include "tests/unit/monitord_asker.h"
#include "tests/unit/monitord_found.h"

#define KEY 77

struct seen {
	unsigned stall, rejoin, late, orphan, found;
	uint64_t late_records;
	int64_t behind_ns, last_ns;
	struct event send, receive;
	unsigned falls;
};

static int
seen_event(void *arg, const struct event *e)
{
	struct seen *s = arg;

	s->falls += e->t_mon_ns < s->last_ns;
	s->last_ns = e->t_mon_ns;
	switch (e->kind) {
	case EV_stall:
		s->stall++;
		assert_true(e->a >= 100 * ENV_MS);
		break;
	case EV_rejoin:
		s->rejoin++;
		break;
	case EV_late:
		s->late++;
		s->late_records += e->a;
		break;
	case EV_orphan:
		s->orphan++;
		assert_int_equal(e->a, KEY);
		assert_int_equal(e->c, EV_receive);
		break;
	case EV_found:
		s->found++;
		assert_int_equal(e->a, KEY);
		assert_int_equal(e->c, EV_send);
		s->behind_ns = (int64_t)e->b;
		break;
	case EV_send:
		s->send = *e;
		break;
	case EV_receive:
		s->receive = *e;
		break;
	}
	return (0);
}

static void
look(const struct world *w, struct seen *s)
{
	static const struct trace_sink sink = { .event = seen_event };
	const char *why = NULL;
	struct tracefile *t = tracefile_open(w->log, &why);

	memset(s, 0, sizeof(*s));
	s->last_ns = INT64_MIN;
	assert_non_null(t);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, s), 0);
	tracefile_close(t);
}

/* One event so long ago; tells: everything before now is told with it. */
static void
publish(struct fake *f, uint16_t kind, int64_t ago_ns, bool tells)
{
	struct batch_writer *bw = batch_writer_new();
	struct node_event e = { .t_node_ns = fake_now(f) - ago_ns,
		.a = KEY,
		.kind = kind };
	struct msg_batch m = { .number = ++f->number,
		.watermark_node_ns = tells ? fake_now(f) : INT64_MIN,
		.events = 1 };

	assert_int_equal(batch_add_run(bw, 1, f->next_seq++, &e, 1), 0);
	f->published++;
	m.streams = batch_bytes(bw);
	peer_send(f->data, MSG_batch, &m);
	batch_writer_free(bw);
}

static bool
says(struct world *w, struct asker *a, const char *what)
{
	bool yes;

	asker_open(a, w, "status");
	WAIT_FOR(w, a->code != -1);
	yes = strstr(a->text, what) != NULL;
	if (a->peer != NULL)
		peer_close(a->peer, false);
	return (yes);
}

static void
a_silent_node_is_told_of_from_stall_to_return(void **state)
{
	struct world w;
	struct fake a, b;
	struct asker ask;
	struct seen s;
	int64_t sent_ago;

	(void)state;
	world_open(&w);
	assert_int_equal(world_start(&w), 0);
	fake_open(&a, &w, "n1");
	fake_open(&b, &w, "n2");
	WAIT_FOR(&w, a.welcomed && b.welcomed);
	fake_define(&a);
	fake_define(&b);
	publish(&a, EV_note, 0, true);
	publish(&b, EV_note, 0, true);
	WAIT_FOR(&w, a.acked == 1 && b.acked == 1);
	b.mute = true;
	WAIT_FOR(&w, says(&w, &ask, "stalled_nodes: 1"));
	sent_ago = w.env->ops->now_ns(w.env);
	publish(&a, EV_receive, 0, true);
	WAIT_FOR(&w, a.acked == 2); /* nobody waits for n2 */
	sent_ago = w.env->ops->now_ns(w.env) - sent_ago + 20 * ENV_MS;
	publish(&b, EV_send, sent_ago, false);
	WAIT_FOR(&w, b.acked == 2);
	look(&w, &s); /* the run goes on: there is a late block */
	assert_int_equal(s.falls, 0);
	assert_int_equal(s.send.kind, EV_send);
	assert_int_equal(s.send.flags, EVENT_LATE);
	assert_int_equal(s.receive.flags, EVENT_ORPHAN);
	b.mute = false;
	WAIT_FOR(&w, says(&w, &ask, "stalled_nodes: 0"));
	assert_int_equal(world_finish(&w), 0);
	look(&w, &s);
	assert_int_equal(s.falls, 0);
	assert_true(s.stall >= 1);
	assert_true(s.rejoin >= 1);
	assert_int_equal(s.orphan, 1);
	assert_int_equal(s.late, 1);
	assert_int_equal(s.late_records, 1);
	assert_int_equal(s.found, 1);
	/* the whole log is at hand: it has its cause, and stands behind it */
	assert_int_equal(s.receive.flags, 0);
	assert_true(s.receive.t_mon_ns > s.send.t_mon_ns);
	assert_int_equal(s.send.flags, EVENT_LATE);
	assert_int_equal(s.behind_ns, s.send.t_mon_ns - s.receive.t_mon_ns);
	assert_true(s.behind_ns < 0);
	fake_free(&a);
	fake_free(&b);
	world_close(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_silent_node_is_told_of_from_stall_to_return),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
