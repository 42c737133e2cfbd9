/* A log is read whatever has happened to it, and what is none is refused. */
#include "tests/unit/proto_maker.h"

#include <errno.h>

/*
 * What is before the cut is read, what is behind it is not missed, nothing is
 * taken for damage: a cut is what a live file looks like.
 */
static void
cut_anywhere(void **state)
{
	struct maker m;
	size_t run_bytes;
	struct frame f;

	(void)state;
	small_log(&m, true);
	frame_parse(m.log.p, m.log.n, &f);
	run_bytes = f.frame_bytes;
	for (size_t cut = 0; cut < m.log.n; cut++) {
		struct tracefile *t;
		struct seen s = { 0 };
		struct msg_receipt r;
		const char *why = NULL;
		size_t want = 0;

		write_file(m.log.p, cut);
		t = tracefile_open(path, &why);
		if (cut < run_bytes) {
			assert_null(t);
			assert_int_equal(errno, EINVAL);
			assert_non_null(why);
			continue;
		}
		assert_non_null(t);
		for (size_t i = 0; i < m.entries; i++) {
			if (m.entry[i].offset + m.entry[i].frame_bytes <= cut)
				want += m.entry[i].events;
		}
		assert_int_equal(tracefile_receipt(t, &r), 0);
		see_all(t, &s);
		assert_int_equal(s.events, want);
		assert_false(s.disordered);
		assert_int_equal(tracefile_damaged_bytes(t), 0);
		tracefile_close(t);
	}
	end(&m);
}

/* One byte is changed, anywhere: at most the frame it is in is missing. */
static void
damaged_anywhere(void **state)
{
	struct maker m;

	(void)state;
	small_log(&m, false);
	for (size_t at = 0; at < m.log.n; at++) {
		struct tracefile *t;
		struct seen s = { 0 };
		size_t want = 60, damaged = 0, got;
		bool torn = false;

		m.log.p[at] ^= 0x55;
		t = open_written(&m);
		for (size_t i = 0; i < m.entries; i++) {
			const struct tracefile_entry *e = &m.entry[i];

			if (at < e->offset || at >= e->offset + e->frame_bytes)
				continue;
			want -= e->events;
			damaged = e->frame_bytes;
			/* too long a frame at the end is being written */
			torn = i + 1 == m.entries && at - e->offset >= 4 &&
			       at - e->offset < 8;
		}
		see_all(t, &s);
		assert_int_equal(s.events, want);
		got = tracefile_damaged_bytes(t);
		if (at < m.entry[0].offset)
			damaged = m.entry[0].offset; /* the run frame */
		if (got != damaged && !(torn && got == 0))
			fail_msg("byte %zu: %zu bytes are damaged, not %zu", at,
			    got, damaged);
		tracefile_close(t);
		m.log.p[at] ^= 0x55;
	}
	end(&m);
}

static void
junk_in_the_middle_is_passed_over(void **state)
{
	struct maker m;
	struct tracefile *t;
	struct seen s = { 0 };
	const char *why;
	uint8_t *junk = malloc(3000000); /* more than a window */

	(void)state;
	small_log(&m, false);
	memset(junk, 'O', 3000000);
	write_file(m.log.p, m.entry[3].offset);
	append_file(junk, 3000000);
	append_file(m.log.p + m.entry[3].offset, m.log.n - m.entry[3].offset);
	t = tracefile_open(path, &why);
	assert_non_null(t);
	see_all(t, &s);
	assert_int_equal(s.events, 60);
	assert_int_equal(tracefile_damaged_bytes(t), 3000000);
	tracefile_close(t);
	free(junk);
	end(&m);
}

