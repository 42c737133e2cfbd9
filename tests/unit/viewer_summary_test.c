/*
 * The summaries of a log's blocks say what is there; what they or the index
 * may not say is not believed, and no bytes do harm.
 */
#include "tests/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/rnd.h"
#include "tests/unit/viewer_sketch.h"

/* The same as the events of the blocks themselves say. */
static void
summaries_say_what_is_there(void **state)
{
	struct world *w = *state;
	struct event *e = calloc(BLOCK_EVENTS_MAX, sizeof(*e));
	struct block_lane *lanes;
	struct buf scratch = { 0 };
	struct msg_block b;
	struct frame f;
	size_t n, blocks = 0;
	uint64_t at;

	for (size_t i = 0; i < w->n; i++) {
		at = w->entry[i].offset;
		assert_int_equal(tracefile_next(w->file, &at, &f), 1);
		if (f.type != MSG_block) {
			assert_int_equal(tracefile_lanes(w->file, &w->entry[i],
					     &lanes, &n),
			    -1);
			assert_int_equal(errno, EINVAL);
			continue;
		}
		blocks++;
		assert_int_equal(msg_decode(MSG_block, f.body, f.body_bytes,
				     &b),
		    0);
		assert_int_equal(block_read(&b, e, &scratch), 0);
		assert_int_equal(tracefile_lanes(w->file, &w->entry[i], &lanes,
				     &n),
		    0);
		for (uint32_t k = 0; k < b.events; k++) {
			size_t l = 0;

			while (l < n && lanes[l].location != e[k].location)
				l++;
			assert_true(l < n);
			assert_true(e[k].t_mon_ns >= lanes[l].first_mon_ns);
			assert_true(e[k].t_mon_ns <= lanes[l].last_mon_ns);
			lanes[l].events--;
			lanes[l].class_events[event_desc(e[k].kind)->class]--;
		}
		for (size_t l = 0; l < n; l++) {
			assert_int_equal(lanes[l].events, 0);
			for (int c = 0; c < EVENT_CLASSES; c++)
				assert_int_equal(lanes[l].class_events[c], 0);
		}
		free(lanes);
	}
	assert_true(blocks > 100);
	buf_free(&scratch);
	free(e);
}

static void
what_the_index_says_otherwise_is_not_believed(void **state)
{
	struct world *w = *state;
	const struct tracefile_entry *good = &w->entry[w->n - 1];
	struct tracefile_entry e;
	struct block_lane *lanes;
	size_t n;

#define UNBELIEVED(change)                                                     \
	do {                                                                   \
		e = *good;                                                     \
		change;                                                        \
		errno = 0;                                                     \
		assert_int_equal(tracefile_lanes(w->file, &e, &lanes, &n),     \
		    -1);                                                       \
		assert_int_equal(errno, EINVAL);                               \
		assert_null(lanes);                                            \
	} while (0)
	UNBELIEVED(e.events++);
	UNBELIEVED(e.late = 1);
	UNBELIEVED(e.first_mon_ns--);
	UNBELIEVED(e.last_mon_ns++);
	UNBELIEVED(e.frame_bytes--);
	UNBELIEVED(e.offset++);
	UNBELIEVED(e.offset = tracefile_bytes(w->file));
	UNBELIEVED(e.offset = UINT64_MAX);
	UNBELIEVED(e.type = MSG_segment);
}

static void
a_log_that_has_no_index_is_not_looked_into(void **state)
{
	struct world *w = *state;

	w->log.out.n -= 1; /* torn in its receipt */
	write_log(w);
	assert_int_equal(tracefile_has_index(w->file), 0);
}

