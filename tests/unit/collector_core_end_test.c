/* The end of a run, as a whole collector core lives it. */
#include "tests/unit/collector_monitor.h"

#include <errno.h>

#include "collector/unattached.h"

/* The linker sends everybody's calls here (mk/collector.mk). */
void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t, size_t);

static size_t no_memory_for; /* so many at a time */

void *
__wrap_calloc(size_t n, size_t k)
{
	if (n != no_memory_for)
		return (__real_calloc(n, k));
	errno = ENOMEM;
	return (NULL);
}

static void
finish_tells_all_accounts_and_stops(void **state)
{
	struct fixture *fx = *state;

	all_start(fx);
	publish(fx, 100);
	WAIT_FOR(fx->env, fx->mon.welcomed);
	mon_finish(fx, FINISH_STOP);
	WAIT_FOR(fx->env, fx->mon.finished);
	mon_finish(fx, FINISH_GO);
	WAIT_FOR(fx->env, fx->stopped);
	assert_int_equal(fx->mon.notes, 100);
	assert_int_equal(fx->mon.accounts, 2);
	assert_int_equal(fx->mon.account_published, 102);
	assert_int_equal(atomic_load(&fx->program.seg->mask), 0);
	assert_true(fx->program.released);
}

/*
 * Its farewell may be lost with the connection, whether it was sent already
 * or not: it comes back and says it again.
 */
static void
who_leaves_stays_until_it_is_let_go(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;

	all_start(fx);
	publish(fx, 100);
	WAIT_FOR(fx->env, mon->notes == 100);
	for (int i = 0; i < 3; i++) {
		mon_finish(fx, FINISH_TELL);
		WAIT_FOR(fx->env, mon->finished);
		mon->finished = false;
		mon_finish(fx, FINISH_STOP);
		if (i == 0)
			WAIT_FOR(fx->env, fx->program.released);
		else
			WAIT_FOR(fx->env, mon->finished);
		mon_stop(fx);
		mon_start(fx);
		WAIT_FOR(fx->env, mon->welcomed);
		assert_false(fx->stopped);
	}
	mon_finish(fx, FINISH_TELL);
	WAIT_FOR(fx->env, mon->finished);
	assert_int_equal(mon->accounts, 2);
	assert_int_equal(mon->account_published, 102);
	assert_int_equal(mon->missing, 0);
	assert_false(mon->undue); /* it says what is due, having nothing more */
	mon_finish(fx, FINISH_GO);
	WAIT_FOR(fx->env, fx->stopped);
}

/* The run is over without it, or monitord is gone: it does not stay. */
static void
who_leaves_does_not_stay_for_nobody(void **state)
{
	struct fixture *fx = *state;

	for (int i = 0; i < 2; i++) {
		mon_start(fx);
		core_start(fx);
		WAIT_FOR(fx->env, fx->mon.welcomed);
		mon_finish(fx, FINISH_STOP);
		WAIT_FOR(fx->env, fx->mon.finished);
		mon_stop(fx);
		fx->mon.refuses = i == 0;
		if (i == 0)
			mon_start(fx);
		WAIT_FOR(fx->env, fx->stopped);
		collector_core_free(fx->core);
		fx->core = NULL;
		mon_stop(fx);
		fx->mon.refuses = false;
	}
}

/* The end of a run: published = stored + lost, as monitord adds up. */
static void
finish_adds_up(struct fixture *fx)
{
	struct monitor *mon = &fx->mon;

	mon_finish(fx, FINISH_TELL);
	WAIT_FOR(fx->env, mon->finished);
	assert_int_equal(mon->account_published,
	    mon->stored + mon->missing + mon->account_lost);
	assert_int_equal(mon->account_lost, mon->told_lost);
	assert_int_equal(mon->unknown, 0);
	assert_false(mon->undefined);
}

