/* Requests that are started again and again, freed, or cancelled. */
#include "libprobe/mpi/inside.h"

static void
persistent(MPI_Request request, enum side side, MPI_Comm comm, int peer,
    int tag, uint64_t size_bytes)
{
	struct request r = { .side = side,
		.persistent = true,
		.peer = peer,
		.tag = tag,
		.size_bytes = size_bytes };

	if (peer != MPI_PROC_NULL && (r.context = context_of(comm)) != NULL)
		request_add(handle_of(request), &r);
}

#define SEND_INIT(name)                                                        \
	WRAPPER int name(const void *buf, int n, MPI_Datatype type, int to,    \
	    int tag, MPI_Comm comm, MPI_Request *request)                      \
	{                                                                      \
		int rc = CALL(name, (buf, n, type, to, tag, comm, request));   \
                                                                               \
		if (rc == MPI_SUCCESS)                                         \
			persistent(*request, SIDE_SEND, comm, to, tag,         \
			    point_bytes(n, type));                             \
		return (rc);                                                   \
	}
SEND_INIT(MPI_Send_init)
SEND_INIT(MPI_Bsend_init)
SEND_INIT(MPI_Ssend_init)
SEND_INIT(MPI_Rsend_init)

WRAPPER int
MPI_Recv_init(void *buf, int n, MPI_Datatype type, int from, int tag,
    MPI_Comm comm, MPI_Request *request)
{
	int rc = CALL(MPI_Recv_init, (buf, n, type, from, tag, comm, request));

	if (rc == MPI_SUCCESS)
		persistent(*request, SIDE_RECEIVE, comm, from, tag, 0);
	return (rc);
}

/* A request is started: a send is told, a receive posted anew. */
static void
start(MPI_Request request)
{
	struct request r;

	if (!request_find(handle_of(request), &r) || !r.persistent)
		return;
	if (r.side == SIDE_SEND)
		point_send_in(r.context, r.peer, r.tag, r.size_bytes);
	else {
		point_post_again(&r);
		request_add(handle_of(request), &r);
	}
	context_done(r.context);
}

WRAPPER int
MPI_Start(MPI_Request *request)
{
	start(*request);
	return (CALL(MPI_Start, (request)));
}

WRAPPER int
MPI_Startall(int n, MPI_Request *requests)
{
	for (int i = 0; i < n; i++)
		start(requests[i]);
	return (CALL(MPI_Startall, (n, requests)));
}

WRAPPER int
MPI_Request_free(MPI_Request *request)
{
	request_drop(handle_of(*request));
	return (NEXT(MPI_Request_free)(request));
}

/* What is behind a receive that gets nothing gets the message instead. */
WRAPPER int
MPI_Cancel(MPI_Request *request)
{
	int rc = CALL(MPI_Cancel, (request));

	if (rc == MPI_SUCCESS)
		request_cancelled(handle_of(*request));
	return (rc);
}
