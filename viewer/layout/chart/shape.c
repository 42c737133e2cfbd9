/*
 * Where the parts of a machine stand that is a grid, a ring or a hypercube.
 *
 * In a hypercube each bit of a number is a step: the even ones to the right,
 * the odd ones down, twice as far every second time; the first two lean a
 * little, so that a cube looks like one.
 */
#include "layout/chart/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAN   0.22
#define CIRCLE 6.283185307179586

/* Digits alone, from 1 to SHAPE_SIDE_MAX; *end is behind them. */
static int
parse_side(const char *s, const char **end, uint32_t *side)
{
	uint32_t v = 0;

	for (*end = s; **end >= '0' && **end <= '9'; (*end)++) {
		v = v * 10 + (uint32_t)(**end - '0');
		if (v > SHAPE_SIDE_MAX)
			return (-1);
	}
	*side = v;
	return (v == 0 ? -1 : 0);
}

int
shape_parse(const char *text, struct shape *s)
{
	static const struct {
		const char *name;
		enum shape_kind kind;
	} named[] = { { "auto", SHAPE_AUTO }, { "ring", SHAPE_RING },
		{ "hypercube", SHAPE_HYPERCUBE } };
	struct shape grid = { .kind = SHAPE_GRID };
	const char *end;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (strcmp(text, named[i].name) == 0) {
			*s = (struct shape){ .kind = named[i].kind };
			return (0);
		}
	if (parse_side(text, &end, &grid.rows) == -1 || *end != 'x' ||
	    parse_side(end + 1, &end, &grid.cols) == -1 || *end != '\0')
		return (-1);
	*s = grid;
	return (0);
}

struct shape
shape_for(const struct shape *s, uint32_t n)
{
	struct shape grid = { SHAPE_GRID, 1, 1 };

	if (s->kind != SHAPE_AUTO)
		return (*s);
	while (grid.cols * grid.cols < n)
		grid.cols++;
	grid.rows = n == 0 ? 1 : (n + grid.cols - 1) / grid.cols;
	return (grid);
}

/* The largest power of two that is not more than n, and of what. */
static uint32_t
power_of(uint32_t n, unsigned *bits)
{
	for (*bits = 0; *bits < 31 && 1u << (*bits + 1) <= n; (*bits)++)
		continue;
	return (n == 0 ? 0 : 1u << *bits);
}

uint32_t
shape_room(const struct shape *s, uint32_t n)
{
	struct shape is = shape_for(s, n);
	unsigned bits;

	if (is.kind == SHAPE_HYPERCUBE)
		return (power_of(n, &bits));
	if (is.kind == SHAPE_GRID && is.rows * is.cols < n)
		return (is.rows * is.cols);
	return (n);
}

char *
shape_name(const struct shape *s, uint32_t n, char *buf, size_t size)
{
	struct shape is = shape_for(s, n);

	if (is.kind == SHAPE_GRID)
		snprintf(buf, size, "grid %ux%u", (unsigned)is.rows,
		    (unsigned)is.cols);
	else if (is.kind == SHAPE_HYPERCUBE)
		snprintf(buf, size, "hypercube of %u",
		    (unsigned)shape_room(&is, n));
	else
		snprintf(buf, size, "%s",
		    is.kind == SHAPE_RING ? "ring" : "own");
	return (buf);
}

static void
corner(unsigned bits, uint32_t i, double *x, double *y)
{
	*x = *y = 0;
	for (unsigned k = 0; k < bits; k++) {
		double step = (i >> k & 1) * (double)(1u << k / 2);

		*x += k % 2 == 0 ? step : k == 1 ? step * LEAN : 0;
		*y += k % 2 == 1 ? step : k == 0 ? step * LEAN : 0;
	}
}

bool
shape_place(const struct shape *s, uint32_t n, uint32_t i, double *x, double *y)
{
	struct shape is = shape_for(s, n);
	double most_x, most_y;
	unsigned bits;
	uint32_t row;

	if (i >= shape_room(&is, n) || is.kind == SHAPE_OWN)
		return (false);
	if (is.kind == SHAPE_GRID) {
		row = i / is.cols;
		*x = is.cols == 1 ? 0.5 : i % is.cols / (is.cols - 1.0);
		*y = is.rows == 1 ? 0.5 : row / (is.rows - 1.0);
		return (true);
	}
	if (is.kind == SHAPE_RING) {
		*x = n == 1 ? 0.5 : 0.5 + 0.5 * sin(CIRCLE * i / n);
		*y = n == 1 ? 0.5 : 0.5 - 0.5 * cos(CIRCLE * i / n);
		return (true);
	}
	power_of(n, &bits);
	corner(bits, i, x, y);
	corner(bits, (1u << bits) - 1, &most_x, &most_y);
	*x = most_x > 0 ? *x / most_x : 0.5;
	*y = most_y > 0 ? *y / most_y : 0.5;
	return (true);
}

bool
shape_joined(const struct shape *s, uint32_t n, uint32_t i, uint32_t j)
{
	struct shape is = shape_for(s, n);
	uint32_t room = shape_room(&is, n), a = i < j ? i : j,
		 b = i < j ? j : i;

	if (b >= room || a == b)
		return (false);
	switch (is.kind) {
	case SHAPE_GRID:
		return (b - a == is.cols || (b - a == 1 && b % is.cols != 0));
	case SHAPE_RING:
		return (b - a == 1 || (a == 0 && b == n - 1));
	case SHAPE_HYPERCUBE:
		return (((a ^ b) & ((a ^ b) - 1)) == 0);
	default:
		return (false);
	}
}
