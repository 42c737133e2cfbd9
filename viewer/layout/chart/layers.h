/*
 * A graph in columns: who leads to others stands left of them.  Numbers in,
 * places out.
 */
#ifndef VIEWER_CHART_LAYERS_H
#define VIEWER_CHART_LAYERS_H

#include <stddef.h>
#include <stdint.h>

struct layers_edge {
	uint32_t from, to; /* below the number of nodes; the same: no matter */
};

struct layers_node {
	uint32_t column;
	uint32_t row; /* in its column, from 0 on */
};

/*
 * Places n nodes in at most so many columns.  A node is one column further than
 * the nearest that leads to it, from those on to which nobody leads; of a
 * circle it begins with the lowest number.  In a column they are in the order
 * of the means of the rows that lead to them.  Nodes without edges fill the
 * shortest columns.  Returns the rows of the longest; 0: no nodes, or no
 * memory. O((n + edges) * n) at worst.
 */
uint32_t layers_place(uint32_t n, const struct layers_edge *, size_t edges,
    uint32_t columns, struct layers_node *);

#endif
