/*
 * How libprobe starts where programs are linked with it: at once, always.
 * libprobe-auto.so has its own answers (auto/start.c).
 */
#include "internal.h"

bool
process_may_start(void)
{
	return (true);
}

bool
process_attaches_first(void)
{
	return (true);
}

void
process_thread_ends(void)
{
}

void
process_ends(void)
{
}
