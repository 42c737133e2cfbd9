/*
 * Waits for messages that end in every way: with something else that comes
 * first, cancelled, refused, without a sender, with too little room.  Behind
 * each the next message of the same sender and tag is taken, of a length of its
 * own, so that one that was counted wrongly is matched with another.
 */
#include "ranks.h"

#define ROOM 64
#define CUT  47 /* tests/mpi/matched.py knows this tag */

static int next, before;
static char in[4][ROOM];
static const char out[ROOM];
/* gcc takes MPICH's for a place without room */
static MPI_Status *volatile unsaid = MPI_STATUSES_IGNORE;

/* To the neighbour, who has posted for it, or has room. */
static void
give(int n, int tag, MPI_Comm comm)
{
	MPI_Send(out, n, MPI_CHAR, next, tag, comm);
	sent(n);
}

static MPI_Request
post(int i, int tag, MPI_Comm comm)
{
	MPI_Request r;

	MPI_Irecv(in[i], ROOM, MPI_CHAR, before, tag, comm, &r);
	return (r);
}

static void
got(const MPI_Status *st, int want)
{
	int n = 0;

	MPI_Get_count(st, MPI_CHAR, &n);
	received(n);
	if (n != want)
		wrong("a message of another length");
}

/* A send, or a barrier, is over; the receive beside it is not. */
static void
other_first(int way)
{
	MPI_Request r[3] = { post(0, 40, MPI_COMM_WORLD), MPI_REQUEST_NULL,
		MPI_REQUEST_NULL };
	MPI_Request other = post(1, 41, MPI_COMM_WORLD);
	MPI_Status st[3];
	int n = 1, at[3] = { -1, -1, -1 };

	MPI_Barrier(MPI_COMM_WORLD);
	if (way == 2)
		MPI_Ibarrier(MPI_COMM_WORLD, &r[1]);
	else
		MPI_Isend(out, 5, MPI_CHAR, next, 41, MPI_COMM_WORLD, &r[1]);
	if (way == 1)
		MPI_Waitsome(3, r, &n, at, unsaid);
	else
		MPI_Waitany(3, r, &at[0], &st[0]);
	if (n != 1 || at[0] != 1)
		wrong("the receive was first");
	if (way == 2)
		MPI_Send(out, 5, MPI_CHAR, next, 41, MPI_COMM_WORLD);
	sent(5);
	MPI_Wait(&other, &st[0]);
	got(&st[0], 5);
	MPI_Barrier(MPI_COMM_WORLD);
	give(6, 40, MPI_COMM_WORLD);
	MPI_Waitall(3, r, st);
	got(&st[0], 6);
	MPI_Waitany(3, r, &at[0], &st[0]);
	if (at[0] != MPI_UNDEFINED)
		wrong("nothing was asked for");
}

