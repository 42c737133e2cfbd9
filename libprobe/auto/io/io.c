/*
 * Reading, writing, accepting and connecting: see io.h.
 *
 * A socket is tried by MSG_DONTWAIT, a pipe and its like by RWF_NOWAIT.  What
 * has been written by a try is written; the rest is written as the program
 * wanted it, so that it sees one call.
 */
#include <sys/socket.h>
#include <sys/uio.h>

#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/attach.h"
#include "libprobe/auto/descriptors/io.h"
#include "libprobe/auto/io/moves.h"

/* How to find out whether a call would wait. */
enum way {
	WAY_CALL, /* it does not, or nobody wants to know: just call */
	WAY_TRY   /* try */
};

static enum way
way(int fd)
{
	return (
	    io_told(PROBE_CLASS_message) && io_blocks(fd) ? WAY_TRY : WAY_CALL);
}

static bool
is_socket(int fd)
{
	return (io_kind(fd) >= IO_TCP);
}

/* A try has failed because it cannot be made like this; then just call. */
static bool
is_no_try(int fd, int saved_errno)
{
	if (errno != ENOTSOCK && errno != EOPNOTSUPP && errno != ENOSYS &&
	    errno != EINVAL && errno != ESPIPE && errno != EPERM)
		return (false);
	io_set_plain(fd);
	errno = saved_errno;
	return (true);
}

static bool
is_ready(int fd, short events)
{
	int saved_errno = errno;
	int n =
	    CALL(poll)(&(struct pollfd){ .fd = fd, .events = events }, 1, 0);

	errno = saved_errno;
	return (n != 0);
}

/* What may wait for the descriptor, after the try has said EAGAIN. */
#define WAITS(rc, call, of, fd)                                                \
	IO_WAITS(rc, call, .what = (uint64_t)(fd), .name = io_name(of, fd))

static ssize_t
try_read(int fd, void *buf, size_t n, int flags)
{
	if (is_socket(fd))
		return (CALL(recv)(fd, buf, n, flags | MSG_DONTWAIT));
	return (
	    CALL(preadv2)(fd, &(struct iovec){ buf, n }, 1, -1, RWF_NOWAIT));
}

ssize_t
io_read(int fd, void *buf, size_t n)
{
	int saved_errno = errno;
	ssize_t got;

	if (n == 0 || way(fd) == WAY_CALL)
		return (CALL(read)(fd, buf, n));
	got = try_read(fd, buf, n, 0);
	if (got >= 0)
		return (got);
	if (is_no_try(fd, saved_errno))
		return (CALL(read)(fd, buf, n));
	if (errno != EAGAIN)
		return (-1);
	errno = saved_errno;
	WAITS(got, CALL(read)(fd, buf, n), IO_read, fd);
	return (got);
}

ssize_t
io_readv(int fd, const struct iovec *iov, int iovs)
{
	ssize_t got;

	if (way(fd) == WAY_CALL || is_ready(fd, POLLIN))
		return (CALL(readv)(fd, iov, iovs));
	WAITS(got, CALL(readv)(fd, iov, iovs), IO_read, fd);
	return (got);
}

/* MSG_WAITALL takes part of it at once and waits for the rest: not tried. */
#define RECEIVES(fd, flags, call, tried)                                       \
	do {                                                                   \
		int saved_errno_ = errno;                                      \
		ssize_t got_;                                                  \
		if (((flags) & (MSG_DONTWAIT | MSG_ERRQUEUE)) != 0 ||          \
		    way(fd) == WAY_CALL)                                       \
			return (call);                                         \
		if (((flags)&MSG_WAITALL) == 0) {                              \
			got_ = (tried);                                        \
			if (got_ >= 0 || errno != EAGAIN)                      \
				return (got_);                                 \
			errno = saved_errno_;                                  \
		} else if (is_ready(fd, POLLIN)) {                             \
			return (call);                                         \
		}                                                              \
		WAITS(got_, call, IO_read, fd);                                \
		return (got_);                                                 \
	} while (0)

ssize_t
io_recv(int fd, void *buf, size_t n, int flags)
{
	RECEIVES(fd, flags, CALL(recv)(fd, buf, n, flags),
	    CALL(recv)(fd, buf, n, flags | MSG_DONTWAIT));
}

ssize_t
io_recvfrom(int fd, void *buf, size_t n, int flags, __SOCKADDR_ARG a,
    socklen_t *an)
{
	RECEIVES(fd, flags,
	    CALL(recvfrom)(fd, buf, n, flags, a.__sockaddr__, an),
	    CALL(recvfrom)(fd, buf, n, flags | MSG_DONTWAIT, a.__sockaddr__,
		an));
}

ssize_t
io_recvmsg(int fd, struct msghdr *m, int flags)
{
	RECEIVES(fd, flags, CALL(recvmsg)(fd, m, flags),
	    CALL(recvmsg)(fd, m, flags | MSG_DONTWAIT));
}

/* The rest of what a try has begun to write: both are one call. */
static ssize_t
both(ssize_t first, ssize_t rest, int saved_errno)
{
	if (rest >= 0)
		return (first + rest);
	if (first == 0)
		return (-1);
	errno = saved_errno;
	return (first);
}

