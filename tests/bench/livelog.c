/*
 * livelog FILE SOCKET PERCENT SECONDS [end]: hands a log out as monitord does
 * to a viewer, so that a live view can be measured at a steady rate: so much of
 * it at once, the rest evenly over so many seconds, then nothing more.  Ends
 * when the viewer has gone; with "end" the run ends, and so does this.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/talk.h"

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

/* Ends when the viewer has ended. */
static void
tell(int fd, enum msg_type type, const void *msg)
{
	if (!talk_message(fd, type, msg))
		exit(0);
}

/* Waits for a whole message of the viewer; the offset that it asks for. */
static uint64_t
hear(int fd)
{
	static uint8_t in[4096];
	size_t n = 0;
	struct frame f;
	struct msg_subscribe s;

	while (frame_parse(in, n, &f) != FRAME_OK) {
		ssize_t got = read(fd, in + n, sizeof(in) - n);

		if (got <= 0 || n + (size_t)got == sizeof(in))
			exit(1);
		n += (size_t)got;
	}
	if (f.type != MSG_subscribe ||
	    msg_decode(MSG_subscribe, f.body, f.body_bytes, &s) == -1)
		return (0);
	return (s.offset);
}

static int
viewer_of(const char *path)
{
	int fd = talk_socket(path, true), in = accept(fd, NULL, NULL);

	if (in == -1)
		die(path);
	close(fd);
	return (in);
}

static void
pulse(int fd, size_t at, double rate)
{
	struct msg_pulse p = { .log_bytes = at,
		.nodes = 4,
		.pos = 16,
		.rate = (uint32_t)rate };

	tell(fd, MSG_pulse, &p);
}

int
main(int argc, char **argv)
{
	struct msg_welcome welcome = { .version = PROTO_VERSION,
		.run_name = BYTES_STR("bench") };
	uint8_t *log;
	struct frame f;
	size_t n, at = 0, head;
	int64_t start, said = 0, ns;
	FILE *in;
	bool end = argc == 6 && strcmp(argv[5], "end") == 0;
	int fd;

	if ((argc != 5 && !end) || (in = fopen(argv[1], "rb")) == NULL ||
	    fseek(in, 0, SEEK_END) == -1) {
		fprintf(stderr,
		    "usage: livelog file socket percent seconds [end]\n");
		return (64);
	}
	n = (size_t)ftell(in);
	rewind(in);
	log = malloc(n);
	if (log == NULL || fread(log, 1, n, in) != n)
		die(argv[1]);
	head = (size_t)((double)n * atof(argv[3]) / 100);
	ns = (int64_t)(atof(argv[4]) * 1e9);
	fd = viewer_of(argv[2]);
	hear(fd);
	welcome.log_bytes = n;
	tell(fd, MSG_welcome, &welcome);
	at = hear(fd);
	start = now_ns();
	while (at < n && frame_parse(log + at, n - at, &f) == FRAME_OK &&
	       (f.type != MSG_receipt || end)) {
		if (at >= head) {
			int64_t due =
			    start + (int64_t)((double)ns * (double)(at - head) /
					      (double)(n - head));
			int64_t wait = due - now_ns();

			if (wait > 0)
				nanosleep(&(struct timespec){ wait / 1000000000,
					      wait % 1000000000 },
				    NULL);
		} else {
			start = now_ns();
		}
		if (!talk_put(fd, log + at, f.frame_bytes))
			return (0); /* the viewer has ended */
		at += f.frame_bytes;
		if (now_ns() - said > 100000000) {
			said = now_ns();
			pulse(fd, at, 0);
		}
	}
	if (end)
		return (0);
	pulse(fd, at, 0);
	poll(&(struct pollfd){ fd, POLLIN | POLLHUP, 0 }, 1, -1);
	return (0);
}
