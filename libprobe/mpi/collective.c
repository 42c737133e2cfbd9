/*
 * Operations of all members of a communicator.  Its members do the same ones in
 * the same order, so their number is the same at each of them.
 *
 * Who waits for whom is not the same in all: nobody leaves a barrier before
 * everybody has come; what one has and all get is waited for by all but that
 * one; what all have and one gets, by that one.  Where nothing is sent nobody
 * has to wait, and nothing of that kind is said; nor where it depends on what
 * each brings.
 */
#include "libprobe/mpi/inside.h"

enum sort {
	SORT_ALL,      /* everybody waits for everybody */
	SORT_FROM_ONE, /* the root waits for nobody */
	SORT_TO_ONE,   /* only the root waits */
	SORT_LOOSE     /* that is not known */
};

struct turn {
	uint64_t id, turn;
	uint32_t parties;
	enum sort sort;
	bool told, root;
};

static void
enter(struct turn *t, MPI_Comm comm, enum sort sort, bool empty, int root)
{
	struct context *c = context_of(comm);

	*t = (struct turn){ .sort = empty ? SORT_LOOSE : sort };
	if (c == NULL || c->inter)
		return;
	t->told = true;
	t->id = c->id;
	t->turn = __atomic_add_fetch(&c->turn, 1, __ATOMIC_RELAXED);
	t->parties = (uint32_t)c->size;
	t->root = c->rank == root;
	if (t->sort == SORT_ALL) {
		probe_collective_enter(t->id, t->turn, t->parties);
		return;
	}
	probe_rooted_enter(t->id, t->turn, t->parties);
	if (t->sort == SORT_FROM_ONE && t->root)
		probe_rooted_give(t->id, t->turn, t->parties);
	if (t->sort == SORT_TO_ONE)
		probe_rooted_part(t->id, t->turn, t->parties);
}

static void
leave(const struct turn *t, int rc)
{
	if (!t->told)
		return;
	if (t->sort == SORT_ALL) /* of one that has failed we know no better */
		probe_collective_leave(t->id, t->turn, t->parties);
	else if (t->sort == SORT_FROM_ONE && !t->root && rc == MPI_SUCCESS)
		probe_rooted_get(t->id, t->turn, t->parties);
	else if (t->sort == SORT_TO_ONE && t->root && rc == MPI_SUCCESS)
		probe_rooted_whole(t->id, t->turn, t->parties);
	else
		probe_rooted_leave(t->id, t->turn, t->parties);
}

/* COLLECTIVE(name, parameters, arguments, communicator, sort, empty, root) */
#define COLLECTIVE(name, parameters, arguments, comm, sort, empty, root)       \
	WRAPPER int name parameters                                            \
	{                                                                      \
		struct turn t;                                                 \
		int rc;                                                        \
                                                                               \
		ENTER(name);                                                   \
		enter(&t, comm, sort, empty, root);                            \
		rc = NEXT(name) arguments;                                     \
		leave(&t, rc);                                                 \
		LEAVE(name);                                                   \
		return (rc);                                                   \
	}

/* Is one of so many numbers 0? */
static bool
has_none(const int *counts, MPI_Comm comm)
{
	int size = 0;

	if (PMPI_Comm_size(comm, &size) != 0)
		return (true);
	for (int i = 0; i < size; i++)
		if (counts[i] == 0)
			return (true);
	return (false);
}

/* Is nothing sent?  As the root and as the others give it. */
static bool
is_empty(MPI_Comm comm, int root, int at_root, MPI_Datatype type_at_root, int n,
    MPI_Datatype type)
{
	const struct context *c = context_of(comm);

	if (c != NULL && c->rank == root)
		return (point_bytes(at_root, type_at_root) == 0);
	return (point_bytes(n, type) == 0);
}

COLLECTIVE(MPI_Barrier, (MPI_Comm comm), (comm), comm, SORT_ALL, false, -1)
COLLECTIVE(MPI_Allreduce,
    (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm),
    (out, in, n, type, op, comm), comm, SORT_ALL, n == 0, -1)
