/* Counters of the system: which there are (measures.def), and readings. */
#ifndef COLLECTOR_MEASURE_H
#define COLLECTOR_MEASURE_H

#include <stdint.h>

enum measure_id {
#define MEASURE(id, of, unit, total, name) MEASURE_##id,
#include "measures.def"
#undef MEASURE
	MEASURES
};

/* One reading, of a process or of a node; what could not be read is not set. */
struct measures {
	uint64_t value[MEASURES];
	uint32_t set; /* a bit for each */
};
_Static_assert(MEASURES <= 32, "a bit for each");

static inline void
measure_set(struct measures *m, enum measure_id id, uint64_t value)
{
	m->value[id] = value;
	m->set |= UINT32_C(1) << id;
}

#endif
