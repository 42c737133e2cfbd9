/* A local socket and messages on it, for small programs that play a part. */
#ifndef TESTS_TOOLS_TALK_H
#define TESTS_TOOLS_TALK_H

#include <sys/socket.h>
#include <sys/un.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

_Noreturn static inline void
die(const char *what)
{
	perror(what);
	exit(1);
}

/*
 * Connected to the path, or listening there; dies when that cannot be.  It is
 * not to be seen there before it listens: scripts wait for it.
 */
static inline int
talk_socket(const char *path, bool listens)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	const struct sockaddr *sa = (const struct sockaddr *)&un;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd == -1 ||
	    (size_t)snprintf(un.sun_path, sizeof(un.sun_path), "%s%s", path,
		listens ? ".new" : "") >= sizeof(un.sun_path))
		die(path);
	if (!listens) {
		if (connect(fd, sa, sizeof(un)) == -1)
			die(path);
		return (fd);
	}
	if (bind(fd, sa, sizeof(un)) == -1 || listen(fd, 16) == -1 ||
	    rename(un.sun_path, path) == -1)
		die(path);
	return (fd);
}

/* False: the other side has closed, or was never there. */
static inline bool
talk_put(int fd, const void *p, size_t n)
{
	const char *at = p;
	ssize_t k;

	for (; n > 0; n -= (size_t)k, at += k) {
		k = send(fd, at, n, MSG_NOSIGNAL);
		if (k <= 0)
			return (false);
	}
	return (true);
}

static inline bool
talk_message(int fd, enum msg_type type, const void *msg)
{
	size_t n;
	uint8_t *p = frame_message(type, msg, &n);
	bool whole;

	if (p == NULL)
		die("message");
	whole = talk_put(fd, p, n);
	free(p);
	return (whole);
}

#endif
