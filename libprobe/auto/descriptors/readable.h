/*
 * Memory that a program gives to a call of the system.
 *
 * The kernel answers EFAULT where there is none; whoever looks at it before the
 * call would die by it.  So what is not known to be there is asked for.
 */
#ifndef LIBPROBE_AUTO_READABLE_H
#define LIBPROBE_AUTO_READABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Asks the kernel, one call of the system a page; errno is kept. */
bool readable_ask(const void *, size_t);

/* What is on the stack of who calls need not be asked for. */
#define READABLE_NEAR 4096u

/* n bytes from p on can be read. */
static inline bool
is_readable(const void *p, size_t n)
{
	uintptr_t above = (uintptr_t)p - (uintptr_t)__builtin_frame_address(0);

	return ((above < READABLE_NEAR && n <= READABLE_NEAR) ||
		readable_ask(p, n));
}

#endif
