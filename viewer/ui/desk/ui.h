/*
 * The window's contents: what is shown and what is chosen.  Data alone; each
 * room's header says what it does with it.  No X in here: the same code draws
 * into the window's memory and into a picture without a server.
 *
 * UI thread only.
 */
#ifndef VIEWER_UI_H
#define VIEWER_UI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "feed/feed.h"
#include "layout/scene.h"
#include "raster/canvas.h"
#include "ui/desk/parts.h"

struct ui {
	struct model *model; /* not owned */
	struct feed_status feed;
	struct sketch *sketch; /* of what is not read yet; owned, or NULL */
	const struct palette *palette;

	/* geometry */
	int32_t width, height;
	enum pane only; /* PANES: the whole window; else this one alone */
	int32_t split_x, split_y; /* 1/1000 of the window */
	unsigned hidden_panes;    /* bits */
	unsigned hidden_before;   /* one was maximised */
	bool maximised, full_screen;
	struct rect pane[PANES];
	struct rect left_at, right_at;       /* the two places above the dock */
	struct rect ruler, lanes, tree_area; /* inside the panes */

	/* the process-time view */
	struct timeline_view time;
	struct timeline_layout rows;
	struct scene time_scene;
	struct scene time_shown; /* the one in the layer, and its view */
	struct timeline_view time_shown_view;
	const struct palette *time_shown_palette;
	struct layer time_layer;
	uint8_t *folded;
	uint32_t folded_cap;
	bool follow;  /* the right edge sticks to the newest event */
	bool fit;     /* everything is shown */
	bool paused;  /* the picture stands still */
	bool playing; /* a finished run is played again */
	bool grid;
	int32_t row_px;        /* as the user wants it; 0: as many as fit */
	int64_t cursor_mon_ns; /* an instant that was chosen; INT64_MIN: none */
	int64_t head_mon_ns;   /* playback: INT64_MAX when at the end */
	double speed;
	double rush; /* run time a second of fast forward; 0: it is not on */
	struct marker markers[MARKERS_MAX]; /* in order of time */
	unsigned nmarkers;

	/* the reduction tree */
	struct radial_view tree;
	struct radial_layout nodes;
	struct opened opened[OPENED_MAX];
	unsigned nopened;
	struct scene tree_scene;
	enum tree_of tree_of;
	enum tree_weight weight[TREE_KINDS];
	struct grown grown;
	struct sums sums;      /* of all threads */
	struct sums tree_sums; /* of those below tree_lane */
	struct messages messages;
	uint32_t tree_lane;     /* UINT32_MAX: of all */
	uint64_t selected_path; /* id of a node of the tree of calls; 0 */
	struct opened put_by[TREE_KINDS]; /* how the other trees were seen */
	struct layer tree_layer;
	bool tree_keep; /* its items are to be kept for other colours */
	struct layer overview_layer;
	struct overview overview; /* while the run grows */
	struct activity activity;
	struct task_counts task_counts;

	/* chosen by the user */
	enum pane focus;
	enum view_id left, right, tab; /* what stands there, and in the dock */
	int32_t scroll[VIEWS];         /* rows */
	int functions_by;              /* column that the table is sorted by */
	uint32_t listed_lane;          /* that the list of spans was last of */
	int64_t listed_at;             /* and the cursor's instant then */
	struct place places[PLACES_MAX];
	unsigned nplaces, place;
	unsigned place_kind; /* of the last change, so that steps merge */
	struct range zoomed[RANGES_MAX]; /* from where, the latest */
	unsigned nzoomed;

	/* a key that is held; NULL: none */
	const struct hold *held;
	unsigned held_code;
	int64_t held_ns;

	/* the mouse */
	enum keymap keymap;
	int32_t mouse_x, mouse_y;
	bool mouse_in;
	enum drag drag;
	int32_t drag_x, drag_y; /* where the button went down */
	bool drag_moved;
	int64_t drag_t0, drag_t1; /* view or selection then */
	double drag_cx, drag_cy, drag_rad;
	int32_t drag_scroll;
	int64_t click_ms; /* of the last click, for double clicks */
	int32_t click_x, click_y;
	uint32_t hovered_task;      /* task number or TASK_NONE */
	struct timeline_hit hit;    /* under the mouse, in the time view */
	struct timeline_hit chosen; /* clicked last */
	struct mark mark;           /* clicked last, on mark_lane */
	uint32_t mark_lane;         /* UINT32_MAX: none */

	/* the omnibox */
	char prompt; /* '/', ':' or '>'; 0: closed */
	char typed[128];
	unsigned suggest_from; /* the first one that is shown */
	int suggested;         /* below it, that is chosen; -1: none */
	char search[128];
	uint32_t search_at;
	char message[256]; /* the answer to the last command */
	bool told_odd;     /* that the log makes no sense somewhere */
	const char *did;   /* its name; NULL: none yet */

	/* two runs side by side (compare.c) */
	struct ui *other; /* the other run's, owned; NULL: there is none */
	struct ui *main;  /* of the other one: this */
	int32_t route_x, route_y;
	uint32_t compare_lane; /* selected here when it was told the other */
	enum radial_order compare_order; /* as they were before */
	int32_t compare_split;
	/* Opens the file of another run, NULL: closes it; -1: why not. */
	int (*compare_cb)(void *, const char *path, char *why, size_t n);

	struct causality causality;
	struct cards cards;
	struct menu menu; /* that a right click has opened */
	char *copied;     /* text for other programs; NULL: none */
	enum offer offer; /* for whoever owns the window */

	char hint[256]; /* of what is drawn under the mouse; "": none */
	struct spot spots[SPOTS_MAX];
	unsigned nspots;
	bool reconnect; /* monitord is to be asked for now */
	bool help;
	unsigned help_from; /* the first key that it shows */
	bool quit;
	bool dirty; /* something has changed since the last frame */
	int64_t wanted_t0, wanted_t1;   /* details that were asked for last */
	struct rough rough[SUMS_KINDS]; /* figures that are to become exact */
	bool pressed;                   /* this frame answers the user */
	bool hasty;   /* the user waits: what only new events have changed
		       * may stay as it is for a frame */
	bool undone;  /* left for a later frame */
	bool exposed; /* the server has forgotten the picture */
	bool far;     /* whoever owns the window draws the links */
	uint64_t frame;
	uint64_t seen_events; /* drawn in the last frame */
	/* frames from which they may be drawn anew */
	uint64_t overview_due, tree_due;
	/* Between the parts of a frame that may be given up: must it? */
	bool (*stop_cb)(void *);
	void *stop_arg;
	const char *export_to; /* where `export` writes */
	/* Writes the frame as a picture; set by whoever owns the pixels. */
	int (*export_cb)(void *, const char *path, const char *view);
	void *export_arg;
	/* Writes the layout down; set by whoever knows where. */
	int (*save_cb)(void *);
	void *save_arg;
};

#endif
