/*
 * One sends, one receives.  A send is told before it is made and a receive when
 * it is done.  A receive that names its sender and tag has its number when it
 * is posted; one that takes any has it when MPI says whose message it has got.
 */
#include "libprobe/mpi/inside.h"

uint64_t
point_bytes(int n, MPI_Datatype type)
{
	int one = 0;

	if (n <= 0 || PMPI_Type_size(type, &one) != 0 || one <= 0)
		return (0);
	return ((uint64_t)n * (uint64_t)one);
}

void
point_send_in(const struct context *c, int to, int tag, uint64_t size_bytes)
{
	int who = world_of(c, to);

	if (who != -1)
		probe_send(match_next(SIDE_SEND, c, c->world_rank, who, tag),
		    size_bytes, (uint32_t)tag);
}

void
point_send(MPI_Comm comm, int to, int tag, int n, MPI_Datatype type)
{
	struct context *c = to == MPI_PROC_NULL ? NULL : context_of(comm);

	if (c != NULL)
		point_send_in(c, to, tag, point_bytes(n, type));
}

void
point_post_again(struct request *r)
{
	static uint64_t posted;
	int who;

	r->message = 0;
	r->cancelled = false;
	r->posted = __atomic_add_fetch(&posted, 1, __ATOMIC_RELAXED);
	who = world_of(r->context, r->peer);
	if (r->peer != MPI_ANY_SOURCE && r->tag != MPI_ANY_TAG && who != -1 &&
	    __atomic_load_n(&r->context->open, __ATOMIC_RELAXED) == 0)
		r->message = match_next(SIDE_RECEIVE, r->context, who,
		    r->context->world_rank, r->tag);
	if (r->message == 0)
		__atomic_fetch_add(&r->context->open, 1, __ATOMIC_RELAXED);
}

void
point_post(struct request *r, MPI_Comm comm, int from, int tag)
{
	*r = (struct request){ .side = SIDE_RECEIVE, .peer = from, .tag = tag };
	if (from != MPI_PROC_NULL && (r->context = context_of(comm)) != NULL)
		point_post_again(r);
}

void
point_nothing(const struct request *r)
{
	if (r->context == NULL || r->side != SIDE_RECEIVE)
		return;
	if (r->message == 0)
		request_closed(r->context);
	else
		request_renumber(r);
}

/* Whose message it was; 0: nobody's. */
static uint64_t
number_of(const struct request *r, const MPI_Status *status)
{
	int who = world_of(r->context, status->MPI_SOURCE);

	if (r->message != 0)
		return (r->message);
	request_closed(r->context);
	if (who == -1)
		return (0);
	if (__atomic_load_n(&r->context->open, __ATOMIC_RELAXED) != 0)
		request_number_before(r, status->MPI_SOURCE, status->MPI_TAG);
	return (match_next(SIDE_RECEIVE, r->context, who,
	    r->context->world_rank, status->MPI_TAG));
}

/* Also one for which there was too little room has come. */
static bool
has_come(const MPI_Status *status, int rc)
{
	int cancelled = 0;

	if (rc != MPI_SUCCESS && class_of(rc) != MPI_ERR_TRUNCATE)
		return (false);
	if (PMPI_Test_cancelled(status, &cancelled) == 0 && cancelled)
		return (false);
	return (status->MPI_SOURCE != MPI_PROC_NULL);
}

bool
point_done(const struct request *r, const MPI_Status *status, int rc)
{
	int bytes = 0;

	if (r->context == NULL || r->side != SIDE_RECEIVE || r->cancelled)
		return (false);
	if (!has_come(status, rc)) {
		point_nothing(r);
		return (false);
	}
	/* of one that was cut MPI does not say how many have come */
	if (rc != MPI_SUCCESS ||
	    PMPI_Get_count(status, MPI_BYTE, &bytes) != 0 || bytes < 0)
		bytes = 0;
	probe_receive(number_of(r, status), (uint64_t)bytes,
	    (uint32_t)status->MPI_TAG);
	return (true);
}

/* --- sends --- */

