/*
 * From where memory was asked for, as the number of a name:
 *
 *	leaks+0x11d4 < leaks+0x1260 < libc.so.6+0x2724a
 *
 * Each part is a return address less one, as its file has it, innermost first,
 * up to 16 of them.  The collector finds out what is there (mem_code).
 */
#ifndef LIBPROBE_AUTO_HEAP_STACK_H
#define LIBPROBE_AUTO_HEAP_STACK_H

#include <stdint.h>

#define HEAP_STACK_MAX 16

/*
 * About 50 ns; the first time of a stack some microseconds.  0: the table is
 * full, or there is no room for its name.
 */
uint32_t heap_stack(void *frame);

/* The calling thread is new: how far its stack goes. */
void heap_thread_begins(void);

#endif
