/*
 * Connections to the attach and query port.
 *
 * Who is at the other end is what the kernel says, never what the message
 * says.  A client has SILENT_S seconds for its request; garbage closes the
 * connection with one line in the log.  No process has more than PROCESS_MAX
 * connections, so that none can keep the others out.  On a node that has never
 * had a number attaching waits HOLD_MS for monitord to give one, since programs
 * make ids of it.
 */
#include "client.h"

#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/ident/text.h"
#include "collector/unattached.h"
#include "log.h"
#include "query.h"
#include "request.h"

#define CLIENTS_MAX 256
#define PROCESS_MAX 16
#define SILENT_S    5
#define HOLD_MS     400

struct client {
	LIST_ENTRY(client) entry;
	struct port *port;
	int fd;
	uint32_t pid;
	struct event *rd, *wr;
	struct buf in, out;
	size_t sent;
	bool held;    /* an attach that waits for the node's number */
	bool closing; /* when all is sent */
};

struct port {
	LIST_HEAD(, client) clients;
	unsigned nclients;
	struct event_base *base;
	struct event *ev, *hold;
	struct attach *at;
	struct collector_core *core;
	bool waited;
	struct unattached unattached;
	uint32_t turned_pid; /* the process that was turned away last */
};

static void
client_free(struct client *c)
{
	LIST_REMOVE(c, entry);
	if (c->port->nclients-- == CLIENTS_MAX)
		event_add(c->port->ev, NULL);
	if (c->rd != NULL)
		event_free(c->rd);
	if (c->wr != NULL)
		event_free(c->wr);
	close(c->fd);
	buf_free(&c->in);
	buf_free(&c->out);
	free(c);
}

static void
client_fault(struct client *c, const char *why)
{
	log_warnx("attach port: process %u: %s; closing", c->pid, why);
	client_free(c);
}

static void
port_tell(struct port *po)
{
	collector_core_unattached(po->core, &po->unattached);
}

/*
 * A process that is not served; it may come again.  So many events of it are
 * not recorded so far.
 */
static void
port_refused(struct port *po, uint32_t pid, uint64_t events, const char *why)
{
	struct unattached *u = &po->unattached;
	enum unattached_news news =
	    unattached_add(u, pid, process_born(pid), events, why);

	if (news == UNATTACHED_OLD)
		return;
	if (news == UNATTACHED_NEW &&
	    (u->processes & (u->processes - 1)) == 0) /* 1, 2, 4, 8... */
		log_warnx("process %u cannot attach: %s; so far %" PRIu64, pid,
		    why, u->processes);
	port_tell(po);
}

static void
port_served(struct port *po, uint32_t pid)
{
	if (po->unattached.processes > 0 &&
	    unattached_remove(&po->unattached, pid, process_born(pid)))
		port_tell(po);
}

void
port_not_taken(struct port *po, uint32_t pid)
{
	port_refused(po, pid, 0, "it has not taken its memory");
}

/* The frame and, with its first byte, the descriptor. */
static int
send_attached(int sock, const struct msg_attached *m, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct iovec iov;
	struct msghdr mh = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *cm = CMSG_FIRSTHDR(&mh);
	ssize_t rc;

	iov.iov_base = frame_message(MSG_attached, m, &iov.iov_len);
	if (iov.iov_base == NULL)
		return (-1);
	cm->cmsg_level = SOL_SOCKET;
	cm->cmsg_type = SCM_RIGHTS;
	cm->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cm), &fd, sizeof(int));
	rc = sendmsg(sock, &mh, MSG_NOSIGNAL | MSG_DONTWAIT);
	free(iov.iov_base);
	return (rc == (ssize_t)iov.iov_len ? 0 : -1);
}

