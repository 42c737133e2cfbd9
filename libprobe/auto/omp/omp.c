/*
 * A tool for runtimes of OpenMP that tell one (OMPT): LLVM's libomp, and
 * Intel's.  They look for this function in what is loaded, so that nothing has
 * to be said to them.
 *
 * A worker says that its implicit task is over when it gets the next one, maybe
 * much later; that it comes to the barrier at the end of its region is when it
 * is.
 */
#include <stdlib.h>

#include "libprobe/auto/descriptors/attach.h"
#include "libprobe/auto/locks/turns.h"
#include "libprobe/auto/omp/omp.h"
#include "libprobe/auto/omp/ompt.h"
#include "libprobe/auto/omp/team.h"
#include "libprobe/auto/wrap/auto.h"

bool omp_is_told;

static struct team_task *program;

static void
on_parallel_begin(union ompt_data *by, const void *frame,
    union ompt_data *parallel, unsigned width, int flags, const void *at)
{
	(void)frame;
	(void)flags;
	parallel->ptr = team_begin(by->ptr, width, at);
}

static void
on_parallel_end(union ompt_data *parallel, union ompt_data *by, int flags,
    const void *at)
{
	(void)flags;
	(void)at;
	team_end(parallel->ptr, by->ptr);
	parallel->ptr = NULL;
}

static void
on_implicit_task(int scope, union ompt_data *parallel, union ompt_data *task,
    unsigned width, unsigned index, int flags)
{
	struct team_task *t = task->ptr;

	if (scope == OMPT_BEGIN) {
		if ((flags & OMPT_TASK_INITIAL) != 0)
			parallel = NULL;
		task->ptr = team_join(parallel == NULL ? NULL : parallel->ptr,
		    index, width);
		if ((flags & OMPT_TASK_INITIAL) != 0 && program == NULL)
			program = task->ptr;
		return;
	}
	team_leave(t);
	if (t == program)
		program = NULL;
	team_task_free(t);
	task->ptr = NULL;
}

static void
on_task_create(union ompt_data *by, const void *frame, union ompt_data *task,
    int flags, int has_dependences, const void *at)
{
	(void)frame;
	(void)has_dependences;
	if ((flags & OMPT_TASK_EXPLICIT) != 0 &&
	    (flags & OMPT_TASK_TASKWAIT) == 0)
		task->ptr = team_task_new(by == NULL ? NULL : by->ptr, at);
}

static void
on_task_schedule(union ompt_data *before, int status, union ompt_data *next)
{
	struct team_task *t = before == NULL ? NULL : before->ptr;

	switch (status) {
	case OMPT_COMPLETE:
	case OMPT_CANCEL:
	case OMPT_LATE_FULFILL:
		if (t == NULL || t->implicit)
			break;
		team_task_end(t);
		team_task_free(t);
		before->ptr = NULL;
		break;
	case OMPT_DETACH:
		team_task_end(t);
		break;
	case OMPT_YIELD:
	case OMPT_SWITCH:
		team_task_yield(t);
		break;
	default: /* an event is fulfilled: nothing changes hands */
		return;
	}
	if (next != NULL)
		team_task_run(next->ptr);
}

static void
on_dependences(union ompt_data *task, const void *all, int n)
{
	struct team_task *t = task->ptr;

	(void)all;
	if (t != NULL)
		t->awaited = n > 0;
}

static void
on_task_dependence(union ompt_data *first, union ompt_data *then)
{
	if (first != NULL && then != NULL)
		team_task_after(then->ptr, first->ptr);
}

/*
 * The barrier at the end of a region.  Before OpenMP 5.1 it had a number with
 * others; then a worker is nowhere, and the maker where the region began.
 */
static bool
is_last(const struct team_task *t, int kind, const void *at)
{
	return (kind == OMPT_BARRIER_PARALLEL || kind == OMPT_BARRIER ||
		(kind == OMPT_BARRIER_IMPLICIT && t != NULL &&
		    (at == NULL || at == t->region)));
}

static void
on_sync_region(int kind, int scope, union ompt_data *parallel,
    union ompt_data *task, const void *at)
{
	struct team_task *t = task == NULL ? NULL : task->ptr;
	bool begin = scope == OMPT_BEGIN;

