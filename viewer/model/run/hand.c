/*
 * Names and groups by hand.  There are few, and they change seldom: tables in
 * order, looked through from the start or by halves.
 */
#include "model/run/hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/run/inside.h"

struct hand *
hand_new(void)
{
	return (calloc(1, sizeof(struct hand)));
}

static void
group_free(struct hand_group *g)
{
	free(g->member);
	free(g);
}

static void
groups_drop(struct hand *h, bool classes)
{
	for (uint32_t i = 0; i < h->ngroups; i++)
		if (h->group[i] != NULL &&
		    (h->group[i]->class != 0) == classes) {
			group_free(h->group[i]);
			h->group[i] = NULL;
		}
	h->version++;
	h->members++;
}

void
hand_clear(struct hand *h)
{
	h->rows.n = h->functions.n = 0;
	groups_drop(h, false);
}

void
hand_forget(struct hand *h)
{
	if (h->class_cap > 0)
		memset(h->class_of, 0, h->class_cap * sizeof(*h->class_of));
	h->nclasses = h->seen = 0;
	groups_drop(h, true);
}

void
hand_free(struct hand *h)
{
	if (h == NULL)
		return;
	hand_clear(h);
	hand_forget(h);
	free(h->rows.name);
	free(h->functions.name);
	free(h->class_of);
	free(h);
}