static void
client_write(struct client *c)
{
	ssize_t n;

	while (c->sent < c->out.n) {
		n = send(c->fd, c->out.p + c->sent, c->out.n - c->sent,
		    MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n == -1 && errno == EAGAIN) {
			event_add(c->wr, &(struct timeval){ SILENT_S, 0 });
			return;
		}
		if (n == -1) {
			client_free(c);
			return;
		}
		c->sent += (size_t)n;
	}
	c->out.n = c->sent = 0;
}

/* Who would not wait any more sees that we are back: libprobe/meet/place.c. */
static void
port_touch(const struct port *po)
{
	(void)utimensat(AT_FDCWD, attach_socket(po->at), NULL, 0);
}

/* We were too slow for it: it goes on without us, and will ask again. */
static bool
client_has_left(const struct client *c)
{
	char byte;

	return (recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0);
}

/* Serves an attach.  The connection has done its work then. */
static void
client_attach(struct client *c, const struct msg_attach *m)
{
	struct msg_attached answer;
	int fd;

	if (client_has_left(c)) {
		log_debug("process %u has not waited for its attach", c->pid);
		port_refused(c->port, c->pid, m->unrecorded,
		    "it was answered too late");
		client_free(c);
		return;
	}
	fd = attach_process(c->port->at, m, c->pid, &answer);
	if (fd == -1 && errno == ESHUTDOWN)
		log_debug("process %u comes when the run ends", c->pid);
	else if (fd == -1 || send_attached(c->fd, &answer, fd) == -1)
		port_refused(c->port, c->pid, m->unrecorded, strerror(errno));
	else
		port_served(c->port, c->pid);
	client_free(c);
}

static void
client_unheard(struct client *c, const struct msg_unheard *m)
{
	char program[64], why[160];

	text_copy(program, sizeof(program), m->program.p, m->program.n);
	snprintf(why, sizeof(why), "%s: %" PRIu64 " events are not recorded",
	    program, m->unrecorded);
	port_refused(c->port, c->pid, m->unrecorded, why);
	client_free(c);
}

static bool
client_must_wait(const struct client *c)
{
	return (
	    !collector_core_numbers_sure(c->port->core) && !c->port->waited);
}

static void
client_query(struct client *c, const struct msg_query *m)
{
	struct collector_core *core = c->port->core;

	if (query_answer(collector_core_ident(core), collector_core_node(core),
		m, &c->out) == -1) {
		client_free(c);
		return;
	}
	client_write(c);
}

/* Serves the first request in the buffer, if it is whole. */
static void
client_serve(struct client *c)
{
	struct request rq = { 0 };
	const char *why;
	ssize_t used;

	used = request_parse(c->in.p, c->in.n, &rq, &why);
	if (used == -1) {
		if (rq.type == MSG_attach)
			port_refused(c->port, c->pid, 0, why);
		client_fault(c, why);
		return;
	}
	if (used == 0)
		return;
	if (rq.type == MSG_attach) {
		port_touch(c->port);
		c->held = client_must_wait(c);
		if (!c->held)
			client_attach(c, &rq.m.attach);
		return;
	}
	if (rq.type == MSG_unheard) {
		client_unheard(c, &rq.m.unheard);
		return;
	}
	memmove(c->in.p, c->in.p + used, c->in.n - (size_t)used);
	c->in.n -= (size_t)used;
	client_query(c, &rq.m.query);
}

static void
client_read_cb(evutil_socket_t fd, short what, void *arg)
{
	struct client *c = arg;
	ssize_t n;

	if (what & EV_TIMEOUT) {
		client_fault(c, c->in.n > 0 ? "its request never came to an end"
					    : "says nothing");
		return;
	}
	if (c->in.n >= REQUEST_BYTES_MAX || buf_reserve(&c->in, 4096) == -1) {
		client_fault(c, "too much at once");
		return;
	}
	n = recv(fd, c->in.p + c->in.n, 4096, MSG_DONTWAIT);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		client_free(c);
		return;
	}
	c->in.n += (size_t)n;
	if (!c->held)
		client_serve(c);
}

