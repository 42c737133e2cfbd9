/*
 * The program: feed, contents, window (or none), script and state line, put
 * together in one loop.
 */
#ifndef VIEWER_APP_H
#define VIEWER_APP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ui/desk/ui.h"
#include "window/window.h"

#define HELD_MAX  64
#define LINES_MAX 8

struct plugins;
struct script;

/* Where the views were in the last frame, to tell what has moved. */
struct app_places {
	int64_t t0_mon_ns, t1_mon_ns;
	int32_t scroll_y;
	double zoom, centre_x, centre_y;
	struct rect lanes, tree;
};

/* A run and where it comes from. */
struct app_run {
	struct model *model; /* of the second: NULL, there is one run */
	struct feed *feed;   /* NULL: everything was read at once */
};

struct app {
	struct ui *ui;
	struct app_run run[2]; /* in the order of their desks */
	bool feed_goes; /* after the first frame, to be quick with that */
	int other_code; /* of sysexits.h: why no second could be opened */
	struct window *window; /* NULL: no X server */
	struct canvas canvas;  /* without a window: the frame, in dots */
	int32_t scale_q;       /* dots a pixel, 1/16 */
	int32_t dots_x, dots_y;
	struct script *script; /* NULL: none */
	struct plugins *plugins;
	FILE *state; /* NULL: none */
	/* of frames that are not on the screen yet, the oldest first */
	char *line[LINES_MAX];
	unsigned nlines;
	uint64_t told_frame; /* the newest one that is on the screen */
	int64_t last_frame_ns, last_advance_ns;
	int64_t due_ns;    /* next frame for the run's sake */
	int64_t behind_ns; /* since when it has been put off; 0: it is not */
	/* what the user did while a frame was being drawn */
	struct window_event held[HELD_MAX];
	unsigned nheld;
	struct app_places places;
	/* remote: some panes are of an earlier frame, until then */
	bool resting;
	unsigned covered; /* panes that cards were over, as app_rest() counts */
	int64_t rest_due_ns;
	int64_t follow_ns; /* since when it follows without a pause; 0: not */
	bool full_screen;  /* as the window was told */
	int code;          /* exit code */
	const char *file;  /* of the log; NULL: monitord's */
	char *next;        /* the log to open when this is over; NULL: none */
};

/* Runs until the end; returns the exit code. */
int app_run(struct app *);
/* Writes a view ("all", "radial", "process-time") of this size; 0: as it is. */
int app_snapshot(struct app *, const char *path, const char *view,
    int32_t width, int32_t height);
/* The window has so many dots now. */
void app_resize(struct app *, int32_t width, int32_t height);
int64_t app_now_ns(void);
int64_t app_cpu_ns(void); /* of a processor, of this thread */
/* ui->desks->host.compare_cb */
int app_compare(void *app, const char *path, char *why, size_t n);
/*
 * app_remote.c: tells a window far away what has moved since the last frame;
 * and puts back the panes of the last frame that are not followed, but for
 * now and then.
 */
void app_tell_moved(struct app *);
void app_rest(struct app *, struct canvas *, bool answers, int64_t now_ns);
void app_rest_over(struct app *, int64_t now_ns); /* perhaps it is */
/*
 * app_far.c: are links lines of the server now?  At most so many ns until that
 * must be asked again, INT64_MAX: for ever; and its lines of this frame.
 */
void app_far(struct app *, int64_t now_ns);
int64_t app_far_ns(const struct app *, int64_t now_ns);
void app_far_lines(struct app *);

/* script.c: commands one a line, with waits. */
struct script *script_open(const char *path); /* "-": stdin; NULL: errno */
void script_close(struct script *);
/* Runs lines until one waits, a frame is due, or the end. */
void script_step(struct script *, struct app *);
bool script_done(const struct script *);
/* Frames come as a user sees them, not as fast as they can. */
bool script_paced(const struct script *);
int script_fd(const struct script *); /* -1: need not be polled */
/* ms until it must be stepped again; -1: for an event only */
int script_timeout_ms(const struct script *);

/* The lists of the manual: "keys", "commands".  -1: no such list. */
int manual_print(const char *list);

int viewer_main(int argc, char **argv);

#endif
