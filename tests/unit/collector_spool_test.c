/* The spool: what was appended is there, once, whatever happens between. */
#include "tests/unit/collector_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "collector/spool/spool.h"
#include "tests/unit/make_flips.h"

#define PATH_BYTES 256

static struct spool *
open_spool(struct place *fx)
{
	struct spool *sp = spool_open(fx->env, fx->dir, 0);

	assert_non_null(sp);
	return (sp);
}

static size_t
append(struct spool *sp, size_t bytes, int *rc)
{
	struct msg_batch m = { .number = spool_next(sp) };
	uint8_t *payload = malloc(bytes + 1), *frame;
	size_t n;

	memset(payload, (int)(m.number & 0xff), bytes + 1);
	m.streams = (struct bytes){ payload, bytes };
	frame = frame_message(MSG_batch, &m, &n);
	assert_non_null(frame);
	*rc = spool_append(sp, frame, n);
	free(frame);
	free(payload);
	return (n);
}

static void
check_batch(struct spool *sp, uint64_t number, size_t bytes)
{
	struct buf buf = { 0 };
	struct frame f;
	struct msg_batch m;

	assert_int_equal(spool_read(sp, number, &buf), 0);
	assert_int_equal(frame_parse(buf.p, buf.n, &f), FRAME_OK);
	assert_int_equal(msg_decode(f.type, f.body, f.body_bytes, &m), 0);
	assert_int_equal(m.number, number);
	assert_int_equal(m.streams.n, bytes);
	if (bytes > 0)
		assert_int_equal(((const uint8_t *)m.streams.p)[bytes - 1],
		    number & 0xff);
	buf_free(&buf);
}

static void
what_was_appended_is_read_in_any_order(void **state)
{
	struct spool *sp = open_spool(*state);
	int rc;

	for (size_t i = 1; i <= 50; i++) {
		append(sp, i * 3, &rc);
		assert_int_equal(rc, 0);
	}
	for (uint64_t i = 1; i <= 50; i++)
		check_batch(sp, i, i * 3);
	for (uint64_t i = 50; i <= 50; i -= 7)
		check_batch(sp, i, i * 3);
	spool_close(sp);
}

/* A crash can stop the last write at any byte. */
static void
a_torn_end_is_cut_at_every_byte(void **state)
{
	struct place *fx = *state;
	char path[PATH_BYTES];
	struct spool *sp = open_spool(fx);
	size_t whole = 0, last = 0;
	int rc;

	for (int i = 0; i < 3; i++) {
		whole += last;
		last = append(sp, 20, &rc);
		assert_int_equal(rc, 0);
	}
	spool_close(sp);
	snprintf(path, sizeof(path), "%s/%020d.spool", fx->dir, 1);
	for (size_t cut = whole + last; cut-- > whole;) {
		assert_int_equal(truncate(path, (off_t)cut), 0);
		sp = open_spool(fx);
		assert_int_equal(spool_first(sp), 1);
		assert_int_equal(spool_next(sp), 3);
		check_batch(sp, 2, 20);
		/* and the place is used again */
		append(sp, 20, &rc);
		assert_int_equal(rc, 0);
		check_batch(sp, 3, 20);
		spool_close(sp);
	}
}

/* Batches of other numbers than the name says are nobody's. */
static void
a_file_under_a_wrong_name_is_not_taken(void **state)
{
	struct place *fx = *state;
	char is[PATH_BYTES], was[PATH_BYTES];
	struct spool *sp = open_spool(fx);
	int rc;

	for (int i = 0; i < 3; i++) {
		append(sp, 20, &rc);
		assert_int_equal(rc, 0);
	}
	spool_close(sp);
	snprintf(was, sizeof(was), "%s/%020d.spool", fx->dir, 1);
	snprintf(is, sizeof(is), "%s/%020d.spool", fx->dir, 7);
	assert_int_equal(rename(was, is), 0);
	sp = open_spool(fx);
	assert_int_equal(spool_next(sp), 7);
	append(sp, 30, &rc);
	assert_int_equal(rc, 0);
	check_batch(sp, 7, 30);
	spool_close(sp);
}

