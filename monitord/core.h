/*
 * monitord without its processes and signals: everything that happens between
 * a connection and the log, on struct env only, so that the simulator runs
 * the same code.
 */
#ifndef MONITORD_CORE_H
#define MONITORD_CORE_H

#include <stdbool.h>
#include <stddef.h>

#include "env.h"
#include "monitord/run/settings.h"
#include "monitord/store/store.h"

struct monitord_core;

/*
 * Opens the log and listens.  ended is called once, when the run has been
 * finished: with 0, or EX_SOFTWARE when the receipt does not add up, or what
 * else went wrong; the core is then to be freed, but not from inside.  NULL
 * with *err set.
 */
struct monitord_core *core_new(struct env *, const struct core_settings *,
    void (*ended)(void *arg, int code), void *arg, struct store_error *err);
/* Stops at once; an unfinished log can be continued.  NULL is fine. */
void core_free(struct monitord_core *);

/* Ends the run in good order, as `monitorctl shutdown' does. */
void core_finish(struct monitord_core *);
bool core_finishing(const struct monitord_core *);
/* Of a run that has been finished, in words; else NULL. */
const char *core_receipt(const struct monitord_core *);
/* Events in the log of a run that has been finished; else 0. */
uint64_t core_finished_events(const struct monitord_core *);
/* A launcher has something to say about a node, for status. */
void core_node_note(struct monitord_core *, const char *node, const char *note);
bool core_node_connected(const struct monitord_core *, const char *node);
/* How often its collector has joined; grows with each connection. */
unsigned core_node_connects(const struct monitord_core *, const char *node);

#endif
