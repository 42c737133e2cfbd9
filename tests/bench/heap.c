/*
 * malloc and free, 32 bytes each, eight frames deep: the least time of a pair,
 * in ns, of many short stretches; a ring has room for one.
 *
 *	heap [stretches]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PAIRS 500

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (t.tv_sec * INT64_C(1000000000) + t.tv_nsec);
}

__attribute__((noinline)) static int64_t
stretch(int deep)
{
	int64_t t0, t;
	void *p;

	if (deep > 0) {
		t = stretch(deep - 1);
		__asm__ __volatile__("");
		return (t);
	}
	t0 = now_ns();
	for (int i = 0; i < PAIRS; i++) {
		p = malloc(32);
		__asm__ __volatile__("" : "+r"(p));
		free(p);
	}
	return (now_ns() - t0);
}

int
main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
	int64_t least = INT64_MAX, t;

	for (long i = 0; i < n; i++) {
		t = stretch(6);
		least = t < least ? t : least;
		nanosleep(&(struct timespec){ .tv_nsec = 3000000 }, NULL);
	}
	printf("%.1f\n", (double)least / PAIRS);
	return (0);
}