/* Where it is, or belongs. */
static uint32_t
name_place(const struct hand_names *k, uint32_t of)
{
	uint32_t lo = 0, hi = k->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (k->name[mid].of < of)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

const char *
hand_called(const struct hand_names *k, uint32_t of)
{
	uint32_t i = k->n == 0 ? 0 : name_place(k, of);

	return (i < k->n && k->name[i].of == of ? k->name[i].text : NULL);
}

int
hand_call(struct hand *h, struct hand_names *k, uint32_t of, const char *text)
{
	uint32_t i = name_place(k, of);
	bool there = i < k->n && k->name[i].of == of;
	struct hand_name *p;

	h->version++;
	if (text[0] == '\0') {
		if (there)
			memmove(&k->name[i], &k->name[i + 1],
			    (--k->n - i) * sizeof(*p));
		return (0);
	}
	if (!there && k->n == HAND_NAMES_MAX)
		return (-1);
	if (!there && k->n == k->cap) {
		p = realloc(k->name, (k->cap * 2 + 16) * sizeof(*p));
		if (p == NULL)
			return (-1);
		k->name = p;
		k->cap = k->cap * 2 + 16;
	}
	if (!there) {
		memmove(&k->name[i + 1], &k->name[i],
		    (k->n++ - i) * sizeof(*p));
		k->name[i].of = of;
	}
	snprintf(k->name[i].text, sizeof(k->name[i].text), "%s", text);
	return (0);
}

struct hand_group *
hand_group(const struct hand *h, uint32_t lane)
{
	if (h == NULL || lane < HAND_LANE || lane - HAND_LANE >= h->ngroups)
		return (NULL);
	return (h->group[lane - HAND_LANE]);
}

struct hand_group *
hand_find(const struct hand *h, const char *name)
{
	for (int class = 0; class < 2; class ++)
		for (uint32_t i = 0; i < h->ngroups; i++)
			if (h->group[i] != NULL &&
			    (h->group[i]->class != 0) == class &&
			    strcmp(h->group[i]->name, name) == 0)
				return (h->group[i]);
	return (NULL);
}

/* Where it is among the members, or belongs. */
static uint32_t
member_place(const struct hand_group *g, uint32_t lane)
{
	uint32_t lo = 0, hi = g->n, mid;

	if (hi > 0 && g->member[hi - 1] < lane) /* classes only grow */
		return (hi);
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (g->member[mid] < lane)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

static bool
has_member(const struct hand_group *g, uint32_t lane)
{
	uint32_t i = member_place(g, lane);

	return (i < g->n && g->member[i] == lane);
}

struct hand_group *
hand_of(const struct hand *h, uint32_t lane)
{
	for (uint32_t i = 0; i < h->ngroups; i++)
		if (h->group[i] != NULL && h->group[i]->class == 0 &&
		    has_member(h->group[i], lane))
			return (h->group[i]);
	return (NULL);
}

struct hand_group *
hand_make(struct hand *h, const char *name, uint32_t class)
{
	struct hand_group *g;
	uint32_t i = 0;

	while (i < h->ngroups && h->group[i] != NULL)
		i++;
	if (i == HAND_GROUPS_MAX ||
	    (class != 0 && h->nclasses == HAND_GROUPS_MAX / 2))
		return (NULL);
	g = calloc(1, sizeof(*g));
	if (g == NULL)
		return (NULL);
	g->pub = (struct lane){ .id = HAND_LANE + i,
		.parent = UINT32_MAX,
		.kind = LANE_GROUP };
	g->class = class;
	snprintf(g->name, sizeof(g->name), "%s", name);
	h->nclasses += class != 0;
	h->group[i] = g;
	h->ngroups += i == h->ngroups;
	h->version++;
	return (g);
}

static int
member_add(struct hand_group *g, uint32_t lane)
{
	uint32_t i = member_place(g, lane), *p;

	if (i < g->n && g->member[i] == lane)
		return (0);
	if (g->n == g->cap) {
		p = realloc(g->member, (g->cap * 2 + 16) * sizeof(*p));
		if (p == NULL)
			return (-1);
		g->member = p;
		g->cap = g->cap * 2 + 16;
	}
	memmove(&g->member[i + 1], &g->member[i],
	    (g->n++ - i) * sizeof(*g->member));
	g->member[i] = lane;
	return (0);
}

int
hand_join(struct hand *h, struct hand_group *g, uint32_t lane)
{
	if (has_member(g, lane))
		return (0);
	if (g->n == HAND_MEMBERS_MAX)
		return (-1);
	hand_leave(h, lane);
	h->version++;
	h->members++;
	return (member_add(g, lane));
}

void
hand_leave(struct hand *h, uint32_t lane)
{
	struct hand_group *g = hand_of(h, lane);
	uint32_t i;

	if (g == NULL)
		return;
	i = member_place(g, lane);
	memmove(&g->member[i], &g->member[i + 1],
	    (--g->n - i) * sizeof(*g->member));
	h->version++;
	h->members++;
	if (g->n == 0)
		hand_dissolve(h, g);
}

void
hand_dissolve(struct hand *h, struct hand_group *g)
{
	h->group[g->pub.id - HAND_LANE] = NULL;
	group_free(g);
	h->version++;
	h->members++;
}

/* The group of a class, made if there is none. */
static struct hand_group *
class_group(struct hand *h, const struct model *m, uint32_t name)
{
	const char *text = model_name_recorded(m, name);
	uint32_t cap, *p;
	struct hand_group *g;

	if (name == 0 || text == NULL)
		return (NULL);
	if (name >= h->class_cap) {
		cap = name * 2 + 64;
		p = realloc(h->class_of, cap * sizeof(*p));
		if (p == NULL)
			return (NULL);
		memset(p + h->class_cap, 0, (cap - h->class_cap) * sizeof(*p));
		h->class_of = p;
		h->class_cap = cap;
	}
	if (h->class_of[name] != 0)
		return (hand_group(h, h->class_of[name]));
	g = hand_make(h, text, name);
	if (g != NULL)
		h->class_of[name] = g->pub.id;
	return (g);
}

void
hand_classes(struct hand *h, const struct model *m)
{
	uint32_t n = model_lanes(m);
	struct hand_group *g;
	const struct lane *l;

	for (; h->seen < n; h->seen++) {
		l = model_lane(m, h->seen);
		g = l->kind != LANE_OBJECT ? NULL : class_group(h, m, l->name);
		if (g != NULL && member_add(g, h->seen) == 0 && g->n == 2)
			h->version++; /* it has a heading from now on */
	}
}

struct hand_group *
hand_class(const struct hand *h, uint32_t name)
{
	struct hand_group *g;

	if (h == NULL || h->nclasses < 2 || name >= h->class_cap ||
	    h->class_of[name] == 0)
		return (NULL);
	g = hand_group(h, h->class_of[name]);
	return (g != NULL && g->n > 1 ? g : NULL);
}

void
model_set_hand(struct model *m, struct hand *h)
{
	defs_of(m)->hand = h;
}

struct hand *
model_hand(const struct model *m)
{
	return (defs_of(whole_of(m))->hand);
}

bool
model_lane_there(const struct model *m, uint32_t lane)
{
	return (
	    lane < model_lanes(m) || hand_group(model_hand(m), lane) != NULL);
}

uint32_t
model_group_member(const struct model *m, uint32_t group, uint32_t i)
{
	const struct hand_group *g = hand_group(model_hand(m), group);

	if (g == NULL || i >= g->n || g->member[i] >= model_lanes(m))
		return (UINT32_MAX);
	return (g->member[i]);
}

bool
model_lane_within(const struct model *m, uint32_t lane, uint32_t of)
{
	const struct hand_group *g = hand_group(model_hand(m), of);

	for (; lane < model_lanes(m); lane = model_lane(m, lane)->parent)
		if (lane == of || (g != NULL && has_member(g, lane)))
			return (true);
	return (false);
}

uint64_t
model_group_version(const struct model *m, uint32_t group)
{
	const struct hand *h = model_hand(m);

	return (hand_group(h, group) == NULL ? 0 : h->members);
}
