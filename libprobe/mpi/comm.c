/*
 * What the members of a communicator call it, without asking each other: all
 * make communicators of one in the same order, so its parent's name, the count
 * of those made of it, and the least rank of the world in it tell it from all
 * others.  MPI keeps our record as an attribute, and says when it is free.
 */
#include <stdlib.h>
#include <string.h>

#include "libprobe/mpi/inside.h"

#define WORLD 1
#define SELF  2

static int keyval = MPI_KEYVAL_INVALID;
static int world_rank;

/* The communicator that a thread asked for last; valid while none has gone. */
static uint32_t generation;
static __thread struct {
	MPI_Comm comm;
	struct context *context;
	uint32_t generation;
} last;

static void
forget_last(void)
{
	__atomic_fetch_add(&generation, 1, __ATOMIC_ACQ_REL);
}

void
context_use(struct context *c)
{
	__atomic_fetch_add(&c->users, 1, __ATOMIC_RELAXED);
}

void
context_done(struct context *c)
{
	if (__atomic_sub_fetch(&c->users, 1, __ATOMIC_ACQ_REL) == 0)
		free(c);
}

static int
deleted_cb(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm;
	(void)key;
	(void)extra;
	forget_last();
	context_done(value);
	return (MPI_SUCCESS);
}

/* Ranks of a group in the world; those that are not in there are -1. */
static void
in_world(MPI_Group group, int size, int *world)
{
	MPI_Group all;
	int *ranks = malloc((size_t)size * sizeof(*ranks));

	for (int i = 0; i < size; i++)
		world[i] = -1;
	if (ranks == NULL || PMPI_Comm_group(MPI_COMM_WORLD, &all) != 0) {
		free(ranks);
		return;
	}
	for (int i = 0; i < size; i++)
		ranks[i] = i;
	if (PMPI_Group_translate_ranks(group, size, ranks, all, world) == 0)
		for (int i = 0; i < size; i++)
			if (world[i] == MPI_UNDEFINED)
				world[i] = -1;
	PMPI_Group_free(&all);
	free(ranks);
}

static int
least(const int *world, int size)
{
	int found = -1;

	for (int i = 0; i < size; i++)
		if (found == -1 || (world[i] != -1 && world[i] < found))
			found = world[i];
	return (found);
}

/* With whom we talk there, and who the least of all members is. */
static struct context *
describe(MPI_Comm comm, int *least_of)
{
	struct context *c = NULL;
	MPI_Group group, own;
	int inter = 0, size = 0, own_size = 0, *world;

	if (PMPI_Comm_test_inter(comm, &inter) != 0 ||
	    (inter ? PMPI_Comm_remote_group(comm, &group)
		   : PMPI_Comm_group(comm, &group)) != 0)
		return (NULL);
	PMPI_Group_size(group, &size);
	c = calloc(1, sizeof(*c) + (size_t)size * sizeof(c->world[0]));
	if (c != NULL) {
		c->inter = inter != 0;
		c->size = size;
		c->users = 1;
		c->world_rank = world_rank;
		PMPI_Comm_rank(comm, &c->rank);
		in_world(group, size, c->world);
		*least_of = least(c->world, size);
	}
	PMPI_Group_free(&group);
	if (c == NULL || !inter || PMPI_Comm_group(comm, &own) != 0)
		return (c);
	PMPI_Group_size(own, &own_size);
	world = malloc((size_t)own_size * sizeof(*world));
	if (world != NULL) {
		int mine;

		in_world(own, own_size, world);
		mine = least(world, own_size);
		if (mine < *least_of)
			*least_of = mine;
	}
	free(world);
	PMPI_Group_free(&own);
	return (c);
}

static struct context *
keep(MPI_Comm comm, struct context *c)
{
	if (c != NULL && PMPI_Comm_set_attr(comm, keyval, c) != 0) {
		free(c);
		c = NULL;
	}
	forget_last();
	return (c);
}

struct context *
context_of(MPI_Comm comm)
{
	uint32_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
	struct context *c = NULL;
	int found = 0;

	if (comm == MPI_COMM_NULL)
		return (NULL);
	if (last.comm == comm && last.generation == now && last.context != NULL)
		return (last.context);
	if (!context_started())
		context_start();
	if (keyval == MPI_KEYVAL_INVALID ||
	    PMPI_Comm_get_attr(comm, keyval, &c, &found) != 0 || !found)
		return (NULL);
	last.comm = comm;
	last.context = c;
	last.generation = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
	return (c);
}

void
context_derive(MPI_Comm parent, MPI_Comm made)
{
	struct context *of = context_of(parent), *c;
	uint32_t number;
	int first = 0;

	if (of == NULL)
		return;
	/* also those counts who are not in what was made */
	number = __atomic_add_fetch(&of->derived, 1, __ATOMIC_RELAXED);
	if (made == MPI_COMM_NULL)
		return;
	c = describe(made, &first);
	if (c != NULL)
		c->id = table_mix(of->id ^ table_mix((uint64_t)number << 32 |
						     (uint32_t)first));
	(void)keep(made, c);
}

