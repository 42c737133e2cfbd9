/* The state line. */
#ifndef VIEWER_STATE_H
#define VIEWER_STATE_H

#include <stdio.h>

#include "raster/canvas.h"
#include "ui/desk/ui.h"

/* A line about a frame, with its pixels, and its newline. */
void state_print(FILE *, const struct ui *, const struct canvas *);

#endif
