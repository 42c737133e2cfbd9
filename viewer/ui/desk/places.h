/*
 * Where the panes are, and which views stand in them.  Plain data.
 */
#ifndef VIEWER_PLACES_H
#define VIEWER_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "raster/canvas.h"

enum pane {
	PANE_TOP,
	PANE_OVERVIEW,
	PANE_TIME,
	PANE_TREE,
	PANE_LEFT, /* another view in the lanes' place, or the tree's */
	PANE_RIGHT,
	PANE_DOCK,
	PANE_STATUS,
	PANES
};

/* Ways to look at the run (views.def). */
enum view_id {
#define VIEW(id, ...) VIEW_##id,
#include "ui/desk/views.def"
#undef VIEW
	VIEWS
};

/* Views in their places, by a name (panes/arrange.h). */
#define ARRANGEMENTS_MAX  16
#define ARRANGEMENT_NAME  24  /* bytes, with its end */
#define ARRANGEMENT_WORDS 160 /* that all else takes as text */
struct arrangements {
	unsigned n;
	struct arrangement {
		char name[ARRANGEMENT_NAME];
		enum view_id left, right, tab;
		enum view_id alone;       /* VIEWS: none is */
		unsigned hidden;          /* panes, as bits */
		int32_t split_x, split_y; /* -1: as they are */
	} of[ARRANGEMENTS_MAX];
};

struct places {
	int32_t width, height; /* of the window */
	enum pane only; /* PANES: the whole window; else this one alone */
	int32_t split_x, split_y; /* 1/1000 of the window */
	int32_t names_px; /* of rows, as the user wants it; 0: as at first */
	unsigned hidden;  /* panes, as bits */
	unsigned hidden_before; /* one was maximised */
	bool maximised, full_screen;
	struct rect pane[PANES];
	struct rect left_at, right_at;  /* the two places above the dock */
	struct rect ruler, lanes, tree; /* inside the panes */
	struct rect tree_words;         /* title and counts; the tree's pane,
					   or beside it in the dock */
	enum pane focus;
	bool legend; /* of a view is shown, while that is in sight */
	enum view_id legend_of;
	struct rect legend_at; /* as it was drawn last; empty: it was not */
	enum view_id left, right, tab; /* what stands there, and in the dock */
	struct arrangements arranged;  /* by the user */
};

/* It stands in one of the places, or is the tab in front. */
static inline bool
places_show(const struct places *p, enum view_id v)
{
	return (p->left == v || p->right == v || p->tab == v);
}

#define NAMES_MIN_PX 40 /* names of rows */
#define NAMES_MAX_PX 1000

/* What is seen of the views that are lists. */
struct writing;
struct lists {
	int32_t scroll[VIEWS];     /* rows */
	void *own[VIEWS];          /* what a view keeps (view_own) */
	int functions_by;          /* column that the table is sorted by */
	unsigned functions_hidden; /* columns of it, as bits */
	bool locks_by_place;       /* not by lock */
	bool states_by_processor;  /* not by thread */
	uint8_t top_by;            /* node, PO, thread */
	uint32_t spans_lane;       /* that the list of spans was last of */
	int64_t spans_at;          /* and the cursor's instant then */
	struct writing *writing;   /* of ui/out; owned; or NULL */
};

#endif
