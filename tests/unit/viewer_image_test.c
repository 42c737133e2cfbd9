/*
 * A model that is kept in a file is there again, the same, in another process;
 * what is damaged, of another log or of another program is not taken.
 */
#include "tests/check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crc.h"
#include "model/detail.h"
#include "model/image.h"
#include "model/keep/memory.h"
#include "tests/unit/make_feed.h"

#define LANES  16
#define BATCH  4096
#define ROUNDS 24

static char dir[64], path[96];
static const struct image_key key = { .run = { 1, 2, 3 }, .log_bytes = 99 };

/* Everything that can be asked without details; in a child. */
static uint32_t
sum_of(const struct model *m)
{
	static struct name_stats stats[64];
	static struct link links[512];
	int64_t by[LANE_CLASSES], end = model_last_ns(m);
	struct task t;
	uint32_t crc = 0;
	struct talk_pair talk;
	uint64_t n;
	size_t k;
	char label[64];

	memset(stats, 0, sizeof(stats));
	for (uint32_t i = 0; i < model_lanes(m); i++) {
		model_lane_totals(m, i, 0, end, by, &n);
		crc = crc_add(crc, by, sizeof(by));
		crc = crc_add(crc, &n, sizeof(n));
		model_lane_label(m, i, label, sizeof(label));
		crc = crc_add(crc, label, strlen(label));
	}
	k = model_name_stats(m, stats, 64);
	crc = crc_add(crc, stats, k * sizeof(*stats));
	for (uint32_t i = 0; i < model_tasks(m); i++) {
		memset(&t, 0, sizeof(t));
		model_task_get(m, i, &t);
		crc = crc_add(crc, &t.id, sizeof(t.id));
		crc = crc_add(crc, &t.size, sizeof(t.size));
		crc = crc_add(crc, &t.end_mon_ns, sizeof(t.end_mon_ns));
		if (model_task_by_id(m, t.id) != i)
			abort();
	}
	k = model_links(m, end / 2, end / 2 + 60000, links, 512);
	if (k < 10 || k > 512)
		abort();
	crc = crc_add(crc, links, k * sizeof(*links));
	model_talk(m, 0, 1, TALK_MESSAGE, &talk);
	crc = crc_add(crc, &talk.count, sizeof(talk.count));
	crc = crc_add(crc, &talk.ns, sizeof(talk.ns));
	n = model_events(m);
	return (crc_add(crc, &n, sizeof(n)));
}

static struct model *
made_so(bool no_leaves)
{
	struct feed_made feed = {
		.mix = { .messages = 20, .tasks = 10, .nested = 4 },
		.lanes = LANES
	};
	struct event *e = calloc(BATCH, sizeof(*e));
	struct model *m = feed_model(LANES);

	assert_non_null(e);
	if (no_leaves)
		model_set_no_leaves(m);
	for (int i = 0; i < ROUNDS; i++) {
		feed_fill(&feed, e, BATCH);
		model_add_events(m, e, BATCH);
	}
	free(e);
	return (m);
}

static struct model *
made(void)
{
	return (made_so(false));
}

/* In a process of its own, since there is one region: what it says. */
static uint32_t
child(uint32_t (*run)(void))
{
	uint32_t said = 0;
	int fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid != -1);
	if (pid == 0) {
		said = run();
		_exit(
		    write(fds[1], &said, sizeof(said)) == sizeof(said) ? 0 : 1);
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], &said, sizeof(said)), sizeof(said));
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return (said);
}

static uint32_t
writes(void)
{
	struct model *m;
	uint32_t sum;

	if (!memory_region())
		return (1);
	m = made();
	sum = sum_of(m);
	if (image_write(m, path, &key) == -1)
		return (2);
	model_free(m);
	return (sum);
}

static uint32_t
writes_without_leaves(void)
{
	struct model *m;
	uint32_t sum;

	if (!memory_region())
		return (1);
	m = made_so(true);
	sum = sum_of(m);
	if (image_write(m, path, &key) == -1)
		return (2);
	model_free(m);
	return (sum);
}

static uint32_t
reads_key(const struct image_key *k)
{
	struct model *m;
	uint32_t sum;

	if (!memory_region())
		return (1);
	m = image_read(path, k);
	if (m == NULL) { /* then the region serves as if nothing had been */
		m = made();
		sum = sum_of(m) != 0 ? 3 : 4;
		model_free(m);
		return (sum);
	}
	sum = sum_of(m);
	if (model_detail_ns(m) != model_last_ns(m))
		abort();
	model_free(m);
	return (sum);
}

