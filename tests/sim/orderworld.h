/*
 * A world for the reorderer alone, in virtual time: nodes whose streams send
 * each other messages, collectors that flush, links that delay, and faults.
 */
#ifndef TESTS_SIM_ORDERWORLD_H
#define TESTS_SIM_ORDERWORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "monitord/order/reorder.h"
#include "tests/sim/model.h"
#include "tests/sim/ordercheck.h"

#define WORLD_MS  INT64_C(1000000)
#define WORLD_SEC INT64_C(1000000000)

/* What a node has gathered up to a flush, on its way. */
struct world_batch {
	size_t end; /* index behind its last event */
	int64_t mark_ns, at_ns;
};

struct world_node {
	struct event *ev; /* not told yet */
	size_t n, cap, told;
	struct world_batch *batch;
	size_t batches, batches_cap, next;
	int64_t off_ns; /* of its clock, as mapped */
	int64_t drift_ppm;
	int64_t still_ns; /* its collector stands still until */
	int64_t cut_ns;   /* its link is cut until */
	int64_t dead_ns;  /* it is away until; 0: it is there */
	int64_t arrives_ns;
	size_t repeat; /* index from which the next batch repeats */
	bool held;
};

struct world_flight {
	uint64_t id;
	uint32_t to;
	int64_t at_ns;
};
#define WORLD_FLIGHTS 256

struct world {
	struct chance chance;
	struct reorder *reorder;
	struct ordercheck check;
	struct world_node *node;
	uint32_t *home;  /* of each stream */
	uint64_t *seq;   /* of each stream */
	uint64_t *known; /* next number that the reorderer has not had */
	bool *open;
	uint32_t nodes, streams;
	int64_t now_ns, end_ns, away_ns; /* monitord is away until */
	struct world_flight flight[WORLD_FLIGHTS];
	size_t flights, flights_head;
	uint64_t ids, ids_max, wanted;
	uint64_t faults, gone; /* events that were never told */

	/* faults that are always there, as probabilities */
	double lose_send, never_sent, future, twice, spike;
	bool idle, lopsided;
};

/* What is done to it each ms; NULL: nothing. */
typedef void world_fault(struct world *, int64_t now_ns);

int world_init(struct world *, uint64_t seed, uint32_t streams,
    uint64_t messages, bool bad_clock);
void world_clear(struct world *);
/* Lets it run, with this fault, to its end; all is flushed. */
void world_run(struct world *, world_fault *);

/* For faults. */
void world_kill(struct world *, uint32_t node, int64_t away_ns);
void world_repeat(struct world *, uint32_t node, size_t events);
void world_reopen(struct world *, uint32_t stream);

#endif
