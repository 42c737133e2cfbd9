/*
 * Messages and collective operations of programs that use MPI and know nothing
 * of us: a library that is loaded before the program and has functions of the
 * names of MPI's.  Each tells what happens and does what the next function of
 * its name does, which is MPI's, or that of a profiler that the program has
 * linked.  One source; it is compiled for Open MPI and for MPICH.
 *
 * It is loaded behind libprobe-auto.so, whose probes it uses.  What a rank
 * starts has it, too, and no MPI: so all that it needs of others is weak.
 *
 * Nothing is sent and no message is changed: both sides count.  MPI does not
 * let messages of one sender, receiver, communicator and tag overtake each
 * other, so the k-th that is sent is the k-th that is received, in the order in
 * which receives were posted.  A receive has its number when it is posted, if
 * it names sender and tag and all before it have theirs; else when it is
 * complete.
 */
#ifndef LIBPROBE_MPI_INSIDE_H
#define LIBPROBE_MPI_INSIDE_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "probe.h"

#define WRAPPER __attribute__((visibility("default")))

/*
 * NEXT(MPI_Send) is the function behind ours of that name.  POSIX lets a
 * pointer to data be one to a function; ISO C does not, hence the union.
 */
#define NEXT(name)                                                             \
	(__extension__({                                                       \
		static __typeof__(&name) next_;                                \
		union {                                                        \
			void *found;                                           \
			__typeof__(&name) call;                                \
		} n_ = { .call = PROBE_LOAD(&next_) };                         \
		if (PROBE_UNLIKELY(n_.found == NULL)) {                        \
			n_.found = dlsym(RTLD_NEXT, #name);                    \
			PROBE_STORE(&next_, n_.call);                          \
		}                                                              \
		n_.call;                                                       \
	}))

/* It is a function of the program's; what it waits for is told within. */
#define ENTER(name) probe_enter(0, PROBE_NAME(#name))
#define LEAVE(name) probe_leave(0, PROBE_NAME(#name))
/* Of one of which nothing is told within; rc is what it returns. */
#define CALL(name, arguments)                                                  \
	(__extension__({                                                       \
		int rc_;                                                       \
		ENTER(name);                                                   \
		rc_ = NEXT(name) arguments;                                    \
		LEAVE(name);                                                   \
		rc_;                                                           \
	}))

/* --- comm.c: what all members of a communicator call it --- */

struct context {
	uint64_t id;      /* the same at each member, another for each */
	uint32_t derived; /* communicators that were made of it */
	uint32_t turn;    /* collective operations on it */
	uint32_t open;    /* receives posted that have no number yet */
	int rank, size;   /* size: of the others' group, if it has two */
	bool inter;
	unsigned users; /* receives that are under way, and MPI itself */
	int world_rank; /* ours */
	int world[];    /* of each of those with whom we talk */
};

/* A rank of those with whom we talk in the world; -1: nobody whom we know. */
static inline int
world_of(const struct context *c, int rank)
{
	return (rank < 0 || rank >= c->size ? -1 : c->world[rank]);
}

/* NULL: unknown; nothing is told of it then. */
struct context *context_of(MPI_Comm);
void context_use(struct context *);
void context_done(struct context *);
/* A communicator was made of another, by all members in the same order. */
void context_derive(MPI_Comm parent, MPI_Comm made);
/* MPI is there now, with ranks. */
void context_start(void);
bool context_started(void);

/* --- match.c: numbers of messages --- */

enum side {
	SIDE_SEND,
	SIDE_RECEIVE
};
/* The id of the next message from one rank of the world to another. */
uint64_t match_next(enum side, const struct context *, int from, int to,
    int tag);
/* The last of those ids was of no message: it is that of the next. */
void match_return(enum side, const struct context *, int from, int to, int tag);

/* --- request.c: what is under way --- */

struct request {
	struct context *context; /* NULL: nothing is told of it */
	uint64_t message;        /* 0: not known before it is complete */
	uint64_t handle;
	uint64_t posted;     /* counts up; 0: not started */
	int peer, tag;       /* as given */
	uint64_t size_bytes; /* of a send */
	enum side side;
	bool persistent, used;
	bool cancelled; /* nothing comes, and its number has been given back */
};
/* Remembers a copy; forgets an older one of that handle. */
void request_add(uint64_t handle, const struct request *);
/*
 * false: there is none, of take also if it is not started.  Then the context
 * is the caller's, too, until request_done() or context_done().  take forgets
 * what is not persistent.
 */
bool request_take(uint64_t handle, struct request *);
bool request_find(uint64_t handle, struct request *);
void request_drop(uint64_t handle);
/*
 * A receive has got a message from there: the receives posted before it on that
 * communicator that have one of the same sender and tag, but no number, get
 * theirs first.
 */
void request_number_before(const struct request *, int from, int tag);
/*
 * This receive has not got the message of its number, and will not: those that
 * were posted behind it for others of that sender and tag move up.
 */
void request_renumber(const struct request *);
/* MPI was asked to cancel it. */
void request_cancelled(uint64_t handle);
/*
 * Says that what was taken is complete, as MPI's status and rc have it.  false:
 * no message has come with that, and nothing was said.
 */
bool request_done(const struct request *, const MPI_Status *, int rc);

static inline uint64_t
handle_of(MPI_Request r)
{
	return ((uint64_t)(uintptr_t)r);
}

/* A receive has a number, or will never get one. */
static inline void
request_closed(struct context *c)
{
	__atomic_fetch_sub(&c->open, 1, __ATOMIC_RELAXED);
}

/* --- table.c: numbers by number --- */

struct table {
	struct entry *entries;
	uint64_t n, room; /* room: a power of 2 */
};
struct entry {
	uint64_t key, value; /* key 0: free */
};
/* Where the value of a key is, 0 at first; NULL: no memory.  key: not 0. */
uint64_t *table_at(struct table *, uint64_t key);
uint64_t *table_find(const struct table *, uint64_t key);
void table_drop(struct table *, uint64_t key);
uint64_t table_mix(uint64_t);

/* One thread at a time; nobody waits long. */
void table_hold(uint32_t *lock);
void table_let_go(uint32_t *lock);

/* --- point.c: one sends, one receives --- */

/* What sort of error MPI has returned; some return more than that. */
static inline int
class_of(int rc)
{
	int class = MPI_SUCCESS;

	return (rc == MPI_SUCCESS || PMPI_Error_class(rc, &class) != 0 ? rc
								       : class);
}

/* Says that a message leaves, before it does. */
void point_send(MPI_Comm, int to, int tag, int n, MPI_Datatype);
void point_send_in(const struct context *, int to, int tag,
    uint64_t size_bytes);
uint64_t point_bytes(int n, MPI_Datatype);
/* A receive is posted: its number, if that is known already. */
void point_post(struct request *, MPI_Comm, int from, int tag);
void point_post_again(struct request *);
/* It gets none. */
void point_nothing(const struct request *);
/*
 * It is done; status: MPI's.  Says that the message is here; false: there is
 * none, of a send or since the receive has failed or was cancelled.
 */
bool point_done(const struct request *, const MPI_Status *, int rc);

#endif
