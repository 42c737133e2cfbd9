/* The model: from frames of a log to lanes, links, tasks and tables. */
#include "tests/check.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "clockmap.h"
#include "model/model.h"
#include "tests/unit/make_pascal.h"

/* A log of one node, one PO and some threads, and the model fed with it. */
struct fixture {
	struct make_log log;
	struct model *m;
	size_t fed;
	uint32_t at[8]; /* locations */
	uint32_t f, g;  /* names */
};

static void
feed(struct fixture *x)
{
	struct frame f;

	while (frame_parse(x->log.out.p + x->fed, x->log.out.n - x->fed, &f) ==
	       FRAME_OK) {
		assert_int_equal(model_add_frame(x->m, &f), 0);
		x->fed += f.frame_bytes;
	}
	assert_int_equal(x->fed, x->log.out.n);
}

static void
start(struct fixture *x, int threads)
{
	memset(x, 0, sizeof(*x));
	x->m = model_new();
	assert_non_null(x->m);
	make_log_head(&x->log, "test");
	make_log_node(&x->log, 1, "n0");
	make_log_node(&x->log, 2, "n1");
	make_log_po(&x->log, 1, 1, "prog");
	make_log_po(&x->log, 2, 1, "prog");
	x->f = make_log_name(&x->log, "f");
	x->g = make_log_name(&x->log, "g");
	for (int i = 0; i < threads; i++)
		x->at[i] = make_log_thread(&x->log, 1 + (uint32_t)i % 2, 1,
		    1 + (uint32_t)i / 2, "");
}

static void
play(struct fixture *x, int late)
{
	make_log_blocks(&x->log, late);
	feed(x);
}

static void
finish(struct fixture *x)
{
	model_free(x->m);
	make_log_free(&x->log);
}

#define AT(i, kind, t, a, b, c)                                                \
	make_log_event(&x.log, x.at[i], EV_##kind, t, a, b, c)

static void
definitions_are_known(void **state)
{
	struct fixture x;
	uint32_t line, lane;
	char text[64];

	(void)state;
	start(&x, 3);
	feed(&x);
	assert_string_equal(model_name(x.m, x.f), "f");
	assert_null(model_name(x.m, 99));
	assert_string_equal(model_name_place(x.m, x.g, &line), "prog.c");
	assert_int_equal(line, 10 + x.g);
	assert_string_equal(model_node_name(x.m, 2), "n1");
	assert_null(model_node_name(x.m, 7));
	assert_string_equal(model_program(x.m, 1, 1), "prog");
	assert_null(model_program(x.m, 1, 9));
	assert_int_equal(model_nodes(x.m), 2);
	assert_int_equal(model_pos(x.m), 2);
	assert_int_equal(model_first_ns(x.m), INT64_MAX);
	lane = model_location_lane(x.m, x.at[2]);
	assert_int_equal(model_lane(x.m, lane)->kind, LANE_THREAD);
	assert_int_equal(model_lane(x.m, lane)->thread, 2);
	assert_int_equal(model_location_lane(x.m, 12345), UINT32_MAX);
	lane = model_lane(x.m, lane)->parent;
	model_lane_label(x.m, lane, text, sizeof(text));
	assert_string_equal(text, "prog  PO 1");
	lane = model_lane(x.m, lane)->parent;
	model_lane_label(x.m, lane, text, sizeof(text));
	assert_string_equal(text, "node n0");
	finish(&x);
}

static void
check_spans(struct fixture *x, uint32_t lane, const char *want)
{
	struct span s[32];
	char got[512] = "";
	size_t n =
	    model_lane_spans(x->m, lane, INT64_MIN / 2, INT64_MAX / 2, s, 32);

	for (size_t i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got),
		    "%s%s %s %lld-%lld", i == 0 ? "" : ", ",
		    lane_class_name[s[i].class],
		    s[i].name == 0 ? "-" : model_name(x->m, s[i].name),
		    (long long)s[i].t0_mon_ns,
		    s[i].t1_mon_ns == INT64_MAX ? -1ll
						: (long long)s[i].t1_mon_ns);
	assert_string_equal(got, want);
}

