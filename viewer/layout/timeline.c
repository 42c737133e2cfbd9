/*
 * Which rows there are.  Nodes in order of their numbers, below them POs and
 * threads in order of theirs, below an unfolded thread its depths; then the
 * objects and, if wanted, the locks, in order of their making.  A PO of one
 * thread is shown as that thread.  A folded row shows what is in it.
 */
#include "layout/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "layout/timeline_inside.h"

#define SCALE_MAX 1000000 /* px: further out is all the same */

int64_t
timeline_time(const struct timeline_view *v, int32_t x)
{
	double per = (double)(v->t1_mon_ns - v->t0_mon_ns) /
		     (v->width > 0 ? v->width : 1);

	return (v->t0_mon_ns + (int64_t)(per * x));
}

int32_t
timeline_x(const struct timeline_view *v, int64_t t)
{
	double span = (double)(v->t1_mon_ns - v->t0_mon_ns), x;

	if (t == INT64_MAX || span <= 0)
		return (t > v->t0_mon_ns ? SCALE_MAX : -SCALE_MAX);
	x = ((double)t - (double)v->t0_mon_ns) * v->width / span;
	if (x > SCALE_MAX)
		return (SCALE_MAX);
	if (x < -SCALE_MAX)
		return (-SCALE_MAX);
	return ((int32_t)(x < 0 ? x - 1 : x));
}

size_t
timeline_ticks(const struct timeline_view *v, int64_t origin, int64_t *t,
    size_t max, int64_t *step)
{
	static const int64_t nice[3] = { 1, 2, 5 };
	int64_t span = v->t1_mon_ns - v->t0_mon_ns, s = 1, at;
	size_t n = 0;

	*step = 0;
	if (max == 0 || span <= 0)
		return (0);
	for (int64_t ten = 1;; ten *= 10) {
		for (int i = 0; i < 3; i++) {
			s = ten * nice[i];
			if (span / s < (int64_t)max)
				break;
		}
		if (span / s < (int64_t)max || ten > INT64_MAX / 100)
			break;
	}
	*step = s;
	at = (v->t0_mon_ns - origin) / s * s + origin;
	while (at < v->t0_mon_ns)
		at += s;
	for (; at < v->t1_mon_ns && n < max; at += s)
		t[n++] = at;
	return (n);
}

static int
is_folded(const struct timeline_view *v, uint32_t lane)
{
	return (lane < v->nfolded && v->folded[lane] != 0);
}

static struct timeline_row *
row_add(struct timeline_layout *l, const struct timeline_view *v, uint32_t lane,
    uint32_t shows, int32_t height, unsigned indent)
{
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
		.y = l->total_height - v->scroll_y,
		.height = height,
		.indent = (uint16_t)indent };
	l->total_height += height;
	if (lane < l->nlanes)
		l->lane_row[lane] = (uint32_t)(l->nrows - 1);
	return (r);
}

/*
 * Threads go by the number in their name, as in "PE 3"; those without one
 * come first, in the order in which they were born.
 */
