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
#include "layout/time/overview.h"
#include "ui/desk/causality.h"
#include "ui/desk/chosen.h"
#include "ui/desk/figures.h"
#include "ui/desk/host.h"
#include "ui/desk/kinds.h"
#include "ui/desk/picture.h"
#include "ui/desk/places.h"
#include "ui/desk/pointer.h"
#include "ui/desk/prompt.h"
#include "ui/draw/layer.h"

/* The instant that is shown, and how it goes on. */
struct playback {
	bool follow;         /* the right edge sticks to the newest event */
	bool fit;            /* everything is shown */
	bool paused;         /* the picture stands still */
	bool playing;        /* a finished run is played again */
	int64_t head_mon_ns; /* INT64_MAX when at the end */
	double speed;
	double rush; /* run time a second of fast forward; 0: it is not on */
};

/* The lanes, as they are drawn. */
struct timepane {
	struct timeline_layout rows;
	struct scene scene;
	struct scene shown; /* the one in the layer, and its view */
	struct timeline_view shown_view;
	const struct palette *shown_palette;
	struct layer layer;
	uint8_t *folded;
	uint32_t folded_cap;
	bool grid;
	int32_t row_px; /* as the user wants it; 0: as many as fit */
};

/* The tree, as it is drawn. */
struct treepane {
	struct radial_layout nodes;
	struct scene scene;
	struct layer layer;
	bool keep;    /* its items are to be kept for other colours */
	uint64_t due; /* frame from which it may be drawn anew */
};

/* The strip with the whole run, as it is drawn. */
struct strip {
	struct layer layer;
	struct overview known; /* while the run grows */
	uint64_t due;          /* frame from which it may be drawn anew */
};

/* Two runs side by side (compare.c). */
struct compare {
	struct ui *other; /* the other run's, owned; NULL: there is none */
	struct ui *main;  /* of the other one: this */
	int32_t route_x, route_y;
	uint32_t lane;           /* selected here when it was told the other */
	enum radial_order order; /* as they were before */
	int32_t split;
};

struct ui {
	struct model *model; /* not owned */
	struct feed_status feed;
	struct sketch *sketch; /* of what is not read yet; owned, or NULL */
	uint64_t seen_events;  /* drawn in the last frame */
	const struct palette *palette;

	struct places places;
	struct timeline_view time;
	struct radial_view tree;
	struct timepane timepane;
	struct treepane treepane;
	struct strip strip;
	struct lists lists;

	struct trees trees;
	struct figures figures;
	struct causality causality;

	struct playback play;
	struct selection chosen;
	struct history history;
	struct markers markers;
	struct cards cards;

	struct pointer mouse;
	struct dragging drag;
	struct held_key held;
	struct prompt prompt;
	struct told told;
	struct menu menu; /* that a right click has opened */
	struct help help;
	struct spots spots;

	struct compare compare;
	struct picture picture;
	struct host host;
};

#endif
