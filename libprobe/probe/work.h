/* Part of probe.h: threads, tasks, blocks and functions. */
#ifndef PROBE_WORK_H
#define PROBE_WORK_H

/*
 * Threads.  A thread is known from its first event on and its end is noticed
 * by itself.  To tie it to its creator, the creator makes an id and hands it
 * over, and the thread says it first of all.
 */

/* This thread starts another; returns the id that the new thread is to say. */
PROBE_INLINE uint64_t
probe_thread_create(uint32_t name)
{
	uint64_t creation = probe_id();

	PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_thread_create, name, creation,
	    0);
	return (creation);
}

/* The new thread's first words. */
#ifndef PROBE_OFF
void probe_thread_begin(uint64_t creation, uint32_t name) PROBE_API;
#else
PROBE_INLINE void
probe_thread_begin(uint64_t creation, uint32_t name)
{
	(void)creation;
	(void)name;
}
#endif

/* Starts to wait for the end of a thread. */
PROBE_INLINE void
probe_thread_wait(uint64_t creation)
{
	PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_thread_wait, 0, creation, 0);
}

/* The awaited thread has ended. */
PROBE_INLINE void
probe_thread_join(uint64_t creation)
{
	PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_thread_join, 0, creation, 0);
}

/*
 * Tasks: procedure calls made parallel.  Together they are the reduction
 * tree, so parent is the task that spawns, 0 for a root.  pe numbers the
 * processing element (worker) that runs it, from 0.
 */

/* A task is made. */
PROBE_INLINE void
probe_task_spawn(uint64_t task, uint64_t parent, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_spawn, procedure, task,
	    parent);
}

/* A processing element starts a task. */
PROBE_INLINE void
probe_task_begin(uint64_t task, uint64_t pe, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_begin, procedure, task, pe);
}

/* A task gives up its processing element until `awaits` (an id) is there. */
PROBE_INLINE void
probe_task_suspend(uint64_t task, uint64_t awaits)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_suspend, 0, task, awaits);
}

/* A suspended task goes on, perhaps elsewhere. */
PROBE_INLINE void
probe_task_resume(uint64_t task, uint64_t pe, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_resume, procedure, task,
	    pe);
}

/* A task is done. */
PROBE_INLINE void
probe_task_end(uint64_t task)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_end, 0, task, 0);
}

/* This thread takes note that a task is done. */
PROBE_INLINE void
probe_task_join(uint64_t task)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_task_join, 0, task, 0);
}

/* A value that others may wait for is there; task (0: none) has made it. */
PROBE_INLINE void
probe_future_set(uint64_t future, uint64_t task)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_future_set, 0, future, task);
}

/* A value made by another task is taken by task (0: none). */
PROBE_INLINE void
probe_future_get(uint64_t future, uint64_t task)
{
	PROBE_EVENT(PROBE_CLASS_task, 1, PROBE_future_get, 0, future, task);
}

/*
 * Fork-join blocks: a region that width members work on, numbered from 0.
 */

/* A block is opened. */
PROBE_INLINE void
probe_block_begin(uint64_t block, uint32_t width, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_block, 1, PROBE_block_begin, name, block,
	    width);
}

/* All members are done and the block is closed. */
PROBE_INLINE void
probe_block_end(uint64_t block, uint32_t width)
{
	PROBE_EVENT(PROBE_CLASS_block, 1, PROBE_block_end, width, block, 0);
}

/* A member starts its share. */
PROBE_INLINE void
probe_member_begin(uint64_t block, uint32_t member, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_block, 1, PROBE_member_begin, name, block,
	    member);
}

/* A member has done its share. */
PROBE_INLINE void
probe_member_end(uint64_t block, uint32_t member, uint32_t width)
{
	PROBE_EVENT(PROBE_CLASS_block, 1, PROBE_member_end, width, block,
	    member);
}

/*
 * Functions.  address is the function's, or 0 when the name says it all.
 * PROBE_SCOPE() says both by itself, see below.
 */
PROBE_INLINE void
probe_enter(const void *address, uint32_t function)
{
	PROBE_EVENT(PROBE_CLASS_call, 0, PROBE_enter, function,
	    (uint64_t)(uintptr_t)address, 0);
}

PROBE_INLINE void
probe_leave(const void *address, uint32_t function)
{
	PROBE_EVENT(PROBE_CLASS_call, 0, PROBE_leave, function,
	    (uint64_t)(uintptr_t)address, 0);
}

#endif
