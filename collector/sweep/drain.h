/*
 * From rings to batches.
 *
 * A look notes how far every ring has come; a take copies what was seen, puts
 * it on the node's clock and encodes it.  The rings' tails move on only when
 * the caller says that what was taken is in the spool, so what is lost with
 * this process is still in the rings.
 */
#ifndef COLLECTOR_DRAIN_H
#define COLLECTOR_DRAIN_H

#include <stdbool.h>

#include "batch.h"
#include "collector/ident/ident.h"
#include "nodeclock.h"
#include "source.h"

#define DRAIN_BATCH_BYTES (256u << 10) /* a batch is closed beyond this */
#define DRAIN_CLOCKS      3            /* index: enum ring_clock */

struct drain;
struct drain_po;

struct drain_ops {
	/*
	 * The writer has a batch's worth.  Makes a batch of it (drain_cut()),
	 * appends it to the spool, calls drain_taken() and resets the writer;
	 * -1 stops the take.
	 */
	int (*full)(void *arg);
	/*
	 * Tells what the scheduler did before this time, see sched_tell().
	 * NULL: nothing of it is known.
	 */
	bool (*sched)(void *arg, int64_t before_node_ns);
};

/*
 * lines: DRAIN_CLOCKS of them, as somebody before this process has left them
 * or all zero; for as long as the drain is there.  NULL: its own.
 */
struct drain *drain_new(struct ident *, struct batch_writer *,
    const struct drain_ops *, void *arg, struct nodeclock *lines);
void drain_free(struct drain *);

/*
 * Before a PO is attached or buried: the batch has room for what is told of
 * it.  -1 when full() has said so.
 */
int drain_room(struct drain *);

/*
 * Now on each clock; pairs[c] of enum ring_clock c, all at about one time.
 * Before a look: what is vouched for comes from these readings.  And again
 * before a take: no record seen by the look can be of a later time.
 */
void drain_clock(struct drain *, const struct clock_pair pairs[DRAIN_CLOCKS]);

/*
 * A PO's rings.  adopted: they were drained before, by a process that has
 * died.  Tells po_begin if nobody has.  NULL: ENOMEM.
 */
struct drain_po *drain_attach(struct drain *, struct po *,
    const struct source *, bool adopted, int64_t now_node_ns);
/*
 * Its threads are sampled so often from now on, 0: no more; needs room, see
 * drain_room().  way: how; from now on its switches are told, too.  -1: ENOMEM.
 */
int drain_sampling(struct drain_po *, const char *way, uint32_t rate_hz,
    bool kernel, int64_t now_node_ns);
/* No more will come; the rest is drained, then it is released. */
void drain_detach(struct drain_po *, bool clean);
/* Before that: how it has ended (enum ending); else it has vanished. */
void drain_po_ending(struct drain_po *, uint32_t ending);
/*
 * Code of a PO is mapped there.  Addresses that it tells are given names, by
 * file and place, from the first of these calls on (places.h).  -1: ENOMEM.
 */
int drain_module(struct drain_po *, const struct msg_module *);
/*
 * The next name of a place of which nobody has been asked yet, to be found out
 * about; false: none now.  And what is found: goes into the batch.
 */
bool drain_ask(struct drain *, struct msg_resolve *);
int drain_symbol(struct drain *, const struct msg_symbol *);
/*
 * A PO with addresses in code that is not known, the last look at which was
 * before then; now it has been looked at.  NULL: none.
 */
struct drain_po *drain_stray(struct drain *, int64_t before_ns, int64_t now_ns);
/* A PO's names are read now, as many as one take may have. */
void drain_names_of(struct drain *, uint32_t po);
struct po *drain_po_ident(const struct drain_po *);
/* 1: the process has said that it ends in good order */
bool drain_po_bye(const struct drain_po *);
/*
 * drain_measure.c: the i-th PO, NULL: there are no more; what has been told of
 * its counters (NULL: ENOMEM); a reading of them, false: there is none.
 */
struct drain_po *drain_po_at(const struct drain *, size_t i);
struct measures *drain_po_told(struct drain_po *);
bool drain_po_read(const struct drain_po *, struct measures *);
/*
 * Tells those of a reading that differ from what was told, as of this time.
 * -1: not all of them, for want of room or memory.
 */
int drain_measured(struct drain_po *, const struct measures *now,
    struct measures *told, int64_t now_node_ns);
/* Each PO in turn; stops when cb returns non-zero. */
int drain_each(struct drain *, int (*cb)(void *, struct drain_po *), void *);

/* Looks at all rings.  Returns the records that wait to be taken. */
uint64_t drain_look(struct drain *);
/* One is more than a quarter full, or something else will not wait. */
bool drain_urgent(const struct drain *);
/* The clocks are known well enough, and the last look left no ring out. */
bool drain_ready(const struct drain *);
/* Some thread was in the middle of an event at the last look. */
bool drain_active(const struct drain *);
/*
 * Takes everything seen at the last look.  Returns 0, or -1 when full() did;
 * then the same call goes on where it stopped.
 */
int drain_take(struct drain *, int64_t now_node_ns);
/*
 * What the writer holds is made a batch; what comes from here on is not in it.
 */
void drain_cut(struct drain *);
/* That batch is in the spool. */
void drain_taken(struct drain *);
/*
 * After drain_taken(): ends threads and POs that are done.  Accounts for them
 * are then waiting in ident to be saved.  Returns how many ended.
 */
unsigned drain_reap(struct drain *);
/*
 * Once those accounts are saved, and not before: gives back the rings and the
 * memory.  Whoever dies between the two leaves them to a successor.
 */
void drain_release(struct drain *);
/* Ends a PO whose memory is gone: a loss of unknown size.  -1: ENOMEM. */
int drain_bury(struct drain *, struct po *, int64_t now_node_ns);
bool drain_has(const struct drain *, const struct po *);
/* Closes the rings of threads that vanished; once a second is enough. */
void drain_check_threads(struct drain *);

/* Every event before this has been taken.  Never falls. */
int64_t drain_watermark_ns(const struct drain *);

size_t drain_pos(const struct drain *);
size_t drain_threads(const struct drain *); /* with a ring */

#endif
