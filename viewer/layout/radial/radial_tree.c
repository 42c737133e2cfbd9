/*
 * The tree as it is shown, and its weights.
 *
 * Without condensing everything follows from the two counters that the model
 * keeps for each task: with ring = level - level0,
 *
 *	weight(n) = H * size(n) - sum of rings = (H + level0) * size - sumlevel
 *
 * With condensing they are those of radial_condense.c.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/radial/radial_inside.h"
#include "model/levels/tree_bands.h"
#include "model/tree/tree_wide.h"

#define STEPS 16 /* levels of a tree that grows: as exact as that */

static uint32_t
root_above(const struct model *m, uint32_t t)
{
	uint32_t up;

	while ((up = model_task_parent(m, t)) != TASK_NONE)
		t = up;
	return (t);
}

/* What the view is of. */
static void
tree_find(struct radial_tree *r, const struct radial_view *v)
{
	uint32_t one;

	r->nroots = model_root_places(r->m);
	r->root = v->root;
	if (v->root == TASK_NONE) {
		if (model_task_roots(r->m, &one, 1) == 1)
			r->root = one;
	} else if (!v->subtree) {
		r->root = root_above(r->m, v->root);
	}
	r->above = r->root == TASK_NONE;
	if (v->subtree && v->root != TASK_NONE)
		r->level0 = model_task_level(r->m, r->root);
}

static uint32_t
tree_levels(const struct radial_tree *r, const struct radial_view *v,
    struct radial_cache *k)
{
	if (r->root == TASK_NONE)
		return (model_task_levels(r->m, TASK_NONE) + 1);
	if (v->subtree && v->root != TASK_NONE)
		return (radial_cache_deepest(k, r->m, r->root) - r->level0 + 1);
	return (model_task_levels(r->m, r->root));
}

/* How many rings have room. */
static uint32_t
h_max(const struct radial_view *v)
{
	double least = radial_least_px(v);
	int32_t room = v->width < v->height ? v->width : v->height;

	if (v->form == RADIAL_ICICLE)
		return ((uint32_t)(v->height / least));
	return ((uint32_t)(room / (2 * least)));
}

/*
 * Each level that a tree grows by changes which ones are kept.  While it grows,
 * room is left for some, so that this happens only now and then.
 */
static uint32_t
levels_soon(const struct radial_view *v, uint32_t levels)
{
	uint32_t step = 1;

	while (step * STEPS < levels)
		step *= 2;
	if (!v->growing || levels <= h_max(v))
		return (levels);
	return ((levels + step - 1) / step * step);
}

/* Of a task, by the counters of the model; TASK_NONE: of all roots but those
 * that are in groups. */
struct sums {
	uint32_t size;
	uint64_t depths; /* below each */
};

static uint32_t
next_root(const struct radial_tree *r, uint32_t *at)
{
	uint32_t t = TASK_NONE;

	while (t == TASK_NONE && *at < r->nroots)
		t = model_task_root(r->m, (*at)++);
	return (t);
}

static struct sums
sums_of(const struct radial_tree *r, uint32_t t)
{
	struct sums all = { 0, 0 };
	struct wide_view w;
	uint64_t depths;
	uint32_t at = 0;

	if (t != TASK_NONE) {
		all.size = model_task_counts(r->m, t, &all.depths);
	} else if (model_task_wide(r->m, t, &w)) {
		all.size = wide_total(&w, &all.depths);
		if (!r->sums)
			all.size += model_singles(r->m, NULL);
	} else {
		while ((t = next_root(r, &at)) != TASK_NONE) {
			if (radial_is_summed(r, t))
				continue;
			all.size += model_task_counts(r->m, t, &depths);
			all.depths += depths;
		}
	}
	return (all);
}

