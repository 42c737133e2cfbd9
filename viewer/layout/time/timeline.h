/*
 * The process-time view as geometry: lanes down, time across.
 */
#ifndef VIEWER_TIMELINE_H
#define VIEWER_TIMELINE_H

#include <stdbool.h>

#include "layout/palette.h"
#include "layout/scene.h"
#include "model/model.h"
#include "model/run/hand.h"

struct sketch;

enum timeline_colour {
	TIMELINE_BY_STATE,
	TIMELINE_BY_NAME
};

/* What the rows of one heading are in order of. */
enum timeline_sort {
	TIMELINE_NUMBER, /* nodes, POs, threads, objects: by their numbers */
	TIMELINE_NAME,
	TIMELINE_FIRST, /* by their first event */
	TIMELINE_BUSY,  /* most time running in [sort0, sort1) first */
	TIMELINE_SORTS
};
extern const char *const timeline_sort_name[TIMELINE_SORTS];

/* What has been said of a lane; in timeline_view.folded. */
#define TIMELINE_FOLDED 1
#define TIMELINE_PINNED 2 /* its row stays at the top */
#define TIMELINE_HIDDEN 4 /* and so is what is below it */
#define TIMELINE_GROUPED                                                       \
	8 /* it is in a group by hand, not below its parent                    \
	   */

struct palette;
/* The colour of messages of a tag, where links are by tag. */
uint32_t timeline_tag_rgb(const struct palette *, uint32_t tag);

/* What the user has chosen; plain data, owned by the UI. */
struct timeline_view {
	int64_t t0_mon_ns, t1_mon_ns; /* visible */
	int32_t width, height;        /* px, of the lanes' area */
	int32_t scroll_y;             /* px */
	int32_t lane_height;          /* px, 22 */
	enum timeline_colour colour;
	bool links, show_objects, show_locks;
	struct {
		bool wide;   /* the more bytes, the wider */
		bool by_tag; /* messages have the colours of their tags */
	} links_as;
	bool hide_quiet; /* rows of which nothing is in sight */
	bool by_node; /* a row for each node, without links: a small picture */
	const uint8_t
	    *folded; /* by lane id, nfolded long: TIMELINE_FOLDED ... */
	uint32_t nfolded;
	struct {
		const struct hand
		    *of; /* groups, each with its words; or NULL */
		uint64_t version;
	} hand;
	struct {
		uint8_t by; /* enum timeline_sort */
		int64_t t0_mon_ns, t1_mon_ns;
	} sort;
	char filter[48];        /* rows with this in their name, or in that of a
				 * heading above; "": all.  Case is nothing. */
	uint32_t selected_lane; /* UINT32_MAX: none */
	uint64_t selected_task; /* task id, 0: none */
	/* what is selected: framed in the row of that lane; equal: none */
	struct {
		uint32_t lane;
		int64_t t0_mon_ns, t1_mon_ns;
	} chosen;
	int64_t sel0_mon_ns, sel1_mon_ns; /* selected range, equal: none */
	bool grid;                        /* upright lines at the ticks */
	bool grows;                       /* more events are coming */
	bool coarse; /* soon, not exact: another one follows */
	bool few;    /* soon: no more links than are drawn fast */
	bool apart;  /* links are not in the scene, but in the layout's */
	int64_t origin_mon_ns; /* from which the ticks count */
	/* of what is behind the last event, while the log is read; or NULL */
	const struct sketch *sketch;
};

/*
 * What one lane's pixels show.  Kept from one layout to the next: those that
 * more events cannot change are moved along with the view.
 */
struct timeline_columns {
	struct timeline_columns *older; /* of the same lane, of another view */
	const struct model *model;
	uint32_t lane;
	int64_t t0_mon_ns, t1_mon_ns;
	int32_t n;        /* as many */
	int32_t final;    /* of these will stay as they are */
	bool named;       /* name[] is known, too */
	uint64_t version; /* of the run */
	uint8_t *share;   /* n * LANE_CLASSES, in 1/255 */
	uint32_t *name;   /* that has most of it */
};
#define TIMELINE_KEPT 256 /* more lanes than can be in sight */

/* One row as laid out, for labels and hit tests. */
struct timeline_row {
	uint32_t lane;
	int32_t y, height; /* px, after scrolling */
	uint32_t shows; /* lane whose spans it shows, UINT32_MAX: a heading */
	int32_t top;    /* px: it is not seen above this */
	uint16_t indent;
	bool foldable, folded, pinned;
};

