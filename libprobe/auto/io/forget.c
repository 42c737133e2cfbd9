/*
 * Calls after which a number means another descriptor, or the same one in
 * another mode, or after which we had better keep still.  Nothing is told of
 * them; what is known is forgotten, before and after, since another thread may
 * look in between.
 */
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <linux/seccomp.h>

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/io.h"
#include "libprobe/auto/heap/heap.h"

#define FORGETS(fd, type, call)                                                \
	do {                                                                   \
		type rc_;                                                      \
		io_forget(fd);                                                 \
		rc_ = (call);                                                  \
		io_forget(fd);                                                 \
		return (rc_);                                                  \
	} while (0)

WRAPPER int
close(int fd)
{
	FORGETS(fd, int, CALL(close)(fd));
}

WRAPPER int
fclose(FILE *f)
{
	int fd = fileno(f);

	FORGETS(fd, int, CALL(fclose)(f));
}

WRAPPER int
pclose(FILE *f)
{
	int fd = fileno(f);

	FORGETS(fd, int, CALL(pclose)(f));
}

WRAPPER FILE *
freopen(const char *path, const char *mode, FILE *f)
{
	int fd = fileno(f);

	FORGETS(fd, FILE *, CALL(freopen)(path, mode, f));
}

WRAPPER FILE *
freopen64(const char *path, const char *mode, FILE *f)
{
	int fd = fileno(f);

	FORGETS(fd, FILE *, CALL(freopen64)(path, mode, f));
}

WRAPPER void
closefrom(int fd)
{
	io_forget_from((unsigned)fd, UINT_MAX);
	CALL(closefrom)(fd);
	io_forget_from((unsigned)fd, UINT_MAX);
}

WRAPPER int
close_range(unsigned first, unsigned last, int flags)
{
	int rc;

	io_forget_from(first, last);
	rc = CALL(close_range)(first, last, flags);
	io_forget_from(first, last);
	return (rc);
}

WRAPPER int
dup2(int from, int to)
{
	FORGETS(to, int, CALL(dup2)(from, to));
}

WRAPPER int
dup3(int from, int to, int flags)
{
	FORGETS(to, int, CALL(dup3)(from, to, flags));
}

WRAPPER int
ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;
	int rc;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	rc = CALL(ioctl)(fd, request, arg);
	if (request == FIONBIO && rc == 0)
		io_set_waits(fd, *(const int *)arg == 0);
	return (rc);
}

/* Its third argument is a number, or a pointer, or nothing. */
WRAPPER int
fcntl(int fd, int command, ...)
{
	va_list ap;
	void *arg;
	int rc;

	va_start(ap, command);
	arg = va_arg(ap, void *);
	va_end(ap);
	if ((command == F_SETLKW || command == F_OFD_SETLKW) &&
	    io_told(PROBE_CLASS_lock)) {
		IO_WAITS(rc, CALL(fcntl)(fd, command, arg), .system = true,
		    .name = PROBE_NAME("lock of a file"), .what = (uint64_t)fd);
		return (rc);
	}
	rc = CALL(fcntl)(fd, command, arg);
	if (command == F_SETFL && rc == 0)
		io_set_waits(fd, ((uintptr_t)arg & O_NONBLOCK) == 0);
	else if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		io_forget(rc);
	return (rc);
}

/* On machines of 64 bits it is the same. */
WRAPPER int fcntl64(int, int, ...) __attribute__((alias("fcntl")));

/*
 * Without privileges no filter is there without PR_SET_NO_NEW_PRIVS.  In the
 * strict mode, as when a program asks for that, not even the clock can be read.
 */
static void
keep_still(int option, unsigned long how)
{
	if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP)
		PROBE_STORE(&io_shut_in, true);
	if ((option == PR_SET_SECCOMP && how == SECCOMP_MODE_STRICT) ||
	    (option == PR_SET_TSC && how == PR_TSC_SIGSEGV)) {
		PROBE_STORE(&auto_mute, true);
		heap_mute();
	}
}

WRAPPER int
prctl(int option, ...)
{
	unsigned long a[4];
	va_list ap;

	va_start(ap, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	keep_still(option, a[0]);
	return (CALL(prctl)(option, a[0], a[1], a[2], a[3]));
}
