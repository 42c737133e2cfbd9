/* io.c: the calls that move bytes, with the waits in them. */
#ifndef LIBPROBE_AUTO_MOVES_H
#define LIBPROBE_AUTO_MOVES_H

#include <sys/socket.h>
#include <sys/uio.h>

ssize_t io_read(int fd, void *buf, size_t n);
ssize_t io_readv(int fd, const struct iovec *iov, int iovs);
ssize_t io_recv(int fd, void *buf, size_t n, int flags);
ssize_t io_recvfrom(int fd, void *buf, size_t n, int flags, __SOCKADDR_ARG a,
    socklen_t *an);
ssize_t io_recvmsg(int fd, struct msghdr *m, int flags);
ssize_t io_write(int fd, const void *buf, size_t n);
ssize_t io_writev(int fd, const struct iovec *iov, int iovs);
ssize_t io_send(int fd, const void *buf, size_t n, int flags);
ssize_t io_sendto(int fd, const void *buf, size_t n, int flags,
    __CONST_SOCKADDR_ARG a, socklen_t an);
ssize_t io_sendmsg(int fd, const struct msghdr *m, int flags);

#endif
