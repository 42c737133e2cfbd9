/* The full path of monitord: its load, and which stage takes the time. */
#ifndef TESTS_BENCH_FULLPATH_H
#define TESTS_BENCH_FULLPATH_H

#include <stdbool.h>

#include "batch.h"

/* --- fullpath_split.c: who is at work now --- */

enum stage {
	STAGE_REST,
	STAGE_FRAME,
	STAGE_DECODE,
	STAGE_PUSH,
	STAGE_ORDER,
	STAGE_ENCODE,
	STAGE_SEAL,
	STAGE_ZSTD,
	STAGE_WRITE,
	STAGES
};

extern const char *const stage_name[STAGES];
extern struct split {
	bool on;
	enum stage now;
	double since_ns, ns[STAGES];
} split;

/* Cheaper to ask than the thread's time; take the least of several rounds. */
double split_ns(void);
/* From now on it is this one; returns which it was. */
enum stage enter(enum stage);

/* --- fullpath_load.c: what the collectors send --- */

enum {
	NODES = 16,
	START_S = 20 /* the clocks are locked by then */
};

struct load {
	size_t k, events; /* streams; events of all */
	/* frames in the order in which they arrive */
	struct buf frames;
	struct arrival {
		size_t at, bytes;
		int64_t t_ns;
		unsigned node;
	} * arrival;
	size_t arrivals;
};

/* Node clocks are off by up to 2 s and 40 ppm. */
int64_t load_clock(unsigned node, int64_t t_ns);
void load_make(struct load *, size_t k, size_t events);
void load_free(struct load *);

#endif
