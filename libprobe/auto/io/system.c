/*
 * Waiting for something else than data: children, the time, the disk, locks of
 * files, signals.  These calls wait more often than not, and are dear, so each
 * is told.
 */
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/io.h"
#include "libprobe/auto/descriptors/readable.h"

#define TOLD(name_, what_, waits, rc, call)                                    \
	do {                                                                   \
		if (!(waits) || !io_told(PROBE_CLASS_lock))                    \
			return (call);                                         \
		IO_WAITS(rc, call, .system = true, .name = (name_),            \
		    .what = (uint64_t)(what_));                                \
		return (rc);                                                   \
	} while (0)

WRAPPER pid_t
wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	pid_t rc;

	TOLD(PROBE_NAME("wait for a child"), pid, (options & WNOHANG) == 0, rc,
	    CALL(wait4)(pid, status, options, usage));
}

WRAPPER pid_t
waitpid(pid_t pid, int *status, int options)
{
	pid_t rc;

	TOLD(PROBE_NAME("wait for a child"), pid, (options & WNOHANG) == 0, rc,
	    CALL(waitpid)(pid, status, options));
}

WRAPPER pid_t
wait3(int *status, int options, struct rusage *usage)
{
	return (wait4(-1, status, options, usage));
}

WRAPPER pid_t
wait(int *status)
{
	return (waitpid(-1, status, 0));
}

WRAPPER int
waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	int rc;

	TOLD(PROBE_NAME("wait for a child"), id, (options & WNOHANG) == 0, rc,
	    CALL(waitid)(type, id, info, options));
}

/* 0: none, or none that can be read. */
static uint64_t
span_ns(const struct timespec *t)
{
	return (t == NULL || !is_readable(t, sizeof(*t))
		    ? 0
		    : (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec);
}

WRAPPER int
nanosleep(const struct timespec *span, struct timespec *left)
{
	int rc;

	TOLD(PROBE_NAME("sleep"), span_ns(span), true, rc,
	    CALL(nanosleep)(span, left));
}

WRAPPER int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *span,
    struct timespec *left)
{
	int rc;

	TOLD(PROBE_NAME("sleep"), flags == 0 ? span_ns(span) : 0, true, rc,
	    CALL(clock_nanosleep)(clock, flags, span, left));
}

WRAPPER int
usleep(useconds_t us)
{
	int rc;

	TOLD(PROBE_NAME("sleep"), us * UINT64_C(1000), true, rc,
	    CALL(usleep)(us));
}

WRAPPER unsigned
sleep(unsigned s)
{
	int rc;

	TOLD(PROBE_NAME("sleep"), s * UINT64_C(1000000000), true, rc,
	    (int)CALL(sleep)(s));
}

WRAPPER int
fsync(int fd)
{
	int rc;

	TOLD(PROBE_NAME("fsync"), fd, true, rc, CALL(fsync)(fd));
}

WRAPPER int
fdatasync(int fd)
{
	int rc;

	TOLD(PROBE_NAME("fdatasync"), fd, true, rc, CALL(fdatasync)(fd));
}

WRAPPER int
flock(int fd, int operation)
{
	int rc;

	TOLD(PROBE_NAME("lock of a file"), fd,
	    (operation & (LOCK_NB | LOCK_UN)) == 0, rc,
	    CALL(flock)(fd, operation));
}

WRAPPER int
lockf(int fd, int command, off_t n)
{
	int rc;

	TOLD(PROBE_NAME("lock of a file"), fd, command == F_LOCK, rc,
	    CALL(lockf)(fd, command, n));
}

/* On machines of 64 bits it is the same. */
WRAPPER int lockf64(int, int, off_t) __attribute__((alias("lockf")));

WRAPPER int
pause(void)
{
	int rc;

	TOLD(PROBE_NAME("wait for a signal"), 0, true, rc, CALL(pause)());
}

WRAPPER int
sigsuspend(const sigset_t *signals)
{
	int rc;

	TOLD(PROBE_NAME("wait for a signal"), 0, true, rc,
	    CALL(sigsuspend)(signals));
}

WRAPPER int
sigwait(const sigset_t *signals, int *got)
{
	int rc;

	TOLD(PROBE_NAME("wait for a signal"), 0, true, rc,
	    CALL(sigwait)(signals, got));
}

WRAPPER int
sigwaitinfo(const sigset_t *signals, siginfo_t *info)
{
	int rc;

	TOLD(PROBE_NAME("wait for a signal"), 0, true, rc,
	    CALL(sigwaitinfo)(signals, info));
}

WRAPPER int
sigtimedwait(const sigset_t *signals, siginfo_t *info,
    const struct timespec *timeout)
{
	int rc;

	/* unless somebody listens, the time is not looked at */
	TOLD(PROBE_NAME("wait for a signal"), span_ns(timeout),
	    timeout == NULL || !auto_says(PROBE_CLASS_lock) ||
		span_ns(timeout) != 0,
	    rc, CALL(sigtimedwait)(signals, info, timeout));
}
