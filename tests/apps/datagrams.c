/*
 * A program that knows nothing of Orrery: datagrams to itself, by each call
 * that there is for them; some are looked at before they are taken, some are
 * cut, some empty, some never taken.  Prints how many it has sent and received,
 * and their bytes.
 *
 *	datagrams udp|udp6|unix|seq
 */
#include <sys/socket.h>
#include <sys/uio.h>

#include <netinet/in.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 20

static struct {
	uintmax_t messages, bytes;
} sent, received;

static char buf[3000];

static void
need(int is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "datagrams: %s: %s\n", what, strerror(errno));
	exit(errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL ? 77 : 1);
}

static void
put(ssize_t n)
{
	need(n >= 0, "send");
	sent.messages++;
	sent.bytes += (uintmax_t)n;
}

static void
got(ssize_t n, ssize_t want)
{
	need(n == want, "receive");
	received.messages++;
	received.bytes += (uintmax_t)n;
}

/* Both ends; to[0] sends, to[1] receives, and its address is given. */
static socklen_t
connect_both(const char *how, int to[2], struct sockaddr_in6 *a)
{
	struct sockaddr_in *four = (void *)a;
	socklen_t n = sizeof(*a);
	int type = strcmp(how, "seq") == 0 ? SOCK_SEQPACKET : SOCK_DGRAM;

	memset(a, 0, sizeof(*a));
	if (strncmp(how, "udp", 3) != 0) {
		need(socketpair(AF_UNIX, type, 0, to) == 0, "pair");
		return (0);
	}
	a->sin6_family = how[3] == '6' ? AF_INET6 : AF_INET;
	if (how[3] == '6')
		a->sin6_addr = in6addr_loopback;
	else
		four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (int i = 0; i < 2; i++)
		need((to[i] = socket(a->sin6_family, type, 0)) != -1, "socket");
	n = how[3] == '6' ? sizeof(*a) : sizeof(*four);
	need(bind(to[1], (void *)a, n) == 0, "bind");
	need(getsockname(to[1], (void *)a, &n) == 0, "name");
	return (n);
}

static void
many(int to[2], struct mmsghdr m[3])
{
	int n = sendmmsg(to[0], m, 3, 0);

	need(n == 3, "sendmmsg");
	for (int i = 0; i < n; i++)
		put(m[i].msg_len);
	need(recvmmsg(to[1], m, 3, MSG_WAITFORONE, NULL) == 3, "recvmmsg");
	for (int i = 0; i < n; i++)
		got(m[i].msg_len, i + 1);
}

static void
round_(int to[2], struct sockaddr *a, socklen_t an)
{
	struct iovec part[2] = { { buf, 10 }, { buf + 10, 20 } }, each[3];
	struct msghdr m = { .msg_name = an == 0 ? NULL : a,
		.msg_namelen = an,
		.msg_iov = part,
		.msg_iovlen = 2 };
	struct mmsghdr three[3] = { 0 };

	put(sendto(to[0], buf, 100, 0, an == 0 ? NULL : a, an));
	got(recv(to[1], buf, sizeof(buf), 0), 100);
	put(sendmsg(to[0], &m, 0));
	got(recvfrom(to[1], buf, sizeof(buf), 0, NULL, NULL), 30);
	if (an != 0)
		need(connect(to[0], a, an) == 0, "connect");
	put(send(to[0], buf, 1000, 0));
	need(recv(to[1], buf, sizeof(buf), MSG_PEEK) == 1000, "a look");
	got(recv(to[1], buf, sizeof(buf), 0), 1000);
	put(write(to[0], buf, 50));
	got(read(to[1], buf, 40), 40);
	put(writev(to[0], part, 2));
	got(readv(to[1], part, 2), 30);
	for (int i = 0; i < 3; i++) {
		each[i] = (struct iovec){ buf, (size_t)i + 1 };
		three[i].msg_hdr.msg_iov = &each[i];
		three[i].msg_hdr.msg_iovlen = 1;
	}
	many(to, three);
	/* what is no message is for the kernel to refuse */
	need(sendmsg(to[0], NULL, 0) == -1 && errno == EFAULT &&
		 recvmsg(to[1], NULL, MSG_DONTWAIT) == -1 && errno == EFAULT,
	    "no message");
	m = (struct msghdr){ .msg_iov = part, .msg_iovlen = 2 };
	put(send(to[0], buf, 30, MSG_DONTWAIT));
	got(recvmsg(to[1], &m, 0), 30);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "udp";
	int to[2];
	struct sockaddr_in6 a;
	socklen_t n = connect_both(how, to, &a);

	for (int i = 0; i < ROUNDS; i++)
		round_(to, (void *)&a, n);
	if (strcmp(how, "seq") != 0) {
		put(send(to[0], buf, 0, 0)); /* an empty one */
		got(recv(to[1], buf, sizeof(buf), 0), 0);
	}
	put(send(to[0], buf, 70, 0)); /* nobody takes it */
	if (strcmp(how, "seq") == 0)
		need(shutdown(to[1], SHUT_WR) == 0 &&
			 recv(to[0], buf, sizeof(buf), 0) == 0,
		    "the end");
	printf("%s\t%ju\t%ju\t%ju\t%ju\n", how, sent.messages, sent.bytes,
	    received.messages, received.bytes);
	return (0);
}
