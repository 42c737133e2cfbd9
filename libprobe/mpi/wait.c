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

static MPI_Status *
one_status(MPI_Status *status)
{
	return (status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status);
}

static void
ask_clear(struct asked *a)
{
	if (a->handles != a->few_handles)
		free(a->handles);
	if (a->own_statuses && a->statuses != a->few_statuses)
		free(a->statuses);
}

/*
 * statuses: the program's, or MPI_STATUSES_IGNORE.  false: no memory, or it is
 * asked for what cannot be.
 */
static bool
ask(struct asked *a, int n, const MPI_Request *requests, MPI_Status *statuses)
{
	if (n < 0 || (n > 0 && requests == NULL))
		return (false); /* MPI will say so */
	a->n = n;
	a->handles =
	    n <= FEW ? a->few_handles : malloc((size_t)n * sizeof(*a->handles));
	a->own_statuses = statuses == MPI_STATUSES_IGNORE;
	a->statuses = !a->own_statuses ? statuses
		      : n <= FEW       ? a->few_statuses
				 : malloc((size_t)n * sizeof(*a->statuses));
	if (a->handles == NULL || a->statuses == NULL) {
		ask_clear(a);
		return (false);
	}
	for (int i = 0; i < n; i++)
		a->handles[i] = handle_of(requests[i]);
	return (true);
}

/* The next to be told: the one that was posted first. */
struct done {
	struct request request;
	int at; /* of its status */
	int rc; /* what has become of it */
};

static int
by_posted(const void *a, const void *b)
{
	uint64_t x = ((const struct done *)a)->request.posted;
	uint64_t y = ((const struct done *)b)->request.posted;

	return ((x > y) - (x < y));
}

/* MPI has not looked at the requests: the call itself is wrong. */
static bool
is_refused(int class)
{
	return (class == MPI_ERR_REQUEST || class == MPI_ERR_COUNT ||
		class == MPI_ERR_ARG);
}

/*
 * These n are complete, as the call has it that has returned rc: index i of
 * what was asked has status number i, or k.  An index of none is MPI_UNDEFINED.
 * false: none of them has brought a message.
 */
static bool
tell(const struct asked *a, const int *indices, int n, int rc)
{
	struct done few[FEW], *done = few;
	int k = 0, class = class_of(rc);
	bool came = false;

	if (is_refused(class) || n <= 0 || n > a->n)
		return (false);
	if (n > FEW && (done = malloc((size_t)n * sizeof(*done))) == NULL)
		return (false);
	for (int i = 0; i < n; i++) {
		int at = indices == NULL ? i : indices[i];
		struct done *d = &done[k];

		d->at = i;
		d->rc =
		    class == MPI_ERR_IN_STATUS ? a->statuses[i].MPI_ERROR : rc;
		if (at >= 0 && at < a->n && class_of(d->rc) != MPI_ERR_PENDING)
			k += request_take(a->handles[at], &d->request);
	}
	qsort(done, (size_t)k, sizeof(*done), by_posted);
	for (int i = 0; i < k; i++)
		came |= request_done(&done[i].request, &a->statuses[done[i].at],
		    done[i].rc);
	if (done != few)
		free(done);
	return (came);
}

/* A wait that was told; its tag is that of the first receive asked for. */
struct wait {
	bool told;
	uint64_t message; /* 0: any of several */
	uint32_t tag;
};

/* A thread that waits for requests of which one is a receive waits for it. */
static struct wait
tell_wait(const struct asked *a)
{
	struct wait w = { .told = false };
	struct request r;

	for (int i = 0; i < a->n && !w.told; i++)
		if (request_find(a->handles[i], &r)) {
			context_done(r.context);
			if (r.posted == 0 || r.side != SIDE_RECEIVE ||
			    r.cancelled)
				continue;
			w.told = true;
			w.message = a->n == 1 ? r.message : 0;
			w.tag = (uint32_t)r.tag;
			probe_receive_wait(w.message, w.tag);
		}
	return (w);
}

/* It goes on: with a message, or since something else is complete. */
static void
tell_end(const struct wait *w, bool came)
{
	if (w->told && !came)
		probe_receive_giveup(w->message, w->tag);
}

