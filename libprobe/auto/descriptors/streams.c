/*
 * Which stream a descriptor is, and its events.
 *
 * Both ends of a stream have to find the same key: of TCP both addresses, of a
 * Unix connection the inode of the writing end (who reads asks the kernel for
 * its peer's), of a pipe its inode.  Where a stream stands when it is seen for
 * the first time, or when another process goes on with it, the kernel is
 * asked: TCP counts its bytes by itself, of the others it tells how many wait
 * to be read.  A look at a table is all that a call costs later.  Each machine
 * has a table of its own: a message between two is known by where it ends.
 *
 * A stream is followed by every process that has the table, whether or not it
 * tells of messages just now: what it moves would be missing.
 */
#include "libprobe/auto/descriptors/streams.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "libprobe/auto/descriptors/io.h"
#include "libprobe/auto/descriptors/stream_key.h"
#include "libprobe/meet/direct.h"
#include "libprobe/meet/place.h"

#define NONE UINT32_MAX

struct streamtable *streams_table;

/* Of each descriptor and end: the stream's key, and where it was, + 1. */
struct seen {
	uint64_t key;
	uint32_t at;    /* 0: not looked up; NONE */
	uint32_t keyed; /* the key is known */
};
static struct seen near_seen[IO_NEAR][2];
static struct seen (*far_seen)[2]; /* of all, if one is not near */

static const char *const gap_words[STREAM_GAPS] = { "",
	"two write to a stream at once", "two read a stream at once",
	"bytes of a stream were written unseen",
	"bytes of a stream were moved by a call that is not followed",
	"too many messages on the way in a stream" };

/* An eighth of what the user has left the program is enough for us. */
static bool
is_room(size_t bytes)
{
	struct rlimit limit;

	return (getrlimit(RLIMIT_AS, &limit) == -1 ||
		limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur / 8 >= bytes);
}

static struct streamtable *
map_table(void)
{
	char path[256];
	struct stat st;
	struct streamtable *t = MAP_FAILED;
	int fd;

	if (!is_room(sizeof(*t)) ||
	    snprintf(path, sizeof(path), "%s/" STREAMTABLE_FILE,
		place_directory()) >= (int)sizeof(path))
		return (NULL);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd == -1)
		return (NULL);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && (size_t)st.st_size >= sizeof(*t))
		t = direct_mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd);
	CALL(close)(fd);
	if (t == MAP_FAILED)
		return (NULL);
	if (t->magic == STREAMTABLE_MAGIC && t->bytes == sizeof(*t))
		return (t);
	direct_munmap(t, sizeof(*t));
	return (NULL);
}

static struct seen (*map_far(void))[2]
{
	const size_t bytes = IO_FDS * sizeof(*far_seen);
	struct seen(*all)[2], (*others)[2] = NULL;