/* Those that are there from the beginning. */
static void
known(MPI_Comm comm, uint64_t id)
{
	int first;
	struct context *c = describe(comm, &first);

	if (c != NULL)
		c->id = id;
	(void)keep(comm, c);
}

/* What all ranks of a job have in common, and no other job: the launcher's. */
static uint64_t
job(void)
{
	const char *s = getenv("ORRERY_JOB");

	return (table_mix(s == NULL ? 0 : strtoull(s, NULL, 10)));
}

#pragma weak PMPI_Initialized

static void
call_it_rank(int rank)
{
	char name[32] = "rank ";
	size_t at = strlen(name);

	for (int d = 1000000000; d > 0; d /= 10)
		if (rank >= d || d == 1)
			name[at++] = (char)('0' + rank / d % 10);
	probe_thread_name(name);
}

/*
 * A thread has the name that it has at its first event, and that is the begin
 * of MPI_Init(): the launcher has said which rank it is.
 */
__attribute__((constructor)) static void
known_early(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK",
		"PMI_RANK" };

	if (&PMPI_Initialized == NULL)
		return; /* a rank has started it, and it is none */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *s = getenv(names[i]);

		if (s != NULL)
			call_it_rank((int)strtol(s, NULL, 10));
	}
}

static uint32_t started;

bool
context_started(void)
{
	return (__atomic_load_n(&started, __ATOMIC_ACQUIRE) != 0);
}

void
context_start(void)
{
	int there = 0, over = 0;
	uint32_t before = 0;

	if (PMPI_Initialized(&there) != 0 || !there ||
	    PMPI_Finalized(&over) != 0 || over ||
	    !__atomic_compare_exchange_n(&started, &before, 1, false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	call_it_rank(world_rank);
	if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted_cb, &keyval,
		NULL) != 0)
		return;
	known(MPI_COMM_WORLD, table_mix(job() ^ WORLD));
	known(MPI_COMM_SELF,
	    table_mix(job() ^ SELF ^ (uint64_t)(uint32_t)world_rank << 8));
}

/* --- the functions that make communicators --- */

/* MADE(name, parameters, arguments, parent, what was made) */
#define MADE(name, parameters, arguments, parent, made)                        \
	WRAPPER int name parameters                                            \
	{                                                                      \
		int rc = CALL(name, arguments);                                \
                                                                               \
		if (rc == MPI_SUCCESS)                                         \
			context_derive(parent, *(made));                       \
		return (rc);                                                   \
	}

MADE(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), comm, made)
MADE(MPI_Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made),
    (comm, info, made), comm, made)
MADE(MPI_Comm_split, (MPI_Comm comm, int colour, int key, MPI_Comm *made),
    (comm, colour, key, made), comm, made)
MADE(MPI_Comm_split_type,
    (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
    (comm, type, key, info, made), comm, made)
MADE(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made),
    (comm, group, made), comm, made)
MADE(MPI_Cart_create,
    (MPI_Comm comm, int n, const int *dims, const int *periods, int reorder,
	MPI_Comm *made),
    (comm, n, dims, periods, reorder, made), comm, made)
MADE(MPI_Graph_create,
    (MPI_Comm comm, int n, const int *index, const int *edges, int reorder,
	MPI_Comm *made),
    (comm, n, index, edges, reorder, made), comm, made)
MADE(MPI_Dist_graph_create,
    (MPI_Comm comm, int n, const int *sources, const int *degrees,
	const int *targets, const int *weights, MPI_Info info, int reorder,
	MPI_Comm *made),
    (comm, n, sources, degrees, targets, weights, info, reorder, made), comm,
    made)
MADE(MPI_Dist_graph_create_adjacent,
    (MPI_Comm comm, int in, const int *sources, const int *source_weights,
	int out, const int *targets, const int *target_weights, MPI_Info info,
	int reorder, MPI_Comm *made),
    (comm, in, sources, source_weights, out, targets, target_weights, info,
	reorder, made),
    comm, made)
MADE(MPI_Cart_sub, (MPI_Comm comm, const int *remain, MPI_Comm *made),
    (comm, remain, made), comm, made)
MADE(MPI_Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made),
    (comm, high, made), comm, made)

/* --- the beginning --- */

WRAPPER int
MPI_Init(int *argc, char ***argv)
{
	int rc = CALL(MPI_Init, (argc, argv));

	context_start();
	return (rc);
}

WRAPPER int
MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int rc = CALL(MPI_Init_thread, (argc, argv, required, provided));

	context_start();
	return (rc);
}

WRAPPER int
MPI_Finalize(void)
{
	return (CALL(MPI_Finalize, ()));
}
