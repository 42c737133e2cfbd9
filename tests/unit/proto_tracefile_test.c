/* A log is read whatever has happened to it, and what is none is refused. */
#include "tests/check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracefile.h"

static char path[] = "/tmp/orrery-tracefile-XXXXXX";

static void
write_file(const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void
append_file(const void *p, size_t n)
{
	FILE *f = fopen(path, "ab");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* A log under construction. */
struct maker {
	struct buf log;
	struct block_writer *w;
	struct tracefile_entry entry[1000];
	size_t entries, events;
};

static void
note_entry(struct maker *m, size_t at, unsigned type)
{
	struct tracefile_entry *e = &m->entry[m->entries++];
	struct frame f;
	struct msg_block b;

	assert_int_equal(frame_parse(m->log.p + at, m->log.n - at, &f),
	    FRAME_OK);
	*e = (struct tracefile_entry){ .offset = at,
		.frame_bytes = (uint32_t)f.frame_bytes,
		.type = (uint8_t)type };
	if (type != MSG_block)
		return;
	assert_int_equal(msg_decode(type, f.body, f.body_bytes, &b), 0);
	e->events = b.events;
	e->late = b.late;
	e->first_mon_ns = b.first_mon_ns;
	e->last_mon_ns = b.last_mon_ns;
}

static void
define(struct maker *m, enum msg_type type, const void *msg)
{
	size_t at = m->log.n;

	assert_int_equal(frame_append(&m->log, type, msg), 0);
	note_entry(m, at, type);
}

static void
begin(struct maker *m)
{
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.name = BYTES_STR("test"),
		.start_mon_ns = 1000 };
	struct msg_node node = { .node = 1, .name = BYTES_STR("n1") };
	struct msg_thread th = { .location = 1,
		.node = 1,
		.po = 3,
		.thread = 1 };

	memset(m, 0, sizeof(*m));
	m->w = block_writer_new();
	assert_int_equal(frame_append(&m->log, MSG_run, &run), 0);
	define(m, MSG_node, &node);
	define(m, MSG_thread, &th);
}

/* n events of a location from a sequence number on, `step` apart. */
static void
block(struct maker *m, uint32_t location, uint64_t seq, int64_t t, int64_t step,
    size_t n, int late)
{
	size_t at = m->log.n;

	for (size_t i = 0; i < n; i++) {
		struct event e = { .t_mon_ns = t + (int64_t)i * step,
			.t_node_ns = t + (int64_t)i * step,
			.seq = seq + i,
			.location = location,
			.kind = EV_counter,
			.a = seq + i,
			.c = 1 };

		assert_int_equal(block_add(m->w, &e), 0);
	}
	assert_int_equal(block_finish(m->w, late, 1, &m->log), 0);
	note_entry(m, at, MSG_block);
	m->events += n;
}

static void
finish(struct maker *m)
{
	struct buf entries = { 0 };
	struct msg_index ix = { .log_bytes = m->log.n, .events = m->events };
	struct msg_receipt r = { .published = m->events, .stored = m->events };

	assert_int_equal(tracefile_index_encode(m->entry, m->entries, &entries),
	    0);
	ix.entries = (struct bytes){ entries.p, entries.n };
	assert_int_equal(frame_append(&m->log, MSG_index, &ix), 0);
	assert_int_equal(frame_append(&m->log, MSG_receipt, &r), 0);
	buf_free(&entries);
}

static void
end(struct maker *m)
{
	block_writer_free(m->w);
	buf_free(&m->log);
}

/* Counts what tracefile_each hands over and checks its order. */
struct seen {
	size_t events, definitions, stop_at;
	int64_t last_mon_ns;
	uint64_t next_seq[8];
	uint32_t last_location;
	bool disordered, swapped; /* swapped: location 5 before 1 at a tie */
};

static int
see_definition(void *arg, const struct frame *f)
{
	struct seen *s = arg;

	(void)f;
	s->definitions++;
	s->disordered |= s->events > 0;
	return (0);
}

static int
see_event(void *arg, const struct event *e)
{
	struct seen *s = arg;

	if (s->events > 0)
		s->disordered |= e->t_mon_ns < s->last_mon_ns;
	s->disordered |= e->seq < s->next_seq[e->location];
	s->swapped |= s->events > 0 && e->t_mon_ns == s->last_mon_ns &&
		      s->last_location == 5 && e->location == 1;
	s->last_location = e->location;
	s->next_seq[e->location] = e->seq + 1;
	s->last_mon_ns = e->t_mon_ns;
	s->events++;
	return (s->stop_at != 0 && s->events == s->stop_at ? 42 : 0);
}

static const struct trace_sink sink = { see_definition, see_event };

/* A log of three blocks, as it lies on disk. */
static void
small_log(struct maker *m, bool finished)
{
	begin(m);
	block(m, 1, 0, 1000, 10, 20, 0);
	block(m, 1, 20, 1200, 10, 20, 0);
	block(m, 1, 40, 1400, 10, 20, 0);
	if (finished)
		finish(m);
}

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
		const char *why;
		size_t n;

		small_log(&m, finished);
		write_file(m.log.p, m.log.n);
		t = tracefile_open(path, &why);
		assert_non_null(t);
		assert_memory_equal(tracefile_run(t)->name.p, "test", 4);
		e = tracefile_index(t, &n);
		assert_int_equal(n, m.entries);
		assert_memory_equal(e, m.entry, n * sizeof(*e));
		assert_int_equal(tracefile_receipt(t, &r), finished);
		if (finished)
			assert_int_equal(r.stored, 60);
		assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink,
				     &s),
		    0);
		assert_int_equal(s.events, 60);
		assert_int_equal(s.definitions, 2);
		assert_false(s.disordered);
		assert_int_equal(tracefile_damaged_bytes(t), 0);
		tracefile_close(t);
		end(&m);
	}
}

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
		assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink,
				     &s),
		    0);
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
		const char *why;
		size_t want = 60, damaged = 0, got;
		bool torn = false;

		m.log.p[at] ^= 0x55;
		write_file(m.log.p, m.log.n);
		t = tracefile_open(path, &why);
		assert_non_null(t);
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
		assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink,
				     &s),
		    0);
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
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &s), 0);
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
	const char *why;
	struct seen s = { 0 };
	size_t n;

	(void)state;
	small_log(&m, false);
	write_file(m.log.p, m.log.n);
	t = tracefile_open(path, &why);
	(void)tracefile_index(t, &n);
	assert_int_equal(truncate(path, (off_t)m.entry[3].offset), 0);
	assert_int_equal(tracefile_refresh(t), 0);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &s), 0);
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
	const char *why;

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
	write_file(m.log.p, m.log.n);
	t = tracefile_open(path, &why);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &s), 0);
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
	const char *why;

	(void)state;
	small_log(&m, true);
	write_file(m.log.p, m.log.n);
	t = tracefile_open(path, &why);
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
	const char *why;

	(void)state;
	begin(&m);
	for (int i = 0; i < 300; i++)
		block(&m, 1, 0, 1000, 0, BLOCK_EVENTS_MAX, 1);
	write_file(m.log.p, m.log.n);
	t = tracefile_open(path, &why);
	errno = 0;
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &s),
	    -1);
	assert_int_equal(errno, ENOMEM);
	tracefile_close(t);
	end(&m);
}

