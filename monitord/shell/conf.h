/*
 * The cluster file: which nodes there are and how their collectors are
 * started (orrery-cluster(5)).
 */
#ifndef MONITORD_CONF_H
#define MONITORD_CONF_H

#include <stddef.h>

#include "hostrange.h"

enum conf_launch {
	CONF_LOCAL, /* a process of ours */
	CONF_SSH,
	CONF_NONE, /* somebody else starts it */
	CONF_LAUNCHES
};
extern const char *const conf_launch_name[CONF_LAUNCHES];

/* A node; what is NULL is left to the collector's own default. */
struct conf_node {
	char *name, *host, *user;
	enum conf_launch launch;
	char *collector, *dir,
	    *ssh; /* the program, its place, how to get there */
	char *ring, *rings, *spool, *flush, *mask, *full, *counters, *sched,
	    *sample, *test_clock;
};

struct conf {
	char *name, *log, *index, *listen; /* NULL: not said */
	char *probe; /* rules of what is recorded, a line each; NULL: none */
	struct conf_node *nodes;
	size_t nnodes;
};

/* A problem: "cluster.yaml:3:5: what was expected". */
typedef void conf_report(void *arg, const char *line);

/*
 * Reads a cluster file; every problem is reported.  NULL with *code set, of
 * sysexits.h: EX_NOINPUT when it cannot be read, EX_CONFIG, EX_OSERR.
 */
struct conf *conf_read(const char *path, conf_report *, void *arg, int *code);
/* The same from memory; path is for the messages. */
struct conf *conf_parse(const char *path, const char *text, size_t n,
    conf_report *, void *arg, int *code);
/* No file: one node "local" on this machine.  NULL: ENOMEM. */
struct conf *conf_local(void);
void conf_free(struct conf *); /* NULL is fine */

/*
 * An address that others cannot reach: unix:PATH or tcp:LOOPBACK:PORT.  NULL,
 * or what is wrong with it (static storage).
 */
const char *conf_address_problem(const char *address);

#endif
