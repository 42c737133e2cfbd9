/* Who asks monitord for something: a viewer, and whoever ends the run. */
#ifndef TESTS_SIM_GUEST_H
#define TESTS_SIM_GUEST_H

#include "tests/sim/world_inside.h"

struct guest;

/*
 * A viewer that comes at some time, is there until the receipt, and comes again
 * when its connection breaks.  Says what is wrong() with what it is sent.
 */
struct guest *guest_viewer(struct world *);
/* Asks for the end of the run, more than once, and may not wait for it. */
struct guest *guest_control(struct world *);
bool guest_here(const struct guest *); /* monitord has let it in */
bool guest_done(const struct guest *); /* has all that it came for */
/* The run is over. */
void guest_end(struct guest *);
void guest_free(struct guest *); /* NULL is fine */

#endif