static void
spans_nest_and_waits_lie_over(void **state)
{
	struct fixture x;
	uint32_t lane, depth0, depth1;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 1, 0, x.f);
	AT(0, leave, 15, 1, 0, x.f);
	AT(0, enter, 20, 1, 0, x.f);
	AT(0, enter, 30, 2, 0, x.g);
	AT(0, lock_wait, 40, 7, 0, x.g);
	AT(0, lock_acquire, 50, 7, 1, x.g);
	AT(0, leave, 60, 2, 0, x.g);
	AT(0, leave, 80, 1, 0, x.f);
	AT(0, leave, 85, 1, 0, x.f); /* none open: nothing happens */
	AT(0, receive_wait, 90, 0, 0, 0);
	play(&x, 0);
	lane = model_location_lane(x.m, x.at[0]);
	check_spans(&x, lane,
	    "running f 10-15, running f 20-30, "
	    "running g 30-40, wait lock g 40-50, running g 50-60, "
	    "running f 60-80, wait message - 90--1");
	depth0 = model_lane_first_child(x.m, lane);
	depth1 = model_lane_next_sibling(x.m, depth0);
	check_spans(&x, depth0,
	    "running f 10-15, running f 20-80, "
	    "wait message - 90--1");
	check_spans(&x, depth1,
	    "running g 30-40, wait lock g 40-50, "
	    "running g 50-60");
	assert_int_equal(model_lane(x.m, depth1)->depth, 1);
	finish(&x);
}

static void
ends_close_their_own_kind(void **state)
{
	struct fixture x;

	(void)state;
	start(&x, 1);
	AT(0, phase_begin, 10, 0, 0, x.f);
	AT(0, enter, 20, 1, 0, x.g);
	AT(0, phase_end, 30, 5, 0, x.f);
	AT(0, leave, 40, 1, 0, x.g);
	AT(0, enter, 50, 1, 0, x.f);
	AT(0, thread_end, 70, 0, 0, 0);
	play(&x, 0);
	check_spans(&x, model_location_lane(x.m, x.at[0]),
	    "running f 10-20, running g 20-40, running f 50-70");
	finish(&x);
}

static void
loss_shows_in_its_place(void **state)
{
	struct fixture x;
	struct mark k[4];
	int64_t by[LANE_CLASSES];
	uint64_t spans;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 1, 0, x.f);
	AT(0, task_begin, 20, 5, 0, x.g);
	AT(0, lost, 50, 100, 100, LOST_RING_FULL);
	AT(0, leave, 80, 1, 0, x.f);
	play(&x, 0);
	check_spans(&x, model_location_lane(x.m, x.at[0]),
	    "running f 10-20, running g 20-20, running f 20-20, lost - 20-50, "
	    "running f 50-80");
	assert_int_equal(model_lost(x.m), 100);
	assert_int_equal(model_alerts(x.m, 0, 100, k, 4), 1);
	assert_int_equal(k[0].kind, EV_lost);
	assert_int_equal(k[0].t_mon_ns, 50);
	assert_int_equal(k[0].lane, model_location_lane(x.m, x.at[0]));
	model_lane_totals(x.m, k[0].lane, 0, 100, by, &spans);
	assert_int_equal(by[LANE_lost], 30);
	assert_int_equal(by[LANE_running], 40);
	finish(&x);
}

