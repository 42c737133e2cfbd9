/* Where the panes are. */
#ifndef VIEWER_PLACE_H
#define VIEWER_PLACE_H

#include "ui/desk/desk.h"

#define PLACE_TOP_PX     34
#define PLACE_DOCK_SPLIT 812 /* at first, in 1/1000 of the window */

/* All of ui->places that follows from the window's size, of both runs. */
void place_panes(struct ui *);

static inline bool
place_is_empty(const struct rect *r)
{
	return (r->x1 <= r->x0 || r->y1 <= r->y0);
}

#endif
