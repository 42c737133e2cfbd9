/*
 * The clock of one node as monitord sees it: when to probe, what the probes
 * say, the map that follows.  Pure: time and answers come in as arguments.
 *
 * Probes come in bursts; per burst only the tightest bounds are kept; an aged
 * max-gap linear fit runs through them; each fit bends a continuous, strictly
 * increasing map (clockmap.h) towards the new line.  A gap too small for the
 * shortest round trip seen proves that the clock has stepped.
 */
#ifndef MONITORD_CLOCKSYNC_H
#define MONITORD_CLOCKSYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clockmap.h"
#include "common/clock/clockfit.h"

struct clocksync;

/* A new segment of the map is in force; step_ns != 0: the clock has jumped. */
typedef void clocksync_segment(void *arg, const struct clock_segment *,
    int64_t step_ns);

/* phase_seed staggers the bursts of the nodes (a hash of the name). */
struct clocksync *clocksync_new(uint64_t phase_seed, clocksync_segment *,
    void *arg);
void clocksync_free(struct clocksync *);

/*
 * Goes on with a map from the log after monitord was started again: the next
 * segments continue it.
 */
int clocksync_restore(struct clocksync *, const struct clock_segment *);
/*
 * The node's collector has been started anew: whether its clock goes on where
 * the map leaves it has to be proven by the next burst, and until then nothing
 * can be mapped.  If it does not, it is another clock: this one has to be
 * retired, and another one to succeed it.
 */
void clocksync_prove(struct clocksync *);
bool clocksync_proving(const struct clocksync *);
bool clocksync_is_other(const struct clocksync *);
/*
 * No burst comes any more: a last segment goes straight on from where the map
 * is, for what is still to be told of times before now.
 */
void clocksync_last(struct clocksync *, int64_t now_mon_ns);
/* The map stays as it is. */
void clocksync_retire(struct clocksync *);
/* A new one begins the epoch behind those of the other, which must outlive it.
 */
void clocksync_succeed(struct clocksync *, const struct clocksync *before);
/* Events up to this node time have been mapped: their part of the map stays. */
void clocksync_told(struct clocksync *, int64_t node_ns);

/* The connection is there (again), or gone. */
void clocksync_connected(struct clocksync *, int64_t now_mon_ns);
void clocksync_disconnected(struct clocksync *, int64_t now_mon_ns);

/*
 * One of so many nodes: of more than 1024 each is asked every 4 s instead of
 * every second.
 */
void clocksync_crowd(struct clocksync *, unsigned nodes);

/* Nothing has to be mapped for a while: it is asked as one of a crowd is. */
void clocksync_rest(struct clocksync *, bool resting, int64_t now_mon_ns);

/*
 * When the next ping is to be sent; INT64_MAX while one is under way or there
 * is no connection.  Call clocksync_ping() then: it returns the seq to send.
 */
int64_t clocksync_due(const struct clocksync *);
uint32_t clocksync_ping(struct clocksync *, int64_t now_mon_ns);
/*
 * The answer.  t1 and t4 are the monitor's clock, t2 and t3 the node's.  May
 * call the segment call-back.  Returns -1 for an answer to nothing.
 */
int clocksync_pong(struct clocksync *, uint32_t seq, int64_t t1_mon_ns,
    int64_t t2_node_ns, int64_t t3_node_ns, int64_t t4_mon_ns);
/* The same of one that came at t4 and is looked at only now. */
int clocksync_pong_late(struct clocksync *, uint32_t seq, int64_t t1_mon_ns,
    int64_t t2_node_ns, int64_t t3_node_ns, int64_t t4_mon_ns,
    int64_t now_mon_ns);
/*
 * Something of this node time is about to be mapped.  If the last segment was
 * not made for so long (monitord was stopped, no ping came back), a straight
 * one begins where it ends: one that bends would go on away from the line.
 * INT64_MAX: something of now.
 */
void clocksync_reach(struct clocksync *, int64_t node_ns, int64_t now_mon_ns);
/* Time passes without answers: holdover.  Call about once a second. */
void clocksync_tick(struct clocksync *, int64_t now_mon_ns);

/*
 * What the pings say now, with the ageing they were believed with and the
 * epoch of the clock.  False: not locked, nothing to build upon.
 */
bool clocksync_line(const struct clocksync *, struct clock_line *, double *beta,
    uint32_t *epoch);
/*
 * What the pings prove, beside what that line makes likely: how far the truth
 * may be from it now, and how fast it may get farther, ns each ns.
 */
void clocksync_proof(const struct clocksync *, int64_t now_mon_ns,
    double *off_ns, double *turn);
/*
 * Messages between nodes say more than the pings (tighten.h): for the next
 * CLOCKSYNC_TIGHT_NS the map is bent towards this line, as far as that stays
 * within what the pings have proven.  error_ns: bound of the error of the aim.
 * The map meets the line about when the next call is due, so that it neither
 * passes by nor swings: it goes by the time since the last one.
 * May call the segment call-back.
 */
#define CLOCKSYNC_TIGHT_NS ((int64_t)2500000000)
void clocksync_tighten(struct clocksync *, const struct clock_line *aim,
    int64_t error_ns, int64_t now_mon_ns);
/* The map follows such a line. */
bool clocksync_tight(const struct clocksync *, int64_t now_mon_ns);
/*
 * Inside the segment call-back: the burst of pings that has led to this
 * segment, NULL when none has.
 */
const struct clock_burst *clocksync_burst_of_segment(const struct clocksync *);

/* False until the first burst is in: then nothing can be mapped yet. */
bool clocksync_usable(const struct clocksync *);
const struct clockmap *clocksync_map(const struct clocksync *);
/* Map one time / the bound of the error at that time. */
int64_t clocksync_mon(const struct clocksync *, int64_t node_ns);
int64_t clocksync_error(const struct clocksync *, int64_t node_ns);

struct clocksync_stats {
	enum clock_state state;
	int64_t offset_ns, error_ns, rtt_min_ns;
	double skew_ppm, beta_ppm_s;
	uint64_t pings, pongs, fits, steps;
};
void clocksync_stats(const struct clocksync *, int64_t now_node_ns,
    struct clocksync_stats *);

#endif
