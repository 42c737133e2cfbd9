/*
 * A log read ahead by another thread is the log: the same frames at the same
 * places with the same events, damaged stretches left out and counted, and one
 * may stop at any of them.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crc.h"
#include "feed/feed_ahead.h"
#include "tests/unit/make_log.h"

#define BLOCKS 60
#define EVENTS 700

static char path[] = "/tmp/viewer-ahead.XXXXXX";

/* Blocks, and between them definitions: none, one, or more than a part has. */
static void
make(struct make_log *l)
{
	uint32_t where;
	int64_t t = 1000;
	char text[24];

	make_log_head(l, "ahead");
	make_log_node(l, 1, "n1");
	make_log_po(l, 1, 1, "p");
	where = make_log_thread(l, 1, 1, 1, "");
	for (int b = 0; b < BLOCKS; b++) {
		for (int i = 0; i < (b == 7 ? 1300 : b % 3); i++) {
			snprintf(text, sizeof(text), "name %d %d", b, i);
			make_log_name(l, text);
		}
		for (int i = 0; i < EVENTS; i++, t += 7 + i % 5)
			make_log_event(l, where, i % 2 ? EV_leave : EV_enter, t,
			    (uint64_t)(b * EVENTS + i / 2), 0, 1);
		make_log_blocks(l, 0);
	}
	make_log_finish(l);
}

static void
write_out(const struct make_log *l)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(l->out.p, 1, l->out.n, f), l->out.n);
	assert_int_equal(fclose(f), 0);
}

static uint32_t
events_crc(const struct msg_block *b, const struct event *e)
{
	uint32_t crc = crc_add(0, &b->first_mon_ns, sizeof(b->first_mon_ns));

	crc = crc_add(crc, &b->last_mon_ns, sizeof(b->last_mon_ns));
	return (crc_add(crc, e, b->events * sizeof(*e)));
}

/* Both ways side by side, up to frame `most`; how many there were. */
static unsigned
compare(unsigned most, uint64_t *damaged)
{
	static struct event e[BLOCK_EVENTS_MAX];
	const char *why;
	struct tracefile *t = tracefile_open(path, &why);
	struct ahead *a = ahead_start(path, 0);
	struct buf scratch = { 0 };
	struct ahead_frame got;
	struct msg_block b;
	struct frame f;
	uint64_t at = 0;
	unsigned n = 0;

	assert_non_null(t);
	if (a == NULL)
		skip(); /* one processor */
	for (; n < most && tracefile_next(t, &at, &f) == 1; n++) {
		assert_true(ahead_next(a, &got));
		assert_int_equal(got.frame.type, f.type);
		assert_int_equal(got.frame.frame_bytes, f.frame_bytes);
		assert_int_equal(got.offset, at - f.frame_bytes);
		assert_int_equal(ahead_offset(a), at);
		if (f.type != MSG_block) {
			assert_int_equal(got.frame.body_bytes, f.body_bytes);
			assert_memory_equal(got.frame.body, f.body,
			    f.body_bytes);
			continue;
		}
		assert_int_equal(msg_decode(MSG_block, f.body, f.body_bytes,
				     &b),
		    0);
		assert_int_equal(block_read(&b, e, &scratch), 0);
		assert_non_null(got.events);
		assert_int_equal(got.block.events, b.events);
		assert_int_equal(events_crc(&got.block, got.events),
		    events_crc(&b, e));
	}
	if (n < most) {
		assert_false(ahead_next(a, &got));
		assert_false(ahead_next(a, &got));
		assert_int_equal(ahead_offset(a), at);
		*damaged = ahead_damaged_bytes(a);
		assert_int_equal(*damaged, tracefile_damaged_bytes(t));
	}
	ahead_stop(a);
	tracefile_close(t);
	buf_free(&scratch);
	return (n);
}

static void
it_is_the_log(void **state)
{
	struct make_log l = { .level = 1 };
	uint64_t damaged;
	unsigned n;

	(void)state;
	make(&l);
	write_out(&l);
	n = compare(UINT32_MAX, &damaged);
	assert_true(n > BLOCKS + 1300);
	assert_int_equal(damaged, 0);
	make_log_free(&l);
}

static void
it_may_be_left_anywhere(void **state)
{
	struct make_log l = { .level = 1 };
	uint64_t damaged;

	(void)state;
	make(&l);
	write_out(&l);
	for (unsigned most = 0; most < 2000; most += 1 + most / 3)
		compare(most, &damaged);
	make_log_free(&l);
}

static void
damaged_stretches_are_left_out_and_counted(void **state)
{
	struct make_log l = { .level = 1 };
	uint64_t damaged;
	unsigned n, whole;

	(void)state;
	make(&l);
	write_out(&l);
	whole = compare(UINT32_MAX, &damaged);
	l.out.p[l.out.n / 2] ^= 4;
	l.out.p[l.out.n * 3 / 4] ^= 1;
	l.out.n -= 20; /* and its end is torn off */
	write_out(&l);
	n = compare(UINT32_MAX, &damaged);
	assert_true(n < whole);
	assert_true(damaged > 0);
	make_log_free(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_log),
		cmocka_unit_test(it_may_be_left_anywhere),
		cmocka_unit_test(damaged_stretches_are_left_out_and_counted),
	};
	int fd = mkstemp(path), r;

	if (fd == -1)
		return (1);
	close(fd);
	r = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return (r);
}
