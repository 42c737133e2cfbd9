/*
 * One thread draws the tree while another adds to it and gives up what has
 * ended: every frame is a whole one, of numbers that belong together, and
 * nobody reads what another one writes unannounced (ThreadSanitizer runs this
 * test, too).
 */
#include "tests/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "layout/radial/radial_inside.h"
#include "model/model.h"

#define TASKS  40000
#define BATCH  512
#define FRAMES 20 /* at least, while tasks are given up */
#define SIDE   600
#define CAP    (2u << 20)

static struct world {
	struct model *m;
	uint64_t seed;
	_Atomic int over;
	_Atomic uint32_t frames;
	uint64_t stack[8][64]; /* tasks that each of eight threads is in */
	uint32_t top[8];
	uint64_t next;
	int64_t now;
} w;

static uint32_t
below(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(*seed >> 33) % n);
}

/* Up and down, and now and then a leaf of the first task of all. */
static size_t
some_events(struct event *e, size_t n)
{
	size_t i = 0;

	while (i + 3 <= n) {
		uint32_t t = below(&w.seed, 8), *top = &w.top[t];
		bool leaf = below(&w.seed, 3) == 0;

		w.now += 100;
		if (!leaf && *top > 0 &&
		    (*top == 60 || below(&w.seed, 2) == 0)) {
			e[i++] = (struct event){ .t_mon_ns = w.now,
				.location = 1 + t,
				.a = w.stack[t][--*top],
				.kind = EV_task_end };
			continue;
		}
		e[i] = (struct event){ .t_mon_ns = w.now,
			.location = 1 + t,
			.a = ++w.next,
			.b = leaf || *top == 0 ? 1 : w.stack[t][*top - 1],
			.c = 1 + t,
			.kind = EV_task_spawn };
		e[i + 1] = e[i];
		e[i + 1].kind = EV_task_begin;
		e[i + 1].b = t;
		e[++i].t_mon_ns += 20;
		i++;
		if (!leaf) {
			w.stack[t][(*top)++] = w.next;
			continue;
		}
		e[i] = e[i - 1];
		e[i].kind = EV_task_end;
		e[i++].t_mon_ns += 20;
	}
	return (i);
}

static void *
write_events(void *arg)
{
	struct event e[BATCH],
	    first = { .location = 1, .a = 1, .kind = EV_task_spawn };

	(void)arg;
	w.next = 1;
	model_add_events(w.m, &first, 1);
	while (w.next < TASKS ||
	       (atomic_load(&w.frames) < FRAMES && w.next < 20 * TASKS))
		model_add_events(w.m, e, some_events(e, BATCH));
	atomic_store(&w.over, 1);
	return (NULL);
}

static const struct radial_view views[] = {
	{ .zoom = 1, .ring_px_min = 4, .root = TASK_NONE },
	{ .zoom = 1, .ring_px_min = 40, .root = TASK_NONE }, /* condensed */
	{ .zoom = 60, .centre_x = 9000, .ring_px_min = 4 },  /* a part */
	{ .zoom = 1, .ring_px_min = 4, .subtree = true },
	{ .zoom = 1, .ring_px_min = 4, .form = RADIAL_SUNBURST },
	{ .zoom = 1, .ring_px_min = 20, .order = RADIAL_BY_PATH },
};

/* Whatever was drawn, its numbers are those of one tree. */
static void
look_at(const struct radial_layout *l, const struct radial_view *v,
    uint64_t *seed)
{
	const struct radial_node *n;
	struct task t;

	for (size_t i = 0; i < l->nnodes; i++) {
		n = &l->nodes[i];
		assert_true(n->kids <= n[1].kids && n[1].kids <= l->nnodes);
		assert_true(n->ring < l->rings);
		assert_true(n->arc_rad >= 0 && n->arc_rad < 6.4F);
	}
	for (int i = 0; i < 20; i++) {
		n = radial_nearest(l, v, (int32_t)below(seed, SIDE),
		    (int32_t)below(seed, SIDE), 14);
		if (n == NULL)
			continue;
		model_task_get(w.m, n->task, &t);
		assert_true(n->task < model_tasks(w.m));
		if (radial_find(l, w.m, n->task) == NULL)
			assert_true(
			    t.flags & TASK_GONE_UP ||
			    model_task(w.m, n->task)->flags & TASK_GONE_UP);
	}
}

static void
frames_while_tasks_are_given_up(void **state)
{
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_view v;
	pthread_t writer;
	uint64_t seed = 5;
	uint32_t all = 0;

	(void)state;
	w.m = model_new();
	w.seed = 1;
	assert_non_null(w.m);
	model_set_memory(w.m, CAP);
	assert_int_equal(pthread_create(&writer, NULL, write_events, NULL), 0);
	for (uint32_t i = 0; !atomic_load(&w.over); i++) {
		v = views[i % (sizeof(views) / sizeof(views[0]))];
		v.width = v.height = SIDE;
		v.colour = (enum radial_colour)(i % RADIAL_COLOURS);
		v.until_mon_ns =
		    i % 7 == 3 ? model_last_ns(w.m) / 2 : INT64_MAX;
		if (v.subtree)
			v.root = below(&seed, model_tasks(w.m) + 1);
		radial_layout(w.m, &palette_dark, &v, &l, &s);
		look_at(&l, &v, &seed);
		all += l.drawn;
		if (model_tasks_gone(w.m) > 0)
			atomic_fetch_add(&w.frames, 1);
	}
	pthread_join(writer, NULL);
	assert_true(model_tasks_gone(w.m) > TASKS / 4);
	assert_true(atomic_load(&w.frames) >= FRAMES);
	assert_true(all > 1000);
	/* and when all is still, nothing is missing */
	v = views[0];
	v.width = v.height = SIDE;
	v.until_mon_ns = INT64_MAX;
	radial_layout(w.m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, w.next);
	assert_int_equal(l.drawn + l.pruned + l.condensed, w.next);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(w.m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_while_tasks_are_given_up),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
