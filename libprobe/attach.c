/*
 * Where is the collector?  The rules are those of common/paths.h, without
 * malloc, since a process may look for its collector at any event, and with
 * buffers that are static, since that may be on the small stack of a handler:
 * the lock is held in all of this.
 */
#include "attach.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hail.h"

#define PATH_BYTES 108 /* of sun_path */

static char runtime_dir[PATH_BYTES];
static char wanted_node[HAIL_NODE_MAX]; /* "": any */

/* a/b/c into out; c may be NULL.  false: too long. */
static bool
join(char out[PATH_BYTES], const char *a, const char *b, const char *c)
{
	const char *part[] = { a, b, c };
	size_t at = 0;

	for (size_t i = 0; i < 3 && part[i] != NULL; i++) {
		size_t n = strlen(part[i]);

		if (at + n + 2 > PATH_BYTES)
			return (false);
		if (i > 0)
			out[at++] = '/';
		memcpy(out + at, part[i], n);
		at += n;
	}
	out[at] = '\0';
	return (true);
}

static bool
runtime_dir_set(void)
{
	const char *s = getenv("ORRERY_DIR");
	char own[32];

	if (s != NULL && *s != '\0')
		return (join(runtime_dir, s, NULL, NULL));
	s = getenv("XDG_RUNTIME_DIR");
	if (s != NULL && *s != '\0')
		return (join(runtime_dir, s, "orrery", NULL));
	snprintf(own, sizeof(own), "orrery-%u", (unsigned)geteuid());
	return (join(runtime_dir, "/tmp", own, NULL));
}

bool
attach_places(void)
{
	const char *node = getenv("ORRERY_NODE");
	struct stat st;

	if (node != NULL) {
		if (strlen(node) >= sizeof(wanted_node) ||
		    strchr(node, '/') != NULL)
			return (false);
		memcpy(wanted_node, node, strlen(node) + 1);
	}
	if (!runtime_dir_set())
		return (false);
	/* in /tmp anybody may have made it first */
	if (mkdir(runtime_dir, 0700) == -1 && errno != EEXIST)
		return (false);
	return (stat(runtime_dir, &st) == 0 && S_ISDIR(st.st_mode) &&
		st.st_uid == geteuid());
}

struct ring_wake *
attach_wake_page(void)
{
	char path[PATH_BYTES];
	struct stat st;
	void *page = MAP_FAILED;
	int fd;

	if (!join(path, runtime_dir, "wake", NULL))
		return (NULL);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd == -1)
		return (NULL);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() &&
	    (st.st_size >= 4096 || ftruncate(fd, 4096) == 0))
		page =
		    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return (page == MAP_FAILED ? NULL : page);
}

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000);
}

/* A connection to the collector of a node, or -1. */
static int
dial(const char *node)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	struct ucred peer;
	socklen_t n = sizeof(peer);
	int64_t until_ms = now_ms() + ATTACH_WAIT_MS;
	int fd;

	if (!join(sun.sun_path, runtime_dir, node, "collector.sock"))
		return (-1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd == -1)
		return (-1);
	while (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) == -1) {
		/* EAGAIN: so many others ask just now */
		if ((errno != EAGAIN && errno != EINTR) || now_ms() > until_ms)
			goto fail;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == -1 ||
	    (peer.uid != geteuid() && peer.uid != 0))
		goto fail;
	return (fd);

fail:
	close(fd);
	return (-1);
}

/* The smallest name in the runtime directory that is greater than *name. */
static bool
next_node(char name[HAIL_NODE_MAX])
{
	struct dirent64 {
		uint64_t ino;
		int64_t off;
		unsigned short reclen;
		unsigned char type;
		char name[];
	};
	static _Alignas(8) char buf[4096];
	char best[HAIL_NODE_MAX] = "";
	long n;
	int fd = open(runtime_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd == -1)
		return (false);
	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (long at = 0; at < n;) {
			struct dirent64 *d = (void *)(buf + at);

			at += d->reclen;
			if (d->name[0] == '.' ||
			    strlen(d->name) >= HAIL_NODE_MAX ||
			    strcmp(d->name, name) <= 0)
				continue;
			if (*best == '\0' || strcmp(d->name, best) < 0)
				memcpy(best, d->name, strlen(d->name) + 1);
		}
	}
	close(fd);
	memcpy(name, best, sizeof(best));
	return (*best != '\0');
}

/* The collector of the wanted node, else of the first that has one. */
static int
dial_any(const char *wanted)
{
	char name[HAIL_NODE_MAX] = "";
	int fd = -1;

	if (*wanted != '\0')
		return (dial(wanted));
	while (fd == -1 && next_node(name))
		fd = dial(name);
	return (fd);
}

