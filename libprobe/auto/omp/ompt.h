/*
 * What OpenMP 5.1 says how a tool is told of a program (OMPT), as far as we
 * need it: numbers and shapes, which are the same for all runtimes.  So nothing
 * of a runtime is needed to build us, nor to load us.
 */
#ifndef LIBPROBE_AUTO_OMPT_H
#define LIBPROBE_AUTO_OMPT_H

#include <stdint.h>

union ompt_data {
	uint64_t value;
	void *ptr;
};

typedef void ompt_function(void);
typedef ompt_function *ompt_lookup(const char *name);
typedef int ompt_set_callback(int event, ompt_function *);

struct ompt_tool {
	int (*initialize)(ompt_lookup *, int device, union ompt_data *);
	void (*finalize)(union ompt_data *);
	union ompt_data data;
};

/* Looked for by a runtime, which is so and so old; NULL: none is wanted. */
struct ompt_tool *ompt_start_tool(unsigned version, const char *runtime);

enum ompt_event {
	OMPT_PARALLEL_BEGIN = 3,
	OMPT_PARALLEL_END = 4,
	OMPT_TASK_CREATE = 5,
	OMPT_TASK_SCHEDULE = 6,
	OMPT_IMPLICIT_TASK = 7,
	OMPT_MUTEX_RELEASED = 17,
	OMPT_DEPENDENCES = 18,
	OMPT_TASK_DEPENDENCE = 19,
	OMPT_SYNC_REGION = 23,
	OMPT_MUTEX_ACQUIRE = 26,
	OMPT_MUTEX_ACQUIRED = 27
};

enum ompt_scope {
	OMPT_BEGIN = 1,
	OMPT_END = 2
};

enum ompt_sync {
	OMPT_BARRIER = 1,
	OMPT_BARRIER_IMPLICIT = 2,
	OMPT_BARRIER_EXPLICIT = 3,
	OMPT_BARRIER_IMPLEMENTATION = 4,
	OMPT_TASKWAIT = 5,
	OMPT_TASKGROUP = 6,
	OMPT_REDUCTION = 7,
	OMPT_BARRIER_WORKSHARE = 8,
	OMPT_BARRIER_PARALLEL = 9 /* the one at the end of a region */
};

enum ompt_task_flag {
	OMPT_TASK_INITIAL = 1,
	OMPT_TASK_EXPLICIT = 4,
	OMPT_TASK_TASKWAIT = 16 /* none, but a taskwait with dependences */
};

enum ompt_status {
	OMPT_COMPLETE = 1,
	OMPT_YIELD = 2,
	OMPT_CANCEL = 3,
	OMPT_DETACH = 4,
	OMPT_EARLY_FULFILL = 5,
	OMPT_LATE_FULFILL = 6,
	OMPT_SWITCH = 7,
	OMPT_TASKWAIT_COMPLETE = 8
};

enum ompt_mutex {
	OMPT_LOCK = 1,
	OMPT_TEST_LOCK = 2,
	OMPT_NEST_LOCK = 3,
	OMPT_TEST_NEST_LOCK = 4,
	OMPT_CRITICAL = 5,
	OMPT_ATOMIC = 6,
	OMPT_ORDERED = 7,
	OMPT_MUTEXES
};

#endif