int
radial_tree_open(struct radial_tree *r, const struct model *m,
    const struct radial_view *v, struct radial_layout *l)
{
	uint32_t levels, n = model_tasks(m);

	memset(r, 0, sizeof(*r));
	r->m = m;
	r->by_time = v->order == RADIAL_BY_TIME;
	r->weights = v->weights;
	if (n == 0 || (v->root != TASK_NONE && v->root >= n) || v->width <= 0 ||
	    v->height <= 0)
		return (-1);
	if (l->cache == NULL &&
	    (l->cache = calloc(1, sizeof(*l->cache))) == NULL)
		return (-1);
	r->kids = &l->cache->kids;
	r->summaries = model_tasks_gone(m) > 0;
	tree_find(r, v);
	levels = tree_levels(r, v, l->cache);
	r->levels = levels;
	r->condense = condense_levels(levels_soon(v, levels), h_max(v));
	if (r->condense.rings < levels) {
		if (radial_cache_update(l->cache, m, &r->condense, r->above,
			r->level0) == -1)
			return (-1);
		r->cache = l->cache;
	}
	if (radial_forest_open(r, v, &l->cache->forest) == -1)
		return (-1);
	r->tasks = sums_of(r, r->root).size;
	return (0);
}

static const struct kept_task *
kept(const struct radial_tree *r, uint32_t t)
{
	return (tree_levels_find(&r->cache->levels, r->m, t));
}

uint32_t
radial_size(const struct radial_tree *r, uint32_t t)
{
	const struct kept_task *k;

	if (r->cache == NULL)
		return (sums_of(r, t).size);
	if (t == TASK_NONE)
		return (r->cache->levels.size - r->forest->alone);
	return ((k = kept(r, t)) == NULL ? 0 : k->size);
}

double
radial_rings_from(const struct radial_tree *r, uint32_t t)
{
	uint32_t level = t == TASK_NONE ? 0 : model_task_level(r->m, t);

	return ((double)r->condense.levels + r->level0 - r->above - level);
}

/* Of a task, by VISTA's rule; TASK_NONE: of all roots together. */
static double
weight_by_height(const struct radial_tree *r, uint32_t t)
{
	const struct tree_levels *l;
	const struct kept_task *k;
	struct sums s;

	if (r->cache == NULL) {
		s = sums_of(r, t);
		return (radial_rings_from(r, t) * s.size - (double)s.depths);
	}
	l = &r->cache->levels;
	if (t == TASK_NONE)
		return ((double)r->condense.rings * l->size - (double)l->sum -
			r->forest->alone * radial_leaf(r));
	k = kept(r, t);
	return (k == NULL
		    ? 0
		    : (double)r->condense.rings * k->size - (double)k->sum);
}

double
radial_weight(const struct radial_tree *r, uint32_t t)
{
	double sum = 0;
	uint32_t at = 0;

	if (t == TASK_NONE && r->weights == NULL)
		return (weight_by_height(r, t) + r->condense.rings +
			r->forest->n * radial_leaf(r));
	if (t != TASK_NONE)
		return (r->weights != NULL ? r->weights[t]
					   : weight_by_height(r, t));
	while ((t = radial_child(r, TASK_NONE, t, &at)) != TASK_NONE)
		sum += radial_weight(r, t);
	return (sum + r->condense.rings);
}

double
radial_weight_below(const struct radial_tree *r, uint32_t t, uint32_t ring)
{
	double own =
	    r->weights == NULL || t == TASK_NONE ? r->condense.rings - ring : 0;

	return (radial_weight(r, t) - own);
}

double
radial_mean_ring(const struct radial_tree *r, uint32_t t)
{
	uint32_t size = radial_size(r, t);

	if (size == 0)
		return (0);
	return (r->condense.rings - weight_by_height(r, t) / size);
}

uint32_t
radial_absorbed(const struct radial_tree *r, uint32_t t)
{
	const struct kept_task *k =
	    r->cache == NULL || t == TASK_NONE ? NULL : kept(r, t);

	return (k == NULL ? 0 : k->absorbed);
}

uint32_t
radial_kept(const struct radial_tree *r, uint32_t t)
{
	const struct kept_task *k =
	    r->cache == NULL || t == TASK_NONE ? NULL : kept(r, t);

	return (k == NULL ? KEPT_NONE : (uint32_t)(k - r->cache->levels.kept));
}

static bool
is_kept(const struct radial_tree *r, uint32_t t)
{
	return (r->cache == NULL || kept(r, t) != NULL);
}

