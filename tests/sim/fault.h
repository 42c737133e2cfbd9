/*
 * Everything that goes wrong in the simulated world, by kind.
 *
 * Timed faults happen to a machine or a process at a time of their own; the
 * others strike single operations (a packet, a write, an allocation) with a
 * probability.  Each kind has its own source of chance, so that switching one
 * off leaves the others where they are: that is what makes shrinking work.
 */
#ifndef TESTS_SIM_FAULT_H
#define TESTS_SIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/sim/model.h"

enum fault {
	FAULT_PROGRAM_KILL,
	FAULT_PROGRAM_STOP,
	FAULT_COLLECTOR_KILL,
	FAULT_COLLECTOR_STOP,
	FAULT_MONITORD_KILL,
	FAULT_MONITORD_STOP,
	FAULT_POWER,
	FAULT_CUT,
	FAULT_RESET,
	FAULT_STEP,
	FAULT_SLEW,
	FAULT_SUSPEND,
	FAULT_REBOOT,
	FAULT_DISK_FULL,
	FAULT_DISK_ERROR,
	FAULTS_TIMED,
	FAULT_PREEMPT = FAULTS_TIMED,
	FAULT_LOSS,
	FAULT_DELAY,
	FAULT_DUPLICATE,
	FAULT_TRUNCATE,
	FAULT_FLIP,
	FAULT_SHORT_WRITE,
	FAULT_SYNC,
	FAULT_READ_ERROR,
	FAULT_READ_FLIP,
	FAULT_SLOW_DISK,
	FAULT_NO_MEMORY,
	FAULT_CRASH,
	FAULT_OVERTAKE,
	FAULT_RACE,
	FAULT_DROP,
	FAULTS
};
extern const char *const fault_name[FAULTS];
#define CLOCK_FAULTS (1u << FAULT_STEP | 1u << FAULT_SLEW | 1u << FAULT_SUSPEND)
/* What a relay between collector and monitord may do to frames. */
#define RELAY_FAULTS                                                           \
	(1u << FAULT_DUPLICATE | 1u << FAULT_DROP | 1u << FAULT_DELAY |        \
	    1u << FAULT_OVERTAKE | 1u << FAULT_TRUNCATE | 1u << FAULT_FLIP)
/* After these nobody has a reason to close a connection. */
#define HARMLESS_FAULTS                                                        \
	(1u << FAULT_DUPLICATE | 1u << FAULT_DELAY | 1u << FAULT_OVERTAKE |    \
	    1u << FAULT_PROGRAM_KILL | 1u << FAULT_PROGRAM_STOP |              \
	    1u << FAULT_PREEMPT | 1u << FAULT_RACE | 1u << FAULT_SLEW)
#define FAULTS_ALL (~0u >> (32 - FAULTS))

struct faults {
	unsigned kinds; /* that may happen, a bit each */
	int64_t from_ns, until_ns;
	double mean_ns; /* between timed faults of one kind */
	struct chance chance[FAULTS];
	double rate[FAULTS];
	uint64_t skip[FAULTS]; /* operations until the next one is struck */
	uint64_t count[FAULTS];
};

/* kinds: those of this seed; of these about every gap_ns a timed one. */
void faults_init(struct faults *, struct chance *, unsigned kinds,
    int64_t from_ns, int64_t until_ns, int64_t gap_ns);
/* All go on for ever, and this one strikes so many times as often; at most so.
 */
void faults_often(struct faults *, enum fault, double times, double most);
/* When the next one of a timed kind is due, counted from now. */
int64_t fault_wait(struct faults *, enum fault);
/* Is this operation struck?  Counts it if so. */
bool fault_strikes(struct faults *, enum fault, int64_t now_ns);

#endif
