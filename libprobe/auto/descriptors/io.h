/*
 * Calls of the system that may have to wait, and for what.
 *
 * A wait is told when there is one: where a call can be tried without waiting
 * it is tried first, in the same form, and only if it cannot go on at once
 * io_wait is said, then the call is made as it was, then io_done.  Where it
 * cannot be tried (connect, fsync, ...) both are said in any case.  Calls of a
 * process that no collector has attached yet are left alone; see io_told().
 */
#ifndef LIBPROBE_AUTO_IO_H
#define LIBPROBE_AUTO_IO_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libprobe/auto/wrap/auto.h"
#include "libprobe/internal.h"

#define IO_FDS  65536u /* descriptors from here on are not followed */
#define IO_NEAR 32u    /* most of what a shell has is below */

/* What a descriptor is, as far as waiting is concerned. */
enum io_kind {
	IO_UNKNOWN,
	IO_PLAIN, /* a file, a directory...: nothing to wait for */
	IO_PIPE,  /* or FIFO */
	IO_TTY,   /* or another character device */
	IO_EVENT, /* eventfd, timerfd, inotify... */
	IO_TCP,
	IO_UNIX,      /* a stream of the Unix domain */
	IO_UDP,       /* from here on each call moves a whole message */
	IO_UNIX_DATA, /* datagrams of the Unix domain */
	IO_UNIX_SEQ,  /* a connection of it with messages */
	IO_SOCKET,    /* any other socket */
	IO_KINDS
};

/* The calls that wait for a descriptor; io_call_name[] has their names. */
enum io_call {
	IO_read = 1,
	IO_write,
	IO_accept,
	IO_connect,
	IO_poll,
	IO_select,
	IO_epoll_wait,
	IO_CALLS
};

/*
 * What is known of the descriptor; asks the kernel at the first use of a
 * number.  Of one that is beyond our table, or in a child that shares the
 * memory of its parent (vfork), IO_PLAIN.
 */
enum io_kind io_kind(int fd);
/* Its kind is kept: not so beyond our table and in a child as above. */
bool io_is_known(int fd);
/* It waits (O_NONBLOCK is not set), as far as is known. */
bool io_blocks(int fd);
/* Nothing is known any more: it is closed, or another one has its number. */
void io_forget(int fd);
void io_forget_from(unsigned first, unsigned last);
/* It is the same, but connected to another one, or waits or not from now on. */
void io_forget_peer(int fd);
void io_set_waits(int fd, bool waits);
/* It has come from this one, which listens: it is of its kind. */
void io_accepted(int from, int fd, bool waits);
/* It turned out to be none of these kinds. */
void io_set_plain(int fd);

/* "read tcp 10.0.0.1:80", "accept unix /run/x", "poll"; fd -1: none. */
uint32_t io_name(enum io_call, int fd);

/*
 * The program has shut itself in, or is about to (seccomp): a call that it has
 * not made may end it.  From then on we make none, so waits are not told, and
 * streams only where they are known already.
 */
extern bool io_shut_in;

/*
 * Are waits of this class told?  Who waits often or long is worth a
 * collector's attention: the attachment that was put off is made up for after
 * so many calls.
 */
bool io_told(enum probe_class);

/* A wait that is open; of descriptors or of the system. */
struct io_wait {
	uint64_t what;
	uint32_t name;
	bool system;
};

static inline void
io_begin(const struct io_wait *w)
{
	if (w->system)
		PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_system_wait, w->name,
		    w->what, 0);
	else
		PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_io_wait, w->name,
		    w->what, 0);
}

static inline void
io_end(const struct io_wait *w, int64_t result)
{
	if (w->system)
		PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_system_done, w->name,
		    w->what, (uint64_t)result);
	else
		PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_io_done, w->name,
		    w->what, (uint64_t)result);
}

void io_cancelled_cb(void *wait);

/* rc = call, between the two events; also a point of cancellation. */
#define IO_WAITS(rc, call, ...)                                                \
	do {                                                                   \
		struct io_wait wait_ = { __VA_ARGS__ };                        \
		io_begin(&wait_);                                              \
		pthread_cleanup_push(io_cancelled_cb, &wait_);                 \
		(rc) = (call);                                                 \
		pthread_cleanup_pop(0);                                        \
		io_end(&wait_, (rc) < 0 ? -(int64_t)errno : (int64_t)(rc));    \
	} while (0)

#endif
