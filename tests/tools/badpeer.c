/*
 * A peer that does not behave, for the scripts in tests/system.
 *
 *	badpeer send SOCKET FRAME [ROLE]
 *		connects, says hello as ROLE (collector, clock, viewer,
 *		control; without one: nothing), sends one bad FRAME and
 *		prints how the other side takes it: "refused: ...",
 *		"closed" or "open" when 3 s go by
 *	badpeer versions SOCKET MIN MAX ROLE
 *		says hello in these versions and prints the answer
 *	badpeer silent SOCKET N
 *		N connections that say nothing, until all are closed; prints
 *		how many were, and after how many milliseconds the last was
 *	badpeer slow SOCKET FILE
 *		a viewer that reads nothing until FILE exists, and then all;
 *		prints the bytes of the log that it was sent
 *	badpeer serve SOCKET VERSION
 *		a monitord that welcomes everybody in this version, or, with
 *		version 0, refuses everybody
 *	badpeer frames
 *		prints the names of the frames
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/talk.h"

#define OPEN_MS   3000
#define SILENT_MS 20000
#define SILENTS   1024

static const char *const role_names[] = {
	[ROLE_COLLECTOR] = "collector",
	[ROLE_CLOCK] = "clock",
	[ROLE_VIEWER] = "viewer",
	[ROLE_CONTROL] = "control",
};
#define ROLES ((int)(sizeof(role_names) / sizeof(role_names[0])))

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ts.tv_sec * 1000 + ts.tv_nsec / 1000000);
}

/* --- frames that are wrong --- */

static size_t
whole(uint8_t *p, unsigned type, size_t body)
{
	memset(p + FRAME_HEAD_BYTES, 0x3a, body); /* also a sane time */
	return (frame_seal(p, type, body));
}

static size_t
bad_cut(uint8_t *p)
{
	return (whole(p, MSG_heartbeat, 40) - 7); /* and then the end */
}
static size_t
bad_head(uint8_t *p)
{
	size_t n = whole(p, MSG_heartbeat, 40);

	memset(p + 4, 0xff, 4);
	memset(p + 10, 0, 2); /* as a peer that does not check heads */
	return (n);
}
static size_t
bad_long(uint8_t *p)
{
	size_t n = bad_head(p);

	memset(p + 10, 0, 2); /* a head without a check: its length is tried */
	return (n);
}
static size_t
bad_type(uint8_t *p)
{
	return (whole(p, 120, 40));
}
static size_t
bad_checksum(uint8_t *p)
{
	size_t n = whole(p, MSG_heartbeat, 40);

	p[n - 1] ^= 1;
	return (n);
}
static size_t
bad_magic(uint8_t *p)
{
	return ((size_t)sprintf((char *)p, "GET / HTTP/1.0\r\n\r\n%32s", ""));
}
static size_t
bad_body(uint8_t *p)
{
	return (whole(p, MSG_hello, 3)); /* whole, but its fields are cut */
}
static size_t
bad_turn(uint8_t *p)
{
	return (whole(p, MSG_pulse, 80)); /* nobody may send this here */
}
static size_t
bad_batch(uint8_t *p)
{
	return (whole(p, MSG_batch, 200));
}

static const struct {
	const char *name;
	size_t (*make)(uint8_t *);
} frames[] = {
	{ "cut", bad_cut },
	{ "head", bad_head },
	{ "long", bad_long },
	{ "type", bad_type },
	{ "checksum", bad_checksum },
	{ "magic", bad_magic },
	{ "body", bad_body },
	{ "turn", bad_turn },
	{ "batch", bad_batch },
};
#define FRAMES (sizeof(frames) / sizeof(frames[0]))

static int
role_of(const char *name)
{
	for (int i = ROLE_COLLECTOR; i < ROLES; i++)
		if (strcmp(role_names[i], name) == 0)
			return (i);
	fprintf(stderr, "badpeer: no role %s\n", name);
	exit(64);
}

static void
say_hello(int fd, int role, unsigned min, unsigned max)
{
	struct msg_hello m = { .version_min = (uint16_t)min,
		.version_max = (uint16_t)max,
		.role = (uint8_t)role,
		.name = BYTES_STR(getenv("BADPEER_NAME") != NULL
				      ? getenv("BADPEER_NAME")
				      : "stranger"),
		.machine = BYTES_STR("nowhere"),
		.epoch = 1,
		.pid = (uint32_t)getpid() };

	(void)talk_message(fd, MSG_hello, &m);
}

/* Prints what comes until the end.  welcome: that is an answer, too. */
static int
hear(int fd, bool welcome)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int64_t end = now_ms() + OPEN_MS;
	struct buf b = { 0 };
	struct msg_refuse refuse;
	struct frame f;
	size_t at = 0;
	ssize_t n;

	for (;;) {
		while (frame_parse(b.p + at, b.n - at, &f) == FRAME_OK) {
			at += f.frame_bytes;
			if (f.type == MSG_refuse &&
			    msg_decode(f.type, f.body, f.body_bytes, &refuse) ==
				0) {
				printf("refused: %u %.*s\n", refuse.code,
				    (int)refuse.reason.n,
				    (const char *)refuse.reason.p);
				buf_free(&b);
				return (0);
			}
			if (f.type == MSG_welcome && welcome) {
				puts("welcome");
				buf_free(&b);
				return (0);
			}
		}
		if (poll(&pfd, 1, (int)(end - now_ms())) <= 0 ||
		    now_ms() >= end || buf_reserve(&b, 65536) == -1)
			break;
		n = recv(fd, b.p + b.n, 65536, 0);
		if (n <= 0) {
			puts("closed");
			buf_free(&b);
			return (0);
		}
		b.n += (size_t)n;
	}
	puts("open");
	buf_free(&b);
	return (0);
}

