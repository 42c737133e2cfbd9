/* What the files of logical/ share; see logical.c. */
#ifndef LOGICAL_INSIDE_H
#define LOGICAL_INSIDE_H

#include "intmap.h"
#include "logical.h"
#include "pending.h"

#define VECTOR_EDGES_MIN 128u /* edges between two vectors of a stream */
#define MARK_EVENTS      64u  /* events between two marks */
#define FROM_JOIN        0x80000000u

/* An event, and how many edges its stream had when it came. */
struct point {
	uint32_t stream, seq, edges;
};

/* Comes into a stream. */
struct edge {
	uint32_t seq;  /* of the effect */
	uint32_t rank; /* edges of the whole run before it */
	/* the cause; or FROM_JOIN | index, and in seq how many of the join */
	struct point from;
};

/*
 * Several causes that each effect needs.  For the question that is being
 * answered: the first `no` members are not reached, member `yes` is; the first
 * `arrived` ones have been arrived at.
 */
struct join {
	struct point *member;
	uint32_t n, cap;
	uint64_t reach_question, past_question;
	uint32_t no, yes, arrived;
};

/* What a stream knows when its first `edges` edges have come in. */
struct vector {
	uint32_t edges;
	uint32_t n;     /* streams that there were */
	uint32_t *last; /* of each: 1 + seq of its last event known; 0 none */
};

/* When this event came, the run had so many edges. */
struct mark {
	uint32_t seq, rank;
};

struct stream {
	uint32_t location, first_seq, last_seq, events;
	struct edge *edge;
	struct vector *vector;
	struct mark *mark;
	uint32_t nedges, edges_cap;
	uint32_t nvectors, vectors_cap;
	uint32_t nmarks, marks_cap;
};

/* Of a question about what is reached from one event; see reach.c. */
struct reach_stream {
	uint64_t question; /* else not yet set */
	uint32_t low, high;
};
struct reach_frame {
	uint32_t stream, end;
};
struct reach {
	struct reach_stream *stream;
	struct reach_frame *stack;
	uint32_t cap;
	uint64_t question;
	uint32_t source, seq, rank;
};

/* Of a question about what reaches one event; see past.c. */
struct past {
	uint32_t *last;   /* as in a vector */
	uint32_t *closed; /* so far, all that precedes is in last as well */
	uint32_t *done;   /* edges of a stream that have been looked at */
	uint32_t *want;   /* ... are to be looked at */
	uint32_t *queue;
	uint8_t *queued;
	uint32_t cap;
	uint64_t question;
};

struct logical {
	struct intmap numbers; /* location to 1 + index of its stream */
	struct stream *stream;
	uint32_t nstreams, streams_cap;
	uint32_t last_stream; /* events come in runs */
	struct join *join;
	uint32_t njoins, joins_cap;
	struct pending pending;
	struct reach reach;
	struct past past;
	struct logical_stats stats;
};

/* Stream and seq of an event that was fed; -1 with EINVAL. */
int logical_point(const struct logical *, struct logical_event, struct point *);
/* How many edges of a stream came in up to and with this seq. */
uint32_t stream_edges_to(const struct stream *, uint32_t seq);
/* Of the vectors of a stream, how many are at or before so many edges. */
uint32_t stream_vectors_to(const struct stream *, uint32_t edges);

/* last[] (as in a vector) of all that reaches this point; -1 with ENOMEM. */
int past_of(struct logical *, const struct point *, uint32_t **last);
void past_clear(struct past *);

/* Begins questions about what `from` reaches; -1 with ENOMEM. */
int reach_from(struct logical *, const struct point *from);
bool reach_to(struct logical *, const struct point *);
/*
 * The number of the edge by which it first comes into this stream, not the
 * source; UINT32_MAX: never.
 */
uint32_t reach_first(struct logical *, uint32_t stream);
/* Of a join that brings it, the member that is reached. */
const struct point *reach_member(const struct logical *, const struct point *);
void reach_clear(struct reach *);

#endif
