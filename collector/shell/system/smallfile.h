/* Files of /proc and /sys that are read whole, in one go. */
#ifndef COLLECTOR_SMALLFILE_H
#define COLLECTOR_SMALLFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The first size - 1 bytes as text, at least 1.  false: it cannot be read or is
 * empty, and the text is "".  One open, read and close.
 */
bool smallfile_read(const char *path, char *text, size_t size);

#endif
