/* Which time an event is given, of a node that was not watched for a while. */
#include "check/validate.h"
#include "event.h"
#include "monitord/inside.h"
#include "tests/unit/monitord_found.h"

struct seen {
	uint64_t events, ahead;
};

static int
seen_event(void *arg, const struct event *e)
{
	struct seen *s = arg;

	s->events += e->kind == EV_note;
	s->ahead += (e->flags & EVENT_AHEAD) != 0;
	return (0);
}

static void
see_log(const struct world *w, struct seen *s)
{
	static const struct trace_sink sink = { .event = seen_event };
	const char *why = NULL;
	struct tracefile *t = tracefile_open(w->log, &why);

	memset(s, 0, sizeof(*s));
	assert_non_null(t);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, s), 0);
	tracefile_close(t);
}

/* The first that is heard after a stop is of now, not of a time to come. */
static void
a_stop_of_our_own_puts_nothing_ahead(void **state)
{
	struct world w;
	struct fake f;
	struct seen seen;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 1);
	world_pass(&w, 5 * ENV_SEC);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 2);
	assert_int_equal(world_finish(&w), 0);
	see_log(&w, &seen);
	assert_int_equal(seen.events, 20);
	assert_int_equal(seen.ahead, 0);
	close_one(&w, &f);
}

/* One whose clock is known; returns the time. */
static int64_t
open_known(struct world *w, struct fake *f)
{
	int64_t now;

	open_one(w, f);
	now = core_now(w->core);
	fake_publish(f, 10);
	WAIT_FOR(w, f->acked == 1);
	return (now);
}

/* A new start of a node's collector, whose clock is so far ahead. */
static void
starts_again(struct fake *f, const char *machine, int64_t offset_ns)
{
	fake_close(f);
	f->hello.epoch++;
	if (strncmp(machine, f->hello.machine.p, f->hello.machine.n) != 0)
		f->hello.since = f->hello.epoch;
	f->hello.machine = BYTES_STR(machine);
	f->offset_ns = offset_ns;
	fake_connect(f);
	WAIT_FOR(f->w, f->welcomed);
	fake_define(f);
}

/* Made by the start before this one, whose clock was so far ahead. */
static void
publish_spooled(struct fake *f, int64_t offset_ns)
{
	int64_t now = f->offset_ns;

	f->offset_ns = offset_ns;
	f->made_in = f->hello.epoch - 1;
	fake_publish(f, 10);
	f->offset_ns = now;
	f->made_in = 0;
}

struct near {
	int64_t now_mon_ns;
	struct validate *validate;
};

static void
violation_cb(void *arg, const struct violation *v)
{
	(void)arg;
	if (v->kind == VIOLATION_CLOCK || v->kind == VIOLATION_MAP)
		fail_msg("%s", v->text);
}

static int
near_definition(void *arg, const struct frame *f)
{
	return (validate_definition(((struct near *)arg)->validate, f));
}

static int
near_event(void *arg, const struct event *e)
{
	const struct near *near = arg;
	int64_t off = e->t_mon_ns - near->now_mon_ns;

	assert_int_equal(validate_event(near->validate, e), 0);
	if (e->kind != EV_note)
		return (0);
	assert_true(off > -10 * ENV_SEC && off < 10 * ENV_SEC);
	assert_true(e->shift_ns < ENV_SEC); /* it was mapped to there */
	return (0);
}

/*
 * Nothing in the log is of another time than the few seconds of this test, and
 * all is where the maps in it say.
 */
static void
all_of_now(struct world *w, int64_t now_mon_ns)
{
	static const struct trace_sink sink = { near_definition, near_event };
	struct near near = { now_mon_ns, validate_new(violation_cb, NULL) };
	const char *why = NULL;
	struct tracefile *t;

	assert_int_equal(world_finish(w), 0);
	t = tracefile_open(w->log, &why);
	assert_non_null(t);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &near),
	    0);
	tracefile_close(t);
	validate_free(near.validate);
}

/* One that was killed before its clock was measured: it is the next one's. */
static void
an_unmeasured_start_is_of_the_clock_after_it(void **state)
{
	struct world w;
	struct fake f;
	int64_t now;

	(void)state;
	now = open_known(&w, &f);
	f.silent_clock = true;
	starts_again(&f, "m", -100 * ENV_SEC);
	f.silent_clock = false;
	starts_again(&f, "m", -100 * ENV_SEC);
	publish_spooled(&f, -100 * ENV_SEC);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 3);
	all_of_now(&w, now);
	close_one(&w, &f);
}

/*
 * But what was started before the machine was booted is of before, also when it
 * was never heard of; and a monitord that has only the log of that learns it.
 */
static void
a_start_before_a_boot_is_of_the_clock_before_it(void **state)
{
	struct world w;
	struct fake f;
	int64_t now;

	(void)state;
	now = open_known(&w, &f);
	f.hello.epoch++;
	starts_again(&f, "booted", 100 * ENV_SEC);
	publish_spooled(&f, 0);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 3);
	core_free(w.core);
	assert_int_equal(world_start(&w), 0);
	fake_again(&f);
	publish_spooled(&f, 0);
	WAIT_FOR(&w, f.acked == 4);
	all_of_now(&w, now);
	close_one(&w, &f);
}