static void
a_run_after_the_run_counts_from_its_own_beginning(void **state)
{
	struct fixture *fx = *state;

	all_start(fx);
	publish(fx, 100);
	WAIT_FOR(fx->env, fx->mon.notes == 100);
	finish_adds_up(fx);
	assert_int_equal(fx->mon.account_published, 101);
	assert_int_equal(atomic_load(&fx->program.seg->mask), 0);
	mon_next_run(fx);
	WAIT_FOR(fx->env, fx->mon.welcomed);
	WAIT_FOR(fx->env,
	    atomic_load(&fx->program.seg->mask) == COLLECTOR_MASK_ALL);
	publish(fx, 20);
	WAIT_FOR(fx->env, fx->mon.notes == 20);
	finish_adds_up(fx);
	assert_int_equal(fx->mon.missing, 100);
}

/* A program comes, and may go, before the collector knows of the new run. */
static void
who_came_before_the_run_was_known_is_of_it(void **state)
{
	struct fixture *fx = *state;

	for (int gone = 0; gone < 2; gone++) {
		mon_start(fx);
		core_start(fx);
		WAIT_FOR(fx->env, fx->mon.welcomed);
		mon_finish(fx, FINISH_STOP);
		WAIT_FOR(fx->env, fx->mon.finished);
		mon_finish(fx, FINISH_GO);
		WAIT_FOR(fx->env, fx->stopped);
		collector_core_free(fx->core);
		mon_stop(fx);

		core_start(fx);
		program_start(fx);
		publish(fx, 5000);
		if (gone) {
			collector_core_detach(fx->core, fx->program.dp);
			WAIT_FOR(fx->env, fx->program.released);
		}
		mon_next_run(fx);
		WAIT_FOR(fx->env, fx->mon.notes == 5000);
		finish_adds_up(fx);
		assert_int_equal(fx->mon.missing, 0);
		assert_int_equal(fx->mon.account_published,
		    5001 + (uint64_t)gone);
		mon_finish(fx, FINISH_GO);
		collector_core_stop(fx->core);
		WAIT_FOR(fx->env, fx->stopped);
		collector_core_free(fx->core);
		fx->core = NULL;
		mon_stop(fx);
		if (gone == 0)
			free(fx->program.seg);
	}
}

/* Monitord died and its log with it; another run takes over what goes on. */
static void
what_a_run_has_left_is_of_no_other(void **state)
{
	struct fixture *fx = *state;

	fx->mon.acks = false;
	all_start(fx);
	publish(fx, 300);
	WAIT_FOR(fx->env, fx->mon.notes == 300);
	mon_stop(fx);
	publish(fx, 50);
	fx->mon.acks = true;
	fx->mon.watermark_ns = 0;
	mon_next_run(fx);
	WAIT_FOR(fx->env, fx->mon.watermark_ns > 0); /* a heartbeat: it knows */
	publish(fx, 20);
	WAIT_FOR(fx->env, fx->mon.notes + fx->mon.missing == fx->published);
	assert_true(fx->mon.notes >= 20);
	finish_adds_up(fx);
}

static void
without_monitord_stop_leaves_the_spool_for_later(void **state)
{
	struct fixture *fx = *state;

	core_start(fx);
	program_start(fx);
	publish(fx, 700);
	collector_core_stop(fx->core);
	WAIT_FOR(fx->env, fx->stopped);
	collector_core_free(fx->core);
	mon_start(fx);
	core_start(fx);
	collector_core_adopted(fx->core);
	WAIT_FOR(fx->env, fx->mon.notes == 700 && fx->mon.accounts == 2);
	assert_int_equal(fx->mon.account_published, 702);
	assert_false(fx->mon.undefined);
}

/* Told in each session anew, and of each run what was in it. */
static void
who_could_not_attach_is_told_of_in_its_run(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;
	struct unattached *u = calloc(1, sizeof(*u));

	assert_non_null(u);
	all_start(fx);
	WAIT_FOR(fx->env, mon->welcomed);
	unattached_add(u, 1000, 7, 0, "no room");
	unattached_add(u, 1001, 7, 0, "no room");
	collector_core_unattached(fx->core, u);
	WAIT_FOR(fx->env, mon->unattached == 2);
	mon_stop(fx);
	mon_start(fx);
	WAIT_FOR(fx->env, mon->unattached == 2);
	unattached_remove(u, 1000, 7);
	collector_core_unattached(fx->core, u);
	WAIT_FOR(fx->env, mon->unattached == 1);
	mon_next_run(fx);
	WAIT_FOR(fx->env, mon->pos > 0); /* it knows of the run */
	unattached_add(u, 1002, 7, 0, "no room");
	collector_core_unattached(fx->core, u);
	WAIT_FOR(fx->env, mon->unattached == 1);
	free(u);
}

