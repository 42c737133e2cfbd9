/*
 * The part of a model that has what was measured (see keep/held.h), and what
 * the writer does with each measurement.
 */
#ifndef VIEWER_MEASURED_PART_H
#define VIEWER_MEASURED_PART_H

#include "model/run/take.h"

/* Counters; counters.c. */
struct counters {
	pthread_mutex_t lock; /* of all series */
	struct chunk data;    /* of struct counter_data */
	/* lane << 32 | name; [1]: of real ones; [2]: of declared kinds the
	 * first of those of an event */
	struct idmap map[3];
	struct own *own; /* the writer's */
	_Atomic uint32_t n;
};

/* Threads as the scheduler saw them; scheds.c; locked as counters are. */
struct scheds {
	struct chunk data;     /* of struct sched_data */
	struct chunk from;     /* of int64_t, by number of the PO */
	struct idmap map;      /* number of the PO << 32 | tid */
	struct idmap tid_map;  /* the same, to lanes */
	struct idmap lane_map; /* from a lane to the last of its threads */
	_Atomic uint32_t n;
};

/* What samplers have found; samples.c. */
struct samples {
	struct chunk found;  /* of struct sample */
	struct chunk stacks; /* of struct sample_stack */
	struct idmap map;    /* number of the PO << 32 | stack's, to an index */
	_Atomic uint32_t n, nstacks;
};

/* Phases that have ended; phases.c. */
struct phases {
	struct chunk found; /* of struct phase */
	_Atomic uint32_t n;
	_Atomic uint64_t left; /* more than those: left out */
};

struct measured_part {
	struct run_part below;
	struct counters counters;
	struct scheds scheds;
	struct samples samples;
	struct phases phases;
};

static inline struct counters *
counters_of(const struct model *m)
{
	return (&((struct measured_part *)m)->counters);
}

static inline struct scheds *
scheds_of(const struct model *m)
{
	return (&((struct measured_part *)m)->scheds);
}

static inline struct samples *
samples_of(const struct model *m)
{
	return (&((struct measured_part *)m)->samples);
}

static inline struct phases *
phases_of(const struct model *m)
{
	return (&((struct measured_part *)m)->phases);
}

/* counters.c: writer; one event; when a model is begun, found again, freed */
void counter_event(struct model *, const struct location *,
    const struct event *);
void counter_own(struct model *, const struct location *, const struct event *);
void counters_init(struct model *);
void counters_wake(struct model *);
void counters_clear(struct model *);

/* scheds.c: writer; one event; a thread has been defined; its process has
 * ended */
void sched_event(struct model *, const struct location *, const struct event *);
int scheds_thread(struct model *, const struct frame *);
void scheds_process_over(struct model *, uint32_t po_lane, int64_t t_ns);
void scheds_init(struct model *);
void scheds_clear(struct model *);

/* samples.c: writer; one event */
void sample_event(struct model *, const struct location *,
    const struct event *);
void samples_init(struct model *);
void samples_clear(struct model *);

/* phases.c: writer; one has ended, having done so many units of work */
void phase_add(struct model *, const struct location *, const struct slot *,
    int64_t t_ns, uint64_t units);
void phases_init(struct model *);
void phases_clear(struct model *);

#endif