/* What a dead collector has left on its way takes no clock from anybody. */
static void
a_late_word_of_an_older_start_makes_no_new_spool(void **state)
{
	struct world w;
	struct fake f, late;
	int64_t now;

	(void)state;
	now = open_known(&w, &f);
	fake_init(&late, &w, "n1");
	late.hello.epoch = f.hello.epoch;
	starts_again(&f, "booted", 100 * ENV_SEC);
	late.hello.machine = f.hello.machine;
	fake_connect(&late);
	WAIT_FOR(&w, late.refused && late.clock == NULL);
	publish_spooled(&f, 0);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 3);
	all_of_now(&w, now);
	fake_free(&late);
	close_one(&w, &f);
}

/*
 * The same while the line of the one that lives is broken: it comes in, and
 * says nothing more, so that nothing of the node is changed by it.
 */
static void
a_late_word_on_a_broken_line_changes_nothing(void **state)
{
	struct world w;
	struct fake f, late;
	struct node *n;
	int64_t now;

	(void)state;
	now = open_known(&w, &f);
	n = core_node(w.core, "n1");
	fake_init(&late, &w, "n1");
	late.mute = true;
	starts_again(&f, "booted", 100 * ENV_SEC);
	WAIT_FOR(&w, n->state == NODE_RUNNING);
	fake_close(&f);
	WAIT_FOR(&w, n->data == NULL && n->clock == NULL);
	fake_connect(&late);
	WAIT_FOR(&w, late.welcomed);
	fake_connect(&f);
	WAIT_FOR(&w, f.welcomed);
	fake_define(&f);
	publish_spooled(&f, 0);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 3);
	assert_int_equal(clocksync_map(n->clocks.sync)->segments[0].epoch, 1);
	all_of_now(&w, now);
	fake_free(&late);
	close_one(&w, &f);
}

/* But one of an older start that says more is believed. */
static void
a_spool_that_was_made_anew_begins_anew(void **state)
{
	struct world w;
	struct fake f;
	struct node *n;
	int64_t now;

	(void)state;
	now = open_known(&w, &f);
	n = core_node(w.core, "n1");
	starts_again(&f, "m", 0);
	WAIT_FOR(&w, n->state == NODE_RUNNING && n->clocks.start == 2);
	f.hello.epoch = f.number = f.acked = 0;
	starts_again(&f, "booted", 100 * ENV_SEC);
	WAIT_FOR(&w, n->data != NULL && n->clocks.start == 1);
	WAIT_FOR(&w, f.clock == NULL || n->clock != NULL);
	if (f.clock == NULL) /* it has come before that was known */
		fake_again(&f);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 1);
	all_of_now(&w, now);
	close_one(&w, &f);
}

/* A spool that a boot has wiped counts its starts from 1 again. */
static void
a_boot_that_wipes_the_spool_is_another_clock(void **state)
{
	struct world w;
	struct fake f;
	struct node *n;
	int64_t now;

	(void)state;
	now = open_known(&w, &f);
	f.hello.epoch = f.number = f.acked = 0;
	starts_again(&f, "booted", -100 * ENV_SEC);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 1);
	core_free(w.core);
	assert_int_equal(world_start(&w), 0);
	n = core_node(w.core, "n1");
	assert_non_null(n->clocks.past);
	fake_again(&f);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 2);
	all_of_now(&w, now);
	close_one(&w, &f);
}

/*
 * The clock of the next start comes while the line of this one still stands,
 * and is another.  What is said to be of that start waits until it is known.
 */
static void
what_has_no_clock_yet_waits_for_it(void **state)
{
	static const struct peer_ops clock = { .message = fake_ping,
		.connected = fake_clock_connected,
		.closed = fake_clock_closed };
	struct world w;
	struct fake f, next;
	struct node *n;

	(void)state;
	open_known(&w, &f);
	n = core_node(w.core, "n1");
	fake_init(&next, &w, "n1");
	next.hello.epoch = 2;
	next.offset_ns = 100 * ENV_SEC;
	next.clock = peer_connect(w.env, w.address, "clock", &clock, &next);
	WAIT_FOR(&w, n->clocks.past != NULL);
	f.made_in = 2;
	fake_publish(&f, 10);
	WAIT_FOR(&w, n->parked_bytes > 0);
	WAIT_FOR(&w, f.acked == 2);
	fake_free(&next);
	close_one(&w, &f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stop_of_our_own_puts_nothing_ahead),
		cmocka_unit_test(an_unmeasured_start_is_of_the_clock_after_it),
		cmocka_unit_test(
		    a_start_before_a_boot_is_of_the_clock_before_it),
		cmocka_unit_test(
		    a_late_word_of_an_older_start_makes_no_new_spool),
		cmocka_unit_test(a_late_word_on_a_broken_line_changes_nothing),
		cmocka_unit_test(a_spool_that_was_made_anew_begins_anew),
		cmocka_unit_test(a_boot_that_wipes_the_spool_is_another_clock),
		cmocka_unit_test(what_has_no_clock_yet_waits_for_it),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (cmocka_run_group_tests_name("monitord node time", tests, NULL,
	    NULL));
}
