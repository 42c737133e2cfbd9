/*
 * A bad line between a collector and monitord.
 *
 *	relay --listen IP:PORT --to IP:PORT [--seed N] [--delay US]
 *	    [--jitter US] [--spikes PERMILLE] [--stall S] [--cut S] [--half S]
 *	    [--duplicate PERMILLE] [--leave PERMILLE]
 *
 * Carries TCP connections, frame by frame.  Each frame is late by the delay
 * and some jitter (exponential), one in so many by up to 5 ms more; frames of
 * a direction never overtake each other.  About every so many seconds a
 * direction stalls for up to 300 ms, or a connection is cut, or goes half: the
 * side of monitord is closed while that of the collector stays open and says
 * nothing for up to a second.  Batches may be sent twice, as a sender may
 * that has not heard of the first.  The words of a farewell may be those at
 * which the connection is cut, before or after they have arrived.  What happens
 * follows from the seed, when it happens also from the machine.  At the end
 * (SIGTERM) it prints what it has done.
 *
 * netem does all this in the kernel, where the kernel has it.
 */
#include <sys/socket.h>

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "frame.h"

#define LINES_MAX    16
#define HELD_MAX     ((size_t)4 << 20) /* of a direction; then no more is read */
#define READ_BYTES   65536
#define STALL_MAX_US 300000
#define HALF_MAX_US  1000000
#define SPIKE_MAX_US 5000
#define LEAVE_MAX_US 500
#define NEVER        INT64_MAX

/* A frame on its way. */
struct packet {
	struct packet *next;
	int64_t due_us;
	size_t n, sent;
	uint8_t data[];
};

/* One direction of a connection. */
struct way {
	struct packet *first, **last;
	size_t held;
	int64_t last_due_us, stalled_until_us, stall_us, cut_us;
	struct buf in; /* a frame that is not yet whole */
	bool ended;    /* no more will come */
	bool full;     /* who is to get it does not read: waits until so */
};

/* side 0 is the collector's, 1 monitord's; way i goes from side i */
struct line {
	int fd[2]; /* -1: there is none */
	struct way way[2];
	int64_t cut_us, half_us, gone_us;
};

static struct {
	uint64_t seed;
	double delay_us, jitter_us, stall_s, cut_s, half_s;
	unsigned spikes, duplicate, leave;
	struct sockaddr_in listen, to;
} o;
static struct {
	unsigned long connections, cuts, halves, stalls, spikes, twice, frames;
} done;
static struct line lines[LINES_MAX];
static volatile sig_atomic_t stop;

static uint32_t
random_below(uint32_t n)
{
	o.seed = o.seed * 6364136223846793005u + 1442695040888963407u;
	return ((uint32_t)(((o.seed >> 32) * n) >> 32));
}

static double
exponential(double mean)
{
	return (-log(((double)random_below(1000000) + 1) / 1e6) * mean);
}

static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000);
}

/* When that which comes every so many seconds comes next. */
static int64_t
next_us(double every_s)
{
	return (every_s <= 0 ? NEVER
			     : now_us() + (int64_t)exponential(every_s * 1e6));
}

static void
way_clear(struct way *w)
{
	struct packet *p;

	while ((p = w->first) != NULL) {
		w->first = p->next;
		free(p);
	}
	buf_free(&w->in);
	*w = (struct way){ .last = &w->first, .cut_us = NEVER };
}

static void
line_close(struct line *l, bool reset)
{
	const struct linger now = { 1, 0 };

	for (int i = 0; i < 2; i++) {
		if (l->fd[i] == -1)
			continue;
		if (reset)
			setsockopt(l->fd[i], SOL_SOCKET, SO_LINGER, &now,
			    sizeof(now));
		close(l->fd[i]);
		l->fd[i] = -1;
	}
	way_clear(&l->way[0]);
	way_clear(&l->way[1]);
}

