/* What all four programs say of an option that they do not take as it is. */
#ifndef COMMON_BADOPT_H
#define COMMON_BADOPT_H

#include <stddef.h>

/*
 * For what getopt_long() has just refused, with opterr 0 so that it says
 * nothing itself.  command: "monitorctl dump", say, whose --help has more.
 * Returns EX_USAGE.
 */
int badopt(const char *command, char **argv);
/*
 * A value that is a name or a path: something, of at most so many bytes, in
 * UTF-8 that a terminal only shows.  Returns 0, or -1 having said what was
 * expected.  option: as it is typed, "--log".
 */
int badopt_text(const char *option, const char *value, size_t bytes_max);

#endif
