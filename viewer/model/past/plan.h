/*
 * Which part of the log must be read to know a stretch of time: the model
 * remembers where each block of the log lies, and now and then what every lane
 * was in (a checkpoint), from where reading can begin.
 */
#ifndef VIEWER_PLAN_H
#define VIEWER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

/* Events from one checkpoint to the next, at most.  Tests change it. */
extern uint64_t detail_apart_events;

/* A part of the log, and what is in it. */
struct detail_plan {
	uint64_t from, until; /* offsets: of a block, behind a block */
	uint64_t later;       /* it may be read on until here, see below */
	uint64_t events;      /* all that may be read */
	int64_t t0_ns, t1_ns; /* within these all will be known */
	uint32_t checkpoint;  /* number + 1; 0: none, it is the beginning */
};

/*
 * Writer: what must be read to know all about [t0, t1); t1 beyond the last
 * event is the last event.  False: nothing is missing there, the log's places
 * are not known, or there are more than `most` events to be read.
 */
bool detail_plan(const struct model *, int64_t t0, int64_t t1, uint64_t most,
    struct detail_plan *);
/* Memory of what is fetched back, at most: of an event, and of none at all. */
#define DETAIL_EVENT_B 16
#define DETAIL_BASE_B  (UINT64_C(2) << 20)
/* Events that a stretch may have within the memory allowed. */
uint64_t detail_most(const struct model *);
/* As detail_plan(), of what is there, too, and nothing is read for
 * effects alone; t0 may be t1.  From a checkpoint on whose number, from 1, is
 * a multiple of grain. */
bool detail_plan_at(const struct model *, int64_t t0, int64_t t1,
    uint32_t grain, uint64_t most, struct detail_plan *);
/* Events from one checkpoint to the next. */
uint64_t detail_apart(const struct model *);
/* A checkpoint about so many events behind t; INT64_MAX: there is none. */
int64_t detail_part_end(const struct model *, int64_t t, uint64_t events);

#endif
