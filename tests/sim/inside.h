/* What the parts of the simulated world know of each other. */
#ifndef TESTS_SIM_INSIDE_H
#define TESTS_SIM_INSIDE_H

#include <setjmp.h>
#include <stdlib.h>

#include "tests/sim/env_sim.h"

/* The world's own memory never runs out. */
void *sim_malloc(size_t);
void *sim_calloc(size_t, size_t);
void *sim_realloc(void *, size_t);
char *sim_strdup(const char *);
#define malloc(n)     sim_malloc(n)
#define calloc(n, k)  sim_calloc(n, k)
#define realloc(p, n) sim_realloc(p, n)
#undef strdup
#define strdup(s) sim_strdup(s)

struct sim_event {
	struct sim_event *next; /* of those that are free */
	struct env_sim *env;    /* not while it is stopped; NULL: always */
	void (*cb)(void *);     /* NULL: cancelled */
	void *arg;
	bool owned;   /* arg is to be freed if it never happens */
	bool program; /* happens also while the code under test runs */
};

struct sim_due {
	int64_t at_ns;
	uint64_t order;
	struct sim_event *event;
};

struct sim_cut {
	const struct sim_machine *a, *b;
	int64_t until_ns;
};

struct sim {
	struct chance chance;
	struct path_kind path;
	int64_t now_ns;
	uint64_t order;
	struct sim_due *heap;
	size_t heap_n, heap_cap;
	struct sim_event *idle; /* to be used again */
	struct sim_due *aside;  /* by programs that overtake */
	size_t aside_cap;
	struct faults faults;
	struct env_sim *inside; /* whose code is running */
	jmp_buf fatal;
	void (*on_fatal)(void *, struct env *);
	void *on_fatal_arg;
	sim_sent *on_send;
	void *on_send_arg;
	struct sim_machine *machines;
	struct env_listener *listeners;
	struct sim_cut cuts[64];
	unsigned cuts_n;
};

/* One write or truncation that is not on disk yet. */
struct disk_op {
	struct disk_op *next;
	uint64_t offset;
	size_t n; /* SIZE_MAX: truncated to offset */
	unsigned char data[];
};

struct inode {
	struct inode *next;
	unsigned char *data, *stable;
	size_t n, cap, stable_n, stable_cap;
	struct disk_op *ops, **last_op;
	struct env_sim *locked_by;
	struct sim_machine *machine;
};

struct name {
	char *path;
	struct inode *inode;
};

struct sim_machine {
	struct sim_machine *next;
	struct sim *sim;
	char name[32], id[48];
	unsigned boots;
	struct clock_model clock;
	struct path_model path; /* all that arrives here */
	int64_t slew_from_ns, slew_until_ns, slewed_ns;
	double slew_ppm;
	bool careful; /* keeps apart what is synced and what is not */
	struct env_sim *processes;
	struct inode *inodes;
	struct name *names, *stable;
	size_t names_n, stable_n;
	int disk_error;
};

struct env_sim {
	struct env env;
	struct env_sim *next;
	struct sim *sim;
	struct sim_machine *machine;
	struct chance chance;
	bool dead;
	uint64_t wakes; /* how often its code was called */
	int64_t paused_until_ns;
	struct env_conn *conns;
	struct env_file *files;
};

struct sim_event *sim_schedule(struct sim *, int64_t at_ns, struct env_sim *,
    void (*)(void *), void *);
extern struct sim *sim_current; /* whose code runs: one world at a time */
/* Runs cb as code of this process, which may be NULL. */
void sim_call(struct sim *, struct env_sim *, void (*)(void *), void *);
/* Code under test takes its time: the programs may get on meanwhile. */
void sim_takes_time(struct sim *);
/* May be the end of the process whose code runs: it does not come back. */
void sim_may_crash(struct sim *);
int64_t sim_cut_until(const struct sim *, const struct sim_machine *,
    const struct sim_machine *);

/* the table's parts */
extern const struct env_ops env_sim_ops;
struct env_timer *env_sim_timer_new(struct env *, void (*)(void *), void *);
void env_sim_timer_cb(void *);
void env_sim_timer_set(struct env_timer *, int64_t);
void env_sim_timer_stop(struct env_timer *);
void env_sim_timer_free(struct env_timer *);
struct env_listener *env_sim_listen(struct env *, const char *,
    void (*)(void *, struct env_conn *), void *);
void env_sim_listener_free(struct env_listener *);
struct env_conn *env_sim_connect(struct env *, const char *,
    const struct env_conn_ops *, void *);
void env_sim_conn_set(struct env_conn *, const struct env_conn_ops *, void *);
void env_sim_conn_urgent(struct env_conn *);
int env_sim_send(struct env_conn *, const void *, size_t);
size_t env_sim_queued(const struct env_conn *);
void env_sim_read_pause(struct env_conn *, bool);
void env_sim_close(struct env_conn *, bool);
void sim_conns_kill(struct env_sim *, double lost);
void sim_conns_free(struct env_sim *);

struct env_file *env_sim_open(struct env *, const char *, int);
ssize_t env_sim_read_at(struct env_file *, void *, size_t, uint64_t);
ssize_t env_sim_write_at(struct env_file *, const void *, size_t, uint64_t);
int env_sim_sync(struct env_file *);
int env_sim_truncate(struct env_file *, uint64_t);
int64_t env_sim_size(struct env_file *);
int env_sim_lock(struct env_file *);
void env_sim_file_close(struct env_file *);
int env_sim_rename(struct env *, const char *, const char *);
int env_sim_unlink(struct env *, const char *);
int env_sim_mkdir(struct env *, const char *);
int env_sim_list(struct env *, const char *, int (*)(void *, const char *),
    void *);
int env_sim_sync_dir(struct env *, const char *);
void sim_files_kill(struct env_sim *);
void sim_files_free(struct env_sim *);
void sim_disk_free(struct sim_machine *);

#endif
