/*
 * The model is safe: frames of any size make the same one, damage is refused,
 * random events do no harm, and a reader may look while it grows.
 */
#include "tests/unit/viewer_model.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static uint64_t
digest(const struct model *m)
{
	uint64_t h = 14695981039346656037ull;
	uint8_t share[100 * LANE_CLASSES];
	struct span s[300];
	struct link k[2000];
	int64_t by[LANE_CLASSES], t0 = model_first_ns(m), t1 = model_last_ns(m);
	uint64_t spans;
	size_t n;

#define MIX(p, size)                                                           \
	for (size_t b_ = 0; b_ < (size); b_++)                                 \
	h = (h ^ ((const uint8_t *)(p))[b_]) * 1099511628211ull
	for (uint32_t i = 0; i < model_lanes(m); i++) {
		model_lane_pixels(m, i, t0, t1, 100, 0, 100, share, NULL);
		MIX(share, sizeof(share));
		model_lane_totals(m, i, t0 + 5, t1 - 3, by, &spans);
		MIX(by, sizeof(by));
		MIX(&spans, sizeof(spans));
		memset(s, 0, sizeof(s));
		n = model_lane_spans(m, i, t0, t1, s, 300);
		for (size_t j = 0; j < n && j < 300; j++) {
			MIX(&s[j].t0_mon_ns, 8);
			MIX(&s[j].name, 4);
			MIX(&s[j].id, 8);
		}
	}
	n = model_links(m, t0, t1, k, 2000);
	MIX(&n, sizeof(n));
	for (size_t j = 0; j < n && j < 2000; j++)
		MIX(&k[j].t1_mon_ns, 8);
	return (h);
}

static struct pascal pascal;

static void
one_by_one_equals_bulk(void **state)
{
	struct fixture x, y;

	(void)state;
	start(&x, 0);
	memset(&pascal, 0, sizeof(pascal));
	make_pascal(&pascal, &x.log, 20, 4, 1, 1, 1000, 3000);
	make_log_blocks(&x.log, 0);
	feed(&x);
	start(&y, 0);
	y.log.block_events = 1;
	memset(&pascal, 0, sizeof(pascal));
	make_pascal(&pascal, &y.log, 20, 4, 1, 1, 1000, 3000);
	make_log_blocks(&y.log, 0);
	feed(&y);
	assert_true(model_events(x.m) > 1000);
	assert_int_equal(model_events(x.m), model_events(y.m));
	assert_int_equal(digest(x.m), digest(y.m));
	check_tree(x.m);
	finish(&x);
	finish(&y);
}

static void
damage_is_refused(void **state)
{
	static const uint8_t junk[64] = { 1, 2, 3, 250, 251, 252 };
	struct fixture x;
	struct frame f = { .body = junk };
	struct msg_thread d = { 0xffffffff, 1, 1, 1, 1, BYTES_STR("") };
	struct msg_name name = { .name = 0xfffffff0,
		.text = BYTES_STR("x"),
		.file = BYTES_STR("") };
	size_t n;
	uint8_t *p;

	(void)state;
	start(&x, 1);
	feed(&x);
	for (f.type = 0; f.type < 300; f.type++)
		for (f.body_bytes = 0; f.body_bytes < 64; f.body_bytes += 3)
			(void)model_add_frame(x.m, &f);
	f.type = MSG_block;
	f.body_bytes = 3;
	assert_int_equal(model_add_frame(x.m, &f), -1);
	assert_int_equal(errno, EINVAL);
	p = frame_message(MSG_thread, &d, &n);
	assert_int_equal(frame_parse(p, n, &f), FRAME_OK);
	assert_int_equal(model_add_frame(x.m, &f), -1);
	free(p);
	p = frame_message(MSG_name, &name, &n);
	assert_int_equal(frame_parse(p, n, &f), FRAME_OK);
	assert_int_equal(model_add_frame(x.m, &f), -1);
	free(p);
	finish(&x);
}

