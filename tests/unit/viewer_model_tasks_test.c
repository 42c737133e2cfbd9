/*
 * The model's links and tasks: cause and effect are joined, in whatever order
 * they come, and the counters and accounts of tasks are exact.
 */
#include "tests/unit/viewer_model.h"

static void
links_join_cause_and_effect(void **state)
{
	struct fixture x;
	struct link k[8];
	struct talk_pair talk;

	(void)state;
	start(&x, 3);
	AT(0, send, 10, 77, 100, 0);
	AT(1, receive, 30, 77, 100, 0);
	AT(0, send, 40, 78, 50, 0); /* never received */
	AT(0, lock_release, 50, 9, 2, x.f);
	AT(1, lock_acquire, 60, 9, 2, x.f);
	AT(0, lock_release, 70, 9, 0, x.f); /* turn not known */
	AT(1, lock_acquire, 75, 9, 0, x.f);
	AT(2, task_spawn, 80, 1, 0, x.f);
	AT(2, task_spawn, 81, 2, 1, x.f);
	AT(2, task_begin, 85, 1, 0, x.f); /* where it was spawned */
	AT(1, task_begin, 90, 2, 1, x.f);
	play(&x, 0);
	assert_int_equal(model_links(x.m, 0, 1000, k, 8), 4);
	assert_int_equal(k[0].kind0, EV_send);
	assert_int_equal(k[0].t0_mon_ns, 10);
	assert_int_equal(k[0].t1_mon_ns, 30);
	assert_int_equal(k[0].lane0, model_location_lane(x.m, x.at[0]));
	assert_int_equal(k[0].lane1, model_location_lane(x.m, x.at[1]));
	assert_int_equal(k[0].bytes, 100);
	assert_int_equal(k[1].t1_mon_ns, INT64_MAX);
	assert_int_equal(k[2].kind0, EV_lock_release);
	assert_int_equal(k[3].kind0, EV_task_spawn);
	assert_int_equal(k[3].t0_mon_ns, 81);
	/* only what touches the range; one more than fits */
	assert_int_equal(model_links(x.m, 20, 25, k, 8), 1);
	assert_int_equal(model_links(x.m, 31, 39, k, 8), 0);
	assert_int_equal(model_links(x.m, 0, 1000, k, 2), 3);
	model_talk(x.m, 0, 1, TALK_MESSAGE, &talk);
	assert_int_equal(talk.count, 1);
	assert_int_equal(talk.bytes, 100);
	assert_int_equal(talk.ns, 20);
	model_talk(x.m, 1, 0, TALK_MESSAGE, &talk);
	assert_int_equal(talk.count, 0);
	finish(&x);
}

static void
only_tasks_change_the_tree(void **state)
{
	struct fixture x;
	uint64_t version;

	(void)state;
	start(&x, 2);
	AT(0, task_spawn, 10, 1, 0, x.f);
	play(&x, 0);
	version = model_tree_version(x.m);
	AT(0, enter, 20, 0, 0, x.f);
	AT(0, send, 30, 7, 64, 0);
	AT(1, receive, 40, 7, 64, 0);
	play(&x, 0);
	assert_int_equal(model_tree_version(x.m), version);
	AT(1, task_begin, 50, 1, 0, x.f);
	play(&x, 0);
	assert_true(model_tree_version(x.m) > version);
	finish(&x);
}

