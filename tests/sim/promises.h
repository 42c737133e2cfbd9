/* What a log promises of lives, corrections and calm clocks. */
#ifndef TESTS_SIM_PROMISES_H
#define TESTS_SIM_PROMISES_H

#include "clockmap.h"
#include "event.h"
#include "tests/sim/world_inside.h"

struct promises;

/* Aborts without memory, as the simulator does. */
struct promises *promises_new(struct world *);
void promises_free(struct promises *);
/* Everything is told in the order of the log; says what is wrong(). */
void promises_segment(struct promises *, uint32_t node,
    const struct clock_segment *);
/* of: the program that it is an event of, thread 0 being its collector's. */
void promises_event(struct promises *, const struct event *,
    const struct program *of, uint32_t thread);
void promises_end(struct promises *);

#endif
