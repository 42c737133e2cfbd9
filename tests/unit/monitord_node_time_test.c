/* Which time an event is given, of a node that was not watched for a while. */
#include "event.h"
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stop_of_our_own_puts_nothing_ahead),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (cmocka_run_group_tests_name("monitord node time", tests, NULL,
	    NULL));
}