static void
late_events_find_their_place(void **state)
{
	struct fixture x;
	struct link k[8];
	struct mark marks[8];
	struct span s[8];
	struct task t;
	uint32_t lane;
	size_t n;
	static const struct {
		int64_t t;
		uint32_t class, node;
	} want[] = { { 10, LANE_OBJECT_NODE, 1 }, { 20, LANE_transit, 1 },
		{ 30, LANE_OBJECT_NODE + 1, 2 }, { 60, LANE_transit, 1 } };

	(void)state;
	start(&x, 4);
	AT(1, receive, 100, 7, 10, 0); /* its send is late */
	AT(0, object_create, 10, 5, 0, x.f);
	AT(0, object_depart, 20, 5, 1, x.g);
	AT(0, object_depart, 60, 5, 2, x.g); /* the arrival between is late */
	AT(1, task_begin, 110, 3, 1, x.g);   /* its spawn is late */
	AT(1, task_spawn, 120, 4, 3, x.g);
	play(&x, 0);
	assert_int_equal(model_links(x.m, 0, 1000, k, 8), 2);
	AT(3, object_arrive, 30, 5, 1, x.f);
	AT(2, send, 50, 7, 10, 0);
	AT(2, task_spawn, 70, 1, 0, x.f);
	AT(2, task_spawn, 80, 3, 1, x.f);
	play(&x, 1);

	for (lane = 0; model_lane(x.m, lane)->kind != LANE_OBJECT;)
		lane++;
	n = model_lane_spans(x.m, lane, 0, 1000, s, 8);
	assert_int_equal(n, 4);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(s[i].t0_mon_ns, want[i].t);
		assert_int_equal(s[i].class, want[i].class);
		assert_int_equal(s[i].name, want[i].node);
	}
	assert_int_equal(model_marks(x.m, 0, 1000, marks, 8), 4);
	for (int i = 1; i < 4; i++)
		assert_true(marks[i].t_mon_ns >= marks[i - 1].t_mon_ns);
	assert_int_equal(model_links(x.m, 60, 90, k, 8), 3);
	model_task_get(x.m, model_task_by_id(x.m, 4), &t);
	assert_int_equal(t.level, 2);
	model_task_get(x.m, model_task_by_id(x.m, 1), &t);
	assert_int_equal(t.size, 3);
	assert_int_equal(t.sumlevel, 3);
	assert_int_equal(model_task_roots(x.m, NULL, 0), 1);
	assert_int_equal(model_task_levels(x.m, model_task_by_id(x.m, 1)), 3);
	finish(&x);
}

/* With every access looked at, counting anew takes a hundred times as long. */
#if defined(__SANITIZE_THREAD__)
#define COUNTED 600
#else
#define COUNTED 3000
#endif

static void
tree_counters_stay_exact(void **state)
{
	struct fixture x;
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 6; round++) {
		start(&x, 2);
		for (uint64_t i = 1; i <= COUNTED; i++) {
			uint64_t parent, id = i;

			seed = seed * 6364136223846793005ull + 1;
			/* shallow, deep, several roots, spawns in disorder */
			parent = round == 0   ? i / 2
				 : round == 1 ? i - 1
				 : i == 1     ? 0
					      : (seed >> 33) % (i - 1) + 1;
			if (round == 3 && i % (COUNTED / 6) == 1)
				parent = 0;
			if (round >= 4) {
				id = COUNTED + 1 - i;
				parent = id == 1 ? 0
					 : round == 4
					     ? id / 2
					     : (seed >> 33) % (id - 1) + 1;
			}
			AT(0, task_spawn, (int64_t)i, id, parent, x.f);
			if (i % (COUNTED / 4) == 0) {
				play(&x, 0);
				check_tree(x.m);
			}
		}
		play(&x, 0);
		assert_int_equal(model_tasks(x.m), COUNTED);
		check_tree(x.m);
		finish(&x);
	}
}

static void
nonsense_makes_no_cycle(void **state)
{
	struct fixture x;

	(void)state;
	start(&x, 1);
	AT(0, task_spawn, 1, 10, 20, x.f);
	AT(0, task_spawn, 2, 20, 10, x.f);
	AT(0, task_spawn, 3, 30, 30, x.f);
	AT(0, task_end, 4, 99, 0, 0); /* of none that is known: nothing */
	AT(0, task_suspend, 4, 97, 0, 0);
	AT(0, task_resume, 5, 98, 1ull << 40, 0);
	play(&x, 0);
	assert_int_equal(model_tasks(x.m), 4);
	check_tree(x.m);
	finish(&x);
}