/* A thread that was killed, or whose end was lost, ends with its process. */
static void
a_node_is_doubted_while_there_is_reason(void **state)
{
	static const struct {
		int64_t t, error;
		unsigned state;
	} segments[] = { { 0, 50, CLOCK_COARSE }, { 100, 1, CLOCK_LOCKED },
		{ 150, 2, CLOCK_LOCKED }, { 300, 7, CLOCK_HOLDOVER },
		{ 400, 90, CLOCK_HOLDOVER }, { 500, 800, CLOCK_STEPPED },
		{ 600, 3, CLOCK_LOCKED } };
	static const struct doubt want[] = {
		{ 0, 100, 50, DOUBT_CLOCK, CLOCK_COARSE },
		{ 300, 500, 90, DOUBT_CLOCK, CLOCK_HOLDOVER },
		{ 500, 600, 800, DOUBT_CLOCK, CLOCK_STEPPED },
		{ 610, 700, 0, DOUBT_SILENT, 0 },
		{ 720, INT64_MAX, 33, DOUBT_WRONG, 0 },
	};
	struct node_health h;
	struct doubt d[8];
	struct mark k[8];
	struct fixture x;
	uint32_t monitor;

	(void)state;
	start(&x, 2);
	monitor = make_log_thread(&x.log, 0, 0, 0, "monitord");
	for (size_t i = 0; i < sizeof(segments) / sizeof(segments[0]); i++)
		make_log_segment(&x.log, 2, segments[i].t, segments[i].error,
		    segments[i].state);
	make_log_event(&x.log, monitor, EV_stall, 650, 40, 0, 2);
	make_log_event(&x.log, monitor, EV_rejoin, 700, 90, 0, 2);
	make_log_event(&x.log, monitor, EV_late, 710, 12, 55, 2);
	make_log_event(&x.log, monitor, EV_distrust, 720, 33, 3, 2);
	AT(1, receive, 730, 9, 1, 0);
	x.log.events[x.log.n - 1].flags = EVENT_ORPHAN;
	make_log_event(&x.log, monitor, EV_orphan, 731, 9, 0, EV_receive);
	play(&x, 0);

	assert_int_equal(model_node_doubts(x.m, 2, 0, 1000, d, 8), 5);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(d[i].t0_mon_ns, want[i].t0_mon_ns);
		assert_int_equal(d[i].t1_mon_ns, want[i].t1_mon_ns);
		assert_int_equal(d[i].error_ns, want[i].error_ns);
		assert_int_equal(d[i].of, want[i].of);
		assert_int_equal(d[i].state, want[i].state);
	}
	assert_int_equal(model_node_doubts(x.m, 2, 120, 200, d, 8), 0);
	assert_int_equal(model_node_doubts(x.m, 1, 0, 1000, d, 8), 0);

	model_node_health(x.m, 2, &h);
	assert_int_equal(h.clock_state, CLOCK_LOCKED);
	assert_int_equal(h.error_ns, 3);
	assert_int_equal(h.late, 12);
	assert_int_equal(h.stalls, 1);
	assert_int_equal(h.orphans, 1);
	assert_false(h.silent);
	assert_true(h.wrong);
	model_node_health(x.m, 1, &h);
	assert_int_equal(h.clock_state, CLOCK_UNSYNCED);

	/* the effect is marked once, where it happened */
	assert_int_equal(model_alerts(x.m, 725, 1000, k, 8), 1);
	assert_int_equal(k[0].kind, EV_orphan);
	assert_int_equal(k[0].lane, model_location_lane(x.m, x.at[1]));
	assert_int_equal(k[0].a, 9);
	assert_int_equal(k[0].c, EV_receive);
	finish(&x);
}

static void
a_process_takes_its_threads_along(void **state)
{
	struct fixture x;
	struct span s[4];
	uint32_t po, lane;

	(void)state;
	start(&x, 1);
	po = make_log_thread(&x.log, 1, 1, 0, "");
	AT(0, enter, 10, 1, 0, x.f);
	make_log_event(&x.log, po, EV_po_end, 60, 1, 0, 0);
	AT(1, note, 90, 1, 0, 0);
	play(&x, 0);
	lane = model_location_lane(x.m, x.at[0]);
	check_spans(&x, lane, "running f 10-60");
	assert_int_equal(model_lane_spans(x.m, lane, 70, 90, s, 4), 0);
	finish(&x);
}