	if (PROBE_LOAD(&io_shut_in) || !is_room(bytes))
		return (NULL);
	all = direct_mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	if (all == MAP_FAILED)
		return (NULL);
	if (__atomic_compare_exchange_n(&far_seen, &others, all, false,
		__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return (all);
	direct_munmap(all, bytes);
	return (others);
}

/* What is remembered of a descriptor; NULL: there is no room for that. */
static struct seen *
seen_of(int fd, enum stream_end end)
{
	struct seen(*all)[2];
	int saved_errno;

	if ((unsigned)fd < IO_NEAR)
		return (&near_seen[fd][end]);
	all = __atomic_load_n(&far_seen, __ATOMIC_ACQUIRE);
	if (all == NULL) {
		saved_errno = errno;
		all = map_far();
		errno = saved_errno;
	}
	return (all == NULL ? NULL : &all[fd][end]);
}

static uint32_t started;

void
streams_start(void)
{
	int saved_errno = errno;

	if (PROBE_LOAD(&started) == 0 && !held_here &&
	    !PROBE_LOAD(&io_shut_in) && probe_po() != 0 &&
	    __atomic_exchange_n(&started, 1, __ATOMIC_RELAXED) == 0)
		__atomic_store_n(&streams_table, map_table(), __ATOMIC_RELEASE);
	errno = saved_errno;
}

void
streams_off(void)
{
	PROBE_STORE(&started, 1);
}

bool
streams_late(void)
{
	if (PROBE_LOAD(&started) != 0 || auto_mute)
		return (false);
	streams_start();
	return (PROBE_LOAD(&streams_table) != NULL);
}

void
streams_forget(int fd)
{
	struct seen *f;

	if ((unsigned)fd >= IO_FDS || PROBE_LOAD(&streams_table) == NULL ||
	    ((unsigned)fd >= IO_NEAR && PROBE_LOAD(&far_seen) == NULL))
		return;
	for (int end = 0; end < 2; end++) {
		f = seen_of(fd, (enum stream_end)end);
		if (PROBE_LOAD(&f->at) != 0)
			PROBE_STORE(&f->at, 0);
		if (PROBE_LOAD(&f->keyed) != 0)
			PROBE_STORE(&f->keyed, 0);
	}
}

static void
tell_gap(const struct stream *s, enum stream_gap gap)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_stream_gap,
	    probe_name(gap_words[gap]), s->key, s->written);
}

static void
give_up(struct stream *s, enum stream_gap gap)
{
	if (stream_give_up(s, gap))
		tell_gap(s, gap);
}

/*
 * Of a pipe and of a Unix connection's reading end the kernel tells how many
 * bytes wait.  Inside both ends that has to be what is known; while a writer is
 * in a call it may have brought in a part of what it has told of.
 */
static void
check_waiting(struct stream *s, int fd, bool both)
{
	uint64_t written = s->written, asked = s->asked, n, at;
	int waiting = 0;

	if (CALL(ioctl)(fd, FIONREAD, &waiting) == -1 || waiting < 0)
		return;
	n = (uint64_t)waiting;
	at = written - s->read;
	if (!both) {
		if (n < at || n > asked - s->read)
			give_up(s, STREAM_UNSEEN);
	} else if (!s->known[STREAM_WRITER] && !s->known[STREAM_READER]) {
		(void)stream_set(s, n, 0);
	} else if (n > at) {
		(void)stream_set_written(s, s->read + n);
		tell_gap(s, STREAM_UNSEEN);
	} else if (n < at) {
		(void)stream_set_read(s, written - n);
		tell_gap(s, STREAM_UNSEEN);
	}
}

static void
check_counted(struct stream *s, int fd, enum stream_end end)
{
	bool known = s->known[end], changed;
	uint64_t at;

	if (!stream_key_position(fd, end == STREAM_WRITER, &at))
		return;
	changed = end == STREAM_WRITER ? stream_set_written(s, at)
				       : stream_set_read(s, at);
	if (end == STREAM_READER && PROBE_LOAD(&s->known[STREAM_WRITER]) == 0)
		(void)stream_set_written(s, at); /* see end_read_apart() */
	if (changed && known)
		tell_gap(s, STREAM_UNSEEN);
}

/* A descriptor of this process comes to a stream: where does that stand? */
static void
check(struct stream *s, int fd, enum io_kind kind, enum stream_end end)
{
	enum stream_end other =
	    end == STREAM_WRITER ? STREAM_READER : STREAM_WRITER;
	bool both;

	if (kind == IO_TCP)
		stream_renew(s, end, stream_key_cookie(fd));
	if (!stream_look(s, end))
		return; /* another one is there, and has found out */
	if (kind == IO_TCP) {
		check_counted(s, fd, end);
	} else if (kind == IO_PIPE || end == STREAM_READER) {
		both = stream_look_beside(s, other);
		if (both || end == STREAM_READER)
			check_waiting(s, fd, both);
		if (both)
			stream_leave(s, other);
	}
	PROBE_STORE(&s->known[end], 1);
	stream_leave(s, end);
}

