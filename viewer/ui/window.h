/*
 * The window: the only place that knows Xlib.
 *
 * One thread.  A frame is drawn into memory that window_begin() gives and put
 * on the screen by window_end().
 */
#ifndef VIEWER_WINDOW_H
#define VIEWER_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "raster/canvas.h"

struct window;

enum window_event_type {
	WINDOW_KEY,  /* key and text */
	WINDOW_MOVE, /* x, y */
	WINDOW_LEAVE,
	WINDOW_DOWN, /* x, y, button 1 to 3, mods */
	WINDOW_UP,
	WINDOW_WHEEL,  /* x, y, dy, mods */
	WINDOW_RESIZE, /* x, y: the new size */
	WINDOW_EXPOSE, /* the picture must be shown again */
	WINDOW_CLOSE,
};

struct window_event {
	enum window_event_type type;
	int32_t x, y;
	int button, dy;
	unsigned mods; /* 1 shift, 2 control */
	int64_t t_ms;
	char key[32], text[16];
};

/*
 * display NULL: $DISPLAY.  shm: use shared memory where it really works.
 * NULL with a sentence in why.
 */
struct window *window_open(const char *display, int32_t width, int32_t height,
    const char *title, bool shm, char *why, size_t why_bytes);
void window_close(struct window *);
int window_fd(const struct window *);
bool window_uses_shm(const struct window *);
unsigned long window_id(const struct window *);

/* Other programs can paste this text: PRIMARY, and perhaps CLIPBOARD. */
void window_offer(struct window *, const char *text, bool clipboard);
/* How many dots make one of ours, from Xft.dpi: 1 to 8. */
int window_scale(struct window *);

/* Next event; false when there is none (call before every wait). */
bool window_next(struct window *, struct window_event *);
/* The server has gone: nothing works any more. */
bool window_lost(const struct window *);

/*
 * Memory for the next frame; false while both buffers are with the server
 * (a completion event ends that), or when memory is out.
 */
bool window_begin(struct window *, struct canvas *);
/* Shows what differs from the frame before; all: everything. */
void window_end(struct window *, bool all);
/* The frames shown so far have reached the screen. */
bool window_settled(struct window *);
/* The last frame shown. */
bool window_last(struct window *, struct canvas *);

#endif
