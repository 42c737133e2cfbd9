/*
 * The frame: what is to be drawn, and how.  Plain data.
 */
#ifndef VIEWER_PICTURE_H
#define VIEWER_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

struct picture {
	bool dirty;   /* something has changed since the last frame */
	bool pressed; /* this frame answers the user */
	bool hasty;   /* the user waits: what only new events have changed
		       * may stay as it is for a frame */
	bool undone;  /* left for a later frame */
	bool exposed; /* the server has forgotten the picture */
	uint64_t frame;
	uint64_t seen_events; /* drawn in the last frame */
	/* Between the parts of a frame that may be given up: must it? */
	bool (*stop_cb)(void *);
	void *stop_arg;
};

#endif
