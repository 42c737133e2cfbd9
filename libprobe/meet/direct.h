/*
 * Memory and sleep from the kernel without the C library's functions: others
 * take their place, as UCX does for MPI, and hold locks, of which our preloaded
 * library would tell in the midst of what libprobe does; or it does so itself,
 * of sleep: a wait for room in the ring that is told needs room in the ring.
 */
#ifndef LIBPROBE_DIRECT_H
#define LIBPROBE_DIRECT_H

#include <sys/mman.h>
#include <sys/syscall.h>

#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* As mmap(2) and the others have it: MAP_FAILED and -1 with errno set. */

#ifdef __SANITIZE_THREAD__
/* ThreadSanitizer has to know that another thing is at an address now. */
static inline void *
direct_mmap(void *at, size_t bytes, int prot, int flags, int fd)
{
	return (mmap(at, bytes, prot, flags, fd, 0));
}

static inline int
direct_munmap(void *p, size_t bytes)
{
	return (munmap(p, bytes));
}
#else
static inline void *
direct_mmap(void *at, size_t bytes, int prot, int flags, int fd)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's answer */
	return ((void *)syscall(SYS_mmap, at, bytes, prot, flags, fd, 0L));
}

static inline int
direct_munmap(void *p, size_t bytes)
{
	return ((int)syscall(SYS_munmap, p, bytes));
}
#endif

static inline void *
direct_mremap(void *p, size_t bytes, size_t bytes_new, int flags)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's answer */
	return ((void *)syscall(SYS_mremap, p, bytes, bytes_new, flags, 0L));
}

static inline int
direct_madvise(void *p, size_t bytes, int advice)
{
	return ((int)syscall(SYS_madvise, p, bytes, advice));
}

/* Less than a second; a signal ends it.  May set errno. */
static inline void
direct_sleep(long ns)
{
	struct timespec ts = { .tv_nsec = ns };

	(void)syscall(SYS_nanosleep, &ts, NULL);
}

#endif
