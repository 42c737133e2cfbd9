/*
 * What is kept of a task comes back as it was told, also where it does not fit
 * in the little room that tasks have: times far apart, ids of all kinds, large
 * numbers, tasks that were suspended or ended twice.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "event.h"
#include "model/model.h"

#define TASKS 20000

static uint64_t seed = 1;

static uint64_t
random64(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed ^ seed >> 31);
}

/* What was told. */
struct told {
	uint64_t id;
	uint32_t parent, name, level, suspensions;
	uint16_t pe;
	int64_t spawn, begin, end, suspended;
};

static void
tell(struct model *m, uint16_t kind, int64_t t, uint64_t a, uint64_t b,
    uint32_t c)
{
	struct event e = { .t_mon_ns = t,
		.location = 1,
		.kind = kind,
		.a = a,
		.b = b,
		.c = c };

	model_add_events(m, &e, 1);
}

/* Now and then very far apart. */
static int64_t
later(int64_t t)
{
	return (t + (random64() % 50 == 0 ? (int64_t)(random64() >> 29)
					  : (int64_t)(random64() % 5000)));
}

static void
tell_task(struct model *m, struct told *t, uint64_t parent)
{
	int64_t at = t->spawn;

	tell(m, EV_task_spawn, t->spawn, t->id, parent, t->name);
	if (random64() % 8 == 0)
		return;
	t->begin = at = later(at);
	t->pe = (uint16_t)(random64() % 3 == 0 ? random64() % 60000 : 3);
	tell(m, EV_task_begin, t->begin, t->id, t->pe, 0);
	while (random64() % 4 == 0) {
		int64_t from = later(at);

		at = later(from + 1);
		t->suspended += at - from;
		t->suspensions++;
		tell(m, EV_task_suspend, from, t->id, 0, 0);
		tell(m, EV_task_resume, at, t->id, t->pe, 0);
	}
	if (random64() % 8 == 0)
		return;
	t->end = later(at);
	tell(m, EV_task_end, t->end, t->id, 0, 0);
}

/* In rows, in rows of several counters, or anywhere. */
static uint64_t
id_of(unsigned kind, uint32_t i)
{
	if (kind == 0)
		return (i + 1);
	if (kind == 1)
		return ((uint64_t)(i % 40 + 1) << 40 | i / 40);
	return (random64() | 1);
}

/* What is drawn of a task is what is told of it. */
static void
face_is_right(const struct model *m, uint32_t i, const struct task *t)
{
	bool begun = t->begin_mon_ns != INT64_MIN;
	struct task_face face;
	int64_t end;

	assert_int_equal(model_task_flags(m, i, &end), t->flags);
	assert_true(end == t->end_mon_ns);
	model_task_face(m, i, &face);
	assert_true(
	    face.at_mon_ns == (begun ? t->begin_mon_ns : t->spawn_mon_ns));
	assert_int_equal(face.name, t->name);
	assert_int_equal(face.pe, begun ? t->pe : UINT32_MAX);
	assert_int_equal(face.suspended, t->suspensions > 0);
}

static void
all_comes_back(void **state)
{
	struct told *told = calloc(TASKS, sizeof(*told)), *t;
	struct task got;

	(void)state;
	assert_non_null(told);
	for (unsigned kind = 0; kind < 3; kind++) {
		struct model *m = model_new();
		int64_t now = 1000;

		for (uint32_t i = 0; i < TASKS; i++) {
			t = &told[i];
			now = later(now);
			*t = (struct told){ .id = id_of(kind, i),
				.parent = i == 0 ? TASK_NONE
						 : (uint32_t)(random64() % i),
				.name =
				    1 + (uint32_t)(random64() % 7 == 0
						       ? random64() % 1000000
						       : random64() % 9),
				.spawn = now,
				.begin = INT64_MIN,
				.end = INT64_MIN };
			if (random64() % 3 == 0 && i > 0)
				t->parent = i - 1;
			t->level = i == 0 ? 0 : told[t->parent].level + 1;
			tell_task(m, t, i == 0 ? 0 : told[t->parent].id);
		}
		assert_int_equal(model_tasks(m), TASKS);
		for (uint32_t i = 0; i < TASKS; i++) {
			t = &told[i];
			assert_int_equal(model_task_by_id(m, t->id), i);
			model_task_get(m, i, &got);
			assert_true(got.id == t->id);
			assert_int_equal(got.parent, t->parent);
			assert_int_equal(got.level, t->level);
			assert_int_equal(got.name, t->name);
			assert_true(got.spawn_mon_ns == t->spawn);
			assert_true(got.begin_mon_ns == t->begin);
			assert_true(got.end_mon_ns == t->end);
			assert_int_equal(got.pe, t->pe);
			assert_int_equal(got.suspensions, t->suspensions);
			assert_true(got.suspended_ns == t->suspended);
			assert_int_equal(got.location,
			    t->begin == INT64_MIN ? 0 : 1);
			face_is_right(m, i, &got);
		}
		assert_int_equal(model_task_by_id(m, 0x1234567890ull << 8),
		    TASK_NONE);
		model_free(m);
	}
	free(told);
}

