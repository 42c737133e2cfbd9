/* The log on a disk that is full, forgets what it said, or reads wrongly. */
#include "tests/unit/monitord_owner.h"

#include <sys/resource.h>

#include <errno.h>
#include <signal.h>
#include <sysexits.h>

#include "tests/unit/make_flips.h"

static void
limit_files(rlim_t bytes)
{
	struct rlimit rl;

	getrlimit(RLIMIT_FSIZE, &rl);
	rl.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &rl), 0);
}

static void
a_full_disk_stops_the_writing_and_loses_nothing(void **state)
{
	struct owner o;
	struct seen s;
	struct rlimit old;
	const char *why;
	uint64_t bytes;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	owner_open(&o);
	fill(&o, 3);
	bytes = store_bytes(o.st);
	limit_files(bytes + 10);
	for (int i = 0; i < 10; i++)
		add(&o, 0, 100000 + i);
	assert_false(store_commit(o.st));
	assert_false(store_commit(o.st));
	assert_true(store_failed(o.st, &why));
	assert_non_null(strstr(why, "run.orr"));
	assert_int_equal(store_bytes(o.st), bytes);
	for (int i = 10; i < 20; i++)
		add(&o, 0, 100000 + i);
	assert_false(store_commit(o.st));
	/* and it cannot be finished, but goes on when there is room */
	limit_files(old.rlim_cur);
	assert_true(store_commit(o.st));
	assert_false(store_failed(o.st, &why));
	finish(&o);
	read_back(&o, &s);
	assert_int_equal(s.events, 33 + 20);
	assert_false(s.wrong || s.disorder);
	owner_close(&o);
}

static void
a_full_disk_at_the_end_leaves_a_log_that_can_be_finished(void **state)
{
	struct owner o;
	struct seen s;
	struct rlimit old;
	struct msg_receipt r = { .published = 1 };
	struct store_error err;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	owner_open(&o);
	fill(&o, 3);
	limit_files(100);
	assert_int_equal(store_finish(o.st, &r, &err), -1);
	assert_int_equal(err.code, EX_IOERR);
	limit_files(old.rlim_cur);
	store_close(o.st);
	assert_int_equal(owner_start(&o), 0); /* not finished, not torn */
	assert_int_equal(store_events(o.st), 33);
	finish(&o);
	read_back(&o, &s);
	assert_int_equal(s.events, 33);
	owner_close(&o);
}

/* A disk as a loss of power sees it, and one that errs in reading. */
static struct {
	const struct env_ops *real;
	struct env_ops ops;
	uint8_t dirty[65536], durable[65536];
	bool sync_fails, name_durable;
} disk;

static ssize_t
disk_write_at(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	assert_true(offset + n <= sizeof(disk.dirty));
	memset(disk.dirty + offset, 1, n);
	return (disk.real->write_at(f, p, n, offset));
}

/* After one that has failed, the kernel takes all of it for written. */
static int
disk_sync(struct env_file *f)
{
	for (size_t i = 0; i < sizeof(disk.dirty); i++)
		disk.durable[i] |= disk.dirty[i] && !disk.sync_fails;
	memset(disk.dirty, 0, sizeof(disk.dirty));
	errno = EIO;
	return (disk.sync_fails ? -1 : disk.real->sync(f));
}

static int
disk_sync_dir(struct env *env, const char *dir)
{
	disk.name_durable = true;
	return (disk.real->sync_dir(env, dir));
}

static void
disk_under(struct owner *o)
{
	memset(&disk, 0, sizeof(disk));
	flips.random = 0;
	disk.real = flips.real = o->env->ops;
	disk.ops = *disk.real;
	disk.ops.write_at = disk_write_at;
	disk.ops.read_at = flips_read_at;
	disk.ops.sync = disk_sync;
	disk.ops.sync_dir = disk_sync_dir;
	o->env->ops = &disk.ops;
}

/* A thousand events, and the sync of them has failed. */
static void
open_failed(struct owner *o)
{
	owner_open(o);
	disk_under(o);
	memset(disk.durable, 1, store_bytes(o->st)); /* its head is synced */
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(add(o, 1 + i % 3, 1000 + i), 0);
	disk.sync_fails = true;
	assert_false(store_commit(o->st));
	disk.sync_fails = false;
}