static void
contradictions_are_refused(void **state)
{
	static const struct tracefile_entry good = { .type = MSG_block,
		.events = 10,
		.first_mon_ns = 100,
		.last_mon_ns = 200 };
	static const struct block_lane lane = { .location = 7,
		.events = 10,
		.first_mon_ns = 100,
		.last_mon_ns = 200,
		.class_events = { [CLASS_call] = 10 } };
	struct tracefile_entry e;
	struct block_lane l;
	struct sketch *s = sketch_new(0);

	(void)state;
#define REFUSED(change)                                                        \
	do {                                                                   \
		e = good;                                                      \
		l = lane;                                                      \
		change;                                                        \
		errno = 0;                                                     \
		assert_int_equal(sketch_add(s, &e, &l, 1), -1);                \
		assert_int_equal(errno, EINVAL);                               \
		assert_int_equal(sketch_cells(s), 0);                          \
		assert_int_equal(sketch_events(s), 0);                         \
		assert_true(sketch_first_ns(s) > sketch_last_ns(s));           \
	} while (0)
	REFUSED(e.events = 11);
	REFUSED(e.late = 1);
	REFUSED(e.last_mon_ns = 199);
	REFUSED(e.first_mon_ns = 101);
	REFUSED(e.last_mon_ns = l.last_mon_ns = INT64_MAX);
	REFUSED(e.first_mon_ns = INT64_MIN);
	REFUSED(l.first_mon_ns = 201);
	REFUSED(l.events = 0);
	REFUSED(l.class_events[CLASS_lock] = 1);
	REFUSED(l.class_events[CLASS_lock] = UINT32_MAX);
	assert_int_equal(sketch_add(s, &good, &lane, 0), -1);
	assert_int_equal(sketch_add(s, &good, &lane, 1), 0);
	/* before the one before it */
	assert_int_equal(sketch_add(s, &good, &lane, 1), -1);
	assert_int_equal(sketch_events(s), 10);
	sketch_free(s);
}

/* Whatever bytes there are: a sketch, wrong perhaps, or none. */
static void
any_bytes_do_no_harm(void **state)
{
	struct world *w = *state;
	struct buf good = w->log.out;
	float sum[SKETCH_SUMS(PX)];

	for (int i = 0; i < 300; i++) {
		struct tracefile_entry e;
		struct block_lane *lanes;
		struct sketch *s = sketch_new(64);
		uint32_t density[PX] = { 0 };
		uint8_t alert[PX];
		size_t n;

		for (size_t k = 0; k < w->n; k++) {
			uint8_t head[96];

			e = w->entry[k];
			if (e.type != MSG_block)
				continue;
			/* the summary is at its beginning */
			memcpy(head, good.p + e.offset, sizeof(head));
			for (int c = (int)(rnd() % 4); c > 0; c--)
				head[FRAME_HEAD_BYTES + rnd() % 60] ^=
				    (uint8_t)rnd();
			if (rnd() % 4 == 0)
				e.first_mon_ns += (int64_t)rnd_any();
			if (rnd() % 4 == 0)
				e.last_mon_ns = (int64_t)rnd_any();
			if (rnd() % 8 == 0)
				e.frame_bytes ^= (uint32_t)rnd_any();
			if (rnd() % 8 == 0)
				e.offset ^= rnd_any();
			assert_int_equal(pwrite(w->fd, head, sizeof(head),
					     (off_t)w->entry[k].offset),
			    sizeof(head));
			if (tracefile_lanes(w->file, &e, &lanes, &n) == -1)
				continue;
			if (sketch_add(s, &e, lanes, n) == -1)
				assert_int_equal(errno, EINVAL);
			free(lanes);
		}
		assert_true(sketch_cells(s) <= 64);
		for (int k = 0; k < 20; k++) {
			int64_t t0 = round_ns((int64_t)(rnd() % ROUNDS));
			int64_t t1 = t0 + (int64_t)(rnd_any() >> 4);

			pixels(s, SKETCH_ALL, t0, t1, sum);
			sketch_alerts(s, SKETCH_ALL, t0, t1, PX, alert);
			sketch_density(s, t0, t1, PX, density);
			for (int x = 0; x < PX; x++)
				assert_true(all_of(sum, x) >= -.001f);
		}
		sketch_free(s);
	}
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)
	const struct CMUnitTest tests[] = {
		TEST(summaries_say_what_is_there),
		TEST(what_the_index_says_otherwise_is_not_believed),
		TEST(a_log_that_has_no_index_is_not_looked_into),
		TEST(contradictions_are_refused),
		TEST(any_bytes_do_no_harm),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
