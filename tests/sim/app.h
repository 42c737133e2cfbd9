/* Programs of the simulated world: threads with rings, and what they did. */
#ifndef TESTS_SIM_APP_H
#define TESTS_SIM_APP_H

#include "collector/sweep/segment.h"
#include "event.h"
#include "tests/sim/env_sim.h"

#define APP_THREADS 3
#define APP_NAMES   24 /* of a usual program, at most */
#define APP_INBOX   32

/* One record that was published. */
struct deed {
	int64_t true_ns, node_ns;
	uint64_t a, b;
	uint32_t c;
	uint16_t kind;
};

/* Something on its way to a thread. */
struct parcel {
	int64_t at_ns;
	uint64_t id;
	uint16_t kind; /* of the event that takes it */
};

struct app;
struct app_thread {
	struct app *app;
	struct ring *ring;
	uint32_t generation; /* of its ring */
	struct deed *deeds;
	size_t deeds_n, deeds_cap;
	uint64_t gap, lost_total, lost_records;
	bool lossy;
	bool amid;        /* the clock is read, the record not yet written */
	bool unseen;      /* it is written, but not seen yet */
	struct deed half; /* that record */
	struct parcel inbox[APP_INBOX];
	unsigned inbox_n;
};

/* All programs, which send to each other. */
struct crowd {
	struct app **apps;
	size_t n, cap;
	uint64_t next_id; /* of messages and futures; also keys of barriers */
};

struct app {
	struct sim *sim;
	struct sim_machine *machine;
	struct crowd *crowd;
	struct chance chance;
	struct ring_segment *seg;
	struct segment_layout layout;
	struct app_thread threads[APP_THREADS];
	uint32_t po, names, names_most;
	uint32_t inherits; /* so many names it has from its start on */
	uint64_t barrier, turn, no_ring;
	unsigned coming, arrived; /* threads at the barrier, a bit each */
	int64_t until_ns, every_ns, stopped_until_ns;
	/* from then on it sends nothing, and does little; 0: never */
	int64_t silent_from_ns, silent_every_ns;
	bool prompt; /* its threads wait for messages */
	bool ended, released;
};

/* A program that has a segment from its collector and begins to publish. */
void app_start(struct app *, uint32_t po, uint32_t mask);
/* Closes its rings: no more will come. */
void app_end(struct app *);
/* SIGKILL: what is half written stays so. */
void app_kill(struct app *);
void app_stop(struct app *, int64_t until_ns);
void app_free(struct app *);
/* The text of a name of the program. */
void app_name(char *buf, size_t n, const struct app *, uint32_t name);

#endif
