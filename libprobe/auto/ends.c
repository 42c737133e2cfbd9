/* What libprobe asks of us at the end of a thread and of the process: counts
 * that have not been told are told. */
#include "internal.h"
#include "libprobe/auto/heap/heap.h"
#include "libprobe/auto/locks/lock_count.h"

void
process_thread_ends(void)
{
	heap_thread_ends();
	lock_thread_ends();
}

void
process_ends(void)
{
	heap_ends();
	lock_ends();
}
