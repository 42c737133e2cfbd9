/* Programs of the simulated world: threads with rings, and what they did. */
#ifndef TESTS_SIM_APP_H
#define TESTS_SIM_APP_H

#include "collector/segment.h"
#include "event.h"
#include "tests/sim/env_sim.h"

/* One record that was published. */
struct deed {
	int64_t true_ns;
	uint64_t a;
	uint16_t kind;
};

struct app_thread {
	struct app *app;
	struct ring *ring;
	struct deed *deeds;
	size_t deeds_n, deeds_cap;
	uint64_t gap, lost_total;
	bool lossy;
	uint64_t inbox[64]; /* messages on their way here */
	int64_t inbox_ns[64];
	unsigned inbox_n;
};

#define APP_THREADS 3

struct app {
	struct sim *sim;
	struct sim_machine *machine;
	struct ring_segment *seg;
	struct segment_layout layout;
	struct app_thread threads[APP_THREADS];
	struct app **all; /* whom to send to */
	size_t all_n;
	uint64_t *next_message;
	int64_t until_ns, every_ns;
	bool ended, released;
};

/* A program that has a segment from its collector and begins to publish. */
void app_start(struct app *, uint32_t po, uint32_t mask);
/* Closes its rings: no more will come. */
void app_end(struct app *);
void app_free(struct app *);

#endif