	(void)parallel;
	if (kind == OMPT_TASKWAIT && begin)
		team_task_wait(t);
	else if (kind == OMPT_TASKWAIT)
		team_task_waited(t);
	else if (kind == OMPT_TASKGROUP)
		team_group(t, begin);
	else if (is_last(t, kind, at)) {
		if (begin)
			team_leave(t);
	} else if (kind != OMPT_REDUCTION)
		team_barrier(t, begin);
}

static uint32_t
mutex_name(int kind)
{
	static const char *const word[OMPT_MUTEXES] = {
		[OMPT_LOCK] = "omp lock",
		[OMPT_TEST_LOCK] = "omp lock",
		[OMPT_NEST_LOCK] = "omp lock",
		[OMPT_TEST_NEST_LOCK] = "omp lock",
		[OMPT_CRITICAL] = "critical",
		[OMPT_ATOMIC] = "atomic",
		[OMPT_ORDERED] = "ordered",
	};
	static uint32_t name[OMPT_MUTEXES];

	if (kind < 0 || kind >= OMPT_MUTEXES || word[kind] == NULL)
		return (0);
	if (PROBE_LOAD(&name[kind]) == 0)
		PROBE_STORE(&name[kind], probe_name(word[kind]));
	return (PROBE_LOAD(&name[kind]));
}

/* One that is only tried may not be got. */
static void
on_mutex_acquire(int kind, unsigned hint, unsigned way, uint64_t what,
    const void *at)
{
	(void)hint;
	(void)way;
	(void)at;
	if (kind != OMPT_TEST_LOCK && kind != OMPT_TEST_NEST_LOCK)
		probe_lock_wait(turns_id((const void *)(uintptr_t)what),
		    mutex_name(kind));
}

/*
 * Who has released it says so after another may have it: it is not known who
 * lets whom go on.
 */
static void
on_mutex_acquired(int kind, uint64_t what, const void *at)
{
	(void)at;
	probe_lock_acquire(turns_id((const void *)(uintptr_t)what), 0,
	    mutex_name(kind));
}

static void
on_mutex_released(int kind, uint64_t what, const void *at)
{
	(void)at;
	probe_lock_release(turns_id((const void *)(uintptr_t)what), 0,
	    mutex_name(kind));
}

static int
initialize(ompt_lookup *lookup, int device, union ompt_data *data)
{
	static const struct {
		enum ompt_event event;
		ompt_function *function;
	} on[] = {
		{ OMPT_PARALLEL_BEGIN, (ompt_function *)on_parallel_begin },
		{ OMPT_PARALLEL_END, (ompt_function *)on_parallel_end },
		{ OMPT_IMPLICIT_TASK, (ompt_function *)on_implicit_task },
		{ OMPT_TASK_CREATE, (ompt_function *)on_task_create },
		{ OMPT_TASK_SCHEDULE, (ompt_function *)on_task_schedule },
		{ OMPT_DEPENDENCES, (ompt_function *)on_dependences },
		{ OMPT_TASK_DEPENDENCE, (ompt_function *)on_task_dependence },
		{ OMPT_SYNC_REGION, (ompt_function *)on_sync_region },
		{ OMPT_MUTEX_ACQUIRE, (ompt_function *)on_mutex_acquire },
		{ OMPT_MUTEX_ACQUIRED, (ompt_function *)on_mutex_acquired },
		{ OMPT_MUTEX_RELEASED, (ompt_function *)on_mutex_released },
	};
	ompt_set_callback *set =
	    (ompt_set_callback *)lookup("ompt_set_callback");

	(void)device;
	(void)data;
	if (set == NULL)
		return (0);
	auto_attach();
	for (size_t i = 0; i < sizeof(on) / sizeof(on[0]); i++)
		(void)set(on[i].event, on[i].function);
	omp_is_told = true;
	return (1);
}

static void
finalize(union ompt_data *data)
{
	(void)data;
	team_leave(program);
	program = NULL;
}

/* Another tool has precedence, whoever wants one. */
WRAPPER struct ompt_tool *
ompt_start_tool(unsigned version, const char *runtime)
{
	static struct ompt_tool tool = { initialize, finalize, { 0 } };
	const char *others = getenv("OMP_TOOL_LIBRARIES");

	(void)version;
	(void)runtime;
	if (auto_mute || (others != NULL && *others != '\0') ||
	    !probe_enabled(PROBE_CLASS_life))
		return (NULL);
	return (&tool);
}
