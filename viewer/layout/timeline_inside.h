/* Shared by the files of the timeline. */
#ifndef VIEWER_TIMELINE_INSIDE_H
#define VIEWER_TIMELINE_INSIDE_H

#include "layout/timeline.h"

/* Drawn one by one; of more, so many: 4,000 take 3.5 ms and say no more. */
#define TIMELINE_LINKS 2400
#define TIMELINE_MARKS 16384

/* timeline_order.c: a lane and where it belongs among its kin. */
struct kin {
	uint32_t lane;
	uint64_t key;
	char name[24]; /* where names decide */
};
/*
 * Children of a lane, or with UINT32_MAX the lanes without a parent, in the
 * order that is wanted.  Caller frees.
 */
size_t timeline_kin(const struct model *, const struct timeline_view *,
    uint32_t lane, uint32_t nlanes, struct kin **);
/* Does its own name have the filter in it? */
bool timeline_matches(const struct model *, const struct timeline_view *,
    uint32_t lane);
static inline unsigned
timeline_flags(const struct timeline_view *v, uint32_t lane)
{
	return (lane < v->nfolded ? v->folded[lane] : 0);
}

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
 * timeline_columns.c: of a lane, to be kept or not; NULL: memory is out.  Two
 * threads may ask at once for lanes that are not kept in the same place.
 */
const struct timeline_columns *timeline_columns(struct timeline_draw *,
    uint32_t lane, bool keep);

/* timeline_lanes.c: spans or shares of one row */
void timeline_lane(struct timeline_draw *, const struct timeline_row *,
    bool keep);
/* timeline_rows.c: all that are in sight */
void timeline_draw_rows(struct timeline_draw *);
/* timeline_links.c */
void timeline_links(struct timeline_draw *);
/* Rows of its two ends; UINT32_MAX: that end is not in the picture. */
void timeline_link_rows(const struct model *, const struct timeline_layout *,
    const struct link *, uint32_t *from, uint32_t *to);
void timeline_marks(struct timeline_draw *);
void timeline_alerts(struct timeline_draw *);

/* Middle of a row, in px. */
static inline int32_t
row_middle(const struct timeline_row *r)
{
	return (r->y + (r->height - 1) / 2);
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
