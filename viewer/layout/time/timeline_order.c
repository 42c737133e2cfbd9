/*
 * In what order rows stand below their heading, and which of them the filter
 * lets through.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

const char *const timeline_sort_name[TIMELINE_SORTS] = { "number", "name",
	"first", "busy" };

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

/* By their numbers, nodes by their names; then the monitor's own, groups. */
static uint64_t
number_key(const struct model *m, const struct lane *p)
{
	switch (p->kind) {
	case LANE_NODE:
		return (p->node == 0 ? 1ull << 40 : 1); /* their names decide */
	case LANE_GROUP:
		return ((1ull << 41) + p->thread);
	case LANE_PO:
		return (p->po);
	case LANE_THREAD:
		return (thread_key(m, p));
	case LANE_DEPTH:
		return (p->depth);
	}
	return (p->id);
}

static uint64_t
key_of(const struct model *m, const struct timeline_view *v,
    const struct lane *p)
{
	int64_t by_class[LANE_CLASSES], t0, t1;
	uint64_t spans;

	/* headings of objects and locks stay last, depths in their order */
	if (v->sort.by == TIMELINE_NUMBER || p->kind == LANE_GROUP ||
	    p->kind == LANE_DEPTH || (p->kind == LANE_NODE && p->node == 0))
		return (number_key(m, p) |
			(v->sort.by != TIMELINE_NUMBER && p->kind != LANE_DEPTH
				? 1ull << 63
				: 0));
	if (v->sort.by == TIMELINE_FIRST)
		return (model_lane_life(m, p->id, &t0, &t1)
			    ? (uint64_t)t0 >> 1
			    : (UINT64_MAX >> 1) - 1);
	if (v->sort.by == TIMELINE_BUSY) {
		model_lane_totals(m, p->id, v->sort.t0_mon_ns,
		    v->sort.t1_mon_ns, by_class, &spans);
		return ((UINT64_MAX >> 2) - (uint64_t)by_class[LANE_running]);
	}
	return (0);
}

int
timeline_kin_compare(const struct kin *x, const struct kin *y)
{
	int by_name;

	if (x->key != y->key)
		return (x->key < y->key ? -1 : 1);
	by_name = strverscmp(x->name, y->name); /* "PE 9" before "PE 10" */
	if (by_name != 0)
		return (by_name);
	return (x->lane < y->lane ? -1 : x->lane > y->lane);
}

static int
compare(const void *a, const void *b)
{
	return (timeline_kin_compare(a, b));
}

static void
kin_set(struct kin *k, const struct model *m, const struct timeline_view *v,
    const struct lane *p)
{
	k->lane = p->id;
	k->key = key_of(m, v, p);
	k->name[0] = '\0';
	if (v->sort.by == TIMELINE_NAME ||
	    (v->sort.by == TIMELINE_NUMBER && p->kind == LANE_NODE))
		model_lane_label(m, p->id, k->name, sizeof(k->name));
}

void
timeline_kin_of(const struct model *m, const struct timeline_view *v,
    uint32_t lane, struct kin *k)
{
	kin_set(k, m, v, model_lane(m, lane));
}

size_t
timeline_kin(const struct model *m, const struct timeline_view *v,
    uint32_t lane, uint32_t nlanes, struct kin **out)
{
	struct kin *k = NULL, *more;
	size_t n = 0, cap = 0;
	uint32_t c = lane == UINT32_MAX ? 0 : model_lane_first_child(m, lane);

	while (c < nlanes) {
		const struct lane *p = model_lane(m, c);

		if (lane != UINT32_MAX || p->parent == UINT32_MAX) {
			if (n == cap) {
				cap = cap == 0 ? 16 : cap * 2;
				more = realloc(k, cap * sizeof(*k));
				if (more == NULL)
					break;
				k = more;
			}
			kin_set(&k[n++], m, v, p);
		}
		c = lane == UINT32_MAX ? c + 1 : model_lane_next_sibling(m, c);
	}
	if (n > 1)
		qsort(k, n, sizeof(*k), compare);
	*out = k;
	return (n);
}

bool
timeline_matches(const struct model *m, const struct timeline_view *v,
    uint32_t lane)
{
	char name[128];

	if (v->filter[0] == '\0')
		return (true);
	model_lane_label(m, lane, name, sizeof(name));
	return (strcasestr(name, v->filter) != NULL);
}
