/*
 * Places of the parts of a machine: a grid, a ring, a hypercube, or as the user
 * has put them.
 *
 * Pure; no memory is allocated.
 */
#ifndef VIEWER_CHART_SHAPE_H
#define VIEWER_CHART_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shape_kind {
	SHAPE_AUTO, /* a grid for all of them, as wide as high */
	SHAPE_GRID,
	SHAPE_RING,
	SHAPE_HYPERCUBE, /* of 2^k parts */
	SHAPE_OWN        /* the caller knows the places */
};

struct shape {
	enum shape_kind kind;
	uint32_t rows, cols; /* of SHAPE_GRID */
};

#define SHAPE_SIDE_MAX 4096 /* rows and columns of a grid */

/* "auto", "ring", "hypercube", "4x8" (rows by columns).  -1: none of these. */
int shape_parse(const char *, struct shape *);
/* What it is for n parts: "grid 4x8", "ring", "hypercube of 16", "own". */
char *shape_name(const struct shape *, uint32_t n, char *buf, size_t size);
/* An automatic one becomes a grid for n parts; others stay as they are. */
struct shape shape_for(const struct shape *, uint32_t n);
/* How many of n parts have a place; the others come after them. */
uint32_t shape_room(const struct shape *, uint32_t n);
/*
 * Where part i of n stands, from 0 to 1 in x and y: the first at the upper
 * left, in a ring at the top.  False: it has no place.
 */
bool shape_place(const struct shape *, uint32_t n, uint32_t i, double *x,
    double *y);
/* Two of them are neighbours. */
bool shape_joined(const struct shape *, uint32_t n, uint32_t i, uint32_t j);

#endif