static void
client_write_cb(evutil_socket_t fd, short what, void *arg)
{
	struct client *c = arg;

	(void)fd;
	if (what & EV_TIMEOUT)
		client_fault(c, "it does not read its answers");
	else
		client_write(c);
}

/* Has this process enough connections?  Said once. */
static bool
is_turned_away(struct port *po, uint32_t pid)
{
	const struct client *c;
	unsigned n = 0;

	LIST_FOREACH(c, &po->clients, entry)
	n += c->pid == pid;
	if (n < PROCESS_MAX)
		return (false);
	if (po->turned_pid != pid)
		log_warnx("attach port: process %u has %u connections; "
			  "more are turned away",
		    pid, n);
	po->turned_pid = pid;
	return (true);
}

static void
client_new(struct port *po, int fd)
{
	struct client *c = calloc(1, sizeof(*c));
	struct ucred cred;
	socklen_t n = sizeof(cred);

	if (c == NULL ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &n) == -1 ||
	    is_turned_away(po, (uint32_t)cred.pid)) {
		free(c);
		close(fd);
		return;
	}
	c->port = po;
	c->fd = fd;
	c->pid = (uint32_t)cred.pid;
	LIST_INSERT_HEAD(&po->clients, c, entry);
	if (++po->nclients == CLIENTS_MAX)
		event_del(po->ev); /* the others wait in the backlog */
	if (cred.uid != geteuid() && cred.uid != 0) {
		port_refused(po, c->pid, 0, "it is of another user");
		client_fault(c, "of another user");
		return;
	}
	c->rd =
	    event_new(po->base, fd, EV_READ | EV_PERSIST, client_read_cb, c);
	c->wr = event_new(po->base, fd, EV_WRITE, client_write_cb, c);
	if (c->rd == NULL || c->wr == NULL ||
	    event_add(c->rd, &(struct timeval){ SILENT_S, 0 }) == -1)
		client_free(c);
}

static void
port_accept_cb(evutil_socket_t fd, short what, void *arg)
{
	struct port *po = arg;
	int conn;

	(void)what;
	conn = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (conn == -1) {
		if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			log_warn("attach port");
		return;
	}
	client_new(po, conn);
}

void
port_welcomed(struct port *po)
{
	struct client *c, *next;

	attach_opened(po->at);
	for (c = LIST_FIRST(&po->clients); c != NULL; c = next) {
		next = LIST_NEXT(c, entry);
		if (c->held)
			client_serve(c);
	}
}

static void
port_hold_cb(evutil_socket_t fd, short what, void *arg)
{
	struct port *po = arg;

	(void)fd;
	(void)what;
	po->waited = true;
	port_welcomed(po);
}

struct port *
port_new(struct event_base *base, int listen_fd, struct attach *at,
    struct collector_core *core)
{
	struct port *po = calloc(1, sizeof(*po));

	if (po == NULL)
		return (NULL);
	LIST_INIT(&po->clients);
	po->base = base;
	po->at = at;
	po->core = core;
	po->ev = event_new(base, listen_fd, EV_READ | EV_PERSIST,
	    port_accept_cb, po);
	po->hold = event_new(base, -1, 0, port_hold_cb, po);
	if (po->ev == NULL || po->hold == NULL ||
	    event_add(po->ev, NULL) == -1 ||
	    event_add(po->hold, &(struct timeval){ 0, HOLD_MS * 1000 }) == -1) {
		port_free(po);
		return (NULL);
	}
	return (po);
}

void
port_free(struct port *po)
{
	struct client *c, *next;

	if (po == NULL)
		return;
	for (c = LIST_FIRST(&po->clients); c != NULL; c = next) {
		next = LIST_NEXT(c, entry);
		client_free(c);
	}
	if (po->ev != NULL)
		event_free(po->ev);
	if (po->hold != NULL)
		event_free(po->hold);
	free(po);
}
