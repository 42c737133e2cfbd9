/*
 * Calls that move bytes through connections and pipes: what they move is told
 * (streams.h), and that they have to wait (io.h).
 */
#undef _FORTIFY_SOURCE /* or the headers define some of these calls */
#include "libprobe/auto/io/moves.h"

#include <sys/sendfile.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/attach.h"
#include "libprobe/auto/descriptors/io.h"
#include "libprobe/auto/descriptors/readable.h"
#include "libprobe/auto/descriptors/streams.h"

/* What the call moves is a message, or the end of some. */
#define MOVES(end, fd, n, call)                                                \
	do {                                                                   \
		struct streams_call c_;                                        \
		ssize_t moved_;                                                \
		if (!streams_on())                                             \
			return (call);                                         \
		streams_begin(&c_, fd, end, n);                                \
		moved_ = (call);                                               \
		streams_end(&c_, moved_);                                      \
		return (moved_);                                               \
	} while (0)

/* 0 if the kernel will refuse them. */
static size_t
bytes_of(const struct iovec *iov, size_t iovs)
{
	size_t n = 0;

	if (iovs > IOV_MAX || !is_readable(iov, iovs * sizeof(*iov)))
		return (0);
	for (size_t i = 0; i < iovs; i++)
		n += iov[i].iov_len;
	return (n);
}

/* What is only looked at does not move; urgent bytes move beside. */
static bool
is_apart(int fd, enum stream_end end, int flags)
{
	if ((flags & MSG_OOB) != 0)
		streams_give_up(fd, end);
	return ((flags & (MSG_PEEK | MSG_ERRQUEUE | MSG_OOB)) != 0);
}

/*
 * Who gives or asks for an address has datagrams, and is worth a collector's
 * attention as who has connections is; once is enough.
 */
static uint32_t attention_called;

static bool
wants_attention(void)
{
	return (PROBE_LOAD(&attention_called) == 0 && !held_here &&
		!PROBE_LOAD(&io_shut_in) && auto_says(PROBE_CLASS_message));
}

static void
has_datagrams(const void *address)
{
	int saved_errno = errno;

	if (address == NULL || !wants_attention())
		return;
	PROBE_STORE(&attention_called, 1);
	auto_attach();
	errno = saved_errno;
}

static void
has_datagram(const struct msghdr *m)
{
	if (wants_attention() && is_readable(m, sizeof(*m)))
		has_datagrams(m->msg_name);
}

static size_t
bytes_of_message(const struct msghdr *m)
{
	return (is_readable(m, sizeof(*m)) ? bytes_of(m->msg_iov, m->msg_iovlen)
					   : 0);
}

WRAPPER ssize_t
read(int fd, void *buf, size_t n)
{
	MOVES(STREAM_READER, fd, n, io_read(fd, buf, n));
}

WRAPPER ssize_t
readv(int fd, const struct iovec *iov, int iovs)
{
	MOVES(STREAM_READER, fd, 0, io_readv(fd, iov, iovs));
}

WRAPPER ssize_t
recv(int fd, void *buf, size_t n, int flags)
{
	if (is_apart(fd, STREAM_READER, flags))
		return (io_recv(fd, buf, n, flags));
	MOVES(STREAM_READER, fd, n, io_recv(fd, buf, n, flags));
}

WRAPPER ssize_t
recvfrom(int fd, void *buf, size_t n, int flags, __SOCKADDR_ARG a,
    socklen_t *an)
{
	if (is_apart(fd, STREAM_READER, flags))
		return (io_recvfrom(fd, buf, n, flags, a, an));
	has_datagrams(a.__sockaddr__);
	MOVES(STREAM_READER, fd, n, io_recvfrom(fd, buf, n, flags, a, an));
}

WRAPPER ssize_t
recvmsg(int fd, struct msghdr *m, int flags)
{
	if (is_apart(fd, STREAM_READER, flags))
		return (io_recvmsg(fd, m, flags));
	has_datagram(m);
	MOVES(STREAM_READER, fd, 0, io_recvmsg(fd, m, flags));
}

WRAPPER ssize_t
write(int fd, const void *buf, size_t n)
{
	MOVES(STREAM_WRITER, fd, n, io_write(fd, buf, n));
}

WRAPPER ssize_t
writev(int fd, const struct iovec *iov, int iovs)
{
	MOVES(STREAM_WRITER, fd, bytes_of(iov, iovs < 0 ? 0 : (size_t)iovs),
	    io_writev(fd, iov, iovs));
}

WRAPPER ssize_t
send(int fd, const void *buf, size_t n, int flags)
{
	if (is_apart(fd, STREAM_WRITER, flags))
		return (io_send(fd, buf, n, flags));
	MOVES(STREAM_WRITER, fd, n, io_send(fd, buf, n, flags));
}

