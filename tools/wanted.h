/* Which events of a log a user has asked for: places and kinds. */
#ifndef TOOLS_WANTED_H
#define TOOLS_WANTED_H

#include <stdbool.h>

#include "tracefile.h"

struct wanted {
	const struct defs *defs;
	const char *node;    /* NULL: any */
	uint64_t po, thread; /* UINT64_MAX: any */
	bool some_kinds;
	bool kind[EVENT_KINDS];
};

/* "send,receive": marks the kinds; -1 if one is unknown, having said so. */
int wanted_kinds(struct wanted *, const char *list);
bool wanted_place(const struct wanted *, uint32_t location);
bool wanted_event(const struct wanted *, const struct event *);
/* Is there such a place in the log?  Says so if not, for this command. */
bool wanted_known(const struct wanted *, const char *command);

#endif
