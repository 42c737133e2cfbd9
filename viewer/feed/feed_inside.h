/* Inside of the feed: what file and stream share. */
#ifndef VIEWER_FEED_INSIDE_H
#define VIEWER_FEED_INSIDE_H

#include <pthread.h>
#include <sys/stat.h>

#include "feed/feed.h"
#include "feed/feed_again.h"
#include "feed/feed_frames.h"
#include "frame.h"
#include "model/model.h"
#include "tracefile.h"

/* A part of the run that the window asks for; the last one counts. */
struct wish {
	bool is;
	int64_t t0, t1;
};

struct feed {
	pthread_t thread;
	bool goes;            /* there is one */
	pthread_mutex_t lock; /* guards status and next */
	struct feed_status status;
	struct model *next;               /* of another run, not yet taken */
	struct model *model;              /* feed thread only */
	int changed_fd, stop_fd, want_fd; /* eventfds */
	struct again again;               /* feed thread only */
	struct frames frames;             /* it says what of it */
	/* under the lock: what the window wants again, and gets */
	bool reconnect;
	struct wish seen, sums[SUMS_KINDS];
	struct model *detail;
	struct sums *ready[SUMS_KINDS]; /* what came of the wishes */
	struct sketch *sketch;          /* not yet taken */
	struct tracefile *file;
	struct sketch *sketching; /* feed thread only, as sketched */
	size_t sketched;          /* so many entries of the index */
	struct stat file_was;     /* before it was opened */
	feed_tell *tell;          /* of feed_read_telling() */
	void *tell_arg;
	char *address;
};

/* Feed thread: the status has changed, or the model. */
void feed_wake(struct feed *);
/* Window's thread, and the feed's: something is to be read. */
void feed_ask(struct feed *);
/* A sentence for the user; NULL: all is well. */
void feed_say(struct feed *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* One that lies at offset of the log.  0, or -1: memory is out; a damaged one
 * is counted. */
int feed_frame(struct feed *, const struct frame *, uint64_t offset);
/* What the model said to one, with errno. */
int feed_frame_result(struct feed *, size_t frame_bytes, int r);

/*
 * Reads the file from *offset on, all that is there, and moves it on; portion
 * is called now and then and may end it.  -1: it did, or memory is out.
 */
int feed_bulk(struct feed *, uint64_t *offset, bool (*portion)(struct feed *));

/* What a connection to monitord begins with. */
void feed_hello(struct peer *, const char *name);
/* It has answered: the log from offset on, if it is that of this run; or -1. */
int feed_subscribe(struct peer *, const struct msg_welcome *,
    const struct uuid *run, uint64_t offset);

void *feed_file_thread(void *);
void *feed_live_thread(void *);

#endif
