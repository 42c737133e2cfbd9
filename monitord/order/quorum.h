/*
 * Who is waited for: the marks of all nodes, their minimum, and the exclusion
 * of nodes that have gone silent.
 */
#ifndef MONITORD_QUORUM_H
#define MONITORD_QUORUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "watermark.h"

struct quorum_node {
	bool known, live;
	bool held; /* we do not read from it */
	int64_t mark_ns, error_ns;
	int64_t heard_ns; /* attentive time of the last progress */
};

struct quorum {
	struct quorum_node *node;
	size_t n;
	struct watermark marks;
	size_t members, live;
	int64_t stall_ns;
	int64_t now_ns;       /* monitor clock at the last call */
	int64_t attentive_ns; /* time passed while we were watching */
	int64_t check_ns;     /* attentive time of the next look at all */
	int64_t error_max_ns; /* of the live nodes, since the last look */
	int64_t low_ns;       /* the watermark; never falls */
	/*
	 * The least mark of the nodes that are excluded but tell on, at the
	 * last tick: what they tell is late, and comes.  INT64_MAX: none.
	 */
	int64_t behind_ns;
	uint64_t stalls;
	bool resting;
	void (*stalled)(void *arg, uint32_t node, bool, int64_t ns);
	void *arg;
};

void quorum_init(struct quorum *, int64_t stall_ns,
    void (*stalled)(void *arg, uint32_t node, bool, int64_t ns), void *arg);
void quorum_clear(struct quorum *);
/* The watermark waits for this node from now on, but not longer than for a
 * silent one.  -1 with ENOMEM. */
int quorum_add(struct quorum *, uint32_t node);
void quorum_remove(struct quorum *, uint32_t node);
/* The node has told everything before mark. */
void quorum_mark(struct quorum *, uint32_t node, int64_t mark_ns,
    int64_t error_ns, int64_t now_ns);
/* It is so late; nobody is judged by that yet. */
void quorum_now(struct quorum *, int64_t now_ns);
/* Time passes: silent nodes are excluded. */
void quorum_tick(struct quorum *, int64_t now_ns);
/*
 * Too much is held: excludes the nodes that hold up the others by more than
 * stall_ns.  When nobody is live any more, the watermark follows the clock at
 * that distance.
 */
void quorum_shed(struct quorum *);
/* The same, but excludes nobody. */
void quorum_let_go(struct quorum *);
/* We do not read from it, or do again: it is not silent meanwhile. */
void quorum_hold(struct quorum *, uint32_t node, bool held);
/*
 * Nobody is asked to say anything for a while, so silence is none.  When the
 * rest ends, all begin to be silent.
 */
void quorum_rest(struct quorum *, bool resting);
/* How far its mark is ahead of the least of the live ones; 0 if not live. */
int64_t quorum_lead(const struct quorum *, uint32_t node);
/*
 * The others cannot go on without it: it is (one of) the last of those that
 * tell on, or nobody is live and it might be the first again.
 */
bool quorum_awaits(const struct quorum *, uint32_t node);

#endif
