/*
 * The view Spans when no thread, object or lock is selected: what all threads
 * did last, as text, the newest below.
 */
#ifndef VIEWER_NEWEST_H
#define VIEWER_NEWEST_H

#include "ui/desk/desk.h"

void newest_draw(struct ui *, struct canvas *, const struct rect *);
/* A row's list is shown instead. */
void newest_leave(struct ui *);
void newest_describe(struct ui *, FILE *);

#endif
