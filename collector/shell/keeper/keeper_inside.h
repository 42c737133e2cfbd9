/* What keeper*.c share; nobody else includes this. */
#ifndef COLLECTOR_KEEPER_INSIDE_H
#define COLLECTOR_KEEPER_INSIDE_H

#include <sys/types.h>

#include "collector/shell/self/pass.h"
#include "keeper.h"

#define BACKOFF_MAX_MS 1000

struct kept {
	struct pass m;
	int fds[PASS_FDS];
};

struct keeper {
	const struct options *opt;
	struct kept *kept;
	size_t nkept;
	int worker_fd; /* -1: none now */
	pid_t worker;  /* 0: not known */
	bool child;    /* it is ours to wait for */
	int listen_fd, door_fd, signal_fd;
	bool orphan, stopping, stopped;
	bool ready; /* some worker was */
	bool told;  /* this one: we have all that it has */
	int64_t started_ms, stop_ms, restart_ms;
	int backoff_ms, code;
	bool stdin_open;
};

/* keeper.c */
int64_t keeper_now_ms(void);

/* keeper_wake.c: processes that wait for a collector hear of us. */
void keeper_wake(const struct keeper *);
void keeper_wake_end(const struct keeper *);

/* keeper_worker.c: starts one and tells it what we have.  -1: errno. */
int keeper_worker_start(struct keeper *);
/* One packet from the worker, or its end. */
void keeper_worker_packet(struct keeper *);

/* keeper_kept.c: takes the descriptors. */
void keeper_kept_add(struct keeper *, const struct pass *,
    const int fds[PASS_FDS]);
void keeper_kept_remove(struct keeper *, uint32_t po);
/* Everything we have, as a worker or a successor wants it.  -1: errno. */
int keeper_kept_tell(const struct keeper *, int sock);
/* Somebody is at the door.  true: all is the successor's now. */
bool keeper_hand_over(struct keeper *);
/* What a keeper before us gives away.  true: we have it. */
bool keeper_take_over(struct keeper *, int sock);
/* For rescue_scan(); arg is the keeper. */
void keeper_rescued(void *arg, const struct pass *, const int fds[PASS_FDS]);

#endif
