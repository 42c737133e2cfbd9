/*
 * SO_PEERCRED: of who has connected, as of its connect(); of who listens, as
 * of its listen().
 */
#include "owner.h"

#include <sys/socket.h>

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

bool
owner_is_trusted(int fd, unsigned *uid)
{
	struct ucred cred = { .uid = (uid_t)-1 };
	socklen_t n = sizeof(int);
	int domain;

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) == 0 &&
	    domain != AF_UNIX)
		return (true); /* whether to talk at all is decided elsewhere */
	n = sizeof(cred);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &n) == 0 &&
	    (cred.uid == geteuid() || cred.uid == 0))
		return (true);
	if (uid != NULL)
		*uid = (unsigned)cred.uid;
	errno = EPERM;
	return (false);
}
