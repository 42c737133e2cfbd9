/* What the threads of two runs waited for, and how long their paths are. */
#ifndef VIEWER_COMPARE_WAITS_H
#define VIEWER_COMPARE_WAITS_H

#include <stdio.h>

#include "ui/desk/ui.h"

bool compare_waits_prepare(struct ui *);
/*
 * Below what begins at x px and ends at y px, if it has room there; else at the
 * right of what is left.  Returns where that ends then.
 */
int32_t compare_waits_draw(struct ui *, struct canvas *, const struct rect *,
    int32_t x, int32_t y);
void compare_waits_describe(struct ui *, FILE *);
/* From the middle of x0..x1: to the left less, to the right more. */
void compare_bar(const struct ui *, struct canvas *, int32_t x0, int32_t x1,
    int32_t y, int64_t by, int64_t most);

#endif
