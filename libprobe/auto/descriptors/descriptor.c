/*
 * What each descriptor is.  A word for each number: its kind, whether it
 * waits, and the name of the last wait for it.  The words are plain memory of
 * the process: a child has them from its parent, as it has the descriptors.
 * A word that is out of date does no harm: it costs a call that fails and is
 * then made as the program wanted it.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/attach.h"
#include "libprobe/auto/descriptors/io.h"
#include "libprobe/auto/descriptors/streams.h"
#include "libprobe/meet/bulk.h"

#define CALLS_BEFORE 64u /* made before a process is worth attaching */

/* kind, waits, call, 0, name; of small numbers among the small words, in pages
 * that are written, hence copied, in each child anyway */
static uint64_t near_word[IO_NEAR];
static BULK uint64_t far_word[IO_FDS];

#define WORD_WAITS (UINT64_C(1) << 8)

static const char *const call_name[IO_CALLS] = { "", "read", "write", "accept",
	"connect", "poll", "select", "epoll_wait" };
static const char *const kind_name[IO_KINDS] = { "", "file", "pipe", "terminal",
	"event", "tcp", "unix", "udp", "unix", "unix", "socket" };

bool io_shut_in;

/* fd is below IO_FDS. */
static uint64_t *
word_of(int fd)
{
	return ((unsigned)fd < IO_NEAR ? &near_word[fd] : &far_word[fd]);
}

bool
io_told(enum probe_class class_)
{
	static uint32_t calls;

	if (!auto_says(class_) || held_here || PROBE_LOAD(&io_shut_in))
		return (false);
	if (probe_po() != 0)
		return (true);
	/* a child of one that has a collector, and no other program yet */
	if (streams_table != NULL && class_ == PROBE_CLASS_message) {
		auto_attach();
		return (probe_po() != 0);
	}
	if (PROBE_LOAD(&calls) > CALLS_BEFORE)
		return (false); /* there was nobody */
	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != CALLS_BEFORE)
		return (false);
	auto_attach();
	return (probe_po() != 0);
}

void
io_cancelled_cb(void *wait)
{
	io_end(wait, -ECANCELED);
}

/* protocol 0: any */
static const struct {
	int domain, type, protocol;
	enum io_kind kind;
} sockets[] = {
	{ AF_INET, SOCK_STREAM, 0, IO_TCP },
	{ AF_INET6, SOCK_STREAM, 0, IO_TCP },
	{ AF_UNIX, SOCK_STREAM, 0, IO_UNIX },
	{ AF_INET, SOCK_DGRAM, IPPROTO_UDP, IO_UDP },
	{ AF_INET6, SOCK_DGRAM, IPPROTO_UDP, IO_UDP },
	{ AF_UNIX, SOCK_DGRAM, 0, IO_UNIX_DATA },
	{ AF_UNIX, SOCK_SEQPACKET, 0, IO_UNIX_SEQ },
};

static enum io_kind
kind_of_socket(int fd)
{
	int domain = 0, type = 0, protocol = 0;
	socklen_t n = sizeof(int);

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) == -1 ||
	    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == -1 ||
	    getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &n) == -1)
		return (IO_PLAIN);
	for (size_t i = 0; i < sizeof(sockets) / sizeof(*sockets); i++)
		if (sockets[i].domain == domain && sockets[i].type == type &&
		    (sockets[i].protocol == 0 ||
			sockets[i].protocol == protocol))
			return (sockets[i].kind);
	return (IO_SOCKET);
}

static enum io_kind
kind_of(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return (IO_UNKNOWN);
	if (S_ISSOCK(st.st_mode))
		return (kind_of_socket(fd));
	if (S_ISFIFO(st.st_mode))
		return (IO_PIPE);
	if (S_ISCHR(st.st_mode))
		return (IO_TTY);
	return ((st.st_mode & S_IFMT) == 0 ? IO_EVENT : IO_PLAIN);
}

static pid_t own_pid; /* whose memory this is */

/* What a child finds it does not have to look for. */
static void
before_fork(void)
{
	(void)streams_on();
}

static void
after_fork(void)
{
	PROBE_STORE(&own_pid, getpid());
}

