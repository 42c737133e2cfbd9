/* Effects beside their causes, by the ids that the programs gave. */
#ifndef TESTS_SIM_CAUSES_H
#define TESTS_SIM_CAUSES_H

#include "event.h"
#include "tests/sim/world_inside.h"

struct causes;

/*
 * growing: NULL, or whose view this is, of a log that is not finished.  An
 * effect may stand before its cause there if it says that it is an orphan.
 * Aborts without memory, as the simulator does.
 */
struct causes *causes_new(struct world *, const char *growing);
void causes_free(struct causes *);
/* Everything is told in the order of the log; says what is wrong(). */
void causes_event(struct causes *, const struct event *);
/* That is all there is; whole: nothing may be left untold. */
void causes_end(struct causes *, bool whole);

#endif