static uint32_t
reads(void)
{
	return (reads_key(&key));
}

static uint32_t
reads_another(void)
{
	struct image_key other = key;

	other.tail_crc++;
	return (reads_key(&other));
}

static uint32_t
reads_with_another_secret(void)
{
	struct image_key other = key;

	other.secret[7] ^= 1;
	return (reads_key(&other));
}

static int
setup(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/orrery-image.XXXXXX");
	snprintf(path, sizeof(path), "%s/x", mkdtemp(dir) == NULL ? "" : dir);
	return (0);
}

static int
teardown(void **state)
{
	(void)state;
	unlink(path);
	return (rmdir(dir));
}

static void
what_was_kept_is_the_same(void **state)
{
	uint32_t sum = child(writes);

	(void)state;
	if (sum == 1)
		skip(); /* the address is taken here */
	assert_true(sum > 4);
	assert_int_equal(child(reads), sum);
	assert_int_equal(child(reads_another), 3);
}

/* Of a log that is only read to be kept, single changes are never packed. */
static void
without_leaves_it_is_the_same(void **state)
{
	uint32_t sum = child(writes);

	(void)state;
	if (sum == 1)
		skip();
	assert_int_equal(child(writes_without_leaves), sum);
	assert_int_equal(child(reads), sum);
}

/* All of its checksums are right, and so is the program. */
static void
what_somebody_else_has_made_is_not_taken(void **state)
{
	uint32_t sum = child(writes);

	(void)state;
	if (sum == 1)
		skip();
	assert_int_equal(child(reads_with_another_secret), 3);
	assert_int_equal(child(reads), sum);
}

static void
flip(off_t at)
{
	int fd = open(path, O_RDWR);
	uint8_t b;

	assert_true(fd != -1);
	assert_int_equal(pread(fd, &b, 1, at), 1);
	b ^= 0x10;
	assert_int_equal(pwrite(fd, &b, 1, at), 1);
	close(fd);
}

static void
what_is_damaged_is_not_taken(void **state)
{
	uint32_t sum = child(writes);
	off_t end;
	int fd;

	(void)state;
	if (sum == 1)
		skip();
	fd = open(path, O_RDONLY);
	end = lseek(fd, 0, SEEK_END);
	close(fd);
	for (off_t at = 0; at < end; at = at * 5 + 3) {
		if (at >= 3930 && at < 4096) /* nothing stands there */
			continue;
		flip(at);
		assert_int_equal(child(reads), 3);
		flip(at);
	}
	assert_int_equal(truncate(path, end - 1), 0);
	assert_int_equal(child(reads), 3);
	assert_int_equal(truncate(path, 10), 0);
	assert_int_equal(child(reads), 3);
	assert_int_equal(chmod(path, 0622), 0);
	assert_int_equal(child(reads), 3);
}

/* Sizes come and go; what is grown keeps its bytes, what is new is clear. */
static uint32_t
churns(void)
{
	static uint8_t *p[512];
	static size_t n[512];
	uint32_t seed = 1, i;

	if (!memory_region())
		return (1);
	for (int k = 0; k < 200000; k++) {
		seed = seed * 1664525 + 1013904223;
		i = seed >> 23;
		if (p[i] != NULL && (seed & 3) == 0) {
			memory_free(p[i]);
			p[i] = NULL;
			continue;
		}
		if (p[i] == NULL) {
			n[i] = 1 + (seed >> 8) % ((seed & 64) ? 9000 : 90);
			p[i] = memory_zero(1, n[i]);
			for (size_t b = 0; b < n[i]; b++)
				if (p[i][b] != 0)
					return (2);
			memset(p[i], (int)i, n[i]);
		} else {
			p[i] = memory_grow(p[i], n[i] + 100);
			for (size_t b = 0; b < n[i]; b++)
				if (p[i][b] != (uint8_t)i)
					return (3);
			memset(p[i], (int)i, n[i] += 100);
		}
	}
	return (42);
}

static void
memory_is_kept_apart(void **state)
{
	uint32_t said = child(churns);

	(void)state;
	if (said == 1)
		skip();
	assert_int_equal(said, 42);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_kept_is_the_same),
		cmocka_unit_test(without_leaves_it_is_the_same),
		cmocka_unit_test(what_somebody_else_has_made_is_not_taken),
		cmocka_unit_test(what_is_damaged_is_not_taken),
		cmocka_unit_test(memory_is_kept_apart),
	};

	return (cmocka_run_group_tests(tests, setup, teardown));
}
