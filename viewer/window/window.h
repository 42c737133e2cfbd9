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
struct rect;

/* How frames get to the server. */
enum window_path {
	WINDOW_SHM,    /* in memory that both have */
	WINDOW_PLAIN,  /* as pictures through a socket of this machine */
	WINDOW_REMOTE, /* as few bytes as may be, through a network */
};

enum window_event_type {
	WINDOW_KEY, /* key, text and code; again and again while it is held */
	WINDOW_KEY_UP, /* code; 0: whatever was held */
	WINDOW_MOVE,   /* x, y */
	WINDOW_LEAVE,
	WINDOW_DOWN, /* x, y, button 1 to 3, mods */
	WINDOW_UP,
	WINDOW_WHEEL,  /* x, y, dy, mods */
	WINDOW_RESIZE, /* x, y: the new size */
	WINDOW_EXPOSE, /* the picture, or a part of it, must be shown again */
	WINDOW_SEEN,   /* nobody could see it, now somebody can */
	WINDOW_CLOSE,
};

struct window_event {
	enum window_event_type type;
	int32_t x, y;
	int button, dy;
	unsigned mods; /* 1 shift, 2 control */
	unsigned code; /* of the key */
	int64_t t_ms;
	char key[32], text[16];
};

/*
 * display NULL: $DISPLAY.  path: the first one to be tried; shared memory is
 * used only where it really works, and never through a network.  NULL with a
 * sentence in why.
 */
struct window *window_open(const char *display, int32_t width, int32_t height,
    const char *title, enum window_path, char *why, size_t why_bytes);
void window_close(struct window *);
int window_fd(const struct window *);
enum window_path window_path(const struct window *);

/*
 * Text that other programs can paste: PRIMARY, and with clipboard CLIPBOARD as
 * well.  Keeps a copy and hands it out until somebody else offers something.
 */
void window_offer(struct window *, const char *text, bool clipboard);
/* How many dots make one of ours, 1/16, from Xft.dpi: 16 to 128. */
int window_scale(struct window *);

/* Next event; false when there is none (call before every wait). */
bool window_next(struct window *, struct window_event *);
/* The server has gone: nothing works any more. */
bool window_lost(const struct window *);

/* Asks the window manager to fill the screen with it, or not. */
void window_full_screen(struct window *, bool on);
/* Unmapped, or behind other windows: nobody can see it. */
bool window_hidden(const struct window *);

/*
 * The server can take another frame; if not, an event will say so.  Through a
 * network some may be on their way, so that it need not be waited for.
 */
bool window_ready(const struct window *);
/* Memory for the next frame; false: not ready, or memory is out. */
bool window_begin(struct window *, struct canvas *);
/* What is shown in this place has moved by so much; only a hint. */
void window_moved(struct window *, const struct rect *, int32_t dx, int32_t dy);
/* A line that the server draws over the frame, in dots. */
struct window_line {
	int16_t x0, y0, x1, y1;
	uint32_t rgb;
	uint8_t gap; /* dots between two that are drawn; 0: all are */
	/* lines side by side must not leave out the same ones */
	uint8_t phase; /* 0 to WINDOW_LINE_PHASES - 1 */
};
#define WINDOW_LINE_PHASES 8
/*
 * For a server that is far away: all lines over the part `clip` of the frame
 * that comes.  Those that it shows already move with what window_moved() says
 * and are not sent again.  Without this before a frame there are none in it.
 */
void window_lines(struct window *, const struct rect *clip,
    const struct window_line *, size_t n);
/* Shows what differs from the frame before; all: everything. */
void window_end(struct window *, bool all);
/* How many of the frames shown have not reached the screen.  Asks nobody. */
unsigned window_on_way(const struct window *);
/* The last frame shown. */
bool window_last(struct window *, struct canvas *);

#endif