ssize_t
io_write(int fd, const void *buf, size_t n)
{
	int saved_errno = errno;
	ssize_t done, rest;

	if (n == 0 || way(fd) == WAY_CALL)
		return (CALL(write)(fd, buf, n));
	if (is_socket(fd))
		done = CALL(send)(fd, buf, n, MSG_DONTWAIT);
	else
		done = CALL(pwritev2)(fd,
		    &(struct iovec){ (void *)(uintptr_t)buf, n }, 1, -1,
		    RWF_NOWAIT);
	if (done == (ssize_t)n)
		return (done);
	if (done == -1 && is_no_try(fd, saved_errno))
		return (CALL(write)(fd, buf, n));
	if (done == -1 && errno != EAGAIN)
		return (-1);
	errno = saved_errno;
	done = done > 0 ? done : 0;
	WAITS(rest, CALL(write)(fd, (const char *)buf + done, n - (size_t)done),
	    IO_write, fd);
	return (both(done, rest, saved_errno));
}

ssize_t
io_writev(int fd, const struct iovec *iov, int iovs)
{
	ssize_t done;

	if (way(fd) == WAY_CALL || is_ready(fd, POLLOUT))
		return (CALL(writev)(fd, iov, iovs));
	WAITS(done, CALL(writev)(fd, iov, iovs), IO_write, fd);
	return (done);
}

/* Of a datagram there is no rest. */
ssize_t
io_send(int fd, const void *buf, size_t n, int flags)
{
	int saved_errno = errno;
	ssize_t done, rest;

	if (n == 0 || (flags & MSG_DONTWAIT) != 0 || way(fd) == WAY_CALL)
		return (CALL(send)(fd, buf, n, flags));
	done = CALL(send)(fd, buf, n, flags | MSG_DONTWAIT);
	if (done == (ssize_t)n || (done == -1 && errno != EAGAIN))
		return (done);
	errno = saved_errno;
	done = done > 0 ? done : 0;
	WAITS(rest,
	    CALL(send)(fd, (const char *)buf + done, n - (size_t)done, flags),
	    IO_write, fd);
	return (both(done, rest, saved_errno));
}

ssize_t
io_sendto(int fd, const void *buf, size_t n, int flags, __CONST_SOCKADDR_ARG a,
    socklen_t an)
{
	ssize_t done;

	if ((flags & MSG_DONTWAIT) != 0 || way(fd) == WAY_CALL ||
	    is_ready(fd, POLLOUT))
		return (CALL(sendto)(fd, buf, n, flags, a.__sockaddr__, an));
	WAITS(done, CALL(sendto)(fd, buf, n, flags, a.__sockaddr__, an),
	    IO_write, fd);
	return (done);
}

ssize_t
io_sendmsg(int fd, const struct msghdr *m, int flags)
{
	ssize_t done;

	if ((flags & MSG_DONTWAIT) != 0 || way(fd) == WAY_CALL ||
	    is_ready(fd, POLLOUT))
		return (CALL(sendmsg)(fd, m, flags));
	WAITS(done, CALL(sendmsg)(fd, m, flags), IO_write, fd);
	return (done);
}

/* A process with connections is worth a collector's attention at once. */
static bool
is_attended(void)
{
	return (!held_here && auto_says(PROBE_CLASS_message));
}

/* What comes from a socket that listens is of its kind. */
static int
accepted(int from, int fd, int flags)
{
	int saved_errno = errno;

	if (fd >= 0 && is_attended()) {
		io_accepted(from, fd, (flags & SOCK_NONBLOCK) == 0);
		auto_attach();
	}
	errno = saved_errno;
	return (fd);
}

#define ACCEPTS(fd, flags, call)                                               \
	do {                                                                   \
		int new_;                                                      \
		if (way(fd) == WAY_CALL || is_ready(fd, POLLIN))               \
			return (accepted(fd, call, flags));                    \
		WAITS(new_, call, IO_accept, fd);                              \
		return (accepted(fd, new_, flags));                            \
	} while (0)

WRAPPER int
accept(int fd, __SOCKADDR_ARG a, socklen_t *an)
{
	ACCEPTS(fd, 0, CALL(accept)(fd, a.__sockaddr__, an));
}

WRAPPER int
accept4(int fd, __SOCKADDR_ARG a, socklen_t *an, int flags)
{
	ACCEPTS(fd, flags, CALL(accept4)(fd, a.__sockaddr__, an, flags));
}

WRAPPER int
connect(int fd, __CONST_SOCKADDR_ARG a, socklen_t an)
{
	int saved_errno, rc;

	if (way(fd) == WAY_CALL)
		rc = CALL(connect)(fd, a.__sockaddr__, an);
	else
		WAITS(rc, CALL(connect)(fd, a.__sockaddr__, an), IO_connect,
		    fd);
	if ((rc == 0 || errno == EINPROGRESS) && is_attended()) {
		saved_errno = errno;
		io_forget_peer(fd);
		auto_attach();
		errno = saved_errno;
	}
	return (rc);
}
