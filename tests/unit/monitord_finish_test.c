/*
 * The end of a run has an end: whoever does not get on, a disk that takes
 * nothing and a viewer that hardly reads are waited for a while, and then
 * named.
 */
#include <errno.h>
#include <sysexits.h>

#include "tests/unit/monitord_asker.h"
#include "tests/unit/monitord_found.h"

/* A world in which time is passed at will, and the disk may be full. */
struct end {
	struct world w;
	struct fake f;
	struct asker a;
	struct env_ops ops;
	const struct env_ops *true_ops;
	bool full;
};
static struct end *the_end; /* the ops have no argument */

static ssize_t
write_or_not(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	if (!the_end->full)
		return (the_end->true_ops->write_at(f, p, n, offset));
	errno = ENOSPC;
	return (-1);
}

static int
set_up(void **state)
{
	struct end *e = calloc(1, sizeof(*e));

	assert_non_null(e);
	open_one(&e->w, &e->f);
	fake_publish(&e->f, 10);
	the_end = e;
	e->true_ops = e->w.env->ops;
	e->ops = *e->true_ops;
	e->ops.write_at = write_or_not;
	e->w.env->ops = &e->ops;
	*state = e;
	return (0);
}

static int
tear_down(void **state)
{
	struct end *e = *state;

	peer_close(e->a.peer, false);
	close_one(&e->w, &e->f);
	free(e);
	return (0);
}

#define STEP_NS (2 * ENV_SEC)

/* Lets up to so many seconds pass, and monitord look at it now and then. */
static void
pass(struct end *e, int seconds, bool (*done)(struct end *))
{
	int64_t look_ns;

	for (int64_t ns = 0; ns < seconds * ENV_SEC && !done(e);
	     ns += STEP_NS) {
		world_pass(&e->w, STEP_NS);
		look_ns = env_real_now(e->w.env) + 60 * ENV_MS;
		while (!done(e) && env_real_now(e->w.env) < look_ns)
			event_base_loop(env_event_base(e->w.env), EVLOOP_ONCE);
	}
	assert_true(done(e));
}

static bool
has_ended(struct end *e)
{
	return (e->w.ended != -1);
}

/* Its heartbeats say that it lives, not that anything will come of it. */
static void
who_is_here_and_gets_nowhere_is_not_waited_for(void **state)
{
	struct end *e = *state;

	e->f.stuck = true;
	asker_open(&e->a, &e->w, "shutdown");
	WAIT_FOR(&e->w, e->f.finish_asked);
	pass(e, 80, has_ended);
	assert_int_equal(e->w.ended, EX_SOFTWARE);
	WAIT_FOR(&e->w, e->a.code != -1);
	assert_int_equal(e->a.code, EX_SOFTWARE);
	assert_non_null(strstr(e->a.text,
	    "node n1: is here, but tells nothing more, not waited for"));
	assert_non_null(strstr(e->a.text, "node n1: has not told everything"));
}

/* Each time it comes it is asked, and each time it is gone again. */
static bool
has_ended_or_comes_again(struct end *e)
{
	if (e->w.ended == -1 && e->f.finish_asked) {
		fake_close(&e->f);
		fake_connect(&e->f);
	}
	if (e->w.ended == -1 && e->f.welcomed && !e->f.finish_asked)
		fake_define(&e->f);
	return (e->w.ended != -1);
}

static void
who_comes_again_and_again_is_not_waited_for(void **state)
{
	struct end *e = *state;

	e->f.stuck = true;
	core_finish(e->w.core);
	pass(e, 120, has_ended_or_comes_again);
	assert_int_equal(e->w.ended, EX_SOFTWARE);
}

/* The run is not closed, and none of it is gone: another monitord closes it. */
static void
a_disk_that_stays_full_ends_monitord_but_not_the_run(void **state)
{
	struct end *e = *state;
	struct found found;

	e->full = e->f.stuck = true;
	fake_publish(&e->f, 10);
	asker_open(&e->a, &e->w, "shutdown");
	WAIT_FOR(&e->w, e->f.finish_asked);
	pass(e, 60, has_ended);
	assert_int_equal(e->w.ended, EX_IOERR);
	WAIT_FOR(&e->w, e->a.code != -1);
	assert_int_equal(e->a.code, EX_IOERR);
	assert_non_null(strstr(e->a.text, "the run is not finished: "));
	assert_non_null(strstr(e->a.text, "No space left"));

	e->full = false;
	core_free(e->w.core);
	assert_int_equal(world_start(&e->w), 0);
	e->f.stuck = false;
	fake_again(&e->f);
	fake_batch(&e->f, 1, 0, 20); /* from its spool */
	e->f.number = 1;
	assert_int_equal(world_finish(&e->w), 0);
	read_log(&e->w, &found);
	assert_int_equal(found.notes, 20);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(who_is_here_and_gets_nowhere_is_not_waited_for),
		TEST(who_comes_again_and_again_is_not_waited_for),
		TEST(a_disk_that_stays_full_ends_monitord_but_not_the_run),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (
	    cmocka_run_group_tests_name("monitord finish", tests, NULL, NULL));
}
