/*
 * The view States by processor: which threads ran on each in the panels' range
 * (model/asked/cpusums.h).  UI thread only.
 */
#ifndef VIEWER_PROCESSORS_H
#define VIEWER_PROCESSORS_H

#include <stdio.h>

#include "raster/canvas.h"
#include "ui/desk/desk.h"

/* By what States has rows: the i-th; NULL: no more. */
const char *states_by_name(const struct ui *, unsigned i);
void processors_draw(struct ui *, struct canvas *, const struct rect *);
void processors_describe(struct ui *, FILE *);

#endif
