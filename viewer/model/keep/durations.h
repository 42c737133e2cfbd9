/*
 * How often which duration: 32 buckets for each power of two, so that what is
 * read out of them is at most 3.1 % too long; below 64 ns it is exact, and so
 * is the shortest.  One writer, any readers; an octave is there once something
 * is in it.
 */
#ifndef VIEWER_DURATIONS_H
#define VIEWER_DURATIONS_H

#include <stdatomic.h>
#include <stdint.h>

#define DURATIONS_PARTS   32
#define DURATIONS_OCTAVES 59 /* all of int64_t */

/* All 0: none. */
struct durations {
	_Atomic uint64_t n;
	_Atomic int64_t least_ns; /* the shortest; of no meaning if n is 0 */
	_Atomic(_Atomic uint64_t *) octave[DURATIONS_OCTAVES];
};

/* Below 0 is 0.  0, or -1: ENOMEM.  bytes: grows by what is taken. */
int durations_add(struct durations *, int64_t ns, _Atomic uint64_t *bytes);
/* All of the other to these.  0, or -1: ENOMEM, some of them are added. */
int durations_add_all(struct durations *, const struct durations *,
    _Atomic uint64_t *bytes);
void durations_clear(struct durations *); /* frees */
void durations_zero(struct durations *);  /* keeps its memory */

/*
 * The longest that may be in the bucket of the ceil(n mille / 1000)-th
 * shortest; mille from 1 to 1000.  0: there is none.
 */
int64_t durations_quantile(const struct durations *, unsigned mille);
int64_t durations_least(const struct durations *); /* 0: there is none */
/*
 * The next bucket that has any: *at is 0 at first.  How many; 0: there are no
 * more.  From *lo_ns to *hi_ns, both included.
 */
uint64_t durations_next(const struct durations *, unsigned *at, int64_t *lo_ns,
    int64_t *hi_ns);

#endif
