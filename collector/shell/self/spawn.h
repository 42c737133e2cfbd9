/* Another process of this program. */
#ifndef COLLECTOR_SPAWN_H
#define COLLECTOR_SPAWN_H

#include <sys/types.h>

#include <stdbool.h>

/* The command line that spawn_self() repeats. */
void spawn_init(int argc, char **argv);
/*
 * Starts this program again with --internal=ROLE:FD:FD:..., where the nfds
 * descriptors stay open.  Returns its process, or -1 with errno set.
 */
pid_t spawn_self(const char *role, const int *fds, int nfds);
/* Reads ROLE:FD:FD; false when text is for another role. */
bool spawn_fds(const char *text, const char *role, int *fds, int nfds);

#endif