static const struct env_ops *whole_ops;
static unsigned refused_batches;

/* The spool is broken, and the journal is not. */
static ssize_t
write_no_batch(struct env_file *file, const void *p, size_t n, uint64_t offset)
{
	struct frame f;

	if (frame_parse(p, n, &f) == FRAME_OK && f.type == MSG_batch) {
		refused_batches++;
		errno = EIO;
		return (-1);
	}
	return (whole_ops->write_at(file, p, n, offset));
}

/*
 * Nobody has its memory any more; who says so dies before the spool has it, and
 * the next one says it.
 */
static void
the_end_of_a_missing_po_counts_once_it_is_spooled(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;
	const struct stream *about;

	all_start(fx);
	publish(fx, 20);
	WAIT_FOR(fx->env, mon->notes == 20);
	collector_core_free(fx->core);
	core_start(fx);
	whole_ops = fx->whole;
	fx->broken = *fx->whole;
	fx->broken.write_at = write_no_batch;
	fx->env->ops = &fx->broken;
	refused_batches = 0;
	collector_core_adopted(fx->core);
	WAIT_FOR(fx->env, refused_batches > 0);
	collector_core_free(fx->core);
	fx->env->ops = fx->whole;
	mon_stop(fx);
	mon_start(fx);
	core_start(fx);
	collector_core_adopted(fx->core);
	WAIT_FOR(fx->env, mon->accounts == 2);
	about = ident_stream(collector_core_ident(fx->core), 1, 0);
	assert_true(about->ended);
	/* po_begin, a loss of unknown size, po_end */
	assert_int_equal(about->next_seq, 3);
	assert_int_equal(mon->next_seq[about->number], 3);
	assert_int_equal(mon->unknown, 1);
}

/* Nor is it missed by the next collector: nothing began, and nothing is lost.
 */
static void
who_is_refused_has_nothing_to_account_for(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;
	const struct stream *about;
	struct msg_po m;

	mon_start(fx);
	core_start(fx);
	program_init(&fx->program, 4, 4096);
	fx->program.po = collector_core_next_po(fx->core);
	m = definition(fx);
	no_memory_for = fx->program.layout.nrings;
	assert_null(collector_core_attach(fx->core, &m, &fx->program.source));
	no_memory_for = 0;
	assert_int_equal(errno, ENOMEM);
	free(fx->program.seg);
	program_start(fx);
	assert_int_equal(fx->program.po, m.po + 1);
	publish(fx, 10);
	WAIT_FOR(fx->env, mon->notes == 10);
	collector_core_free(fx->core);
	mon_stop(fx);
	mon_start(fx);
	core_start(fx);
	program_adopt(fx);
	publish(fx, 10);
	WAIT_FOR(fx->env, mon->notes == 20 && mon->accounts == 1);
	about = ident_stream(collector_core_ident(fx->core), m.po, 0);
	assert_true(about->ended);
	assert_int_equal(about->next_seq, 0);
	assert_int_equal(mon->next_seq[about->number], 0);
	assert_int_equal(mon->account_published, 0);
	finish_adds_up(fx);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(finish_tells_all_accounts_and_stops),
		TEST(who_leaves_stays_until_it_is_let_go),
		TEST(who_leaves_does_not_stay_for_nobody),
		TEST(a_run_after_the_run_counts_from_its_own_beginning),
		TEST(who_came_before_the_run_was_known_is_of_it),
		TEST(what_a_run_has_left_is_of_no_other),
		TEST(without_monitord_stop_leaves_the_spool_for_later),
		TEST(who_could_not_attach_is_told_of_in_its_run),
		TEST(the_end_of_a_missing_po_counts_once_it_is_spooled),
		TEST(who_is_refused_has_nothing_to_account_for),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