/* Several at once, by those that wait for some and those that only look. */
static void
several(int looks)
{
	MPI_Request r[4];
	MPI_Status st[4];
	int n, at[4], done = 0;

	for (int i = 0; i < 4; i++)
		r[i] = post(i, 42, MPI_COMM_WORLD);
	for (int i = 0; i < 4; i++)
		give(10 + i, 42, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	while (done < 4) {
		if (looks)
			MPI_Testsome(4, r, &n, at, st);
		else
			MPI_Waitsome(4, r, &n, at, st);
		for (int i = 0; i < n; i++)
			got(&st[i], 10 + at[i]);
		done += n;
	}
	MPI_Waitsome(4, r, &n, at, st);
	if (n != MPI_UNDEFINED)
		wrong("some of nothing");
}

/* The first is cancelled, so that the second gets its message. */
static void
cancelled(int round)
{
	MPI_Request r[2] = { post(0, 43, MPI_COMM_WORLD),
		post(1, 43, MPI_COMM_WORLD) };
	MPI_Status st[2];
	int was = 0;

	MPI_Cancel(&r[0]);
	if (round % 3 == 0) {
		MPI_Wait(&r[0], &st[0]);
		MPI_Test_cancelled(&st[0], &was);
	} else if (round % 3 == 1) {
		MPI_Request_free(&r[0]);
		was = 1;
	}
	MPI_Barrier(MPI_COMM_WORLD);
	give(20 + round % 7, 43, MPI_COMM_WORLD);
	MPI_Waitall(2, r, st);
	if (round % 3 == 2)
		MPI_Test_cancelled(&st[0], &was);
	if (!was)
		wrong("not cancelled");
	got(&st[1], 20 + round % 7);
	give(30, 43, MPI_COMM_WORLD);
	MPI_Recv(in[0], ROOM, MPI_CHAR, before, 43, MPI_COMM_WORLD, &st[0]);
	got(&st[0], 30);
}

/* From nobody, in all ways; a persistent one that is not started. */
static void
nobody(void)
{
	MPI_Request r[3] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL,
		MPI_REQUEST_NULL };
	MPI_Status st[3];
	MPI_Message m;
	int at, flag = 0;

	MPI_Irecv(in[0], ROOM, MPI_CHAR, MPI_PROC_NULL, 44, MPI_COMM_WORLD,
	    &r[0]);
	MPI_Wait(&r[0], &st[0]);
	MPI_Irecv(in[0], ROOM, MPI_CHAR, MPI_PROC_NULL, 44, MPI_COMM_WORLD,
	    &r[0]);
	MPI_Recv_init(in[1], ROOM, MPI_CHAR, before, 44, MPI_COMM_WORLD, &r[1]);
	MPI_Waitany(2, r, &at, MPI_STATUS_IGNORE);
	MPI_Wait(&r[1], &st[1]);
	MPI_Waitall(3, r, unsaid);
	MPI_Sendrecv(out, 7, MPI_CHAR, next, 44, in[0], ROOM, MPI_CHAR,
	    MPI_PROC_NULL, 44, MPI_COMM_WORLD, &st[0]);
	sent(7);
	MPI_Start(&r[1]);
	MPI_Wait(&r[1], &st[1]);
	got(&st[1], 7);
	MPI_Request_free(&r[1]);
	MPI_Mprobe(MPI_PROC_NULL, 44, MPI_COMM_WORLD, &m, &st[0]);
	MPI_Mrecv(in[0], ROOM, MPI_CHAR, &m, &st[0]);
	give(8, 44, MPI_COMM_WORLD);
	while (!flag)
		MPI_Improbe(before, 44, MPI_COMM_WORLD, &flag, &m, &st[0]);
	MPI_Imrecv(in[0], ROOM, MPI_CHAR, &m, &r[0]);
	MPI_Wait(&r[0], &st[0]);
	got(&st[0], 8);
}

/* MPI refuses a receive, and those that wait for what cannot be. */
static void
refused(MPI_Comm comm)
{
	MPI_Request r = post(1, 45, comm), none, *volatile no = NULL;
	MPI_Status st;
	int at = 7;

	if (MPI_Recv(in[0], -1, MPI_CHAR, before, 45, comm, &st) == 0 ||
	    MPI_Recv(in[0], 1, MPI_CHAR, size + 9, 45, comm, &st) == 0 ||
	    MPI_Irecv(in[0], -1, MPI_CHAR, before, 45, comm, &none) == 0 ||
	    MPI_Waitany(-1, &r, &at, &st) == 0 || MPI_Waitall(1, no, &st) == 0)
		wrong("not refused");
	give(9, 45, comm);
	MPI_Wait(&r, &st);
	got(&st, 9);
	give(10, 45, comm);
	MPI_Recv(in[0], ROOM, MPI_CHAR, before, 45, comm, &st);
	got(&st, 10);
}

/*
 * There is less room than the message has bytes: it has come all the same, and
 * MPI does not say with how many.
 */
static void
cut(MPI_Comm comm)
{
	MPI_Request r[2];
	MPI_Status st[2];

	for (int i = 0; i < 3; i++) {
		give(ROOM / 2 + i, CUT, comm);
		if (i == 0 && MPI_Recv(in[0], 3, MPI_CHAR, before, CUT, comm,
				  &st[0]) == 0)
			wrong("not cut");
		if (i > 0)
			MPI_Irecv(in[0], 3, MPI_CHAR, before, CUT, comm, &r[0]);
		if (i == 1 && MPI_Wait(&r[0], &st[0]) == 0)
			wrong("not cut");
		if (i == 2) {
			r[1] = post(1, 46, comm);
			give(4, 46, comm);
			if (MPI_Waitall(2, r, st) != MPI_ERR_IN_STATUS)
				wrong("not cut");
			if (st[1].MPI_ERROR == MPI_ERR_PENDING)
				MPI_Wait(&r[1], &st[1]);
			got(&st[1], 4);
		}
		received(0);
	}
	give(40, CUT, comm);
	MPI_Recv(in[0], ROOM, MPI_CHAR, before, CUT, comm, &st[0]);
	got(&st[0], 40);
}

void
ends(int round)
{
	MPI_Comm comm;

	if (size == 1)
		return; /* MPICH does not send to itself what nobody awaits */
	next = (rank + 1) % size;
	before = (rank + size - 1) % size;
	other_first(round % 3);
	several(round % 2);
	cancelled(round);
	nobody();
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	/* errors of requests are those of all, with some */
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	refused(comm);
	cut(comm);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Comm_free(&comm);
}
