/* Messages from node to node in two runs: has another placement helped? */
#ifndef VIEWER_COMPARE_NODES_H
#define VIEWER_COMPARE_NODES_H

#include <stdio.h>

#include "ui/desk/ui.h"

bool compare_nodes_prepare(struct ui *);
/*
 * At the right of the place; returns where it begins, its end: no room.  *y:
 * where it ends below.
 */
int32_t compare_nodes_draw(struct ui *, struct canvas *, const struct rect *,
    int32_t *y);
void compare_nodes_describe(struct ui *, FILE *);

#endif
