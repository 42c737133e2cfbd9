/* Views of plug-ins: their names, which are not known beforehand. */
#ifndef VIEWER_PLUGGED_H
#define VIEWER_PLUGGED_H

#include "plugin/picture.h"

#define PLUGGED_NAME 24 /* bytes with their end */

extern char plugged_name[PLUGINS_MAX][PLUGGED_NAME]; /* "": there is none */
void plugged_name_set(unsigned slot, const char *name);
/* "dir/wait sum.so" is wait_sum. */
void plugged_name_of(const char *path, char name[PLUGGED_NAME]);

#endif