/* A chain deeper than 65,536 levels, with the sums that belong to it. */
static void
chains_may_be_deep(void **state)
{
	enum {
		N = 150000
	};
	struct model *m = model_new();
	struct event *e = calloc(N, sizeof(*e));
	uint64_t depths;
	struct task t;

	(void)state;
	assert_non_null(e);
	for (uint32_t i = 0; i < N; i++)
		e[i] = (struct event){ .t_mon_ns = i,
			.location = 1,
			.kind = EV_task_spawn,
			.a = i + 1,
			.b = i };
	model_add_events(m, e, N / 2);
	model_add_events(m, e + N / 2, N / 2 - 100);
	for (uint32_t i = N - 100; i < N; i++)
		model_add_events(m, &e[i], 1);
	for (uint32_t i = 0; i < N; i += 997) {
		uint64_t below = N - 1 - i;

		model_task_get(m, i, &t);
		assert_int_equal(t.level, i);
		assert_int_equal(t.size, below + 1);
		assert_int_equal(model_task_counts(m, i, &depths), t.size);
		assert_true(depths == below * (below + 1) / 2);
	}
	assert_int_equal(model_task_levels(m, 0), N);
	assert_true(model_bytes(m) / N < 90);
	model_free(m);
	free(e);
}

/* Neighbours by number, a hundred thousand levels apart; then one chain is
 * hung below the other. */
static void
levels_may_be_far_apart(void **state)
{
	enum {
		N = 100000
	};
	struct model *m = model_new();
	struct event *e = calloc(2 * N + 2, sizeof(*e));
	uint32_t k = 0;

	(void)state;
	assert_non_null(e);
	for (uint32_t i = 1; i <= N; i++)
		e[k++] = (struct event){ .t_mon_ns = i,
			.kind = EV_task_spawn,
			.location = 1,
			.a = i,
			.b = i - 1 };
	for (uint32_t i = N + 1; i <= 2 * N; i++)
		e[k++] = (struct event){ .t_mon_ns = i,
			.kind = EV_task_spawn,
			.location = 1,
			.a = i,
			.b = i % 2       ? 1
			     : i > N + 2 ? i - 2
					 : 0 };
	model_add_events(m, e, k);
	for (uint32_t i = N + 1; i <= 2 * N; i++)
		assert_int_equal(model_task_level(m, model_task_by_id(m, i)),
		    i % 2 ? 1 : (i - N - 2) / 2);
	/* the second chain's root gets the first one's end for a parent */
	*e = (struct event){ .t_mon_ns = k,
		.kind = EV_task_spawn,
		.location = 1,
		.a = N + 2,
		.b = N };
	model_add_events(m, e, 1);
	for (uint32_t i = N + 1; i <= 2 * N; i++)
		assert_int_equal(model_task_level(m, model_task_by_id(m, i)),
		    i % 2 ? 1 : N + (i - N - 2) / 2);
	assert_int_equal(model_task_level(m, N - 1), N - 1);
	model_free(m);
	free(e);
}

#define WIDE_TASKS 120000

/* A task and what is to be known of what is below it. */
struct counted {
	uint32_t parent, level, size;
	uint64_t depths;
};

static void
counts_are_right(const struct model *m, struct counted *c, uint32_t n)
{
	uint32_t deepest = 0;
	uint64_t depths;

	for (uint32_t i = 0; i < n; i++) {
		c[i].size = 1;
		c[i].depths = 0;
	}
	for (uint32_t i = n; i-- > 0;) {
		struct counted *up = &c[c[i].parent];

		deepest = c[i].level > deepest ? c[i].level : deepest;
		assert_int_equal(model_task_level(m, i), c[i].level);
		assert_int_equal(model_task_counts(m, i, &depths), c[i].size);
		assert_true(depths == c[i].depths);
		if (c[i].parent == TASK_NONE)
			continue;
		up->size += c[i].size;
		up->depths += c[i].depths + c[i].size;
	}
	assert_int_equal(model_task_levels(m, TASK_NONE), deepest + 1);
}

/*
 * Of trees large enough that what goes up has to wait: many or few new tasks at
 * once, which hang anywhere, or at the end, or all at the same.
 */
static void
all_is_counted(void **state)
{
	struct counted *c = calloc(WIDE_TASKS, sizeof(*c));
	struct event *e = calloc(WIDE_TASKS, sizeof(*e));
	uint32_t up, n, to;

	(void)state;
	assert_non_null(c);
	assert_non_null(e);
	for (uint32_t kind = 0; kind < 4; kind++) {
		struct model *m = model_new();

		for (n = 0; n < WIDE_TASKS; n = to) {
			to = n + 1 + (uint32_t)(random64() % 30000);
			to = to < WIDE_TASKS ? to : WIDE_TASKS;
			for (uint32_t i = n; i < to; i++) {
				up = i == 0 || (kind == 3 && i % 1000 == 0)
					 ? TASK_NONE
				     : kind == 1
					 ? i - 1 - (uint32_t)random64() % 3 % i
				     : kind == 2 ? (uint32_t)random64() % 2 % i
						 : (uint32_t)(random64() % i);
				c[i].parent = up;
				c[i].level =
				    up == TASK_NONE ? 0 : c[up].level + 1;
				e[i - n] = (struct event){ .t_mon_ns = i,
					.kind = EV_task_spawn,
					.location = 1,
					.a = i + 1,
					.b = up == TASK_NONE ? 0 : up + 1 };
			}
			model_add_events(m, e, to - n);
			counts_are_right(m, c, to);
		}
		model_free(m);
	}
	free(c);
	free(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_comes_back),
		cmocka_unit_test(chains_may_be_deep),
		cmocka_unit_test(levels_may_be_far_apart),
		cmocka_unit_test(all_is_counted),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