static void
a_lying_index_is_not_believed(void **state)
{
	struct maker m;
	struct tracefile *t;
	const char *why;
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
		write_file(m.log.p, m.log.n);
		t = tracefile_open(path, &why);
		(void)tracefile_index(t, &n);
		assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink,
				     &s),
		    0);
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
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &s), 0);
	assert_int_equal(s.events, 60);
	assert_int_equal(tracefile_receipt(t, &r), 1);
	assert_int_equal(tracefile_damaged_bytes(t), 0);
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
		    .last_mon_ns = INT64_MAX },
		{ .offset = 5000000000,
		    .frame_bytes = 16,
		    .events = 1,
		    .type = MSG_block,
		    .late = 1,
		    .first_mon_ns = INT64_MIN,
		    .last_mon_ns = INT64_MIN },
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
	buf_free(&b);
}

static int
make_file(void **state)
{
	(void)state;
	return (mkstemp(path) == -1);
}

static int
remove_file(void **state)
{
	(void)state;
	return (unlink(path));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_log_is_read),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(damaged_anywhere),
		cmocka_unit_test(junk_in_the_middle_is_passed_over),
		cmocka_unit_test(what_is_no_log_is_refused),
		cmocka_unit_test(a_growing_log_is_followed),
		cmocka_unit_test(a_shrinking_log_does_no_harm),
		cmocka_unit_test(late_blocks_come_in_their_place),
		cmocka_unit_test(the_sink_can_stop_it),
		cmocka_unit_test(a_bomb_of_late_blocks_is_refused),
		cmocka_unit_test(a_lying_index_is_not_believed),
		cmocka_unit_test(a_foreign_index_is_passed_over),
		cmocka_unit_test(the_format_stays),
		cmocka_unit_test(indexes_come_back),
	};

	return (cmocka_run_group_tests(tests, make_file, remove_file));
}
