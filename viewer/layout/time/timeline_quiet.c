/*
 * Of which rows nothing is in sight.  A span on the lane is found in it; links
 * and marks are looked through once for all rows, and only if there is a row
 * that nothing else decides.  Where there are too many of them a thread that
 * lives in this time is taken to be seen: what is hidden has nothing to show.
 *
 * So it costs O(lanes log spans) and a bounded number of links and marks,
 * however long the run is.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

#define LOOK_MOST 16384 /* links, and marks */

static bool
in_sight(const struct row_maker *k, int64_t t)
{
	return (t >= k->v->t0_mon_ns && t < k->v->t1_mon_ns);
}

static void
tell(struct row_maker *k, uint32_t lane, int64_t t)
{
	if (lane < k->l->nlanes && in_sight(k, t))
		k->quiet.tells[lane] = 1;
}

/* False: there are too many, or memory is out. */
static bool
look_at_links(struct row_maker *k)
{
	struct link *v = malloc(LOOK_MOST * sizeof(*v));
	size_t n = LOOK_MOST + 1;

	if (v != NULL)
		n = model_links(k->m, k->v->t0_mon_ns, k->v->t1_mon_ns, v,
		    LOOK_MOST);
	for (size_t i = 0; i < n && n <= LOOK_MOST; i++) {
		tell(k, v[i].lane0, v[i].t0_mon_ns);
		tell(k, v[i].lane1, v[i].t1_mon_ns);
	}
	free(v);
	return (n <= LOOK_MOST);
}

static bool
look_at_marks(struct row_maker *k)
{
	struct mark *v = malloc(LOOK_MOST * sizeof(*v));
	size_t n = LOOK_MOST + 1;

	if (v != NULL)
		n = model_marks(k->m, k->v->t0_mon_ns, k->v->t1_mon_ns, v,
		    LOOK_MOST);
	for (size_t i = 0; i < n && n <= LOOK_MOST; i++)
		tell(k, v[i].lane, v[i].t_mon_ns);
	free(v);
	return (n <= LOOK_MOST);
}

/* Does a link begin or end there, or is there a mark? */
static bool
is_told(struct row_maker *k, uint32_t lane)
{
	struct timeline_quiet *q = &k->quiet;

	if (!q->looked) {
		q->looked = true;
		q->tells = calloc(k->l->nlanes + 1, 1);
		q->many =
		    q->tells == NULL || !look_at_links(k) || !look_at_marks(k);
	}
	return (q->many || (lane < k->l->nlanes && q->tells[lane] != 0));
}

/* Of a lane with states of its own. */
static bool
lane_seen(struct row_maker *k, uint32_t lane)
{
	const struct timeline_view *v = k->v;
	int64_t t0, t1;

	if (model_lane_spans(k->m, lane, v->t0_mon_ns, v->t1_mon_ns, NULL, 0) >
	    0)
		return (true);
	if (model_lane(k->m, lane)->kind != LANE_THREAD)
		return (is_told(k, lane));
	if (!model_lane_life(k->m, lane, &t0, &t1))
		return (false);
	if (in_sight(k, t0) || in_sight(k, t1)) /* its first event, or last */
		return (true);
	return (t0 < v->t1_mon_ns && t1 >= v->t0_mon_ns && is_told(k, lane));
}

/* Is something of it, or of what is below it, in sight? */
static bool
is_seen(struct row_maker *k, uint32_t lane)
{
	unsigned kind = model_lane(k->m, lane)->kind;
	uint32_t member;

	if (kind >= LANE_THREAD && kind != LANE_GROUP)
		return (lane_seen(k, lane));
	for (uint32_t i = 0;
	     (member = model_group_member(k->m, lane, i)) != UINT32_MAX; i++)
		if (is_seen(k, member))
			return (true);
	for (lane = model_lane_first_child(k->m, lane); lane != UINT32_MAX;
	     lane = model_lane_next_sibling(k->m, lane))
		if (is_seen(k, lane))
			return (true);
	return (false);
}

bool
timeline_is_quiet(struct row_maker *k, uint32_t lane)
{
	return (k->v->hide_quiet && !is_seen(k, lane));
}
