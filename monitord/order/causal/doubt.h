/*
 * Whose clock is not to be believed.  Every message between two nodes says
 * something about their clocks; one that seems to arrive before it was sent by
 * more than both bounds allow says that one of the two is wrong.
 */
#ifndef MONITORD_DOUBT_H
#define MONITORD_DOUBT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOUBT_PAIRS 512

struct doubt_node {
	int64_t error_ns; /* bound of its clock, as it is published */
	bool known;       /* error_ns is one */
	bool doubted;     /* in quarantine */
	unsigned strikes; /* windows in a row in which it was to blame */
	unsigned good;    /* the same in which it was not, and has talked */
	uint32_t matches; /* with other nodes, in this window */
	uint32_t partners, sent;
	int64_t worst_ns; /* of the window in which it was blamed last */
};

/* Messages of one node to another that cannot be, in this window. */
struct doubt_pair {
	uint32_t from, to;
	uint32_t count;
	bool settled;
	int64_t worst_ns;
};

struct doubt {
	struct doubt_node *node;
	size_t n;
	struct doubt_pair pair[DOUBT_PAIRS];
	size_t pairs;
	int64_t window_ns; /* began at this watermark; INT64_MIN: not yet */
	size_t doubted;    /* nodes in quarantine */
	/* it is, or is no longer, in quarantine; worst: by how much a message
	 * of it was wrong, bound: what its clock promises */
	void (*changed)(void *arg, uint32_t node, bool doubted,
	    int64_t worst_ns, int64_t bound_ns);
	void *arg;
};

void doubt_init(struct doubt *);
void doubt_clear(struct doubt *);
/* -1 with ENOMEM. */
int doubt_add(struct doubt *, uint32_t node);
/* It has another clock now, or none: what was said about it is void. */
void doubt_forgive(struct doubt *, uint32_t node);
static inline void
doubt_bound(struct doubt *d, uint32_t node, int64_t error_ns, bool known)
{
	if (node < d->n) {
		d->node[node].error_ns = error_ns;
		d->node[node].known = known;
	}
}

/* What a message between them may be wrong by before it says anything. */
int64_t doubt_limit(const struct doubt *, uint32_t from, uint32_t to);
/* Mapped times at which a message was sent and taken; nodes that differ. */
void doubt_message(struct doubt *, uint32_t from, uint32_t to, int64_t sent_ns,
    int64_t taken_ns);
/* The watermark is here: judges when a window is over. */
void doubt_judge(struct doubt *, int64_t watermark_ns);
static inline bool
doubt_is(const struct doubt *d, uint32_t node)
{
	return (d->doubted > 0 && node < d->n && d->node[node].doubted);
}

#endif
