/*
 * From the cycles of a ring record to this node's clock.
 *
 * Fed with pairs (cycles, node time) read together; answers with a
 * continuous, rising, piecewise linear function.  What lies before the newest
 * pair is never changed: a time stamp is converted to the same instant
 * whenever it is asked for, as long as its piece is remembered.  What lies
 * behind it is a guess: so stamps are asked for when a later pair is known.
 *
 * It may lie in memory that outlives the process: whoever comes next goes on
 * with the same line, wherever the one before was killed.
 */
#ifndef COLLECTOR_NODECLOCK_H
#define COLLECTOR_NODECLOCK_H

#include <stdatomic.h>
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

/* What the next pair is held against. */
struct nodeclock_fit {
	uint32_t pairs, refused;
	uint32_t best_cycles;  /* narrowest pair so far */
	uint64_t asked_cycles; /* of the newest pair, good or not */
	int64_t rate_q40;      /* the last that came from a good baseline */
	struct clock_pair older, newer; /* ends of the baseline */
};

/* All zero is a clock that knows nothing. */
struct nodeclock {
	struct nodeclock_piece pieces[NODECLOCK_PIECES];
	_Atomic uint32_t npieces; /* ever made; the last are remembered */
	_Atomic uint32_t turn;    /* fits[turn % 2] holds */
	struct nodeclock_fit fits[2];
};

/* Takes a pair.  Pairs that were torn apart by preemption are passed over. */
void nodeclock_update(struct nodeclock *, const struct clock_pair *);
/*
 * Goes on with a line that somebody has left, at a first pair (which is to be
 * told by nodeclock_update() as well).  A line that does not lead there, as of
 * another clock, or that makes no sense is forgotten.
 */
void nodeclock_resume(struct nodeclock *, const struct clock_pair *now);
/* Two pairs far enough apart have been seen. */
bool nodeclock_ready(const struct nodeclock *);
/* Must be ready.  About 2 ns. */
int64_t nodeclock_ns(const struct nodeclock *, uint64_t t_cycles);

#endif
