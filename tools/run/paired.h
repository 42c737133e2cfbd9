/*
 * Two series that were measured in pairs, one right after the other: is the
 * second one larger?
 *
 * Means alone say so too often: on a busy machine a third of all comparisons
 * of a program with itself do.  So there is an interval, of Student's t over
 * the logarithms of the ratios, and a test of ranks (Wilcoxon 1945, two-sided),
 * which knows no outliers; only where both agree is it said.
 */
#ifndef TOOLS_PAIRED_H
#define TOOLS_PAIRED_H

#include <stddef.h>

enum paired_verdict {
	PAIRED_LESS,
	PAIRED_CANNOT_TELL,
	PAIRED_MORE
};

struct paired {
	double ratio;     /* of the second to the first, geometric mean */
	double low, high; /* 95 % confidence; 0 and infinity of one pair */
	double p;         /* chance to see such ranks if there is nothing */
	enum paired_verdict verdict;
};

/* All values are positive; n > 0.  -1: ENOMEM. */
int paired(const double *first, const double *second, size_t n,
    struct paired *);

double mean_of(const double *, size_t n);
double deviation_of(const double *, size_t n); /* of the sample; 0 of one */
double least_of(const double *, size_t n);

#endif
