/*
 * Level condensing, and what must be counted for it.
 *
 * Only tasks of kept levels are part of a condensed tree, so the sizes and
 * sums that the model keeps do not serve: they are counted here, once for all
 * tasks there are and then for new ones only.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/radial_inside.h"

struct condense
condense_levels(uint32_t levels, uint32_t h_max)
{
	struct condense c = { levels, levels, 1, levels };

	if (h_max == 0 || levels <= h_max)
		return (c);
	c.ratio = levels / h_max;
	c.t = c.ratio * (h_max - levels % h_max);
	c.rings = h_max;
	return (c);
}

bool
condense_keeps(const struct condense *c, uint32_t level)
{
	if (level < c->t)
		return (level % c->ratio == 0);
	return ((level - c->t) % (c->ratio + 1) == 0);
}

uint32_t
condense_ring(const struct condense *c, uint32_t level)
{
	if (level < c->t)
		return (level / c->ratio);
	return (c->t / c->ratio + (level - c->t) / (c->ratio + 1));
}

static uint32_t
shown_level(const struct radial_cache *k, uint32_t t)
{
	return (model_task_level(k->model, t) + k->above);
}

/* The nearest task above t that is kept; TASK_NONE: the centre. */
static uint32_t
kept_above(const struct radial_cache *k, uint32_t t)
{
	while ((t = model_task_parent(k->model, t)) != TASK_NONE) {
		if (condense_keeps(&k->condense, shown_level(k, t)))
			break;
		/* parents come first, but for those that were late */
		if (k->generation == 0)
			return (k->up[t]);
	}
	return (t);
}

/* Finds a task its place in the condensed tree, behind its elder siblings. */
static void
condense_task(struct radial_cache *k, uint32_t i)
{
	uint32_t level = shown_level(k, i), up = kept_above(k, i);

	k->up[i] = up;
	if (!condense_keeps(&k->condense, level)) {
		if (up != TASK_NONE)
			k->by[up].absorbed++;
		return;
	}
	k->by[i].size = 1;
	k->by[i].sumring = condense_ring(&k->condense, level);
	if (k->link == NULL || up == TASK_NONE)
		return;
	if (k->link[up].last == TASK_NONE)
		k->link[up].first = i;
	else
		k->link[k->link[up].last].next = i;
	k->link[up].last = i;
}

/* What task i is, is told to all above it. */
static void
tell_above(struct radial_cache *k, uint32_t i)
{
	uint32_t ring = condense_ring(&k->condense, shown_level(k, i));

	for (uint32_t a = k->up[i]; a != TASK_NONE; a = k->up[a]) {
		k->by[a].size++;
		k->by[a].sumring += ring;
	}
}

/*
 * Tasks from..to are new.  Many at once are added up from the last to the
 * first, a few are told to all above them.
 */
static void
condense_tasks(struct radial_cache *k, uint32_t from, uint32_t to)
{
	uint32_t up;

	/* all first: a parent that was late comes after its children */
	memset(k->by + from, 0, (to - from) * sizeof(*k->by));
	for (uint32_t i = from; i < to && k->link != NULL; i++)
		k->link[i] =
		    (struct radial_link){ TASK_NONE, TASK_NONE, TASK_NONE };
	for (uint32_t i = from; i < to; i++)
		condense_task(k, i);
	if (from == 0 && k->generation == 0) {
		for (uint32_t i = to; i-- > 0;) {
			if (k->by[i].size == 0)
				continue;
			up = k->up[i];
			if (up == TASK_NONE)
				continue;
			k->by[up].size += k->by[i].size;
			k->by[up].sumring += k->by[i].sumring;
		}
		return;
	}
	for (uint32_t i = from; i < to; i++)
		if (k->by[i].size > 0)
			tell_above(k, i);
}

