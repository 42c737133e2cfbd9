/*
 * Whether memory is there, without touching it: rt_sigprocmask copies a set of
 * signals from where it is told before it finds that there is nothing to be
 * done with it (EINVAL), or cannot copy it (EFAULT).
 */
#include "libprobe/auto/descriptors/readable.h"

#include <sys/syscall.h>

#include <errno.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/io.h"

#define SET_BYTES  8u
#define PAGE_BYTES 4096u /* or a multiple of it */
#define NO_SUCH    (~0)  /* way of changing a mask */

/* At 0 there is no set, of which nothing is copied. */
static bool
is_there(uintptr_t at)
{
	if (at == 0)
		return (false);
	return (
	    syscall(SYS_rt_sigprocmask, NO_SUCH, at, NULL, SET_BYTES) == 0 ||
	    errno != EFAULT);
}

/* A program that is shut in may not make that call: it is believed. */
bool
readable_ask(const void *p, size_t n)
{
	const uintptr_t from = (uintptr_t)p & ~(uintptr_t)(SET_BYTES - 1);
	const int saved_errno = errno;
	bool all = (uintptr_t)p <= UINTPTR_MAX - n;

	if (n == 0 || PROBE_LOAD(&io_shut_in))
		return (true);
	for (uintptr_t at = from; all && at < (uintptr_t)p + n;
	     at = (at | (PAGE_BYTES - 1)) + 1)
		all = is_there(at);
	errno = saved_errno;
	return (all);
}
