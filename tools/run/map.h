/*
 * A table of places: which instance of a program runs on which node.  A line a
 * node, # begins a remark:
 *
 *	n1 2				two of them, the next free ranks
 *	n2 ranks 0 4-6			these
 *	n3 1 through ssh user@host	by this command, which gets a line
 *					for the shell over there
 */
#ifndef TOOLS_RUN_MAP_H
#define TOOLS_RUN_MAP_H

#include <stddef.h>
#include <stdint.h>

#define MAP_RANKS 256

struct map_node {
	char *name;
	char *through;       /* NULL: it is on this machine */
	unsigned line, free; /* where it stands; so many of the free ranks */
};

struct map {
	struct map_node *node;
	size_t nodes;
	uint32_t *at; /* by rank: its node */
	size_t ranks;
};

/*
 * 0; -1: why says what is wrong first, "3: what was expected".  To be cleared
 * in any case.
 */
int map_parse(struct map *, const char *text, char *why, size_t n);
void map_clear(struct map *);

#endif
