/* See stream_key.h. */
#include "libprobe/auto/descriptors/stream_key.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "libprobe/auto/wrap/auto.h"

enum sort {
	SORT_PIPE = 1,
	SORT_INTERNET,
	SORT_UNIX
};

/* splitmix64's last step */
static uint64_t
mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (x ^ (x >> 31));
}

static uint64_t
add(uint64_t key, uint64_t word)
{
	return (mix(key + UINT64_C(0x9e3779b97f4a7c15) + word));
}

/* See stream_key_is_apart(). */
static uint64_t
key_of(uint64_t mixed, bool apart)
{
	return ((mixed & ~UINT64_C(3)) | (apart ? 3 : 1));
}

uint64_t
stream_key_message(uint64_t key, uint64_t end)
{
	return (add(key, end) | 1);
}

uint64_t
stream_key_pipe(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return (0);
	return (key_of(add(add(SORT_PIPE, st.st_dev), st.st_ino), false));
}

/* One form for both families, so that a server on [::] finds its clients. */
struct end {
	uint8_t address[16];
	uint16_t port;
};

static bool
end_of(const struct sockaddr_storage *a, struct end *e)
{
	const struct sockaddr_in6 *six = (const void *)a;
	const struct sockaddr_in *four = (const void *)a;

	memset(e, 0, sizeof(*e));
	if (a->ss_family == AF_INET6) {
		memcpy(e->address, &six->sin6_addr, 16);
		e->port = six->sin6_port;
	} else if (a->ss_family == AF_INET) {
		memset(e->address + 10, 0xff, 2);
		memcpy(e->address + 12, &four->sin_addr, 4);
		e->port = four->sin_port;
	}
	return (e->port != 0);
}

static uint64_t
add_end(uint64_t key, const struct end *e)
{
	uint64_t half[2];

	memcpy(half, e->address, 16);
	return (add(add(add(key, half[0]), half[1]), e->port));
}

/* Others may have the same address in another namespace. */
static uint64_t
namespace_of(int fd, const struct end *e)
{
	static const uint8_t six[16] = { [15] = 1 };
	static const uint8_t four[13] = { [10] = 0xff, 0xff, 127 };
	uint64_t cookie = 0;
	socklen_t n = sizeof(cookie);

	if (memcmp(e->address, six, 16) == 0 ||
	    memcmp(e->address, four, 13) == 0)
		(void)getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &n);
	return (cookie);
}

static uint64_t
key_of_ends(uint64_t name, const struct end *from, const struct end *to)
{
	return (key_of(add_end(add_end(add(SORT_INTERNET, name), from), to),
	    memcmp(from->address, to->address, 16) != 0));
}

uint64_t
stream_key_internet(int fd, bool writes, uint64_t *other_way)
{
	struct sockaddr_storage own = { 0 }, peer = { 0 };
	socklen_t own_n = sizeof(own), peer_n = sizeof(peer);
	struct end here, there;
	uint64_t name;

	if (getpeername(fd, (struct sockaddr *)&peer, &peer_n) == -1)
		return (errno == ENOTCONN ? STREAM_KEY_LATER : 0);
	if (getsockname(fd, (struct sockaddr *)&own, &own_n) == -1 ||
	    !end_of(&own, &here) || !end_of(&peer, &there))
		return (0);
	name = namespace_of(fd, &here);
	*other_way = writes ? key_of_ends(name, &there, &here)
			    : key_of_ends(name, &here, &there);
	return (writes ? key_of_ends(name, &here, &there)
		       : key_of_ends(name, &there, &here));
}

uint64_t
stream_key_cookie(int fd)
{
	uint64_t cookie = 0;
	socklen_t n = sizeof(cookie);

	(void)getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &n);
	return (cookie);
}

bool
stream_key_position(int fd, bool writes, uint64_t *at)
{
	struct tcp_info info;
	socklen_t n = sizeof(info);
	int waiting = 0;

	memset(&info, 0, sizeof(info));
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) == -1 ||
	    n < offsetof(struct tcp_info, tcpi_bytes_retrans) + 8)
		return (false);
	if (writes) {
		*at = info.tcpi_bytes_sent - info.tcpi_bytes_retrans +
		      info.tcpi_notsent_bytes;
		return (true);
	}
	if (CALL(ioctl)(fd, SIOCINQ, &waiting) == -1)
		return (false);
	*at = info.tcpi_bytes_received - (unsigned)waiting;
	return (true);
}

static ino_t
inode_of(int fd)
{
	struct stat st;

	return (fstat(fd, &st) == -1 ? 0 : st.st_ino);
}

/* What the answer says: the inode of the peer; 0: none yet; -1: no answer. */
static int64_t
peer_in(const void *answer, size_t n)
{
	const struct nlmsghdr *h = answer;
	const struct rtattr *a;
	uint32_t peer = 0;
	int left;

	if (n > UINT16_MAX || !NLMSG_OK(h, (uint32_t)n) ||
	    h->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    h->nlmsg_len < NLMSG_LENGTH(sizeof(struct unix_diag_msg)))
		return (-1);
	left = (int)(h->nlmsg_len - NLMSG_LENGTH(sizeof(struct unix_diag_msg)));
	a = (const void *)((const char *)NLMSG_DATA(h) +
			   NLMSG_ALIGN(sizeof(struct unix_diag_msg)));
	for (; RTA_OK(a, left); a = RTA_NEXT(a, left))
		if (a->rta_type == UNIX_DIAG_PEER &&
		    RTA_PAYLOAD(a) >= sizeof(peer))
			memcpy(&peer, RTA_DATA(a), sizeof(peer));
	return (peer);
}

static int64_t
peer_of(uint32_t inode)
{
	struct {
		struct nlmsghdr head;
		struct unix_diag_req what;
	} ask = {
		.head = { .nlmsg_len = sizeof(ask),
		    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
		    .nlmsg_flags = NLM_F_REQUEST },
		.what = { .sdiag_family = AF_UNIX,
		    .udiag_states = UINT32_MAX,
		    .udiag_ino = inode,
		    .udiag_show = UDIAG_SHOW_PEER,
		    .udiag_cookie = { UINT32_MAX, UINT32_MAX } },
	};
	_Alignas(8) char answer[1024];
	ssize_t n = 0;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	if (fd == -1)
		return (-1);
	if (CALL(send)(fd, &ask, sizeof(ask), 0) == (ssize_t)sizeof(ask))
		n = CALL(recv)(fd, answer, sizeof(answer), MSG_DONTWAIT);
	CALL(close)(fd);
	return (n > 0 ? peer_in(answer, (size_t)n) : -1);
}

uint64_t
stream_key_unix(int fd, bool writes)
{
	int64_t inode = (int64_t)inode_of(fd);

	if (!writes && inode != 0)
		inode = peer_of((uint32_t)inode);
	if (inode == -1)
		return (0);
	return (inode == 0 ? STREAM_KEY_LATER
			   : key_of(add(SORT_UNIX, (uint64_t)inode), false));
}