static int
cache_reserve(struct radial_cache *k, uint32_t n, bool links)
{
	uint32_t cap = n + n / 4 + 1024, *up;
	struct radial_link *link;
	struct radial_kept *by;

	if (n > k->cap) {
		by = realloc(k->by, cap * sizeof(*by));
		if (by == NULL)
			return (-1);
		k->by = by;
		up = realloc(k->up, cap * sizeof(*up));
		if (up == NULL)
			return (-1);
		k->up = up;
		k->cap = cap;
	}
	if (links && n > k->link_cap) {
		link = realloc(k->link, cap * sizeof(*link));
		if (link == NULL)
			return (-1);
		if (k->link == NULL)
			k->ntasks = 0; /* none of them is linked yet */
		k->link = link;
		k->link_cap = cap;
	}
	if (!links) {
		free(k->link);
		k->link = NULL;
		k->link_cap = 0;
	}
	return (0);
}

int
radial_cache_update(struct radial_cache *k, const struct model *m,
    const struct condense *c, uint32_t above, bool links)
{
	uint32_t n = model_tasks(m), generation = model_tree_generation(m);
	int same = k->model == m && k->generation == generation &&
		   k->above == above && k->condense.levels == c->levels &&
		   k->condense.rings == c->rings && k->ntasks > 0;

	if (cache_reserve(k, n, links) == -1)
		return (-1);
	k->model = m;
	k->above = above;
	k->condense = *c;
	k->generation = generation;
	if (!same || n - k->ntasks > 20000 + k->ntasks / 8)
		k->ntasks = 0;
	condense_tasks(k, k->ntasks, n);
	k->ntasks = n;
	return (0);
}

/* Next task of a subtree, depth first. */
static uint32_t
next_below(const struct model *m, uint32_t t, uint32_t root)
{
	uint32_t next = model_task_first(m, t);

	while (next == TASK_NONE && t != root) {
		next = model_task_next(m, t);
		t = model_task_parent(m, t);
	}
	return (next);
}

/* A parent has come after its children: the subtree is walked through. */
static uint32_t
deepest_of(const struct model *m, uint32_t root)
{
	uint32_t deepest = 0, level;

	for (uint32_t t = root; t != TASK_NONE; t = next_below(m, t, root)) {
		level = model_task_level(m, t);
		deepest = level > deepest ? level : deepest;
	}
	return (deepest);
}

/*
 * Parents come first, so a task is in the subtree when its parent is: one
 * pass over the tasks behind the root, and then over new ones.
 */
uint32_t
radial_cache_deepest(struct radial_cache *k, const struct model *m,
    uint32_t root)
{
	uint32_t n = model_tasks(m), words = n / 64 + 1, up, level;
	uint64_t *in;

	if (model_tree_generation(m) != 0)
		return (deepest_of(m, root));
	if (words > k->in_cap) {
		in = realloc(k->in, (words + words / 4) * sizeof(*in));
		if (in == NULL)
			return (deepest_of(m, root));
		memset(in + k->in_cap, 0,
		    (words + words / 4 - k->in_cap) * sizeof(*in));
		k->in = in;
		k->in_cap = words + words / 4;
	}
	if (k->of != m || k->root != root || k->seen == 0) {
		memset(k->in, 0, k->in_cap * sizeof(*k->in));
		k->of = m;
		k->root = root;
		k->in[root / 64] |= 1ull << root % 64;
		k->deepest = model_task_level(m, root);
		k->seen = root + 1;
	}
	for (uint32_t i = k->seen; i < n; i++) {
		up = model_task_parent(m, i);
		if (up == TASK_NONE || !(k->in[up / 64] >> up % 64 & 1))
			continue;
		k->in[i / 64] |= 1ull << i % 64;
		level = model_task_level(m, i);
		k->deepest = level > k->deepest ? level : k->deepest;
	}
	k->seen = n;
	return (k->deepest);
}

void
radial_cache_free(struct radial_cache *k)
{
	if (k == NULL)
		return;
	free(k->by);
	free(k->up);
	free(k->link);
	free(k->in);
	free(k);
}
