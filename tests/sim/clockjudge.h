/*
 * The clocks of a log against the truth.
 *
 * The log has the map of each clock, a bound for its error, and what state it
 * was thought to be in; the world knows when each event really was.  A clock
 * counts as settled when the log says that it is locked, and has said so since
 * a while, and nothing has disturbed it for as long.
 */
#ifndef TESTS_SIM_CLOCKJUDGE_H
#define TESTS_SIM_CLOCKJUDGE_H

#include "tests/sim/world_inside.h"

struct clockjudge;
struct clock_segment;

struct clockjudge *clockjudge_new(struct world *);
void clockjudge_free(struct clockjudge *);
/*
 * The next segment of the map of a node, as the log numbers it; start: of its
 * collector.
 */
void clockjudge_segment(struct clockjudge *, uint32_t node,
    const struct clock_segment *, uint64_t start);
/* An event of a host, and what was done in truth. */
void clockjudge_event(struct clockjudge *, const struct host *, uint32_t node,
    const struct event *, const struct deed *);
/* All has been seen: is it what this kind of world has promised? */
void clockjudge_end(struct clockjudge *);

#endif