static void
a_damaged_frame_ends_what_is_there(void **state)
{
	struct place *fx = *state;
	char path[PATH_BYTES];
	struct spool *sp = open_spool(fx);
	size_t one;
	int rc, fd;

	one = append(sp, 100, &rc);
	append(sp, 100, &rc);
	append(sp, 100, &rc);
	spool_close(sp);
	snprintf(path, sizeof(path), "%s/%020d.spool", fx->dir, 1);
	fd = open(path, O_WRONLY);
	assert_int_equal(pwrite(fd, "x", 1, (off_t)one + 50), 1);
	close(fd);
	sp = open_spool(fx);
	assert_int_equal(spool_next(sp), 2);
	spool_close(sp);
}

static void
acknowledged_files_go_and_numbers_are_not_used_again(void **state)
{
	struct place *fx = *state;
	struct spool *sp = open_spool(fx);
	uint64_t next;
	int rc;

	for (int i = 0; i < 40; i++) {
		append(sp, 256 << 10, &rc);
		assert_int_equal(rc, 0);
	}
	assert_true(spool_bytes(sp) > 40u * (256 << 10));
	next = spool_next(sp);
	spool_ack(sp, 17);
	assert_int_equal(spool_first(sp), 18);
	check_batch(sp, 18, 256 << 10);
	spool_ack(sp, next - 1);
	assert_int_equal(spool_bytes(sp), 0);
	assert_int_equal(spool_first(sp), next);
	spool_close(sp);

	sp = open_spool(fx);
	assert_int_equal(spool_next(sp), next);
	assert_int_equal(spool_first(sp), next);
	assert_int_equal(spool_epoch(sp), 2);
	spool_close(sp);
}

static void
an_acknowledgement_from_the_future_is_cut_short(void **state)
{
	struct spool *sp = open_spool(*state);
	int rc;

	append(sp, 10, &rc);
	spool_ack(sp, UINT64_MAX);
	assert_int_equal(spool_first(sp), 2);
	append(sp, 10, &rc);
	assert_int_equal(rc, 0);
	check_batch(sp, 2, 10);
	spool_close(sp);
}

/* Two files so far apart that no loop over what is between ever ends. */
static void
a_gap_of_any_length_is_passed_over(void **state)
{
	static const uint64_t far = UINT64_C(1) << 62;
	struct place *fx = *state;
	char path[PATH_BYTES];
	struct msg_batch m = { .number = far };
	struct spool *sp;
	uint8_t *frame;
	size_t n;
	int fd, rc;

	sp = open_spool(fx);
	append(sp, 20, &rc);
	append(sp, 20, &rc);
	spool_close(sp);
	snprintf(path, sizeof(path), "%s/%020llu.spool", fx->dir,
	    (unsigned long long)far);
	frame = frame_message(MSG_batch, &m, &n);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, frame, n), n);
	close(fd);
	free(frame);
	sp = open_spool(fx);
	assert_int_equal(spool_next(sp), far + 1);
	spool_ack(sp, 1);
	assert_int_equal(spool_first(sp), 2);
	spool_ack(sp, far - 7);
	assert_int_equal(spool_first(sp), far - 6);
	spool_ack(sp, far);
	assert_int_equal(spool_first(sp), far + 1);
	assert_int_equal(spool_bytes(sp), 0);
	spool_close(sp);
	unlink(path);
}

static void
a_full_spool_takes_no_more_until_it_is_acknowledged(void **state)
{
	struct spool *sp = open_spool(*state);
	uint64_t next;
	int rc = 0;

	while (rc == 0)
		append(sp, 1 << 20, &rc);
	assert_int_equal(errno, ENOSPC);
	next = spool_next(sp);
	assert_in_range(next, 14, 17); /* of 16 MiB */
	append(sp, 1 << 20, &rc);
	assert_int_equal(rc, -1);
	assert_int_equal(spool_next(sp), next);
	spool_ack(sp, 8);
	append(sp, 1 << 20, &rc);
	assert_int_equal(rc, 0);
	for (uint64_t i = 9; i <= next; i++)
		check_batch(sp, i, 1 << 20);
	spool_close(sp);
}

static void
two_processes_cannot_work_in_one_spool(void **state)
{
	struct place *fx = *state;
	struct spool *sp = open_spool(fx);

	assert_null(spool_open(fx->env, fx->dir, 0));
	assert_int_equal(errno, EWOULDBLOCK);
	spool_close(sp);
}

