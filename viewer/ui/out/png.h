/* Pictures as PNG. */
#ifndef VIEWER_PNG_H
#define VIEWER_PNG_H

#include "raster/canvas.h"

/*
 * By way of a new file (outfile.h), so that a reader never sees half a
 * picture.  Returns 0, or -1 with errno set.
 */
int png_write(const char *path, const struct canvas *);

#endif
