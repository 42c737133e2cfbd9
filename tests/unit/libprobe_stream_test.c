/* Streams as messages: each is received when its last byte has been read. */
#include "tests/check.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/stream.h"
#include "tests/rnd.h"

#define MESSAGES 20000u
#define ME       1 /* processes */
#define OTHER    2

static struct streamtable *table;

static int
setup(void **state)
{
	(void)state;
	table = calloc(1, sizeof(*table));
	return (table == NULL ? -1 : 0);
}

static int
teardown(void **state)
{
	(void)state;
	free(table);
	return (0);
}

static uint64_t
below(uint64_t n)
{
	return (rnd() % n);
}

/* A write of n bytes, of which some go; returns how many are told of anew. */
static uint64_t
writes(struct stream *s, uint64_t process, uint64_t n, uint64_t go, uint64_t id)
{
	uint64_t start, fresh;

	assert_true(stream_enter(s, STREAM_WRITER));
	fresh = stream_write(s, process, n, &start);
	if (fresh > 0)
		assert_true(stream_mark(s, start, fresh, id));
	stream_wrote(s, go);
	stream_leave(s, STREAM_WRITER);
	return (fresh);
}

/* Returns the last message that has been read by now; 0: none more. */
static uint64_t
reads(struct stream *s, uint64_t n)
{
	struct stream_mark m;
	uint64_t last = 0;

	assert_true(stream_enter(s, STREAM_READER));
	stream_read(s, n);
	while (stream_next(s, &m))
		last = m.id;
	stream_leave(s, STREAM_READER);
	return (last);
}

/* The truth: where each message ends. */
static uint64_t ends[MESSAGES + 1];

static void
reads_and_compares(struct stream *s, uint64_t n, uint64_t *got, uint64_t made)
{
	struct stream_mark m;

	assert_true(stream_enter(s, STREAM_READER));
	stream_read(s, n);
	while (stream_next(s, &m)) {
		++*got;
		assert_int_equal(m.id, *got);
		assert_int_equal(m.start, ends[*got - 1]);
		assert_int_equal(m.end, ends[*got]);
	}
	assert_true(*got == made || ends[*got + 1] > s->read);
	assert_false(stream_unseen(s));
	stream_leave(s, STREAM_READER);
}

/* Any part of a write goes, until all has gone; reads are of any size. */
static void
messages_however_the_stream_is_cut(void **state)
{
	struct stream *s = stream_find(table, 77);
	uint64_t made = 0, got = 0, left = 0;
	bool told = false;

	(void)state;
	while (got < MESSAGES) {
		if (made < MESSAGES && left == 0 && made - got < 400) {
			left = 1 + below(5000);
			ends[made + 1] = ends[made] + left;
			made++;
			told = false;
		}
		if (left > 0 && below(2) == 0) {
			uint64_t go = below(left + 1);

			assert_int_equal(writes(s, ME, left, go, made),
			    told ? 0 : left);
			told = true;
			left -= go;
		} else if (s->written > s->read) {
			reads_and_compares(s, 1 + below(s->written - s->read),
			    &got, made);
		}
	}
	assert_int_equal(s->read, ends[MESSAGES]);
}

/* What did not go and comes again with more is the rest and a new message. */
static void
a_rest_that_has_grown(void **state)
{
	struct stream *s = stream_find(table, 77);

	(void)state;
	assert_int_equal(writes(s, ME, 100, 30, 1), 100);
	assert_int_equal(writes(s, ME, 150, 150, 2), 80);
	assert_int_equal(reads(s, 99), 0);
	assert_int_equal(reads(s, 1), 1);
	assert_int_equal(reads(s, 79), 0);
	assert_int_equal(reads(s, 1), 2);
}

/* What one has given up is no part of what another one writes. */
static void
a_rest_that_never_comes(void **state)
{
	struct stream *s = stream_find(table, 77);

	(void)state;
	assert_int_equal(writes(s, ME, 100, 30, 1), 100);
	assert_int_equal(writes(s, OTHER, 100, 100, 2), 100);
	assert_int_equal(reads(s, 129), 0);
	assert_int_equal(reads(s, 1), 2);
}

static void
one_at_a_time(void **state)
{
	struct stream *s = stream_find(table, 77);

	(void)state;
	for (enum stream_end end = STREAM_WRITER; end <= STREAM_READER; end++) {
		assert_true(stream_enter(s, end));
		assert_false(stream_enter(s, end));
		assert_false(stream_look(s, end));
		stream_leave(s, end);
		assert_true(stream_look(s, end));
		stream_leave(s, end);
	}
	assert_true(stream_give_up(s, STREAM_READERS));
	assert_false(stream_give_up(s, STREAM_WRITERS)); /* told once */
	assert_false(stream_enter(s, STREAM_WRITER));
}

static void *
leaves_soon(void *arg)
{
	usleep(5000);
	stream_leave(arg, STREAM_WRITER);
	return (NULL);
}

/*
 * Who comes for the first time waits for one who only looks from the other end:
 * or it would never be known that there is a writer.
 */
