/*
 * Tasks: a tree over three threads, whose inner ones are suspended with calls
 * open while their thread does something else, one that goes on elsewhere, a
 * task within a task, trees of one task, a task that is never begun and one
 * that nobody spawned; a fork-join block and futures.
 */
#include "tests/oracle/truth.h"

#include <pthread.h>
#include <stdio.h>

#define WORKERS 2

struct worker {
	uint64_t creation, block;
	uint64_t pe;
	uint64_t moved; /* a suspended task that goes on here */
};

static void
run(uint64_t task, uint64_t parent, uint64_t pe, const char *name)
{
	uint32_t n = probe_name(name);

	probe_task_spawn(task, parent, n);
	truth_spin(2000);
	probe_task_begin(task, pe, n);
	truth_spin(6000);
	probe_task_end(task);
}

/* A call of a task that is suspended in it: the thread does other work. */
static void
suspended(uint64_t task, uint64_t pe, uint64_t future)
{
	PROBE_SCOPE();
	truth_spin(8000);
	probe_task_suspend(task, future);
	probe_enter(NULL, PROBE_NAME("meanwhile"));
	truth_spin(50000);
	run(probe_id(), task, pe, "small");
	probe_leave(NULL, PROBE_NAME("meanwhile"));
	probe_task_resume(task, pe, PROBE_NAME("inner"));
	probe_future_get(future, task);
	truth_spin(9000);
}

static void
inner(uint64_t task, uint64_t parent, uint64_t pe)
{
	uint64_t future = probe_id();

	probe_task_spawn(task, parent, PROBE_NAME("inner"));
	probe_task_begin(task, pe, PROBE_NAME("inner"));
	probe_future_set(future, task);
	suspended(task, pe, future);
	probe_task_end(task);
}

/* Nested: the thread works on another task until a result is there. */
static void
nested(uint64_t task, uint64_t parent, uint64_t pe, int depth)
{
	probe_task_spawn(task, parent, PROBE_NAME("nested"));
	probe_task_begin(task, pe, PROBE_NAME("nested"));
	truth_spin(5000);
	if (depth > 1)
		nested(probe_id(), task, pe, depth - 1);
	probe_task_end(task);
	probe_task_join(task);
}

static void *
worker(void *arg)
{
	struct worker *w = arg;

	probe_thread_begin(w->creation, PROBE_NAME("worker"));
	probe_member_begin(w->block, (uint32_t)w->pe, PROBE_NAME("share"));
	for (uint64_t i = 0; i < 4; i++)
		inner(probe_id(), w->moved, w->pe);
	if (w->pe == 1) {
		probe_task_resume(w->moved, w->pe, PROBE_NAME("root"));
		truth_spin(7000);
		probe_task_end(w->moved);
	}
	probe_member_end(w->block, (uint32_t)w->pe, WORKERS);
	return (NULL);
}

void
tasks_all(void)
{
	struct worker w[WORKERS];
	pthread_t t[WORKERS];
	uint64_t root = probe_id(), block = probe_id();

	PROBE_SCOPE();
	probe_task_spawn(root, 0, PROBE_NAME("root"));
	probe_task_begin(root, 0, PROBE_NAME("root"));
	nested(probe_id(), root, 0, 6);
	probe_task_suspend(root, 0);
	probe_block_begin(block, WORKERS, PROBE_NAME("share"));
	for (unsigned i = 0; i < WORKERS; i++) {
		w[i] =
		    (struct worker){ probe_thread_create(PROBE_NAME("worker")),
			    block, i + 1, root };
		pthread_create(&t[i], NULL, worker, &w[i]);
	}
	for (unsigned i = 0; i < WORKERS; i++) {
		probe_thread_wait(w[i].creation);
		pthread_join(t[i], NULL);
		probe_thread_join(w[i].creation);
	}
	probe_block_end(block, WORKERS);
	for (int i = 0; i < 6; i++)
		run(probe_id(), 0, 0, "single");
	probe_task_spawn(probe_id(), root, PROBE_NAME("never begun"));
	root = probe_id();
	probe_task_begin(root, 3, PROBE_NAME("not spawned"));
	probe_task_end(root);
	truth_told("suspended", 4 * WORKERS);
	truth_told("meanwhile", 4 * WORKERS);
	truth_told("task:inner", 4 * WORKERS);
	truth_told("task:small", 4 * WORKERS);
	truth_told("task:nested", 6);
	truth_told("task:single", 6);
	truth_told("task:root", 1);
}
