/*
 * What is under way: by the handle that MPI gives it, a record in a list that
 * grows by pieces and is used again.
 */
#include <stdlib.h>

#include "libprobe/mpi/inside.h"

static struct table where; /* index + 1 */
static struct request *records;
static uint64_t nrecords, room, first_free;
static uint32_t lock;

/* With the lock held; UINT64_MAX: no memory. */
static uint64_t
new_record(void)
{
	for (; first_free < nrecords; first_free++)
		if (!records[first_free].used)
			return (first_free++);
	if (nrecords == room) {
		uint64_t more = room == 0 ? 64 : 2 * room;
		struct request *r = realloc(records, more * sizeof(*r));

		if (r == NULL)
			return (UINT64_MAX);
		records = r;
		room = more;
	}
	records[nrecords].used = false;
	first_free = nrecords + 1;
	return (nrecords++);
}

static struct request *
record_of(uint64_t handle)
{
	uint64_t *at = table_find(&where, handle);

	return (at == NULL || *at == 0 ? NULL : &records[*at - 1]);
}

/* It will not get a number any more, if it has none. */
static void
close_record(struct request *r)
{
	if (r->posted != 0 && r->message == 0 && r->side == SIDE_RECEIVE &&
	    !r->cancelled)
		request_closed(r->context);
}

static void
forget(uint64_t handle, struct request *r)
{
	uint64_t i = (uint64_t)(r - records);

	r->used = false;
	if (i < first_free)
		first_free = i;
	table_drop(&where, handle);
}

void
request_add(uint64_t handle, const struct request *new)
{
	struct request *r;
	uint64_t *at = NULL, i;

	if (handle == 0 || new->context == NULL)
		return;
	context_use(new->context);
	table_hold(&lock);
	r = record_of(handle);
	if (r != NULL) {
		/* started again, or freed where we could not see it */
		close_record(r);
		context_done(r->context);
		*r = *new;
		r->used = true;
		r->handle = handle;
	} else if ((i = new_record()) != UINT64_MAX &&
		   (at = table_at(&where, handle)) != NULL) {
		records[i] = *new;
		records[i].used = true;
		records[i].handle = handle;
		*at = i + 1;
	} else { /* no memory: nothing is told of it when it is complete */
		struct request lost = *new;

		close_record(&lost);
		context_done(lost.context);
	}
	table_let_go(&lock);
}

bool
request_find(uint64_t handle, struct request *out)
{
	struct request *r;

	table_hold(&lock);
	r = record_of(handle);
	if (r != NULL) {
		*out = *r;
		context_use(out->context);
	}
	table_let_go(&lock);
	return (r != NULL);
}

bool
request_take(uint64_t handle, struct request *out)
{
	struct request *r;

	table_hold(&lock);
	r = record_of(handle);
	if (r != NULL && r->posted == 0)
		r = NULL;
	if (r != NULL) {
		*out = *r;
		r->posted = 0;
		if (r->persistent)
			context_use(out->context);
		else
			forget(handle, r);
	}
	table_let_go(&lock);
	return (r != NULL);
}

bool
request_done(const struct request *r, const MPI_Status *status, int rc)
{
	bool came = point_done(r, status, rc);

	context_done(r->context);
	return (came);
}

void
request_drop(uint64_t handle)
{
	struct request *r;

	table_hold(&lock);
	r = record_of(handle);
	if (r != NULL) {
		close_record(r);
		context_done(r->context);
		forget(handle, r);
	}
	table_let_go(&lock);
}

/* With the lock held. */
static void
move_up(const struct request *r)
{
	for (uint64_t i = 0; i < nrecords; i++) {
		struct request *u = &records[i];

		if (u->used && u->context == r->context && u->posted != 0 &&
		    u->side == SIDE_RECEIVE && u->peer == r->peer &&
		    u->tag == r->tag && u->message > r->message)
			u->message--;
	}
	match_return(SIDE_RECEIVE, r->context, world_of(r->context, r->peer),
	    r->context->world_rank, r->tag);
}

void
request_renumber(const struct request *r)
{
	table_hold(&lock);
	move_up(r);
	table_let_go(&lock);
}

void
request_cancelled(uint64_t handle)
{
	struct request *r;
	MPI_Status st;
	int flag = 0, cancelled = 0;

	table_hold(&lock);
	r = record_of(handle);
	if (r != NULL && r->side == SIDE_RECEIVE && r->posted != 0 &&
	    !r->cancelled &&
	    PMPI_Request_get_status((MPI_Request)(uintptr_t)handle, &flag,
		&st) == 0 &&
	    flag && PMPI_Test_cancelled(&st, &cancelled) == 0 && cancelled) {
		if (r->message == 0)
			request_closed(r->context);
		else
			move_up(r);
		r->message = 0;
		r->cancelled = true;
	}
	table_let_go(&lock);
}

/* The first record behind this place in the order of posting that is open. */
static struct request *
open_behind(const struct request *r, uint64_t posted)
{
	struct request *first = NULL;

	for (uint64_t i = 0; i < nrecords; i++) {
		struct request *u = &records[i];

		if (u->used && u->context == r->context && u->message == 0 &&
		    u->side == SIDE_RECEIVE && !u->cancelled &&
		    u->posted > posted && u->posted < r->posted &&
		    (first == NULL || u->posted < first->posted))
			first = u;
	}
	return (first);
}

/* Has it got, or will it get, a message of this sender and tag? */
static bool
is_of(const struct request *u, int from, int tag)
{
	MPI_Status st;
	int flag = 0;

	if (u->peer != MPI_ANY_SOURCE && u->tag != MPI_ANY_TAG)
		return (u->peer == from && u->tag == tag);
	/* MPI knows; one that is under way has got another, or none so far */
	return (PMPI_Request_get_status((MPI_Request)(uintptr_t)u->handle,
		    &flag, &st) == 0 &&
		flag && st.MPI_SOURCE == from && st.MPI_TAG == tag);
}

void
request_number_before(const struct request *r, int from, int tag)
{
	struct request *u;
	uint64_t posted = 0;

	table_hold(&lock);
	while ((u = open_behind(r, posted)) != NULL) {
		posted = u->posted;
		if (!is_of(u, from, tag))
			continue;
		u->message = match_next(SIDE_RECEIVE, u->context,
		    world_of(u->context, from), u->context->world_rank, tag);
		if (u->message != 0)
			request_closed(u->context);
	}
	table_let_go(&lock);
}
