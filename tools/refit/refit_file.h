/* Fits the clocks of a log again, and tells on stdout what that changes. */
#ifndef TOOLS_REFIT_FILE_H
#define TOOLS_REFIT_FILE_H

#include <stdbool.h>

/*
 * out: the new log, or NULL for none; pings_only: without what messages know.
 * An exit code of sysexits.h; why it is not EX_OK has been said.
 */
int refit_file(const char *path, const char *out, bool pings_only);

#endif
