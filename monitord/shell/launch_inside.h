/* What launch.c and launch_args.c share; nobody else includes this. */
#ifndef MONITORD_LAUNCH_INSIDE_H
#define MONITORD_LAUNCH_INSIDE_H

#include <sys/types.h>

#include <limits.h>

#include "launch.h"

#define ARGS_MAX 48

struct child {
	struct launch *launch;
	const struct conf_node *node;
	struct event *timer;
	pid_t pid;                  /* 0: none */
	int input;                  /* of an ssh; -1: none */
	struct launch_words *words; /* of an ssh; NULL: none */
	int delay_ms;
	unsigned connects; /* of its node when it was started */
};

struct launch {
	struct event_base *base;
	const char *socket; /* monitord's */
	int verbose;
	const struct launch_ops *ops;
	void *arg;
	struct event *sigchld;
	struct child *children;
	size_t n;
	char collector[PATH_MAX]; /* the program on this machine */
};

struct args {
	char *v[ARGS_MAX + 1];
	size_t n;
};

/* launch_args.c: the command of a child; empty: out of memory. */
void launch_args_local(const struct child *, struct args *);
void launch_args_ssh(const struct child *, struct args *);
void launch_args_free(struct args *);

#endif