static void
a_long_chain_is_quick(void **state)
{
	struct fixture x;
	struct task t;

	(void)state;
	start(&x, 1);
	for (uint64_t i = 1; i <= 300000; i++)
		AT(0, task_spawn, (int64_t)i, i, i - 1, x.f);
	play(&x, 0);
	model_task_get(x.m, model_task_by_id(x.m, 1), &t);
	assert_int_equal(t.size, 300000);
	assert_int_equal(t.sumlevel, 300000ull * 299999 / 2);
	finish(&x);
}

static void
tasks_keep_their_accounts(void **state)
{
	struct fixture x;
	struct task t;
	struct name_stats s[4];

	(void)state;
	start(&x, 2);
	AT(0, task_spawn, 5, 1, 0, x.f);
	AT(0, task_begin, 10, 1, 3, x.f);
	AT(0, task_suspend, 30, 1, 0, 0);
	AT(1, task_resume, 70, 1, 4, x.f);
	AT(1, task_end, 75, 1, 0, 0);
	play(&x, 0);
	model_task_get(x.m, 0, &t);
	assert_int_equal(t.busy_ns, 25);
	assert_int_equal(t.suspended_ns, 40);
	assert_int_equal(t.suspensions, 1);
	assert_int_equal(t.pe, 4);
	assert_int_equal(t.flags, TASK_BEGUN | TASK_ENDED);
	assert_int_equal(t.spawn_mon_ns, 5);
	assert_int_equal(t.begin_mon_ns, 10);
	assert_int_equal(t.end_mon_ns, 75);
	assert_int_equal(model_pes(x.m), 5);
	assert_int_equal(model_name_stats(x.m, s, 4), 1);
	assert_int_equal(s[0].name, x.f);
	assert_int_equal(s[0].calls, 1);
	assert_int_equal(s[0].total_ns, 25);
	assert_int_equal(s[0].suspended_ns, 40);
	assert_int_equal(s[0].blocked_ns, 0);
	assert_int_equal(s[0].by_pe[3], 20);
	assert_int_equal(s[0].by_pe[4], 5);
	finish(&x);
}

/* One that goes on elsewhere leads there; what is not told leads nowhere. */
static void
a_suspended_task_leads_to_where_it_goes_on(void **state)
{
	struct fixture x;
	struct link k[8];

	(void)state;
	start(&x, 2);
	AT(0, task_resume, 5, 2, 0, x.f); /* of its pause nobody told */
	AT(0, task_begin, 10, 1, 0, x.f);
	AT(0, task_suspend, 20, 1, 0, 0);
	AT(1, task_resume, 40, 1, 1, x.f);
	AT(1, task_suspend, 50, 1, 0, 0);
	AT(1, task_resume, 60, 1, 1, x.f); /* where it was */
	AT(1, task_suspend, 70, 1, 0, 0);
	AT(0, task_resume, 80, 1, 0, x.f);
	AT(0, task_end, 90, 1, 0, 0);
	AT(0, task_suspend, 91, 2, 0, 0); /* for ever */
	play(&x, 0);
	assert_int_equal(model_links(x.m, 0, 1000, k, 8), 2);
	assert_int_equal(k[0].kind0, EV_task_suspend);
	assert_int_equal(k[0].t0_mon_ns, 20);
	assert_int_equal(k[0].t1_mon_ns, 40);
	assert_int_equal(k[0].lane0, model_location_lane(x.m, x.at[0]));
	assert_int_equal(k[0].lane1, model_location_lane(x.m, x.at[1]));
	assert_int_equal(k[0].id, 1);
	assert_int_equal(k[1].t0_mon_ns, 70);
	assert_int_equal(k[1].t1_mon_ns, 80);
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_join_cause_and_effect),
		cmocka_unit_test(only_tasks_change_the_tree),
		cmocka_unit_test(late_events_find_their_place),
		cmocka_unit_test(tree_counters_stay_exact),
		cmocka_unit_test(nonsense_makes_no_cycle),
		cmocka_unit_test(a_long_chain_is_quick),
		cmocka_unit_test(tasks_keep_their_accounts),
		cmocka_unit_test(a_suspended_task_leads_to_where_it_goes_on),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
