/*
 * The sketch of a finished log, made before it is read and given to the
 * window, see model/sketch.h.
 */
#ifndef VIEWER_FEED_SKETCH_H
#define VIEWER_FEED_SKETCH_H

#include <stdint.h>

struct feed;

/* Shorter logs are read about as quickly.  Tests change it. */
extern uint64_t feed_sketch_bytes;

/*
 * Feed's thread, before and while the log is read: goes on with the sketch for
 * a moment, and gives it to the window when it is whole.  A log without an
 * index, or one that is read in no time, gets none.
 */
void feed_sketch_begin(struct feed *);
void feed_sketch_go_on(struct feed *);
void feed_sketch_end(struct feed *); /* also of one that is not whole */

#endif