static void
links_join_cause_and_effect(void **state)
{
	struct fixture x;
	struct link k[8];
	uint64_t bytes;

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
	assert_int_equal(model_messages(x.m, 0, 1, &bytes), 1);
	assert_int_equal(bytes, 100);
	assert_int_equal(model_messages(x.m, 1, 0, &bytes), 0);
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

/* Counters of every task, counted again. */
static void
check_tree(const struct model *m)
{
	uint32_t n = model_tasks(m), sum_roots = 0, roots[3000], r;
	uint32_t *size = calloc(n, sizeof(*size)), deepest = 0, levels = 0;
	uint64_t *sum = calloc(n, sizeof(*sum));
	struct task t, p;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t level = 0, up = i;

		for (;;) {
			size[up]++;
			model_task_get(m, up, &t);
			if (t.parent == TASK_NONE)
				break;
			up = t.parent;
			level++;
		}
		model_task_get(m, i, &t);
		assert_int_equal(t.level, level);
		if (level > deepest)
			deepest = level;
		for (up = i;; up = p.parent) {
			sum[up] += level;
			model_task_get(m, up, &p);
			if (p.parent == TASK_NONE)
				break;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		model_task_get(m, i, &t);
		assert_int_equal(t.size, size[i]);
		assert_int_equal(t.sumlevel, sum[i]);
	}
	r = model_task_roots(m, roots, 3000);
	for (uint32_t i = 0; i < r; i++) {
		model_task_get(m, roots[i], &t);
		sum_roots += t.size;
		if (model_task_levels(m, roots[i]) > levels)
			levels = model_task_levels(m, roots[i]);
	}
	assert_int_equal(sum_roots, n);
	assert_int_equal(levels, deepest + 1);
	free(size);
	free(sum);
}

static void
tree_counters_stay_exact(void **state)
{
	struct fixture x;
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 6; round++) {
		start(&x, 2);
		for (uint64_t i = 1; i <= 3000; i++) {
			uint64_t parent, id = i;

			seed = seed * 6364136223846793005ull + 1;
			/* shallow, deep, several roots, spawns in disorder */
			parent = round == 0   ? i / 2
				 : round == 1 ? i - 1
				 : i == 1     ? 0
					      : (seed >> 33) % (i - 1) + 1;
			if (round == 3 && i % 500 == 1)
				parent = 0;
			if (round >= 4) {
				id = 3001 - i;
				parent = id == 1 ? 0
					 : round == 4
					     ? id / 2
					     : (seed >> 33) % (id - 1) + 1;
			}
			AT(0, task_spawn, (int64_t)i, id, parent, x.f);
			if (i % 700 == 0) {
				play(&x, 0);
				check_tree(x.m);
			}
		}
		play(&x, 0);
		assert_int_equal(model_tasks(x.m), 3000);
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
	AT(0, task_end, 4, 99, 0, 0);
	AT(0, task_resume, 5, 98, 1ull << 40, 0);
	play(&x, 0);
	assert_int_equal(model_tasks(x.m), 5);
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
	assert_int_equal(s[0].blocked_ns, 40);
	assert_int_equal(s[0].by_pe[3], 20);
	assert_int_equal(s[0].by_pe[4], 5);
	finish(&x);
}

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
a_group_is_the_mean_of_its_threads(void **state)
{
	struct fixture x;
	uint32_t po, only;
	int64_t by[LANE_CLASSES];
	uint8_t share[LANE_CLASSES];

	(void)state;
	start(&x, 4);
	for (int i = 0; i < 4; i++)
		AT(i, enter, 0, 1, 0, x.f);
	AT(0, leave, 1000, 1, 0, 0);
	AT(2, leave, 500, 1, 0, 0);
	AT(1, leave, 1000, 1, 0, 0);
	play(&x, 0);
	po = model_lane(x.m, model_location_lane(x.m, x.at[0]))->parent;
	model_lane_totals(x.m, po, 0, 1000, by, NULL);
	assert_int_equal(by[LANE_running], 1500);
	model_lane_pixels(x.m, po, 0, 1000, 1, 0, 1, share, NULL);
	assert_int_equal(share[LANE_running], 191);
	only = model_lane_only_thread(x.m, po);
	assert_int_equal(only, UINT32_MAX);
	finish(&x);
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

			model_lane_pixels(m, i, t0, t1, 64, 0, 64, share, names);
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
		cmocka_unit_test(definitions_are_known),
		cmocka_unit_test(spans_nest_and_waits_lie_over),
		cmocka_unit_test(ends_close_their_own_kind),
		cmocka_unit_test(loss_shows_in_its_place),
		cmocka_unit_test(a_node_is_doubted_while_there_is_reason),
		cmocka_unit_test(a_process_takes_its_threads_along),
		cmocka_unit_test(links_join_cause_and_effect),
		cmocka_unit_test(only_tasks_change_the_tree),
		cmocka_unit_test(late_events_find_their_place),
		cmocka_unit_test(tree_counters_stay_exact),
		cmocka_unit_test(nonsense_makes_no_cycle),
		cmocka_unit_test(a_long_chain_is_quick),
		cmocka_unit_test(tasks_keep_their_accounts),
		cmocka_unit_test(one_by_one_equals_bulk),
		cmocka_unit_test(a_group_is_the_mean_of_its_threads),
		cmocka_unit_test(damage_is_refused),
		cmocka_unit_test(random_events_do_no_harm),
		cmocka_unit_test(a_reader_may_look_at_any_time),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
