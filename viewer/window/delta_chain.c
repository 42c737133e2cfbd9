/*
 * Points of one colour in an order in which each lies near the one before.
 *
 * They are told as steps, and steps that are small and come again compress
 * well: along an edge, of a line or of a circle, they repeat.  So the step
 * before is tried again; then it is the nearest point, as far as one looks;
 * else the first one that is left.
 */
#include <stdlib.h>

#include "window/delta_inside.h"

#define LOOK_PX 8 /* farther steps would be no smaller than to any other */
#define LEAST   4 /* points that are worth an order */

struct chain {
	uint32_t *at; /* by pixel: the point that is left there, + 1 */
	int32_t width, height;
};

static uint32_t
left_at(const struct chain *c, int32_t x, int32_t y)
{
	return (x >= 0 && y >= 0 && x < c->width && y < c->height
		    ? c->at[(size_t)y * (size_t)c->width + (size_t)x]
		    : 0);
}

/* Nearest of those that are d px away, across or along; 0: there is none. */
static uint32_t
nearest_at(const struct chain *c, int32_t x, int32_t y, int32_t d)
{
	for (int32_t k = 0; k <= d; k++) /* off the axes */
		for (int i = 0; i < 8; i++) {
			int32_t a = i & 1 ? d : -d, b = i & 2 ? k : -k;
			uint32_t found = i & 4 ? left_at(c, x + b, y + a)
					       : left_at(c, x + a, y + b);

			if (found != 0)
				return (found);
		}
	return (0);
}

static uint32_t
next_of(const struct chain *c, const struct delta_point *p, int32_t dx,
    int32_t dy)
{
	uint32_t found = left_at(c, p->x + dx, p->y + dy);

	for (int32_t d = 1; d <= LOOK_PX && found == 0; d++)
		found = nearest_at(c, p->x, p->y, d);
	return (found);
}

static uint32_t *
place(struct chain *c, const struct delta_point *p)
{
	return (&c->at[(size_t)p->y * (size_t)c->width + (size_t)p->x]);
}

void
delta_chain(struct work *w, struct delta_point *p, size_t n,
    struct delta_point *spare)
{
	struct chain c = { w->chain, w->now->width, w->now->height };
	int32_t dx = 0, dy = 0;
	size_t first = 0;
	uint32_t next;

	if (n < LEAST)
		return;
	if (c.at == NULL)
		c.at = w->chain =
		    calloc((size_t)c.width * (size_t)c.height, sizeof(*c.at));
	if (c.at == NULL)
		return; /* any order will do */
	for (size_t i = 0; i < n; i++) {
		spare[i] = p[i];
		*place(&c, &p[i]) = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < n; i++) {
		next = i == 0 ? 0 : next_of(&c, &p[i - 1], dx, dy);
		if (next == 0) {
			while (first + 1 < n && *place(&c, &spare[first]) == 0)
				first++;
			next = (uint32_t)first + 1;
		}
		p[i] = spare[next - 1];
		*place(&c, &p[i]) = 0;
		if (i > 0) {
			dx = p[i].x - p[i - 1].x;
			dy = p[i].y - p[i - 1].y;
		}
	}
}
