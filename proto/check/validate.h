/*
 * Is this stream of events what it should be?
 *
 * Takes the definitions and the events of a log in their order and says, one
 * sentence each, where they break a promise.  The rules are read from
 * events.def (and from the kinds that the log itself describes); nothing is
 * shared with what ordered the events.
 *
 * Memory is bounded by the number of locations, of clock segments, and
 * VALIDATE_KEYS_MAX keys for each kind of cause: causes that have had their
 * one effect are forgotten at once, others when twice that many newer ones
 * have come.  An effect whose cause may have been forgotten is counted as
 * unverified, not called a violation.  The same holds for effects without a
 * cause before them, which are remembered in case one stands behind.
 *
 * What the monitor has marked as orphan is looked at like any other effect.
 */
#ifndef PROTO_VALIDATE_H
#define PROTO_VALIDATE_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "frame.h"

#define VALIDATE_KEYS_MAX ((size_t)1 << 19)

enum violation_kind {
	VIOLATION_KIND,     /* an event of a kind that nobody describes */
	VIOLATION_LOCATION, /* an event of a location that is not defined */
	VIOLATION_SEQ,      /* a location's sequence has a gap or repeats */
	VIOLATION_TIME,     /* t_mon_ns falls in the log or in a location */
	VIOLATION_CLOCK,    /* t_mon_ns is not what map and shift make of it */
	VIOLATION_MAP,     /* a piece of a clock map does not go on, or steps */
	VIOLATION_FLAGS,   /* flags and contents do not agree */
	VIOLATION_CAUSE,   /* an effect, not marked, not after its cause */
	VIOLATION_ALL,     /* an effect before all its causes */
	VIOLATION_EARLY,   /* a marked one before a cause that is there */
	VIOLATION_ORPHAN,  /* marked as without its cause, which is before it */
	VIOLATION_SPAN,    /* an end of something else than what is open */
	VIOLATION_LOST,    /* the totals of lost records do not add up */
	VIOLATION_NAME,    /* a word names what is not defined */
	VIOLATION_MONITOR, /* what the monitor says does not agree with it */
	VIOLATION_RECEIPT, /* the receipt does not agree with the log */
	VIOLATIONS
};
extern const char *const violation_name[VIOLATIONS];

struct violation {
	enum violation_kind kind;
	const struct event *event; /* NULL for the receipt, or a clock map */
	/* a sentence that begins with the event; valid during the call */
	const char *text;
};
typedef void validate_violation_cb(void *arg, const struct violation *);

struct validate_counts {
	uint64_t events; /* all */
	uint64_t stored; /* less monitord's own and the records of loss */
	uint64_t lost;   /* told by the records of loss */
	uint64_t late, orphans, shifted, ahead; /* by their flags */
	uint64_t backward;   /* stamped before the one before them there */
	uint64_t effects;    /* that have their cause before them */
	uint64_t early;      /* that stand before it, in order or in time */
	uint64_t marked;     /* behind it, and marked as orphans all the same */
	uint64_t without;    /* whose cause is not there */
	uint64_t unmarked;   /* of these, not marked as orphans */
	uint64_t found;      /* the monitor has told of so many causes */
	uint64_t unverified; /* effects whose cause may have been forgotten */
	uint64_t locations;
	uint64_t violations, by_kind[VIOLATIONS];
};

struct validate;

/* cb may be NULL: only count.  NULL with ENOMEM. */
struct validate *validate_new(validate_violation_cb *cb, void *arg);
void validate_free(struct validate *); /* NULL is fine */
/* Times in what it says are relative to this one (0 if not told). */
void validate_origin(struct validate *, int64_t mon_ns);
/*
 * For a stream that does not begin with the run: locations may begin with any
 * sequence number, and causes may be missing from before the first event.
 */
void validate_from_the_middle(struct validate *);

/*
 * The log may still grow: marked effects may have their causes in it, and are
 * put behind them when it is finished.
 */
void validate_growing(struct validate *);

/* Takes note of a definition frame.  -1: damaged (EINVAL) or ENOMEM. */
int validate_definition(struct validate *, const struct frame *);
/*
 * About 100 ns.  Returns 0, or -1 with ENOMEM; violations are not errors.
 */
int validate_event(struct validate *, const struct event *);
/* At the end of a log, finished or not: what can be seen then only. */
void validate_end(struct validate *);
/* At the end of a finished log, too. */
void validate_receipt(struct validate *, const struct msg_receipt *);
const struct validate_counts *validate_counts(const struct validate *);

#endif
