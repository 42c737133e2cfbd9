/* What ranks.c and ends.c share: who we are, and what we have counted. */
#ifndef TESTS_MPI_RANKS_H
#define TESTS_MPI_RANKS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int rank, size; /* of all */

/* A message of so many bytes was. */
void sent(int bytes);
void received(int bytes);
/* Ends all ranks. */
void wrong(const char *what);

/* Waits that end without a message, and what comes after them. */
void ends(int round);

#endif
