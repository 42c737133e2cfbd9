/*
 * Messages and collective operations of all kinds between the ranks of an MPI
 * program that knows nothing of Orrery: a ring, receives of any, pieces of a
 * communicator, requests completed in other orders than they were posted,
 * persistent ones, messages taken in two steps; and waits that end in other
 * ways than by a message (ends.c).
 *
 *	ranks ROUNDS
 *
 * Each rank prints what it has sent and received: "RANK sent N BYTES received
 * N BYTES", by its own count.
 */
#include "ranks.h"

#define MANY 8
#define MAX  4096

static struct sums {
	unsigned long sent, sent_bytes, received, received_bytes;
} sums;
int rank, size;

void
sent(int n)
{
	sums.sent++;
	sums.sent_bytes += (unsigned long)n;
}

void
received(int n)
{
	sums.received++;
	sums.received_bytes += (unsigned long)n;
}

void
wrong(const char *what)
{
	fprintf(stderr, "%d: %s\n", rank, what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Once around; each adds 1. */
static void
ring(MPI_Comm comm, int round)
{
	int me, n, value = round, next, before;

	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &n);
	next = (me + 1) % n;
	before = (me + n - 1) % n;
	if (n == 1)
		return;
	if (me != 0)
		MPI_Recv(&value, 1, MPI_INT, before, 1, comm,
		    MPI_STATUS_IGNORE);
	value++;
	MPI_Send(&value, 1, MPI_INT, next, 1, comm);
	if (me == 0)
		MPI_Recv(&value, 1, MPI_INT, before, 1, comm,
		    MPI_STATUS_IGNORE);
	sent((int)sizeof(value));
	received((int)sizeof(value));
	if (me == 0 && value != round + n)
		wrong("ring");
}

/* All send to 0, who takes what comes. */
static void
any(int round)
{
	char buf[MAX];
	MPI_Status st;
	int bytes;

	if (rank != 0) {
		int n = 1 + (rank * 37 + round) % 100;

		memset(buf, rank, (size_t)n);
		MPI_Send(buf, n, MPI_CHAR, 0, 2 + rank % 2, MPI_COMM_WORLD);
		sent(n);
		return;
	}
	for (int i = 1; i < size; i++) {
		MPI_Recv(buf, MAX, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG,
		    MPI_COMM_WORLD, &st);
		MPI_Get_count(&st, MPI_CHAR, &bytes);
		received(bytes);
		if (buf[0] != st.MPI_SOURCE)
			wrong("any");
	}
}

/* Many at once from the neighbour, completed one way or the other. */
static void
requests(int round)
{
	char out[MANY][64], in[MANY][64];
	MPI_Request r[2 * MANY];
	MPI_Status st[2 * MANY];
	int next = (rank + 1) % size, before = (rank + size - 1) % size, at;

	for (int i = 0; i < MANY; i++) {
		int from = round % 3 == 2 && i % 2 ? MPI_ANY_SOURCE : before;

		MPI_Irecv(in[i], 64, MPI_CHAR, from, 10, MPI_COMM_WORLD, &r[i]);
	}
	for (int i = 0; i < MANY; i++) {
		memset(out[i], i, 64);
		MPI_Isend(out[i], 1 + i, MPI_CHAR, next, 10, MPI_COMM_WORLD,
		    &r[MANY + i]);
		sent(1 + i);
	}
	if (round % 2 == 0)
		MPI_Waitall(2 * MANY, r, st);
	else
		for (int i = 0; i < 2 * MANY; i++)
			MPI_Waitany(2 * MANY, r, &at, &st[0]);
	for (int i = 0; i < MANY; i++) {
		if (in[i][0] != i)
			wrong("requests");
		received(1 + i);
	}
}

/* Persistent requests, started again and again. */
static void
persistent(int rounds)
{
	char out[16] = "", in[16];
	MPI_Request r[2];
	MPI_Status st[2];
	int next = (rank + 1) % size, before = (rank + size - 1) % size;

	MPI_Send_init(out, 16, MPI_CHAR, next, 20, MPI_COMM_WORLD, &r[0]);
	MPI_Recv_init(in, 16, MPI_CHAR, before, 20, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < rounds; i++) {
		int done = 0;

		MPI_Startall(2, r);
		while (!done)
			MPI_Testall(2, r, &done, st);
		sent(16);
		received(16);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

/* In two steps, and both ways at once. */
static void
others(void)
{
	int next = (rank + 1) % size, before = (rank + size - 1) % size, n = 7;
	int in = 0;
	MPI_Message m;
	MPI_Request r;
	MPI_Status st;

	MPI_Isend(&n, 1, MPI_INT, next, 30, MPI_COMM_WORLD, &r);
	MPI_Mprobe(MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &m, &st);
	MPI_Mrecv(&in, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&n, 1, MPI_INT, next, 31, &in, 1, MPI_INT, before, 31,
	    MPI_COMM_WORLD, &st);
	MPI_Send(&n, 1, MPI_INT, MPI_PROC_NULL, 32, MPI_COMM_WORLD);
	MPI_Recv(&n, 1, MPI_INT, MPI_PROC_NULL, 32, MPI_COMM_WORLD, &st);
	for (int i = 0; i < 2; i++) {
		sent((int)sizeof(n));
		received((int)sizeof(n));
	}
}

/* Eleven operations. */
static void
collectives(MPI_Comm comm, int round)
{
	int n, me, value = round, sum = 0;
	int *all;

	MPI_Comm_size(comm, &n);
	MPI_Comm_rank(comm, &me);
	all = calloc((size_t)n * 2, sizeof(*all));
	MPI_Barrier(comm);
	MPI_Bcast(&value, 1, MPI_INT, round % n, comm);
	MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
	if (me == 0 && sum != n * round)
		wrong("reduce");
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_MAX, comm);
	MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, n - 1, comm);
	MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, n - 1, comm);
	if (value != round)
		wrong("scatter");
	MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, comm);
	MPI_Alltoall(all, 1, MPI_INT, all + n, 1, MPI_INT, comm);
	MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Bcast(NULL, 0, MPI_INT, 0, comm);
	MPI_Reduce_scatter_block(all, &sum, 1, MPI_INT, MPI_SUM, comm);
	free(all);
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;
	MPI_Comm half, again;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
	MPI_Comm_dup(half, &again);
	for (int i = 0; i < rounds; i++) {
		ring(MPI_COMM_WORLD, i);
		ring(half, i);
		ring(again, i);
		any(i);
		requests(i);
		others();
		ends(i);
		collectives(MPI_COMM_WORLD, i);
		collectives(again, i);
	}
	persistent(rounds);
	MPI_Comm_free(&half);
	MPI_Comm_free(&again);
	printf("%d sent %lu %lu received %lu %lu\n", rank, sums.sent,
	    sums.sent_bytes, sums.received, sums.received_bytes);
	fflush(stdout);
	MPI_Finalize();
	return (0);
}