WRAPPER int
MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	struct asked a;
	struct wait w;
	int rc;

	if (!ask(&a, 1, request, one_status(status)))
		return (NEXT(MPI_Wait)(request, status));
	ENTER(MPI_Wait);
	w = tell_wait(&a);
	rc = NEXT(MPI_Wait)(request, a.statuses);
	tell_end(&w, tell(&a, NULL, 1, rc));
	LEAVE(MPI_Wait);
	return (rc);
}

WRAPPER int
MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
	struct asked a;
	struct wait w;
	int rc;

	if (!ask(&a, n, requests, statuses))
		return (NEXT(MPI_Waitall)(n, requests, statuses));
	ENTER(MPI_Waitall);
	w = tell_wait(&a);
	rc = NEXT(MPI_Waitall)(n, requests, a.statuses);
	tell_end(&w, tell(&a, NULL, n, rc));
	LEAVE(MPI_Waitall);
	ask_clear(&a);
	return (rc);
}

WRAPPER int
MPI_Waitany(int n, MPI_Request *requests, int *index, MPI_Status *status)
{
	struct asked a;
	struct wait w;
	int rc;

	if (index == NULL || !ask(&a, n, requests, one_status(status)))
		return (NEXT(MPI_Waitany)(n, requests, index, status));
	ENTER(MPI_Waitany);
	w = tell_wait(&a);
	rc = NEXT(MPI_Waitany)(n, requests, index, a.statuses);
	tell_end(&w, tell(&a, index, 1, rc));
	LEAVE(MPI_Waitany);
	ask_clear(&a);
	return (rc);
}

WRAPPER int
MPI_Waitsome(int n, MPI_Request *requests, int *outcount, int *indices,
    MPI_Status *statuses)
{
	struct asked a;
	struct wait w;
	int rc;

	if (outcount == NULL || !ask(&a, n, requests, statuses))
		return (NEXT(
		    MPI_Waitsome)(n, requests, outcount, indices, statuses));
	ENTER(MPI_Waitsome);
	w = tell_wait(&a);
	rc = NEXT(MPI_Waitsome)(n, requests, outcount, indices, a.statuses);
	tell_end(&w, tell(&a, indices, *outcount, rc));
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

	if (flag == NULL || !ask(&a, 1, request, one_status(status)))
		return (NEXT(MPI_Test)(request, flag, status));
	rc = NEXT(MPI_Test)(request, flag, a.statuses);
	if (*flag)
		(void)tell(&a, NULL, 1, rc);
	return (rc);
}

WRAPPER int
MPI_Testall(int n, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
	struct asked a;
	int rc;

	if (flag == NULL || !ask(&a, n, requests, statuses))
		return (NEXT(MPI_Testall)(n, requests, flag, statuses));
	rc = NEXT(MPI_Testall)(n, requests, flag, a.statuses);
	if (*flag)
		(void)tell(&a, NULL, n, rc);
	ask_clear(&a);
	return (rc);
}

WRAPPER int
MPI_Testany(int n, MPI_Request *requests, int *index, int *flag,
    MPI_Status *status)
{
	struct asked a;
	int rc;

	if (index == NULL || flag == NULL ||
	    !ask(&a, n, requests, one_status(status)))
		return (NEXT(MPI_Testany)(n, requests, index, flag, status));
	rc = NEXT(MPI_Testany)(n, requests, index, flag, a.statuses);
	if (*flag)
		(void)tell(&a, index, 1, rc);
	ask_clear(&a);
	return (rc);
}

WRAPPER int
MPI_Testsome(int n, MPI_Request *requests, int *outcount, int *indices,
    MPI_Status *statuses)
{
	struct asked a;
	int rc;

	if (outcount == NULL || !ask(&a, n, requests, statuses))
		return (NEXT(
		    MPI_Testsome)(n, requests, outcount, indices, statuses));
	rc = NEXT(MPI_Testsome)(n, requests, outcount, indices, a.statuses);
	(void)tell(&a, indices, *outcount, rc);
	ask_clear(&a);
	return (rc);
}
