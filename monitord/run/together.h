/*
 * Clocks of nodes that talk (tighten.h): from the reorderer's matches to the
 * maps of the nodes, a few times a second while messages come.
 */
#ifndef MONITORD_TOGETHER_H
#define MONITORD_TOGETHER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/clock/tighten.h"

struct monitord_core;
struct node;

struct together;
/* Asks core->reorder for its matches.  NULL: ENOMEM. */
struct together *together_new(struct monitord_core *);
void together_free(struct together *); /* NULL is fine */
/* Once a second: what was said ages, also when nothing new is. */
void together_second(struct together *);
/* It is another machine now: what its messages said is void. */
void together_forget(struct together *, const struct node *);

/* What messages say of this node's clock, as it is used now; else false. */
bool together_says(const struct together *, const struct node *,
    struct tighten_says *);
struct together_stats {
	uint64_t messages; /* between nodes */
	uint64_t reversed; /* of these, mapped to before they were sent */
	struct tighten_stats tighten;
};
void together_stats(const struct together *, struct together_stats *);

#endif