COLLECTIVE(MPI_Allgather,
    (const void *out, int nout, MPI_Datatype tout, void *in, int nin,
	MPI_Datatype tin, MPI_Comm comm),
    (out, nout, tout, in, nin, tin, comm), comm, SORT_ALL, nin == 0, -1)
COLLECTIVE(MPI_Allgatherv,
    (const void *out, int nout, MPI_Datatype tout, void *in, const int *nin,
	const int *at, MPI_Datatype tin, MPI_Comm comm),
    (out, nout, tout, in, nin, at, tin, comm), comm, SORT_ALL,
    has_none(nin, comm), -1)
COLLECTIVE(MPI_Alltoall,
    (const void *out, int nout, MPI_Datatype tout, void *in, int nin,
	MPI_Datatype tin, MPI_Comm comm),
    (out, nout, tout, in, nin, tin, comm), comm, SORT_ALL, nin == 0, -1)
COLLECTIVE(MPI_Alltoallv,
    (const void *out, const int *nout, const int *out_at, MPI_Datatype tout,
	void *in, const int *nin, const int *in_at, MPI_Datatype tin,
	MPI_Comm comm),
    (out, nout, out_at, tout, in, nin, in_at, tin, comm), comm, SORT_LOOSE,
    false, -1)
COLLECTIVE(MPI_Alltoallw,
    (const void *out, const int *nout, const int *out_at,
	const MPI_Datatype *tout, void *in, const int *nin, const int *in_at,
	const MPI_Datatype *tin, MPI_Comm comm),
    (out, nout, out_at, tout, in, nin, in_at, tin, comm), comm, SORT_LOOSE,
    false, -1)
COLLECTIVE(MPI_Reduce_scatter,
    (const void *out, void *in, const int *nin, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm),
    (out, in, nin, type, op, comm), comm, SORT_ALL, has_none(nin, comm), -1)
COLLECTIVE(MPI_Reduce_scatter_block,
    (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm),
    (out, in, n, type, op, comm), comm, SORT_ALL, n == 0, -1)

COLLECTIVE(MPI_Bcast,
    (void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm),
    (buf, n, type, root, comm), comm, SORT_FROM_ONE, point_bytes(n, type) == 0,
    root)
COLLECTIVE(MPI_Scatter,
    (const void *out, int nout, MPI_Datatype tout, void *in, int nin,
	MPI_Datatype tin, int root, MPI_Comm comm),
    (out, nout, tout, in, nin, tin, root, comm), comm, SORT_FROM_ONE,
    is_empty(comm, root, nout, tout, nin, tin), root)
COLLECTIVE(MPI_Scatterv,
    (const void *out, const int *nout, const int *at, MPI_Datatype tout,
	void *in, int nin, MPI_Datatype tin, int root, MPI_Comm comm),
    (out, nout, at, tout, in, nin, tin, root, comm), comm, SORT_LOOSE, false,
    root)
COLLECTIVE(MPI_Reduce,
    (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op, int root,
	MPI_Comm comm),
    (out, in, n, type, op, root, comm), comm, SORT_TO_ONE, n == 0, root)
COLLECTIVE(MPI_Gather,
    (const void *out, int nout, MPI_Datatype tout, void *in, int nin,
	MPI_Datatype tin, int root, MPI_Comm comm),
    (out, nout, tout, in, nin, tin, root, comm), comm, SORT_TO_ONE,
    is_empty(comm, root, nin, tin, nout, tout), root)
COLLECTIVE(MPI_Gatherv,
    (const void *out, int nout, MPI_Datatype tout, void *in, const int *nin,
	const int *at, MPI_Datatype tin, int root, MPI_Comm comm),
    (out, nout, tout, in, nin, at, tin, root, comm), comm, SORT_LOOSE, false,
    root)
COLLECTIVE(MPI_Scan,
    (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm),
    (out, in, n, type, op, comm), comm, SORT_LOOSE, false, -1)
COLLECTIVE(MPI_Exscan,
    (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm),
    (out, in, n, type, op, comm), comm, SORT_LOOSE, false, -1)
