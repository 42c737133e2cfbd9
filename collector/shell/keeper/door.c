/*
 * Unix sockets.
 */
#include "door.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "owner.h"

#define BACKLOG     4096 /* all that come while we are stopped: counted */
#define KNOCK_TRIES 100  /* times 20 ms */
#define DYING_TRIES 50   /* so often: the socket of one that was killed */

static int
door_connect(const char *path, int type)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd;

	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", path);
	fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	if (fd == -1)
		return (-1);
	if (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) == 0 &&
	    owner_is_trusted(fd, NULL))
		return (fd);
	close(fd);
	return (-1);
}

static bool
door_answers(const char *path, int type)
{
	int fd = door_connect(path, type);

	if (fd != -1)
		close(fd);
	return (fd != -1);
}

/*
 * Whether somebody serves a socket.  A process that was killed closes its
 * descriptors one by one, and may be kept from the processor meanwhile: its
 * worker has seen it die when its socket still answers.
 */
static bool
door_served(const char *path, int type)
{
	struct timespec pause = { .tv_nsec = 20000000 };

	for (int i = 0; i < DYING_TRIES; i++) {
		if (!door_answers(path, type))
			return (false);
		nanosleep(&pause, NULL);
	}
	return (true);
}

int
door_listen(const char *path, int type)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	struct stat st;
	mode_t mask;
	int fd, rc;

	if (strlen(path) >= sizeof(sun.sun_path))
		fatalx(EX_USAGE, "%s: too long for a socket", path);
	memcpy(sun.sun_path, path, strlen(path) + 1);
	if (lstat(path, &st) == 0) {
		if (!S_ISSOCK(st.st_mode))
			fatalx(EX_CANTCREAT, "%s is there and is no socket",
			    path);
		if (door_served(path, type))
			fatalx(EX_UNAVAILABLE,
			    "%s is in use by another collector", path);
		unlink(path);
	}
	fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd == -1)
		fatal(EX_OSERR, "%s", path);
	mask = umask(077);
	rc = bind(fd, (struct sockaddr *)&sun, sizeof(sun));
	umask(mask);
	if (rc == -1 || listen(fd, BACKLOG) == -1)
		fatal(EX_CANTCREAT, "%s", path);
	return (fd);
}

int
door_knock(const char *keeper, const char *attach)
{
	struct timespec pause = { .tv_nsec = 20000000 };
	int fd;

	for (int i = 0; i < KNOCK_TRIES; i++) {
		fd = door_connect(keeper, SOCK_SEQPACKET);
		if (fd != -1 || !door_answers(attach, SOCK_STREAM))
			return (fd);
		nanosleep(&pause, NULL);
	}
	return (-1);
}

int
door_accept(int listen_fd)
{
	int fd;

	fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd == -1)
		return (-1);
	if (!owner_is_trusted(fd, NULL)) {
		close(fd);
		return (-1);
	}
	return (fd);
}