__attribute__((constructor)) static void
own_constructor(void)
{
	after_fork();
	(void)pthread_atfork(before_fork, NULL, after_fork);
}

/* Not in a child that has its parent's memory and descriptors of its own. */
static uint64_t
classify(int fd)
{
	int saved_errno = errno, flags;
	enum io_kind kind = IO_UNKNOWN;
	uint64_t w;

	if (PROBE_LOAD(&io_shut_in))
		return (IO_PLAIN);
	if (process_is_child())
		after_fork(); /* by a call that nobody has noticed */
	if (PROBE_LOAD(&own_pid) == getpid())
		kind = kind_of(fd);
	if (kind == IO_UNKNOWN) {
		errno = saved_errno;
		return (IO_PLAIN);
	}
	w = (uint64_t)kind;
	flags = CALL(fcntl)(fd, F_GETFL);
	if (kind != IO_PLAIN && flags != -1 && (flags & O_NONBLOCK) == 0)
		w |= WORD_WAITS;
	PROBE_STORE(word_of(fd), w);
	errno = saved_errno;
	return (w);
}

static uint64_t
look(int fd)
{
	uint64_t w;

	if ((unsigned)fd >= IO_FDS)
		return (IO_PLAIN);
	w = PROBE_LOAD(word_of(fd));
	return (w != 0 ? w : classify(fd));
}

enum io_kind
io_kind(int fd)
{
	return ((enum io_kind)(look(fd) & 0xff));
}

bool
io_is_known(int fd)
{
	return ((unsigned)fd < IO_FDS && PROBE_LOAD(word_of(fd)) != 0);
}

bool
io_blocks(int fd)
{
	return ((look(fd) & WORD_WAITS) != 0);
}

void
io_forget(int fd)
{
	if ((unsigned)fd < IO_FDS && PROBE_LOAD(word_of(fd)) != 0)
		PROBE_STORE(word_of(fd), 0);
	streams_forget(fd);
}

void
io_forget_from(unsigned first, unsigned last)
{
	for (unsigned fd = first; fd <= last && fd < IO_FDS; fd++)
		io_forget((int)fd);
}

void
io_forget_peer(int fd)
{
	uint64_t w = (unsigned)fd < IO_FDS ? PROBE_LOAD(word_of(fd)) : 0;

	if ((w & 0xff) == IO_PLAIN)
		PROBE_STORE(word_of(fd), 0);
	else if (w >> 16 != 0)
		PROBE_STORE(word_of(fd), w & 0xffff);
	streams_forget(fd);
}

void
io_set_waits(int fd, bool waits)
{
	uint64_t w = (unsigned)fd < IO_FDS ? PROBE_LOAD(word_of(fd)) : 0;

	if (w == 0 || (w & 0xff) == IO_PLAIN)
		return;
	PROBE_STORE(word_of(fd), waits ? w | WORD_WAITS : w & ~WORD_WAITS);
}

void
io_accepted(int from, int fd, bool waits)
{
	uint64_t w = (unsigned)from < IO_FDS ? PROBE_LOAD(word_of(from)) : 0;

	io_forget(fd);
	if ((unsigned)fd < IO_FDS && (w & 0xff) >= IO_TCP)
		PROBE_STORE(word_of(fd), (w & 0xff) | (waits ? WORD_WAITS : 0));
}

void
io_set_plain(int fd)
{
	if ((unsigned)fd < IO_FDS)
		PROBE_STORE(word_of(fd), IO_PLAIN);
}

static int
port_of(const struct sockaddr_storage *a)
{
	return (a->ss_family == AF_INET
		    ? ntohs(((const struct sockaddr_in *)a)->sin_port)
		: a->ss_family == AF_INET6
		    ? ntohs(((const struct sockaddr_in6 *)a)->sin6_port)
		    : -1);
}

/*
 * Of the two ends the one that has the smaller port, which is the server's in
 * all likelihood: a server has many clients, and one name for them all.
 */
