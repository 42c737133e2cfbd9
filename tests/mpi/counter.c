/*
 * What the ranks of an MPI program send and receive, counted by a profiler of
 * MPI's own kind (PMPI) that knows nothing of Orrery.  Loaded behind what
 * Orrery loads; at the end each rank writes "RANK SENT BYTES RECEIVED BYTES" to
 * the file $COUNTER.RANK.  Only what hpcc uses: blocking and immediate messages,
 * waits, and messages both ways at once.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long sent, sent_bytes, received, received_bytes;

static void
count_sent(int to, int n, MPI_Datatype type)
{
	int size;

	if (to == MPI_PROC_NULL)
		return;
	PMPI_Type_size(type, &size);
	sent++;
	sent_bytes += (unsigned long)n * (unsigned long)size;
}

static void
count_received(const MPI_Status *st)
{
	int n;

	if (st->MPI_SOURCE == MPI_PROC_NULL)
		return;
	PMPI_Get_count(st, MPI_BYTE, &n);
	received++;
	received_bytes += (unsigned long)n;
}

int
MPI_Send(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c)
{
	count_sent(to, n, t);
	return (PMPI_Send(b, n, t, to, tag, c));
}

int
MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c,
    MPI_Request *r)
{
	count_sent(to, n, t);
	return (PMPI_Isend(b, n, t, to, tag, c, r));
}

int
MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c,
    MPI_Status *st)
{
	MPI_Status own;
	int rc;

	if (st == MPI_STATUS_IGNORE)
		st = &own;
	rc = PMPI_Recv(b, n, t, from, tag, c, st);
	count_received(st);
	return (rc);
}

int
MPI_Sendrecv(const void *b, int n, MPI_Datatype t, int to, int tag, void *in,
    int nin, MPI_Datatype tin, int from, int tag_in, MPI_Comm c, MPI_Status *st)
{
	MPI_Status own;
	int rc;

	if (st == MPI_STATUS_IGNORE)
		st = &own;
	count_sent(to, n, t);
	rc = PMPI_Sendrecv(b, n, t, to, tag, in, nin, tin, from, tag_in, c, st);
	count_received(st);
	return (rc);
}

/* Which requests are receives is known by their handles. */
#define MANY 65536
static MPI_Request receives[MANY];

static MPI_Request *
find(MPI_Request r)
{
	for (int i = 0; i < MANY; i++)
		if (receives[i] == r)
			return (&receives[i]);
	return (NULL);
}

int
MPI_Irecv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c,
    MPI_Request *r)
{
	int rc = PMPI_Irecv(b, n, t, from, tag, c, r);

	if (from != MPI_PROC_NULL)
		*find((MPI_Request)0) = *r;
	return (rc);
}

static void
complete(MPI_Request r, const MPI_Status *st)
{
	MPI_Request *known = r == (MPI_Request)0 ? NULL : find(r);
	int cancelled = 0;

	if (known == NULL)
		return;
	*known = (MPI_Request)0;
	PMPI_Test_cancelled(st, &cancelled);
	if (!cancelled)
		count_received(st);
}

int
MPI_Wait(MPI_Request *r, MPI_Status *st)
{
	MPI_Request before = *r;
	MPI_Status own;
	int rc;

	if (st == MPI_STATUS_IGNORE)
		st = &own;
	rc = PMPI_Wait(r, st);
	complete(before, st);
	return (rc);
}

int
MPI_Waitall(int n, MPI_Request *r, MPI_Status *st)
{
	MPI_Request *before = malloc((size_t)(n + 1) * sizeof(*before));
	MPI_Status *own = malloc((size_t)(n + 1) * sizeof(*own));
	int rc;

	for (int i = 0; i < n; i++)
		before[i] = r[i];
	rc = PMPI_Waitall(n, r, own);
	for (int i = 0; i < n; i++) {
		complete(before[i], &own[i]);
		if (st != MPI_STATUSES_IGNORE)
			st[i] = own[i];
	}
	free(before);
	free(own);
	return (rc);
}

int
MPI_Waitany(int n, MPI_Request *r, int *at, MPI_Status *st)
{
	MPI_Request *before = malloc((size_t)(n + 1) * sizeof(*before));
	MPI_Status own;
	int rc;

	for (int i = 0; i < n; i++)
		before[i] = r[i];
	rc = PMPI_Waitany(n, r, at, &own);
	if (*at != MPI_UNDEFINED)
		complete(before[*at], &own);
	if (st != MPI_STATUS_IGNORE)
		*st = own;
	free(before);
	return (rc);
}

int
MPI_Test(MPI_Request *r, int *flag, MPI_Status *st)
{
	MPI_Request before = *r;
	MPI_Status own;
	int rc;

	if (st == MPI_STATUS_IGNORE)
		st = &own;
	rc = PMPI_Test(r, flag, st);
	if (*flag)
		complete(before, st);
	return (rc);
}

int
MPI_Testany(int n, MPI_Request *r, int *at, int *flag, MPI_Status *st)
{
	MPI_Request *before = malloc((size_t)(n + 1) * sizeof(*before));
	MPI_Status own;
	int rc;

	for (int i = 0; i < n; i++)
		before[i] = r[i];
	rc = PMPI_Testany(n, r, at, flag, &own);
	if (*flag && *at != MPI_UNDEFINED)
		complete(before[*at], &own);
	if (*flag && st != MPI_STATUS_IGNORE)
		*st = own;
	free(before);
	return (rc);
}

int
MPI_Finalize(void)
{
	const char *where = getenv("COUNTER");
	char path[4096];
	FILE *f;
	int rank;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(path, sizeof(path), "%s.%d", where == NULL ? "counter" : where,
	    rank);
	f = fopen(path, "w");
	if (f != NULL) {
		fprintf(f, "%d %lu %lu %lu %lu\n", rank, sent, sent_bytes,
		    received, received_bytes);
		fclose(f);
	}
	return (PMPI_Finalize());
}
