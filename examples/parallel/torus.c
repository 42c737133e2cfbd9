/*
 * Ranks of MPI on a torus, each of which adds what its four neighbours have,
 * round for round, in a program that knows nothing of Orrery.
 *
 *	cc: mpicc -o torus torus.c
 *	monitorctl run mpirun -np 4 ./torus [rounds]
 *
 * Each rank sends 4 messages of 8 bytes in a round, and only to its neighbours:
 * of 2 x 2 ranks none sends to the one across, and each pair of neighbours has
 * two messages in either direction.  The sum of all grows fivefold in a round:
 * from 6, of ranks 0 to 3, to 58593750 in 10 rounds.  Each rank says what it
 * has sent and received.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm torus;
static unsigned long sent, received;

/* To the next one along this axis; what has come from the other side. */
static uint64_t
shift(uint64_t value, int axis, int by)
{
	uint64_t got = 0;
	int from, to;

	MPI_Cart_shift(torus, axis, by, &from, &to);
	MPI_Sendrecv(&value, 1, MPI_UINT64_T, to, axis, &got, 1, MPI_UINT64_T,
	    from, axis, torus, MPI_STATUS_IGNORE);
	sent++;
	received++;
	return (got);
}

static uint64_t
one_round(uint64_t value)
{
	uint64_t sum = value;

	for (int axis = 0; axis < 2; axis++) {
		sum += shift(value, axis, 1);
		sum += shift(value, axis, -1);
	}
	return (sum);
}

int
main(int argc, char **argv)
{
	int rank, ranks, edge[2] = { 0, 0 };
	int rounds = argc > 1 ? atoi(argv[1]) : 10;
	uint64_t value, sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Dims_create(ranks, 2, edge);
	MPI_Cart_create(MPI_COMM_WORLD, 2, edge, (int[]){ 1, 1 }, 0, &torus);
	MPI_Comm_rank(torus, &rank);
	value = (uint64_t)rank;
	for (int i = 0; i < rounds; i++)
		value = one_round(value);
	MPI_Reduce(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, torus);
	printf("%d sent %lu %lu received %lu %lu\n", rank, sent, 8 * sent,
	    received, 8 * received);
	if (rank == 0)
		printf("torus %d x %d, rounds %d, sum %ju\n", edge[0], edge[1],
		    rounds, (uintmax_t)sum);
	MPI_Comm_free(&torus);
	MPI_Finalize();
	return (0);
}
