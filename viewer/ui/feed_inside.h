/* Inside of the feed: what file and stream share. */
#ifndef VIEWER_FEED_INSIDE_H
#define VIEWER_FEED_INSIDE_H

#include <pthread.h>

#include "frame.h"
#include "model/model.h"
#include "tracefile.h"
#include "ui/feed.h"

struct feed {
	pthread_t thread;
	pthread_mutex_t lock; /* guards status and next */
	struct feed_status status;
	struct model *next;      /* of another run, not yet taken */
	struct model *model;     /* feed thread only */
	int changed_fd, stop_fd; /* eventfds */
	struct tracefile *file;
	char *address;
};

/* Feed thread: the status has changed, or the model. */
void feed_wake(struct feed *);
/* A sentence for the user; NULL: all is well. */
void feed_say(struct feed *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void feed_text_run(struct feed_status *, const struct msg_run *);
/* 0, or -1: memory is out, or the frame is damaged (counted). */
int feed_frame(struct feed *, const struct frame *);

void *feed_file_thread(void *);
void *feed_live_thread(void *);

#endif
