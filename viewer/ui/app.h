/*
 * The program: feed, contents, window (or none), script and state line, put
 * together in one loop.
 */
#ifndef VIEWER_APP_H
#define VIEWER_APP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ui/ui.h"
#include "ui/window.h"

#define HELD_MAX 64

struct script;

struct app {
	struct ui *ui;
	struct model *model;
	struct feed *feed;     /* NULL: everything was read at once */
	struct window *window; /* NULL: no X server */
	struct canvas canvas;  /* without a window: the frame */
	struct canvas small;   /* of a scaled window: the frame */
	int scale;             /* dots a pixel, both ways: 1 to SCALE_MAX */
	struct script *script; /* NULL: none */
	FILE *state;           /* NULL: none */
	bool state_due;        /* of a frame that is not on the screen yet */
	char state_line[2048]; /* about it */
	int64_t last_frame_ns, last_advance_ns;
	int64_t due_ns;    /* next frame for the run's sake */
	int64_t behind_ns; /* since when it has been put off; 0: it is not */
	/* what the user did while a frame was being drawn */
	struct window_event held[HELD_MAX];
	unsigned nheld;
	int64_t bench_until_ns, bench_from_ns, bench_cpu_ns;
	int64_t bench_longest_ns; /* from one frame to the next */
	uint64_t bench_frames;
	bool bench_paced;
	int code; /* exit code */
};

/* Runs until the end; returns the exit code. */
int app_run(struct app *);
/* Writes a view ("all", "radial", "process-time") of this size; 0: as it is. */
int app_snapshot(struct app *, const char *path, const char *view,
    int32_t width, int32_t height);
/* The window has so many dots now; false: out of memory. */
bool app_resize(struct app *, int32_t width, int32_t height);
int64_t app_now_ns(void);
/*
 * Draws everything anew for so long as fast as it can, or paced: what is new
 * at the pace of a live view; then prints a line about it.
 */
void app_bench(struct app *, int64_t ns, bool paced);
/* state.c: about a frame, when it is drawn; and the line, with its pixels. */
void state_note(FILE *, const struct ui *);
void state_print(FILE *, const char *noted, const struct canvas *);

/* script.c: commands one a line, with waits. */
struct script *script_open(const char *path); /* "-": stdin; NULL: errno */
void script_close(struct script *);
/* Runs lines until one waits, the frame is dirty, or the end. */
void script_step(struct script *, struct app *);
bool script_done(const struct script *);
int script_fd(const struct script *); /* -1: need not be polled */
/* ms until it must be stepped again; -1: for an event only */
int script_timeout_ms(const struct script *);

/* The lists of the manual: "keys", "commands".  -1: no such list. */
int manual_print(const char *list);

int viewer_main(int argc, char **argv);

#endif
