/* Shared by the files of the timeline. */
#ifndef VIEWER_TIMELINE_INSIDE_H
#define VIEWER_TIMELINE_INSIDE_H

#include "layout/time/timeline.h"

#define TIMELINE_LINKS  20000 /* drawn one by one */
#define TIMELINE_SAMPLE 8192  /* of more, so many are shaded */
#define TIMELINE_DENSE  1600  /* and so many drawn */
#define TIMELINE_FEW    2400  /* while keys are pressed */
#define TIMELINE_COARSE 200   /* in a coarse picture */
#define TIMELINE_PILES  32768 /* a power of two, well over the first */
#define TIMELINE_MARKS  16384

/* timeline_order.c: where a lane belongs among its kin (struct kin). */
void timeline_kin_of(const struct model *, const struct timeline_view *,
    uint32_t lane, struct kin *);
int timeline_kin_compare(const struct kin *, const struct kin *);
/*
 * Children of a lane, or with UINT32_MAX the lanes without a parent, in the
 * order that is wanted.  Caller frees.
 */
size_t timeline_kin(const struct model *, const struct timeline_view *,
    uint32_t lane, uint32_t nlanes, struct kin **);
/* Does its own name have the filter in it? */
bool timeline_matches(const struct model *, const struct timeline_view *,
    uint32_t lane);

/* timeline_tree.c: which rows there are; they go behind those of the layout. */
struct row_maker {
	const struct model *m;
	const struct timeline_view *v;
	struct timeline_layout *l;
	bool pinning;
	uint32_t member; /* of a group by hand, that is being made */
	unsigned indent; /* of all below it, more than elsewhere */
	struct timeline_quiet {
		bool looked, many; /* many: it is not known */
		uint8_t *tells;    /* by lane: a link or a mark in sight */
	} quiet;
};
void timeline_make_pinned(struct row_maker *); /* first */
void timeline_make_groups(struct row_maker *); /* those by hand, then */
void timeline_make_root(struct row_maker *, uint32_t lane);
/* timeline_quiet.c: is it to be hidden because nothing of it is in sight? */
bool timeline_is_quiet(struct row_maker *, uint32_t lane);

#define TIMELINE_NAMES 64

struct timeline_draw {
	const struct model *m;
	const struct palette *pal;
	const struct timeline_view *v;
	struct timeline_layout *l;
	struct scene *s;
	/* scratch */
	struct span *spans;
	size_t spans_max;
	struct timeline_columns *spare; /* for a lane that keeps nothing */
	uint32_t spans_drawn, pixels_drawn;
	uint32_t name[TIMELINE_NAMES]; /* 0: none */
	uint32_t name_rgb[TIMELINE_NAMES];
	/* of the run: what it is, and up to when it is final */
	uint64_t version;
	int64_t final_mon_ns;
};

/*
 * timeline_columns.c: of a lane, with names or without, which is faster, to be
 * kept or not; NULL: memory is out.  Two threads may ask at once for lanes that
 * are not kept in the same place.
 */
const struct timeline_columns *timeline_columns(struct timeline_draw *,
    uint32_t lane, bool named, bool keep);
/* Of places that are not in sight, bit by bit, only the newest stay. */
void timeline_columns_thin(struct timeline_layout *, const uint64_t *in_sight);

/* timeline_lanes.c: spans or shares of one row */
void timeline_lane(struct timeline_draw *, const struct timeline_row *,
    bool keep);
/* timeline_sketch.c: what is not read yet of one row; where that begins */
void timeline_sketch_row(struct timeline_draw *, const struct timeline_row *);
void timeline_sketch_edge(struct timeline_draw *);
/* timeline_rows.c: all that are in sight */
void timeline_draw_rows(struct timeline_draw *);
/* timeline_crowd.c: how many lines lie over one another where. */
struct timeline_crowd {
	double *px; /* of line, in each cell; NULL: memory was short */
	int32_t n, bands;
	double shift, shift_y; /* of the first cell, out of the view, px */
};
void timeline_crowd_init(struct timeline_crowd *, const struct timeline_view *);
void timeline_crowd_clear(struct timeline_crowd *);
/* All lines in px, first; then alpha for each, 1 to 255.  O(height). */
void timeline_crowd_add(struct timeline_crowd *, double x0, double y0,
    double x1, double y1);
void timeline_crowd_ready(struct timeline_crowd *);
unsigned timeline_crowd_fade(const struct timeline_crowd *, double x0,
    double y0, double x1, double y1);

/* timeline_links.c: to a list of their own */
void timeline_links(struct timeline_draw *);
/* Rows of its two ends; UINT32_MAX: that end is not in the picture. */
void timeline_link_rows(const struct model *, const struct timeline_layout *,
    const struct link *, uint32_t *from, uint32_t *to);
/*
 * Is it drawn?  A lock that was free when it was taken has kept nobody waiting:
 * its way from hand to hand is seen of the selected row alone.
 */
bool timeline_link_tells(const struct timeline_view *, const struct link *);
void timeline_marks(struct timeline_draw *);
void timeline_alerts(struct timeline_draw *);

/* timeline.c: with what lies between the pixels */
double timeline_exact_x(const struct timeline_view *, int64_t t_mon_ns);

/* Middle of a row, in px. */
static inline int32_t
row_middle(const struct timeline_row *r)
{
	return (r->y + (r->height - 1) / 2);
}

/* How far its boxes stay from its edges: from 15 px on they have room for a
 * name. */
static inline int32_t
row_pad(const struct timeline_row *r)
{
	return (r->height >= 18 ? 3 : r->height >= 8 ? 2 : 0);
}

/* Rows of what is nested are lower, but for where names would not fit. */
#define TIMELINE_NAMED_PX 15
static inline int32_t
timeline_depth_px(int32_t lane_px)
{
	int32_t px = lane_px * 3 / 4;

	return (px < TIMELINE_NAMED_PX && lane_px >= TIMELINE_NAMED_PX
		    ? TIMELINE_NAMED_PX
		    : px);
}

/* The foot of its boxes, for the phases of a remote call. */
static inline void
timeline_phase_band(const struct timeline_row *r, int32_t *y0, int32_t *y1)
{
	*y1 = r->y + r->height - 1 - row_pad(r);
	*y0 = *y1 - (r->height >= 16 ? 5 : r->height >= 8 ? 3 : 1);
}

/* Where its links end: not under the pinned rows. */
static inline int32_t
row_anchor(const struct timeline_row *r)
{
	int32_t y = row_middle(r);

	return (y < r->top ? r->top : y);
}

static inline int
row_visible(const struct timeline_view *v, const struct timeline_row *r)
{
	return (r->y < v->height && r->y + r->height > r->top);
}

#endif