static void
one_waits_for_who_only_looks(void **state)
{
	struct stream *s = stream_find(table, 77);
	pthread_t other;

	(void)state;
	assert_true(stream_look_beside(s, STREAM_WRITER));
	assert_false(stream_look_beside(s, STREAM_WRITER));
	assert_int_equal(pthread_create(&other, NULL, leaves_soon, s), 0);
	assert_true(stream_look(s, STREAM_WRITER));
	stream_leave(s, STREAM_WRITER);
	assert_int_equal(pthread_join(other, NULL), 0);
}

/* Without room for a mark the message is not matched, and the others are. */
static void
more_messages_than_marks(void **state)
{
	struct stream *s = stream_find(table, 77);
	uint64_t start;

	(void)state;
	for (uint64_t i = 1; i <= STREAMTABLE_MARKS; i++)
		assert_int_equal(writes(s, ME, 10, 10, i), 10);
	assert_int_equal(stream_write(s, ME, 10, &start), 10);
	assert_false(stream_mark(s, start, 10, 9999));
	stream_wrote(s, 10);
	assert_int_equal(reads(s, 10), 1);
	assert_int_equal(writes(s, ME, 10, 10, 8888), 10);
	assert_int_equal(reads(s, STREAMTABLE_MARKS * UINT64_C(10)),
	    STREAMTABLE_MARKS);
	assert_int_equal(reads(s, 10), 8888);
}

/* Bytes that the kernel knows of and we do not. */
static void
what_was_not_seen(void **state)
{
	struct stream *s = stream_find(table, 77);

	(void)state;
	(void)writes(s, ME, 10, 10, 1);
	stream_read(s, 15);
	assert_true(stream_unseen(s));
	assert_true(stream_set(s, 100, 40));
	assert_false(stream_set(s, 100, 40));
	assert_int_equal(writes(s, ME, 10, 10, 2), 10);
	assert_int_equal(reads(s, 69), 0); /* 1 has been passed over */
	assert_int_equal(reads(s, 1), 2);
}

static void
addresses_used_again(void **state)
{
	struct stream *s = stream_find(table, 77);

	(void)state;
	stream_renew(s, STREAM_WRITER, 5);
	stream_renew(s, STREAM_READER, 6);
	(void)writes(s, ME, 10, 10, 1);
	stream_renew(s, STREAM_WRITER, 5);
	assert_int_equal(s->written, 10);
	stream_renew(s, STREAM_READER, 8);
	assert_int_equal(s->written, 0);
	stream_renew(s, STREAM_WRITER, 7);
	assert_int_equal(writes(s, ME, 10, 10, 2), 10);
	assert_int_equal(reads(s, 10), 2);
}

/* A stream is found again until more have come than there is room for. */
static void
the_oldest_makes_room(void **state)
{
	struct stream *s = stream_find(table, 77);

	(void)state;
	s->written = 5;
	assert_ptr_equal(stream_find(table, 77), s);
	for (uint64_t i = 1; i <= 15; i++)
		(void)stream_find(table, 77 + 2 * i * STREAMTABLE_STREAMS);
	assert_ptr_equal(stream_find(table, 77), s);
	assert_int_equal(s->written, 5);
	for (uint64_t i = 16; i <= 40; i++)
		(void)stream_find(table, 77 + 2 * i * STREAMTABLE_STREAMS);
	assert_int_not_equal(s->key, 77);
	assert_int_equal(stream_find(table, 77)->written, 0);
}

/* Who was killed there holds up one look-up, not all. */
static void
a_lock_that_nobody_gives(void **state)
{
	(void)state;
	table->lock = 1;
	assert_null(stream_find(table, 77));
	assert_non_null(stream_find(table, 77));
}

/* Others write there, too: whatever it says, each of these comes back. */
static void
nonsense_in_the_table(void **state)
{
	struct stream_mark m;
	struct stream *s;
	uint64_t start;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		for (size_t k = 0; k < sizeof(*table) / 8; k += 1 + i)
			((uint64_t *)(void *)table)[k] = rnd();
		table->lock = 0;
		assert_non_null(s = stream_find(table, rnd() | 1));
		s = &table->stream[rnd() % STREAMTABLE_STREAMS];
		s->gap = i % 2;
		s->inside[STREAM_WRITER] = (uint32_t)rnd();
		if (stream_enter(s, STREAM_WRITER))
			stream_leave(s, STREAM_WRITER);
		(void)stream_mark(s, start = rnd(), 10, 1);
		(void)stream_write(s, ME, rnd(), &start);
		stream_wrote(s, rnd());
		stream_read(s, rnd());
		for (unsigned n = 0; stream_next(s, &m); n++)
			assert_true(n < STREAMTABLE_MARKS);
		(void)stream_unseen(s);
		(void)stream_set(s, rnd(), rnd());
		stream_renew(s, STREAM_READER, rnd());
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(messages_however_the_stream_is_cut),
		TEST(a_rest_that_has_grown),
		TEST(a_rest_that_never_comes),
		TEST(one_at_a_time),
		TEST(one_waits_for_who_only_looks),
		TEST(more_messages_than_marks),
		TEST(what_was_not_seen),
		TEST(addresses_used_again),
		TEST(the_oldest_makes_room),
		TEST(a_lock_that_nobody_gives),
		TEST(nonsense_in_the_table),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
