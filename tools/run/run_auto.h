/*
 * A program that may know nothing of Orrery is run with libprobe-auto.so before
 * it, which tells of its threads and locks.
 */
#ifndef TOOLS_RUN_AUTO_H
#define TOOLS_RUN_AUTO_H

#include <stdbool.h>

/*
 * Sets the environment for that.  What cannot be seen of this program, which is
 * looked up as execvp(3) does, is said on stderr in a sentence; it runs all the
 * same.  Returns what is to be run: argv, or for a launcher of MPI what also
 * hands it on to the ranks.
 */
char **run_auto(char **argv);

/* Whether that is done unasked: a sanitized library is not for all programs. */
bool run_auto_usual(void);

#endif
