/*
 * Frames of the log once more, for what the window reads itself (cone.h): from
 * monitord, over a connection of its own, until they are those that come just
 * now; from then on these, so that nothing is missing when monitord is gone.
 */
#ifndef VIEWER_FEED_FRAMES_H
#define VIEWER_FEED_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "env.h"
#include "frame.h"

struct feed;
struct peer;

struct frames {
	/* under the feed's lock */
	bool wanted, failed;
	uint64_t from;  /* that is wanted */
	uint64_t until; /* what the model had when it was */
	uint64_t at;    /* of the log, comes next */
	struct buf in;  /* up to there, that the window has not taken yet */
	/* feed thread only */
	struct env *env;
	struct uuid run;   /* which must answer */
	struct peer *peer; /* from which it comes; NULL: it is not behind */
	uint64_t now;      /* what the model has */
	bool resting;      /* the peer: much waits for the window */
	bool following;    /* not behind, and nothing is left out */
};

/* Feed thread: what the window wants now; or there is room again. */
void frames_take(struct feed *, struct env *, const struct uuid *run);
/* A frame has come that lies at this offset. */
void frames_follow(struct feed *, const struct frame *, uint64_t offset);
/* Of another run, or of none, nothing is wanted. */
void frames_drop(struct feed *);

#endif
