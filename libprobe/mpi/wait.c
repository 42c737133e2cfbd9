/*
 * Requests that are complete.  Of several that are so at once the receives are
 * told in the order in which they were posted, which is that of the messages.
 */
#include <stdlib.h>
#include <string.h>

#include "libprobe/mpi/inside.h"

#define FEW 64 /* on the stack */

/* What was asked for: handles, as they were before MPI has put them away. */
struct asked {
	int n;
	uint64_t *handles;
	MPI_Status *statuses;
	uint64_t few_handles[FEW];
	MPI_Status few_statuses[FEW];
	bool own_statuses;
};

/* statuses: the program's, or MPI_STATUSES_IGNORE.  false: no memory. */
static bool
ask(struct asked *a, int n, const MPI_Request *requests, MPI_Status *statuses)
{
	a->n = n;
	a->handles =
	    n <= FEW ? a->few_handles : malloc((size_t)n * sizeof(*a->handles));
	a->own_statuses = statuses == MPI_STATUSES_IGNORE;
	a->statuses = !a->own_statuses ? statuses
		      : n <= FEW       ? a->few_statuses
				 : malloc((size_t)n * sizeof(*a->statuses));
	if (a->handles == NULL || a->statuses == NULL)
		return (false);
	for (int i = 0; i < n; i++)
		a->handles[i] = handle_of(requests[i]);
	return (true);
}

static void
ask_clear(struct asked *a)
{
	if (a->handles != a->few_handles)
		free(a->handles);
	if (a->own_statuses && a->statuses != a->few_statuses)
		free(a->statuses);
}

/* The next to be told: the one that was posted first. */
struct done {
	struct request request;
	int at; /* of its status */
};

static int
by_posted(const void *a, const void *b)
{
	uint64_t x = ((const struct done *)a)->request.posted;
	uint64_t y = ((const struct done *)b)->request.posted;

	return ((x > y) - (x < y));
}

/* These are complete: index i of what was asked has status number i, or k. */
static void
tell(const struct asked *a, const int *indices, int n, int rc)
{
	struct done few[FEW], *done = few;
	int k = 0;

	if (n > FEW)
		done = malloc((size_t)n * sizeof(*done));
	if (done == NULL)
		return;
	for (int i = 0; i < n; i++) {
		int at = indices == NULL ? i : indices[i];

		if (request_take(a->handles[at], &done[k].request))
			done[k++].at = i;
	}
	qsort(done, (size_t)k, sizeof(*done), by_posted);
	for (int i = 0; i < k; i++) {
		const MPI_Status *s = &a->statuses[done[i].at];
		int code = rc == MPI_ERR_IN_STATUS ? s->MPI_ERROR : rc;

		request_done(&done[i].request, s, code);
	}
	if (done != few)
		free(done);
}

/* A thread that waits for requests of which one is a receive waits for it. */
static void
tell_wait(const struct asked *a)
{
	struct request r;

	for (int i = 0; i < a->n; i++)
		if (request_find(a->handles[i], &r)) {
			bool waits = r.posted != 0 && r.side == SIDE_RECEIVE;

			context_done(r.context);
			if (waits) {
				probe_receive_wait(a->n == 1 ? r.message : 0,
				    (uint32_t)r.tag);
				return;
			}
		}
}

WRAPPER int
MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	struct asked a;
	int rc;

	(void)ask(&a, 1, request,
	    status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status);
	ENTER(MPI_Wait);
	tell_wait(&a);
	rc = NEXT(MPI_Wait)(request, a.statuses);
	tell(&a, NULL, 1, rc);
	LEAVE(MPI_Wait);
	return (rc);
}

WRAPPER int
MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
	struct asked a;
	int rc;

	if (n < 0 || !ask(&a, n, requests, statuses))
		return (NEXT(MPI_Waitall)(n, requests, statuses));
	ENTER(MPI_Waitall);
	tell_wait(&a);
	rc = NEXT(MPI_Waitall)(n, requests, a.statuses);
	tell(&a, NULL, n, rc);
	LEAVE(MPI_Waitall);
	ask_clear(&a);
	return (rc);
}

WRAPPER int
MPI_Waitany(int n, MPI_Request *requests, int *index, MPI_Status *status)
{
	struct asked a;
	int rc;

	if (n < 0 || !ask(&a, n, requests, MPI_STATUSES_IGNORE))
		return (NEXT(MPI_Waitany)(n, requests, index, status));
	ENTER(MPI_Waitany);
	tell_wait(&a);
	rc = NEXT(MPI_Waitany)(n, requests, index, a.statuses);
	if (*index != MPI_UNDEFINED)
		tell(&a, index, 1, rc);
	LEAVE(MPI_Waitany);
	if (status != MPI_STATUS_IGNORE)
		*status = a.statuses[0];
	ask_clear(&a);
	return (rc);
}

WRAPPER int
MPI_Waitsome(int n, MPI_Request *requests, int *outcount, int *indices,
    MPI_Status *statuses)
{
	struct asked a;
	int rc;

	if (n < 0 || !ask(&a, n, requests, statuses))
		return (NEXT(
		    MPI_Waitsome)(n, requests, outcount, indices, statuses));
	ENTER(MPI_Waitsome);
	tell_wait(&a);
	rc = NEXT(MPI_Waitsome)(n, requests, outcount, indices, a.statuses);
	if (*outcount != MPI_UNDEFINED)
		tell(&a, indices, *outcount, rc);
	LEAVE(MPI_Waitsome);
	ask_clear(&a);
	return (rc);
}

/* --- those that only look --- */

WRAPPER int
MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct asked a;
	int rc;

	(void)ask(&a, 1, request,
	    status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status);
	rc = NEXT(MPI_Test)(request, flag, a.statuses);
	if (*flag)
		tell(&a, NULL, 1, rc);
	return (rc);
}

WRAPPER int
MPI_Testall(int n, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
	struct asked a;
	int rc;

	if (n < 0 || !ask(&a, n, requests, statuses))
		return (NEXT(MPI_Testall)(n, requests, flag, statuses));
	rc = NEXT(MPI_Testall)(n, requests, flag, a.statuses);
	if (*flag)
		tell(&a, NULL, n, rc);
	ask_clear(&a);
	return (rc);
}

WRAPPER int
MPI_Testany(int n, MPI_Request *requests, int *index, int *flag,
    MPI_Status *status)
{
	struct asked a;
	int rc;

	if (n < 0 || !ask(&a, n, requests, MPI_STATUSES_IGNORE))
		return (NEXT(MPI_Testany)(n, requests, index, flag, status));
	rc = NEXT(MPI_Testany)(n, requests, index, flag, a.statuses);
	if (*flag && *index != MPI_UNDEFINED)
		tell(&a, index, 1, rc);
	if (*flag && status != MPI_STATUS_IGNORE)
		*status = a.statuses[0];
	ask_clear(&a);
	return (rc);
}

WRAPPER int
MPI_Testsome(int n, MPI_Request *requests, int *outcount, int *indices,
    MPI_Status *statuses)
{
	struct asked a;
	int rc;

	if (n < 0 || !ask(&a, n, requests, statuses))
		return (NEXT(
		    MPI_Testsome)(n, requests, outcount, indices, statuses));
	rc = NEXT(MPI_Testsome)(n, requests, outcount, indices, a.statuses);
	if (*outcount != MPI_UNDEFINED)
		tell(&a, indices, *outcount, rc);
	ask_clear(&a);
	return (rc);
}
