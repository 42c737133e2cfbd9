/* Pictures as PNG. */
#ifndef VIEWER_PNG_H
#define VIEWER_PNG_H

#include <stddef.h>

#include "raster/canvas.h"

/*
 * By way of a new file (outfile.h), so that a reader never sees half a
 * picture.  Returns 0, or -1 with errno set.
 */
int png_write(const char *path, const struct canvas *);
/* The same into memory, which the caller frees.  0, or -1: memory is out. */
int png_make(const struct canvas *, uint8_t **png, size_t *n);

#endif
