/*
 * Switches of threads, from the kernel's performance events: of processes of
 * this user, without any privilege.
 */
#ifndef COLLECTOR_PERF_H
#define COLLECTOR_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/sweep/measured/sched.h"
#include "common/env.h"

struct perf;
struct perf_process;

/*
 * One ring for each processor.  NULL with errno set: EACCES and EPERM if this
 * user may not, ENOSYS or EINVAL if the kernel (5.13 is needed) cannot.
 */
struct perf *perf_new(struct env *);
void perf_free(struct perf *); /* after its processes; NULL is fine */
/*
 * From now on the threads that a process has, and those that they make; about
 * 5 us a thread and processor.  NULL with errno set, EMFILE if that were too
 * many descriptors.
 */
struct perf_process *perf_open(struct perf *, uint32_t pid);
/*
 * Samples of those threads, so often in a second of processor time; kernel:
 * also of when they are within the kernel, where this user may have that.
 */
struct perf_process *perf_sample(struct perf *, uint32_t pid, uint32_t rate_hz,
    bool *kernel);
void perf_close(struct perf *, struct perf_process *); /* NULL is fine */
/* As sched_read; arg is the struct perf. */
size_t perf_read(void *arg, struct chains *, struct sched_record *, size_t max);

#endif
