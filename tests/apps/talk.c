/*
 * A program that knows nothing of Orrery: two processes that talk through a
 * connection or a pair of pipes.  Each request has an answer; now and then many
 * requests are sent before the first answer is read, more than there is room
 * for, and what is read is cut otherwise than it was written.  Both sides check
 * every byte.  Prints how many messages were written, how many bytes, and what
 * the kernel has counted, where it counts.
 *
 *	talk tcp|unix|pipe|pair requests [nonblocking]
 */
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <linux/tcp.h>
#include <netinet/in.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BIGGEST 3000u

static int nonblocking;

static struct side {
	int in, out;
	uint64_t messages, sent, received; /* written, and bytes */
	uint32_t cut;                      /* chance for how to cut */
} me;

static void
need(int is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "talk: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static uint32_t
chance(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8);
}

/* Byte i of all that a side sends. */
static unsigned char
byte_at(uint64_t i)
{
	return ((unsigned char)(i ^ i >> 8 ^ i >> 16));
}

static void
wait_for(int fd, short events)
{
	need(errno == EAGAIN && nonblocking, "a call");
	need(poll(&(struct pollfd){ .fd = fd, .events = events }, 1, -1) == 1,
	    "poll");
}

/* A message of n bytes, in as many calls as that takes. */
static void
put(size_t n)
{
	static unsigned char buf[BIGGEST];
	size_t done = 0;
	ssize_t k;

	for (size_t i = 0; i < n; i++)
		buf[i] = byte_at(me.sent + i);
	while (done < n) {
		struct iovec iov[2] = { { buf + done, (n - done) / 2 },
			{ buf + done + (n - done) / 2,
			    n - done - (n - done) / 2 } };

		k = me.messages % 3 == 0 ? writev(me.out, iov, 2)
					 : write(me.out, buf + done, n - done);
		if (k == -1)
			wait_for(me.out, POLLOUT);
		else
			done += (size_t)k;
	}
	me.sent += n;
	me.messages++;
}

/* n bytes, in pieces as chance will have it. */
static void
get(size_t n)
{
	static unsigned char buf[2 * BIGGEST];
	size_t want;
	ssize_t k;

	while (n > 0) {
		want = 1 + chance(&me.cut) % sizeof(buf);
		want = want < n ? want : n;
		k = read(me.in, buf, want);
		if (k == -1) {
			wait_for(me.in, POLLIN);
			continue;
		}
		need(k > 0, "the end");
		for (ssize_t i = 0; i < k; i++)
			need(buf[i] == byte_at(me.received + (uint64_t)i),
			    "another byte");
		me.received += (uint64_t)k;
		n -= (size_t)k;
	}
}

/* How many requests come before their answers, and how large they are; both
 * sides draw the same. */
static unsigned
burst(uint32_t *state)
{
	return (chance(state) % 16 == 0 ? 1 + chance(state) % 100 : 1);
}

static size_t
size(uint32_t *state)
{
	return (1 + chance(state) % (chance(state) % 8 == 0 ? BIGGEST : 60));
}

static void
talk(unsigned requests, int asks)
{
	uint32_t state = 12345;

	for (unsigned done = 0; done < requests;) {
		unsigned n = burst(&state);
		size_t of[100], total = 0;

		n = n < requests - done ? n : requests - done;
		for (unsigned i = 0; i < n; i++)
			total += of[i] = size(&state);
		for (unsigned i = 0; asks && i < n; i++)
			put(of[i]);
		if (!asks)
			get(total);
		for (unsigned i = 0; !asks && i < n; i++)
			put(i + 1);
		if (asks)
			get(n * (n + 1) / 2);
		done += n;
	}
}

/* Two ends of a connection, or of pipes; the child has the second. */
static void
connect_both(const char *how, int in[2], int out[2])
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_un u = { .sun_family = AF_UNIX };
	int tcp = strcmp(how, "tcp") == 0, l, p[2];
	socklen_t n = tcp ? sizeof(a) : sizeof(u.sun_family);
	struct sockaddr *any = tcp ? (void *)&a : (void *)&u;

	if (strcmp(how, "pipe") == 0) {
		need(pipe(p) == 0, "pipe");
		in[0] = p[0], out[1] = p[1];
		need(pipe(p) == 0, "pipe");
		in[1] = p[0], out[0] = p[1];
		return;
	}
	if (strcmp(how, "pair") == 0) {
		need(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0, "pair");
	} else {
		l = socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
		need(bind(l, any, n) == 0 && listen(l, 1) == 0, "listen");
		n = tcp ? sizeof(a) : sizeof(u);
		need(getsockname(l, any, &n) == 0, "name");
		p[1] = socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
		need(connect(p[1], any, n) == 0, "connect");
		p[0] = accept(l, NULL, NULL);
		need(p[0] != -1, "accept");
		close(l);
	}
	for (int i = 0; tcp && i < 2; i++)
		need(setsockopt(p[i], IPPROTO_TCP, TCP_NODELAY, &(int){ 1 },
			 sizeof(int)) == 0,
		    "TCP_NODELAY");
	in[0] = out[0] = p[0];
	in[1] = out[1] = p[1];
}

static void
say(const char *who, int kernel)
{
	struct tcp_info info = { 0 };
	socklen_t n = sizeof(info);

	if (kernel)
		need(getsockopt(me.in, IPPROTO_TCP, TCP_INFO, &info, &n) == 0,
		    "TCP_INFO");
	printf("%s\t%ju\t%ju\t%ju\t%ju\n", who, (uintmax_t)me.messages,
	    (uintmax_t)me.sent, (uintmax_t)me.received,
	    kernel ? (uintmax_t)(info.tcpi_bytes_sent - info.tcpi_bytes_retrans)
		   : (uintmax_t)me.sent);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	int in[2], out[2], status, side;
	unsigned requests = argc > 2 ? (unsigned)atoi(argv[2]) : 1000;
	const char *how = argc > 1 ? argv[1] : "tcp";
	pid_t child;

	nonblocking = argc > 3;
	connect_both(how, in, out);
	child = fork();
	side = child == 0;
	need(child != -1, "fork");
	close(in[!side]);
	if (out[!side] != in[!side])
		close(out[!side]);
	me = (struct side){ .in = in[side], .out = out[side], .cut = 99 };
	if (nonblocking)
		need(fcntl(me.in, F_SETFL, O_NONBLOCK) == 0 &&
			 fcntl(me.out, F_SETFL, O_NONBLOCK) == 0,
		    "O_NONBLOCK");
	talk(requests, side);
	if (side) {
		say("client", strcmp(how, "tcp") == 0);
		return (0);
	}
	need(waitpid(child, &status, 0) == child && status == 0, "client");
	say("server", strcmp(how, "tcp") == 0);
	return (0);
}
