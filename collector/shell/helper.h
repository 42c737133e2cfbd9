/*
 * The helper: a process of this program that finds out what is at places in
 * the code, from the files and their debug information.
 *
 * Those files are whatever the user's programs are made of; reading them takes
 * time and memory, and a broken one may well end who reads it.  So that is
 * somebody else, whom we start when there is something to ask, and again when
 * he dies: then what he was just asked has no answer, and that is all.
 */
#ifndef COLLECTOR_SHELL_HELPER_H
#define COLLECTOR_SHELL_HELPER_H

#include <stdbool.h>

#include "message.h"

struct event_base;
struct helper;

struct helper_ops {
	void (*symbol)(void *arg, const struct msg_symbol *);
};

struct helper *helper_new(struct event_base *, const struct helper_ops *,
    void *arg);                    /* NULL: ENOMEM */
void helper_free(struct helper *); /* NULL is fine */
/* false: it cannot be asked; each that is true is answered. */
bool helper_ask(struct helper *, const struct msg_resolve *);

/* The process itself: answers what comes on fd until that ends. */
int helper_run(int fd);

#endif
