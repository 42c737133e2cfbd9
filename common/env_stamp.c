/*
 * The kernel's stamps on the raw clock.
 *
 * After each read both clocks are read together.  What the time of day has
 * gone on since the stamp, the raw clock has too, to within the rate at which
 * the time of day may be slewed; this much is given away, since a stamp may
 * never be earlier than the packet (clockfit.h builds upon that).
 *
 * When the time of day was set between stamp and reading, the difference means
 * nothing.  This shows, for the clocks then differ by something else than they
 * did at the read before; if that was too long ago to tell from slewing, the
 * stamp is not used.  Probes come in bursts, so only the first is lost to it.
 */
#include "env_stamp.h"

#include <sys/socket.h>

#include <string.h>
#include <time.h>

#define SEC        ((int64_t)1000000000)
#define SLEW_PARTS 1000 /* the time of day gains or loses at most 1/1000 */
#define NEAR_NS    ((int64_t)200000000) /* the read before was so lately */
#define TORN_NS    1000 /* a pair read in a longer time is read again */
#define PAIR_TRIES 3
#define SAME_NS    (2 * TORN_NS)

static int64_t
clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ((int64_t)ts.tv_sec * SEC + ts.tv_nsec);
}

void
env_stamp_open(int fd)
{
	int one = 1;

	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one));
}

static struct env_stamp_pair
read_pair(void)
{
	struct env_stamp_pair p;
	int64_t before;

	for (int i = 0; i < PAIR_TRIES; i++) {
		before = clock_ns(CLOCK_MONOTONIC_RAW);
		p.real_ns = clock_ns(CLOCK_REALTIME);
		p.raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);
		if (p.raw_ns - before <= TORN_NS)
			return (p);
	}
	p.real_ns = 0; /* it says nothing of the time of day */
	return (p);
}

int64_t
env_stamp_raw(int64_t stamp_real_ns, const struct env_stamp_pair *last,
    const struct env_stamp_pair *read)
{
	int64_t since = read->raw_ns - last->raw_ns;
	int64_t ago = read->real_ns - stamp_real_ns, at;
	int64_t set = read->real_ns - last->real_ns - since;

	if (last->real_ns == 0 || read->real_ns == 0 || since > NEAR_NS)
		return (read->raw_ns);
	if (ago < 0 || ago > since + SAME_NS ||
	    (set < 0 ? -set : set) > SAME_NS + since / SLEW_PARTS)
		return (read->raw_ns);
	at = read->raw_ns - ago + ago / SLEW_PARTS;
	return (at > last->raw_ns ? at : last->raw_ns);
}

static int64_t
stamp_of(struct msghdr *m)
{
	struct timespec ts;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL;
	     c = CMSG_NXTHDR(m, c)) {
		if (c->cmsg_level == SOL_SOCKET &&
		    c->cmsg_type == SCM_TIMESTAMPNS &&
		    c->cmsg_len >= CMSG_LEN(sizeof(ts))) {
			memcpy(&ts, CMSG_DATA(c), sizeof(ts));
			return ((int64_t)ts.tv_sec * SEC + ts.tv_nsec);
		}
	}
	return (0);
}

ssize_t
env_stamp_read(int fd, void *p, size_t n, struct env_stamp_pair *last,
    int64_t *at_raw_ns)
{
	_Alignas(struct cmsghdr) char control[128];
	struct iovec iov = { .iov_base = p, .iov_len = n };
	struct msghdr m = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };
	struct env_stamp_pair pair;
	ssize_t got = recvmsg(fd, &m, 0);
	int64_t stamp;

	if (got == -1)
		return (-1);
	stamp = stamp_of(&m);
	pair = read_pair();
	*at_raw_ns =
	    stamp == 0 ? pair.raw_ns : env_stamp_raw(stamp, last, &pair);
	*last = pair;
	return (got);
}
