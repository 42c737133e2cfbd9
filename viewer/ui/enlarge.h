/* A picture for a display of finer dots. */
#ifndef VIEWER_ENLARGE_H
#define VIEWER_ENLARGE_H

#include "raster/canvas.h"

#define SCALE_MAX 8

/* Each pixel becomes scale x scale; what is left over at the edges is filled.
 */
void enlarge(const struct canvas *from, struct canvas *to, int scale,
    uint32_t rgb);

#endif
