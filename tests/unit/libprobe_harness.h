/*
 * A collector in a thread, small enough to be believed: it listens in a
 * runtime directory of its own, hands out segments, drains the rings and keeps
 * everything.  What it finds wrong (a head that goes back, times that fall,
 * a ring written after its end) it counts in `faults`.
 */
#ifndef TESTS_LIBPROBE_HARNESS_H
#define TESTS_LIBPROBE_HARNESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "ring.h"

struct hub_stream {
	uint32_t thread, tid;
	char name[RING_NAME_BYTES + 1];
	struct ring_record *records;
	size_t n, cap;                     /* n counts what is discarded, too */
	uint64_t lost_total, lost_records; /* as the ring said at the end */
	bool closed;
};

struct hub_po {
	uint32_t po, parent_po;
	int pid;
	uint8_t clock;
	char program[256], command[1100];
	struct ring_segment *segment;
	uint64_t bytes;
	int64_t t_node_ns;
	struct hub_stream **streams;
	size_t nstreams;
	struct hub_stream **of_ring; /* whose ring it is now */
	uint64_t *taken;
};

struct hub_options {
	uint32_t nrings, ring_records, reserve, wait_ms, mask;
	uint32_t names_bytes;
	bool inherit;      /* names of POs that it knows need not be told */
	uint32_t grows;    /* a ring begins with ring_records >> 2 * this */
	uint64_t may_grow; /* records, all rings together; 0: no limit */
	bool hold;         /* begin without draining */
	bool deaf;         /* nobody is served before hub_hear() */
	bool discard;      /* count records, keep none: for benchmarks */
	uint32_t sweep_us; /* 0: a millisecond */
};

struct hub {
	struct hub_options o;
	char dir[96]; /* of the node */
	int listener, stop;
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	struct hub_po *pos[256];
	size_t npos;
	uint64_t faults;
	char fault[128];
	bool hold, deaf;
	uint64_t unheard; /* events of processes that never attached */
};

#define HUB_NODE 7

/*
 * Sets ORRERY_DIR to a fresh directory and starts the program again, so that
 * libprobe's constructor sees it.  To be called first in main.
 */
void hub_setup(char **argv);
/* The directory is removed at exit. */

/* Members that are 0: 64 rings of 4,096, reserve 256, all classes, 64 KiB. */
struct hub *hub_open(const char *node, const struct hub_options *);
/* gone: tells the processes, as a collector does that shuts down. */
void hub_close(struct hub *, bool gone);
void hub_drain(struct hub *, bool drain);
void hub_hear(struct hub *);
void hub_socket(const struct hub *, char *path, size_t n);

/*
 * Waits for the n-th (from 0) PO and drains all that is there; NULL: not in
 * 10 s.  From then on it is drained only by hub_sweep(), so that what is there
 * can be looked at; until hub_drain().
 */
struct hub_po *hub_wait_po(struct hub *, size_t n);
size_t hub_npos(struct hub *);
uint64_t hub_unheard(struct hub *);
struct hub_po *hub_po_of_pid(struct hub *, int pid);
/* What processes without a collector see. */
uint32_t hub_wake_mask(void);
/* Takes all that is there. */
void hub_sweep(struct hub *);
/* Stored, without EV_lost, and what EV_lost records say of a stream. */
uint64_t hub_count(const struct hub_stream *, unsigned kind);
uint64_t hub_stored(const struct hub_stream *);
uint64_t hub_told_lost(const struct hub_stream *);
/* Text of name number n, or NULL; static storage. */
const char *hub_name(const struct hub_po *, uint32_t n);

#endif
