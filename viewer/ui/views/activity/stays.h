/*
 * How often, and how long each time, threads were in a state of the scheduler
 * (model/measured/scheds.h): counted some thousand changes a frame, and kept
 * for the frames that follow.  UI thread only.
 */
#ifndef VIEWER_STAYS_H
#define VIEWER_STAYS_H

#include "model/measured/scheds.h"
#include "ui/desk/desk.h"

/*
 * Of a thread in [t0, t1), or what was counted last while that is being done in
 * the frames that follow; false: nothing yet.
 */
bool stays_of(struct ui *, uint32_t sched, int64_t t0, int64_t t1,
    struct sched_stays *);
/* "12 times, 3 µs to 1.2 ms", "": never; or "..." while it is counted. */
char *stays_words(struct ui *, uint32_t sched, int64_t t0, int64_t t1,
    enum sched_state, char *buf, size_t n);
/* Of which state the view States has the columns. */
enum sched_state stays_shown(struct ui *);

#endif
