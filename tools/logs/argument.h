/*
 * What a command has been given: a log, a number, a time, a name.  What is
 * wrong with it has been said when these return.
 */
#ifndef TOOLS_ARGUMENT_H
#define TOOLS_ARGUMENT_H

#include <stdint.h>

#include "log/tracefile.h"

/*
 * The only argument that is left, a log, opened; NULL with *code set, having
 * said why.
 */
struct tracefile *log_open(const char *path, int *code);
/* All that the log defines; NULL (ENOMEM), having said so. */
struct defs *log_defs(struct tracefile *);

/* A number of seconds, also negative, as ns; -1 if it is none. */
int seconds_arg(const char *, int64_t *ns);
/* An unsigned number; -1 if it is none or more than max. */
int number_arg(const char *, uint64_t max, uint64_t *);

/* A name or path that an option gives; -1, having said so, if it is none. */
int text_arg(const char *option, const char *value);

#endif
