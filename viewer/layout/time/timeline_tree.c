/*
 * Which rows there are.  Nodes in order of their numbers, below them POs and
 * threads in order of theirs, below an unfolded thread its depths; then the
 * objects and, if wanted, the locks, in order of their making; or in another
 * order below each heading.  A PO of one thread is shown as that thread.  A
 * folded row shows what is in it.
 *
 * Pinned rows come first and do not scroll: threads and objects move there,
 * of nodes and processes it is a second row that shows the sum.  A heading is
 * there when it or one below it passes the filter; below one that passes all
 * do.
 *
 * A group by hand is a heading before all nodes, and what is in it stands below
 * it instead of below its parent; objects of several classes are below a
 * heading each.  Folded, a group shows what its members did.
 *
 * When they are made is in timeline_remake.c.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

static struct timeline_row *
row_add(struct row_maker *k, uint32_t lane, uint32_t shows, int32_t height,
    unsigned indent)
{
	struct timeline_layout *l = k->l;
	struct timeline_row *r;
	size_t cap;

	if (l->nrows == l->rows_cap) {
		cap = l->rows_cap == 0 ? 64 : l->rows_cap * 2;
		r = realloc(l->rows, cap * sizeof(*r));
		if (r == NULL)
			return (NULL);
		l->rows = r;
		l->rows_cap = cap;
	}
	r = &l->rows[l->nrows++];
	*r = (struct timeline_row){ .lane = lane,
		.shows = shows,
		.y = l->total_height - (k->pinning ? 0 : k->v->scroll_y),
		.height = height,
		.top = k->pinning ? 0 : l->pinned_height,
		.pinned = k->pinning,
		.indent = (uint16_t)(indent + k->indent) };
	l->total_height += height;
	return (r);
}

/* A heading below which nothing came. */
static void
row_drop(struct row_maker *k)
{
	struct timeline_layout *l = k->l;

	l->total_height -= l->rows[--l->nrows].height;
	l->rows_hidden++;
}

static unsigned
flags_of(const struct row_maker *k, uint32_t lane)
{
	return (timeline_flags_of(k->v, lane));
}

/* In a group by hand, and that is not what is being made. */
static bool
is_grouped(const struct row_maker *k, uint32_t lane)
{
	return (lane != k->member && !k->v->by_node &&
		(flags_of(k, lane) & TIMELINE_GROUPED) != 0);
}

/* Not wanted, or at the top already. */
static bool
is_elsewhere(struct row_maker *k, uint32_t lane, bool passed)
{
	unsigned flags = flags_of(k, lane);

	if (is_grouped(k, lane))
		return (true);
	if ((flags & TIMELINE_HIDDEN) != 0 || timeline_is_quiet(k, lane) ||
	    (!passed && !timeline_matches(k->m, k->v, lane))) {
		k->l->rows_hidden++;
		return (true);
	}
	return ((flags & TIMELINE_PINNED) != 0);
}

static void
rows_depths(struct row_maker *k, uint32_t thread, unsigned indent)
{
	uint32_t c = model_lane_first_child(k->m, thread), n = 0;

	/* the last one says how many more there are */
	for (; c < k->l->nlanes && n < LANE_DEPTHS_DRAWN;
	     c = model_lane_next_sibling(k->m, c), n++)
		row_add(k, c, c, timeline_depth_px(k->v->lane_height), indent);
}

static void
rows_thread(struct row_maker *k, uint32_t lane, uint32_t thread,
    unsigned indent)
{
	struct timeline_row *r =
	    row_add(k, lane, thread, k->v->lane_height, indent);

	if (r == NULL || model_lane_first_child(k->m, thread) == UINT32_MAX)
		return;
	r->foldable = true;
	r->folded = (flags_of(k, lane) & TIMELINE_FOLDED) != 0;
	if (!r->folded)
		rows_depths(k, thread, indent + 1);
}

static bool
any_child_matches(struct row_maker *k, uint32_t lane)
{
	uint32_t c = model_lane_first_child(k->m, lane), member;

	for (uint32_t i = 0;
	     (member = model_group_member(k->m, lane, i)) != UINT32_MAX; i++)
		if (timeline_matches(k->m, k->v, member) ||
		    any_child_matches(k, member))
			return (true);
	for (; c < k->l->nlanes; c = model_lane_next_sibling(k->m, c))
		if (timeline_matches(k->m, k->v, c) || any_child_matches(k, c))
			return (true);
	return (false);
}