/* The task behind all those below t, before which t's parent has no more. */
static uint32_t
next_behind(const struct radial_tree *r, uint32_t t, uint32_t root,
    uint32_t *at)
{
	uint32_t next;

	while (t != root) {
		next = model_task_next(r->m, t);
		if (next != TASK_NONE)
			return (next);
		t = model_task_parent(r->m, t);
		if (t == TASK_NONE) /* on to the next root */
			return (next_root(r, at));
	}
	return (TASK_NONE);
}

/*
 * By path: depth first through what is not kept, so that the order is that of
 * the program and not of what happened to be faster.
 */
static uint32_t
child_by_path(const struct radial_tree *r, uint32_t t, uint32_t last,
    uint32_t *at)
{
	uint32_t i, next;

	if (last != TASK_NONE)
		i = next_behind(r, last, t, at);
	else if (t != TASK_NONE)
		i = model_task_first(r->m, t);
	else
		i = next_root(r, at);
	while (i != TASK_NONE &&
	       (!is_kept(r, i) || (t == TASK_NONE && radial_is_summed(r, i)))) {
		next = model_task_first(r->m, i);
		i = next != TASK_NONE ? next : next_behind(r, i, t, at);
	}
	return (i);
}

uint32_t
radial_child(const struct radial_tree *r, uint32_t t, uint32_t last,
    uint32_t *at)
{
	if (r->cache == NULL && t != TASK_NONE)
		return (last == TASK_NONE ? model_task_first(r->m, t)
					  : model_task_next(r->m, last));
	return (child_by_path(r, t, last, at));
}

static int
kids_add(struct radial_kids *k, uint32_t c)
{
	uint32_t cap = k->cap == 0 ? 256 : k->cap * 2, *task;

	if (k->n == k->cap) {
		task = realloc(k->task, cap * sizeof(*task));
		if (task == NULL)
			return (-1);
		k->task = task;
		k->cap = cap;
	}
	k->task[k->n++] = c;
	return (0);
}

/* Of a tree whose kept levels are far apart: by merging runs of theirs. */
static int
kids_by_path(const struct radial_tree *r)
{
	const struct tree_bands *b = r->cache->levels.bands;
	uint32_t n = r->kids->n, *from = r->kids->task, *to, *spare;
	uint32_t *mine = malloc((n + 1) * sizeof(*mine));

	if (mine == NULL)
		return (-1);
	to = mine;
	for (uint32_t run = 1; run < n; run *= 2) {
		for (uint32_t lo = 0; lo < n; lo += 2 * run) {
			uint32_t mid = lo + run < n ? lo + run : n;
			uint32_t hi = mid + run < n ? mid + run : n;
			uint32_t i = lo, k = mid;

			for (uint32_t at = lo; at < hi; at++)
				to[at] =
				    k == hi || (i < mid &&
						   !tree_bands_before(b, r->m,
						       from[k], from[i]))
					? from[i++]
					: from[k++];
		}
		spare = from;
		from = to;
		to = spare;
	}
	if (from == mine)
		memcpy(r->kids->task, mine, n * sizeof(*mine));
	free(mine);
	return (0);
}

/* Of a condensed tree by time: as they were spawned, whoever is between. */
const struct radial_kids *
radial_kids(const struct radial_tree *r, uint32_t t)
{
	const struct tree_levels *l;
	const struct kept_task *k;
	uint32_t c = TASK_NONE, at = 0, first;

	r->kids->n = 0;
	if (r->cache != NULL && (r->by_time || r->cache->levels.by_bands)) {
		l = &r->cache->levels;
		k = t == TASK_NONE ? NULL : kept(r, t);
		first = t == TASK_NONE ? l->first : KEPT_NONE;
		for (uint32_t i = k == NULL ? first : k->first; i != KEPT_NONE;
		     i = l->kept[i].next)
			if ((t != TASK_NONE ||
				!radial_is_alone(r, &l->kept[i])) &&
			    kids_add(r->kids, l->kept[i].task) == -1)
				return (NULL);
		if (!r->by_time && kids_by_path(r) == -1)
			return (NULL);
		return (r->kids);
	}
	while ((c = radial_child(r, t, c, &at)) != TASK_NONE)
		if (kids_add(r->kids, c) == -1)
			return (NULL);
	return (r->kids);
}
