/*
 * Every event of a log in order, part by part, also while it grows: what a
 * plug-in is fed with.
 */
#ifndef VIEWER_PLUGIN_SOURCE_H
#define VIEWER_PLUGIN_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "log/tracefile.h"

struct source;
typedef void source_event(void *arg, const struct event *, bool late);

/* NULL: a sentence in why. */
struct source *source_open(const char *path, char *why, size_t n);
void source_close(struct source *);
/* A part of what is there; false: that was all. */
bool source_step(struct source *, source_event *, void *arg);
void source_refresh(struct source *); /* has it grown? */
/* So much of it has been read, of 1000: all that is there. */
uint32_t source_permille(const struct source *);
const struct defs *source_defs(const struct source *);
uint64_t source_defined(const struct source *); /* definitions so far */
int64_t source_start_mon_ns(const struct source *);

#endif
