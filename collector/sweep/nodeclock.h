/*
 * From the cycles of a ring record to this node's clock.
 *
 * Fed with pairs (cycles, node time) read together; answers with a
 * continuous, rising, piecewise linear function.  What lies before the newest
 * pair is never changed: a time stamp is converted to the same instant
 * whenever it is asked for, as long as its piece is remembered.  What lies
 * behind it is a guess: so stamps are asked for when a later pair is known.
 */
#ifndef COLLECTOR_NODECLOCK_H
#define COLLECTOR_NODECLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define NODECLOCK_PIECES      128
#define NODECLOCK_BASELINE_NS INT64_C(10000000) /* before it answers */
#define NODECLOCK_NEAR_NS     50                /* the jitter of a good pair */

struct clock_pair {
	uint64_t t_cycles;
	int64_t t_node_ns;
	uint32_t width_cycles; /* between the reads around it; 0: exact */
};

struct nodeclock_piece {
	uint64_t base_cycles;
	int64_t base_node_ns;
	int64_t rate_q40; /* ns per cycle; positive */
};

/* All zero is a clock that knows nothing. */
struct nodeclock {
	struct nodeclock_piece pieces[NODECLOCK_PIECES];
	uint32_t npieces; /* ever made; the last ones are remembered */
	uint32_t pairs, refused;
	uint32_t best_cycles;  /* narrowest pair so far */
	uint64_t asked_cycles; /* of the newest pair, good or not */
	int64_t rate_q40;      /* the last that came from a good baseline */
	struct clock_pair older, newer; /* ends of the baseline */
};

/* Takes a pair.  Pairs that were torn apart by preemption are passed over. */
void nodeclock_update(struct nodeclock *, const struct clock_pair *);
/* Two pairs far enough apart have been seen. */
bool nodeclock_ready(const struct nodeclock *);
/* Must be ready.  About 2 ns. */
int64_t nodeclock_ns(const struct nodeclock *, uint64_t t_cycles);

#endif
