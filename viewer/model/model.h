/*
 * What the viewer knows about a run: fed with the frames of the log, asked by
 * the layouts.  No pixels, no X, no sockets.
 *
 * One writer (the ingest thread) calls model_add_frame(); readers (the UI
 * thread) may call everything else at any time.  Arrays grow by chunks and
 * never move; a count is published after what it counts, so a reader needs no
 * lock and sees a consistent past.  The few structures that are rebuilt
 * (lane order, groups) carry a generation number.
 */
#ifndef VIEWER_MODEL_H
#define VIEWER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "frame.h"
#include "model/run/run.h"
#include "model/tree/tree.h"

struct model;

struct model *model_new(void);
void model_free(struct model *);

/*
 * Writer: takes one frame of the log (others are ignored).  Returns 0, -1
 * with errno when it is damaged or memory is out.
 */
int model_add_frame(struct model *, const struct frame *);
/* Writer, for tests and benches: events as a block of the log has them. */
void model_add_events(struct model *, const struct event *, size_t n);

/* Readers from here on.  Times are monitor ns. */
/*
 * Shares of the classes in pixels first to until - 1 of n equal ones of [t0,
 * t1) of a lane or, for nodes, POs and threads, of all below: share[i *
 * LANE_CLASSES + class] in 1/255.  dominant_name[i] (may be NULL): name with
 * most time in that pixel. O(n log events); never slower than that, at any
 * zoom.
 */
void model_lane_pixels(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, unsigned n, unsigned first, unsigned until, uint8_t *share,
    uint32_t *dominant_name);
/*
 * list.c: how many spans begin on a lane, or the only thread below it; false:
 * it has none of its own.  O(log spans).
 */
bool model_lane_listed(const struct model *, uint32_t lane, uint64_t *n);
/*
 * So many of them from the one with this number on, from 0; an end is where
 * something else begins on the lane.  O(log spans + max).  max + 1: they have
 * been given up for want of memory.
 */
size_t model_lane_list(const struct model *, uint32_t lane, uint64_t from,
    struct span *out, size_t max);
/*
 * whole.c: one of those as a whole, of a thread: s->t1_mon_ns is when it is
 * over or is suspended with its task, INT64_MAX: it goes on.  What has
 * interrupted it: so many spans began within, and so long the thread waited or
 * was idle.
 */
struct whole {
	uint64_t within;
	int64_t waits_ns;
	bool more; /* it is at least so long: it has too many pieces */
};
void model_lane_whole(const struct model *, uint32_t lane, struct span *s,
    struct whole *);
/*
 * whole.c: the rows that a span of this row is in, one after the other: what
 * lies further out may end before it does.  At most max are written; returns
 * how many there are, 0: not known.
 */
struct span_stay {
	uint32_t lane;
	int64_t until_ns; /* INT64_MAX: it goes on */
};
size_t model_lane_stays(const struct model *, uint32_t row,
    const struct span *, struct span_stay *, size_t max);
/*
 * whole.c: the name of the call that a span of a row of a depth was made in, 0:
 * it has none, or that is not known.  nth: see struct span.
 */
uint32_t model_caller(const struct model *, uint32_t row, int64_t t0,
    int64_t t1, uint32_t nth);
/*
 * Spans of a lane that touch [t0, t1), in order; at most max are written.
 * Returns how many there are, or max + 1 when more.  out may be NULL: they are
 * only counted.
 */
size_t model_lane_spans(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, struct span *out, size_t max);
/*
 * The span of a lane, or of the only thread below it, that lasts at an instant,
 * of several that begin then the last.  0: nothing lasts then; -1: that is not
 * known, only sums are left of that time.  O(log spans).
 */
int model_lane_span_at(const struct model *, uint32_t lane, int64_t t_mon_ns,
    struct span *out);
/*
 * What a thread is in at an instant, outermost first, a wait last: at most max
 * are written; returns how many there are.  All events up to and at that time
 * count.
 */
size_t model_stack(const struct model *, uint32_t lane, int64_t t_mon_ns,
    struct span *out, size_t max);
/*
 * All of it, at *all: few[], or memory to be freed; without memory the first
 * nfew of them.
 */
size_t model_stack_all(const struct model *, uint32_t lane, int64_t t_mon_ns,
    struct span *few, size_t nfew, struct span **all);
/* The name of the innermost call, waits apart; 0: none that it told of. */
uint32_t model_call_at(const struct model *, uint32_t lane, int64_t t_mon_ns);
/*
 * stats.c: of the whole run, by kind and name, in the order in which they first
 * ran; at most max are written, returns how many there are.  Of waits and
 * suspensions that go on what there has been so far counts.
 */
size_t model_name_stats(const struct model *, struct name_stats *, size_t max);
/*
 * The instant that is n events (n < 0: back) from t_mon_ns, of those that can
 * be seen on a lane or below it, UINT32_MAX: on any; all at one time are one.
 * As far as there are any; t_mon_ns when there is none.  O(lanes log events).
 */
int64_t model_step(const struct model *, uint32_t lane, int64_t t_mon_ns,
    long n);
/*
 * Exact ns by class in [t0, t1) of a lane, and how many spans began there.
 * False: single changes at t0 or t1 were given up, and the figures are as good
 * as the shares of what is left; past/sums.h makes them exact.
 */
bool model_lane_totals(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, int64_t by_class[LANE_CLASSES], uint64_t *spans);

/*
 * Of pixels first to until - 1 of n equal ones of [t0, t1) the shares of the
 * classes, [i * LANE_CLASSES + class] in 1/255, of the time of all threads, of
 * many threads of some that are evenly chosen; or their sums, which are added,
 * MODEL_PIXEL for all of a pixel of one thread.
 */
#define MODEL_PIXEL 65280u
uint32_t model_overview_each(uint32_t threads); /* of so many it takes one */
void model_overview(const struct model *, int64_t t0, int64_t t1, unsigned n,
    unsigned first, unsigned until, uint8_t *share);
void model_overview_sums(const struct model *, int64_t t0, int64_t t1,
    unsigned n, unsigned first, unsigned until, uint64_t *sum);
/* Events in each of n equal pixels. */
void model_density(const struct model *, int64_t t0, int64_t t1, unsigned n,
    uint32_t *density);

#endif
