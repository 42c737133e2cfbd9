/*
 * Two runs side by side.  The other run has a desk of its own in the window
 * (struct desks), which is shown in halves of the tree's and the lanes' panes
 * and always looks as the first one does.  All of these are given the first.
 */
#ifndef VIEWER_COMPARE_H
#define VIEWER_COMPARE_H

#include "ui/desk/ui.h"

/* The other run is there now; takes it.  NULL: it is alone again. */
void compare_with(struct ui *, struct ui *other);
/* Cuts the panes in two. */
void compare_place(struct ui *);
/* Before a frame: the other one is seen as this one is. */
void compare_sync(struct ui *);
/* Layers of the other one; false: was stopped. */
bool compare_prepare(struct ui *);
void compare_draw(struct ui *, struct canvas *);

#endif
