/* What the parts of crashimage know of each other. */
#ifndef TESTS_SIM_CRASHIMAGE_H
#define TESTS_SIM_CRASHIMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/sim/crash_disk.h"

struct tally {
	uint64_t images, recovered;
	uint64_t lost;     /* things that were acknowledged and are gone */
	uint64_t invented; /* that nobody wrote, or twice */
	uint64_t checked;  /* acknowledged things that were looked for */
	uint64_t again;    /* images of a recovery that crashed, too */
	uint64_t flips, unseen, unsalvaged;
	bool said; /* the first thing that is wrong has been told */
};

/* One thing that is wrong: said once, with what shows it again. */
void tally_wrong(struct tally *, uint64_t *count, const char *what,
    uint64_t seed, const struct crash *);

/* Images of one log (one spool) that was written with this seed. */
void crash_log(uint64_t seed, uint64_t images, struct tally *);
void crash_spool(uint64_t seed, uint64_t images, struct tally *);
/* Each `stride`-th bit of a log of 1 MiB, and all of some frames. */
void crash_flips(uint64_t seed, unsigned stride, struct tally *);

/* A number that nobody makes by chance. */
uint64_t crash_word(uint64_t a, uint64_t b);
/* Which image to make of a recording: all simple ones first. */
struct crash crash_pick(const struct crash_disk *, uint64_t number,
    uint64_t images, bool kill_only, struct chance *);

#endif
