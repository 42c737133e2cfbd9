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

/* mouse_over.c: a press on a card; true: it was about that, and is done. */
bool mouse_card(struct ui *, int32_t x, int32_t y, int button, bool twice);
/*
 * The pointer is over the other run: x and y become the same place in this
 * one, in its lanes the ruler.
 */
void mouse_route(struct ui *, int32_t *x, int32_t *y);
/* A press that is for the other run alone: true, it is done. */
bool mouse_other(struct ui *, int32_t x, int32_t y);

#endif
