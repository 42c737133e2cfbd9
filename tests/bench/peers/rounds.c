/*
 * As much work each time, by functions that call each other, and with frame
 * pointers if it is made so: the processor time of all of it, in ms.
 *
 *	rounds [ROUNDS]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t kept;

__attribute__((noinline)) static void
work(int n)
{
	uint64_t x = kept;

	for (int i = 0; i < n * 1000; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	kept = x;
}

__attribute__((noinline)) static void
deep(int n)
{
	if (n > 0)
		deep(n - 1);
	work(1 + n);
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 3000;
	struct timespec t;

	for (int i = 0; i < rounds; i++)
		deep(12);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	printf("%.2f\n", (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
	return (0);
}
