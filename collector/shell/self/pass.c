/*
 * Packets with descriptors.
 */
#include "pass.h"

#include <sys/socket.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

union control {
	char bytes[CMSG_SPACE(PASS_FDS * sizeof(int))];
	struct cmsghdr align;
};

int
pass_send(int sock, const struct pass *m, const int fds[PASS_FDS])
{
	struct iovec iov = { (void *)(uintptr_t)m, sizeof(*m) };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1 };
	union control control = { { 0 } };
	struct cmsghdr *c;
	size_t n = 0;
	ssize_t rc;

	while (fds != NULL && n < PASS_FDS && fds[n] != -1)
		n++;
	if (n > 0) {
		mh.msg_control = control.bytes;
		mh.msg_controllen = CMSG_SPACE(n * sizeof(int));
		c = CMSG_FIRSTHDR(&mh);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(c), fds, n * sizeof(int));
	}
	do
		rc = sendmsg(sock, &mh, MSG_NOSIGNAL);
	while (rc == -1 && errno == EINTR);
	return (rc == -1 ? -1 : 0);
}

static void
take_fds(struct msghdr *mh, int fds[PASS_FDS])
{
	struct cmsghdr *c;
	size_t n;
	int fd;

	for (c = CMSG_FIRSTHDR(mh); c != NULL; c = CMSG_NXTHDR(mh, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < n; i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int),
			    sizeof(int));
			if (i < PASS_FDS && fds[i] == -1)
				fds[i] = fd;
			else
				close(fd);
		}
	}
}

int
pass_receive(int sock, struct pass *m, int fds[PASS_FDS])
{
	struct iovec iov = { m, sizeof(*m) };
	union control control;
	struct msghdr mh = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t n;

	for (int i = 0; i < PASS_FDS; i++)
		fds[i] = -1;
	do
		n = recvmsg(sock, &mh, MSG_CMSG_CLOEXEC);
	while (n == -1 && errno == EINTR);
	if (n == -1 && (errno == ECONNRESET || errno == EPIPE))
		return (0);
	if (n <= 0)
		return ((int)n);
	take_fds(&mh, fds);
	if (n == sizeof(*m) && (mh.msg_flags & MSG_TRUNC) == 0)
		return (1);
	for (int i = 0; i < PASS_FDS; i++) {
		if (fds[i] != -1)
			close(fds[i]);
	}
	errno = EPROTO;
	return (-1);
}
