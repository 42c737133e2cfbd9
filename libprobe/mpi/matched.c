/*
 * A message that is taken in two steps: it has its number at the first, when
 * MPI says which one it is.
 */
#include "libprobe/mpi/inside.h"

static uint64_t
handle_of_message(MPI_Message m)
{
	return (table_mix((uint64_t)(uintptr_t)m));
}

static void
probed(MPI_Comm comm, MPI_Message m, const MPI_Status *status)
{
	struct request r;

	if (m == MPI_MESSAGE_NULL || m == MPI_MESSAGE_NO_PROC)
		return;
	point_post(&r, comm, status->MPI_SOURCE, status->MPI_TAG);
	request_add(handle_of_message(m), &r);
}

WRAPPER int
MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message,
    MPI_Status *status)
{
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	rc = CALL(MPI_Mprobe, (from, tag, comm, message, status));
	if (rc == MPI_SUCCESS)
		probed(comm, *message, status);
	return (rc);
}

WRAPPER int
MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
    MPI_Status *status)
{
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	rc = NEXT(MPI_Improbe)(from, tag, comm, flag, message, status);
	if (rc == MPI_SUCCESS && *flag)
		probed(comm, *message, status);
	return (rc);
}

WRAPPER int
MPI_Mrecv(void *buf, int n, MPI_Datatype type, MPI_Message *message,
    MPI_Status *status)
{
	struct request r;
	uint64_t handle = handle_of_message(*message);
	MPI_Status own;
	bool known;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	known = request_take(handle, &r);
	rc = CALL(MPI_Mrecv, (buf, n, type, message, status));
	if (known)
		request_done(&r, status, rc);
	return (rc);
}

WRAPPER int
MPI_Imrecv(void *buf, int n, MPI_Datatype type, MPI_Message *message,
    MPI_Request *request)
{
	struct request r;
	uint64_t handle = handle_of_message(*message);
	bool known = request_take(handle, &r);
	int rc = CALL(MPI_Imrecv, (buf, n, type, message, request));

	if (!known)
		return (rc);
	if (rc == MPI_SUCCESS)
		request_add(handle_of(*request), &r);
	context_done(r.context);
	return (rc);
}