#define SEND(name)                                                             \
	WRAPPER int name(const void *buf, int n, MPI_Datatype type, int to,    \
	    int tag, MPI_Comm comm)                                            \
	{                                                                      \
		int rc;                                                        \
                                                                               \
		ENTER(name);                                                   \
		point_send(comm, to, tag, n, type);                            \
		rc = NEXT(name)(buf, n, type, to, tag, comm);                  \
		LEAVE(name);                                                   \
		return (rc);                                                   \
	}
SEND(MPI_Send)
SEND(MPI_Bsend)
SEND(MPI_Ssend)
SEND(MPI_Rsend)

#define SEND_BEGIN(name)                                                       \
	WRAPPER int name(const void *buf, int n, MPI_Datatype type, int to,    \
	    int tag, MPI_Comm comm, MPI_Request *request)                      \
	{                                                                      \
		int rc;                                                        \
                                                                               \
		ENTER(name);                                                   \
		point_send(comm, to, tag, n, type);                            \
		rc = NEXT(name)(buf, n, type, to, tag, comm, request);         \
		LEAVE(name);                                                   \
		return (rc);                                                   \
	}
SEND_BEGIN(MPI_Isend)
SEND_BEGIN(MPI_Ibsend)
SEND_BEGIN(MPI_Issend)
SEND_BEGIN(MPI_Irsend)

/* --- receives --- */

/* Posts one, and tells that this thread waits for it. */
static void
await(struct request *r, MPI_Comm comm, int from, int tag)
{
	point_post(r, comm, from, tag);
	if (r->context != NULL)
		probe_receive_wait(r->message, (uint32_t)tag);
}

/* What was awaited is done; the wait is over in any case. */
static void
awaited(const struct request *r, const MPI_Status *status, int rc)
{
	if (!point_done(r, status, rc) && r->context != NULL)
		probe_receive_giveup(r->message, (uint32_t)r->tag);
}

WRAPPER int
MPI_Recv(void *buf, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
    MPI_Status *status)
{
	struct request r;
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ENTER(MPI_Recv);
	await(&r, comm, from, tag);
	rc = NEXT(MPI_Recv)(buf, n, type, from, tag, comm, status);
	awaited(&r, status, rc);
	LEAVE(MPI_Recv);
	return (rc);
}

WRAPPER int
MPI_Irecv(void *buf, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
    MPI_Request *request)
{
	struct request r;
	int rc;

	point_post(&r, comm, from, tag);
	rc = CALL(MPI_Irecv, (buf, n, type, from, tag, comm, request));
	if (rc == MPI_SUCCESS)
		request_add(handle_of(*request), &r);
	else
		point_nothing(&r);
	return (rc);
}

WRAPPER int
MPI_Sendrecv(const void *out, int nout, MPI_Datatype tout, int to, int tag_out,
    void *in, int nin, MPI_Datatype tin, int from, int tag_in, MPI_Comm comm,
    MPI_Status *status)
{
	struct request r;
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ENTER(MPI_Sendrecv);
	point_send(comm, to, tag_out, nout, tout);
	await(&r, comm, from, tag_in);
	rc = NEXT(MPI_Sendrecv)(out, nout, tout, to, tag_out, in, nin, tin,
	    from, tag_in, comm, status);
	awaited(&r, status, rc);
	LEAVE(MPI_Sendrecv);
	return (rc);
}

WRAPPER int
MPI_Sendrecv_replace(void *buf, int n, MPI_Datatype type, int to, int tag_out,
    int from, int tag_in, MPI_Comm comm, MPI_Status *status)
{
	struct request r;
	MPI_Status own;
	int rc;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ENTER(MPI_Sendrecv_replace);
	point_send(comm, to, tag_out, n, type);
	await(&r, comm, from, tag_in);
	rc = NEXT(MPI_Sendrecv_replace)(buf, n, type, to, tag_out, from, tag_in,
	    comm, status);
	awaited(&r, status, rc);
	LEAVE(MPI_Sendrecv_replace);
	return (rc);
}
