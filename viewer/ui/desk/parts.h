/*
 * What the window's contents are made of: panes and places, what is kept of
 * what takes long, what can be chosen.  Plain data; struct ui has all of it.
 */
#ifndef VIEWER_PARTS_H
#define VIEWER_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/palette.h"
#include "layout/radial/radial.h"
#include "layout/time/overview.h"
#include "layout/time/timeline.h"
#include "model/model.h"
#include "raster/canvas.h"
#include "ui/draw/layer.h"

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

/* What the mouse means: as it is here, or as users of Tracy know it. */
enum keymap {
	KEYMAP_ORRERY,
	KEYMAP_TRACY,
	KEYMAPS
};
extern const char *const keymap_name[KEYMAPS];

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
	DRAG_SPLIT_Y,
	DRAG_CARD
};

/* A range of which there are figures that are not exact (wants.c). */
struct rough {
	const struct model *model;
	int64_t t0, t1;
	bool seen;    /* since it was asked for last */
	uint64_t due; /* frame from which that may be again, if it grows */
};

/* What the threads of each node did in the chosen range (activity.c). */
struct activity_sum {
	const struct model *model;
	int64_t t0, t1;
	uint64_t events; /* of the run, when it was added up */
	uint32_t lanes, nodes;
	struct share *by_node; /* nodes + 1 long; 0: of all */
};
struct activity {
	struct activity_sum shown, next;
	bool busy;    /* next is being made */
	uint32_t at;  /* its next lane */
	uint64_t due; /* frame from which it may be added up anew */
};

/*
 * When the tasks of each group of GROUP consecutive ones began, of groups that
 * have begun as a whole (taskcount.c).
 */
struct task_counts {
	const struct model *model;
	struct task_group {
		int64_t lo, hi; /* hi INT64_MIN: not all of them have begun */
	} * group;
	uint32_t n, cap;
	uint32_t looked; /* groups that have been looked at */
	bool busy;       /* those are not all */
};

/*
 * Call paths of the panels' range (sums.c): those that were added up last, and
 * those that are just being added up.
 */
struct sums {
	struct calls *shown, *next; /* NULL: none yet */
	struct sums_of {
		const struct model *model;
		const void *source; /* what was given up may be back */
		int64_t t0, t1;
		uint64_t events, rewritten;
		uint32_t lane; /* UINT32_MAX: all threads */
	} of, next_of;
	bool busy;
	uint64_t version; /* of shown; grows */
	uint64_t due;     /* frame from which they may be added up anew */
};

/* Messages of the panels' range (messages.c), as with sums. */
struct message_count;
struct messages {
	struct message_count *shown, *next;
	bool busy;
	uint64_t due;
};

/* What the radial view is a tree of (grown.c). */
enum tree_of {
	TREE_TASKS,
	TREE_THREADS, /* nodes, processes, threads: who started whom */
	TREE_CALLS,   /* procedures within procedures, of the panels' range */
	TREE_KINDS
};
extern const char *const tree_of_name[TREE_KINDS];

enum tree_weight {
	WEIGHT_EVEN, /* VISTA's: by number and height */
	WEIGHT_CALLS,
	WEIGHT_TIME,
	TREE_WEIGHTS
};
extern const char *const tree_weight_name[TREE_WEIGHTS];

/* A node of a tree that is made here, by its number in the tree's model. */
struct grown_node {
	uint32_t lane; /* that it is, or where a path took longest */
	uint32_t threads;
	uint64_t calls;
	int64_t total_ns, self_ns, blocked_ns, longest_ns;
	bool rough; /* they are not exact */
	/* of two runs: its number in the run's own tree, TASK_NONE: it is not
	 * there; what it took in the other one */
	uint32_t task;
	bool both;
	int64_t other_ns;
};

