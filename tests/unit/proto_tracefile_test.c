/* A log is read in order, whole and in parts, while it grows. */
#include "tests/unit/proto_maker.h"

#include <errno.h>

static void
a_whole_log_is_read(void **state)
{
	(void)state;
	for (int finished = 0; finished < 2; finished++) {
		struct maker m;
		struct seen s = { 0 };
		struct msg_receipt r;
		struct tracefile *t;
		const struct tracefile_entry *e;
		size_t n;

		small_log(&m, finished);
		t = open_written(&m);
		assert_memory_equal(tracefile_run(t)->name.p, "test", 4);
		e = tracefile_index(t, &n);
		assert_int_equal(n, m.entries);
		assert_memory_equal(e, m.entry, n * sizeof(*e));
		assert_int_equal(tracefile_receipt(t, &r), finished);
		if (finished)
			assert_int_equal(r.stored, 60);
		see_all(t, &s);
		assert_int_equal(s.events, 60);
		assert_int_equal(s.definitions, 2);
		assert_false(s.disordered);
		assert_int_equal(tracefile_damaged_bytes(t), 0);
		tracefile_close(t);
		end(&m);
	}
}

static void
without_a_call_back_no_event_is_told(void **state)
{
	static const struct trace_sink definitions = { see_definition, NULL };
	struct maker m;
	struct seen s = { 0 };
	struct tracefile *t;

	(void)state;
	small_log(&m, true);
	t = open_written(&m);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &definitions,
			     &s),
	    0);
	assert_int_equal(s.definitions, 2);
	tracefile_close(t);
	end(&m);
}

static void
a_growing_log_is_followed(void **state)
{
	struct maker m;
	struct tracefile *t;
	const char *why;
	uint64_t offset = 0;
	size_t frames = 0, got = 0, n, chunk = 37;
	struct frame f;

	(void)state;
	small_log(&m, true);
	write_file(m.log.p, 200);
	t = tracefile_open(path, &why);
	assert_non_null(t);
	for (size_t at = 200;; at += chunk) {
		while (tracefile_next(t, &offset, &f) == 1) {
			frames++;
			got += f.frame_bytes;
		}
		(void)tracefile_index(t, &n);
		if (at >= m.log.n)
			break;
		assert_int_equal(tracefile_refresh(t), 0);
		append_file(m.log.p + at,
		    m.log.n - at < chunk ? m.log.n - at : chunk);
		assert_int_equal(tracefile_refresh(t), 1);
	}
	assert_int_equal(frames, m.entries + 3);
	assert_int_equal(got, m.log.n);
	assert_int_equal(offset, tracefile_bytes(t));
	assert_int_equal(n, m.entries);
	assert_int_equal(tracefile_damaged_bytes(t), 0);
	tracefile_close(t);
	end(&m);
}

static void
a_shrinking_log_does_no_harm(void **state)
{
	struct maker m;
	struct tracefile *t;
	struct seen s = { 0 };
	size_t n;

	(void)state;
	small_log(&m, false);
	t = open_written(&m);
	(void)tracefile_index(t, &n);
	assert_int_equal(truncate(path, (off_t)m.entry[3].offset), 0);
	assert_int_equal(tracefile_refresh(t), 0);
	see_all(t, &s);
	assert_int_equal(s.events, 20);
	tracefile_close(t);
	end(&m);
}

static void
late_blocks_come_in_their_place(void **state)
{
	struct maker m;
	struct tracefile *t;
	struct seen s = { 0 };

	(void)state;
	begin(&m);
	for (int i = 0; i < 20; i++)
		block(&m, 1, (uint64_t)i * 50, 10000 + i * 500, 10, 50, 0);
	/* one that reaches over several, two that overlap, one from before */
	block(&m, 2, 0, 11003, 100, 60, 1);
	block(&m, 3, 0, 12003, 7, 30, 1);
	block(&m, 3, 30, 13003, 7, 30, 1);
	block(&m, 4, 0, 5, 1, 10, 1);
	/* ties with what is there */
	block(&m, 5, 0, 10000, 10, 100, 1);
	t = open_written(&m);
	see_all(t, &s);
	assert_int_equal(s.events, 1230);
	assert_false(s.disordered);
	assert_false(s.swapped);
	/* and of a part */
	for (int64_t from = 9000; from < 22000; from += 333) {
		struct seen part = { 0 };
		size_t want = 0;

		for (int i = 0; i < 1000; i++)
			want += 10000 + i * 10 >= from &&
				10000 + i * 10 < from + 2000;
		for (int i = 0; i < 60; i++)
			want += 11003 + i * 100 >= from &&
				11003 + i * 100 < from + 2000;
		for (int i = 0; i < 30; i++) {
			want += 12003 + i * 7 >= from &&
				12003 + i * 7 < from + 2000;
			want += 13003 + i * 7 >= from &&
				13003 + i * 7 < from + 2000;
		}
		for (int i = 0; i < 100; i++)
			want += 10000 + i * 10 >= from &&
				10000 + i * 10 < from + 2000;
		assert_int_equal(tracefile_each(t, from, from + 2000, &sink,
				     &part),
		    0);
		assert_int_equal(part.events, want);
		assert_false(part.disordered);
	}
	tracefile_close(t);
	end(&m);
}

