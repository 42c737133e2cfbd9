/*
 * A bare ping-pong: blocking reads, no loop, no frames.
 *
 * Each answer carries when the ping came, once as the process saw it and once
 * as the kernel stamped it, so that both kinds of stamps are of the same pings.
 */
#include "clock_bare.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <err.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "env_stamp.h"

#define BURST    8
#define EVERY_US 100000

struct bare_message {
	int64_t read_ns, stamped_ns, sent_ns;
	char more[40]; /* about as long as the real ones */
};

struct bare_best {
	int64_t rtt_ns, off_ns;
};

static int64_t
raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

struct clock_bare *
clock_bare_new(void)
{
	struct clock_bare *b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (b == MAP_FAILED)
		err(EX_OSERR, "mmap");
	b->read.rtt_us = b->stamped.rtt_us = HUGE_VAL;
	return (b);
}

int
clock_bare_listen(struct clock_bare *b)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	socklen_t len = sizeof(in);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd == -1 || bind(fd, (struct sockaddr *)&in, sizeof(in)) == -1 ||
	    listen(fd, 1) == -1 ||
	    getsockname(fd, (struct sockaddr *)&in, &len) == -1)
		err(EX_OSERR, "listen");
	b->port = ntohs(in.sin_port);
	return (fd);
}

static void
bare_open(int fd)
{
	int one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	env_stamp_open(fd);
}

/* Messages are so short that they come in one piece. */
static void
bare_read(int fd, struct bare_message *m, struct env_stamp_pair *last,
    int64_t *read_ns, int64_t *stamped_ns)
{
	ssize_t n = env_stamp_read(fd, m, sizeof(*m), last, stamped_ns);

	*read_ns = last->raw_ns;
	if (n != sizeof(*m))
		_exit(EX_IOERR);
}

void
clock_bare_answer(int listener)
{
	struct env_stamp_pair last = { 0 };
	struct bare_message m;
	int fd = accept(listener, NULL, NULL);

	if (fd == -1)
		_exit(EX_OSERR);
	bare_open(fd);
	for (;;) {
		bare_read(fd, &m, &last, &m.read_ns, &m.stamped_ns);
		m.sent_ns = raw_ns();
		if (write(fd, &m, sizeof(m)) != sizeof(m))
			_exit(EX_IOERR);
	}
}

static void
bare_best(struct bare_best *best, int64_t there_ns, int64_t back_ns)
{
	if (there_ns + back_ns >= best->rtt_ns)
		return;
	best->rtt_ns = there_ns + back_ns;
	best->off_ns = (there_ns - back_ns) / 2;
}

static void
bare_keep(struct clock_bare_way *w, size_t i, const struct bare_best *best)
{
	w->off_us[i] = fabs((double)best->off_ns / 1e3);
	w->rtt_us = fmin(w->rtt_us, (double)best->rtt_ns / 1e3);
}

void
clock_bare_ask(struct clock_bare *b)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)b->port) };
	struct env_stamp_pair last = { 0 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd == -1 || connect(fd, (struct sockaddr *)&in, sizeof(in)) == -1)
		_exit(EX_OSERR);
	bare_open(fd);
	while (b->bursts < CLOCK_BARE_MOST) {
		struct bare_best read = { .rtt_ns = INT64_MAX };
		struct bare_best stamped = read;

		for (int i = 0; i < BURST; i++) {
			struct bare_message m = { 0 };
			int64_t t1 = raw_ns(), seen, came;

			if (write(fd, &m, sizeof(m)) != sizeof(m))
				_exit(EX_IOERR);
			bare_read(fd, &m, &last, &seen, &came);
			bare_best(&read, m.read_ns - t1, seen - m.sent_ns);
			bare_best(&stamped, m.stamped_ns - t1,
			    came - m.sent_ns);
		}
		bare_keep(&b->read, b->bursts, &read);
		bare_keep(&b->stamped, b->bursts, &stamped);
		b->bursts++;
		usleep(EVERY_US);
	}
	_exit(0);
}