struct grown {
	struct model *model; /* NULL: tasks are shown */
	struct grown_node *node;
	double *weight;        /* NULL: VISTA's */
	uint32_t *colour_lane; /* by "PE": the node or thread it stands for */
	uint32_t n, cap, ncolours;
	/* of two runs: differences as colours, how many nodes only this one
	 * has, and the numbers here of its own tasks */
	uint32_t *tint, *of_task;
	uint32_t only, ntasks;
	struct grown_of {
		const struct model *model;
		enum tree_of kind;
		enum tree_weight weight;
		enum radial_order order;
		uint64_t version, events;
		int64_t t0, t1;
		const struct palette *palette;
	} of;
	uint64_t due;
};

/* A place that does something when it is clicked. */
struct spot {
	struct rect at;
	char command[48];
};
#define SPOTS_MAX 512

/* A place in time and tree that [ and ] go back and forward to. */
struct place {
	int64_t t0_mon_ns, t1_mon_ns;
	double zoom, centre_x, centre_y;
	uint32_t root;
	bool subtree, follow;
	enum tree_of tree_of;
};
#define PLACES_MAX 64

struct range {
	int64_t t0_mon_ns, t1_mon_ns;
};
#define RANGES_MAX 16

/* The tree as it was when a subtree was opened, to come back to. */
struct opened {
	uint32_t root;
	bool subtree;
	enum radial_colour colour;
	double zoom, centre_x, centre_y, rotate_rad;
	enum radial_form form; /* of put_by only */
};
#define OPENED_MAX 32

/* An instant that the user has marked. */
struct marker {
	int64_t t_mon_ns;
	char name[40]; /* "": its number */
};
#define MARKERS_MAX 64

/* What can be done with what was clicked (menu.c). */
#define MENU_MAX 26
struct menu {
	bool open;
	struct rect at;
	int chosen; /* -1: none */
	unsigned n;
	struct menu_item {
		char label[56];
		char command[64];
	} item[MENU_MAX];
};

/* Causes and effects of an event (causality.c). */
enum causality_show {
	CAUSALITY_OFF,
	CAUSALITY_BOTH,
	CAUSALITY_BEFORE,
	CAUSALITY_AFTER,
	CAUSALITY_SHOWN
};
extern const char *const causality_name[CAUSALITY_SHOWN];

struct causality {
	enum causality_show show;
	struct cone *cone; /* what was read of the log; NULL: nothing yet */
	uint32_t row;      /* that is asked about; its thread; and when */
	uint32_t lane;
	int64_t t_mon_ns;
	unsigned percent; /* that have been read */
	char why[128];   /* it could not be told; "": it can, as far as known */
	uint64_t events; /* of the run, when it was asked; of a live one that */
	uint64_t due;    /* grows it is asked again from this frame on */
	/* by lane; NULL: not known yet */
	struct causality_cut {
		int64_t past, future; /* INT64_MIN, INT64_MAX: there is none */
	} * cut;
	uint32_t ncut;
};

/* What details are of (thing.c). */
enum thing_kind {
	THING_RUN,
	THING_TASK,
	THING_PATH, /* of the tree of calls */
	THING_ROW,  /* a node, process, thread, object, lock */
	THING_SPAN,
	THING_LINK,
	THING_MARK
};
struct thing {
	enum thing_kind kind;
	uint64_t id;   /* TASK, PATH */
	uint32_t lane; /* the others: where it was found */
	uint32_t of;   /* SPAN: the lane that it is of */
	struct span span;
	struct link link;
	struct mark mark;
};

/* Details that stay in sight (card.c). */
struct card {
	struct thing of;
	int32_t x, y;   /* px, where it was put */
	struct rect at; /* where it is drawn */
	char title[96]; /* the last one that was known */
};
#define CARDS_MAX  12
#define CARDS_KEPT 24 /* lines of the layout file, of other runs */
struct cards {
	struct card card[CARDS_MAX]; /* the last one lies on top */
	unsigned n;
	int32_t grip_x, grip_y; /* where the topmost is held */
	char run[40];           /* that they are of */
	/* not there yet: of another run, or of what has not been read */
	char kept[CARDS_KEPT][112];
	unsigned nkept;
};

/* Text that waits to be offered to other programs. */
enum offer {
	OFFER_NONE,
	OFFER_PRIMARY,
	OFFER_BOTH /* the clipboard, too */
};

#endif