/* A heading; folded, it shows what is in it.  NULL: nothing comes below it. */
static struct timeline_row *
row_heading(struct row_maker *k, uint32_t lane, unsigned indent, bool sums,
    bool passed)
{
	bool folded =
	    k->v->by_node || (flags_of(k, lane) & TIMELINE_FOLDED) != 0;
	struct timeline_row *r;

	if (is_grouped(k, lane))
		return (NULL);
	if ((flags_of(k, lane) & TIMELINE_HIDDEN) != 0 ||
	    timeline_is_quiet(k, lane) ||
	    (folded && !passed && !any_child_matches(k, lane))) {
		k->l->rows_hidden++;
		return (NULL);
	}
	r = row_add(k, lane, folded && sums ? lane : UINT32_MAX,
	    k->v->lane_height, indent);
	if (r == NULL)
		return (NULL);
	r->foldable = !k->v->by_node;
	r->folded = folded && !k->v->by_node;
	return (folded ? NULL : r);
}

static void
rows_po(struct row_maker *k, uint32_t po, bool passed)
{
	uint32_t only = model_lane_only_thread(k->m, po);
	size_t n, rows;
	struct kin *kin;

	if (model_lane_first_child(k->m, po) == UINT32_MAX)
		return;
	if (only != UINT32_MAX) {
		if (!is_elsewhere(k, po,
			passed || timeline_matches(k->m, k->v, only)))
			rows_thread(k, po, only, 1);
		return;
	}
	passed = passed || timeline_matches(k->m, k->v, po);
	if (row_heading(k, po, 1, true, passed) == NULL)
		return;
	rows = k->l->nrows;
	n = timeline_kin(k->m, k->v, po, k->l->nlanes, &kin);
	for (size_t i = 0; i < n; i++)
		if (!is_elsewhere(k, kin[i].lane, passed))
			rows_thread(k, kin[i].lane, kin[i].lane, 2);
	free(kin);
	if (!passed && k->l->nrows == rows)
		row_drop(k);
}

static void
rows_node(struct row_maker *k, uint32_t node, bool passed)
{
	struct kin *kin;
	size_t n, rows;

	passed = passed || timeline_matches(k->m, k->v, node);
	/* the monitor's own row is there only when it has something to say */
	if (model_lane(k->m, node)->node == 0 &&
	    (k->v->by_node || model_lane_first_child(k->m, node) == UINT32_MAX))
		return;
	if (row_heading(k, node, 0, true, passed) == NULL)
		return;
	rows = k->l->nrows;
	n = timeline_kin(k->m, k->v, node, k->l->nlanes, &kin);
	for (size_t i = 0; i < n; i++)
		if (model_lane(k->m, kin[i].lane)->kind == LANE_PO)
			rows_po(k, kin[i].lane, passed);
		else if (!is_elsewhere(k, kin[i].lane, passed))
			rows_thread(k, kin[i].lane, kin[i].lane, 1);
	free(kin);
	if (!passed && k->l->nrows == rows)
		row_drop(k);
}

static void
row_object(struct row_maker *k, uint32_t lane, unsigned indent, bool passed)
{
	uint32_t c = model_lane_first_child(k->m, lane);

	if (is_elsewhere(k, lane, passed))
		return;
	row_add(k, lane, lane, k->v->lane_height * 4 / 5, indent);
	for (; c < k->l->nlanes; c = model_lane_next_sibling(k->m, c))
		row_add(k, c, c, timeline_depth_px(k->v->lane_height),
		    indent + 1);
}

/* Those of kin that are of a class, below a heading, if none was before. */
static void
rows_class(struct row_maker *k, const struct hand_group *class,
    const struct kin *kin, size_t n, bool passed)
{
	uint32_t name = class->class;
	size_t rows;

	passed = passed || timeline_matches(k->m, k->v, class->pub.id);
	if (row_heading(k, class->pub.id, 1, true, passed) == NULL)
		return;
	rows = k->l->nrows;
	for (size_t i = 0; i < n; i++)
		if (model_lane(k->m, kin[i].lane)->name == name)
			row_object(k, kin[i].lane, 2, passed);
	if (!passed && k->l->nrows == rows)
		row_drop(k);
}

/* Of a lock, and of who is alone in its class or has none: NULL. */
static const struct hand_group *
class_of(const struct row_maker *k, uint32_t lane)
{
	const struct lane *p = model_lane(k->m, lane);

	return (
	    p->kind == LANE_OBJECT ? hand_class(k->v->hand.of, p->name) : NULL);
}