/* Who has asked for the one way knows the other. */
static uint64_t
key_internet(struct seen *f, int fd, enum stream_end end)
{
	struct seen *o = end == STREAM_WRITER
			     ? f - STREAM_WRITER + STREAM_READER
			     : f - STREAM_READER + STREAM_WRITER;
	uint64_t key, other = 0;

	if (PROBE_LOAD(&f->keyed) != 0)
		return (f->key);
	key = stream_key_internet(fd, end == STREAM_WRITER, &other);
	if (other != 0 && PROBE_LOAD(&o->at) == 0 && io_is_known(fd)) {
		o->key = other;
		PROBE_STORE(&o->keyed, 1);
	}
	return (key);
}

static struct stream *
look_up(struct seen *f, int fd, enum stream_end end)
{
	enum io_kind kind = io_kind(fd);
	int saved_errno = errno;
	struct stream *s = NULL;
	uint64_t key = 0;

	if (PROBE_LOAD(&io_shut_in))
		return (NULL);
	if (kind == IO_PIPE)
		key = stream_key_pipe(fd);
	else if (kind == IO_TCP)
		key = key_internet(f, fd, end);
	else if (kind == IO_UNIX)
		key = stream_key_unix(fd, end == STREAM_WRITER);
	if (key == STREAM_KEY_LATER) {
		errno = saved_errno;
		return (NULL);
	}
	if (key != 0 && (s = stream_find(streams_table, key)) != NULL) {
		check(s, fd, kind, end);
		f->key = key;
	}
	if (io_is_known(fd)) /* not in a child that shares our memory */
		PROBE_STORE(&f->at,
		    s == NULL ? NONE
			      : (uint32_t)(s - streams_table->stream) + 1);
	errno = saved_errno;
	return (s);
}

static struct stream *
stream_of(int fd, enum stream_end end)
{
	struct stream *s;
	struct seen *f;
	uint32_t at;

	/* files that a shell keeps far off need no table for that */
	if ((unsigned)fd >= IO_FDS ||
	    ((unsigned)fd >= IO_NEAR && io_kind(fd) == IO_PLAIN))
		return (NULL);
	f = seen_of(fd, end);
	if (f == NULL)
		return (NULL);
	at = PROBE_LOAD(&f->at);
	if (at == NONE)
		return (NULL);
	if (at != 0) {
		s = &streams_table->stream[at - 1];
		if (PROBE_LOAD(&s->key) == f->key)
			return (s);
	}
	return (look_up(f, fd, end));
}

/*
 * Between machines, which have a table each, the number of a message is made of
 * the place where it ends, which both ends know from the kernel.
 */
static uint64_t
number_of(const struct stream *s, uint64_t end)
{
	uint64_t key = PROBE_LOAD(&s->key);

	return (stream_key_is_apart(key) ? stream_key_message(key, end)
					 : probe_message_id());
}

/* The marks of a stream are for who reads it here. */
static bool
is_read_here(const struct stream *s)
{
	return (!stream_key_is_apart(PROBE_LOAD(&s->key)) ||
		PROBE_LOAD(&s->known[STREAM_READER]) != 0);
}

/* Another one in a child. */
static uint64_t
process(void)
{
	return ((uint64_t)probe_node() << 32 | probe_po());
}

static void
begin_write(struct streams_call *c, size_t n)
{
	struct stream *s = c->stream;
	bool told = auto_says(PROBE_CLASS_message);
	uint64_t start, id = 0, size = n;

	if (!c->alone) {
		size = stream_write(s, process(), n, &start);
		if (size == 0)
			return; /* the rest of one that did not go */
		id = told ? number_of(s, start + size) : 0;
		if (!stream_mark(s, start, size, id) && is_read_here(s)) {
			id = 0;
			if (__atomic_exchange_n(&s->full, 1,
				__ATOMIC_RELAXED) == 0)
				tell_gap(s, STREAM_FULL);
		}
	}
	if (told)
		probe_send(id, size, 0);
}

