/*
 * The keeper: a process that holds what must not be lost, and starts the
 * worker again whenever it dies.
 */
#ifndef COLLECTOR_KEEPER_H
#define COLLECTOR_KEEPER_H

#include "collector/shell/self/options.h"

/*
 * The program as it was started.  Takes over from a keeper that has lost its
 * starter, or finds what is left of one that died with its worker, or begins
 * afresh.  Returns the exit code.
 */
int keeper_run(const struct options *);

/* Started by a worker whose keeper has died: pair and attach socket. */
int keeper_resume(const struct options *, int worker_fd, int listen_fd);

#endif
