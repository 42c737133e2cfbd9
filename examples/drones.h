/*
 * What the processes of drones.c know of each other: objects, messages, and
 * who they are.
 */
#ifndef EXAMPLES_DRONES_H
#define EXAMPLES_DRONES_H

#include <stdbool.h>
#include <stdint.h>

#include "again.h"
#include "probe.h"

enum class {
	CONTROLLER,
	DRONE,
	FACTORY,
	PAWN,
	MACHINE,
	PRODUCT,
	CLASSES
};

/* All that an object is, and all that is sent when it moves. */
struct object {
	struct probe_object me; /* what is told of it */
	uint64_t random;
	enum class class;
	int number;      /* among those of the beginning */
	int home;        /* node where it was made, or that it flies to */
	int at;          /* node */
	int left;        /* things still to do: moves, pawns, machines */
	int destination; /* where a pawn has been ordered */
	int visits[NODES_MAX];
};

struct account {
	uint32_t departures, arrivals, orders, obeyed, created, disposed;
};

enum subject {
	MOVE,
	ORDER,
	READY,
	REQUEST,
	GONE,
	STOP,
	ACCOUNT,
	SUBJECTS
};

struct message {
	enum subject subject;
	uint64_t order;
	struct probe_request request;
	struct object object;
	unsigned char packed[PROBE_OBJECT_PACKED]; /* the handle, on a move */
	struct account account;
};

/* Set before anything below is called. */
extern struct nodes nodes;
extern int self; /* node of this process; -1: the first one */
extern int nobjects, hops;
extern double pace_ms;
extern uint64_t seed;

/* --- drones_post.c: messages; to nodes.n is to the first process --- */

/* In the first process: makes all inboxes; the last is its own. */
void post_open(void);
/* Gives a child its inbox and the ways to all of them... */
void post_give(posix_spawn_file_actions_t *, int node);
/* ... where it finds them. */
void post_in_child(void);
void tell(int to, const struct message *);
/* The next message, or false after so many ms (-1: never). */
bool next_message(struct message *, int timeout_ms);

/* --- drones_objects.c: what lives at a node --- */

/* How many of this class there are from the beginning. */
int count_of(enum class);
int machines_of_a_factory(void);
/* The process of a node: never returns. */
_Noreturn void node_main(void);

#endif
