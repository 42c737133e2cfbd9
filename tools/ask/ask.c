/*
 * Asking a daemon.  No event loop: one question, one answer, a time limit.
 */
#include "ask.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "log.h"
#include "owner.h"
#include "paths.h"

#define READ_BYTES 65536

int
ask_connect(struct ask *a, const char *path)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int saved;

	*a = (struct ask){ .fd = -1, .code = EX_UNAVAILABLE };
	if (strlen(path) >= sizeof(sun.sun_path)) {
		a->code = EX_USAGE;
		errno = ENAMETOOLONG;
		return (-1);
	}
	memcpy(sun.sun_path, path, strlen(path));
	a->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (a->fd == -1) {
		a->code = EX_OSERR;
		return (-1);
	}
	if (connect(a->fd, (struct sockaddr *)&sun, sizeof(sun)) == 0 &&
	    owner_is_trusted(a->fd, NULL))
		return (0);
	saved = errno;
	if (saved == EACCES || saved == EPERM)
		a->code = EX_NOPERM;
	ask_close(a);
	errno = saved;
	return (-1);
}

void
ask_close(struct ask *a)
{
	if (a->fd != -1)
		close(a->fd);
	a->fd = -1;
	buf_free(&a->in);
}

int
ask_send(struct ask *a, enum msg_type type, const void *msg)
{
	struct buf out = { 0 };
	ssize_t n = 0;

	if (frame_append(&out, type, msg) == -1) {
		log_warn("cannot send");
		a->code = EX_OSERR;
		return (-1);
	}
	for (size_t at = 0; at < out.n; at += (size_t)n) {
		n = send(a->fd, out.p + at, out.n - at, MSG_NOSIGNAL);
		if (n == -1 && errno == EINTR) {
			n = 0;
		} else if (n == -1) {
			a->code = EX_UNAVAILABLE;
			if (!a->may_end)
				log_warn("cannot send");
			break;
		}
	}
	buf_free(&out);
	return (n == -1 ? -1 : 0);
}

/* Reads what is there, waiting if need be.  -1 with errno; 0: the end. */
static ssize_t
fill(struct ask *a, int timeout_ms)
{
	struct pollfd p = { .fd = a->fd, .events = POLLIN };
	ssize_t n;
	int ready;

	if (buf_reserve(&a->in, READ_BYTES) == -1)
		return (-1);
	while ((ready = poll(&p, 1, timeout_ms)) == -1 && errno == EINTR)
		;
	if (ready == 0)
		errno = ETIMEDOUT;
	if (ready <= 0)
		return (-1);
	n = read(a->fd, a->in.p + a->in.n, READ_BYTES);
	if (n > 0)
		a->in.n += (size_t)n;
	return (n);
}

static int
next_frame(struct ask *a, struct frame *f, int timeout_ms)
{
	enum frame_status status;
	ssize_t n;

	if (a->used > 0) {
		a->in.n -= a->used;
		memmove(a->in.p, a->in.p + a->used, a->in.n);
		a->used = 0;
	}
	while ((status = frame_parse(a->in.p, a->in.n, f)) == FRAME_SHORT) {
		n = fill(a, timeout_ms);
		if (n > 0)
			continue;
		a->code = EX_UNAVAILABLE;
		if (a->may_end && (n == 0 || errno == ECONNRESET)) {
			; /* it has gone */
		} else if (n == 0) {
			log_warnx("the connection was closed before the answer "
				  "was complete");
		} else if (errno == ETIMEDOUT) {
			a->code = EX_TEMPFAIL;
			log_warnx("no answer within %d s; try again",
			    timeout_ms / 1000);
		} else {
			log_warn("cannot receive");
		}
		return (-1);
	}
	if (status != FRAME_OK) {
		log_warnx("the answer makes no sense: %s",
		    frame_strstatus(status));
		a->code = EX_PROTOCOL;
		return (-1);
	}
	a->used = f->frame_bytes;
	return (0);
}

int
ask_receive(struct ask *a, enum msg_type type, void *msg, int timeout_ms)
{
	struct msg_refuse refuse;
	struct frame f;

	if (next_frame(a, &f, timeout_ms) == -1)
		return (-1);
	if (f.type == MSG_refuse && type != MSG_refuse &&
	    msg_decode(MSG_refuse, f.body, f.body_bytes, &refuse) == 0) {
		log_warnx("refused: %.*s", (int)refuse.reason.n,
		    (const char *)refuse.reason.p);
		a->code = refuse.code != 0 ? refuse.code : EX_UNAVAILABLE;
		return (-1);
	}
	if (f.type != type ||
	    msg_decode(type, f.body, f.body_bytes, msg) == -1) {
		log_warnx("the answer is %s, not %s", msg_name(f.type),
		    msg_table[type].name);
		a->code = EX_PROTOCOL;
		return (-1);
	}
	return (0);
}

int
ask_monitord(struct ask *a, const char *path)
{
	struct msg_hello hello = {
		.version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_CONTROL,
		.name = BYTES_STR("monitorctl"),
		.pid = (uint32_t)getpid(),
	};
	struct msg_welcome welcome;
	char usual[PATH_MAX];

	*a = (struct ask){ .fd = -1, .code = EX_UNAVAILABLE };
	if (path == NULL) {
		if (paths_monitord(usual, sizeof(usual)) == -1) {
			log_warnx("%s", paths_problem());
			a->code = EX_OSFILE;
			return (-1);
		}
		path = usual;
	}
	if (ask_connect(a, path) == -1) {
		if (errno == ENOENT || errno == ECONNREFUSED)
			log_warnx("monitord does not run here (nothing listens "
				  "at %s); start it, or say --dir or --socket",
			    path);
		else
			log_warn("%s", path);
		return (-1);
	}
	if (ask_send(a, MSG_hello, &hello) == -1 ||
	    ask_receive(a, MSG_welcome, &welcome, ASK_TIMEOUT_MS) == -1) {
		ask_close(a);
		return (-1);
	}
	if (welcome.version < PROTO_VERSION_MIN ||
	    welcome.version > PROTO_VERSION) {
		log_warnx("monitord speaks protocol version %u, monitorctl %u "
			  "to %u; install the same release of orrery on both "
			  "sides",
		    welcome.version, PROTO_VERSION_MIN, PROTO_VERSION);
		a->code = EX_PROTOCOL;
		ask_close(a);
		return (-1);
	}
	return (0);
}

int
status_ask(struct ask *a, struct buf *text, int *code)
{
	struct msg_request request = { .verb = BYTES_STR("status") };
	struct msg_reply reply;

	text->n = 0;
	if (ask_send(a, MSG_request, &request) == -1)
		return (-1);
	do {
		if (ask_receive(a, MSG_reply, &reply, ASK_TIMEOUT_MS) == -1)
			return (-1);
		if (buf_add(text, reply.text.p, reply.text.n) == -1) {
			log_warn("answer");
			a->code = EX_OSERR;
			return (-1);
		}
	} while (reply.more);
	*code = reply.code;
	return (0);
}