static void
the_sink_can_stop_it(void **state)
{
	struct maker m;
	struct tracefile *t;
	struct seen s = { .stop_at = 33 };

	(void)state;
	small_log(&m, true);
	t = open_written(&m);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &s),
	    42);
	assert_int_equal(s.events, 33);
	tracefile_close(t);
	end(&m);
}

/* Blocks that all overlap are held at once only up to a limit. */
static void
a_bomb_of_late_blocks_is_refused(void **state)
{
	struct maker m;
	struct tracefile *t;
	struct seen s = { 0 };

	(void)state;
	begin(&m);
	for (int i = 0; i < 300; i++)
		block(&m, 1, 0, 1000, 0, BLOCK_EVENTS_MAX, 1);
	t = open_written(&m);
	errno = 0;
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &s),
	    -1);
	assert_int_equal(errno, ENOMEM);
	tracefile_close(t);
	end(&m);
}

struct sums {
	uint64_t events, words, times;
};

static int
sum_event(void *arg, const struct event *e)
{
	struct sums *s = arg;

	s->events++;
	s->words = s->words * 31 + (e->a ^ e->b ^ e->c ^ e->kind);
	s->times =
	    s->times * 31 +
	    (uint64_t)(e->t_mon_ns ^ e->t_node_ns ^ e->shift_ns ^ e->flags) +
	    e->seq * e->location;
	return (0);
}

/*
 * A log is read for as long as its version is known.  When this fails, the
 * format has changed, and TRACEFILE_VERSION has to.
 */
static void
the_format_stays(void **state)
{
	static const struct trace_sink summing = { NULL, sum_event };
	struct sums s = { 0 };
	struct tracefile *t;
	const char *why;

	(void)state;
	t = tracefile_open("tests/golden/log-version-1", &why);
	if (t == NULL)
		fail_msg("tests/golden/log-version-1 %s", why);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &summing, &s),
	    0);
	assert_int_equal(s.events, 180);
	assert_int_equal(s.words, 0xc752b38e53691073);
	assert_int_equal(s.times, 0x162ad684c873d63e);
	tracefile_close(t);
}

static void
indexes_come_back(void **state)
{
	struct tracefile_entry in[] = {
		{ .offset = 16, .frame_bytes = 40, .type = MSG_name },
		{ .offset = 56,
		    .frame_bytes = 4000,
		    .events = 65536,
		    .type = MSG_block,
		    .first_mon_ns = -5,
		    .last_mon_ns = TIME_NS_MAX },
		{ .offset = 5000000000,
		    .frame_bytes = 16,
		    .events = 1,
		    .type = MSG_block,
		    .late = 1,
		    .first_mon_ns = -TIME_NS_MAX,
		    .last_mon_ns = -TIME_NS_MAX },
	};
	struct tracefile_entry *out;
	struct buf b = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(tracefile_index_encode(in, 3, &b), 0);
	assert_int_equal(tracefile_index_decode((struct bytes){ b.p, b.n },
			     &out, &n),
	    0);
	assert_int_equal(n, 3);
	assert_memory_equal(in, out, sizeof(in));
	free(out);
	for (size_t cut = 0; cut < b.n; cut++) {
		if (tracefile_index_decode((struct bytes){ b.p, cut }, &out,
			&n) == 0)
			free(out);
	}
	/* no block is of a time that cannot be: such a table is no good */
	in[2].last_mon_ns = --in[2].first_mon_ns;
	b.n = 0;
	assert_int_equal(tracefile_index_encode(in, 3, &b), 0);
	assert_int_equal(tracefile_index_decode((struct bytes){ b.p, b.n },
			     &out, &n),
	    -1);
	buf_free(&b);
}

/* Three million definitions: what would have to be said of them is 9 MB. */
static void
an_index_that_fits_no_frame_is_left_out(void **state)
{
	static const struct msg_receipt receipt = { .published = 7 };
	const size_t n = 3000000;
	struct tracefile_entry *e = calloc(n, sizeof(*e));
	struct buf b = { 0 };
	struct frame f;

	(void)state;
	assert_non_null(e);
	for (size_t i = 0; i < n; i++)
		e[i] = (struct tracefile_entry){ .offset = 40 * i,
			.frame_bytes = 40,
			.type = MSG_name };
	assert_int_equal(tracefile_tail(e, 1000, 40000, 0, &receipt, &b), 0);
	assert_int_equal(frame_parse(b.p, b.n, &f), FRAME_OK);
	assert_int_equal(f.type, MSG_index);
	b.n = 0;
	assert_int_equal(tracefile_tail(e, n, 40 * n, 0, &receipt, &b), 1);
	assert_int_equal(frame_parse(b.p, b.n, &f), FRAME_OK);
	assert_int_equal(f.type, MSG_receipt);
	assert_int_equal(f.frame_bytes, b.n);
	buf_free(&b);
	free(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_log_is_read),
		cmocka_unit_test(without_a_call_back_no_event_is_told),
		cmocka_unit_test(a_growing_log_is_followed),
		cmocka_unit_test(a_shrinking_log_does_no_harm),
		cmocka_unit_test(late_blocks_come_in_their_place),
		cmocka_unit_test(the_sink_can_stop_it),
		cmocka_unit_test(a_bomb_of_late_blocks_is_refused),
		cmocka_unit_test(the_format_stays),
		cmocka_unit_test(indexes_come_back),
		cmocka_unit_test(an_index_that_fits_no_frame_is_left_out),
	};

	return (cmocka_run_group_tests(tests, make_file, remove_file));
}
