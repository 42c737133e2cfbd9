/*
 * What the programs say: "monitord: node n1: connection lost" on stderr.
 * A line that repeats is counted, not printed.  log_warn adds strerror.
 */
#ifndef COMMON_LOG_H
#define COMMON_LOG_H

#include <stdarg.h>

/* verbose: 0 warnings, 1 what happens, 2 in detail; -1 nothing but fatal. */
void log_init(const char *program, int verbose);
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warnx(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* For start-up only: prints and exits with a code of sysexits.h. */
_Noreturn void fatal(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
_Noreturn void fatalx(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
