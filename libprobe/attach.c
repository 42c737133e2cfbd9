/*
 * Asking a collector for a segment.  No malloc, since a process may do so at
 * any event, and static buffers, since that may be on the small stack of a
 * handler: the lock is held in all of this.
 */
#include "attach.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libprobe/meet/bulk.h"
#include "libprobe/meet/direct.h"
#include "libprobe/meet/hail.h"
#include "libprobe/meet/place.h"
#include "memory.h"

/* For a collector that others have waited for in vain. */
#define SILENT_WAIT_US 500

static int64_t
now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

/* A connection, or -1; then *result says whether there is a collector. */
static int
dial(const struct place *p, int64_t until_us, enum attach_result *result)
{
	struct ucred peer;
	socklen_t n = sizeof(peer);
	int fd;

	*result = ATTACH_REFUSED;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd == -1)
		return (-1);
	while (connect(fd, (const struct sockaddr *)&p->address,
		   sizeof(p->address)) == -1) {
		/* EAGAIN: so many others ask just now */
		if (errno != EAGAIN && errno != EINTR) {
			*result = ATTACH_NOBODY;
			goto fail;
		}
		if (now_us() >= until_us)
			goto fail;
		direct_sleep(1000000);
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 &&
	    (peer.uid == geteuid() || peer.uid == 0))
		return (fd);
	*result = ATTACH_NOBODY;

fail:
	close(fd);
	return (-1);
}

/* What /proc says in a file, NULs as spaces; never fails. */
static void
read_text(char *buf, size_t n, const char *path)
{
	ssize_t got = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd != -1) {
		got = read(fd, buf, n - 1);
		close(fd);
	}
	if (got < 0)
		got = 0;
	while (got > 0 && buf[got - 1] == '\0')
		got--;
	for (ssize_t i = 0; i < got; i++) {
		if (buf[i] == '\0')
			buf[i] = ' ';
	}
	buf[got] = '\0';
}

static const char *
program_name(char *buf, size_t n)
{
	ssize_t got = readlink("/proc/self/exe", buf, n - 1);
	char *slash;

	if (got <= 0)
		return (program_invocation_short_name);
	buf[got] = '\0';
	slash = strrchr(buf, '/');
	return (slash == NULL ? buf : slash + 1);
}

static const char *
program(void)
{
	static BULK char name[256];

	return (program_name(name, sizeof(name)));
}

static bool
send_attach(int fd, const struct attach_request *rq)
{
	static BULK char command[HAIL_TEXT_MAX + 1];
	static BULK uint8_t frame[HAIL_BYTES_MAX];
	size_t n;

	read_text(command, sizeof(command), "/proc/self/cmdline");
	n = hail_attach(frame, &(struct hail_attach){ .layout = RING_LAYOUT,
				   .parent_po = rq->parent_po,
				   .clock = rq->clock,
				   .program = program(),
				   .command = command,
				   .unrecorded = rq->unrecorded,
				   .names_po = rq->known.po,
				   .names_t_node_ns = rq->known.t_node_ns,
				   .names = rq->known.names });
	return (send(fd, frame, n, MSG_NOSIGNAL) == (ssize_t)n);
}

/* Takes the descriptor that came with a piece of the answer. */
static void
take_descriptor(struct msghdr *m, int *segment)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);

	if (c == NULL || c->cmsg_level != SOL_SOCKET ||
	    c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(int)))
		return;
	if (*segment != -1)
		close(*segment);
	memcpy(segment, CMSG_DATA(c), sizeof(int));
}

/* Waits for the answer.  Returns the descriptor of the segment, or -1. */
static int
receive_attached(int fd, int64_t until_us, struct hail_attached *answer)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	uint8_t buf[512];
	int segment = -1;
	size_t have = 0;

	while (have < sizeof(buf)) {
		struct iovec iov = { buf + have, sizeof(buf) - have };
		struct msghdr m = { .msg_iov = &iov,
			.msg_iovlen = 1,
			.msg_control = control.bytes,
			.msg_controllen = sizeof(control.bytes) };
		int64_t left_us = until_us - now_us();
		struct timespec left = { 0 };
		enum hail_status status;
		ssize_t n;

		if (left_us > 0) {
			left.tv_sec = left_us / 1000000;
			left.tv_nsec = left_us % 1000000 * 1000;
		}
		if (ppoll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1,
			&left, NULL) != 1)
			break;
		n = recvmsg(fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		if (n <= 0)
			break;
		take_descriptor(&m, &segment);
		have += (size_t)n;
		status = hail_read(buf, have, answer);
		if (status == HAIL_OK)
			return (segment);
		if (status == HAIL_BAD)
			break;
	}
	if (segment != -1)
		close(segment);
	return (-1);
}

/* Asks at one place. */
static enum attach_result
ask(struct attachment *out, const struct place *p,
    const struct attach_request *rq)
{
	bool silent = place_silent(p);
	int64_t from_us = now_us();
	int64_t until_us =
	    from_us + (silent ? SILENT_WAIT_US : rq->wait_ms * 1000);
	struct hail_attached answer;
	enum attach_result result;
	bool mapped;
	int segment = -1, fd = dial(p, until_us, &result);

	if (fd == -1 && result == ATTACH_NOBODY) {
		process_debug("nobody of ours listens at", p->address.sun_path);
		return (result);
	}
	if (fd != -1) {
		if (send_attach(fd, rq))
			segment = receive_attached(fd, until_us, &answer);
		close(fd);
	}
	if (segment == -1) {
		process_debug("no memory, or no answer, from the collector at",
		    p->address.sun_path);
		if (!silent && now_us() - from_us >= ATTACH_WAIT_MS * 1000)
			place_set_silent(p);
		return (ATTACH_REFUSED);
	}
	mapped = memory_open(out, segment);
	close(segment);
	if (!mapped) {
		process_debug("no room here for the memory from",
		    p->address.sun_path);
		return (ATTACH_NO_ROOM);
	}
	out->node = answer.node;
	out->po = answer.po;
	out->known = (struct names_known){
		.po = answer.po,
		.t_node_ns = answer.t_node_ns,
		.names = answer.names,
	};
	memcpy(out->node_name, answer.node_name, sizeof(out->node_name));
	return (ATTACH_DONE);
}

enum attach_result
attach_open(struct attachment *out, const struct attach_request *rq)
{
	enum attach_result result = ATTACH_NOBODY;
	char node[HAIL_NODE_MAX] = "";
	bool asked = false;
	struct place p;

	/* the first that has one */
	while (result == ATTACH_NOBODY && place_next(node, false, &p)) {
		result = ask(out, &p, rq);
		asked = true;
	}
	if (!asked)
		process_debug("there is no collector in", place_directory());
	return (result);
}

/* The first who listens, or -1. */
static int
dial_first(bool any)
{
	enum attach_result result = ATTACH_NOBODY;
	char node[HAIL_NODE_MAX] = "";
	struct place p;
	int fd = -1;

	while (result == ATTACH_NOBODY && place_next(node, any, &p))
		fd = dial(&p, 0, &result);
	return (fd);
}

bool
attach_any(void)
{
	int fd = dial_first(true);

	if (fd != -1)
		close(fd);
	return (fd != -1);
}

void
attach_unheard(uint64_t unrecorded)
{
	static BULK uint8_t frame[HAIL_BYTES_MAX];
	size_t n = hail_unheard(frame, unrecorded, program());
	int fd = dial_first(false);

	if (fd == -1)
		return;
	(void)send(fd, frame, n, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fd);
}
