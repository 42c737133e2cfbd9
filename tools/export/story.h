/*
 * The events of a log as a story that other programs know: spans that open and
 * close in the order of a stack, links from causes to effects, locks that are
 * held, and instants.
 *
 * Memory: 32 bytes for what is open, and what causes_seen.h keeps of causes.
 */
#ifndef TOOLS_EXPORT_STORY_H
#define TOOLS_EXPORT_STORY_H

#include <stdbool.h>
#include <stddef.h>

#include "log/tracefile.h"
#include "tools/export/holds.h"

/* Deeper ones of a thread are left out, and counted. */
#define STORY_DEPTH_MAX 65536

struct story_span {
	uint64_t id;          /* word a of what began it */
	int64_t since_mon_ns; /* that was then */
	uint32_t name;        /* 0: none */
	uint16_t kind;        /* of what began it */
	uint8_t span;
	bool stale; /* records are missing since */
	bool again; /* when it opens: it goes on, it has begun before */
	bool rests; /* when it closes: it will open again */
};

struct story_link {
	const struct event_desc *cause;
	const struct event *effect;
	uint32_t from; /* location */
	int64_t from_mon_ns;
};

/* Who is told; NULL: not asked for.  depth: of what lies below. */
struct story_teller {
	void (*open)(void *arg, uint32_t location, int64_t t_mon_ns,
	    const struct story_span *, size_t depth);
	void (*close)(void *arg, uint32_t location, int64_t t_mon_ns,
	    const struct story_span *, size_t depth);
	/*
	 * What is no more than an instant, and what ends a wait: a message
	 * that is received, a lock that is acquired.
	 */
	void (*instant)(void *arg, const struct event *,
	    const struct event_desc *);
	void (*link)(void *arg, const struct story_link *);
	void (*hold)(void *arg, const struct story_hold *);
	bool waits; /* are spans as well */
};

struct story;

/* from: what is before is taken note of, not told.  NULL: ENOMEM. */
struct story *story_new(const struct defs *, int64_t from_mon_ns,
    const struct story_teller *, void *arg);
void story_free(struct story *); /* NULL is fine */
/* In order of time.  -1: ENOMEM. */
int story_event(struct story *, const struct event *);
/* Closes what is open, and says what was left out. */
void story_end(struct story *);

/* "work", or "task" when it has no name. */
const char *story_name(const struct defs *, const struct story_span *);

#endif
