/*
 * A world on paper: a struct env whose clock, timers, connections and files
 * are a few lists in memory, for tests that run daemons thousands of times a
 * second.  Unlike tests/sim it models nothing: time passes when the test says
 * so, bytes arrive when it delivers them, and no operation fails.
 */
#ifndef TESTS_FUZZ_PAPER_H
#define TESTS_FUZZ_PAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "env.h"

struct paper;

struct paper *paper_new(void);
void paper_free(struct paper *);
struct env *paper_env(struct paper *);
int64_t paper_now(const struct paper *);
/* Timers that fall due within ns are served, at most so many of them. */
void paper_run(struct paper *, int64_t ns, unsigned most);

/*
 * All of ns pass at once, as for a machine that was asleep: each timer that is
 * due is served once, and what is set meanwhile waits for the next leap.
 */
void paper_leap(struct paper *, int64_t ns);

/*
 * Connections live until paper_free(), also when they are over.  Those that
 * the tested side makes are numbered in their order; NULL: there is none.
 */
struct env_conn *paper_dial(struct paper *); /* NULL: nobody listens */
struct env_conn *paper_conn(struct paper *, size_t i);
void paper_answer(struct paper *); /* all that are being made, are made */
bool paper_is_open(const struct env_conn *);
/* The bytes come in pieces of their own, so that a sanitizer sees the end. */
void paper_deliver(struct env_conn *, const void *, size_t);
void paper_hang_up(struct env_conn *);
/*
 * What the tested side has sent since the last call, valid until it sends
 * more.  What nobody fetches is thrown away at 256 KiB.
 */
const uint8_t *paper_fetch(struct env_conn *, size_t *n);

/* A file as it is to be found; and as it has become, NULL: there is none. */
void paper_put(struct paper *, const char *path, const void *, size_t);
const uint8_t *paper_get(struct paper *, const char *path, size_t *n);

#endif
