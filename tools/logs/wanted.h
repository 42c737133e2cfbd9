/*
 * Which events of a log a user has asked for: a range, places and kinds; and
 * the options by which dump and export are asked.
 */
#ifndef TOOLS_WANTED_H
#define TOOLS_WANTED_H

#include <stdbool.h>

#include "log/tracefile.h"

#define WANTED_OWN 64u

struct wanted {
	const struct defs *defs;
	const char *node;       /* NULL: any */
	uint64_t po, thread;    /* UINT64_MAX: any */
	const char *kinds;      /* "send,receive"; NULL: all */
	int64_t from_ns, to_ns; /* of the run; INT64_MIN and MAX: all of it */
	bool some_kinds;
	bool kind[EVENT_KINDS];
	uint32_t own[WANTED_OWN]; /* names that declare wanted kinds */
	unsigned nown;
};

/* Everything. */
#define WANTED_ALL                                                             \
	{                                                                      \
		.po = UINT64_MAX, .thread = UINT64_MAX, .from_ns = INT64_MIN,  \
		.to_ns = INT64_MAX                                             \
	}

/* For getopt_long(). */
/* clang-format off */
#define WANTED_OPTIONS                                                         \
	{ "from", required_argument, NULL, 'f' },                              \
	{ "to", required_argument, NULL, 't' },                                \
	{ "node", required_argument, NULL, 'n' },                              \
	{ "po", required_argument, NULL, 'p' },                                \
	{ "thread", required_argument, NULL, 'T' },                            \
	{ "kind", required_argument, NULL, 'k' }
/* clang-format on */
/*
 * One of these options of a command, kept.  1; 0: c is none of them; -1: its
 * value is no number, which has been said.
 */
int wanted_option(struct wanted *, const char *command, int c,
    const char *value);
/*
 * For one log: keeps its definitions (borrowed), looks the kinds up, and gives
 * the range in times of the monitor's clock.  EX_OK; EX_USAGE: there is no such
 * kind; EX_UNAVAILABLE: the log has no such node, process or thread; which one
 * has been said.
 */
int wanted_in(struct wanted *, const char *command, const struct defs *,
    int64_t start_mon_ns, int64_t *from_mon_ns, int64_t *to_mon_ns);
bool wanted_place(const struct wanted *, uint32_t location);
bool wanted_event(const struct wanted *, const struct event *);

#endif
