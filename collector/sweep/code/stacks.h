/*
 * The stacks of a process, as samples name them: a tree whose edges are calls.
 * A stack is an address and the stack of its caller, so that what two stacks
 * have in common is told once.
 */
#ifndef COLLECTOR_STACKS_H
#define COLLECTOR_STACKS_H

#include <stdint.h>

#define STACKS_MAX (1u << 20) /* of a process; deeper ones end before */

struct stacks;

struct stack {
	uint32_t caller; /* its number, from 1; 0: none */
	uint64_t address;
};

struct stacks *stacks_new(void);   /* NULL: ENOMEM */
void stacks_free(struct stacks *); /* NULL is fine */
/* Its number; made if there is none.  0: no room, or ENOMEM. */
uint32_t stacks_number(struct stacks *, uint32_t caller, uint64_t address);
uint32_t stacks_all(const struct stacks *); /* the last number */
struct stack stacks_at(const struct stacks *, uint32_t number);

#endif
