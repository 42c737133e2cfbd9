/*
 * What benches have in common: memory or the end, the time, an order of
 * figures, and a line of bench.tsv.
 */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <time.h>

/* calloc(3), or the end. */
static inline void *
need(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (p == NULL)
		err(EX_OSERR, NULL);
	return (p);
}

static inline double
clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return ((double)t.tv_sec * 1e9 + (double)t.tv_nsec);
}

static inline double
now_ms(void)
{
	return (clock_ns(CLOCK_MONOTONIC) / 1e6);
}

/* For qsort(3) of doubles. */
static inline int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return ((x > y) - (x < y));
}

/* Of the processor: for what does not wait, while other programs may run. */
static inline double
cpu_s(void)
{
	return (clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9);
}

/*
 * One figure beside another, with so many digits; `other` 0: there is none.
 * At once, so that a bench that is cut short has said what it knew.
 */
static inline void
line_digits(int digits, const char *name, double value, const char *unit,
    const char *reference, double other)
{
	printf("%s\t%.*g\t%s\t%s\t%.*g\t%.3g\n", name, digits, value, unit,
	    reference, digits, other, other == 0 ? 0 : value / other);
	fflush(stdout);
}

static inline void
line(const char *name, double value, const char *unit, const char *reference,
    double other)
{
	line_digits(3, name, value, unit, reference, other);
}

#endif
