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
	bool follow; /* the right edge sticks to the newest event */
	bool fit;    /* everything is shown */
	bool paused; /* the picture stands still */
	int64_t asked0_ns, asked1_ns; /* a range, before there was a run */
	bool playing;                 /* a finished run is played again */
	int64_t head_mon_ns;          /* INT64_MAX when at the end */
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
	bool utc;       /* instants are told as the time of day */
	int32_t row_px; /* as the user wants it; 0: as many as fit */
	/* a row was folded: then they stay as they are, until there is another
	 * reason to change */
	struct {
		int32_t px, height;
		uint32_t lanes;
	} stays;
};

/* Tasks by what their colour stands for; see treepane_tally.c. */
#define TALLY_MOST 24
struct tally {
	uint32_t *of; /* by class; the last: of no class */
	uint32_t n;   /* classes */
	bool done;
	/* those that have any, most first, as far as they are told */
	uint32_t most[TALLY_MOST], nmost, used;
	uint32_t at, top; /* the next task, and the root; TASK_NONE: all */
	/* of what */
	const struct model *model;
	uint64_t version;
	uint32_t root;
	bool subtree;
	enum radial_colour colour;
};

/* From the first to the last task of the trees that are shown. */
struct tree_span {
	bool known, done; /* what is told; the look that is being taken */
	int64_t first_mon_ns, last_mon_ns;
	uint32_t at, top;
	int64_t lo, hi; /* so far */
	uint64_t due;   /* frame from which it may be looked at again */
	/* of what */
	const struct model *model;
	uint64_t version, events;
	uint32_t epoch, root;
	bool subtree;
	enum tree_of of;
	int64_t t0, t1;
};

/* The tree, as it is drawn. */
struct treepane {
	struct radial_layout nodes;
	struct scene scene;
	struct layer layer;
	bool keep;         /* its items are to be kept for other colours */
	uint64_t due;      /* frame from which it may be drawn anew */
	int64_t jumped_ns; /* when its tasks began to go elsewhere; 0: never */
	struct tally tally;
	struct tree_span span;
	/* the entry of the legend that the pointer is on, or that was chosen
	 * by "only", all others being dimmed */
	bool over, chosen;
	uint32_t over_class, chosen_class;
	enum radial_colour chosen_colour;
};

struct macros;
/*
 * The window: a run, or two side by side, and what they have in common.  Who
 * makes the first desk makes this, too; a second one is moved in (compare.h).
 */
struct desks {
	struct ui *desk[2]; /* owned; the second: NULL, there is one run */
	/* of the window */
	struct picture picture;
	struct help help;
	struct host host;
	struct macros *macros; /* desk/macro.h; owned */
	/* of two: from the second's panes to the first's, for the mouse */
	int32_t route_x, route_y;
	uint32_t lane; /* selected in the first when the second was told */
	enum radial_order order; /* as they were before */
	int32_t split;
};

struct strip;
struct menu;
struct notes;
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
	struct strip *strip; /* of ui/panes; owned */
	struct lists lists;

	struct trees trees;
	struct figures figures;
	struct causality causality;

	struct playback play;
	struct selection chosen;
	struct history history;
	struct markers markers;
	struct notes *notes; /* of ui/notes; owned */
	struct cards cards;

	struct pointer mouse;
	struct dragging drag;
	struct held_key held;
	struct prompt prompt;
	struct told told;
	struct menu *menu; /* of ui/input; owned */
	struct spots spots;

	struct desks *desks;     /* on which it is, with the other run */
	struct picture *picture; /* theirs */
};

static inline bool
two_runs(const struct ui *ui)
{
	return (ui->desks->desk[1] != NULL);
}

/* It is drawn beside the first one, which has the user. */
static inline bool
is_second(const struct ui *ui)
{
	return (ui != ui->desks->desk[0]);
}

/* The other of two runs; NULL: there is one. */
static inline struct ui *
run_beside(const struct ui *ui)
{
	return (ui->desks->desk[!is_second(ui)]);
}

#endif
