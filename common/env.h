/*
 * The world as collector and monitord see it: clock, timers, connections,
 * files and randomness, as one table of functions.
 *
 * There are two implementations: env_event.c on libevent, for real, and
 * tests/sim/env_sim.c, in which hundreds of nodes live in one process on
 * virtual time.  The same object code of collector and monitord runs in both,
 * so nothing in them may call the system behind env's back.
 *
 * One thread: all functions are called from, and all call-backs come from,
 * the loop of this env.  A call-back may close what it was called for.
 */
#ifndef COMMON_ENV_H
#define COMMON_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct env;
struct env_timer;
struct env_listener;
struct env_conn;
struct env_file;

/* What happens on a connection.  Unset members are allowed. */
struct env_conn_ops {
	/* the connection is made (for env_connect only) */
	void (*connected)(void *arg);
	/*
	 * Bytes have come.  Returns how many were used up (the rest is kept
	 * and offered again with what follows), or -1 to have the connection
	 * closed as if by the peer.  at_ns: this node's clock just after they
	 * were read; on an urgent connection when they came, where the system
	 * can tell.
	 */
	ssize_t (*received)(void *arg, const void *p, size_t n, int64_t at_ns);
	/* what was queued has gone below the low mark (64 KiB) */
	void (*drained)(void *arg);
	/*
	 * The connection is over, or could not be made; why is a sentence or
	 * NULL for a normal end.  The env has freed it already.
	 */
	void (*closed)(void *arg, const char *why);
};

enum env_open {
	ENV_READ = 1,
	ENV_WRITE = 2, /* and read */
	ENV_CREATE = 4,
	ENV_EXCLUSIVE = 8, /* fails with EEXIST; no link is followed */
	ENV_TRUNCATE = 16, /* no link is followed */
};

struct env_ops {
	/* CLOCK_MONOTONIC_RAW of this node, in ns; of the test clock if set */
	int64_t (*now_ns)(struct env *);
	/* UTC since 1970: for people, never for ordering */
	int64_t (*real_ns)(struct env *);
	uint64_t (*random)(struct env *);
	/* identity of the clock: boot id and host name; static storage */
	const char *(*machine)(struct env *);

	/* one-shot timers, made stopped */
	struct env_timer *(
	    *timer_new)(struct env *, void (*cb)(void *), void *);
	void (*timer_set)(struct env_timer *, int64_t delay_ns);
	void (*timer_stop)(struct env_timer *);
	void (*timer_free)(struct env_timer *); /* NULL is fine */

	/*
	 * Addresses: "unix:/path" or "tcp:127.0.0.1:7420", "tcp:[::1]:7420".
	 * -1/NULL with errno set.  urgent connections are served first (the
	 * clock's).  ops and arg of an accepted connection are set with
	 * conn_set.
	 */
	struct env_listener *(*listen)(struct env *, const char *address,
	    void (*accepted)(void *arg, struct env_conn *), void *arg);
	void (*listener_free)(struct env_listener *); /* removes the socket */
	struct env_conn *(*connect)(struct env *, const char *address,
	    const struct env_conn_ops *, void *arg);
	void (*conn_set)(struct env_conn *, const struct env_conn_ops *,
	    void *arg);
	void (*conn_urgent)(struct env_conn *);
	/* copies and queues; writes at once when nothing is queued */
	int (*send)(struct env_conn *, const void *, size_t);
	size_t (*queued)(const struct env_conn *);
	void (*read_pause)(struct env_conn *, bool pause);
	/* no call-back follows; what is queued is still sent if flush is set */
	void (*close)(struct env_conn *, bool flush);

	/* files: -1/NULL with errno set; all may be short only at the end */
	struct env_file *(*open)(struct env *, const char *path, int env_open);
	ssize_t (*read_at)(struct env_file *, void *, size_t, uint64_t offset);
	ssize_t (*write_at)(struct env_file *, const void *, size_t,
	    uint64_t offset);
	int (*sync)(struct env_file *); /* data is on disk after this */
	int (*truncate)(struct env_file *, uint64_t bytes);
	int64_t (*size)(struct env_file *);
	int (*lock)(
	    struct env_file *); /* EWOULDBLOCK: another process has it */
	void (*file_close)(struct env_file *); /* NULL is fine */
	/* 1: the path leads to this file, 0: it does not; NULL: always 1 */
	int (*leads_to)(struct env *, const char *path, struct env_file *);
	int (*rename)(struct env *, const char *from, const char *to);
	int (*unlink)(struct env *, const char *path);
	int (*mkdir)(struct env *, const char *path); /* 0700, parents too */
	/* names in a directory; stops when cb returns non-zero */
	int (*list)(struct env *, const char *dir,
	    int (*cb)(void *arg, const char *name), void *arg);
	/* renames and creations in this directory are on disk after this */
	int (*sync_dir)(struct env *, const char *dir);
};

struct env {
	const struct env_ops *ops;
};

#define ENV_MS  ((int64_t)1000000)
#define ENV_SEC ((int64_t)1000000000)

/*
 * The real one.  test_clock is NULL, or "OFFSET_S,PPM[,WANDER_PPM]": this
 * node's clock then runs ahead by OFFSET_S seconds and fast by PPM, with a
 * sine of WANDER_PPM and 60 s on top; for tests and the demo.  NULL with
 * errno set (EINVAL: test_clock).
 */
struct event_base;
struct env *env_event_new(const char *test_clock);
void env_event_free(struct env *);
struct event_base *env_event_base(struct env *);
/* The test clock alone: raw ns to this node's ns.  Exact inverse not needed. */
int64_t env_event_node_ns(struct env *, int64_t raw_ns);

#endif