static void
what_is_no_log_is_refused(void **state)
{
	struct msg_ping ping = { .seq = 1 };
	struct msg_run run = { .version = TRACEFILE_VERSION + 1 };
	struct buf other = { 0 }, newer = { 0 };
	const char *why;

	(void)state;
	frame_append(&other, MSG_ping, &ping);
	frame_append(&newer, MSG_run, &run);
	write_file("", 0);
	assert_null(tracefile_open(path, &why));
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(why, "empty"));
	write_file("\177ELF, and so on and so on and so on", 34);
	assert_null(tracefile_open(path, &why));
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(why, "not a log"));
	write_file("Or", 2);
	assert_null(tracefile_open(path, &why));
	assert_int_equal(errno, EINVAL);
	write_file(other.p, other.n);
	assert_null(tracefile_open(path, &why));
	assert_int_equal(errno, EINVAL);
	write_file(newer.p, newer.n);
	assert_null(tracefile_open(path, &why));
	assert_non_null(strstr(why, "newer"));
	assert_null(tracefile_open("/tmp", &why));
	assert_int_equal(errno, EINVAL);
	assert_non_null(why);
	assert_null(tracefile_open("/nonexistent/run.orr", &why));
	assert_int_equal(errno, ENOENT);
	assert_non_null(why);
	buf_free(&other);
	buf_free(&newer);
}

static void
a_lying_index_is_not_believed(void **state)
{
	struct maker m;
	struct tracefile *t;
	size_t n;

	(void)state;
	for (int lie = 0; lie < 3; lie++) {
		struct seen s = { 0 };

		small_log(&m, false);
		if (lie == 0)
			m.entry[3].offset += 5;
		if (lie == 1)
			m.entry[3].last_mon_ns += 1000;
		if (lie == 2)
			m.entry[3].events++;
		finish(&m);
		t = open_written(&m);
		(void)tracefile_index(t, &n);
		see_all(t, &s);
		/* that block is passed over, and it is said */
		assert_int_equal(s.events, 40);
		assert_true(tracefile_damaged_bytes(t) > 0);
		tracefile_close(t);
		end(&m);
	}
}

/* One that was made for another length of log is as if it were not there. */
static void
a_foreign_index_is_passed_over(void **state)
{
	struct maker m;
	struct tracefile *t;
	struct seen s = { 0 };
	struct msg_receipt r;
	const char *why;

	(void)state;
	small_log(&m, false);
	m.entries -= 2;
	m.log.n += 3; /* what finish() says is three bytes too much */
	finish(&m);
	memmove(m.log.p + m.entry[4].offset + m.entry[4].frame_bytes,
	    m.log.p + m.entry[4].offset + m.entry[4].frame_bytes + 3,
	    m.log.n - 3 - m.entry[4].offset - m.entry[4].frame_bytes);
	write_file(m.log.p, m.log.n - 3);
	t = tracefile_open(path, &why);
	see_all(t, &s);
	assert_int_equal(s.events, 60);
	assert_int_equal(tracefile_receipt(t, &r), 1);
	assert_int_equal(tracefile_damaged_bytes(t), 0);
	tracefile_close(t);
	end(&m);
}

/* Arrays by number would else be as long as somebody likes. */
static void
numbers_beyond_the_log_are_not_believed(void **state)
{
	struct maker m;
	struct tracefile *t;
	struct seen s = { 0 };
	struct msg_name name = { .name = 1u << 26, .text = BYTES_STR("far") };

	(void)state;
	begin(&m);
	define(&m, MSG_name, &name);
	block(&m, 1, 0, 1000, 1, 10, 0);
	block(&m, 1u << 26, 0, 2000, 1, 5, 0);
	t = open_written(&m);
	see_all(t, &s);
	assert_int_equal(s.definitions, 2);
	assert_int_equal(s.events, 10);
	assert_int_equal(tracefile_damaged_bytes(t),
	    m.entry[2].frame_bytes + m.entry[4].frame_bytes);
	tracefile_close(t);
	end(&m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(damaged_anywhere),
		cmocka_unit_test(junk_in_the_middle_is_passed_over),
		cmocka_unit_test(what_is_no_log_is_refused),
		cmocka_unit_test(a_lying_index_is_not_believed),
		cmocka_unit_test(a_foreign_index_is_passed_over),
		cmocka_unit_test(numbers_beyond_the_log_are_not_believed),
	};

	return (cmocka_run_group_tests(tests, make_file, remove_file));
}