static void
line_open(int at)
{
	struct line *l = lines;
	int fd = accept4(at, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;

	if (fd == -1)
		return;
	while (l < lines + LINES_MAX && l->fd[0] != -1)
		l++;
	if (l == lines + LINES_MAX) {
		close(fd);
		return;
	}
	l->fd[0] = fd;
	l->fd[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (l->fd[1] == -1 ||
	    connect(l->fd[1], (struct sockaddr *)&o.to, sizeof(o.to)) == -1) {
		line_close(l, true);
		return;
	}
	for (int i = 0; i < 2; i++) {
		fcntl(l->fd[i], F_SETFL, O_NONBLOCK);
		setsockopt(l->fd[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		l->way[i].stall_us = next_us(o.stall_s);
	}
	l->cut_us = next_us(o.cut_s);
	l->half_us = next_us(o.half_s);
	l->gone_us = NEVER;
	done.connections++;
}

static void
put(struct way *w, const uint8_t *data, size_t n)
{
	struct packet *p = malloc(sizeof(*p) + n);
	int64_t due =
	    now_us() + (int64_t)(o.delay_us + exponential(o.jitter_us));

	if (p == NULL)
		err(EX_OSERR, "relay");
	if (random_below(1000) < o.spikes) {
		due += random_below(SPIKE_MAX_US);
		done.spikes++;
	}
	*p = (struct packet){ .n = n,
		.due_us = due > w->last_due_us ? due : w->last_due_us };
	w->last_due_us = p->due_us;
	memcpy(p->data, data, n);
	*w->last = p;
	w->last = &p->next;
	w->held += n;
	done.frames++;
}

/* All whole frames; what is none is passed on as it is. */
static void
put_frames(struct way *w)
{
	struct frame f;
	size_t at = 0;

	while (at < w->in.n) {
		enum frame_status s =
		    frame_parse(w->in.p + at, w->in.n - at, &f);

		if (s == FRAME_SHORT)
			break;
		if (s != FRAME_OK)
			f.frame_bytes = w->in.n - at;
		put(w, w->in.p + at, f.frame_bytes);
		if (s == FRAME_OK && f.type == MSG_batch &&
		    random_below(1000) < o.duplicate) {
			put(w, w->in.p + at, f.frame_bytes);
			done.twice++;
		}
		if (s == FRAME_OK &&
		    (f.type == MSG_finish || f.type == MSG_finished) &&
		    random_below(1000) < o.leave)
			w->cut_us = now_us() + random_below(LEAVE_MAX_US);
		at += f.frame_bytes;
	}
	memmove(w->in.p, w->in.p + at, w->in.n - at);
	w->in.n -= at;
}

/* False: the connection is broken. */
static bool
take(int fd, struct way *w)
{
	uint8_t *p =
	    buf_reserve(&w->in, READ_BYTES) == -1 ? NULL : w->in.p + w->in.n;
	ssize_t n;

	if (p == NULL)
		err(EX_OSERR, "relay");
	n = read(fd, p, READ_BYTES);
	if (n > 0) {
		w->in.n += (size_t)n;
		put_frames(w);
	} else if (n == 0) {
		w->ended = true;
	}
	return (n >= 0 || errno == EAGAIN || errno == EINTR);
}

/* Hands on what is due.  False: the connection is broken, or has ended. */
static bool
give(int fd, struct way *w)
{
	int64_t now = now_us();
	struct packet *p;
	ssize_t n;

	if (now >= w->stall_us) {
		w->stalled_until_us = now + random_below(STALL_MAX_US);
		w->stall_us = next_us(o.stall_s);
		done.stalls++;
	}
	if (now < w->stalled_until_us)
		return (true);
	while ((p = w->first) != NULL && p->due_us <= now) {
		n = send(fd, p->data + p->sent, p->n - p->sent, MSG_NOSIGNAL);
		w->full = n == -1 && errno == EAGAIN;
		if (n == -1)
			return (w->full || errno == EINTR);
		p->sent += (size_t)n;
		if (p->sent < p->n)
			return (true);
		w->held -= p->n;
		w->first = p->next;
		if (w->first == NULL)
			w->last = &w->first;
		free(p);
	}
	if (w->ended && w->first == NULL)
		shutdown(fd, SHUT_WR);
	return (!w->ended || w->first != NULL);
}

/* What befalls the connection as a whole.  False: it is over. */
static bool
fate(struct line *l)
{
	int64_t now = now_us();

	if (now >= l->gone_us)
		return (false);
	if (l->gone_us != NEVER)
		return (true);
	if (now >= l->cut_us || now >= l->way[0].cut_us ||
	    now >= l->way[1].cut_us) {
		done.cuts++;
		return (false);
	}
	if (now >= l->half_us) {
		close(l->fd[1]);
		l->fd[1] = -1;
		l->gone_us = now + random_below(HALF_MAX_US);
		done.halves++;
	}
	return (true);
}

static void
line_step(struct line *l, const struct pollfd *p)
{
	bool good = fate(l);

	for (int i = 0; good && l->fd[1] != -1 && i < 2; i++) {
		if (p[i].revents & (POLLIN | POLLHUP | POLLERR) &&
		    !l->way[i].ended)
			good = take(l->fd[i], &l->way[i]);
		good = good && give(l->fd[1 - i], &l->way[i]);
	}
	if (!good)
		line_close(l, true);
}

/* Nothing happens before. */
static int64_t
wake_us(const struct line *l)
{
	int64_t at = l->gone_us;

	if (at != NEVER)
		return (at);
	at = l->cut_us < l->half_us ? l->cut_us : l->half_us;
	for (int i = 0; i < 2; i++) {
		const struct way *w = &l->way[i];
		int64_t due =
		    w->first == NULL || w->full ? NEVER : w->first->due_us;

		if (due < w->stalled_until_us)
			due = w->stalled_until_us;
		if (w->cut_us < due)
			due = w->cut_us;
		if (due < at)
			at = due;
	}
	return (at);
}

static void
carry(int at)
{
	struct pollfd p[1 + 2 * LINES_MAX] = { { .fd = at, .events = POLLIN } };
	int64_t wake = NEVER, now = now_us();
	struct timespec t = { 0, 0 };

	for (int i = 0; i < LINES_MAX; i++) {
		struct line *l = &lines[i];

		for (int k = 0; k < 2; k++) {
			bool whole = l->fd[0] != -1 && l->fd[1] != -1;
			short events = 0;

			if (!l->way[k].ended && l->way[k].held < HELD_MAX)
				events |= POLLIN;
			if (l->way[1 - k].full)
				events |= POLLOUT;
			p[1 + 2 * i + k] = (struct pollfd){
				.fd = whole && events != 0 ? l->fd[k] : -1,
				.events = events,
			};
		}
		if (l->fd[0] != -1 && wake_us(l) < wake)
			wake = wake_us(l);
	}
	/* not every turn of the wheel when the other side does not read */
	if (wake > now + 50000)
		wake = now + 50000;
	else if (wake < now + 20)
		wake = now + 20;
	t.tv_nsec = (wake - now) * 1000;
	if (ppoll(p, 1 + 2 * LINES_MAX, &t, NULL) == -1 && errno != EINTR)
		err(EX_OSERR, "poll");
	for (int i = 0; i < LINES_MAX; i++)
		if (lines[i].fd[0] != -1)
			line_step(&lines[i], &p[1 + 2 * i]);
	if (p[0].revents & POLLIN)
		line_open(at);
}

static struct sockaddr_in
address(const char *text)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	char ip[32];
	unsigned port;

	if (sscanf(text, "%31[0-9.]:%u", ip, &port) != 2 ||
	    inet_pton(AF_INET, ip, &a.sin_addr) != 1 || port > 65535)
		errx(EX_USAGE, "%s: IP:PORT was expected", text);
	a.sin_port = htons((uint16_t)port);
	return (a);
}

static void
on_signal(int number)
{
	(void)number;
	stop = 1;
}

static void
options(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "listen", required_argument, NULL, 'l' },
		{ "to", required_argument, NULL, 't' },
		{ "seed", required_argument, NULL, 's' },
		{ "delay", required_argument, NULL, 'd' },
		{ "jitter", required_argument, NULL, 'j' },
		{ "spikes", required_argument, NULL, 'p' },
		{ "stall", required_argument, NULL, 'S' },
		{ "cut", required_argument, NULL, 'c' },
		{ "half", required_argument, NULL, 'h' },
		{ "duplicate", required_argument, NULL, 'D' },
		{ "leave", required_argument, NULL, 'L' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		switch (c) {
		case 'l':
			o.listen = address(optarg);
			break;
		case 't':
			o.to = address(optarg);
			break;
		case 's':
			o.seed = strtoull(optarg, NULL, 10);
			break;
		case 'd':
			o.delay_us = atof(optarg);
			break;
		case 'j':
			o.jitter_us = atof(optarg);
			break;
		case 'p':
			o.spikes = (unsigned)atoi(optarg);
			break;
		case 'S':
			o.stall_s = atof(optarg);
			break;
		case 'c':
			o.cut_s = atof(optarg);
			break;
		case 'h':
			o.half_s = atof(optarg);
			break;
		case 'D':
			o.duplicate = (unsigned)atoi(optarg);
			break;
		case 'L':
			o.leave = (unsigned)atoi(optarg);
			break;
		default:
			exit(EX_USAGE);
		}
	if (o.listen.sin_port == 0 || o.to.sin_port == 0)
		errx(EX_USAGE, "--listen and --to are needed");
}

int
main(int argc, char **argv)
{
	const struct sigaction end = { .sa_handler = on_signal };
	int at, on = 1;

	options(argc, argv);
	random_below(1);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGINT, &end, NULL);
	for (int i = 0; i < LINES_MAX; i++) {
		lines[i].fd[0] = lines[i].fd[1] = -1;
		way_clear(&lines[i].way[0]);
		way_clear(&lines[i].way[1]);
	}
	at = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (at == -1 ||
	    setsockopt(at, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == -1 ||
	    bind(at, (struct sockaddr *)&o.listen, sizeof(o.listen)) == -1 ||
	    listen(at, LINES_MAX) == -1)
		err(EX_OSERR, "listen");
	puts("relay: ready");
	fflush(stdout);
	while (!stop)
		carry(at);
	for (int i = 0; i < LINES_MAX; i++)
		line_close(&lines[i], false);
	close(at);
	printf("relay: %lu connections, %lu frames, %lu spikes, %lu stalls, "
	       "%lu cuts, %lu half, %lu batches twice\n",
	    done.connections, done.frames, done.spikes, done.stalls, done.cuts,
	    done.halves, done.twice);
	return (0);
}
