/*
 * See indexer.h.  The viewer is looked for beside this program, as both are
 * installed and as both are built, then where programs are.  It leaves the
 * terminal, the directory and our descriptors by itself (--background).
 */
#include "indexer.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"

#define MANY_EVENTS 10000000u /* others are read in a second */

bool
indexer_when(const char *text, uint64_t *events)
{
	char *end;

	if (strcmp(text, "no") == 0)
		*events = UINT64_MAX;
	else if (strcmp(text, "yes") == 0)
		*events = MANY_EVENTS;
	else if (text[0] >= '0' && text[0] <= '9') {
		errno = 0;
		*events = strtoull(text, &end, 10);
		return (errno == 0 && *end == '\0');
	} else
		return (false);
	return (true);
}

/* "": it is nowhere near. */
static void
viewer_beside(char *path, size_t n)
{
	static const char *const places[] = { "viewer", "../viewer/viewer" };
	char dir[3000], *slash;
	ssize_t len = readlink("/proc/self/exe", dir, sizeof(dir) - 1);

	path[0] = '\0';
	if (len <= 0)
		return;
	dir[len] = '\0';
	slash = strrchr(dir, '/');
	if (slash == NULL)
		return;
	*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, n, "%s/%s", dir, places[i]);
		if (access(path, X_OK) == 0)
			return;
	}
	path[0] = '\0';
}

/* 0, or errno.  It must not find signals ignored as we ignore them. */
static int
start(const char *viewer, char **argv, pid_t *pid)
{
	posix_spawnattr_t attr;
	sigset_t all, none;
	int r = posix_spawnattr_init(&attr);

	if (r != 0)
		return (r);
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	r = viewer[0] != '\0'
		? posix_spawn(pid, viewer, NULL, &attr, argv, environ)
		: posix_spawnp(pid, "viewer", NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	return (r);
}

void
indexer_start(const char *log)
{
	char viewer[3100];
	char *argv[] = { (char[]){ "viewer" }, (char[]){ "--index" },
		(char[]){ "--background" }, (char[]){ "--" },
		(char *)(uintptr_t)log, NULL };
	int status;
	pid_t pid = -1;

	viewer_beside(viewer, sizeof(viewer));
	errno = start(viewer, argv, &pid);
	if (errno != 0) {
		if (errno != ENOENT)
			log_warn("%s: no viewer can be started to index it",
			    log);
		return;
	}
	while (waitpid(pid, &status, 0) == -1)
		if (errno != EINTR)
			return;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		log_info("%s: indexed by a viewer in the background", log);
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != 127)
		log_warnx("%s: the viewer does not index it", log);
}
