/*
 * When rows are made.  There may be 100,000, and while threads are born there
 * are others in each frame: so below each lane without a parent (a node, a
 * group) they are made anew only if something has changed there, a lane that
 * is new or one that was folded or hidden.  The others are moved; what is new
 * costs the rows of its node, all others 32 bytes that are copied.
 *
 * All are made anew when something else has changed that they are made from,
 * when rows are pinned or in groups by hand, and in another order than that of
 * numbers, where each thread may move each other one.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

#define MANY_LANES 2048 /* labels that come late are waited for */

/* Of 64 bits each: what it is made of has no gaps that matter. */
static uint64_t
hash(const void *p, size_t n)
{
	const uint8_t *b = p;
	uint64_t h = 1, word;

	for (; n >= sizeof(word); n -= sizeof(word), b += sizeof(word)) {
		memcpy(&word, b, sizeof(word));
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	while (n-- > 0)
		h = (h ^ *b++) * 0x100000001b3u;
	return (h);
}

/* Of all but the lanes and what is said of each. */
static uint64_t
rows_key(const struct model *m, const struct timeline_view *v, uint32_t nlanes)
{
	struct {
		const struct model *m;
		int64_t sort0, sort1;
		int64_t seen0, seen1; /* that rows come and go with */
		uint64_t events, hand;
		char filter[sizeof(v->filter)];
		int32_t lane_height;
		uint32_t shown;
	} key;

	memset(&key, 0, sizeof(key));
	key.m = m;
	key.sort0 = v->sort.t0_mon_ns;
	key.sort1 = v->sort.t1_mon_ns;
	key.events =
	    nlanes < MANY_LANES ? model_events(m) : (uint64_t)model_finished(m);
	if (v->hide_quiet) {
		key.seen0 = v->t0_mon_ns;
		key.seen1 = v->t1_mon_ns;
		key.events = model_events(m);
	}
	memcpy(key.filter, v->filter, sizeof(key.filter));
	key.hand = v->hand.version;
	key.lane_height = v->lane_height;
	key.shown = v->sort.by << 4 | (uint32_t)v->by_node << 3 |
		    (uint32_t)v->hide_quiet << 2 |
		    (uint32_t)v->show_objects << 1 | (uint32_t)v->show_locks;
	return (hash(&key, sizeof(key)) | 1);
}

static bool
same_flags(const struct timeline_layout *l, const struct timeline_view *v)
{
	return (l->made.nfolded == v->nfolded &&
		(v->nfolded == 0 ||
		    memcmp(l->made.folded, v->folded, v->nfolded) == 0));
}

static bool
keep_flags(struct timeline_layout *l, const struct timeline_view *v)
{
	uint8_t *p;

	if (v->nfolded > l->made.folded_cap) {
		p = realloc(l->made.folded, v->nfolded * 2u);
		if (p == NULL)
			return (false);
		l->made.folded = p;
		l->made.folded_cap = v->nfolded * 2;
	}
	if (v->nfolded > 0)
		memcpy(l->made.folded, v->folded, v->nfolded);
	l->made.nfolded = v->nfolded;
	return (true);
}

static bool
roots_room(struct timeline_layout *l, size_t n)
{
	struct timeline_root *p;

	if (n <= l->made.roots_cap)
		return (true);
	p = realloc(l->made.root, n * 2 * sizeof(*p));
	if (p == NULL)
		return (false);
	l->made.root = p;
	l->made.roots_cap = n * 2;
	return (true);
}

/* What is above this lane is no longer as it was.  False: better all anew. */
static bool
mark_stale(const struct model *m, const struct timeline_view *v,
    struct timeline_layout *l, uint32_t lane, size_t *last)
{
	size_t lo = 0, hi = l->made.nroots, mid;
	struct kin kin;
	uint32_t up;

	while ((up = model_lane(m, lane)->parent) != UINT32_MAX)
		lane = up;
	if (*last < l->made.nroots && l->made.root[*last].kin.lane == lane) {
		l->made.root[*last].stale =
		    true; /* lanes of a node lie together */
		return (true);
	}
	timeline_kin_of(m, v, lane, &kin);
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (timeline_kin_compare(&l->made.root[mid].kin, &kin) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == l->made.nroots || l->made.root[lo].kin.lane != lane) {
		if (lane < l->nlanes || !roots_room(l, l->made.nroots + 1))
			return (false); /* it has another name now */
		memmove(l->made.root + lo + 1, l->made.root + lo,
		    (l->made.nroots++ - lo) * sizeof(l->made.root[0]));
		l->made.root[lo] = (struct timeline_root){ .kin = kin };
	}
	l->made.root[lo].stale = true;
	*last = lo;
	return (true);
}

/* Which roots have changed.  False: better all of them. */
static bool
find_stale(const struct model *m, const struct timeline_view *v,
    struct timeline_layout *l, uint32_t nlanes)
{
	unsigned was, is;
	size_t last = 0;

	if (l->made.rows_key == 0 || v->sort.by != TIMELINE_NUMBER ||
	    l->npinned > 0 || l->ngrouped > 0 || v->nfolded < l->made.nfolded ||
	    nlanes < l->nlanes)
		return (false);
	for (uint32_t i = l->nlanes; i < nlanes; i++)
		if (!mark_stale(m, v, l, i, &last))
			return (false);
	for (uint32_t i = 0; i < v->nfolded && i < nlanes; i++) {
		was = i < l->made.nfolded ? l->made.folded[i] : 0;
		is = v->folded[i];
		if (is & TIMELINE_PINNED)
			return (false);
		if (was != is && !mark_stale(m, v, l, i, &last))
			return (false);
	}
	return (true);
}

/* Those of a root that stay, further up or down. */
static bool
rows_keep(struct row_maker *k, const struct timeline_root *root,
    const struct timeline_row *was)
{
	struct timeline_layout *l = k->l;
	size_t cap = l->rows_cap == 0 ? 64 : l->rows_cap;
	struct timeline_row *to;
	int32_t dy;

	while (cap < l->nrows + root->n)
		cap *= 2;
	if (cap != l->rows_cap) {
		to = realloc(l->rows, cap * sizeof(*to));
		if (to == NULL)
			return (false);
		l->rows = to;
		l->rows_cap = cap;
	}
	if (root->n > 0) {
		to = l->rows + l->nrows;
		memcpy(to, was + root->first, root->n * sizeof(*to));
		dy = l->total_height - k->v->scroll_y - to[0].y;
		for (size_t i = 0; i < root->n; i++)
			to[i].y += dy;
	}
	l->nrows += root->n;
	l->total_height += root->height;
	l->rows_hidden += root->hidden;
	return (true);
}

/*
 * moved: the new number of each old row, UINT32_MAX of one that is no more.
 * Both NULL: all are stale.
 */
static bool
roots_make(struct row_maker *k, const struct timeline_row *was, uint32_t *moved)
{
	struct timeline_layout *l = k->l;

	for (size_t i = 0; i < l->made.nroots; i++) {
		struct timeline_root *r = &l->made.root[i], now = *r;

		now.first = l->nrows;
		now.height = l->total_height;
		now.hidden = l->rows_hidden;
		if (r->stale || was == NULL || moved == NULL)
			timeline_make_root(k, r->kin.lane);
		else if (rows_keep(k, r, was))
			for (size_t j = 0; j < r->n; j++)
				moved[r->first + j] = (uint32_t)(now.first + j);
		else
			return (false);
		now.n = l->nrows - now.first;
		now.height = l->total_height - now.height;
		now.hidden = l->rows_hidden - now.hidden;
		*r = now;
	}
	return (true);
}

/* Not in a row of its own. */
static bool
is_hidden(const struct timeline_row *r, uint32_t lane)
{
	return (r->lane != lane && r->shows != lane);
}

/* Rows of lanes that had one: as they were moved. */
static void
lanes_move(struct timeline_layout *l, const struct timeline_row *was,
    const uint32_t *moved, uint32_t nlanes)
{
	uint32_t at;

	for (uint32_t i = 0; i < nlanes; i++) {
		at = l->lane_row[i];
		if (at == UINT32_MAX)
			continue;
		l->lane_row[i] = moved[at];
		if (moved[at] == UINT32_MAX)
			l->lanes_hidden -= is_hidden(&was[at], i);
	}
}

/* Rows that were made, from one on. */
static void
lanes_place(struct timeline_layout *l, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		if (l->rows[i].lane < l->nlanes &&
		    l->lane_row[l->rows[i].lane] == UINT32_MAX)
			l->lane_row[l->rows[i].lane] = (uint32_t)i;
}

/* What is folded into a group, and has no row by itself. */
static void
members_place(const struct model *m, struct timeline_layout *l, size_t from,
    size_t n)
{
	uint32_t lane;

	for (size_t i = from; i < from + n; i++)
		for (uint32_t k = 0;
		     l->rows[i].folded && (lane = model_group_member(m,
					       l->rows[i].lane, k)) < l->nlanes;
		     k++)
			if (l->lane_row[lane] == UINT32_MAX) {
				l->lane_row[lane] = (uint32_t)i;
				l->lanes_hidden++;
			}
}

/* Lanes without a row of their own belong to that of the next above. */
static void
lanes_inherit(const struct model *m, struct timeline_layout *l)
{
	uint32_t up;

	for (uint32_t i = 0; i < l->nlanes; i++) {
		if (l->lane_row[i] != UINT32_MAX)
			continue;
		for (up = model_lane(m, i)->parent; up != UINT32_MAX;
		     up = model_lane(m, up)->parent)
			if (l->lane_row[up] != UINT32_MAX) {
				l->lane_row[i] = l->lane_row[up];
				l->lanes_hidden +=
				    is_hidden(&l->rows[l->lane_row[i]], i);
				break;
			}
	}
}

/* Room for nlanes; those that are new have no row. */
static bool
lanes_room(struct timeline_layout *l, uint32_t nlanes)
{
	uint32_t *p;

	if (nlanes >= l->lanes_cap) {
		p = realloc(l->lane_row, (nlanes + 1u) * 2 * sizeof(*p));
		if (p == NULL)
			return (false);
		l->lane_row = p;
		l->lanes_cap = (nlanes + 1) * 2;
	}
	if (nlanes > l->nlanes)
		memset(l->lane_row + l->nlanes, 0xff,
		    (nlanes - l->nlanes) * sizeof(*p));
	l->nlanes = nlanes;
	return (true);
}

static void
rows_none(struct timeline_layout *l)
{
	l->nrows = l->npinned = l->ngrouped = 0;
	l->total_height = l->pinned_height = 0;
	l->rows_hidden = 0;
}

static void
lanes_finish(struct row_maker *k)
{
	struct timeline_layout *l = k->l;

	for (size_t i = 0; i < l->made.nroots; i++) {
		struct timeline_root *r = &l->made.root[i];

		if (r->stale) {
			lanes_place(l, r->first, r->n);
			members_place(k->m, l, r->first, r->n);
		}
		r->stale = false;
	}
	lanes_inherit(k->m, l);
}

static bool
make_stale(struct row_maker *k, uint32_t nlanes)
{
	struct timeline_layout *l = k->l;
	struct timeline_row *was = l->rows;
	size_t cap = l->rows_cap, n = l->nrows;
	uint32_t *moved = malloc((n + 1) * sizeof(*moved)), old = l->nlanes;
	bool good = moved != NULL && lanes_room(l, nlanes);

	if (good) {
		memset(moved, 0xff, n * sizeof(*moved));
		l->rows = l->made.spare;
		l->rows_cap = l->made.spare_cap;
		l->made.spare = was;
		l->made.spare_cap = cap;
		rows_none(l);
		good = roots_make(k, was, moved);
	}
	if (good) {
		lanes_move(l, was, moved, old);
		lanes_finish(k);
	}
	free(moved);
	return (good);
}

static bool
make_all(struct row_maker *k, uint32_t nlanes)
{
	struct timeline_layout *l = k->l;
	struct kin *kin;
	size_t n;
	bool good;

	rows_none(l);
	l->nlanes = l->lanes_hidden = 0;
	if (!lanes_room(l, nlanes))
		return (false);
	n = timeline_kin(k->m, k->v, UINT32_MAX, nlanes, &kin);
	good = roots_room(l, n);
	l->made.nroots = good ? n : 0;
	for (size_t i = 0; i < l->made.nroots; i++)
		l->made.root[i] =
		    (struct timeline_root){ .kin = kin[i], .stale = true };
	free(kin);
	timeline_make_pinned(k);
	timeline_make_groups(k);
	good = good && roots_make(k, NULL, NULL);
	lanes_place(l, 0, l->npinned + l->ngrouped);
	members_place(k->m, l, l->npinned, l->ngrouped);
	lanes_finish(k);
	return (good);
}

static void
rows_scroll(struct timeline_layout *l, int32_t scroll_y)
{
	for (size_t i = l->npinned; i < l->nrows && scroll_y != l->scroll_y;
	     i++)
		l->rows[i].y += l->scroll_y - scroll_y;
	l->scroll_y = scroll_y;
}

int
timeline_rows(const struct model *m, const struct timeline_view *v,
    struct timeline_layout *l)
{
	uint32_t nlanes = model_lanes(m);
	uint64_t key = rows_key(m, v, nlanes);
	struct row_maker k = { .m = m, .v = v, .l = l, .member = UINT32_MAX };
	bool good;

	if (key == l->made.rows_key && nlanes == l->nlanes &&
	    same_flags(l, v)) {
		rows_scroll(l, v->scroll_y);
		return (0);
	}
	if (key == l->made.rows_key && find_stale(m, v, l, nlanes))
		good = make_stale(&k, nlanes);
	else
		good = make_all(&k, nlanes);
	l->scroll_y = v->scroll_y;
	free(k.quiet.tells);
	/* not whole: the next time all of them */
	l->made.rows_key = good && keep_flags(l, v) ? key : 0;
	return (good ? 0 : -1);
}
