/*
 * Programs that must not notice libprobe: what the files of this folder share.
 *
 * A situation is a small program of its own, run twice or more: with libprobe
 * and compiled with -DPROBE_OFF.  What it says, and how it ends, must be the
 * same, so nothing is said here that differs between two runs.
 */
#ifndef TESTS_APPS_HARM_H
#define TESTS_APPS_HARM_H

#include <stdint.h>

#include "probe.h"

struct situation {
	const char *name;
	int (*run)(void);     /* its code is the program's */
	void (*before)(void); /* in the process that will be it, before exec */
	unsigned flags;
};

/* A tool that watches a program is itself in the way of these. */
#define NOT_WATCHED 1u
/* Takes the privileges of root. */
#define ROOT        2u

/* Each ends with an entry without a name. */
extern const struct situation harm_starts[], harm_forks[], harm_signals[],
    harm_threads[], harm_limits[];

/* To the report, which is not standard output. */
#define REPORT_FD 9
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * Everything of this process that a library could have changed: descriptors,
 * signals, timers, threads, children, and the like.
 */
void say_facts(void);

/* All that a program does with probes; n times, names new each time. */
void work(int n);
void work_in_handler(void); /* once, without a lock */
/* In a thread or process of its own, waited for; says how it ended. */
void work_in_thread(void);
void work_in_child(void);
/* Says how a child has ended. */
void say_end(int pid);

extern char harm_self[256];

#endif
