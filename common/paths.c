/*
 * The runtime directory and what is in it.
 */
#include "paths.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SUN_PATH_MAX 108

static int
make_private(const char *dir)
{
	struct stat st;

	if (mkdir(dir, 0700) == -1 && errno != EEXIST)
		return (-1);
	if (stat(dir, &st) == -1)
		return (-1);
	if (!S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		return (-1);
	}
	if (st.st_uid != geteuid()) {
		errno = EPERM;
		return (-1);
	}
	return (0);
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
		errno = ENAMETOOLONG;
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
