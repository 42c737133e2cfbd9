/*
 * An independent judge of the reorderer: it is shown every event that goes in
 * and every one that comes out, and knows nothing of how it works.
 */
#ifndef TESTS_SIM_ORDERCHECK_H
#define TESTS_SIM_ORDERCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

enum order_rule {
	RULE_STREAM, /* I1: each stream in its order, nothing twice */
	RULE_CAUSE,  /* I2: a receive after its send, or flagged an orphan */
	RULE_ORPHAN, /* and flagged only with reason */
	RULE_ORDER,  /* I3: times never fall, but for late events */
	RULE_RAW,    /* I4: never earlier than mapped; raw values kept */
	RULE_COUNT,  /* I6: all that went in has come out */
	RULE_CIRCLE, /* no circle is broken where there is none */
	RULE_DELAY,  /* I7: in time */
	RULE_MEMORY, /* I8: within the limit */
	ORDER_RULES
};
extern const char *const order_rule_name[ORDER_RULES];

struct ordercheck {
	struct order_lane *lane;
	struct order_message *message; /* by id, 1..messages */
	size_t streams, messages;
	int64_t l_min_ns, margin_ns;
	int64_t last_ns;      /* greatest time that has come out */
	int64_t now_ns;       /* the caller's: of the world */
	int64_t delay_max_ns; /* 0: no limit */
	bool strict;          /* no orphan at all */
	bool timely;          /* nothing late */
	bool doubt;           /* a clock is bad: orphans may be disbelieved */

	uint64_t in, out, received, late, orphans;
	uint64_t broken[ORDER_RULES];
	int64_t slowest_ns;
	struct event first; /* that broke a rule, and which */
	int first_rule;
};

/* -1 with ENOMEM. */
int ordercheck_init(struct ordercheck *, size_t streams, size_t messages);
void ordercheck_clear(struct ordercheck *);
/* It has been pushed (the first time); watermark: of the reorderer. */
void ordercheck_in(struct ordercheck *, const struct event *, uint32_t node,
    int64_t watermark_ns);
void ordercheck_out(struct ordercheck *, const struct event *);
void ordercheck_circles(struct ordercheck *, uint64_t broken_circles);
void ordercheck_memory(struct ordercheck *, size_t bytes, size_t limit_bytes);
/* Everything must be out. */
void ordercheck_end(struct ordercheck *);
uint64_t ordercheck_broken(const struct ordercheck *);

#endif
