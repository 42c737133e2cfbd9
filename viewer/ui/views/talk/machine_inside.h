/* Shared by the files that draw the machine. */
#ifndef VIEWER_MACHINE_INSIDE_H
#define VIEWER_MACHINE_INSIDE_H

#include "machine.h"

#define HEADS_MOST 1500 /* drawn in a frame */

/* One square's middle, px. */
struct machine_spot {
	int32_t x, y;
	bool there;
};
struct machine_plan {
	struct machine_spot *at; /* of each square */
	int32_t side;            /* px of a square */
	uint32_t placed;         /* squares that are there */
};

/* machine_ways.c: the colour of what is on its way */
uint32_t machine_way_rgb(const struct palette *, enum now_kind);
/* Curves below the squares; without memory there are none. */
void machine_ways_draw(struct ui *, struct canvas *, const struct machine *,
    const struct machine_plan *);
/* Heads with their tails, over them; returns how many, at most HEADS_MOST. */
size_t machine_heads_draw(struct ui *, struct canvas *, const struct machine *,
    const struct machine_plan *);

#endif
