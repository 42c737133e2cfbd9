/*
 * Functions that call functions, and not a word about it in here: a compiler
 * switch (-finstrument-functions) makes them speak.  This is the program by
 * which uProfiler was held against gprof; what must come out of it:
 *
 *	main     1     calls first and second ten times each
 *	first    10    calls third and fourth ten times each
 *	second   10
 *	third    100   calls fifth ten times
 *	fourth   100
 *	fifth    1000
 *
 * Each call works for some units by itself: ten, but second and fifth one.
 * The only argument is how many microseconds a unit is.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "arguments.h"

#define SILENT __attribute__((no_instrument_function))

static int64_t unit_ns = 10000;

static SILENT int64_t
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return ((int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
}

static SILENT void
work(int units)
{
	int64_t until = cpu_ns() + units * unit_ns;

	while (cpu_ns() < until)
		;
}

void fifth(void);
void fourth(void);
void third(void);
void second(void);
void first(void);

__attribute__((noinline)) void
fifth(void)
{
	work(1);
}

__attribute__((noinline)) void
fourth(void)
{
	work(10);
}

__attribute__((noinline)) void
third(void)
{
	work(10);
	for (int i = 0; i < 10; i++)
		fifth();
}

__attribute__((noinline)) void
second(void)
{
	work(1);
}

__attribute__((noinline)) void
first(void)
{
	work(10);
	for (int i = 0; i < 10; i++)
		third();
	for (int i = 0; i < 10; i++)
		fourth();
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		unit_ns = (int64_t)(1000 * number_arg("microseconds", argv[1],
					       0, 1000000));
	work(10);
	for (int i = 0; i < 10; i++)
		first();
	for (int i = 0; i < 10; i++)
		second();
	return (0);
}
