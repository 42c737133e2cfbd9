/*
 * A process that becomes another user, as servers do that begin as root, can
 * reach its collector no more.  So one that has put off attaching does it
 * before.
 */
#include <sys/syscall.h>

#include <errno.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/attach.h"
#include "libprobe/auto/wrap/auto.h"

#define AS_IT_IS ((uid_t)-1)

/*
 * Are we a child by vfork(2)?  It has its parent's memory, so that what it
 * attached would be the parent's.  The C library does not know of it, and
 * writes the parent's number into a mutex that it locks; the kernel knows.
 */
static bool
is_borrowed(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	int owner;

	CALL(pthread_mutex_lock)(&m);
	owner = m.__data.__owner;
	CALL(pthread_mutex_unlock)(&m);
	return (owner != (int)syscall(SYS_gettid));
}

static void
becomes(uid_t user)
{
	int saved = errno;

	if (user != AS_IT_IS && user != geteuid() &&
	    auto_says(PROBE_CLASS_life) && !is_borrowed())
		auto_attach();
	errno = saved;
}

WRAPPER int
setuid(uid_t user)
{
	becomes(user);
	return (CALL(setuid)(user));
}

WRAPPER int
seteuid(uid_t user)
{
	becomes(user);
	return (CALL(seteuid)(user));
}

WRAPPER int
setreuid(uid_t real, uid_t user)
{
	becomes(user);
	return (CALL(setreuid)(real, user));
}

WRAPPER int
setresuid(uid_t real, uid_t user, uid_t saved)
{
	becomes(user);
	return (CALL(setresuid)(real, user, saved));
}
