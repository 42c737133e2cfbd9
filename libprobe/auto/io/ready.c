/*
 * Waiting until one of many descriptors is ready.  Each call is made with no
 * time to wait first; if nothing is ready then, the wait is told.
 */
#undef _FORTIFY_SOURCE /* or the headers define some of these calls */
#include <sys/epoll.h>
#include <sys/select.h>

#include <poll.h>
#include <string.h>

#include "libprobe/auto/descriptors/io.h"
#include "libprobe/auto/descriptors/readable.h"

#define WAITS(rc, call, of, n, fd)                                             \
	IO_WAITS(rc, call, .what = (uint64_t)(n), .name = io_name(of, fd))

static bool
is_zero(const struct timespec *t)
{
	return (t != NULL && t->tv_sec == 0 && t->tv_nsec == 0);
}

/* The kernel refuses it as a time to wait, whatever is ready. */
static bool
is_no_span(const struct timespec *t)
{
	return (t != NULL &&
		(t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= 1000000000));
}

/* Of several descriptors none is the one that is waited for. */
static int
the_one(const struct pollfd *p, nfds_t n)
{
	return (n == 1 ? p[0].fd : -1);
}

WRAPPER int
poll(struct pollfd *p, nfds_t n, int timeout_ms)
{
	int rc;

	if (timeout_ms == 0 || !io_told(PROBE_CLASS_message))
		return (CALL(poll)(p, n, timeout_ms));
	rc = CALL(poll)(p, n, 0);
	if (rc != 0)
		return (rc);
	WAITS(rc, CALL(poll)(p, n, timeout_ms), IO_poll, n, the_one(p, n));
	return (rc);
}

WRAPPER int
ppoll(struct pollfd *p, nfds_t n, const struct timespec *timeout,
    const sigset_t *signals)
{
	int rc;

	if (is_zero(timeout) || is_no_span(timeout) ||
	    !io_told(PROBE_CLASS_message))
		return (CALL(ppoll)(p, n, timeout, signals));
	rc = CALL(ppoll)(p, n, &(struct timespec){ 0 }, signals);
	if (rc != 0)
		return (rc);
	WAITS(rc, CALL(ppoll)(p, n, timeout, signals), IO_poll, n,
	    the_one(p, n));
	return (rc);
}

WRAPPER int __poll_chk(struct pollfd *, nfds_t, int, size_t);
WRAPPER int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *,
    const sigset_t *, size_t);

WRAPPER int
__poll_chk(struct pollfd *p, nfds_t n, int timeout_ms, size_t room)
{
	return (n > room / sizeof(*p) ? CALL(__poll_chk)(p, n, timeout_ms, room)
				      : poll(p, n, timeout_ms));
}

WRAPPER int
__ppoll_chk(struct pollfd *p, nfds_t n, const struct timespec *timeout,
    const sigset_t *signals, size_t room)
{
	return (n > room / sizeof(*p)
		    ? CALL(__ppoll_chk)(p, n, timeout, signals, room)
		    : ppoll(p, n, timeout, signals));
}

/* The sets are an answer, too: a try gets copies. */
struct sets {
	fd_set set[3];
	fd_set *p[3];
};

/* What there is of a set for descriptors below n, as the kernel sees it. */
static size_t
set_bytes(int n)
{
	const size_t bits = sizeof(fd_mask) * 8;

	return (((size_t)n + bits - 1) / bits * sizeof(fd_mask));
}

/* false: they are too large to be copied, or not there, hence not tried. */
static bool
sets_copy(struct sets *s, int n, fd_set *r, fd_set *w, fd_set *e)
{
	const fd_set *from[3] = { r, w, e };

	if (n < 0 || n > FD_SETSIZE)
		return (false);
	for (int i = 0; i < 3; i++) {
		s->p[i] = NULL;
		if (from[i] == NULL)
			continue;
		if (!is_readable(from[i], set_bytes(n)))
			return (false);
		memcpy(&s->set[i], from[i], set_bytes(n));
		s->p[i] = &s->set[i];
	}
	return (true);
}

static int
sets_back(const struct sets *s, int n, int rc, fd_set *r, fd_set *w, fd_set *e)
{
	fd_set *to[3] = { r, w, e };

	for (int i = 0; rc > 0 && i < 3; i++)
		if (to[i] != NULL)
			memcpy(to[i], &s->set[i], set_bytes(n));
	return (rc);
}

WRAPPER int
select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *timeout)
{
	struct sets s;
	int rc;

	if ((timeout != NULL &&
		(timeout->tv_sec < 0 || timeout->tv_usec < 0 ||
		    (timeout->tv_sec == 0 && timeout->tv_usec == 0))) ||
	    !io_told(PROBE_CLASS_message))
		return (CALL(select)(n, r, w, e, timeout));
	if (sets_copy(&s, n, r, w, e)) {
		rc = CALL(
		    select)(n, s.p[0], s.p[1], s.p[2], &(struct timeval){ 0 });
		if (rc != 0)
			return (sets_back(&s, n, rc, r, w, e));
	}
	WAITS(rc, CALL(select)(n, r, w, e, timeout), IO_select, n, -1);
	return (rc);
}

WRAPPER int
pselect(int n, fd_set *r, fd_set *w, fd_set *e, const struct timespec *timeout,
    const sigset_t *signals)
{
	struct sets s;
	int rc;

	if (is_zero(timeout) || is_no_span(timeout) ||
	    !io_told(PROBE_CLASS_message))
		return (CALL(pselect)(n, r, w, e, timeout, signals));
	if (sets_copy(&s, n, r, w, e)) {
		rc = CALL(pselect)(n, s.p[0], s.p[1], s.p[2],
		    &(struct timespec){ 0 }, signals);
		if (rc != 0)
			return (sets_back(&s, n, rc, r, w, e));
	}
	WAITS(rc, CALL(pselect)(n, r, w, e, timeout, signals), IO_select, n,
	    -1);
	return (rc);
}

WRAPPER int
epoll_wait(int fd, struct epoll_event *e, int n, int timeout_ms)
{
	int rc;

	if (timeout_ms == 0 || !io_told(PROBE_CLASS_message))
		return (CALL(epoll_wait)(fd, e, n, timeout_ms));
	rc = CALL(epoll_wait)(fd, e, n, 0);
	if (rc != 0)
		return (rc);
	WAITS(rc, CALL(epoll_wait)(fd, e, n, timeout_ms), IO_epoll_wait, fd,
	    -1);
	return (rc);
}

WRAPPER int
epoll_pwait(int fd, struct epoll_event *e, int n, int timeout_ms,
    const sigset_t *signals)
{
	int rc;

	if (timeout_ms == 0 || !io_told(PROBE_CLASS_message))
		return (CALL(epoll_pwait)(fd, e, n, timeout_ms, signals));
	rc = CALL(epoll_pwait)(fd, e, n, 0, signals);
	if (rc != 0)
		return (rc);
	WAITS(rc, CALL(epoll_pwait)(fd, e, n, timeout_ms, signals),
	    IO_epoll_wait, fd, -1);
	return (rc);
}
