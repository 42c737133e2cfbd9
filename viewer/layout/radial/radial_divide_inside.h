/* Dividing a sector: shared by radial_divide.c and radial_divide_wide.c. */
#ifndef VIEWER_RADIAL_DIVIDE_INSIDE_H
#define VIEWER_RADIAL_DIVIDE_INSIDE_H

#include "layout/radial/radial_inside.h"
#include "model/tree/tree_wide.h"

#define SEEN_PX 0.5 /* two drawn ones are as far apart, or one is wide */

struct division {
	struct radial_drawing *r;
	uint32_t ring;       /* of the children */
	double from, arc;    /* of the sector */
	double total, given; /* weight of all, of those so far */
	double rings;        /* from that ring on, uncondensed */
	double wide, wider;  /* px per rad on that ring, on the next one */
	bool in_order;       /* children are by time */
	uint32_t kept; /* of a condensed tree: the child, else KEPT_NONE */
	/* the last one that is drawn, and how far along the ring, px */
	struct radial_node *last;
	double seen;
};

/* The child is not there yet at the instant of the view. */
bool radial_is_late(const struct division *, uint32_t task);
/* A sector lies beside the window; all of it lies in the window. */
bool radial_is_outside(const struct division *, double from, double arc);
bool radial_is_inside(const struct division *, double from, double arc);
/* Where the next one begins whose weight this is; returns its angle. */
double radial_next_sector(const struct division *, double w, double *from);
/* Of a child, with its size. */
double radial_weigh(const struct division *, uint32_t c, uint32_t *size);
/* The next one, with its sector; -1: no memory. */
int radial_place_child(struct division *, uint32_t c, uint32_t size, double w);

/* radial_divide_wide.c: blocks of children.  Of a task, TASK_NONE: the roots */
struct wide_task {
	struct wide_view view;
	uint32_t task;
};
/* Has it so many children?  Only VISTA's weights are known by blocks. */
bool radial_is_wide(const struct radial_drawing *, uint32_t task,
    struct wide_task *);
int radial_divide_wide(struct division *, const struct wide_task *);
/* The weight of the children before c; -1: it is none. */
double radial_wide_before(const struct radial_drawing *,
    const struct wide_task *, uint32_t c);

#endif