bool
streams_is_whole(int fd)
{
	enum io_kind kind;

	if (held_here || !io_is_known(fd))
		return (false);
	kind = io_kind(fd);
	return (kind >= IO_UDP && kind < IO_SOCKET);
}

/* Where there is a connection, nothing is its end. */
void
streams_whole(int fd, enum stream_end end, ssize_t n)
{
	if (n < 0 || !auto_says(PROBE_CLASS_message))
		return;
	if (end == STREAM_WRITER)
		probe_send(0, (uint64_t)n, 0);
	else if (n > 0 || io_kind(fd) != IO_UNIX_SEQ)
		probe_receive(0, (uint64_t)n, 0);
}

void
streams_begin(struct streams_call *c, int fd, enum stream_end end, size_t n)
{
	c->stream = held_here ? NULL : stream_of(fd, end);
	c->whole = c->stream == NULL && streams_is_whole(fd);
	c->end = end;
	c->fd = fd;
	c->asked = n;
	if (c->stream == NULL)
		return;
	c->alone = !stream_enter(c->stream, end);
	if (c->alone)
		give_up(c->stream,
		    end == STREAM_WRITER ? STREAM_WRITERS : STREAM_READERS);
	if (end == STREAM_WRITER)
		begin_write(c, n);
}

/* Is there more that could have been read, after n bytes have? */
static bool
is_more(const struct streams_call *c, uint64_t n)
{
	int saved_errno = errno, waiting = 0;

	if (n < c->asked || PROBE_LOAD(&io_shut_in))
		return (false);
	if (CALL(ioctl)(c->fd, FIONREAD, &waiting) == -1)
		waiting = 0;
	errno = saved_errno;
	return (waiting > 0);
}

/*
 * Nobody writes this stream here.  If it is done on another machine, then what
 * has come is read to its end, and a message with it if it was written as one;
 * what a program takes in pieces, its head first, is one.  So written, which
 * nobody counts here, is how far reading has been told of.
 */
static void
end_read_apart(const struct streams_call *c, uint64_t n)
{
	struct stream *s = c->stream;
	uint64_t at = PROBE_LOAD(&s->read), key = PROBE_LOAD(&s->key);

	if (!stream_key_is_apart(key)) {
		probe_receive(0, n, 0);
	} else {
		if (is_more(c, n))
			return;
		probe_receive(stream_key_message(key, at),
		    at - PROBE_LOAD(&s->written), 0);
	}
	(void)stream_set_written(s, at);
}

static void
end_read(const struct streams_call *c, uint64_t n)
{
	bool told = auto_says(PROBE_CLASS_message);
	struct stream *s = c->stream;
	struct stream_mark m;

	if (c->alone) {
		if (told)
			probe_receive(0, n, 0);
		return;
	}
	stream_read(s, n);
	if (PROBE_LOAD(&s->known[STREAM_WRITER]) == 0) {
		if (told)
			end_read_apart(c, n);
		else
			(void)stream_set_written(s, PROBE_LOAD(&s->read));
		return;
	}
	while (stream_next(s, &m))
		if (told && m.id != 0)
			probe_receive(m.id, m.end - m.start, 0);
	if (stream_unseen(s))
		give_up(s, STREAM_UNSEEN);
}

void
streams_end(const struct streams_call *c, ssize_t moved)
{
	if (c->whole)
		streams_whole(c->fd, c->end, moved);
	if (c->stream == NULL)
		return;
	if (moved > 0 && c->end == STREAM_READER)
		end_read(c, (uint64_t)moved);
	else if (moved > 0 && !c->alone)
		stream_wrote(c->stream, (uint64_t)moved);
	if (!c->alone)
		stream_leave(c->stream, c->end);
}

void
streams_give_up(int fd, enum stream_end end)
{
	struct stream *s;

	if (!streams_on() || held_here)
		return;
	if ((s = stream_of(fd, end)) != NULL)
		give_up(s, STREAM_WAY);
}
