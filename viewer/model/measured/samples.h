/*
 * What samplers have found (collector(8), --sample): where a thread was, and
 * for how much processor time that stands.  In the order of the log.
 */
#ifndef VIEWER_SAMPLES_H
#define VIEWER_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

struct model;

struct sample {
	int64_t t_mon_ns;
	uint64_t cpu_ns;
	uint32_t stack; /* index + 1; 0: not known */
	uint32_t tid, po_number;
};

/* A place in the code, and where that was called from. */
struct sample_stack {
	uint32_t caller; /* index + 1, below its own; 0: not known */
	uint32_t name;
	uint32_t po_number;
};

uint32_t model_samples(const struct model *);
const struct sample *model_sample(const struct model *, uint32_t i);
uint32_t model_sample_stacks(const struct model *);
const struct sample_stack *model_sample_stack(const struct model *, uint32_t i);
/* The lane of its thread; UINT32_MAX: that has told nothing. */
uint32_t model_sample_lane(const struct model *, const struct sample *);
/* The lane of a process by its number; UINT32_MAX: there is none. */
uint32_t model_sample_po(const struct model *, uint32_t po_number);

#endif
