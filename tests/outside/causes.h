/*
 * Each effect beside its cause: by what a storm's ids say, not by any flag.
 */
#ifndef TESTS_OUTSIDE_CAUSES_H
#define TESTS_OUTSIDE_CAUSES_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/outside/rows.h"

struct causes;

/*
 * growing: the log as a viewer gets it.  An effect may stand before its cause
 * there if it says that it is an orphan, and the cause must be told as found.
 * lossy: events were lost, so causes may be missing; what misses one says so.
 */
struct causes *causes_new(bool growing, bool lossy);
void causes_free(struct causes *);
/* -1: out of memory. */
int causes_row(struct causes *, const struct row *);
/* That was all; cut: there was more, in which any cause may be. */
void causes_end(struct causes *, bool cut);
/* How many messages from one to another stand there as sent, as received. */
void causes_pair(const struct causes *, unsigned from, unsigned to,
    uint64_t *sent, uint64_t *received);

#endif