static void
check_durable(const struct owner *o)
{
	size_t n = store_bytes(o->st);

	for (size_t i = 0; i < n; i++)
		if (!disk.durable[i])
			fail_msg("byte %zu of %zu is called stored", i, n);
}

/* Killed after it: the next one reads what no loss of power would leave. */
static void
what_a_failed_sync_left_is_written_again(void **state)
{
	struct owner o;

	(void)state;
	open_failed(&o);
	store_close(o.st);
	assert_int_equal(owner_start(&o), 0);
	assert_int_equal(store_events(o.st), 1000);
	check_durable(&o);
	assert_true(disk.name_durable);
	o.env->ops = disk.real;
	owner_close(&o);
}

/* It lives on: what the kernel has forgotten is written before the next. */
static void
the_next_sync_makes_good_what_one_has_failed(void **state)
{
	struct owner o;

	(void)state;
	open_failed(&o);
	assert_int_equal(add(&o, 1, 3000), 0);
	assert_true(store_commit(o.st));
	check_durable(&o);
	o.env->ops = disk.real;
	owner_close(&o);
}

/* Or else a restart would take the longer, the more there is. */
static void
what_a_sync_has_kept_is_not_written_again(void **state)
{
	struct owner o;
	size_t kept, n;

	(void)state;
	owner_open(&o);
	disk_under(&o);
	fill(&o, 3);
	kept = store_bytes(o.st);
	fill(&o, 1); /* nobody was told that this was synced */
	n = store_bytes(o.st);
	store_close(o.st);
	memset(disk.durable, 0, sizeof(disk.durable));
	assert_int_equal(owner_start(&o), 0);
	assert_int_equal(store_bytes(o.st), n);
	assert_true(kept > 0 && kept < n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(disk.durable[i], i >= kept);
	o.env->ops = disk.real;
	owner_close(&o);
}

static void
a_failure_to_write_it_again_is_said(void **state)
{
	struct owner o;

	(void)state;
	owner_open(&o);
	disk_under(&o);
	fill(&o, 3);
	store_close(o.st);
	disk.sync_fails = true;
	assert_int_equal(owner_start(&o), EX_IOERR);
	disk.sync_fails = false;
	assert_int_equal(owner_start(&o), 0);
	o.env->ops = disk.real;
	owner_close(&o);
}

static void
a_disk_that_errs_in_reading_costs_nothing(void **state)
{
	struct owner o;
	uint64_t events, bytes;
	int good = 0;

	(void)state;
	owner_open(&o);
	disk_under(&o);
	fill(&o, 3);
	events = store_events(o.st);
	bytes = store_bytes(o.st);
	store_close(o.st);
	for (uint32_t seed = 1; seed <= 100; seed++) {
		flips.random = seed * 2654435761u;
		if (owner_start(&o) != 0)
			continue; /* it has said so, and cut nothing off */
		good++;
		assert_int_equal(store_cut_bytes(o.st), 0);
		assert_int_equal(store_events(o.st), events);
		assert_int_equal(store_bytes(o.st), bytes);
		store_close(o.st);
	}
	assert_true(good > 50);
	flips.random = 0;
	assert_int_equal(owner_start(&o), 0);
	assert_int_equal(store_bytes(o.st), bytes);
	o.env->ops = disk.real;
	owner_close(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_full_disk_stops_the_writing_and_loses_nothing),
		cmocka_unit_test(
		    a_full_disk_at_the_end_leaves_a_log_that_can_be_finished),
		cmocka_unit_test(what_a_failed_sync_left_is_written_again),
		cmocka_unit_test(the_next_sync_makes_good_what_one_has_failed),
		cmocka_unit_test(what_a_sync_has_kept_is_not_written_again),
		cmocka_unit_test(a_failure_to_write_it_again_is_said),
		cmocka_unit_test(a_disk_that_errs_in_reading_costs_nothing),
	};

	log_init("monitord", 0);
	return (
	    cmocka_run_group_tests_name("monitord store", tests, NULL, NULL));
}
