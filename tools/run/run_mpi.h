/*
 * Programs that use MPI: which MPI it is, and how its launcher is told what to
 * load before the ranks.
 */
#ifndef TOOLS_RUN_MPI_H
#define TOOLS_RUN_MPI_H

#include <stdbool.h>

/*
 * "openmpi" or "mpich", NULL: neither, as the file of a program has it, which
 * is a rank itself or, then *launches is set, starts them.
 */
const char *run_mpi(const char *file, bool *launches);

/*
 * The arguments of a launcher, with those behind its name by which the ranks
 * get these variables of the environment ("NAME=VALUE").  Nothing is freed.
 */
char **run_mpi_arguments(const char *mpi, char **argv,
    const char *const *variables);

#endif
