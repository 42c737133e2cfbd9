/*
 * On-line event reordering with causal repair: many streams in, one stream
 * out, ordered by corrected monitor time, no effect before its cause.
 *
 * Nothing here reads a clock or a socket: time comes in with the calls, and
 * the output is a pure function of the calls and their order.  Method and
 * proof: docs/order.md.
 */
#ifndef MONITORD_REORDER_H
#define MONITORD_REORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct event_slot; /* eventpool.h */
struct reorder;

struct reorder_options {
	int64_t stall_ns;  /* a node silent so long is waited for no more */
	int64_t orphan_ns; /* an effect waits at most so long for its cause */
	int64_t l_min_ns;  /* an effect is at least so much after its cause */
	size_t held_bytes_max; /* of all nodes together */
	size_t window_bytes;   /* of one node that is ahead of others; */
	size_t floor_bytes;    /* at least this, however many they are */
	size_t causes_max;     /* remembered causes; the oldest are forgotten */
};
extern const struct reorder_options reorder_defaults;

/*
 * n events, in final order; flags and shift_ns are set.  Events flagged
 * EVENT_LATE belong before events already emitted.  Borrowed.
 */
typedef void reorder_emit(void *arg, const struct event *, size_t n);
/* A node is excluded (stall) or included again; held: ns of silence. */
typedef void reorder_stall(void *arg, uint32_t node, bool stalled, int64_t ns);

struct reorder *reorder_new(const struct reorder_options *, reorder_emit *,
    reorder_stall *, void *arg);
void reorder_free(struct reorder *); /* drops what is held; NULL is fine */

/* Nodes and streams come and go; numbers are the caller's, dense from 0. */
int reorder_node_add(struct reorder *, uint32_t node);
/* Its watermark no longer counts; what it has pushed is still emitted. */
void reorder_node_remove(struct reorder *, uint32_t node);
int reorder_stream_add(struct reorder *, uint32_t stream, uint32_t node);
/* Its last event so far had this corrected time; what follows is later. */
void reorder_stream_floor(struct reorder *, uint32_t stream,
    int64_t corrected_mon_ns);
void reorder_stream_close(struct reorder *, uint32_t stream);

/*
 * Events of one stream, in their order, with t_mon_ns mapped but not yet
 * corrected.  Copies all or none.  An event whose seq is not above the one
 * before it is dropped and counted.  Returns 0, or -1 with ENOMEM, EINVAL
 * (no such stream) or ENOBUFS (twice as much is held as the options allow:
 * close the connection, it will repeat).
 */
int reorder_push(struct reorder *, uint32_t stream, const struct event *,
    size_t n);

/*
 * The same without the copy: places for the next events of this stream, where
 * they stay; *n of them, no more than it was before.  NULL as above.
 */
struct event_slot *reorder_room(struct reorder *, uint32_t stream, size_t *n);
/* The first n of these places are filled, as if they had been pushed. */
void reorder_commit(struct reorder *, uint32_t stream, size_t n);

/*
 * So many events of this stream will be pushed in a moment: has the memory
 * brought near.  Only a hint.
 */
void reorder_expect(const struct reorder *, uint32_t stream, size_t n);

/*
 * It is so late: what is pushed and claims to be of much later is not believed.
 * For who has not called one of the next two for a while, as after a stop.
 */
void reorder_now(struct reorder *, int64_t now_mon_ns);

/*
 * The node has told everything before mark_mon_ns.  error_ns: bound of its
 * clock's error.  now: monitor clock.
 */
void reorder_advance(struct reorder *, uint32_t node, int64_t mark_mon_ns,
    int64_t error_ns, int64_t now_mon_ns);

/*
 * Emits all that has become final.  Call at most so long after a push or an
 * advance while anything is held: it is added to the delay of every event.
 */
#define REORDER_TICK_NS 500000
void reorder_tick(struct reorder *, int64_t now_mon_ns);

/*
 * Somebody has no room left while no node gets on: what is older than stall_ns
 * is emitted by the next tick, and what comes before it then is late.  While a
 * node does get on, nothing happens.
 */
void reorder_let_go(struct reorder *);

/* The run is over: emits everything, whatever it waited for. */
void reorder_flush(struct reorder *);

/* Everything before this has been emitted (but for late events). */
int64_t reorder_watermark(const struct reorder *);
/*
 * Goes on behind a log that ends at this time: what belongs before it is
 * late.  Before the first advance only.
 */
void reorder_resume(struct reorder *, int64_t watermark_mon_ns);
/*
 * An event of that log, in order: causes in it are known from then on, so
 * that their effects, still to come, are no orphans.  -1 with ENOMEM.
 */
int reorder_remember(struct reorder *, const struct event *);

/*
 * Called from reorder_tick() and reorder_flush() for each effect that has met
 * its cause on another node, with their mapped times, before any correction.
 */
typedef void reorder_match(void *arg, uint32_t cause_node, uint32_t effect_node,
    int64_t cause_mon_ns, int64_t effect_mon_ns);
void reorder_on_match(struct reorder *, reorder_match *, void *arg);

/*
 * The cause of an effect that was emitted as an orphan has come after all;
 * their corrected times.  The cause itself is emitted as ever.
 */
typedef void reorder_found(void *arg, const struct event *cause,
    int64_t cause_mon_ns, int64_t effect_mon_ns);
void reorder_on_found(struct reorder *, reorder_found *, void *arg);

/*
 * A node's clock is wrong by more than three times its bound, for three tenths
 * of a second at least: it is in quarantine, and its causes no longer drag
 * effects of other nodes forward (these are flagged orphans instead).  Or it
 * has been good for a second of talk, and is believed again.
 */
typedef void reorder_doubt(void *arg, uint32_t node, bool doubted,
    int64_t worst_ns, int64_t bound_ns);
void reorder_on_doubt(struct reorder *, reorder_doubt *, void *arg);
bool reorder_doubts(const struct reorder *, uint32_t node);

size_t reorder_held_bytes(const struct reorder *);
/* Memory of the system that it has, held events and all tables: bytes. */
size_t reorder_memory_bytes(const struct reorder *);
/* More is held than the options allow. */
bool reorder_full(const struct reorder *);
/* How far this node is ahead of the slowest that is waited for. */
int64_t reorder_lead_ns(const struct reorder *, uint32_t node);
/*
 * Reading from this node should stop for now: it is ahead of others and has
 * used up its window, or all together have used up theirs.  Never true of a
 * node that the watermark waits for, so that there is always one that can go
 * on.  Ask after pushes and ticks.
 */
bool reorder_ahead(struct reorder *, uint32_t node);
/* It is not read from (or is again): its silence is not held against it. */
void reorder_hold(struct reorder *, uint32_t node, bool);
/* Nobody has to say anything for a while, and is not silent by that. */
void reorder_rest(struct reorder *, bool resting);

struct reorder_stats {
	uint64_t in, out, late, orphans, shifted, matched, cycles;
	uint64_t duplicates; /* seq did not rise: dropped */
	uint64_t backward;   /* time ran back inside a stream */
	uint64_t future;     /* time more than a second ahead: not believed */
	uint64_t forgotten;  /* effects whose cause was known, but forgotten */
	uint64_t stalls;
	uint64_t disbelieved; /* orphans with a cause of impossible time */
	uint64_t found;       /* causes of orphans that have come later */
	int64_t shift_max_ns;
	uint32_t parked, stalled_nodes;
	uint32_t doubted; /* nodes in quarantine */
	uint64_t causes;
};
void reorder_stats(const struct reorder *, struct reorder_stats *);

#endif
