/*
 * Who ran on which processor in a range of time, where the scheduler was
 * recorded: of each processor how long it was in use by threads of the run, by
 * how many, how often one came to it from another, and which had it most.
 * Looked for in the scheduler's records when it is asked, in parts.
 *
 * All calls by one thread; the model may grow meanwhile.
 */
#ifndef VIEWER_CPUSUMS_H
#define VIEWER_CPUSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_STRIP 256  /* parts of the range */
#define CPUS_MAX  4096 /* the first that are heard of */

struct model;

struct cpu_sum {
	uint32_t node, cpu;
	uint32_t threads;        /* that ran on it */
	uint64_t came;           /* so often one came from another processor */
	int64_t ns;              /* in use */
	uint32_t most;           /* number of a thread, see scheds.h */
	int64_t most_ns;         /* that one had it */
	int64_t part[CPU_STRIP]; /* ns in use */
	/* while it is added up: of the thread that is looked at */
	uint32_t now;
	int64_t now_ns;
};

struct cpu_sums;

struct cpu_sums *cpu_sums_new(void);   /* NULL: ENOMEM */
void cpu_sums_free(struct cpu_sums *); /* NULL is fine */
void cpu_sums_begin(struct cpu_sums *, const struct model *, int64_t t0,
    int64_t t1);
/* Some hundred stretches more; true: all is done, or memory is out. */
bool cpu_sums_step(struct cpu_sums *);
/* False: there are more processors, or memory is out. */
bool cpu_sums_whole(const struct cpu_sums *);
/* By node, in the order of their ranks, and processor; when it is done. */
size_t cpu_sums_list(const struct cpu_sums *, struct cpu_sum *const **);
/* Part i of the range begins then. */
int64_t cpu_sums_at(const struct cpu_sums *, unsigned i);

#endif