/* A lane and where it belongs among its kin. */
struct kin {
	uint32_t lane;
	uint64_t key;
	char name[36]; /* where names decide */
};

/* A lane without a parent, and its rows with all below it. */
struct timeline_root {
	struct kin kin; /* they are in order of that */
	size_t first, n;
	uint32_t hidden; /* rows */
	int32_t height;  /* px */
	bool stale;      /* they must be made anew */
};

/* What rows were made from (timeline_remake.c). */
struct timeline_made {
	uint64_t rows_key; /* 0: nothing yet */
	struct timeline_root *root;
	size_t nroots, roots_cap;
	struct timeline_row *spare; /* room for the next ones */
	size_t spare_cap;
	uint8_t *folded; /* as in the view, nfolded long */
	uint32_t nfolded, folded_cap;
};

struct timeline_layout {
	struct timeline_row *rows; /* all rows, also those out of sight;
				    * the pinned ones come first */
	size_t nrows, rows_cap, npinned;
	size_t ngrouped;      /* rows of groups by hand, behind those */
	int32_t total_height; /* px, with the pinned rows */
	int32_t pinned_height;
	int32_t scroll_y; /* with which they were made */
	struct timeline_made made;
	uint32_t rows_hidden; /* by the filter or one by one */
	/* for --describe and the status line */
	uint32_t spans_drawn, pixels_drawn, links_drawn, links_total, marks;
	uint32_t links_free;   /* of locks that nobody waited for: not drawn */
	uint32_t lanes_hidden; /* folded away */
	uint32_t *lane_row;    /* row of each lane, or of what it is folded
				* into; UINT32_MAX: none */
	uint32_t nlanes, lanes_cap;
	struct timeline_columns *kept[TIMELINE_KEPT]; /* by lane, modulo; the
						       * newest first */
	struct scene part[2];                         /* of two threads */
	struct scene links;
	/*
	 * Runs job(arg, 0) and, if it can, job(arg, 1) at the same time; NULL:
	 * there is one thread.
	 */
	void (*both)(void (*job)(void *arg, int who), void *arg);
	/*
	 * Asked now and then by the first of them: must the layout be given up?
	 * NULL: it need not.
	 */
	bool (*stop)(void *arg);
	void *stop_arg;
	bool stopped; /* the last one was: it is not whole */
};

/* Builds rows and scene (cleared first).  Cost: rows in sight x width. */
void timeline_layout(const struct model *, const struct palette *,
    const struct timeline_view *, struct timeline_layout *, struct scene *);
/* TIMELINE_FOLDED ... of a lane. */
static inline unsigned
timeline_flags_of(const struct timeline_view *v, uint32_t lane)
{
	const struct hand_group *g = hand_group(v->hand.of, lane);

	return (g != NULL ? g->flags : lane < v->nfolded ? v->folded[lane] : 0);
}
/* The rows alone, without a picture.  -1: memory is out. */
int timeline_rows(const struct model *, const struct timeline_view *,
    struct timeline_layout *);
void timeline_layout_free(struct timeline_layout *);
void timeline_columns_free(struct timeline_layout *); /* all are made anew */

/* Time of a pixel and back. */
int64_t timeline_time(const struct timeline_view *, int32_t x_px);
int32_t timeline_x(const struct timeline_view *, int64_t t_mon_ns);

/* The row at this height, px; NULL: none.  O(log rows). */
const struct timeline_row *timeline_row_at(const struct timeline_layout *,
    int32_t y);

/* The first row below the pinned ones that is in sight; nrows: none is. */
size_t timeline_first_row(const struct timeline_layout *);

/* What is at this pixel: a span, mark or lane. */
struct timeline_hit {
	enum item_of of;
	uint32_t lane;
	struct span span;
	struct mark mark;
	struct link link;
};
void timeline_pick(const struct model *, const struct timeline_view *,
    const struct timeline_layout *, int32_t x, int32_t y,
    struct timeline_hit *);

/*
 * Of each of n equal pixels of [t0, t1): 2 when something was lost there, on
 * whatever lane, 1 when something is in doubt, else 0.  Nothing is too short
 * to be told.
 */
void timeline_alert_pixels(const struct model *, int64_t t0, int64_t t1,
    uint32_t n, uint8_t *worst);

/* Ticks of the ruler: at most max, nice steps; label written by the caller. */
size_t timeline_ticks(const struct timeline_view *, int64_t origin_mon_ns,
    int64_t *t_mon_ns, size_t max, int64_t *step_ns);

#endif
