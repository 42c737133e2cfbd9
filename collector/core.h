/*
 * A collector without its operating system: from rings to monitord.
 *
 * Everything here lives on struct env and on struct source, so a simulator
 * can have hundreds of these in one process.  attach.c is the bond to real
 * processes.
 */
#ifndef COLLECTOR_CORE_H
#define COLLECTOR_CORE_H

#include "collector/ident/ident.h"
#include "collector/sweep/drain.h"
#include "collector/sweep/measured/sched.h"
#include "collector/sweep/source.h"
#include "env.h"

struct collector_core;
struct unattached;

struct collector_options {
	const char *name;     /* of the node */
	const char *monitord; /* address */
	const char *spool_dir;
	uint64_t spool_limit_bytes;
	int64_t flush_ns, sweep_ns; /* 0: 5 ms, 1 ms */
	uint32_t mask;              /* bits of CLASS_... */
	uint32_t wait_ms;           /* of a full ring */
	uint32_t sample_hz;  /* of each thread; 0: none, unless it is chosen */
	int64_t counters_ns; /* between readings of the system's; 0: none */
};

#define COLLECTOR_FLUSH_NS     (5 * ENV_MS)
#define COLLECTOR_SWEEP_NS     (1 * ENV_MS)
#define COLLECTOR_SWEEP_MAX_NS (10 * ENV_MS) /* when nothing happens */
#define COLLECTOR_BEAT_NS      (20 * ENV_MS) /* heartbeat with POs */
#define COLLECTOR_BEAT_IDLE_NS (25 * ENV_MS) /* others may wait for it */
#define COLLECTOR_BEAT_REST_NS (1 * ENV_SEC) /* nobody does */
#define COLLECTOR_RETRY_NS     (1 * ENV_SEC) /* a full disk */
#define COLLECTOR_STOP_NS      (3 * ENV_SEC) /* for the last acknowledgement */
#define COLLECTOR_LEAVE_NS     (5 * ENV_SEC) /* without monitord, at the end */
#define COLLECTOR_SAMPLE_HZ    999           /* where nobody says how often */
#define COLLECTOR_MASK_ALL     ((1u << EVENT_CLASSES) - 1)

struct collector_ops {
	/*
	 * Reads the clocks that time stamps may be of together with the
	 * node's (env->now_ns): pairs[enum ring_clock].  NULL: time stamps
	 * are node time.
	 */
	void (*clocks)(void *arg, struct clock_pair pairs[DRAIN_CLOCKS]);
	/*
	 * The spool is open: the lines of its last collector, see drain_new().
	 * NULL: there are none.
	 */
	struct nodeclock *(*lines)(void *arg);
	/*
	 * A PO of the journal that nobody has handed on.  May adopt it.  True:
	 * its process lives and may still be found to have its memory, so it
	 * is asked for again each second; false: if it is not adopted now, it
	 * is gone for good.  NULL: always that.
	 */
	bool (*missing)(void *arg, const struct po *);
	/* Reads the node's counters.  NULL, or false: there are none. */
	bool (*measure)(void *arg, struct measures *);
	/* Records of the scheduler, see sched.h.  NULL: there are none. */
	sched_read *sched;
	/* It is to be sampled so often from now on, 0: not.  NULL: it cannot.
	 */
	void (*sampling)(void *arg, struct drain_po *, uint32_t rate_hz);
	/*
	 * A PO has code that is not known: whoever knows more says so by
	 * collector_core_module().  NULL: nobody does.
	 */
	void (*code)(void *arg, struct drain_po *);
	/*
	 * What is there?  To be answered by collector_core_symbol(), at some
	 * time; false: nobody will.  NULL: always that.
	 */
	bool (*resolve)(void *arg, const struct msg_resolve *);
	/* monitord has told the node's number */
	void (*welcomed)(void *arg);
	/* all is drained, told and released; free the core, not in here */
	void (*stopped)(void *arg);
};

/* NULL with errno set: that of the spool, see spool_open(). */
struct collector_core *collector_core_new(struct env *,
    const struct collector_options *, const struct collector_ops *, void *arg);
void collector_core_free(struct collector_core *); /* NULL is fine */

/* For the next segment: PO number, number of the node (0: not known yet). */
uint32_t collector_core_next_po(const struct collector_core *);
uint32_t collector_core_node(const struct collector_core *);
/* The node's number is known, or somebody has waited for it before. */
bool collector_core_numbers_sure(const struct collector_core *);
uint32_t collector_core_mask(const struct collector_core *);
struct ident *collector_core_ident(const struct collector_core *);

/*
 * A new PO; m->po must be collector_core_next_po().  NULL: ENOMEM, or
 * ESHUTDOWN when the collector is stopping.
 */
struct drain_po *collector_core_attach(struct collector_core *,
    const struct msg_po *m, const struct source *);
/*
 * How many of the first names of a process that attaches are those of a PO, by
 * its number and the time when it attached, and need not be told again.
 */
uint32_t collector_core_inherited(struct collector_core *, uint32_t po,
    int64_t t_node_ns, uint32_t names);
/* One that a process before this one had; the same for its successor. */
struct drain_po *collector_core_adopt(struct collector_core *,
    const struct msg_po *m, const struct source *);
/*
 * No more to adopt: POs of the journal that nobody has are missing now.  Their
 * counts are unknown until they are adopted; without hope they are gone.
 */
void collector_core_adopted(struct collector_core *);
/*
 * A file's code that is in the memory of a PO; the PO's number is not looked
 * at.  Before the process has its answer, so that nothing of it is missed.
 */
void collector_core_module(struct collector_core *, struct drain_po *,
    const struct msg_module *);
/* An answer to resolve(), level by level; of a helper that need not be right.
 */
void collector_core_symbol(struct collector_core *, const struct msg_symbol *);
/* How often it is to be sampled, as options and the run's choice say. */
uint32_t collector_core_sample_hz(const struct collector_core *,
    const struct drain_po *);
/*
 * How its threads are sampled from now on: so often, 0: no more; kernel: also
 * where they are within the kernel.  It is told of, and so are their switches.
 */
void collector_core_sampling(struct collector_core *, struct drain_po *,
    const char *way, uint32_t rate_hz, bool kernel);
/* Its process has gone away. */
void collector_core_detach(struct collector_core *, struct drain_po *);

/*
 * Who has wanted to attach since we were started and could not; copied.
 */
void collector_core_unattached(struct collector_core *,
    const struct unattached *);

/* Sweeps, sends what can be sent within a few seconds, then stopped(). */
void collector_core_stop(struct collector_core *);

#endif