static uint64_t
thread_key(const struct model *m, const struct lane *p)
{
	char name[64], *end;
	size_t n;

	if (model_lane_label(m, p->id, name, sizeof(name)) < 0)
		return (p->thread);
	for (n = strlen(name);
	     n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9'; n--)
		continue;
	if (name[n] == '\0' || strncmp(name, "thread ", 7) == 0)
		return (p->thread);
	return ((1ull << 32) + (strtoul(name + n, &end, 10) & 0xffffffff));
}

struct kin {
	uint32_t lane;
	uint64_t key;
};

static int
kin_compare(const void *a, const void *b)
{
	const struct kin *x = a, *y = b;

	if (x->key != y->key)
		return (x->key < y->key ? -1 : 1);
	return (x->lane < y->lane ? -1 : x->lane > y->lane);
}

/*
 * Children of a lane, or the lanes without a parent, sorted by number.
 * Caller frees.
 */
static size_t
kin_of(const struct model *m, uint32_t lane, uint32_t nlanes, struct kin **out)
{
	const struct lane *p;
	struct kin *k = NULL, *more;
	size_t n = 0, cap = 0;
	uint32_t c = lane == UINT32_MAX ? 0 : model_lane_first_child(m, lane);

	while (c < nlanes) {
		p = model_lane(m, c);
		if (lane != UINT32_MAX || p->parent == UINT32_MAX) {
			if (n == cap) {
				cap = cap == 0 ? 16 : cap * 2;
				more = realloc(k, cap * sizeof(*k));
				if (more == NULL)
					break;
				k = more;
			}
			k[n].lane = c;
			k[n++].key = p->kind == LANE_NODE
					 ? (p->node == 0 ? 1ull << 40 : p->node)
				     : p->kind == LANE_GROUP
					 ? (1ull << 41) + p->thread
				     : p->kind == LANE_PO     ? p->po
				     : p->kind == LANE_THREAD ? thread_key(m, p)
				     : p->kind == LANE_DEPTH  ? p->depth
							      : c;
		}
		c = lane == UINT32_MAX ? c + 1 : model_lane_next_sibling(m, c);
	}
	if (n > 1)
		qsort(k, n, sizeof(*k), kin_compare);
	*out = k;
	return (n);
}

static void
rows_thread(const struct model *m, const struct timeline_view *v,
    struct timeline_layout *l, uint32_t lane, uint32_t thread, unsigned indent)
{
	struct timeline_row *r =
	    row_add(l, v, lane, thread, v->lane_height, indent);
	uint32_t c = model_lane_first_child(m, thread);

	if (r == NULL || c == UINT32_MAX)
		return;
	r->foldable = true;
	r->folded = is_folded(v, lane);
	if (r->folded)
		return;
	for (; c < l->nlanes; c = model_lane_next_sibling(m, c))
		row_add(l, v, c, c, v->lane_height * 3 / 4, indent + 1);
}

static void
rows_po(const struct model *m, const struct timeline_view *v,
    struct timeline_layout *l, uint32_t po)
{
	uint32_t only = model_lane_only_thread(m, po);
	struct timeline_row *r;
	struct kin *k;
	size_t n;

	if (model_lane_first_child(m, po) == UINT32_MAX)
		return;
	if (only != UINT32_MAX) {
		rows_thread(m, v, l, po, only, 1);
		if (only < l->nlanes)
			l->lane_row[only] = l->lane_row[po];
		return;
	}
	r = row_add(l, v, po, UINT32_MAX, v->lane_height, 1);
	if (r == NULL)
		return;
	r->foldable = true;
	r->folded = is_folded(v, po);
	if (r->folded) {
		r->shows = po;
		return;
	}
	n = kin_of(m, po, l->nlanes, &k);
	for (size_t i = 0; i < n; i++)
		rows_thread(m, v, l, k[i].lane, k[i].lane, 2);
	free(k);
}

static void
rows_node(const struct model *m, const struct timeline_view *v,
    struct timeline_layout *l, uint32_t node)
{
	struct timeline_row *r;
	struct kin *k;
	size_t n;

	/* the monitor's own row is there only when it has something to say */
	if (model_lane(m, node)->node == 0 &&
	    model_lane_first_child(m, node) == UINT32_MAX)
		return;
	r = row_add(l, v, node, UINT32_MAX, v->lane_height, 0);
	if (r == NULL)
		return;
	r->foldable = true;
	r->folded = is_folded(v, node);
	if (r->folded) {
		r->shows = node;
		return;
	}
	n = kin_of(m, node, l->nlanes, &k);
	for (size_t i = 0; i < n; i++)
		if (model_lane(m, k[i].lane)->kind == LANE_PO)
			rows_po(m, v, l, k[i].lane);
		else
			rows_thread(m, v, l, k[i].lane, k[i].lane, 1);
	free(k);
}

static void
rows_group(const struct model *m, const struct timeline_view *v,
    struct timeline_layout *l, uint32_t group)
{
	struct timeline_row *r;
	int locks = model_lane(m, group)->thread == 1;
	uint32_t c = model_lane_first_child(m, group);

	if (c == UINT32_MAX || !(locks ? v->show_locks : v->show_objects))
		return;
	r = row_add(l, v, group, UINT32_MAX, v->lane_height, 0);
	if (r == NULL)
		return;
	r->foldable = true;
	r->folded = is_folded(v, group);
	if (r->folded)
		return;
	for (; c < l->nlanes; c = model_lane_next_sibling(m, c))
		row_add(l, v, c, c, v->lane_height * 4 / 5, 1);
}

/* Lanes without a row of their own belong to that of the next above. */
static void
rows_inherit(const struct model *m, struct timeline_layout *l)
{
	uint32_t up;

	l->lanes_hidden = 0;
	for (uint32_t i = 0; i < l->nlanes; i++) {
		if (l->lane_row[i] != UINT32_MAX)
			continue;
		for (up = model_lane(m, i)->parent; up != UINT32_MAX;
		     up = model_lane(m, up)->parent)
			if (l->lane_row[up] != UINT32_MAX) {
				l->lane_row[i] = l->lane_row[up];
				l->lanes_hidden++;
				break;
			}
	}
}

int
timeline_rows(const struct model *m, const struct timeline_view *v,
    struct timeline_layout *l)
{
	uint32_t nlanes = model_lanes(m), *rows;
	struct kin *k;
	size_t n;

	l->nrows = 0;
	l->total_height = 0;
	rows = realloc(l->lane_row, (nlanes + 1) * sizeof(*rows));
	if (rows == NULL)
		return (-1);
	l->lane_row = rows;
	l->nlanes = nlanes;
	for (uint32_t i = 0; i < nlanes; i++)
		rows[i] = UINT32_MAX;
	n = kin_of(m, UINT32_MAX, nlanes, &k);
	for (size_t i = 0; i < n; i++)
		if (model_lane(m, k[i].lane)->kind == LANE_NODE)
			rows_node(m, v, l, k[i].lane);
		else
			rows_group(m, v, l, k[i].lane);
	free(k);
	rows_inherit(m, l);
	return (0);
}

void
timeline_layout_free(struct timeline_layout *l)
{
	timeline_columns_free(l);
	scene_free(&l->part[0]);
	scene_free(&l->part[1]);
	free(l->rows);
	free(l->lane_row);
	memset(l, 0, sizeof(*l));
}
