/*
 * Two runs side by side.  The other run has a window's contents of its own
 * (ui->other, whose ui->main is this one), which is shown in halves of the
 * tree's and the lanes' panes and always looks as this one does.
 */
#ifndef VIEWER_COMPARE_H
#define VIEWER_COMPARE_H

#include "ui/grown.h"

/* The other run is there now; takes it.  NULL: it is alone again. */
void compare_with(struct ui *, struct ui *other);
/* Cuts the panes in two. */
void compare_place(struct ui *);
/* Before a frame: the other one is seen as this one is. */
void compare_sync(struct ui *);
/* Layers of the other one; false: was stopped. */
bool compare_prepare(struct ui *);
void compare_draw(struct ui *, struct canvas *);

/*
 * The pointer is over the other run: x and y become the same place in this
 * one, in its lanes the ruler.
 */
void compare_route(struct ui *, int32_t *x, int32_t *y);
/* A press that is for the other run alone: true, it is done. */
bool compare_press(struct ui *, int32_t x, int32_t y);

/* The lane that is in the other run what this one is here; UINT32_MAX: none. */
uint32_t compare_lane(const struct ui *, uint32_t lane);

/* compare_tree.c: one tree of what both have, for both; false: was stopped. */
bool compare_grow(struct ui *);

/* compare_tab.c: the table of procedures. */
void compare_tab_draw(struct ui *, struct canvas *, const struct rect *);
void compare_describe(struct ui *, FILE *);

#endif
