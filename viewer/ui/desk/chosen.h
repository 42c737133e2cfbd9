/*
 * What the user has chosen: a thing, marked instants, cards, and the way there
 * and back.  Plain data.
 */
#ifndef VIEWER_CHOSEN_H
#define VIEWER_CHOSEN_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/time/timeline.h"
#include "model/model.h"
#include "raster/canvas.h"
#include "ui/desk/kinds.h"

/* What Communication and Activity show, and of whom (talk.h). */
struct talk_choice {
	uint8_t statistic; /* of talk_statistics */
	uint8_t level;     /* enum talk_level */
	uint8_t part;      /* of Communication: enum talk_part */
	uint8_t activity;  /* of Activity: part */
	char phase[48];    /* whose speed is shown, a part of its name; "" */
	bool asked;        /* for the statistic */
	bool pair;         /* these are chosen: */
	struct talk_end {
		uint32_t node, nodes; /* so many in order of numbers */
		uint32_t po, lane;    /* 0, UINT32_MAX: all of it */
	} from, to;
};

struct selection {
	int64_t cursor_mon_ns;       /* an instant; INT64_MIN: none */
	struct timeline_hit clicked; /* last, in the lanes */
	struct mark mark;            /* clicked last, on mark_lane */
	uint32_t mark_lane;          /* UINT32_MAX: none */
	struct talk_choice talk;
};

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

struct history {
	struct place place[PLACES_MAX];
	unsigned n, now;
	unsigned kind; /* of the last change, so that steps merge */
	struct range zoomed[RANGES_MAX]; /* from where, the latest */
	unsigned nzoomed;
};

/* An instant that the user has marked. */
struct marker {
	int64_t t_mon_ns;
	char name[40]; /* "": its number */
};
#define MARKERS_MAX 64

struct markers {
	struct marker marker[MARKERS_MAX]; /* in order of time */
	unsigned n;
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

#endif
