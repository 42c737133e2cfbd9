/* Inside of the window: what its files share.  Knows Xlib. */
#ifndef VIEWER_WINDOW_INSIDE_H
#define VIEWER_WINDOW_INSIDE_H

#include <setjmp.h>

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>

#include "window/window.h"

struct buffer {
	XImage *image;
	XShmSegmentInfo shm;
	bool attached;
	bool busy; /* the server is reading it */
};

enum window_atom {
	ATOM_PROTOCOLS,
	ATOM_DELETE,
	ATOM_PING,
	ATOM_NAME,
	ATOM_PID,
	ATOM_UTF8,
	ATOM_TEXT,
	ATOM_TARGETS,
	ATOM_CLIPBOARD,
	ATOM_TIMESTAMP,
	ATOM_STATE,
	ATOM_FULLSCREEN,
	ATOM_FRAME,
	ATOMS
};

/* What other programs can paste. */
struct offered {
	char *text; /* NULL: nothing */
	Time since;
};

struct window {
	Display *display;
	Window id;
	GC gc;
	Visual *visual;
	int depth;
	int32_t width, height;
	enum window_path path;
	struct buffer buffer[2];
	int draw;   /* the one to draw next */
	bool shown; /* the other one holds the last frame */
	bool any;   /* a frame was ever shown */
	bool shm_tried;
	int shm_event;
	unsigned on_way; /* frames put, not yet known to be on the screen */
	unsigned long whole_serial; /* of the last request for a whole frame */
	bool unmapped;
	int visibility;        /* VisibilityUnobscured and so on */
	struct remote *remote; /* NULL: another path */
	struct lines *lines;   /* NULL: there are none */
	Atom atom[ATOMS];
	Time time;                 /* of the last key or button */
	struct offered offered[2]; /* PRIMARY, CLIPBOARD */
	bool lost;
};

/* Xlib's handlers have no argument: one display a process. */
extern bool window_io_lost;
extern bool window_trapped; /* an error has come since it was cleared */
extern bool window_no_room; /* the server has no memory for a picture */
/* Where to go from Xlib when the server is gone; while it is set. */
extern bool window_jump_set;
extern jmp_buf window_jump;

/* window_shm.c */
/* Makes a buffer of the window's size, if it is not one already. */
bool window_buffer_fit(struct window *, struct buffer *);
void window_buffer_free(struct window *, struct buffer *);
void window_buffer_canvas(const struct buffer *, struct canvas *);

/* window_put.c */
void window_put_shm_done(struct window *, const XShmCompletionEvent *);
void window_put_arrived(struct window *); /* a frame has */
/* Where the server has no memory for its copy; true: all must be sent anew. */
bool window_leave_remote(struct window *);

/* window_remote.c */
struct remote *remote_new(struct window *); /* NULL: out of memory */
void remote_free(struct remote *);
/* See window_moved(). */
void remote_moved(struct remote *, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1, int32_t dx, int32_t dy);
/* Into the window, where it has lost what it showed, from the server's copy. */
void remote_show(struct remote *, int32_t x, int32_t y, int32_t width,
    int32_t height);
/* The server's copy, to be drawn into; and what was drawn there. */
unsigned long remote_picture(const struct remote *);
void remote_changed(struct remote *, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1);
/* before is changed.  NULL: nothing is known of what the server has. */
void remote_put(struct remote *, const struct canvas *now,
    struct canvas *before);

/* window_lines.c: this part of the frame before was moved by the server */
void lines_moved(struct window *, const struct rect *, int32_t dx, int32_t dy,
    struct canvas *before);
/* After that: what is not known of the frame before for their sake. */
void lines_prepare(struct window *, struct canvas *before);
void lines_lost(struct window *); /* the server has none of them */
void lines_put(struct window *);  /* the new ones, over the frame */
void lines_clear(struct window *);

/* window_offer.c: another program asks for what is offered */
void window_asked(struct window *, const XSelectionRequestEvent *);
void window_offer_clear(struct window *);

#endif
