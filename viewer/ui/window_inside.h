/* Inside of the window: what its files share.  Knows Xlib. */
#ifndef VIEWER_WINDOW_INSIDE_H
#define VIEWER_WINDOW_INSIDE_H

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>

#include "ui/window.h"

struct buffer {
	XImage *image;
	XShmSegmentInfo shm;
	bool attached;
	bool busy; /* the server is reading it */
};

struct window {
	Display *display;
	Window id;
	GC gc;
	Visual *visual;
	int depth;
	int32_t width, height;
	struct buffer buffer[2];
	int draw;   /* the one to draw next */
	bool shown; /* the other one holds the last frame */
	bool shm;
	int shm_event;
	bool unsettled; /* put, not yet known to be on the screen */
	Atom wm_protocols, wm_delete, net_ping;
	Time time;     /* of the last key or button */
	/* to other programs: PRIMARY, CLIPBOARD; NULL: nothing */
	char *offered[2];
	bool lost;
};

/* Xlib's handlers have no argument: one display a process. */
extern bool window_io_lost;
extern bool window_trapped; /* an error has come since it was cleared */

/* window_shm.c */
bool window_shm_works(struct window *);
/* Makes a buffer of the window's size, if it is not one already. */
bool window_buffer_fit(struct window *, struct buffer *);
void window_buffer_free(struct window *, struct buffer *);
void window_buffer_done(struct window *, const XShmCompletionEvent *);

/* window_offer.c: another program asks for the text */
void window_asked(struct window *, const XSelectionRequestEvent *);

#endif
