/*
 * Inside of the real env: shared by env_event.c (clock, timers), env_conn.c
 * (connections), env_listen.c (listeners) and env_file.c (files), included by
 * nobody else.
 */
#ifndef COMMON_ENV_REAL_H
#define COMMON_ENV_REAL_H

#include <sys/queue.h>
#include <sys/socket.h>

#include <event2/event.h>

#include "env.h"

#define READ_BYTES (256u << 10)

struct env_real {
	struct env env; /* first: a struct env * is a struct env_real * */
	struct event_base *base;
	TAILQ_HEAD(, env_conn) lingering; /* closed, still being sent */
	int64_t test_offset_ns;
	double test_ppm, test_wander_ppm;
	bool test;
	uint64_t random[2];
	char machine[160];
	/* what is read, for all: most connections have nothing to keep */
	uint8_t scratch[READ_BYTES];
};

/* Priorities of the loop: the clock's connections go first. */
enum {
	PRIORITY_URGENT,
	PRIORITY_NORMAL,
	PRIORITIES
};

int64_t env_real_now(struct env *);

/* env_listen.c */
struct env_listener *env_real_listen(struct env *, const char *,
    void (*)(void *, struct env_conn *), void *);
void env_real_listener_free(struct env_listener *);
/*
 * An address as a sockaddr; unix_path points into it, or is NULL for TCP.
 * -1 with EINVAL.
 */
int env_address(const char *address, struct sockaddr_storage *, socklen_t *,
    const char **unix_path);

/* env_conn.c */
/* Those closed whose queue nobody will take any more. */
void env_real_linger_end(struct env *);
/* Takes the connected socket.  NULL with ENOMEM, and fd stays the caller's. */
struct env_conn *env_conn_accepted(struct env *, int fd);
struct env_conn *env_real_connect(struct env *, const char *,
    const struct env_conn_ops *, void *);
void env_real_conn_set(struct env_conn *, const struct env_conn_ops *, void *);
void env_real_conn_urgent(struct env_conn *);
int env_real_send(struct env_conn *, const void *, size_t);
size_t env_real_queued(const struct env_conn *);
void env_real_read_pause(struct env_conn *, bool);
void env_real_close(struct env_conn *, bool);

/* env_file.c */
struct env_file *env_real_open(struct env *, const char *, int);
ssize_t env_real_read_at(struct env_file *, void *, size_t, uint64_t);
ssize_t env_real_write_at(struct env_file *, const void *, size_t, uint64_t);
int env_real_sync(struct env_file *);
int env_real_leads_to(struct env *, const char *path, struct env_file *);
int env_real_truncate(struct env_file *, uint64_t);
int64_t env_real_size(struct env_file *);
int env_real_lock(struct env_file *);
void env_real_file_close(struct env_file *);
int env_real_rename(struct env *, const char *, const char *);
int env_real_unlink(struct env *, const char *);
int env_real_mkdir(struct env *, const char *);
int env_real_list(struct env *, const char *, int (*)(void *, const char *),
    void *);
int env_real_sync_dir(struct env *, const char *);

#endif