/* Is it the first of its class in this order? */
static bool
is_first(const struct hand_group *class, uint64_t *done)
{
	uint32_t i = class->pub.id - HAND_LANE;
	bool first = (done[i / 64] >> i % 64 & 1) == 0;

	done[i / 64] |= 1ull << i % 64;
	return (first);
}

static void
rows_group(struct row_maker *k, uint32_t group)
{
	uint64_t done[(HAND_GROUPS_MAX + 63) / 64] = { 0 };
	const struct hand_group *class;
	int locks = model_lane(k->m, group)->thread == 1;
	bool passed = timeline_matches(k->m, k->v, group);
	struct kin *kin;
	size_t n, rows;

	if (model_lane_first_child(k->m, group) == UINT32_MAX ||
	    k->v->by_node || !(locks ? k->v->show_locks : k->v->show_objects) ||
	    row_heading(k, group, 0, false, passed) == NULL)
		return;
	rows = k->l->nrows;
	n = timeline_kin(k->m, k->v, group, k->l->nlanes, &kin);
	for (size_t i = 0; i < n; i++) {
		class = class_of(k, kin[i].lane);
		if (class == NULL)
			row_object(k, kin[i].lane, 1, passed);
		else if (is_first(class, done))
			rows_class(k, class, kin + i, n - i, passed);
	}
	free(kin);
	if (!passed && k->l->nrows == rows)
		row_drop(k);
}

static void
row_pinned(struct row_maker *k, uint32_t lane)
{
	const struct lane *p = model_lane(k->m, lane);
	uint32_t only = p->kind == LANE_PO ? model_lane_only_thread(k->m, lane)
					   : UINT32_MAX;

	if (p->kind == LANE_GROUP)
		return;
	if (p->kind == LANE_THREAD || only != UINT32_MAX)
		rows_thread(k, lane, only != UINT32_MAX ? only : lane, 0);
	else
		row_add(k, lane, lane,
		    p->kind == LANE_OBJECT || p->kind == LANE_LOCK ||
			    p->kind == LANE_SYNC
			? k->v->lane_height * 4 / 5
			: k->v->lane_height,
		    0);
}

void
timeline_make_pinned(struct row_maker *k)
{
	uint32_t n =
	    k->v->nfolded < k->l->nlanes ? k->v->nfolded : k->l->nlanes;

	k->pinning = true;
	for (uint32_t i = 0; i < n && !k->v->by_node; i++)
		if ((k->v->folded[i] & (TIMELINE_PINNED | TIMELINE_HIDDEN)) ==
		    TIMELINE_PINNED)
			row_pinned(k, i);
	k->pinning = false;
	k->l->npinned = k->l->nrows;
	k->l->pinned_height = k->l->total_height;
}

/* A member of a group by hand, with all that is below it. */
static void
rows_member(struct row_maker *k, uint32_t lane, bool passed)
{
	const struct lane *p = model_lane(k->m, lane);

	k->member = lane;
	if (p->kind == LANE_NODE) {
		k->indent = 1;
		rows_node(k, lane, passed);
	} else if (p->kind == LANE_PO) {
		rows_po(k, lane, passed);
	} else if (p->kind == LANE_THREAD) {
		if (!is_elsewhere(k, lane, passed))
			rows_thread(k, lane, lane, 1);
	} else if (p->kind != LANE_OBJECT ? k->v->show_locks
					  : k->v->show_objects) {
		row_object(k, lane, 1, passed);
	}
	k->indent = 0;
	k->member = UINT32_MAX;
}

void
timeline_make_groups(struct row_maker *k)
{
	size_t before = k->l->nrows, rows;
	const struct hand_group *g;
	uint32_t n = k->v->hand.of == NULL ? 0 : k->v->hand.of->ngroups, lane;
	bool passed;

	for (uint32_t i = 0; i < n && !k->v->by_node; i++) {
		g = hand_group(k->v->hand.of, HAND_LANE + i);
		if (g == NULL || g->class != 0)
			continue;
		passed = timeline_matches(k->m, k->v, g->pub.id);
		if (row_heading(k, g->pub.id, 0, true, passed) == NULL)
			continue;
		rows = k->l->nrows;
		for (uint32_t j = 0; (lane = model_group_member(k->m, g->pub.id,
					  j)) < k->l->nlanes;
		     j++)
			rows_member(k, lane, passed);
		if (!passed && k->l->nrows == rows)
			row_drop(k);
	}
	k->l->ngrouped = k->l->nrows - before;
}

void
timeline_make_root(struct row_maker *k, uint32_t lane)
{
	if (model_lane(k->m, lane)->kind == LANE_NODE)
		rows_node(k, lane, false);
	else
		rows_group(k, lane);
}