static void
say_internet(char *buf, size_t n, const char *kind, int fd)
{
	struct sockaddr_storage own = { 0 }, peer = { 0 };
	socklen_t own_n = sizeof(own), peer_n = sizeof(peer);
	const struct sockaddr_storage *a = &own;
	char text[INET6_ADDRSTRLEN] = "?";

	if (getsockname(fd, (struct sockaddr *)&own, &own_n) == -1)
		own.ss_family = AF_UNSPEC;
	if (getpeername(fd, (struct sockaddr *)&peer, &peer_n) == 0 &&
	    (port_of(&own) <= 0 || port_of(&peer) < port_of(&own)))
		a = &peer;
	if (port_of(a) < 0) {
		snprintf(buf, n, "%s", kind);
		return;
	}
	inet_ntop(a->ss_family,
	    a->ss_family == AF_INET
		? (const void *)&((const struct sockaddr_in *)a)->sin_addr
		: (const void *)&((const struct sockaddr_in6 *)a)->sin6_addr,
	    text, sizeof(text));
	snprintf(buf, n, strchr(text, ':') != NULL ? "%s [%s]:%d" : "%s %s:%d",
	    kind, text, port_of(a));
}

/* Whichever end has a path; an abstract one begins with @. */
static void
say_unix(char *buf, size_t n, int fd)
{
	struct sockaddr_un a[2] = { 0 };
	const char *path = "";
	size_t bytes = 0;

	for (int i = 0; i < 2 && bytes == 0; i++) {
		socklen_t an = sizeof(a[i]);

		if ((i == 0 ? getsockname(fd, (struct sockaddr *)&a[i], &an)
			    : getpeername(fd, (struct sockaddr *)&a[i], &an)) ==
		    -1)
			continue;
		path = a[i].sun_path;
		if (an > offsetof(struct sockaddr_un, sun_path) + 1)
			bytes = an - offsetof(struct sockaddr_un, sun_path);
	}
	if (bytes > 1 && path[0] == '\0')
		snprintf(buf, n, "unix @%.*s", (int)bytes - 1, path + 1);
	else if (bytes > 0)
		snprintf(buf, n, "unix %.*s", (int)bytes, path);
	else
		snprintf(buf, n, "unix");
}

static uint32_t
name_new(enum io_call call, int fd, enum io_kind kind)
{
	char text[160], what[128] = "";
	int saved_errno = errno;

	if (kind == IO_UNIX || kind == IO_UNIX_DATA || kind == IO_UNIX_SEQ)
		say_unix(what, sizeof(what), fd);
	else if (kind == IO_TCP || kind == IO_UDP || kind == IO_SOCKET)
		say_internet(what, sizeof(what), kind_name[kind], fd);
	else
		snprintf(what, sizeof(what), "%s", kind_name[kind]);
	snprintf(text, sizeof(text), "%s%s%s", call_name[call],
	    *what == '\0' ? "" : " ", what);
	errno = saved_errno;
	return (probe_name(text));
}

/* Of a pipe, a file... there is no more to say than that. */
static uint32_t
name_of_kind(enum io_call call, enum io_kind kind)
{
	static BULK uint32_t names[IO_CALLS][IO_TCP];
	uint32_t name = PROBE_LOAD(&names[call][kind]);

	if (name == 0) {
		name = name_new(call, -1, kind);
		PROBE_STORE(&names[call][kind], name);
	}
	return (name);
}

uint32_t
io_name(enum io_call call, int fd)
{
	enum io_kind kind;
	uint64_t w;
	uint32_t name;

	if (fd < 0 || (unsigned)fd >= IO_FDS)
		return (name_of_kind(call, IO_UNKNOWN));
	w = look(fd);
	kind = (enum io_kind)(w & 0xff);
	if (kind < IO_TCP)
		return (name_of_kind(call, kind));
	if ((w >> 16 & 0xff) == (uint64_t)call && w >> 32 != 0)
		return ((uint32_t)(w >> 32));
	name = name_new(call, fd, kind);
	/* of a socket that is being connected the peer is not known yet */
	if (call != IO_connect && PROBE_LOAD(word_of(fd)) != 0)
		PROBE_STORE(word_of(fd),
		    (w & 0xffff) | (uint64_t)call << 16 | (uint64_t)name << 32);
	return (name);
}
