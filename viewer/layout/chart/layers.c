/* See layers.h: columns by breadth first, rows by means of those before. */
#include "layout/chart/layers.h"

#include <stdbool.h>
#include <stdlib.h>

#define UNPLACED UINT32_MAX

struct placing {
	const struct layers_edge *edge;
	size_t edges;
	struct layers_node *node;
	uint32_t n, columns;
	uint32_t *order; /* nodes, by column and row */
	double *mean;    /* of the rows that lead to each */
};

/* All that can be come to from what is in this column; false: nothing new. */
static bool
next_column(struct placing *p, uint32_t column)
{
	uint32_t to = column + 1 < p->columns ? column + 1 : column;
	bool more = false;

	for (size_t i = 0; i < p->edges; i++) {
		const struct layers_edge *e = &p->edge[i];

		if (p->node[e->from].column != column ||
		    p->node[e->to].column != UNPLACED)
			continue;
		p->node[e->to].column = to;
		more = true;
	}
	return (more);
}

/* The last column has what is further away, too. */
static void
spread(struct placing *p)
{
	uint32_t column = 0;

	while (column + 1 < p->columns && next_column(p, column))
		column++;
	while (next_column(p, p->columns - 1))
		;
}

static void
place_columns(struct placing *p, const bool *led, const bool *leads)
{
	for (uint32_t i = 0; i < p->n; i++)
		p->node[i].column = leads[i] && !led[i] ? 0 : UNPLACED;
	spread(p);
	for (uint32_t i = 0; i < p->n; i++)
		if (p->node[i].column == UNPLACED && leads[i]) {
			p->node[i].column = 0; /* of a circle */
			spread(p);
		}
}

static uint32_t
shortest(const uint32_t *rows, uint32_t columns)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < columns; i++)
		if (rows[i] < rows[best])
			best = i;
	return (best);
}

static void
place_alone(struct placing *p, uint32_t *rows)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (p->node[i].column != UNPLACED)
			rows[p->node[i].column]++;
	for (uint32_t i = 0; i < p->n; i++)
		if (p->node[i].column == UNPLACED) {
			p->mean[i] = p->n; /* below all others */
			p->node[i].column = shortest(rows, p->columns);
			rows[p->node[i].column]++;
		}
}

static int
by_place(const void *a, const void *b, void *arg)
{
	const struct placing *p = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (p->node[x].column != p->node[y].column)
		return (p->node[x].column < p->node[y].column ? -1 : 1);
	if (p->mean[x] < p->mean[y] || p->mean[x] > p->mean[y])
		return (p->mean[x] < p->mean[y] ? -1 : 1);
	return (x < y ? -1 : x > y);
}

/* By column and mean, as far as that is known. */
static void
sort_rows(struct placing *p)
{
	uint32_t row = 0;

	for (uint32_t i = 0; i < p->n; i++)
		p->order[i] = i;
	qsort_r(p->order, p->n, sizeof(*p->order), by_place, p);
	for (uint32_t i = 0; i < p->n; i++) {
		struct layers_node *at = &p->node[p->order[i]];

		row = i > 0 && p->node[p->order[i - 1]].column == at->column
			  ? row + 1
			  : 0;
		at->row = row;
	}
}

/* Means of one column by the rows of the one before. */
static void
mean_rows(struct placing *p, uint32_t column)
{
	for (uint32_t i = 0; i < p->n; i++) {
		double sum = 0;
		uint32_t k = 0;

		if (p->node[i].column != column)
			continue;
		for (size_t e = 0; e < p->edges; e++)
			if (p->edge[e].to == i &&
			    p->node[p->edge[e].from].column + 1 == column) {
				sum += p->node[p->edge[e].from].row;
				k++;
			}
		if (k > 0)
			p->mean[i] = sum / k;
	}
}

uint32_t
layers_place(uint32_t n, const struct layers_edge *edge, size_t edges,
    uint32_t columns, struct layers_node *node)
{
	struct placing p = { edge, edges, node, n, columns,
		calloc((size_t)n + 1, sizeof(*p.order)),
		calloc((size_t)n + 1, sizeof(*p.mean)) };
	uint32_t *rows = calloc((size_t)columns + 1, sizeof(*rows)), most = 0;
	bool *led = calloc((size_t)n + 1, 2 * sizeof(*led));

	if (p.order == NULL || p.mean == NULL || rows == NULL || led == NULL ||
	    n == 0 || columns == 0)
		goto out;
	for (size_t i = 0; i < edges; i++)
		if (edge[i].from != edge[i].to)
			led[edge[i].to] = led[n + 1 + edge[i].from] = true;
	place_columns(&p, led, led + n + 1);
	place_alone(&p, rows);
	sort_rows(&p);
	for (uint32_t c = 1; c < columns; c++) {
		mean_rows(&p, c);
		sort_rows(&p);
	}
	for (uint32_t i = 0; i < columns; i++)
		most = rows[i] > most ? rows[i] : most;
out:
	free(p.order);
	free(p.mean);
	free(rows);
	free(led);
	return (most);
}
