/* What all four programs say of an option that they do not take as it is. */
#ifndef COMMON_BADOPT_H
#define COMMON_BADOPT_H

/*
 * For what getopt_long() has just refused, with opterr 0 so that it says
 * nothing itself.  command: "monitorctl dump", say, whose --help has more.
 * Returns EX_USAGE.
 */
int badopt(const char *command, char **argv);

#endif
