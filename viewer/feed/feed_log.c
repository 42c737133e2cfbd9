/*
 * The log of a run that is watched live: where it lies, if that is on this
 * machine, and what is done with it when the run ends.
 *
 * The kernel says which process is at the other end of a local socket, and what
 * files it has open; the one that begins with this run is the log.
 */
#include "feed/feed_inside.h"

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "feed/cache.h"
#include "model/keep/memory.h"

/* Who listens there; -1: not on this machine. */
static pid_t
listener(const char *address)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct ucred who = { .pid = -1 };
	socklen_t n = sizeof(who);
	int fd;

	if (strncmp(address, "unix:", 5) != 0 ||
	    strlen(address + 5) >= sizeof(to.sun_path))
		return (-1);
	memcpy(to.sun_path, address + 5, strlen(address + 5));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd == -1)
		return (-1);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == -1 ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == -1)
		who.pid = -1;
	close(fd);
	return (who.pid > 0 ? who.pid : -1);
}

static bool
is_of(const char *path, const struct uuid *run)
{
	const char *why;
	struct tracefile *t;
	struct stat st;
	bool good;

	if (path[0] != '/' || stat(path, &st) == -1 || !S_ISREG(st.st_mode) ||
	    (t = tracefile_open(path, &why)) == NULL)
		return (false);
	good = tracefile_run(t) != NULL &&
	       memcmp(&tracefile_run(t)->run, run, sizeof(*run)) == 0;
	tracefile_close(t);
	return (good);
}

bool
log_find(const char *address, const struct uuid *run, char path[PATH_MAX])
{
	char dir[64];
	struct dirent *e;
	bool found = false;
	pid_t pid = listener(address);
	ssize_t n;
	DIR *d;

	snprintf(dir, sizeof(dir), "/proc/%ld/fd", (long)pid);
	if (pid == -1 || (d = opendir(dir)) == NULL)
		return (false);
	while (!found && (e = readdir(d)) != NULL) {
		n = readlinkat(dirfd(d), e->d_name, path, PATH_MAX - 1);
		if (n <= 0)
			continue;
		path[n] = '\0';
		found = is_of(path, run);
	}
	closedir(d);
	return (found);
}

/* Without a word, and it does not end with us. */
static void
index_elsewhere(const char *path)
{
	char *argv[] = { (char[]){ "viewer" }, (char[]){ "--index" },
		(char[]){ "--background" }, (char *)(uintptr_t)path, NULL };
	pid_t pid;
	int status;

	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) == 0)
		waitpid(pid, &status, 0);
}

void
log_keep(struct feed *f, const char *path)
{
	char *base;

	if (memory_extent(&base) != 0 && model_finished(f->model) &&
	    model_events(f->model) >= CACHE_EVENTS_MIN)
		index_elsewhere(path);
}
