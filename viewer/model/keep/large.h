/* Memory for pictures, of large pages where there are such. */
#ifndef VIEWER_LARGE_H
#define VIEWER_LARGE_H

#include <stddef.h>

/*
 * As malloc(), to be given to free().  Bringing in a picture's small pages
 * takes longer than to draw it.
 */
void *large_alloc(size_t);

#endif
