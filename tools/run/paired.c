#include "paired.h"

#include <math.h>
#include <stdlib.h>

#define EXACT_MAX 60 /* pairs whose ranks are counted out */

double
mean_of(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return (sum / (double)n);
}

double
deviation_of(const double *v, size_t n)
{
	double mean = mean_of(v, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return (n < 2 ? 0 : sqrt(sum / (double)(n - 1)));
}

double
least_of(const double *v, size_t n)
{
	double least = v[0];

	for (size_t i = 1; i < n; i++)
		least = v[i] < least ? v[i] : least;
	return (least);
}

/* Of Student's t, where 97.5 % are below, by degrees of freedom. */
static double
student(size_t df)
{
	static const double table[] = { 0, 12.706, 4.303, 3.182, 2.776, 2.571,
		2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
		2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
		2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042 };
	const size_t last = sizeof(table) / sizeof(table[0]) - 1;

	/* beyond: Fisher's first two terms */
	return (df <= last ? table[df]
			   : 1.95996 + 2.3722 / (double)df +
				 2.8225 / ((double)df * (double)df));
}

static int
by_size(const void *x, const void *y)
{
	double a = fabs(*(const double *)x), b = fabs(*(const double *)y);

	return (a < b ? -1 : a > b);
}

/*
 * Chance that the ranks of one sign have a sum as far from the middle as this:
 * of all 2^n ways to give signs, how many do.
 */
static double
exact_p(double sum, size_t n)
{
	size_t most = n * (n + 1) / 2;
	double *ways = calloc(most + 1, sizeof(*ways)), far = 0, all = 0;
	double low = sum < (double)most - sum ? sum : (double)most - sum;

	if (ways == NULL)
		return (-1);
	ways[0] = 1;
	for (size_t rank = 1; rank <= n; rank++)
		for (size_t s = most; s >= rank; s--)
			ways[s] += ways[s - rank];
	for (size_t s = 0; s <= most; s++) {
		all += ways[s];
		far += (double)s <= low ? ways[s] : 0;
	}
	free(ways);
	return (2 * far < all ? 2 * far / all : 1);
}

static double
normal_p(double sum, size_t count)
{
	double n = (double)count, mean = n * (n + 1) / 4;
	double sd = sqrt(n * (n + 1) * (2 * n + 1) / 24);
	double z = (fabs(sum - mean) - 0.5) / sd, t;

	if (z <= 0)
		return (1);
	/* Abramowitz and Stegun 26.2.17, to 7.5e-8 */
	t = 1 / (1 + 0.2316419 * z);
	return (2 * exp(-z * z / 2) * 0.3989422804 * t *
		(0.319381530 +
		    t * (-0.356563782 +
			    t * (1.781477937 +
				    t * (-1.821255978 + t * 1.330274429)))));
}

/* Of the differences; those that are none are left out.  -1: ENOMEM. */
static double
ranks_p(double *d, size_t n)
{
	double sum = 0;
	size_t same;

	qsort(d, n, sizeof(*d), by_size);
	while (n > 0 && d[0] == 0) {
		d++;
		n--;
	}
	/* equal ones share their ranks */
	for (size_t i = 0; i < n; i += same) {
		for (same = 1; i + same < n && fabs(d[i + same]) == fabs(d[i]);)
			same++;
		for (size_t k = 0; k < same; k++)
			sum += d[i + k] > 0
				   ? (double)i + 1 + (double)(same - 1) / 2
				   : 0;
	}
	return (n == 0           ? 1
		: n <= EXACT_MAX ? exact_p(sum, n)
				 : normal_p(sum, n));
}

int
paired(const double *first, const double *second, size_t n, struct paired *p)
{
	double *d = calloc(n, sizeof(*d)), mean, half;

	if (d == NULL)
		return (-1);
	for (size_t i = 0; i < n; i++)
		d[i] = log(second[i] / first[i]);
	mean = mean_of(d, n);
	half = n < 2 ? HUGE_VAL
		     : student(n - 1) * deviation_of(d, n) / sqrt((double)n);
	*p = (struct paired){ .ratio = exp(mean),
		.low = exp(mean - half),
		.high = exp(mean + half),
		.p = ranks_p(d, n),
		.verdict = PAIRED_CANNOT_TELL };
	free(d);
	if (p->p < 0)
		return (-1);
	if (p->p < 0.05 && p->low > 1)
		p->verdict = PAIRED_MORE;
	if (p->p < 0.05 && p->high < 1)
		p->verdict = PAIRED_LESS;
	return (0);
}