static int
do_send(int argc, char **argv)
{
	uint8_t frame[1024];
	int fd;

	if (argc < 2)
		return (64);
	fd = talk_socket(argv[0], false);
	if (argc > 2)
		say_hello(fd, role_of(argv[2]), PROTO_VERSION_MIN,
		    PROTO_VERSION);
	for (size_t i = 0; i < FRAMES; i++) {
		if (strcmp(frames[i].name, argv[1]) != 0)
			continue;
		(void)talk_put(fd, frame, frames[i].make(frame));
		if (frames[i].make == bad_cut)
			shutdown(fd, SHUT_WR);
		return (hear(fd, false));
	}
	return (64);
}

static int
do_versions(int argc, char **argv)
{
	int fd;

	if (argc < 4)
		return (64);
	fd = talk_socket(argv[0], false);
	say_hello(fd, role_of(argv[3]), (unsigned)atoi(argv[1]),
	    (unsigned)atoi(argv[2]));
	return (hear(fd, true));
}

static int
do_silent(int argc, char **argv)
{
	static struct pollfd pfd[SILENTS];
	int n = argc > 1 ? atoi(argv[1]) : 0, left, closed = 0;
	int64_t start = now_ms(), last = start;
	char c;

	if (n < 1 || n > SILENTS)
		return (64);
	for (int i = 0; i < n; i++)
		pfd[i] = (struct pollfd){ .fd = talk_socket(argv[0], false),
			.events = POLLIN };
	puts("connected");
	fflush(stdout);
	for (left = n; left > 0 && now_ms() - start < SILENT_MS;) {
		if (poll(pfd, (nfds_t)n, 100) <= 0)
			continue;
		for (int i = 0; i < n; i++) {
			if (pfd[i].fd == -1 || pfd[i].revents == 0 ||
			    recv(pfd[i].fd, &c, 1, 0) > 0)
				continue;
			close(pfd[i].fd);
			pfd[i].fd = -1;
			closed++;
			left--;
			last = now_ms();
		}
	}
	printf("closed %d of %d after %lld ms\n", closed, n,
	    (long long)(last - start));
	return (0);
}

/* What a log consists of while it grows: no index and no receipt yet. */
static bool
of_growing_log(unsigned type)
{
	return (type >= MSG_run && type <= MSG_symbol && type != MSG_index &&
		type != MSG_receipt);
}

static int
do_slow(int argc, char **argv)
{
	struct msg_subscribe m = { .offset = 0 };
	struct timespec pause = { 0, 50000000 };
	unsigned long long bytes = 0;
	struct buf b = { 0 };
	struct frame f = { 0 };
	size_t at;
	ssize_t n;
	int fd;

	if (argc < 2)
		return (64);
	fd = talk_socket(argv[0], false);
	say_hello(fd, ROLE_VIEWER, PROTO_VERSION_MIN, PROTO_VERSION);
	(void)talk_message(fd, MSG_subscribe, &m);
	while (access(argv[1], F_OK) != 0)
		nanosleep(&pause, NULL);
	while (f.type != MSG_receipt && buf_reserve(&b, 65536) == 0 &&
	       (n = recv(fd, b.p + b.n, 65536, 0)) > 0) {
		b.n += (size_t)n;
		for (at = 0; f.type != MSG_receipt &&
			     frame_parse(b.p + at, b.n - at, &f) == FRAME_OK;
		     at += f.frame_bytes)
			if (of_growing_log(f.type))
				bytes += f.frame_bytes;
		b.n -= at;
		memmove(b.p, b.p + at, b.n);
	}
	buf_free(&b);
	printf("log bytes %llu%s\n", bytes,
	    f.type == MSG_receipt ? ", and the receipt" : "");
	return (0);
}

static int
do_serve(int argc, char **argv)
{
	struct msg_welcome w = { .run_name = BYTES_STR("fake"), .node = 1 };
	struct msg_refuse r = { .code = 76,
		.reason = BYTES_STR("protocol version 1 to 1 is spoken there, "
				    "7 to 8 here; install the same release "
				    "of orrery on both sides") };
	int fd, c;
	char buf[4096];

	if (argc < 2)
		return (64);
	fd = talk_socket(argv[0], true);
	w.version = (uint16_t)atoi(argv[1]);
	while ((c = accept(fd, NULL, NULL)) != -1) {
		if (recv(c, buf, sizeof(buf), 0) > 0) {
			if (w.version == 0)
				(void)talk_message(c, MSG_refuse, &r);
			else
				(void)talk_message(c, MSG_welcome, &w);
			shutdown(c, SHUT_WR);
			while (recv(c, buf, sizeof(buf), 0) > 0)
				;
		}
		close(c);
	}
	return (0);
}

static int
do_frames(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	for (size_t i = 0; i < FRAMES; i++)
		puts(frames[i].name);
	return (0);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int, char **);
	} commands[] = {
		{ "send", do_send },
		{ "versions", do_versions },
		{ "silent", do_silent },
		{ "slow", do_slow },
		{ "serve", do_serve },
		{ "frames", do_frames },
	};

	for (size_t i = 0;
	     argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, argv[1]) == 0)
			return (commands[i].run(argc - 2, argv + 2));
	fputs("usage: badpeer send|versions|silent|slow|serve|frames ...\n",
	    stderr);
	return (64);
}
