/* For mouse.c: what a held button does until it is let go.  UI thread only. */
#ifndef VIEWER_DRAG_H
#define VIEWER_DRAG_H

#include "ui/desk/ui.h"

#define DRAG_PX 4 /* a press that moves less is a click */

/* The splitters and the overview's handles: before anything else. */
enum drag drag_edge(const struct ui *, int32_t x, int32_t y);
void drag_start(struct ui *, enum drag, int32_t x, int32_t y);
/* The mouse is there now; nothing happens when no button is held. */
void drag_on(struct ui *, int32_t x, int32_t y);
/* Of a pixel over the lanes, or of the end of theirs that is nearer. */
int64_t drag_time(const struct ui *, int32_t x);

#endif
