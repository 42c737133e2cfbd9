/*
 * Two runs side by side.  The other run has a window's contents of its own
 * (ui->other, whose ui->main is this one), which is shown in halves of the
 * tree's and the lanes' panes and always looks as this one does.
 */
#ifndef VIEWER_COMPARE_H
#define VIEWER_COMPARE_H

#include "ui/trees/grown.h"

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

#endif