/* Every kind with random words: nothing may break. */
static void
random_events_do_no_harm(void **state)
{
	struct fixture x;
	uint64_t seed = 1;
	struct event e;

	(void)state;
	start(&x, 4);
	feed(&x);
	for (int i = 0; i < 60000; i++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		e = (struct event){ .t_mon_ns = (int64_t)(seed >> 50) + i,
			.a = seed >> 40 & 31,
			.b = seed >> 45 & 15,
			.c = seed >> 20 & 7,
			.kind = seed >> 30 & 255,
			.location = seed >> 25 & 7 };
		model_add_events(x.m, &e, 1);
	}
	check_tree(x.m);
	(void)digest(x.m);
	finish(&x);
}

/* One event after years: the buckets of those before it become one, at once. */
static void
a_leap_keeps_the_density(void **state)
{
	struct event e = { .kind = EV_note, .location = 1 };
	uint32_t density[64], sum = 0;
	struct fixture x;

	(void)state;
	start(&x, 1);
	feed(&x);
	for (int i = 0; i < 1000; i++) {
		e.t_mon_ns = 1000 + i * INT64_C(1000000);
		model_add_events(x.m, &e, 1);
	}
	model_density(x.m, 1000, 1000 + INT64_C(1000000000), 64, density);
	for (int i = 0; i < 64; i++)
		sum += density[i];
	assert_in_range(sum, 990, 1000); /* parts of buckets are rounded */
	assert_in_range(density[32], 10, 20);
	e.t_mon_ns = INT64_C(1) << 60;
	model_add_events(x.m, &e, 1);
	model_density(x.m, 1000, e.t_mon_ns + 1, 64, density);
	assert_in_range(density[0], 999, 1000);
	for (int i = 1; i < 63; i++)
		assert_int_equal(density[i], 0);
	assert_int_equal(density[63], 1);
	finish(&x);
}

static _Atomic int stop;

static void *
reader(void *arg)
{
	struct model *m = arg;
	uint8_t share[64 * LANE_CLASSES];
	uint32_t density[64], names[64];
	struct span s[64];
	struct link k[256];
	struct mark marks[64];
	struct name_stats st[16];
	struct task t;
	uint64_t sum = 0;

	while (!stop) {
		int64_t t0 = model_first_ns(m), t1 = model_last_ns(m);

		if (t0 >= t1)
			continue;
		for (uint32_t i = 0; i < model_lanes(m); i++) {
			int64_t by[LANE_CLASSES];

			model_lane_pixels(m, i, t0, t1, 64, 0, 64, share,
			    names);
			model_lane_totals(m, i, t0, t1, by, NULL);
			sum += model_lane_spans(m, i, t0, t1, s, 64);
		}
		sum += model_links(m, t0, t1, k, 256);
		sum += model_marks(m, t0, t1, marks, 64);
		model_overview(m, t0, t1, 64, 0, 64, share);
		model_density(m, t0, t1, 64, density);
		for (uint32_t i = 0; i < model_tasks(m); i++) {
			model_task_get(m, i, &t);
			sum += t.size;
			assert(model_task_by_id(m, t.id) == i);
		}
		sum += model_name_stats(m, st, 16);
	}
	return ((void *)(uintptr_t)(sum == 0));
}

static void
a_reader_may_look_at_any_time(void **state)
{
	struct fixture x;
	pthread_t thread;

	(void)state;
	start(&x, 2);
	memset(&pascal, 0, sizeof(pascal));
	make_pascal(&pascal, &x.log, 30, 4, 1, 1, 1000, 3000);
	for (int i = 0; i < 2000; i++) { /* disorder on one object's lane */
		AT(i % 2, object_depart, 1000 + i * 10, 5, 2, x.f);
		AT(i % 2, object_arrive, 1005 + i * 10, 5, 2, x.f);
	}
	x.log.block_events = 97;
	stop = 0;
	assert_int_equal(pthread_create(&thread, NULL, reader, x.m), 0);
	make_log_blocks(&x.log, 0);
	feed(&x);
	for (int i = 0; i < 300; i++) {
		AT(i % 2, object_depart, 1003 + i * 60, 6, 2, x.f);
		AT(i % 2, object_arrive, 1002 + i * 50, 5, 2, x.f);
		play(&x, 1);
	}
	stop = 1;
	pthread_join(thread, NULL);
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_by_one_equals_bulk),
		cmocka_unit_test(damage_is_refused),
		cmocka_unit_test(random_events_do_no_harm),
		cmocka_unit_test(a_leap_keeps_the_density),
		cmocka_unit_test(a_reader_may_look_at_any_time),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
