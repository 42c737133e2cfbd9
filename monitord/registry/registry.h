/*
 * Who is who in the run: nodes, POs, threads (locations) and names, with the
 * numbers they have in the log.  A new one is defined once, through the
 * call-back, before its number is used.
 *
 * It also keeps the books of every location: what has been handed on, what
 * is in the log, and what its collector says was published.
 */
#ifndef MONITORD_REGISTRY_H
#define MONITORD_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame.h"

struct registry;

#define REGISTRY_NONE UINT32_MAX

struct location {
	uint32_t node, po, thread;
	uint64_t pushed;      /* next sequence number to go to the reorderer */
	uint64_t emitted;     /* next one to come out of it into the log */
	uint64_t records;     /* in the log, but for EV_lost */
	uint64_t gone;        /* skipped: nobody has them any more */
	int64_t floor_mon_ns; /* its last event before we were started again */
	uint32_t then; /* location that came after it in a batch: a guess */
	bool open;     /* it is a stream of the reorderer */

	/* as its collector says */
	bool told;  /* an account has come */
	bool known; /* and its numbers are true */
	uint64_t published, lost, next_seq;
};

/* A definition to be written: of a node, PO, thread, name, module or symbol. */
typedef void registry_define(void *arg, enum msg_type, const void *msg);

struct registry *registry_new(registry_define *, void *arg); /* NULL: ENOMEM */
void registry_free(struct registry *);

/*
 * Numbers of things, made if need be; REGISTRY_NONE when out of memory.  What
 * is beyond what a run can hold is no reason to stop: a thread is
 * REGISTRY_BEYOND, a name 0, and of a PO no note is taken.
 * A node whose machine has changed is defined again under its number.
 */
#define REGISTRY_BEYOND (UINT32_MAX - 1)
uint32_t registry_node(struct registry *, const char *name,
    const char *machine);
int registry_po(struct registry *, const struct msg_po *);
/* The location of a thread definition, whose own location is not looked at. */
uint32_t registry_thread(struct registry *, const struct msg_thread *);
/*
 * Names are one when their texts are and, for those that have a place in the
 * source, place and program (m->program) too: two functions called `step' are
 * two.  A name without a place is one in the whole run.
 */
uint32_t registry_name(struct registry *, const struct msg_name *);

/* What a name is, in the order of its levels; told the first time. */
void registry_symbol(struct registry *, const struct msg_symbol *);
/* Told when it is not what was there before.  -1: ENOMEM. */
int registry_module(struct registry *, const struct msg_module *);

/* Takes back a definition from the log.  -1: it does not fit the others. */
int registry_restore(struct registry *, const struct frame *);

/*
 * By number, which must exist; valid until the next location is made.  All lie
 * in a row, from number 0 on.
 */
struct location *registry_location(struct registry *, uint32_t location);
/* REGISTRY_NONE when there is none. */
uint32_t registry_find(const struct registry *, uint32_t node, uint32_t po,
    uint32_t thread);
uint32_t registry_find_node(const struct registry *, const char *name);
const char *registry_node_name(const struct registry *, uint32_t node);
const char *registry_node_machine(const struct registry *, uint32_t node);
/* First PO number that the log does not know on this node. */
uint32_t registry_next_po(const struct registry *, uint32_t node);
/* Is this its text?  A number that is none has no text. */
bool registry_name_is(const struct registry *, uint32_t name, const char *);
uint32_t registry_nodes(const struct registry *);
uint32_t registry_locations(const struct registry *);
uint32_t registry_names(const struct registry *);

#endif
