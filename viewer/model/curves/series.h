/*
 * The values that a counter has had: a step function of time, of which any
 * range is summed up exactly and any number of pixels is drawn, in time that
 * does not grow with what lies between.
 *
 * Values are kept packed, some bytes each, and are never given up.  Nothing
 * here is locked: that is the caller's.
 */
#ifndef VIEWER_SERIES_H
#define VIEWER_SERIES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIES_BLOCK     64  /* values packed together */
#define SERIES_BLOCK_MAX 256 /* with late ones; beyond, it is two */

/* Of consecutive values; a value is the bits of a double if the series is. */
struct series_sum {
	int64_t t0_ns, t1_ns; /* of the first and the last */
	int64_t first, last, min, max;
	double area; /* value times ns, up to t1_ns */
	uint64_t n;
};

struct series_block {
	struct series_sum sum;
	uint8_t *p;
	uint32_t bytes;
};

struct series {
	bool real; /* before the first value is added */
	uint64_t n;
	struct series_block *blocks; /* packed */
	size_t nblocks, blocks_cap;
	struct series_sum *sums; /* of SERIES_BLOCK blocks each */
	size_t nsums, sums_cap;
	size_t ntail; /* not packed yet */
	int64_t tail_t[SERIES_BLOCK], tail_v[SERIES_BLOCK];
};

/*
 * Usually at or behind the last time; before it (late) in O(blocks).  *bytes
 * grows by what is allocated.  -1: ENOMEM.
 */
int series_add(struct series *, int64_t t_ns, int64_t value,
    _Atomic uint64_t *bytes);
void series_clear(struct series *);
/* A value as a number. */
double series_number(const struct series *, int64_t value);

/*
 * Of [t0, t1): the values that were told in it and, if none was told at t0
 * itself, the one that held there.
 */
struct series_stats {
	bool known; /* there is one at all; else nothing below */
	uint64_t n; /* told in the range */
	int64_t first, last, min, max;
	double mean; /* by how long each held; before the first nothing did */
};
void series_stats(const struct series *, int64_t t0, int64_t t1,
    struct series_stats *);

/* What is unpacked for one question helps with the next. */
struct series_reader {
	size_t block, n;
	int64_t t[SERIES_BLOCK_MAX + 1], v[SERIES_BLOCK_MAX + 1];
};
#define SERIES_READER                                                          \
	{                                                                      \
		.block = SIZE_MAX                                              \
	}
/* The last value at or before a time and the first behind it, if there are. */
struct series_near {
	bool before, after;
	int64_t t0, v0, t1, v1;
};
void series_near(const struct series *, struct series_reader *, int64_t t_ns,
    struct series_near *);

/* Pixel i of n equal ones of [t0, t1). */
struct series_column {
	bool known;
	double lo, hi, last;
};
/*
 * rate: what it grows by in a second, evenly from one value to the next, before
 * the first unknown, behind the last nothing; else the values themselves.
 */
void series_columns(const struct series *, bool rate, int64_t t0, int64_t t1,
    unsigned n, struct series_column *);
/* The same for what of a range is behind the first value; false: nothing. */
bool series_rate(const struct series *, int64_t t0, int64_t t1, double *rate);

#endif