bool
attach_any(void)
{
	int fd = dial_any("");

	if (fd != -1)
		close(fd);
	return (fd != -1);
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

static bool
send_attach(int fd, uint32_t parent_po, uint8_t clock)
{
	static char program[256], command[HAIL_TEXT_MAX + 1];
	static uint8_t frame[HAIL_BYTES_MAX];
	size_t n;

	read_text(command, sizeof(command), "/proc/self/cmdline");
	n = hail_attach(frame,
	    &(struct hail_attach){ .layout = RING_LAYOUT,
		.parent_po = parent_po,
		.clock = clock,
		.program = program_name(program, sizeof(program)),
		.command = command });
	return (send(fd, frame, n, MSG_NOSIGNAL) == (ssize_t)n);
}

/* Waits for the answer.  Returns the descriptor of the segment, or -1. */
static int
receive_attached(int fd, struct hail_attached *answer)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	uint8_t buf[512];
	int64_t until_ms = now_ms() + ATTACH_WAIT_MS;
	int segment = -1;
	size_t have = 0;

	for (;;) {
		struct iovec iov = { buf + have, sizeof(buf) - have };
		struct msghdr m = { .msg_iov = &iov,
			.msg_iovlen = 1,
			.msg_control = control.bytes,
			.msg_controllen = sizeof(control.bytes) };
		int64_t left_ms = until_ms - now_ms();
		struct cmsghdr *c;
		ssize_t n;

		if (left_ms < 0 ||
		    poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1,
			(int)left_ms) != 1)
			break;
		n = recvmsg(fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		if (n <= 0)
			break;
		c = CMSG_FIRSTHDR(&m);
		if (c != NULL && c->cmsg_level == SOL_SOCKET &&
		    c->cmsg_type == SCM_RIGHTS &&
		    c->cmsg_len == CMSG_LEN(sizeof(int))) {
			if (segment != -1)
				close(segment);
			memcpy(&segment, CMSG_DATA(c), sizeof(int));
		}
		have += (size_t)n;
		switch (hail_read(buf, have, answer)) {
		case HAIL_OK:
			return (segment);
		case HAIL_SHORT:
			if (have < sizeof(buf))
				continue;
			break;
		case HAIL_BAD:
			break;
		}
		break;
	}
	if (segment != -1)
		close(segment);
	return (-1);
}

/* The geometry that a segment claims is taken over if it fits. */
static bool
sizes_fit(struct attachment *a, const struct ring_segment *s, uint64_t bytes)
{
	a->segment_bytes = s->segment_bytes;
	a->rings_offset = s->rings_offset;
	a->ring_bytes = s->ring_bytes;
	a->names_offset = s->names_offset;
	a->names_bytes = s->names_bytes;
	a->nrings = s->nrings;
	a->ring_records = s->ring_records;
	a->reserve_records = s->reserve_records;
	return (s->magic == RING_MAGIC && s->layout == RING_LAYOUT &&
		a->segment_bytes <= bytes && a->nrings > 0 &&
		a->nrings <= 65536 && a->ring_records >= 16 &&
		a->ring_records <= 1u << 26 &&
		(a->ring_records & (a->ring_records - 1)) == 0 &&
		a->reserve_records <= a->ring_records / 2 &&
		a->rings_offset % 64 == 0 && a->ring_bytes % 64 == 0 &&
		a->ring_bytes >=
		    sizeof(struct ring) + (uint64_t)a->ring_records *
					      sizeof(struct ring_record) &&
		a->rings_offset >= sizeof(*s) && a->rings_offset <= bytes &&
		a->ring_bytes <= (bytes - a->rings_offset) / a->nrings &&
		a->names_offset % 8 == 0 && a->names_offset >= sizeof(*s) &&
		a->names_offset <= bytes &&
		a->names_bytes <= bytes - a->names_offset);
}

/*
 * The user has limited the address space, and the program would miss what we
 * take: most of a segment is never touched, but it counts.
 */
static bool
takes_too_much(uint64_t bytes)
{
	struct rlimit limit;

	return (getrlimit(RLIMIT_AS, &limit) == 0 &&
		limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur / 8);
}

/* Takes the descriptor of a segment and maps it. */
static bool
map_segment(struct attachment *a, int fd)
{
	struct ring_segment *s = MAP_FAILED;
	struct stat st;
	uint64_t bytes;
	int seals = fcntl(fd, F_GET_SEALS);

	/* nobody may shrink it under us, or a store would be our death */
	if (seals != -1 && (seals & F_SEAL_SHRINK) != 0 &&
	    fstat(fd, &st) == 0 &&
	    (size_t)st.st_size >= sizeof(struct ring_segment) &&
	    !takes_too_much((uint64_t)st.st_size))
		s = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	close(fd);
	if (s == MAP_FAILED)
		return (false);
	bytes = (uint64_t)st.st_size;
	(void)madvise(s, bytes, MADV_DONTDUMP);
	if (!sizes_fit(a, s, bytes)) {
		munmap(s, bytes);
		return (false);
	}
	a->segment = s;
	a->segment_bytes = bytes;
	return (true);
}

bool
attach_open(struct attachment *out, uint32_t parent_po, uint8_t clock)
{
	struct hail_attached answer;
	int segment = -1, fd = dial_any(wanted_node);

	if (fd == -1)
		return (false);
	if (send_attach(fd, parent_po, clock))
		segment = receive_attached(fd, &answer);
	close(fd);
	if (segment == -1 || !map_segment(out, segment))
		return (false);
	out->node = answer.node;
	out->po = answer.po;
	memcpy(out->node_name, answer.node_name, sizeof(out->node_name));
	return (true);
}
