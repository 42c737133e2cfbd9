/*
 * The runtime directory and what is in it.
 */
#include "paths.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUN_PATH_MAX 108

static char problem[SUN_PATH_MAX + 160];

/* Why not; what to do about it is the same in all cases. */
static int __attribute__((format(printf, 2, 3)))
refuse(int error, const char *fmt, ...)
{
	size_t n;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(problem, sizeof(problem), fmt, ap);
	va_end(ap);
	n = strlen(problem);
	snprintf(problem + n, sizeof(problem) - n,
	    "; name another directory with --dir or $ORRERY_DIR");
	errno = error;
	return (-1);
}

/*
 * Sockets, the spool and the wake page are believed because nobody else can
 * have put them here.
 */
static int
make_private(const char *dir)
{
	struct stat st;

	if ((mkdir(dir, 0700) == -1 && errno != EEXIST) ||
	    lstat(dir, &st) == -1)
		return (refuse(errno, "%s: %s", dir, strerror(errno)));
	if (!S_ISDIR(st.st_mode))
		return (refuse(ENOTDIR, "%s is %s", dir,
		    S_ISLNK(st.st_mode) ? "a link" : "no directory"));
	if (st.st_uid != geteuid())
		return (refuse(EPERM, "%s belongs to another user (%u)", dir,
		    (unsigned)st.st_uid));
	if ((st.st_mode & 077) != 0)
		return (refuse(EPERM,
		    "%s is open to others (mode %04o): chmod "
		    "700 it",
		    dir, (unsigned)st.st_mode & 07777));
	return (0);
}

const char *
paths_problem(void)
{
	return (problem);
}

const char *
paths_runtime_dir(void)
{
	static char dir[SUN_PATH_MAX];
	const char *s;
	int n;

	if ((s = getenv("ORRERY_DIR")) != NULL && *s != '\0')
		n = snprintf(dir, sizeof(dir), "%s", s);
	else if ((s = getenv("XDG_RUNTIME_DIR")) != NULL && *s != '\0')
		n = snprintf(dir, sizeof(dir), "%s/orrery", s);
	else
		n = snprintf(dir, sizeof(dir), "/tmp/orrery-%u",
		    (unsigned)geteuid());
	if (n < 0 || (size_t)n >= sizeof(dir)) {
		(void)refuse(ENAMETOOLONG, "%.40s...: too long for a socket",
		    s);
		return (NULL);
	}
	return (make_private(dir) == -1 ? NULL : dir);
}

static int
join(char *buf, size_t n, const char *a, const char *b, size_t limit)
{
	const char *dir = paths_runtime_dir();
	int len;

	if (dir == NULL)
		return (-1);
	len = snprintf(buf, n, "%s/%s%s", dir, a, b);
	if (len < 0 || (size_t)len >= n || (size_t)len >= limit) {
		errno = ENAMETOOLONG;
		return (-1);
	}
	return (0);
}

int
paths_monitord(char *buf, size_t n)
{
	return (join(buf, n, "monitord.sock", "", SUN_PATH_MAX));
}

int
paths_collector(char *buf, size_t n, const char *node)
{
	return (join(buf, n, node, "/collector.sock", SUN_PATH_MAX));
}

int
paths_spool(char *buf, size_t n, const char *node)
{
	return (join(buf, n, node, "/spool", n));
}
