/* What the files of the validator share; see validate.c. */
#ifndef PROTO_VALIDATE_INSIDE_H
#define PROTO_VALIDATE_INSIDE_H

#include "causes_seen.h"
#include "intmap.h"
#include "log/tracefile.h"
#include "validate.h"

/* Spans that are open on a location, outermost first. */
struct open_spans {
	struct open_span {
		uint64_t a;
		uint16_t kind;
	} * span;
	size_t n, cap; /* n may exceed what is kept */
};

/* A piece of a clock map, as the log has it. */
struct piece {
	int64_t base_node_ns, base_mon_ns, skew_q40;
	uint32_t epoch;
};

/* The map of one clock. */
struct checked_clock {
	struct piece *piece;
	size_t pieces, cap;
};

/*
 * What is known of a node: its clocks, one after another, and what the monitor
 * has said of it.
 */
struct checked_node {
	uint32_t number;
	struct checked_clock *clock;
	size_t clocks;
	uint64_t start; /* of the collector, when the last piece was made */
	bool unmapped;  /* has been told once */
	bool stalled, distrusted;
	uint64_t late, late_told;
	uint32_t steps_told; /* highest epoch whose step was told */
};

struct location {
	uint32_t number;
	bool begun;
	uint64_t next_seq;
	int64_t last_node_ns;
	uint64_t lost; /* records, in full rings */
	bool has_lost; /* so its spans are no longer known */
	struct checked_node *node;
	size_t clock, piece; /* of the last event: the next one's are close */
	struct open_spans open[EVENT_SPANS];
};

/* Words of a kind that name something. */
struct naming {
	bool known;
	char type[3]; /* of a, b, c: 'n'ame, n'o'de, 'k'ind, or 0 */
};

struct validate {
	validate_violation_cb *cb;
	void *arg;
	bool from_the_middle, growing;
	int64_t origin_mon_ns;
	struct defs *defs;
	struct intmap locations, nodes;
	bool maps;             /* there are any */
	struct location *last; /* events come in runs of one location */
	int64_t last_mon_ns;
	struct causes_seen seen[EVENT_KINDS]; /* by kind of the cause */
	struct naming naming[EVENT_KINDS];
	struct causes_seen waiting[EVENT_KINDS]; /* effects, the same */
	uint64_t of_kind[EVENT_KINDS], orphans_told[EVENT_KINDS];
	struct validate_counts counts;
};

__attribute__((format(printf, 4, 5))) void violation(struct validate *,
    enum violation_kind, const struct event *, const char *fmt, ...);
/* Made when it is not there; NULL: ENOMEM. */
struct checked_node *validate_node(struct validate *, uint32_t number);

/* validate_clock.c */
int validate_piece(struct validate *, const struct frame *);
void validate_clocks_free(struct checked_node *);
void validate_clock(struct validate *, struct location *, const struct event *);
/* validate_cause.c: 0, or -1 with ENOMEM */
int validate_cause(struct validate *, const struct event *,
    const struct event_desc *);
int validate_effect(struct validate *, const struct event *,
    const struct event_desc *);
/* validate_word.c */
void validate_words(struct validate *, const struct event *,
    const struct event_desc *);
int validate_said(struct validate *, const struct location *,
    const struct event *);
/* At the end: has it told of more than there is? */
void validate_told(struct validate *);

#endif
