/*
 * What is typed and answered, and what can be clicked: the omnibox, the menu,
 * the help.  Plain data.
 */
#ifndef VIEWER_PROMPT_H
#define VIEWER_PROMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "raster/canvas.h"

/* The omnibox. */
struct prompt {
	char kind; /* '/', ':' or '>'; 0: closed */
	char typed[256];
	unsigned suggest_from; /* the first one that is shown */
	int suggested;         /* below it, that is chosen; -1: none */
	char search[128];
	/* what was found last: a row, or an instant on a lane */
	bool in_rows, found_note;
	uint32_t found_row, found_lane;
	int64_t found_mon_ns;
};

/* What the user was told. */
struct told {
	char message[256]; /* the answer to the last command */
	bool odd;          /* that the log makes no sense somewhere */
	const char *did;   /* the last command's name; NULL: none yet */
	/* A file that is being written, and how much of it is; "": none. */
	char goes_on[320];
	bool failed; /* the last one of these could not be written */
};

struct help {
	bool open;
	unsigned from; /* the first key that it shows */
};

/* A place that does something when it is clicked. */
struct spot {
	struct rect at;
	char command[48];
};
#define SPOTS_MAX 65536 /* a plug-in may ask for any number */

struct spots {
	struct spot *spot;
	unsigned n, size;
	char hint[256]; /* of what is drawn under the mouse; "": none */
};

#endif
