/* Inside of the feed: what file and stream share. */
#ifndef VIEWER_FEED_INSIDE_H
#define VIEWER_FEED_INSIDE_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "env.h"
#include "feed/feed.h"
#include "frame.h"
#include "log/tracefile.h"
#include "message.h"
#include "model/detail.h"
#include "model/model.h"

/* A part of the run that the window asks for; the last one counts. */
struct wish {
	bool is;
	int64_t t0, t1;
};

/* feed_again.c: what is read once more; feed thread only. */
struct again {
	struct model *detail; /* being filled; NULL: nothing is being read */
	enum sums_kind of;    /* that it is read for; SUMS_KINDS: to be seen */
	struct sums *sums[SUMS_KINDS]; /* that something is to be read for */
	struct detail_plan plan;
	uint64_t at;       /* offset of what comes next */
	struct peer *peer; /* of a live feed */
	struct uuid run;   /* which must answer there */
};

/* feed_frames.c: frames of the log once more, for what the window reads. */
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
	char *probe; /* monitord is asked this; NULL: nothing */
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

/* feed_again.c */
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

/* feed_frames.c */
/* Feed thread: what the window wants now; or there is room again. */
void frames_take(struct feed *, struct env *, const struct uuid *run);
/* A frame has come that lies at this offset. */
void frames_follow(struct feed *, const struct frame *, uint64_t offset);
/* Of another run, or of none, nothing is wanted. */
void frames_drop(struct feed *);

/* feed_log.c */
/*
 * The log that monitord at this address is writing, which must be of this run.
 * False: monitord is elsewhere, or is not ours to look into.
 */
bool log_find(const char *address, const struct uuid *run, char path[PATH_MAX]);
/*
 * Feed's thread, when the run has ended: has the finished log read by another
 * process, which keeps an image of it for who opens it (cache.h).
 */
void log_keep(struct feed *, const char *path);

#endif
