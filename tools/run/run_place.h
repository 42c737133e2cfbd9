/* Where a program is to be watched. */
#ifndef TOOLS_RUN_PLACE_H
#define TOOLS_RUN_PLACE_H

#include <stdbool.h>

/*
 * Sets the environment so that a program finds the collector of this node;
 * NULL: of the usual one.  False, having said so, and `then`: nobody would take
 * its events. *place, to be freed, is the node, or NULL.
 */
bool run_place(const char *node, const char *then, char **place);

#endif