WRAPPER ssize_t
sendto(int fd, const void *buf, size_t n, int flags, __CONST_SOCKADDR_ARG a,
    socklen_t an)
{
	if (is_apart(fd, STREAM_WRITER, flags))
		return (io_sendto(fd, buf, n, flags, a, an));
	has_datagrams(a.__sockaddr__);
	MOVES(STREAM_WRITER, fd, n, io_sendto(fd, buf, n, flags, a, an));
}

WRAPPER ssize_t
sendmsg(int fd, const struct msghdr *m, int flags)
{
	if (is_apart(fd, STREAM_WRITER, flags))
		return (io_sendmsg(fd, m, flags));
	has_datagram(m);
	MOVES(STREAM_WRITER, fd, bytes_of_message(m), io_sendmsg(fd, m, flags));
}

/* What programs call that were compiled with _FORTIFY_SOURCE. */
WRAPPER ssize_t __read_chk(int, void *, size_t, size_t);
WRAPPER ssize_t __recv_chk(int, void *, size_t, size_t, int);
WRAPPER ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, __SOCKADDR_ARG,
    socklen_t *);

WRAPPER ssize_t
__read_chk(int fd, void *buf, size_t n, size_t room)
{
	return (
	    n > room ? CALL(__read_chk)(fd, buf, n, room) : read(fd, buf, n));
}

WRAPPER ssize_t
__recv_chk(int fd, void *buf, size_t n, size_t room, int flags)
{
	return (n > room ? CALL(__recv_chk)(fd, buf, n, room, flags)
			 : recv(fd, buf, n, flags));
}

WRAPPER ssize_t
__recvfrom_chk(int fd, void *buf, size_t n, size_t room, int flags,
    __SOCKADDR_ARG a, socklen_t *an)
{
	return (n > room ? CALL(__recvfrom_chk)(fd, buf, n, room, flags,
			       a.__sockaddr__, an)
			 : recvfrom(fd, buf, n, flags, a.__sockaddr__, an));
}

/* Of a file no more can go than there is. */
static size_t
rest_of(int fd, const off_t *at, size_t n)
{
	int saved_errno = errno;
	struct stat st;
	off_t from;

	if (PROBE_LOAD(&io_shut_in) ||
	    (at != NULL && !is_readable(at, sizeof(*at))))
		return (n);
	from = at != NULL ? *at : lseek(fd, 0, SEEK_CUR);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && from >= 0)
		n = st.st_size <= from ? 0
		    : n < (size_t)(st.st_size - from)
			? n
			: (size_t)(st.st_size - from);
	errno = saved_errno;
	return (n);
}

WRAPPER ssize_t
sendfile(int to, int from, off_t *at, size_t n)
{
	MOVES(STREAM_WRITER, to, rest_of(from, at, n),
	    CALL(sendfile)(to, from, at, n));
}

/* On machines of 64 bits it is the same. */
WRAPPER ssize_t sendfile64(int, int, off_t *, size_t)
    __attribute__((alias("sendfile")));

/* How much these move is known too late: the streams are given up. */
WRAPPER ssize_t
splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t n,
    unsigned flags)
{
	streams_give_up(from, STREAM_READER);
	streams_give_up(to, STREAM_WRITER);
	return (CALL(splice)(from, from_at, to, to_at, n, flags));
}

WRAPPER ssize_t
tee(int from, int to, size_t n, unsigned flags)
{
	streams_give_up(to, STREAM_WRITER);
	return (CALL(tee)(from, to, n, flags));
}

WRAPPER ssize_t
vmsplice(int fd, const struct iovec *iov, size_t iovs, unsigned flags)
{
	streams_give_up(fd, STREAM_WRITER);
	streams_give_up(fd, STREAM_READER);
	return (CALL(vmsplice)(fd, iov, iovs, flags));
}

/* So many messages have moved. */
static void
tell_each(int fd, enum stream_end end, const struct mmsghdr *m, int n)
{
	if (n <= 0 || !streams_on() || !streams_is_whole(fd))
		return;
	for (int i = 0; i < n; i++)
		streams_whole(fd, end, (ssize_t)m[i].msg_len);
}

WRAPPER int
sendmmsg(int fd, struct mmsghdr *m, unsigned n, int flags)
{
	int sent;

	streams_give_up(fd, STREAM_WRITER);
	sent = CALL(sendmmsg)(fd, m, n, flags);
	tell_each(fd, STREAM_WRITER, m, sent);
	return (sent);
}

WRAPPER int
recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags,
    struct timespec *timeout)
{
	int got;

	streams_give_up(fd, STREAM_READER);
	got = CALL(recvmmsg)(fd, m, n, flags, timeout);
	if ((flags & (MSG_PEEK | MSG_ERRQUEUE)) == 0)
		tell_each(fd, STREAM_READER, m, got);
	return (got);
}
