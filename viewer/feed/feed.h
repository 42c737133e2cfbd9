/*
 * Where the frames come from: a thread that follows a file, or monitord's
 * stream, and feeds the model.  It is the model's only writer.
 */
#ifndef VIEWER_FEED_H
#define VIEWER_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/past/sums.h"
#include <stdio.h>

struct model;
struct sketch;
struct feed;
struct buf;

/* A copy of how things are; plain data. */
struct feed_status {
	bool live;      /* from monitord, not a file */
	bool connected; /* now; a file is always */
	bool reading;   /* not yet at the end of what is there */
	bool finished;  /* nothing more will come */
	bool fetching;  /* a part of the log once more */
	bool wanting;   /* nobody has looked yet if what is wanted can be had */
	bool summing;   /* the same, for exact sums of a range */
	bool have_pulse;
	char source[256]; /* file name or address */
	char log[256];    /* the file, also of a live run; "": not here */
	char run[40];     /* identity, as text; "": nothing is known of it */
	char run_name[64];
	int64_t start_mon_ns, start_real_ns; /* of the run */
	char message[256]; /* what to tell the user; "" when all is well */
	char answer[256];  /* to feed_probe(), in words */
	uint32_t answers;  /* so many have come */
	uint64_t bytes, bytes_total; /* of the log: read, there */
	uint32_t left_s; /* that reading will take; 0: not known, or none */
	uint64_t damaged_bytes;
	/* the last pulse */
	int64_t lag_ns, error_ns;
	uint64_t lost;
	uint32_t nodes, pos, rate;
	uint8_t state;
};

/*
 * Opens the file; the rest is for feed_go.  file NULL: what is at the address
 * is meant.  NULL with a sentence in why, and an exit code of sysexits in
 * *code.  The model stays the caller's.
 */
struct feed *feed_new(struct model *, const char *file, const char *address,
    char *why, size_t why_bytes, int *code);
/*
 * Starts the thread: it reads the file, or connects to the address, again and
 * again when there is nobody.  -1 with errno set.
 */
int feed_go(struct feed *);
/* Stops the thread, if it was started, and waits for it. */
void feed_stop(struct feed *);
/* Readable when something has changed; feed_status() resets it. */
int feed_fd(const struct feed *);
void feed_status(struct feed *, struct feed_status *);
bool feed_status_same(const struct feed_status *, const struct feed_status *);
/*
 * Another run has begun: its model, which the caller frees in the end.  NULL
 * when there is none.  The old one is not written to any more.
 */
struct model *feed_new_model(struct feed *);

/*
 * Window's thread: [t0, t1) is to be known one by one.  What the model has
 * given up there is read from the log again, if it is not too much; the last
 * wish counts.  status.wanting until it is being read, or cannot be had.
 */
void feed_want(struct feed *, int64_t t0_mon_ns, int64_t t1_mon_ns);
/*
 * Window's thread: monitord, if it is not there, is tried at once, not when its
 * time has come.
 */
void feed_reconnect(struct feed *);
/*
 * Window's thread: asks monitord, if it is there, what is recorded, or for
 * something else to be (choice_request()).  Takes the text.
 */
void feed_probe(struct feed *, char *text);
/* When it has been read, gives it to the model: true. */
bool feed_detail(struct feed *, struct model *);

/*
 * Window's thread: what the rest of a finished log looks like that is being
 * read, once, when it is known; the caller frees it.  NULL: there is nothing.
 */
struct sketch *feed_sketch(struct feed *);
/*
 * Window's thread: sums of [t0, t1) are to be exact.  The last wish of each
 * kind counts; status.summing until it is fulfilled, or cannot be.
 */
void feed_want_sums(struct feed *, enum sums_kind, int64_t t0_mon_ns,
    int64_t t1_mon_ns);
/* Those that are there it gives to the model: true. */
bool feed_sums(struct feed *, struct model *);
/*
 * Window's thread: the frames of the log from this offset on once more, as far
 * as the model has them now; the last wish counts.
 */
void feed_want_frames(struct feed *, uint64_t from);
enum feed_frames {
	FRAMES_MORE,  /* will come */
	FRAMES_END,   /* these were the last */
	FRAMES_FAILED /* more is not to be had: monitord is gone */
};
/*
 * Those that have come since, one after the other; the caller frees them.  The
 * last ends at *until of the log.
 */
enum feed_frames feed_frames(struct feed *, struct buf *, uint64_t *until);
/* Without a feed: here and now, of a file that was read with feed_read(). */
void feed_settle(struct model *, const char *file, enum sums_kind,
    int64_t t0_mon_ns, int64_t t1_mon_ns);

/*
 * Reads a whole file at once, for pictures.  0, or an exit code of sysexits
 * with status->message saying what is wrong.
 */
int feed_read(struct model *, const char *file, struct feed_status *);
/* The same; tell is called now and then, with bytes and bytes_total. */
typedef void feed_tell(void *arg, const struct feed_status *);
int feed_read_telling(struct model *, const char *file, feed_tell *, void *arg,
    struct feed_status *);

#endif
