/*
 * The window is a node's share of the total, but not above what lets it be
 * ahead by some tenths of a second at full speed, and not below what one batch
 * needs.  Where the floors of many nodes add up to more than the total, the
 * total rules.
 *
 * Both limits are left only when half is free: starting and stopping for every
 * batch would cost more than the memory is worth.
 */
#include "credit.h"

#include <stdlib.h>
#include <string.h>

#include "event.h"

void
credit_init(struct credit *c, size_t window_bytes, size_t floor_bytes,
    size_t total_bytes)
{
	memset(c, 0, sizeof(*c));
	c->window_bytes = window_bytes;
	c->floor_bytes = floor_bytes;
	c->total_bytes = total_bytes;
}

void
credit_clear(struct credit *c)
{
	free(c->node);
	memset(c, 0, sizeof(*c));
}

int
credit_add(struct credit *c, uint32_t node)
{
	size_t n = c->n * 2 > node ? c->n * 2 : (size_t)node + 8;
	struct credit_node *grown;

	if (node < c->n)
		return (0);
	grown = realloc(c->node, n * sizeof(*grown));
	if (grown == NULL)
		return (-1);
	memset(grown + c->n, 0, (n - c->n) * sizeof(*grown));
	c->node = grown;
	c->n = n;
	return (0);
}

size_t
credit_window(const struct credit *c, size_t members)
{
	size_t share = c->total_bytes / (members > 0 ? members : 1);

	if (share > c->window_bytes)
		share = c->window_bytes;
	return (share > c->floor_bytes ? share : c->floor_bytes);
}

bool
credit_spent(struct credit *c, uint32_t node, size_t members, size_t held_bytes)
{
	size_t window = credit_window(c, members);
	struct credit_node *m;
	size_t waiting;

	c->over = held_bytes > (c->over ? c->total_bytes / 2 : c->total_bytes);
	if (node >= c->n)
		return (false);
	m = &c->node[node];
	waiting = (size_t)m->waiting * sizeof(struct event);
	m->used_up = waiting > (m->used_up ? window / 2 : window);
	return (m->used_up || c->over);
}