static void
a_directory_that_vanishes_is_made_again(void **state)
{
	struct place *fx = *state;
	struct spool *sp = open_spool(fx);
	char path[PATH_BYTES];
	uint64_t last;
	int rc;

	append(sp, 1000, &rc);
	dir_empty(fx->dir);
	assert_int_equal(rmdir(fx->dir), 0);
	for (int i = 0; i < 60; i++) { /* files are of 2 MiB here */
		append(sp, 100000, &rc);
		assert_int_equal(rc, 0);
	}
	check_batch(sp, 1, 1000);
	last = spool_next(sp) - 1;
	for (uint64_t i = 2; i <= last; i++)
		check_batch(sp, i, 100000);
	spool_ack(sp, last - 10); /* removes files that are not there */
	snprintf(path, sizeof(path), "%s/state", fx->dir);
	assert_int_equal(access(path, F_OK), 0);
	spool_close(sp);
	sp = open_spool(fx);
	check_batch(sp, last, 100000);
	assert_int_equal(spool_next(sp), last + 1);
	spool_close(sp);
}

/* Nobody else has those batches: rather no spool than one that is cut. */
static void
a_disk_that_errs_in_reading_costs_nothing(void **state)
{
	struct place *fx = *state;
	struct env_ops ops;
	struct spool *sp = open_spool(fx);
	unsigned good = 0;
	int rc;

	for (size_t i = 1; i <= 40; i++)
		append(sp, 10 * i, &rc);
	spool_close(sp);
	flips.real = fx->env->ops;
	ops = *flips.real;
	ops.read_at = flips_read_at;
	fx->env->ops = &ops;
	for (uint32_t seed = 1; seed <= 100; seed++) {
		flips.random = seed * 2654435761u;
		sp = spool_open(fx->env, fx->dir, 0);
		if (sp == NULL)
			continue;
		good++;
		assert_int_equal(spool_next(sp), 41);
		spool_close(sp);
	}
	assert_true(good > 50);
	fx->env->ops = flips.real;
	sp = open_spool(fx);
	for (size_t i = 1; i <= 40; i++)
		check_batch(sp, i, 10 * i);
	spool_close(sp);
}

static void
node_and_run_are_remembered(void **state)
{
	struct place *fx = *state;
	struct spool *sp = open_spool(fx);
	struct uuid run = { { 1, 2, 3, 0xff } }, back;

	assert_int_equal(spool_remember(sp, 7, &run), 0);
	spool_close(sp);
	sp = open_spool(fx);
	back = spool_run(sp);
	assert_int_equal(spool_node(sp), 7);
	assert_memory_equal(&back, &run, sizeof(run));
	spool_close(sp);
}

static const char *
booted_machine(struct env *env)
{
	(void)env;
	return ("the same machine, after a boot");
}

/* The times of a start are of another clock than those of before a boot. */
static void
starts_since_a_boot_are_told_apart(void **state)
{
	struct place *fx = *state;
	const struct env_ops *real = fx->env->ops;
	struct env_ops booted = *real;
	static const struct {
		bool booted;
		uint64_t since;
	} starts[] = { { false, 1 }, { false, 1 }, { true, 3 }, { true, 3 },
		{ false, 5 } };
	struct spool *sp;

	booted.machine = booted_machine;
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		fx->env->ops = starts[i].booted ? &booted : real;
		sp = open_spool(fx);
		assert_int_equal(spool_epoch(sp), i + 1);
		assert_int_equal(spool_since(sp), starts[i].since);
		spool_close(sp);
	}
	fx->env->ops = real;
}

#define TEST(f)                                                                \
	cmocka_unit_test_setup_teardown(f, place_set_up, place_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_appended_is_read_in_any_order),
		TEST(a_torn_end_is_cut_at_every_byte),
		TEST(a_file_under_a_wrong_name_is_not_taken),
		TEST(a_damaged_frame_ends_what_is_there),
		TEST(acknowledged_files_go_and_numbers_are_not_used_again),
		TEST(an_acknowledgement_from_the_future_is_cut_short),
		TEST(a_gap_of_any_length_is_passed_over),
		TEST(a_full_spool_takes_no_more_until_it_is_acknowledged),
		TEST(two_processes_cannot_work_in_one_spool),
		TEST(a_directory_that_vanishes_is_made_again),
		TEST(a_disk_that_errs_in_reading_costs_nothing),
		TEST(node_and_run_are_remembered),
		TEST(starts_since_a_boot_are_told_apart),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
