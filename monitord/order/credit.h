/*
 * How much each node may have waiting in the reorderer: a window of its own,
 * smaller when many share, and one limit for all together.
 */
#ifndef MONITORD_CREDIT_H
#define MONITORD_CREDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct credit_node {
	uint64_t waiting; /* events that wait for the watermark */
	bool used_up;     /* until half of the window is free again */
};

struct credit {
	struct credit_node *node;
	size_t n;
	size_t window_bytes, floor_bytes, total_bytes; /* limits */
	bool over; /* all together, until half is free again */
};

/* window: of one node, never below floor; total: of all together. */
void credit_init(struct credit *, size_t window_bytes, size_t floor_bytes,
    size_t total_bytes);
void credit_clear(struct credit *);
/* Makes room for nodes 0..node.  -1 with ENOMEM. */
int credit_add(struct credit *, uint32_t node);
/* Events have come in, or wait no longer. */
static inline void
credit_take(struct credit *c, uint32_t node, uint64_t events)
{
	if (node < c->n)
		c->node[node].waiting += events;
}
static inline void
credit_give(struct credit *c, uint32_t node, uint64_t events)
{
	if (node < c->n)
		c->node[node].waiting -= events;
}
/* What a node may have waiting when so many share. */
size_t credit_window(const struct credit *, size_t members);
/* Nothing more should be read from this node; held: of all nodes. */
bool credit_spent(struct credit *, uint32_t node, size_t members,
    size_t held_bytes);

#endif
