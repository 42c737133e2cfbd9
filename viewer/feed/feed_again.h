/*
 * A part of the log read once more, for what the model has given up: from the
 * file, or over a connection of its own from monitord.  What is to be seen
 * comes before sums that are to be exact (feed_sums.c).
 */
#ifndef VIEWER_FEED_AGAIN_H
#define VIEWER_FEED_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "env.h"
#include "feed/feed.h"
#include "message.h"
#include "model/detail.h"

struct feed;
struct peer;

/* Feed thread only. */
struct again {
	struct model *detail; /* being filled; NULL: nothing is being read */
	enum sums_kind of;    /* that it is read for; SUMS_KINDS: to be seen */
	struct sums *sums[SUMS_KINDS]; /* that something is to be read for */
	struct detail_plan plan;
	uint64_t at;       /* offset of what comes next */
	struct peer *peer; /* of a live feed */
	struct uuid run;   /* which must answer there */
};

/* Takes what the window wants now, if that is new.  True: has to be read. */
bool again_take(struct feed *);
/* Gives up what is being read, and what the window has not taken yet. */
void again_drop(struct feed *);

/* Nobody waits for what is being read any more. */
void again_pause(struct feed *);

/* feed_sums.c: takes wishes, or goes on.  True: some has to be read. */
bool again_sums(struct feed *);
/* All of it was read. */
void again_sums_read(struct feed *);
/* They are not to be had. */
void again_sums_drop(struct feed *, enum sums_kind);
/* Forgets them, and what the window wished. */
void again_sums_clear(struct feed *);

/* From the file: a portion.  True: there is more. */
bool again_read(struct feed *);
/* From monitord, on this loop; the same run must answer. */
void again_connect(struct feed *, struct env *, const struct uuid *run);

#endif
