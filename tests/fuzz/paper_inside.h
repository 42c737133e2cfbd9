/* What paper.c, paper_conn.c and paper_file.c share. */
#ifndef TESTS_FUZZ_PAPER_INSIDE_H
#define TESTS_FUZZ_PAPER_INSIDE_H

#include <sys/queue.h>

#include "tests/fuzz/paper.h"

struct paper {
	struct env env; /* first: a struct env * is a struct paper * */
	int64_t now_ns;
	uint64_t random;
	TAILQ_HEAD(, env_timer) timers; /* all of them */
	TAILQ_HEAD(, env_conn) conns;
	TAILQ_HEAD(, env_listener) listeners;
	TAILQ_HEAD(, paper_file) files;
};

/* paper_conn.c */
/* Gives their owners what has come, unless they have paused. */
void paper_conn_offer_all(struct paper *);
void paper_conn_free_all(struct paper *);
struct env_listener *paper_listen(struct env *, const char *,
    void (*)(void *, struct env_conn *), void *);
void paper_listener_free(struct env_listener *);
struct env_conn *paper_connect(struct env *, const char *,
    const struct env_conn_ops *, void *);
void paper_conn_set(struct env_conn *, const struct env_conn_ops *, void *);
void paper_conn_urgent(struct env_conn *);
int paper_send(struct env_conn *, const void *, size_t);
size_t paper_queued(const struct env_conn *);
void paper_read_pause(struct env_conn *, bool);
void paper_close(struct env_conn *, bool);

/* paper_file.c */
void paper_file_free_all(struct paper *);
struct env_file *paper_open(struct env *, const char *, int);
ssize_t paper_read_at(struct env_file *, void *, size_t, uint64_t);
ssize_t paper_write_at(struct env_file *, const void *, size_t, uint64_t);
int paper_sync(struct env_file *);
int paper_truncate(struct env_file *, uint64_t);
int64_t paper_size(struct env_file *);
int paper_lock(struct env_file *);
void paper_file_close(struct env_file *);
int paper_rename(struct env *, const char *, const char *);
int paper_unlink(struct env *, const char *);
int paper_mkdir(struct env *, const char *);
int paper_list(struct env *, const char *, int (*)(void *, const char *),
    void *);
int paper_sync_dir(struct env *, const char *);

#endif
