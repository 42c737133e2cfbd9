/*
 * A program may have shut itself in with seccomp(2), and a filter of its own
 * lets through what the program needs: a socket is not among that, and the
 * answer may be SIGSYS.  So a process that has no collector yet looks for
 * filters before it looks for one, and once it has put up its own, it looks no
 * longer.  What it was started with is another matter: that of a container
 * returns errors for what it forbids.
 */
#include "sandbox.h"

#include <sys/prctl.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libprobe/meet/bulk.h"

static long inherited;

/* Filters of this thread; 1 if the kernel is too old to count them. */
static long
filters(void)
{
	static BULK char text[4096]; /* with the lock held */
	const char *line = NULL;
	ssize_t n = 0;
	int fd;

	/* the one call, of those that could be made, most programs make */
	if (prctl(PR_GET_SECCOMP) <= 0)
		return (0);
	fd = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
	if (fd != -1) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	line = strstr(text, "\nSeccomp_filters:");
	return (line == NULL ? 1 : strtol(line + 17, NULL, 10));
}

void
sandbox_start(void)
{
	inherited = filters();
}

bool
sandbox_inherited(void)
{
	return (inherited > 0);
}

bool
sandbox_closed(void)
{
	return (filters() != inherited);
}
