/*
 * The mouse, and a key that is held.  Plain data.
 */
#ifndef VIEWER_POINTER_H
#define VIEWER_POINTER_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/time/timeline.h"
#include "raster/canvas.h"

/* What the mouse means: as it is here, or as users of Tracy know it. */
enum keymap {
	KEYMAP_ORRERY,
	KEYMAP_TRACY,
	KEYMAPS
};
extern const char *const keymap_name[KEYMAPS];

struct pointer {
	enum keymap keymap;
	int32_t x, y;
	bool in;                 /* it is in the window */
	struct timeline_hit hit; /* under it, in the time view */
	uint32_t task;           /* the same in the tree, or TASK_NONE */
	int64_t click_ms;        /* of the last click, for double clicks */
	int32_t click_x, click_y;
	bool placed; /* it has put a view elsewhere */
};

/* What the held mouse button is doing. */
enum drag {
	DRAG_NONE,
	DRAG_SELECT,
	DRAG_ZOOM,
	DRAG_PAN,
	DRAG_GRASP, /* in time, and the rows */
	DRAG_TREE,
	DRAG_TURN,
	DRAG_WINDOW,
	DRAG_WINDOW_LEFT,
	DRAG_WINDOW_RIGHT,
	DRAG_SPLIT_X,
	DRAG_NAMES, /* between names and lanes */
	DRAG_SPLIT_Y,
	DRAG_CARD
};

struct dragging {
	enum drag what;
	int32_t x, y; /* where the button went down */
	bool moved;
	int64_t t0, t1; /* view or selection then */
	double cx, cy, rad;
	int32_t scroll;
};

struct held_key {
	const struct hold *key; /* NULL: none */
	unsigned code;
	int64_t ns;
};

#endif
