/*
 * A program of OpenMP, which knows nothing of us: fib by tasks, many regions,
 * critical sections, a chain of dependences, barriers.  What comes out:
 *
 *	fib(N) makes one task for each call above 1, twice: 2 (fib(N + 1) - 1)
 *	REGIONS regions; THREADS * CRITICALS sections; CHAIN tasks, one after
 *	the other; a region with BARRIERS explicit barriers; one with a task for
 *	each thread and a taskgroup
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS   2
#define REGIONS   20
#define CRITICALS 50
#define CHAIN     10
#define BARRIERS  3

static long
fib(int n)
{
	long a, b;

	if (n < 2)
		return (n);
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return (a + b);
}

static long
regions(void)
{
	long sum = 0;

	for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < 100; i++)
			sum += i;
	}
	return (sum);
}

static long
criticals(void)
{
	long n = 0;

#pragma omp parallel
	for (int i = 0; i < CRITICALS; i++) {
#pragma omp critical
		n++;
	}
	return (n);
}

static long
chain(void)
{
	long x = 1;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < CHAIN; i++) {
#pragma omp task depend(inout : x) shared(x)
		x = x * 3 + 1;
	}
	return (x);
}

static long
barriers(void)
{
	long n[THREADS] = { 0 }, all = 0;

#pragma omp parallel
	{
		for (int i = 0; i < BARRIERS; i++) {
			n[omp_get_thread_num()]++;
#pragma omp barrier
		}
#pragma omp taskgroup
		{
#pragma omp task shared(all)
			{
#pragma omp atomic
				all++;
			}
		}
	}
	return (all + n[0] * 10 + n[1] * 100);
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10;
	long f = 0;

	omp_set_dynamic(0);
	omp_set_num_threads(THREADS);
#pragma omp parallel
#pragma omp single
	f = fib(n);
	printf("fib %ld, sum %ld, critical %ld, chain %ld, barriers %ld\n", f,
	    regions(), criticals(), chain(), barriers());
	return (0);
}
