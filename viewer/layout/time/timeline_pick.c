/*
 * What is under the pointer: a mark within 5 px, else a link within 3, else
 * the span, else the lane.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

#define MARK_PX    5
#define LINK_PX    3.0
#define PICK_MAX   64
#define PICK_LINKS 2400

static int
pick_mark(const struct model *m, const struct timeline_view *v,
    const struct timeline_layout *l, const struct timeline_row *r, int32_t x,
    struct timeline_hit *hit)
{
	struct mark k[PICK_MAX];
	size_t n;
	int64_t t0 = timeline_time(v, x - MARK_PX);
	int64_t t1 = timeline_time(v, x + MARK_PX + 1);
	int32_t far, best = INT32_MAX;

	for (int alerts = 1; alerts >= 0; alerts--) {
		n = (alerts ? model_alerts : model_marks)(m, t0, t1, k,
		    PICK_MAX);
		for (size_t i = 0; i < n && i < PICK_MAX; i++) {
			if (k[i].lane >= l->nlanes ||
			    l->lane_row[k[i].lane] != (size_t)(r - l->rows))
				continue;
			far = abs(timeline_x(v, k[i].t_mon_ns) - x);
			if (far >= best)
				continue;
			best = far;
			hit->of = OF_MARK;
			hit->mark = k[i];
		}
	}
	return (best != INT32_MAX);
}

/* Square of the distance of a point from a stretch. */
static double
distance(double px, double py, double x0, double y0, double x1, double y1)
{
	double dx = x1 - x0, dy = y1 - y0, d = dx * dx + dy * dy, t = 0;

	if (d > 0)
		t = ((px - x0) * dx + (py - y0) * dy) / d;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	x0 += t * dx - px;
	y0 += t * dy - py;
	return (x0 * x0 + y0 * y0);
}

static int
pick_link(const struct model *m, const struct timeline_view *v,
    const struct timeline_layout *l, int32_t x, int32_t y,
    struct timeline_hit *hit)
{
	struct link *k;
	uint32_t r0, r1;
	double best = LINK_PX * LINK_PX, far;
	int found = 0;
	size_t n;

	if (!v->links || v->by_node ||
	    (k = malloc(PICK_LINKS * sizeof(*k))) == NULL)
		return (0);
	n = model_links(m, timeline_time(v, x - 4), timeline_time(v, x + 5), k,
	    PICK_LINKS);
	for (size_t i = 0; i < n && i < PICK_LINKS; i++) {
		timeline_link_rows(m, l, &k[i], &r0, &r1);
		if (r0 == UINT32_MAX || r1 == UINT32_MAX || r0 == r1 ||
		    !timeline_link_tells(v, &k[i]))
			continue;
		far = distance(x, y, timeline_x(v, k[i].t0_mon_ns),
		    row_anchor(&l->rows[r0]), timeline_x(v, k[i].t1_mon_ns),
		    row_anchor(&l->rows[r1]));
		if (far >= best)
			continue;
		best = far;
		found = 1;
		hit->of = OF_LINK;
		hit->link = k[i];
	}
	free(k);
	return (found);
}

void
timeline_pick(const struct model *m, const struct timeline_view *v,
    const struct timeline_layout *l, int32_t x, int32_t y,
    struct timeline_hit *hit)
{
	const struct timeline_row *r = timeline_row_at(l, y);
	int64_t t = timeline_time(v, x), t1 = timeline_time(v, x + 1);
	struct span spans[PICK_MAX];
	int64_t best = -1, w;
	size_t n;

	memset(hit, 0, sizeof(*hit));
	hit->of = OF_NOTHING;
	hit->lane = UINT32_MAX;
	if (r != NULL) {
		hit->lane = r->lane;
		if (pick_mark(m, v, l, r, x, hit))
			return;
	}
	if (pick_link(m, v, l, x, y, hit) || r == NULL)
		return;
	hit->of = OF_LANE;
	if (r->shows == UINT32_MAX)
		return;
	/* a lane that sums up others says "more" and writes none */
	memset(spans, 0, sizeof(spans));
	n = model_lane_spans(m, r->shows, t, t1 > t ? t1 : t + 1, spans,
	    PICK_MAX);
	for (size_t i = 0; i < n && i < PICK_MAX; i++) { /* the longest here */
		w = (spans[i].t1_mon_ns < t1 ? spans[i].t1_mon_ns : t1) -
		    (spans[i].t0_mon_ns > t ? spans[i].t0_mon_ns : t);
		if (w <= best)
			continue;
		best = w;
		hit->of = OF_SPAN;
		hit->span = spans[i];
	}
}
