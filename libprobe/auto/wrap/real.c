/*
 * Finds what the wrappers wrap: the next definition of each name behind this
 * library.
 *
 * dlsym() makes an error message, hence calls malloc, for a name that does not
 * exist; only what this C library has is asked for.  Of conditions it has two
 * versions, of which RTLD_NEXT may give the one of 1998: then the other one is
 * asked for.  What another library has put between, as a sanitizer's does, is
 * taken as it is.
 */
#include "libprobe/auto/wrap/real.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "libprobe/auto/wrap/next.h"
#include "libprobe/meet/bulk.h"

struct real real_ BULK;

static void *
find(const struct next *behind, const char *name)
{
	void *next, *p = NULL;

	if (strncmp(name, "pthread_cond_", 13) != 0)
		return (next_find(behind, name));
	next = dlsym(RTLD_NEXT, name);
	/* dlvsym(), too, makes a message of what is not there */
	if (strcmp(name, "pthread_cond_clockwait") != 0 &&
	    next == dlvsym(RTLD_NEXT, name, "GLIBC_2.2.5"))
		p = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
	return (p != NULL ? p : next);
}

/* POSIX lets a pointer to a function be one to data; ISO C does not. */
static void
set(void *function, void *found)
{
	__atomic_store((void **)function, &found, __ATOMIC_RELAXED);
}

const struct real *
real_find(void)
{
	int saved_errno = errno;
	struct next behind;

	next_open(&behind);
#define REAL(type, name, arguments)                                            \
	if (PROBE_LOAD(&real_.name) == NULL)                                   \
		set(&real_.name, find(&behind, #name));
#include "libprobe/auto/wrap/real.def"
#undef REAL
	errno = saved_errno;
	return (&real_);
}

/* Early, so that hardly any wrapper has to. */
__attribute__((constructor)) static void
real_constructor(void)
{
	(void)real_find();
}
